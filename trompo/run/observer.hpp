// What looks on while a run goes its way: recorders, progress bars. An observer may not change anything.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/model/model.hpp"
#include "trompo/run/ledger.hpp"
#include "trompo/scheme/catalogue.hpp"

namespace trompo {

// An equilibrium on the path of a load.
struct StaticPoint {
  double factor = 0;      // on gravity and all loads
  int unstable = 0;       // directions in which it does not hold; -1: not judged, since loads follow the motion
  Potentials potentials;  // those of gravity and loads with the factor
};

// The system at a point of time. References hold during the call only.
struct Sample {
  long step;  // full steps done
  double time;
  const System& system;  // an event may have changed it
  const State& state;
  const VecX& acceleration;
  const VecX& reaction;          // on every held coordinate: M a + dV/dq + R + J^T lambda - F; zero on free ones
  const VecX& multiplier;        // of every constraint, in the last step
  const VecX& end_multiplier;    // of every constraint, from the accelerations at its end: that of reactions
  const VecX& constraint_error;  // of every constraint, now
  const VecX& error_rate;        // likewise; none in statics
  const VecX& gradient_point;    // of every constraint, in the last step: Stepper::gradient_points
  const Ledger& ledger;
  const Momentum& momentum;
  const std::vector<double>& sensors;
  int iterations;                            // Newton's, over this step with its halves
  double error_largest, error_rate_largest;  // of the constraints, now, relative to the sums of their absolute terms
  const StaticPoint* equilibrium = nullptr;  // of statics, where `time` is what the axis of the plan says
  // Where each constraint that the run began with stands among those of `system`; -1: an event released its joint. Empty: all
  // where they were.
  std::span<const int> rows = {};
};

struct RunPlan {
  const Model& model;
  const System& system;
  const Scheme& scheme;
  const std::vector<std::string>& sensor_names;
  long steps;                                    // planned
  std::string_view axis = {};                    // of statics: what stands in the place of time, "load factor" or "path step"
  std::span<const std::string> not_unique = {};  // joints: RunResult has them
  [[nodiscard]] bool statics() const { return !axis.empty(); }
};

struct RunResult;
struct Checkpoint;

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void begin(const RunPlan& /*plan*/) {}
  virtual void resume(const Checkpoint& /*at*/) {}  // goes on from there: its samples before have been recorded
  virtual void step(long /*done*/) {}               // after every step
  virtual void sample(const Sample& /*now*/) {}     // at the start and at every recorded step
  virtual void end(const RunResult& /*result*/) {}
};

}  // namespace trompo
