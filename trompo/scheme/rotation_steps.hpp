// How the rotations of bodies move over a step of the interval balance.
//
//   Lam1 = Lam0 cay(c),  (Om0 + Om1)/2 + alpha/2 (Om1 - Om0) = 2 c / h
//   J (Om1 - Om0)/h + (2 c/h) x (J Om0 + J Om1)/2 + m* = t*
//
// With A = (Lam0 + Lam1)/2 = Lam0 (1 - c~)^-1 the left side is A^-1 (Lam1 J Om1 - Lam0 J Om0)/h: momentum balanced in space.
// Cayley's map turns each part d of the frame by d1 - d0 = 2 (A c) x (d0 + d1)/2 exactly. So the moment of frame forces f in
// space is the sum of (d0 + d1)/2 x f, its work over the step is that of the f along the increment of the frame, and m* is
// A^-1 of it: energy is kept where the f keep it, and momentum where they have none.
//
// Everything else sees frames only. The equations and the matrix over frame coordinates are brought to three unknowns a body:
// rows by the levers of the mean frame, columns by the slopes of the new one.
#pragma once

#include <vector>

#include "trompo/system/system.hpp"

namespace trompo {

class RotationSteps {
 public:
  explicit RotationSteps(const System& system);

  void restart(const State& state);                                     // torques of the old end
  void open(const State& state, double t1, double rate, double kappa);  // rate = 2/(kappa h); begins with c = h Om0/2
  void write(VecX& q1) const;                                           // the frames of the current unknowns
  void write_rates(VecX& v1) const;
  void close() { torque0_.swap(torque1_); }

  // From residual and tangent over the frame to the unknowns. `size` is what a residual is measured by.
  void reduce_residual(const VecX& frame_residual, const VecX& frame_size, VecX& residual, VecX& size);
  void reduce_tangent(const VecX& frame_residual, const double* frame_tangent, double* tangent);
  [[nodiscard]] double update(const VecX& increment);  // the worst change of an angle
  [[nodiscard]] double largest_angle() const;          // of this step

  [[nodiscard]] double damped(double alpha) const;  // alpha/2 dOm.J dOm, summed
  [[nodiscard]] double torque_work() const;
  [[nodiscard]] const std::vector<Rotation>& new_rotations() const { return new_; }

 private:
  struct Entry {            // of the matrix over frame coordinates: where it goes
    int slot, row, column;  // row, column: frame coordinates whose levers and slopes apply; -1: an unknown as it is
    std::array<int, 9> to;
  };
  void refresh();

  const System* system_;
  double h_ = 0, rate_ = 0, kappa_ = 1;
  std::vector<Rotation> old_, new_;
  std::vector<Vec3> c_, momentum0_, torque0_, torque1_, torque_;
  std::vector<Vec3> lever_, slope_;  // of every frame coordinate
  std::vector<Entry> entries_;
  std::vector<std::array<int, 9>> own_;  // places of each body's 3 x 3 block
};

}  // namespace trompo
