// The equations of a model at rest, at one place:
//
//   dV/dq + J^T lambda = p (g + F(q, t)),   phi(q, t) = 0
//
// p is the load factor, on gravity g and all loads. The unknowns are the coordinates, a turn of each body about the axes of
// space (six numbers a body, whatever the formulation), and the multipliers. A turn theta moves a part d of a frame by theta x
// d, and a force f on it has the moment d x f; that moment changes with d too, by (theta x d) x f, the geometric part. So the
// tangent is exact, at an equilibrium of forces with a potential it is symmetric, and with loads that follow it is not.
#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "trompo/scheme/plane_turns.hpp"
#include "trompo/scheme/residual_rows.hpp"

namespace trompo {

class StaticBalance {
 public:
  explicit StaticBalance(const System& system);

  void take(const State& state, const VecX& multipliers);  // its velocities do not count
  void load(double factor, double time);                   // supports move to where they are then
  void evaluate(bool tangent);
  void move(const VecX& increment);  // the place less this, as Newton has it
  void settle() { system_->settle(state_.q); }
  // Multipliers that leave least of the residual: where joints alone carry, their forces are the stiffness there is. False
  // where the constraints do not determine them.
  [[nodiscard]] bool guess_multipliers();

  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] const VecX& multipliers() const { return multiplier_; }
  [[nodiscard]] double factor() const { return factor_; }
  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const FrameReduction& reduction() const { return reduction_; }
  [[nodiscard]] int moving() const { return reduction_.unknowns() - system_->multipliers(); }  // no multipliers

  // --- of the last evaluation; rows and columns of multipliers are multiplied by constraint_scale ---
  [[nodiscard]] ResidualRows& rows() { return rows_; }
  [[nodiscard]] const ResidualRows& rows() const { return rows_; }
  [[nodiscard]] const VecX& residual() const { return rows_.residual; }
  [[nodiscard]] const VecX& load_slope() const { return load_slope_; }  // of the residual, in the factor
  [[nodiscard]] LinearSolver& tangent() { return tangent_; }
  [[nodiscard]] const LinearSolver& tangent() const { return tangent_; }
  [[nodiscard]] double constraint_scale() const { return assembly_.constraint_scale; }
  // Of the potential, since another state: the work of loads that are not constant is that of their mean.
  [[nodiscard]] double energy_change(const State& from) const;
  [[nodiscard]] const VecX& frame_residual() const { return frame_residual_; }  // on held coordinates: the reactions
  [[nodiscard]] const VecX& constraint_errors() const { return assembly_.constraint_error; }
  [[nodiscard]] double largest_error() const;            // relative to the sum of its absolute terms
  [[nodiscard]] double unknown_size(int unknown) const;  // what an increment is judged by

  // --- of the last evaluation with a tangent ---
  [[nodiscard]] Eigen::SparseMatrix<double> stiffness() const;  // without rows and columns of multipliers
  [[nodiscard]] Eigen::SparseMatrix<double> jacobian() const;   // constraint_scale J
  [[nodiscard]] VecX mass() const;                              // on the pattern of the tangent, inertia of turns among it
  [[nodiscard]] bool symmetric() const;                         // do all forces have a potential?
  // In how many directions that the constraints allow the potential falls; -1 where loads follow the motion.
  [[nodiscard]] int unstable_directions() const;
  // A motion along which the potential falls; empty if there is none.
  [[nodiscard]] VecX unstable_motion() const;
  [[nodiscard]] VecX stiffness_sizes() const;  // of each moving unknown, the same for all turns and for all others
  // What moves most, in words: "tip along y, with a, b and 3 more".
  [[nodiscard]] std::string dominant_motion(const VecX& motion) const;

 private:
  template <class Use>
  void each_part(const Use& use) const;  // use(body, first coordinate, d) for whatever follows a rotation
  void scale_constraints();
  void weigh_loops();
  void open_tangent();  // empty, with levers and slopes as the place has them
  [[nodiscard]] Eigen::SparseMatrix<double> penalised_stiffness() const;

  const System* system_;
  FrameReduction reduction_;
  PlaneTurns plane_;
  LinearSolver tangent_;
  State state_;
  VecX multiplier_;
  double factor_ = 0, time_ = 0;
  Assembly assembly_;
  VecX frame_residual_, load_, none_;
  ResidualRows rows_;
  VecX load_slope_;
  std::vector<Vec3> torque_;
  bool scaled_ = false;
};

}  // namespace trompo
