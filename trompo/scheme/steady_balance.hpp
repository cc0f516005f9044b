// Small motions about a steady motion, seen from the frame that turns with it:
//
//   M x'' + C x' + K x + J^T l = 0,   J x = 0
//
// x are displacements and turns of bodies, in the axes that the frame has just then. A point of the frame has the acceleration
// x'' + 2 W x x' + W x (W x (X + x)), and parts d of a body that spins by s within it d' = w x d with
// w = W + s + theta' + theta x s: from these come gyroscopic and centrifugal parts of C and K. What acts on frames is taken
// with its slopes in places and rates, and forces of constraints with their curvature, so that nothing is left out.
#pragma once

#include "trompo/math/quadratic_modes.hpp"
#include "trompo/scheme/frame_reduction.hpp"
#include "trompo/scheme/steady_motion.hpp"

namespace trompo {

class SteadyBalance {
 public:
  // Unknowns as `reduction` has them, of three numbers a body.
  SteadyBalance(const System& system, const FrameReduction& reduction);

  // The model moves so, under loads of the state's time. Multipliers are those that leave least of the residual; false where
  // the constraints do not determine them. `share` is of the loads, gravity among them, and of the squares of all rates.
  [[nodiscard]] bool take(const State& state, const SteadyMotion& motion, double share = 1);
  // The same with given multipliers.
  void take(const State& state, const SteadyMotion& motion, const VecX& multipliers, double share = 1);

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const VecX& multipliers() const { return multipliers_; }
  [[nodiscard]] const QuadraticPencil& pencil() const { return pencil_; }
  // What is left over, beside the sum of the absolute terms of the largest row of its kind (displacements, turns), and where.
  [[nodiscard]] double imbalance(int& unknown) const;
  [[nodiscard]] double constraint_error() const { return constraint_error_; }  // likewise
  // How far exp(s t) x is from a motion: what is left of its forces beside those that `fastest` (1/s) would give it.
  [[nodiscard]] double defect(std::complex<double> s, const Eigen::VectorXcd& x, double fastest) const;
  // From where it stands to where forces and inertia balance; false if Newton does not get there.
  [[nodiscard]] bool settle(const SteadyMotion& motion, double share);

 private:
  void linearise(const SteadyMotion& motion);
  [[nodiscard]] bool solve_saddle(const VecX& diagonal, bool with_stiffness, VecX& right) const;
  [[nodiscard]] VecX stiffness_sizes() const;
  template <class Use>
  void each_part(const Use& use) const;  // use(body, first coordinate, d) for whatever follows a rotation
  // Over free coordinates and unknowns: how parts of bodies, and points, go with the unknowns.
  template <class Part>
  [[nodiscard]] Eigen::SparseMatrix<double> moves(const Mat3& of_points, bool others, const Part& of_part) const;

  const System* system_;
  const FrameReduction* reduction_;
  FrameReduction frames_;  // every part of a frame by itself
  Eigen::SparseMatrix<double> mass_;
  State state_;
  VecX multipliers_;
  double share_ = 1;
  QuadraticPencil pencil_;
  VecX residual_, size_, rest_;  // of the moving unknowns; of constraints
  double constraint_error_ = 0;
};

}  // namespace trompo
