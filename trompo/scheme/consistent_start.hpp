// What the equations say at one point of time: accelerations and multipliers of the index-1 system
//
//   M a + J^T lambda = F - dV/dq - R,   J a = -v.H.v
//
// with the angular accelerations of bodies among the unknowns, whatever the formulation;
//
// and the nearest state, in the metric of the masses, that keeps the constraints.
#pragma once

#include "trompo/scheme/plane_turns.hpp"

namespace trompo {

class ConsistentStart {
 public:
  explicit ConsistentStart(const System& system);

  // False if the constraints do not determine the multipliers there. Held coordinates take the acceleration of their motion.
  [[nodiscard]] bool solve(const State& state);
  [[nodiscard]] const VecX& acceleration() const { return a_; }
  [[nodiscard]] const VecX& multipliers() const { return multipliers_; }
  // The same where the velocities are brought into the tangent of the constraints first, by the least change: at the end of a
  // step, whose velocities need not be tangential. `state` is left with those.
  [[nodiscard]] bool solve_tangential(State& state);
  // What keeps the axes of bodies at right angles, and in place what turns about a fixed point: forces on parts of frames.
  [[nodiscard]] const VecX& frame_force() const { return frame_force_; }
  [[nodiscard]] const std::vector<Vec3>& angular_accelerations() const { return angular_; }  // of the bodies, body axes

  // What of these rows no acceleration reaches (contradiction.hpp).
  [[nodiscard]] VecX unreachable(const VecX& q, const VecX& rows);

  // Moves the free coordinates onto the constraints, then the velocities into their tangent. False if that fails.
  [[nodiscard]] bool project(State& state);

 private:
  [[nodiscard]] bool factorise(const State& state);
  [[nodiscard]] bool solve_factorised(const State& state);
  void find_forces(const State& state);
  void change_velocities(State& state) const;  // by what was solved for
  void spread(const State& state, VecX& x) const;
  void find_frame_force(const State& state);
  void solve_for_motion() {  // in right_
    plane_.hold(right_);
    solver_.solve(right_);
    plane_.hold(right_);
  }
  template <class Use>
  void each_part(const State& state, const Use& use) const;  // use(body, first coordinate, d) for whatever follows a rotation

  const System* system_;
  FrameReduction reduction_;
  PlaneTurns plane_;
  LinearSolver solver_;
  VecX a_, bias_, multipliers_, frame_force_, none_, force_, load_, inertia_, right_, rest_, error_, size_;
  std::vector<Vec3> angular_;
};

// For systems whose constraints are known to be sound; throws std::domain_error otherwise.
[[nodiscard]] VecX consistent_acceleration(const System& system, const State& state);

}  // namespace trompo
