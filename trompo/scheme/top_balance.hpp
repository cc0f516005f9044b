// The schemes of top_schemes.hpp as a stepper: one body that turns about a fixed point in a potential of gamma . Lam E.
#pragma once

#include "trompo/scheme/stepper.hpp"
#include "trompo/scheme/top_schemes.hpp"

namespace trompo {

class TopBalance final : public Stepper {
 public:
  TopBalance(const System& system, TopScheme scheme, double simo_alpha, const NewtonOptions& options);
  void start(const State& state, const VecX& acceleration, const VecX& multipliers) override;
  [[nodiscard]] StepReport step(State& state, double t1) override;
  [[nodiscard]] const VecX& acceleration() const override { return a_; }
  [[nodiscard]] const VecX& multipliers() const override { return none_; }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t /*most*/) const override { return {}; }

 private:
  void memory(const Memory& memory) override { memory("acceleration", a_); }
  void take(const State& state) override { next_ = state; }
  // What is typed over one component of one body axis.
  class Curve final : public HeightPotential {
   public:
    explicit Curve(const TopScope& scope) : scope_(scope) {}
    [[nodiscard]] PotentialValue at(double z) const override;

   private:
    const TopScope& scope_;
  };
  const System* system_;
  TopScheme scheme_;
  double simo_alpha_, max_rotation_;
  Curve curve_;
  AxialPotential potential_;
  Top top_;
  State next_;
  VecX a_, none_;
};

}  // namespace trompo
