// A stepper moves a state over one interval of time. State holds physics; what a scheme remembers (old accelerations, old
// forces) lives here. A failed step leaves both untouched.
#pragma once

#include <memory>
#include <string>

#include "trompo/math/newton.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

// What a step did, for the books: its forces acted along q1 - q0.
struct StepBooks {
  double load_work = 0;     // F* . dq over all coordinates
  double support_work = 0;  // change of the held mass' kinetic energy + (internal - applied force) . dq of the held coordinates
  double numerical = 0;     // energy the scheme itself takes away, by its own formula
};

struct StepReport {
  NewtonReport newton;
  StepBooks books;
  int worst_coordinate = -1;  // the equation that was farthest from its tolerance in the last evaluation
  [[nodiscard]] bool done() const { return newton.converged(); }
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  // Takes up a state: forces in memory are evaluated anew. `acceleration` is the start of the recursion.
  virtual void start(const State& state, const VecX& acceleration) = 0;
  // From state.time to t1. On success the state is the new one; otherwise it is what it was.
  [[nodiscard]] virtual StepReport step(State& state, double t1) = 0;
  // Of the scheme's own recursion, at the end of the last step.
  [[nodiscard]] virtual const VecX& acceleration() const = 0;
};

// M^-1 (F - dV/dq) at the state; held coordinates take that of their motion.
[[nodiscard]] VecX consistent_acceleration(const System& system, const State& state);

}  // namespace trompo
