// The balances.
//
//   end        M ((1-am) a1 + am a0) + f* = F*,  Newmark's kinematics (beta, gamma); a0 is remembered
//   interval   M (v1 - v0)/h + f* = F*,          (v0 + v1)/2 + alpha/2 (v1 - v0) = (q1 - q0)/h; no acceleration enters
//   composite  M a + f = F at a point within the step and at its end, backward difference over the three points
//   multistep  M a1 + f1 = F1, backward difference over the places of earlier steps
//
// f* comes from the rule. With am = 1/2, beta = 1/4, gamma = 1/2 both have the same solution; the interval form has nothing to
// forget and rounds less, so the conserving rows take it.
#pragma once

#include "trompo/scheme/numbers.hpp"
#include "trompo/scheme/step_problem.hpp"
#include "trompo/scheme/trend.hpp"

namespace trompo {

class EndBalance final : public Stepper {
 public:
  EndBalance(const System& system, const Rule& rule, const NewmarkWeights& weights, const NewtonOptions& options,
             Blend blend = Blend::all);
  void start(const State& state, const VecX& acceleration, const VecX& multipliers) override;
  [[nodiscard]] StepReport step(State& state, double t1) override;
  [[nodiscard]] const VecX& acceleration() const override { return blend_ == Blend::all ? a0_ : b0_; }
  [[nodiscard]] const VecX& multipliers() const override { return problem_.old_multiplier(); }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const override { return problem_.imbalances(most); }
  void forget_pivots() override { problem_.forget_pivots(); }

  // Sets up a step without solving it; a test looks at the problem then.
  void open(const State& state, double t1);
  [[nodiscard]] StepProblem& problem() { return problem_; }

 private:
  void memory(const Memory& memory) override;
  void take(const State& state) override;
  [[nodiscard]] Recursion recursion(double h) const;
  void find_accelerations(double t1, double h);
  [[nodiscard]] double kinematic_dissipation(const State& state, double h);
  [[nodiscard]] bool gained_energy(const StepEnergy& energy, const State& state) const;
  [[nodiscard]] StepReport failed(StepReport report, const State& state, double h);

  double af_;  // weight of the old forces
  Blend blend_;
  StepProblem problem_;
  NewmarkWeights weights_;
  std::vector<int> moved_;  // coordinates that Newmark's formulas move: free, and not by way of a body's own
  VecX a0_, a1_, b0_, b1_;  // accelerations of the recursion, and those of the equations where they are others
  VecX da_, inertia_;
  StepReport failure_;       // of the last step tried,
  double failed_step_ = -1;  // if it failed where no shorter one can help
};

class IntervalBalance final : public Stepper {
 public:
  IntervalBalance(const System& system, const Rule& rule, const NewtonOptions& options, const SecantCorrection& correction = {})
      : problem_(system, in_the_interval(rule), options, correction), keep_initial_energy_(correction.keep_initial_energy) {
    a_.setZero(system.coordinates());
    trend_.restart(system.coordinates());
  }
  void return_to_constraints() { problem_.return_to_constraints(); }
  void start(const State& state, const VecX& acceleration, const VecX& multipliers) override;
  [[nodiscard]] StepReport step(State& state, double t1) override;
  // a1 = 2 (v1 - v0)/h - a0, whose mean over the step is the acceleration of the balance; for the record only
  [[nodiscard]] const VecX& acceleration() const override { return a_; }
  [[nodiscard]] const VecX& multipliers() const override { return problem_.old_multiplier(); }
  [[nodiscard]] const VecX& gradient_points() const override { return problem_.old_gradient_point(); }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const override { return problem_.imbalances(most); }
  void forget_pivots() override { problem_.forget_pivots(); }

 private:
  void memory(const Memory& memory) override;
  void take(const State& state) override { problem_.take(state); }
  static Rule in_the_interval(Rule rule) {
    rule.tense = Rule::Tense::interval;
    return rule;
  }
  [[nodiscard]] StepReport search(const State& state, double t1);
  [[nodiscard]] StepReport search(const State& state, double t1, Search search);
  [[nodiscard]] bool opens_balance(const StepEnergy& energy, const State& state, double h) const;

  StepProblem problem_;
  VecX a_;
  Trend trend_;  // of the velocities
  bool keep_initial_energy_;
  double defect_ = 0;  // energy gained so far that nothing explains
};

class CompositeBalance final : public Stepper {
 public:
  CompositeBalance(const System& system, const Rule& rule, const CompositeWeights& weights, const NewtonOptions& options)
      : problem_(system, rule, options), weights_(weights) {
    for (VecX* v : {&a0_, &a_split_, &a1_, &inertia_, &way_}) v->setZero(system.coordinates());
  }
  void start(const State& state, const VecX& acceleration, const VecX& multipliers) override;
  [[nodiscard]] StepReport step(State& state, double t1) override;
  [[nodiscard]] const VecX& acceleration() const override { return a0_; }
  [[nodiscard]] const VecX& multipliers() const override { return problem_.old_multiplier(); }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const override { return problem_.imbalances(most); }
  void forget_pivots() override { problem_.forget_pivots(); }

 private:
  void memory(const Memory& memory) override;
  void take(const State& state) override { problem_.take(state); }
  [[nodiscard]] StepReport solve_part(double part, double h);                             // of length h
  [[nodiscard]] StepReport from_split(State& state, double t1, const StepReport& first);  // the second part, and the whole step
  StepProblem problem_;
  CompositeWeights weights_;
  State middle_;
  VecX a0_, a_split_, a1_, inertia_;
  VecX way_;  // from the start to the split
};

// A cubic through the new place and three before it gives velocity and acceleration of the new end, where forces balance. What
// it knows of earlier places it forgets at a start and where the step size changes, and takes two steps of the trapezoidal
// rule.
class Houbolt final : public Stepper {
 public:
  Houbolt(const System& system, const Rule& rule, const NewtonOptions& options) : problem_(system, rule, options) {
    for (VecX* v : {&a_, &next_a_, &way_, &way_before_, &inertia_}) v->setZero(system.coordinates());
  }
  void start(const State& state, const VecX& acceleration, const VecX& multipliers) override;
  [[nodiscard]] StepReport step(State& state, double t1) override;
  [[nodiscard]] const VecX& acceleration() const override { return a_; }
  [[nodiscard]] const VecX& multipliers() const override { return problem_.old_multiplier(); }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const override { return problem_.imbalances(most); }
  void forget_pivots() override { problem_.forget_pivots(); }

 private:
  void memory(const Memory& memory) override;
  void take(const State& state) override { problem_.take(state); }
  StepProblem problem_;
  VecX a_, next_a_, inertia_;
  VecX way_, way_before_;  // of the last step, and of the one before it
  int known_ = 0;          // of these
  double h_ = 0;
};

}  // namespace trompo
