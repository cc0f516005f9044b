// The loop: integer time, halved steps where Newton gives up, the ledger, the observers.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "trompo/run/observer.hpp"
#include "trompo/run/sensor.hpp"

namespace trompo {

struct Extremes {
  double initial = 0, final = 0, min = 0, max = 0;
  void open(double x) { initial = final = min = max = x; }
  void add(double x) {
    final = x;
    min = std::min(min, x);
    max = std::max(max, x);
  }
};

enum class Status { done, not_converged, interrupted, unstable };
[[nodiscard]] std::string_view word(Status);
[[nodiscard]] inline bool failed(Status status) { return status == Status::not_converged || status == Status::unstable; }

// Why a run stopped, or from where on it is no answer: everything a user needs to see what was wrong.
struct Failure {
  long step = 0;  // the step under way, counted from 1
  double time = 0, step_size = 0;
  NewtonReport newton;
  struct Equation {
    std::string name;  // of its coordinate
    double residual, allowed;
  };
  std::vector<Equation> worst;         // farthest from their tolerance first
  std::string culprit{};               // the part that is to blame, where it is one
  std::string account{};               // the whole story, where it is not that of a step which Newton could not solve
  std::vector<Diagnostic> warnings{};  // about the state in which it stopped
  [[nodiscard]] std::string dossier() const;
};

struct RunResult {
  Status status = Status::done;
  bool reached_end = false;  // an unstable run may have, if it was to keep going
  Failure failure;           // if not converged or unstable
  long steps = 0;
  double wall_seconds = 0;
  State state;
  VecX acceleration;
  Extremes total, kinetic, potential;
  Ledger ledger;
  Momentum momentum_initial, momentum;
  double linear_drift = 0, angular_drift = 0;                // max deviation from the start
  double linear_scale = 0, angular_scale = 0;                // max over the run
  double constraint_error_max = 0, constraint_rate_max = 0;  // of the constraints, relative to the sums of their absolute terms
  long iterations = 0, solves = 0;                           // Newton's; successful steps and halves
  int iterations_max = 0;
  long retries = 0;
  std::vector<std::string> sensor_names;
  std::vector<Extremes> sensors;
  std::vector<Diagnostic> warnings;  // about the motion: rods that were bent too far
  // Joints that repeat at the start what others say: their reactions are the least that fit, weighed by the masses.
  std::vector<std::string> not_unique;

  void memory(const Memory& memory);  // of what steps add to
};

// All that the rest of a run depends on, as it was at a barrier: there a run drops what only affects rounding (pivots, kept
// factors), at step numbers that the model fixes. So who goes on from it comes to the same bytes.
struct Checkpoint {
  long steps = 0, samples = 0;  // full steps done; samples shown to observers. No steps: the start itself
  double time = 0, wall_seconds = 0;
  History run{}, scheme{}, start{};  // `start`: the state in which the run began, where it is not that of the model
};

// One pass over a state, whose sizes stand.
void pass(const Memory& memory, State& state);

struct RunOptions {
  const std::atomic<bool>* stop = nullptr;  // set from outside: end cleanly after the step under way
  int max_halvings = 10;
  bool keep_going = false;           // run on when the run has become unstable, which its status says all the same
  const State* start = nullptr;      // in place of the model's (as_start)
  const Checkpoint* from = nullptr;  // goes on there. Throws std::invalid_argument where it is that of another model
  Checkpoint* last = nullptr;        // takes the last barrier
};

// The scheme the model asks for. Throws ModelError with the line of the key that is wrong.
[[nodiscard]] Scheme scheme_of(const Model& model);
// Throws ModelError if the scheme cannot integrate the system; warnings about a step that turns bodies too far for it.
[[nodiscard]] std::vector<Diagnostic> check_scheme(const Model& model, const System& system, const Scheme& scheme);
// A warning about joints that repeat what others say, if there are any. Throws ModelError where there is no start.
[[nodiscard]] std::vector<Diagnostic> warn_of_repetitions(const Model& model, const System& system);
[[nodiscard]] std::vector<std::string> joints_not_unique(const System& system, const State& state);
[[nodiscard]] Scheme with_tangent_of(const Model& model, Scheme scheme);  // newton.tangent, which any scheme is solved with
[[nodiscard]] NewtonOptions newton_options(const Model& model);
// As given, projected onto the constraints or moved to an equilibrium if the model asks for it. Throws ModelError where that
// fails.
[[nodiscard]] State initial_state(const Model& model, const System& system);
[[nodiscard]] State given_state(const Model& model, const System& system);  // without the search for an equilibrium
// Any state as the start of a run: what is held or prescribed stands where it has to. ModelError where joints are open.
[[nodiscard]] State as_start(const Model& model, const System& system, State state);
struct InitialBalance {
  VecX acceleration, multipliers;
};
// What the equations say at the start, with the accelerations that the model gives, if it gives them. Throws ModelError where
// they do not say it.
[[nodiscard]] InitialBalance initial_balance(const Model& model, const System& system, const State& state);
[[nodiscard]] VecX initial_acceleration(const Model& model, const System& system, const State& state);

[[nodiscard]] RunResult run(const Model& model, const System& system, const Scheme& scheme,
                            std::span<Observer* const> observers = {}, const RunOptions& options = {});
[[nodiscard]] RunResult run(const Model& model);  // builds system and scheme itself

}  // namespace trompo
