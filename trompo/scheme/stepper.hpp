// A stepper moves a state over one interval of time. State holds physics; what a scheme remembers (old accelerations, old
// multipliers) is its history. A failed step leaves both untouched. All else that a stepper holds is workspace.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trompo/math/newton.hpp"
#include "trompo/scheme/history.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

// What a step did, for the energy balance: its forces acted along q1 - q0.
struct StepEnergy {
  double load_work = 0;     // F* . dq over all coordinates
  double support_work = 0;  // change of the held mass' kinetic energy + (internal - applied force) . dq of the held coordinates
  double heat = 0;          // of the dampers
  double numerical = 0;     // energy the scheme itself takes away, by its own formula
  double uncorrected = 0;   // what the step would have gained without its correction (Krenk's secant); for the record
  Potentials potentials;    // at the end of the step
  double kinetic = 0;       // likewise, of everything
  // Every coordinate and every velocity stands in an energy, so that this judges the whole state.
  [[nodiscard]] bool finite() const {
    return std::isfinite(load_work + support_work + heat + numerical + potentials.sum() + kinetic);
  }
};

struct StepReport {
  NewtonReport newton;
  StepEnergy energy;
  std::string culprit{};  // of a failed step, where one part is to blame: its name
  [[nodiscard]] bool done() const { return newton.converged(); }
};

// A step that leads to what is no number.
[[nodiscard]] inline StepReport refused(StepReport report) {
  report.newton.end = NewtonEnd::not_finite;
  return report;
}

// An equation that did not close in the last step tried.
struct Imbalance {
  std::string name;
  double residual, allowed;
  int unknown = 0;
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  // Starts from a state: forces in memory are evaluated anew. `acceleration` is the start of the recursion; without multipliers
  // the search for them starts at zero.
  virtual void start(const State& state, const VecX& acceleration, const VecX& multipliers = {}) = 0;
  // Goes on from a state with its history, in this stepper or in another one of the same scheme and system.
  void resume(const State& state, const History& history) {
    memory(Memory(history));
    take(state);
  }
  [[nodiscard]] History history() {
    History kept;
    memory(Memory(kept));
    return kept;
  }
  // Drops what only affects rounding: pivots chosen for earlier matrices. Whoever does so at the same step goes on to the same
  // bytes, whatever came before.
  virtual void forget_pivots() {}
  // From state.time to t1. On success the state is the new one; otherwise it is what it was.
  [[nodiscard]] virtual StepReport step(State& state, double t1) = 0;
  // Of the scheme's own recursion, at the end of the last step.
  [[nodiscard]] virtual const VecX& acceleration() const = 0;
  [[nodiscard]] virtual const VecX& multipliers() const = 0;  // of the last step
  // Where between the ends of the last step, 0 to 1, the mean-value gradient of each constraint was found: 1/2 before the first
  // step, -1 where the secant stood in. Empty for steppers that know no such place.
  [[nodiscard]] virtual const VecX& gradient_points() const {
    static const VecX none;
    return none;
  }
  // After a failed step: the equations farthest from their tolerance, worst first.
  [[nodiscard]] virtual std::vector<Imbalance> imbalances(std::size_t most) const = 0;

 protected:
  virtual void memory(const Memory& memory) = 0;  // passes over all that is remembered
  virtual void take(const State& state) = 0;      // finds anew what follows from a state and the memory
};

}  // namespace trompo
