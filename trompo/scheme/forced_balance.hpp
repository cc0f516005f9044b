// The balance that forces its energy: a step of forced_problem.hpp after the other, for points and coordinates.
#pragma once

#include "trompo/scheme/forced_problem.hpp"

namespace trompo {

// Which energies and momenta can be forced on a system: energy; linear momenta along axes, and angular ones about axes, where
// nothing works against them. Or why it cannot be moved so.
struct ForcedPlan {
  std::vector<ForcedProblem::Row> rows;
  Vec3 centre = Vec3::Zero();
  std::string refusal, remedy = "energy-momentum-exact can";
};
[[nodiscard]] ForcedPlan forced_plan(const System& system, const ForcedRows& wanted);

class ForcedBalance final : public Stepper {
 public:
  ForcedBalance(const System& system, const Rule& rule, const NewmarkWeights& weights, const ForcedRows& wanted,
                const NewtonOptions& options);
  void start(const State& state, const VecX& acceleration, const VecX& /*multipliers*/) override {
    problem_.restart(state, acceleration);
  }
  [[nodiscard]] StepReport step(State& state, double t1) override;
  [[nodiscard]] const VecX& acceleration() const override { return problem_.acceleration(); }
  [[nodiscard]] const VecX& multipliers() const override { return none_; }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const override { return problem_.imbalances(most); }
  void forget_pivots() override { problem_.forget_pivots(); }
  // What the rows of the last step were multiplied by, energy first. It has no dimension: a share of the force.
  [[nodiscard]] const std::array<double, ForcedProblem::most>& forcing() const { return problem_.lambda; }
  [[nodiscard]] const std::vector<ForcedProblem::Row>& rows() const { return problem_.rows; }

 private:
  void memory(const Memory& memory) override { problem_.memory(memory); }
  void take(const State& state) override { problem_.take(state); }
  [[nodiscard]] NewtonReport little_by_little(const State& state, double t1);
  ForcedProblem problem_;
  VecX none_;
};

}  // namespace trompo
