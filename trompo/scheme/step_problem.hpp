// What all balances share: the workspace of a step and its interface towards the Newton loop.
//
//   r(q1, lambda) = inertia(q1) + f*(q0, q1) + R* + G*^T lambda - F*     on the free equations
//   phi(q1, t1) = 0                                                       on the constraints
//
// The balance that owns it says what inertia is: a factor, a lead and a rest, the same for every mass; and how the new
// velocity follows from the new place. Bodies turn as their formulation says (body_steps.hpp).
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "trompo/math/newton.hpp"
#include "trompo/scheme/body_steps.hpp"
#include "trompo/scheme/constraint_return.hpp"
#include "trompo/scheme/residual_rows.hpp"
#include "trompo/scheme/secant_correction.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

class StepProblem {
 public:
  StepProblem(const System& system, const Rule& rule, const NewtonOptions& options, const SecantCorrection& correction = {});

  // Prepares the step to t1: held coordinates at t1, the load of the step with this weight of the old one. A later part of a
  // step begins where the last solution was.
  void open(const State& state, double t1, double old_load_weight, bool later_part = false);
  // q1 = q0 + lead + shift, and the inertia of the step is  mass * (factor * shift + rest).
  void inertia(double factor);
  VecX& lead() { return lead_; }
  VecX& rest() { return rest_; }
  // The new velocity is  slope * shift + velocity_rest.
  void rates(double slope) { rate_slope_ = slope; }
  void open_bodies(const State& state, double t1, const BodyMotion& motion = {});
  VecX& velocity_rest() { return velocity_rest_; }
  void return_to_constraints();  // in every iteration, by projection and return

  // With the new velocities in v1. A plain search finds a new tangent in every iteration, whatever that costs.
  [[nodiscard]] StepReport solve(bool plain = false);
  // Of the next searches: residuals may be so many times as large as the user allows.
  void tighten(double share) { rows_.tolerance = share * options_.tolerance; }
  [[nodiscard]] StepEnergy energy();  // of everything but inertia
  void close();                       // the new end becomes the old one

  VecX q0, q1, v0, v1;
  VecX shift;       // the unknown itself: a velocity taken from it does not see the rounding of q1, eps |q| 2/h
  VecX multiplier;  // one for each constraint, of the step under way

  // --- by hand, for a test of the tangent ---
  [[nodiscard]] const VecX& residual() const { return rows_.residual; }
  [[nodiscard]] Eigen::MatrixXd tangent() const;               // as evaluated last
  [[nodiscard]] double shift_unknowns(const VecX& decrement);  // multipliers by their scale; what the worst change is judged by

  // --- for newton() ---
  void evaluate(bool tangent);
  [[nodiscard]] double residual_ratio();
  [[nodiscard]] bool residual_at_round_off();
  [[nodiscard]] double solve_and_update();

  // Does the balance move this free coordinate itself, or a body by unknowns of its own?
  [[nodiscard]] bool moves(int coordinate) const {
    return !bodies_ || bodies_->axes_have_masses() || system_->body_of(coordinate) < 0;
  }
  [[nodiscard]] bool large() const { return reuses_factors_; }  // worth a better first guess
  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const Rule& rule() const { return rule_; }
  [[nodiscard]] const BodySteps* bodies() const { return bodies_.get(); }
  void write_state(double t1, State& state) const;    // the new end
  [[nodiscard]] double kinetic(const VecX& v) const;  // of what the balance itself gives an inertia
  [[nodiscard]] SecantCorrector* corrector() { return corrector_ ? &*corrector_ : nullptr; }
  [[nodiscard]] const VecX& old_multiplier() const { return old_multiplier_; }          // of the last step that was closed
  [[nodiscard]] const VecX& old_gradient_point() const { return old_gradient_point_; }  // likewise
  void restart(const State& state, const VecX& acceleration, const VecX& multipliers);
  void memory(const Memory& memory);
  void take(const State& state);  // as the old end, with what is remembered of it
  void forget_pivots() { solver_.forget_pivots(); }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const;

 private:
  void update_velocities();
  void add_work(StepEnergy& energy);
  void add_rate_slopes();
  void find_loads();  // of places and rates as they are now
  void add_load_tangent();
  [[nodiscard]] bool keeps_tangent() const;
  [[nodiscard]] bool close_constraints();
  void load_at(double t, VecX& load) const;
  [[nodiscard]] Rates interval_rates() const { return {interval_rate_, &q0, &q1, h_}; }
  void remember_old_end();
  [[nodiscard]] bool keeps_old_forces() const { return rule_.kind == Rule::Kind::endpoint_average && rule_.old_weight != 0; }
  [[nodiscard]] bool at_ends() const { return rule_.tense == Rule::Tense::ends; }
  [[nodiscard]] FrameStep frames() const {
    return {q0, q1, v0, v1, frame_residual_, assembly_.size, assembly_.constraint_scale};
  }
  [[nodiscard]] Motion motion() const { return {q0, q1, v0, v1, h_, rate_slope_}; }
  [[nodiscard]] double size_of(int unknown) const;  // what an increment of it is judged by

  const System* system_;
  Rule rule_;
  NewtonOptions options_;
  FrameReduction unknowns_;
  std::unique_ptr<BodySteps> bodies_;
  LinearSolver solver_;
  ResidualRows rows_;
  Assembly assembly_, rate_assembly_;
  VecX force0_;  // of the old end, where the rule keeps a share of it
  VecX load0_, load1_, load_, lead_, rest_, velocity_rest_, old_multiplier_, old_gradient_point_;
  VecX increment_;
  VecX begin_load_, begin_multiplier_, support_;  // of where this part of the step began; forces on supports
  double factor_ = 0, rate_slope_ = 0, t1_ = 0, h_ = 0, load_weight_ = 0, mean_mass_ = 1;
  std::optional<SecantCorrector> corrector_;
  std::optional<ConstraintReturn> return_;
  VecX frame_residual_;                // over the frame, where bodies turn
  VecX at_rest_;                       // velocities, all zero
  bool torques_in_loads_;              // as forces on axes
  bool feels_rates_;                   // do loads?
  std::vector<Vec3> torque_, moment_;  // of the interval that do, on bodies
  std::vector<Mat3> from_space_;
  VecX interval_rate_;           // (q1 - q0)/h
  bool coupled_ = false;         // do masses couple coordinates?
  VecX rate_, inertia_;          // then
  std::vector<int> coordinate_;  // of each unknown; -1: a rotation or a multiplier
  std::vector<int> unknown_;     // of each equation; -1: follows a body
  // Large systems keep the factors of the first iteration of a step while they bring the increments down fast enough.
  bool reuses_factors_ = false, plain_ = false, tangent_fresh_ = false, contracting_ = true;
  int solves_ = 0;             // of this step
  double last_increment_ = 0;  // of the solve before
};

}  // namespace trompo
