// Schemes that need accelerations at given places and velocities only: the equations of index one (index_one.hpp), stabilised
// at the end of every step.
//
//   forward-euler       z1 = z0 + h f(t0, z0): first order, and energy in every step
//   rk4                 Runge and Kutta's classical one
//   hamming             predictor, modifier, corrector iterated until it stands still
//   central-difference  of places (second order), or of velocities (first order where forces depend on velocities)
//   dormand-prince      5(4), as many steps of its own within a step as its tolerance asks for
//
// M. Nitardi (2018); R. W. Hamming, Stable predictor-corrector methods for ordinary differential equations, J. ACM 6 (1959);
// J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6 (1980).
//
// The energy balance: powers of loads, supports and dampers are integrated along with the motion, by the scheme's own formula,
// and nothing is counted as numerical. So the residual of the ledger is the scheme's own energy error, stabilisation included.
#pragma once

#include <array>
#include <string>

#include "trompo/scheme/index_one.hpp"
#include "trompo/scheme/numbers.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

// What all of them share. They move z = (y, y', work of loads, work of supports, heat), whose rate is f(t, z).
class ExplicitStepper : public Stepper {
 public:
  ExplicitStepper(const System& system, const Stabilisation& stabilisation, const NewtonOptions& options);
  void start(const State& state, const VecX& acceleration, const VecX& multipliers) final;
  [[nodiscard]] StepReport step(State& state, double t1) final;
  [[nodiscard]] const VecX& acceleration() const final { return a_; }
  [[nodiscard]] const VecX& multipliers() const final { return multipliers_; }
  void forget_pivots() final { equations_.forget_pivots(); }
  // No equation is left open in a step: it ends where accelerations or energies do not exist.
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t /*most*/) const final { return {}; }

 protected:
  void memory(const Memory& memory) override;
  void take(const State& state) final;
  static constexpr int accounts = 3;
  [[nodiscard]] virtual NewtonEnd advance(double t0, double t1) = 0;  // z_, f_ to z1_, f1_; changes no memory
  virtual void remember() {}                                          // the step is accepted: z1_, f1_ are still the new end
  [[nodiscard]] virtual std::string culprit() const { return {}; }    // of an `advance` that failed, where one is to blame

  [[nodiscard]] NewtonEnd evaluate(double t, const VecX& z, VecX& f);
  [[nodiscard]] NewtonEnd project(double t, VecX& z) { return equations_.project(t, z.head(n_), z.segment(n_, n_)); }
  // The end of a step: towards the constraints, and f there.
  [[nodiscard]] NewtonEnd settle(double t, VecX& z, VecX& f);
  [[nodiscard]] NewtonEnd runge_kutta(double t0, double h);

  IndexOne equations_;
  int n_;  // coordinates
  VecX z_, f_, z1_, f1_;
  bool fresh_ = true;  // nothing is known of earlier steps: at a start, and where the step size changes, as in halved steps

 private:
  [[nodiscard]] StepEnergy energy(const State& before, const State& after) const;

  const System* system_;
  double max_rotation_, h_ = 0;
  int evaluations_ = 0;
  NewtonEnd begun_ = NewtonEnd::singular;  // are there accelerations at the start?
  VecX a_, next_a_, multipliers_, stage_, stage_rate_;
  State next_;
};

class ForwardEuler final : public ExplicitStepper {
 public:
  using ExplicitStepper::ExplicitStepper;

 private:
  [[nodiscard]] NewtonEnd advance(double t0, double t1) override;
};

class RungeKutta final : public ExplicitStepper {
 public:
  using ExplicitStepper::ExplicitStepper;

 private:
  [[nodiscard]] NewtonEnd advance(double t0, double t1) override;
};

// Of four points in equal distances; it begins anew where the step size changes.
class Hamming final : public ExplicitStepper {
 public:
  Hamming(const System& system, const Stabilisation& stabilisation, const NewtonOptions& options, HammingStart start);

 private:
  [[nodiscard]] NewtonEnd advance(double t0, double t1) override;
  void remember() override;
  void memory(const Memory& memory) override;
  [[nodiscard]] int known() const { return fresh_ ? 1 : known_; }  // points, the present one among them
  [[nodiscard]] NewtonEnd begin(double t0, double h, int known);
  [[nodiscard]] NewtonEnd correct(double t, double weight);
  static constexpr double tolerance = 1e-14;  // of the corrector
  static constexpr int most = 60;

  HammingStart start_;
  int known_ = 1;
  std::array<VecX, 3> old_z_;  // [k]: k + 1 steps before the present
  std::array<VecX, 2> old_f_;
  VecX error_, new_error_, predicted_, base_;
};

class CentralDifference final : public ExplicitStepper {
 public:
  CentralDifference(const System& system, const Stabilisation& stabilisation, const NewtonOptions& options,
                    DifferenceForm form);

 private:
  [[nodiscard]] NewtonEnd advance(double t0, double t1) override;
  [[nodiscard]] NewtonEnd by_position(double t0, double h);
  [[nodiscard]] NewtonEnd by_velocity(double t0, double h);
  void remember() override { previous_ = z_.head(n_); }
  void memory(const Memory& memory) override {
    ExplicitStepper::memory(memory);
    memory("place before", previous_);
  }
  void take_trapezoidal_powers(double h);

  DifferenceForm form_;
  VecX before_, previous_;  // one place back, as used in the step under way; as remembered
};

class DormandPrince final : public ExplicitStepper {
 public:
  DormandPrince(const System& system, const Stabilisation& stabilisation, const NewtonOptions& options, double tolerance);

 private:
  [[nodiscard]] NewtonEnd advance(double t0, double t1) override;
  // The error over its tolerance; infinite where a stage has no accelerations.
  [[nodiscard]] double attempt(double t, double h);
  void remember() override { trial_ = next_trial_; }
  void memory(const Memory& memory) override {
    ExplicitStepper::memory(memory);
    memory.number("own step", trial_);
  }
  [[nodiscard]] std::string culprit() const override { return worst_ < 0 ? std::string() : equations_.name(worst_); }
  // Steps of its own in a step, those refused among them. A step that needs more is halved like any other that fails, so that a
  // stiff motion goes on in shorter steps and a singular place is met after a bounded effort.
  static constexpr int most = 2000;

  double tolerance_, trial_ = 0, next_trial_ = 0;  // the size of its own steps
  int worst_ = -1;                                 // the unknown whose error is largest, in the last attempt
  std::array<VecX, 7> k_;
  VecX here_, there_, fault_;
};

[[nodiscard]] std::unique_ptr<Stepper> make_explicit(ExplicitScheme scheme, const ExplicitSettings& settings,
                                                     const System& system, const NewtonOptions& options);

}  // namespace trompo
