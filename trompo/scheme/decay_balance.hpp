// The balance that loses energy: a step of decay_problem.hpp after the other. What is remembered is where the search for
// multipliers begins.
#pragma once

#include "trompo/scheme/decay_problem.hpp"

namespace trompo {

class DecayBalance final : public Stepper {
 public:
  DecayBalance(const System& system, Rule rule, const DecayNumbers& numbers, const NewtonOptions& options);
  void start(const State& state, const VecX& acceleration, const VecX& multipliers) override;
  [[nodiscard]] StepReport step(State& state, double t1) override;
  // a1 = 2 (v1 - v0)/h - a0, for the record only
  [[nodiscard]] const VecX& acceleration() const override { return a_; }
  [[nodiscard]] const VecX& multipliers() const override { return problem_.multipliers(); }
  [[nodiscard]] const VecX& gradient_points() const override { return problem_.gradient_points(); }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const override { return problem_.imbalances(most); }
  void forget_pivots() override { problem_.forget_pivots(); }

 private:
  void memory(const Memory& memory) override;
  void take(const State& /*state*/) override {}
  DecayProblem problem_;
  VecX a_;
};

}  // namespace trompo
