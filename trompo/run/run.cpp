#include "trompo/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

#include "trompo/math/so3.hpp"
#include "trompo/model/checkpoint_rule.hpp"
#include "trompo/model/event.hpp"
#include "trompo/model/rod_bending.hpp"
#include "trompo/run/run_record.hpp"
#include "trompo/run/segment.hpp"
#include "trompo/run/verdict.hpp"

namespace trompo {

std::string_view word(Status status) {
  static constexpr std::string_view words[] = {"done", "not converged", "interrupted", "unstable"};
  return words[static_cast<int>(status)];
}

namespace {

// A segment of the run with all that is made anew after an event.
class Stage {
 public:
  Stage(const Model& model, const System& first, const Scheme& scheme)
      : segments(model, first), system(&first), sensors(std::make_unique<Sensors>(model, first)), scheme_(scheme) {}
  // Forces, accelerations and multipliers are found anew.
  void start(const State& state) { stepper = started(state); }
  // Applies what happens at the end of this stage, and gives the kinetic energy that this adds. Throws ModelError where the
  // model cannot go on as the event has it; system, sensors and stepper are then as they were.
  [[nodiscard]] double next(State& state) {
    const double before = system->kinetic(state.q, state.v);
    State changed = state;
    segments.next(changed);
    auto sensors_of_it = std::make_unique<Sensors>(segments.model(), segments.system());
    stepper = started(changed);
    sensors = std::move(sensors_of_it);
    system = &segments.system();
    state = std::move(changed);
    return system->kinetic(state.q, state.v) - before;
  }
  // As so many events have left it, which a run had passed before.
  void pass(std::size_t events) {
    segments.pass(events);
    sensors = std::make_unique<Sensors>(segments.model(), segments.system());
    system = &segments.system();
  }
  void resume(const State& state, const History& history) {
    stepper = made();
    stepper->resume(state, history);
  }

  Segments segments;
  const System* system;
  std::unique_ptr<Sensors> sensors;
  std::unique_ptr<Stepper> stepper;

 private:
  [[nodiscard]] std::unique_ptr<Stepper> made() const {
    return make_stepper(with_tangent_of(segments.model(), scheme_), segments.system(), newton_options(segments.model()));
  }
  [[nodiscard]] std::unique_ptr<Stepper> started(const State& state) const {
    auto stepper_of_it = made();
    const InitialBalance balance = initial_balance(segments.model(), segments.system(), state);
    stepper_of_it->start(state, balance.acceleration, balance.multipliers);
    return stepper_of_it;
  }

  const Scheme& scheme_;
};

// After an event the run starts again, and may find that it cannot: the reasons are those of a model, at a time that nobody
// could look at before.
Failure failed_event(const ModelError& error, const Model& model, long step, double time) {
  std::string names;
  for (const EventInput& e : model.events)
    if (std::abs(e.at - time) <= time_rounding(model))
      names += fmt::format("{}{} {}", names.empty() ? "" : ", ", e.what, in_quotes(e.name));
  std::string account =
      fmt::format("stopped after step {} at t = {:.9g} s: cannot start again after the event ({})\n", step, time, names);
  for (const Diagnostic& d : error.diagnostics) account += fmt::format("  {}: {}\n", d.message, d.remedy);
  account += "  try: the event at another time, or one that changes less";
  Failure failure;
  failure.step = step + 1;
  failure.time = time;
  failure.account = std::move(account);
  return failure;
}

// A step that has a solution, after which something else is no number: a sensor, a reaction, the momentum.
Failure not_finite_after(const RunResult& result, NewtonReport newton, double step_size, const std::string& what) {
  newton.end = NewtonEnd::not_finite;
  Failure failure{result.steps, result.state.time, step_size, newton, {}};
  failure.account = fmt::format(
      "stopped after step {} at t = {:.9g} s: {} is not finite there\n"
      "  try: a formula that is defined along the whole motion; a smaller time.step",
      result.steps, result.state.time, what);
  return failure;
}

// A run that has been unstable for a while stays so: what ends it then is a consequence.
void stop(RunResult& result, Failure failure) {
  if (result.status == Status::unstable) {
    result.failure.account += "\n" + failure.dossier();
    return;
  }
  result.status = Status::not_converged;
  result.failure = std::move(failure);
}

// Energy from nowhere: from here on the run is no answer.
Failure instability(const RunResult& result, long step, double step_size, const std::string& reason) {
  Failure failure{step, result.state.time, step_size, {}, {}};
  failure.account = fmt::format(
      "unstable since step {} at t = {:.9g} s: {}\n"
      "  try: a smaller time.step; a scheme that keeps or dissipates energy (energy-momentum-exact, energy-momentum+xi)",
      step, result.state.time, reason);
  return failure;
}

// A run under way. What its steps change is passed over by `memory`: with it another one goes on.
class Run {
 public:
  Run(const Model& model, const System& system, const Scheme& scheme, std::span<Observer* const> observers,
      const RunOptions& options)
      : model_(model),
        system_(system),
        scheme_(scheme),
        observers_(observers),
        options_(options),
        result_(start_of(model, system, options)),
        stage_(model, system, scheme),
        verdict_(scheme, newton_options(model), result_.state),
        record_(model, system, *stage_.sensors, observers, result_),
        bending_(model) {
    result_.sensor_names = stage_.sensors->names();
    result_.sensors.resize(result_.sensor_names.size());
    (void)check_scheme(model, system, scheme);  // throws where it cannot be
    result_.not_unique = joints_not_unique(system, result_.state);
  }

