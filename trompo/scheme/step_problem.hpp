// What both balances share: the workspace of a step and its face towards the Newton loop.
//
//   r(q1) = inertia(q1) + f*(q0, q1) - F*        on the free equations
//
// The balance that owns it says what inertia is: a factor, an origin and a rest, the same for every mass.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "trompo/math/newton.hpp"
#include "trompo/scheme/secant_correction.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

class StepProblem {
 public:
  StepProblem(const System& system, const Rule& rule, const NewtonOptions& options, const SecantCorrection& correction = {});

  // Prepares the step to t1: held coordinates at t1, the load of the step with this weight of the old one.
  void open(const State& state, double t1, double old_load_weight);
  // The inertia of the step is  mass * (factor * (q1 - origin) + rest).
  void inertia(double factor) { factor_ = factor; }
  VecX& origin() { return origin_; }
  VecX& rest() { return rest_; }

  [[nodiscard]] StepReport solve();
  [[nodiscard]] StepBooks books(const VecX& v0) const;  // after the new velocities are in v1
  void close();                                         // the new end becomes the old one

  VecX q0, q1, v1;
  VecX shift;   // q1 - origin, the unknown itself: a velocity taken from it does not see the rounding of q1, eps |q| 2/h
  VecX force0;  // dV/dq at the old end
  VecX load0, load1;

  // --- for newton() ---
  void evaluate(bool tangent);
  [[nodiscard]] double residual_ratio();
  [[nodiscard]] bool residual_at_round_off();
  [[nodiscard]] double solve_and_update();

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const Rule& rule() const { return rule_; }
  [[nodiscard]] SecantCorrector* corrector() { return corrector_ ? &*corrector_ : nullptr; }
  void restart(const State& state);
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const;

 private:
  const System* system_;
  Rule rule_;
  NewtonOptions options_;
  LinearSolver solver_;
  Assembly assembly_;
  VecX load_, origin_, rest_, residual_, increment_, free_q_, round_off_;
  double factor_ = 0;
  std::optional<SecantCorrector> corrector_;
  bool tangent_kept_ = false;
};

}  // namespace trompo
