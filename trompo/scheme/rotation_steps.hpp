// How bodies turn over a step: Lam1 = Lam0 cay(c), three unknowns a body.
//
// Ends. The axes have masses and move by the formulas of the balance like any other coordinate. What keeps them at right angles
// is a force B^T mu on each, quadratic in the axes, whose moment about them vanishes: the sum of d x f over the parts of the
// frame has none of it, d being the part where the rule takes constraints, d1 or a mean of both ends. That moment is the
// equation, in the axes of the old end. The force itself is what the equations of the axes leave over.
//
// Interval. Cayley's map turns each part d of the frame by d1 - d0 = 2 (A c) x (d0 + d1)/2 exactly, A = (Lam0 + Lam1)/2. So the
// moment of frame forces f in space is the sum of (d0 + d1)/2 x f, and its work over the step is that of the f along the
// increment of the frame: energy is kept where the f keep it, and momentum where they have none. Orthonormality is quadratic,
// so its forces have no such moment: the inner multipliers need not be known.
//
//   directors   the inertia is that of the axes themselves, a part of f; their velocities are d' with (d0' + d1')/2 = dd/h
//   rotation    (Om0 + Om1)/2 + alpha/2 (Om1 - Om0) = 2 c/h,  J (Om1 - Om0)/h + (2 c/h) x (J Om0 + J Om1)/2 + m* = t*: this is
//               A^-1 (Lam1 J Om1 - Lam0 J Om0)/h, momentum balanced in space
//
// Both take A^-1 of the moment as their equations.
#pragma once

#include "trompo/scheme/body_steps.hpp"
#include "trompo/scheme/plane_turns.hpp"
#include "trompo/scheme/trend.hpp"

namespace trompo {

class RotationSteps final : public BodySteps {
 public:
  RotationSteps(const System& system, const Rule& rule, FrameReduction& unknowns);

  void restart(const State& state, const VecX& acceleration) override;
  void take(const State& state) override;
  void memory(const Memory& memory) override;
  void keep_old(const VecX& load, VecX& force) override;
  // Begins with c = h Om0/2, further along the trend of the last step, or unturned.
  void open(const State& state, double t1, const BodyMotion& motion) override;
  void write(const VecX& q0, const VecX& lead, VecX& q1, VecX& shift) override;
  void match_velocities(VecX& v1) override;
  void close(const FrameStep& step) override;

  [[nodiscard]] bool axes_have_masses() const override { return directors_; }
  void reduce_residual(const FrameStep& step, VecX& residual, VecX& size) const override;
  void place_levers(const VecX& q0, const VecX& q1) override;
  void push(const VecX& q0, const std::vector<Vec3>& torque, const std::vector<Vec3>& moment) override;
  void bring_moments(const VecX& q0, std::vector<Mat3>& back) const override;
  void add_tangent(const FrameStep& step, double factor, double* tangent) const override;
  [[nodiscard]] double update(const VecX& increment, double constraint_scale) override;
  [[nodiscard]] double largest_angle() const override;
  void add_energy(const FrameStep& step, StepEnergy& energy) const override;
  [[nodiscard]] double damped(double alpha) const override;

 private:
  [[nodiscard]] Mat3 from_space(std::size_t body, const VecX& q0) const;  // what a moment is brought to the equations by
  void sum_torques(const VecX& q0);
  [[nodiscard]] Vec3 moment_of(std::size_t body) const {  // of the step, in space
    return 0.5 * (moment0_[body] + moment1_[body]) + felt_moment_[body];
  }

  bool interval_, directors_;
  PlaneTurns plane_;
  double share_;  // of the new end where levers stand
  double h_ = 0, rate_ = 0, kappa_ = 1;
  Trend trend_;  // of the spins
  VecX spin0_, spin1_;
  VecX frame_force0_;                                             // what kept the frames at right angles at the old end
  std::vector<Vec3> c_, momentum0_, torque0_, torque1_, torque_;  // the last is all of the step, in the equations' axes
  std::vector<Vec3> moment0_, moment1_;                           // in space, of both ends
  std::vector<Vec3> felt_torque_, felt_moment_;                   // that feel rates, of the step
};

}  // namespace trompo