  RunResult go() {
    start();
    if (options_.from != nullptr && options_.from->steps > 0) {
      go_on(*options_.from);
    } else {
      record_.show_start(*stage_.stepper);
      if (options_.last != nullptr) *options_.last = {.start = kept_start()};
    }
    while (one_more()) {
    }
    record_.close(*stage_.stepper, result_.steps, iterations_);
    result_.warnings = bending_.warnings();
    result_.acceleration = stage_.stepper->acceleration();
    result_.wall_seconds = wall_seconds();
    for (Observer* observer : observers_) observer->end(result_);
    return std::move(result_);
  }

 private:
  static RunResult start_of(const Model& model, const System& system, const RunOptions& options) {
    RunResult result;
    if (options.from != nullptr && !options.from->start.arrays.empty()) {
      result.state = {0, VecX::Zero(system.coordinates()), VecX::Zero(system.coordinates())};
      result.state.rotations.resize(system.bodies().size());
      pass(Memory(options.from->start), result.state);
    } else {
      result.state = options.start != nullptr ? *options.start : initial_state(model, system);
    }
    return result;
  }
  void start() {
    record_.open_ledger();
    if (stage_.segments.due(0)) {
      const double jump = stage_.next(result_.state);
      record_.change(*stage_.system, *stage_.sensors, jump);
    } else {
      stage_.start(result_.state);
    }
    clock_ = stage_.segments.clock(0);
    record_.open(*stage_.stepper);  // throws where the start is no state, before anything is recorded
    for (Observer* observer : observers_)
      observer->begin(
          {model_, system_, scheme_, result_.sensor_names, stage_.segments.planned_steps(), {}, result_.not_unique});
  }
  // False at the end.
  bool one_more() {
    if (clock_.over()) {
      before_ += clock_.step();
      result_.reached_end = stage_.segments.last();
      if (result_.reached_end || !next_segment()) return false;
    }
    if (clock_.between_steps() && result_.steps > barrier_ && result_.steps % barrier_steps_ == 0) pass_barrier();
    if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
      result_.status = Status::interrupted;
      return false;
    }
    const StepReport report = stage_.stepper->step(result_.state, clock_.next());
    return report.done() ? accept(report) : try_half(report);
  }
  bool next_segment() {
    double jump = 0;
    try {
      jump = stage_.next(result_.state);
    } catch (const ModelError& error) {
      stop(result_, failed_event(error, model_, before_, result_.state.time));
      return false;
    }
    record_.change(*stage_.system, *stage_.sensors, jump);
    begin_ = result_.state.time;
    clock_ = stage_.segments.clock(begin_);
    return true;
  }
  bool try_half(const StepReport& report) {
    if (clock_.level() >= options_.max_halvings) {
      Failure failure{before_ + clock_.step() + 1, result_.state.time, clock_.part_size(), report.newton, {}, report.culprit};
      for (const Imbalance& i : stage_.stepper->imbalances(5)) failure.worst.push_back({i.name, i.residual, i.allowed});
      failure.warnings = bending_.warnings();
      stop(result_, std::move(failure));
      return false;
    }
    clock_.halve();
    ++result_.retries;
    return true;
  }
  bool accept(const StepReport& report) {
    record_.add(report);
    iterations_ += report.newton.iterations;
    const bool whole = clock_.advance();
    const bool begins =
        result_.status != Status::unstable && verdict_.unstable(result_.ledger, result_.solves, *stage_.system, result_.state);
    if (begins) {
      result_.status = Status::unstable;
      result_.failure = instability(result_, before_ + clock_.step() + (whole ? 0 : 1), model_.time.step,
                                    verdict_.reason(result_.ledger, *stage_.system, result_.state));
    }
    if (whole) {
      result_.steps = before_ + clock_.step();
      bending_.see(result_.state.rotations);
      const bool last = clock_.over() && stage_.segments.last();
      const std::string what = record_.close_step(*stage_.stepper, result_.steps, last, std::exchange(iterations_, 0));
      if (!what.empty()) {
        stop(result_, not_finite_after(result_, report.newton, model_.time.step, what));
        return false;
      }
    }
    return !begins || options_.keep_going;
  }

