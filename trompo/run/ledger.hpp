// The energy balance. Signs:
//
//   dK + dV_elastic + dV_gravity + dV_loads = W_loads + W_supports - Q_dampers - Q_numerical + E_events + residual
//
// Every account has a formula of its own; none is computed as a difference of the others, so that the residual means something:
// it is the work of whatever force did not do what the energies say.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "trompo/scheme/stepper.hpp"

namespace trompo {

// Sum that does not lose the small terms of a long run (Neumaier).
class LongSum {
 public:
  void add(double x) {
    const double t = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - t) + x : (x - t) + sum_;
    sum_ = t;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }
  void memory(const Memory& memory, const std::string& name) { memory.numbers(name, sum_, lost_); }

 private:
  double sum_ = 0, lost_ = 0;
};

class Ledger {
 public:
  void open(double kinetic, const Potentials& potentials) {
    kinetic_ = kinetic;
    potentials_ = potentials;
    initial_ = total();
    initial_potentials_ = potentials;
    scale_ = kinetic_ + potentials_.size();
    take_stock();
  }
  void add(double kinetic, const StepEnergy& step) {
    kinetic_ = kinetic;
    potentials_ = step.potentials;
    load_work_.add(step.load_work);
    support_work_.add(step.support_work);
    heat_.add(step.heat);
    numerical_.add(step.numerical);
    worst_uncorrected_ = std::max(worst_uncorrected_, std::abs(step.uncorrected));
    uncorrected_ = step.uncorrected;
    scale_ = std::max(scale_, kinetic_ + potentials_.size());
    take_stock();
    worst_residual_ = std::max(worst_residual_, std::abs(residual_));
  }

  // An event changes potentials at once, while nothing moves, and the kinetic energy by another mass or an impulse.
  void change(double kinetic_jump, const Potentials& potentials) {
    events_.add(potentials.sum() - potentials_.sum());
    events_.add(kinetic_jump);
    kinetic_ += kinetic_jump;
    potentials_ = potentials;
    scale_ = std::max(scale_, kinetic_ + potentials_.size());
    take_stock();
  }

  [[nodiscard]] double kinetic() const { return kinetic_; }
  [[nodiscard]] const Potentials& potentials() const { return potentials_; }
  [[nodiscard]] double total() const { return kinetic_ + potentials_.sum(); }
  [[nodiscard]] double load_work() const { return load_work_.value(); }
  [[nodiscard]] double support_work() const { return support_work_.value(); }
  [[nodiscard]] double heat() const { return heat_.value(); }
  [[nodiscard]] double numerical() const { return numerical_.value(); }
  [[nodiscard]] double events() const { return events_.value(); }
  // What the last step, and the worst one, would have gained without a global correction: no account, but feedback hides it.
  [[nodiscard]] double uncorrected() const { return uncorrected_; }
  [[nodiscard]] double worst_uncorrected() const { return worst_uncorrected_; }
  // Since the start of the run.
  [[nodiscard]] double residual() const { return residual_; }
  [[nodiscard]] double worst_residual() const { return worst_residual_; }
  [[nodiscard]] double scale() const { return scale_; }  // max over the run of K + |U| + |V|
  // What nobody brought: energy that the scheme itself has fed in, and what no account explains.
  [[nodiscard]] double created() const { return residual_ - numerical_.value(); }
  // Max over the run of K + |U| + |V - V at the start| and of what loads, supports and dampers have exchanged until then: what
  // `created` is judged by. Where the origin lies has no part in it.
  [[nodiscard]] double turnover() const { return turnover_; }

  void memory(const Memory& memory) {
    memory.numbers("energy balance", kinetic_, initial_, scale_, turnover_, residual_, worst_residual_, uncorrected_,
                   worst_uncorrected_);
    for (auto [name, p] : {std::pair{"potentials", &potentials_}, {"initial potentials", &initial_potentials_}})
      memory.numbers(name, p->elastic, p->gravity, p->loads);
    load_work_.memory(memory, "work of loads");
    support_work_.memory(memory, "work of supports");
    heat_.memory(memory, "heat");
    numerical_.memory(memory, "numerical dissipation");
    events_.memory(memory, "energy of events");
  }

 private:
  // Once a step: what is asked for several times.
  void take_stock() {
    const double loads = load_work_.value(), supports = support_work_.value(), heat = heat_.value();
    residual_ = (total() - initial_) - loads - supports + heat + numerical_.value() - events_.value();
    const double now = kinetic_ + std::abs(potentials_.elastic) + std::abs(potentials_.gravity - initial_potentials_.gravity) +
                       std::abs(potentials_.loads - initial_potentials_.loads) + std::abs(loads) + std::abs(supports) +
                       std::abs(heat);
    turnover_ = std::max(turnover_, now);
  }
  double kinetic_ = 0, initial_ = 0, scale_ = 0, turnover_ = 0, residual_ = 0, worst_residual_ = 0, uncorrected_ = 0,
         worst_uncorrected_ = 0;
  Potentials potentials_, initial_potentials_;
  LongSum load_work_, support_work_, heat_, numerical_, events_;
};

}  // namespace trompo
