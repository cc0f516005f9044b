// The end balance for bodies in Euler parameters, whose mass depends on where they are: Newmark's formulas for y and the
// equations of index 3, solved as they stand.
//
//   all         (1-am) M1 y''1 + am M0 y''0 + (1-af) g1 + af g0 = 0, Newmark's formulas with y''. As Newmark, Hilber and Chung
//               wrote it for a constant mass. Where M depends on y the averages of M y'' and of g are no longer taken at the
//               same place: first order, unless am = af
//   recursion   M1 y''1 + g1 = 0, Newmark's formulas with a, (1-am) a1 + am a0 = (1-af) y''1 + af y''0: second order
//
// The second is from M. Arnold, O. Bruels, Convergence of the generalized-alpha scheme for constrained mechanical systems,
// Multibody System Dynamics 18 (2007).
// With a constant mass the two have the same solution.
#pragma once

#include "trompo/scheme/euler_problem.hpp"
#include "trompo/scheme/steppers.hpp"

namespace trompo {

class EulerBalance final : public Stepper {
 public:
  enum class Blend { all, recursion };
  EulerBalance(const System& system, double old_force_weight, const NewmarkWeights& weights, Blend blend,
               const NewtonOptions& options);
  void start(const State& state, const VecX& acceleration, const VecX& multipliers) override;
  [[nodiscard]] StepReport step(State& state, double t1) override;
  [[nodiscard]] const VecX& acceleration() const override { return frame_acceleration_; }
  [[nodiscard]] const VecX& multipliers() const override { return problem_.old_end().multiplier; }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const override { return problem_.imbalances(most); }

  void forget_pivots() override { problem_.forget_pivots(); }

  // Sets up a step without solving it; a test looks at the problem then.
  void open(const State& state, double t1);
  [[nodiscard]] EulerProblem& problem() { return problem_; }

 private:
  void memory(const Memory& memory) override;
  void take(const State& state) override { problem_.take(state); }
  [[nodiscard]] StepReport failed(const StepReport& report, NewtonEnd end);
  // Is the step shorter than the last one, and what is remembered of that of no use for it?
  [[nodiscard]] bool cannot_shorten(double h) const;

  EulerProblem problem_;
  NewmarkWeights weights_;
  double af_;
  Blend blend_;
  VecX a0_;                               // of Newmark's formulas
  double last_step_ = 0, last_turn_ = 0;  // of the step before: its size, 0 for a fresh start, and how far a body turned
  NewtonReport last_failure_;
  VecX frame_acceleration_;
};

}  // namespace trompo