  void pass_barrier() {
    barrier_ = result_.steps;
    stage_.stepper->forget_pivots();
    record_.forget_pivots();
    if (options_.last == nullptr) return;
    Checkpoint& last = *options_.last;
    last.steps = result_.steps;
    last.samples = record_.samples();
    last.time = result_.state.time;
    last.wall_seconds = wall_seconds();
    memory(Memory(last.run));
    last.scheme = stage_.stepper->history();
  }
  [[nodiscard]] History kept_start() const {
    History kept;
    if (options_.from != nullptr) return options_.from->start;
    if (State state = result_.state; options_.start != nullptr) pass(Memory(kept), state);
    return kept;
  }
  void go_on(const Checkpoint& from) {
    place(Memory(from.run));
    if (events_ > model_.events.size() || from.steps < before_)
      throw std::invalid_argument("it counts events or steps that the model does not have");
    stage_.pass(events_);
    record_.look_at(*stage_.system, *stage_.sensors);  // an event may have released rows: what follows has as many as are left
    memory(Memory(from.run));
    stage_.resume(result_.state, from.scheme);
    clock_ = stage_.segments.clock(begin_);
    clock_.go_to(result_.steps - before_);
    barrier_ = result_.steps;
    wall_before_ = from.wall_seconds;
    if (options_.last != nullptr) *options_.last = from;
    for (Observer* observer : observers_) observer->resume(from);
  }
  void memory(const Memory& memory) {
    result_.memory(memory);
    record_.memory(memory);
    bending_.memory(memory);
    place(memory);
  }
  void place(const Memory& memory) {  // among the events
    events_ = stage_.segments.events_passed();
    memory.numbers("segment", events_, before_, begin_);
  }
  [[nodiscard]] double wall_seconds() const {
    return wall_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - launched_).count();
  }

  const std::chrono::steady_clock::time_point launched_ = std::chrono::steady_clock::now();
  const Model& model_;
  const System& system_;
  const Scheme& scheme_;
  std::span<Observer* const> observers_;
  const RunOptions& options_;
  RunResult result_;
  Stage stage_;
  Verdict verdict_;
  RunRecord record_;
  RodBending bending_;
  Clock clock_{1, 1L};
  int iterations_ = 0;             // Newton's, in the step under way
  long before_ = 0, barrier_ = 0;  // steps of earlier stages; of the last barrier
  const long barrier_steps_ = checkpoint_rule(model_).barrier_steps;
  double begin_ = 0, wall_before_ = 0;  // of the segment; of the runs that led here
  std::size_t events_ = 0;              // passed
};

}  // namespace

void pass(const Memory& memory, State& state) {
  memory.number("time", state.time);
  memory("q", state.q);
  memory("v", state.v);
  VecX turns(static_cast<Eigen::Index>(11 * state.rotations.size()));
  Eigen::Index at = 0;
  for (const Rotation& r : state.rotations) {
    turns.segment<4>(at) = r.orientation.coeffs();
    turns.segment<3>(at + 4) = r.angular_velocity;
    turns.segment<4>(at + 7) = r.parameter_rate;
    at += 11;
  }
  memory("rotations", turns);
  at = 0;
  for (Rotation& r : state.rotations) {
    r.orientation.coeffs() = turns.segment<4>(at);
    r.angular_velocity = turns.segment<3>(at + 4);
    r.parameter_rate = turns.segment<4>(at + 7);
    at += 11;
  }
}

void RunResult::memory(const Memory& memory) {
  memory.numbers("counts", steps, iterations, solves, iterations_max, retries, status);
  pass(memory, state);
  const auto extremes = [&memory](const std::string& name, Extremes& x) {
    memory.numbers(name, x.initial, x.final, x.min, x.max);
  };
  extremes("total energy", total);
  extremes("kinetic energy", kinetic);
  extremes("potential energy", potential);
  for (std::size_t i = 0; i < sensors.size(); ++i) extremes("sensor " + sensor_names[i], sensors[i]);
  ledger.memory(memory);
  for (auto [name, m] : {std::pair{"momentum at the start", &momentum_initial}, {"momentum", &momentum}})
    memory.numbers(name, m->linear[0], m->linear[1], m->linear[2], m->angular[0], m->angular[1], m->angular[2], m->linear_scale,
                   m->angular_scale);
  memory.numbers("drifts", linear_drift, angular_drift, linear_scale, angular_scale);
  memory.numbers("constraint errors", constraint_error_max, constraint_rate_max);
  memory.numbers("since when unstable", failure.step, failure.time, failure.step_size);
  memory.text("why unstable", failure.account);
}

RunResult run(const Model& model, const System& system, const Scheme& scheme, std::span<Observer* const> observers,
              const RunOptions& options) {
  return Run(model, system, scheme, observers, options).go();
}

RunResult run(const Model& model) {
  const System system(model);
  return run(model, system, scheme_of(model));
}

}  // namespace trompo
