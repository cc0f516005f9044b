#include "trompo/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "trompo/math/so3.hpp"
#include "trompo/model/event.hpp"
#include "trompo/model/rod_bending.hpp"
#include "trompo/run/finite.hpp"
#include "trompo/run/segment.hpp"
#include "trompo/run/verdict.hpp"
#include "trompo/scheme/consistent_start.hpp"

namespace trompo {

std::string_view word(Status status) {
  static constexpr std::string_view words[] = {"done", "not converged", "interrupted", "unstable"};
  return words[static_cast<int>(status)];
}

namespace {
std::string written(double x) { return std::isfinite(x) ? fmt::format("{:.2e}", x) : "not finite"; }
}  // namespace

std::string Failure::dossier() const {
  if (!account.empty()) return account;
  static constexpr std::string_view reasons[] = {
      "",
      "Newton used up its iterations",
      "a force, a coordinate or an energy became infinite",
      "the tangent is singular",
      "a body turns by more in a step than the scheme or max_rotation_per_step allows",
      "the scheme is not stable here: its accelerations have left the constraints, or it fed in energy of its own",
      "the body has turned too far from where the step was to lead",
      "they have come apart: no motion closes both",
      "not defined along the whole of the step: the formula has a pole there, or leaves its domain; a bar has no length; a "
      "joint whose turn has a spring turns by more than half a turn",
      "the step has a solution, but none that keeps the energy and momenta that the scheme forces",
      "what forces the energy is more than half of the force itself: the step no longer solves the equations of motion",
      "the scheme's own steps within a step have become too small to go on: the place is singular, or far too stiff for it"};
  std::string text = fmt::format("stopped in step {} at t = {:.9g} s, last tried with a step of {:.3g} s: {}{}\n", step, time,
                                 step_size, culprit.empty() ? "" : culprit + ": ", reasons[static_cast<int>(newton.end)]);
  if (!worst.empty()) text += "  equations farthest from balance: residual (allowed)\n";
  for (const Equation& e : worst) text += fmt::format("    {:<24} {} ({})\n", e.name, written(e.residual), written(e.allowed));
  if (newton.recorded > 0) text += "  iteration   residual/tolerance   increment\n";
  for (int i = 0; i < newton.recorded; ++i) {
    text += fmt::format("  {:9}   {:>18}", i, written(newton.residual[i]));
    if (i < newton.iterations && i < NewtonReport::kept) text += fmt::format("   {:>10}", written(newton.increment[i]));
    text += '\n';
  }
  for (const Diagnostic& d : warnings) text += "  " + d.message + ": " + d.remedy + "\n";
  text +=
      "  try: a smaller time.step; a scheme that keeps or dissipates energy (energy-momentum-exact, energy-momentum+xi);\n"
      "       a start nearer to equilibrium (initial_acceleration = \"consistent\"); a larger newton.max_iterations";
  return text;
}

namespace {

// The energy balance and samples of a run, kept step by step.
class RunRecord {
 public:
  RunRecord(const Model& model, const System& system, Sensors& sensors, std::span<Observer* const> observers, RunResult& result)
      : model_(model), system_(&system), sensors_(&sensors), observers_(observers), result_(result) {
    reaction_.setZero(system.coordinates());
    load_.setZero(system.coordinates());
    for (VecX* x : {&error_, &error_rate_, &constraint_size_, &rate_size_, &rate_scale_}) x->setZero(system.multipliers());
    values_.resize(sensors.names().size());
    look_at_end();
  }

  // The energies of the model as it is given; an event at t = 0 comes after.
  void open_ledger() {
    const Potentials p = system_->potentials(result_.state.q);
    const double kinetic = system_->kinetic(result_.state.q, result_.state.v);
    result_.ledger.open(kinetic, p);
    result_.total.open(result_.ledger.total());
    result_.kinetic.open(kinetic);
    result_.potential.open(p.sum());
  }
  void open(const Stepper& stepper) {
    result_.total.add(result_.ledger.total());
    result_.potential.add(result_.ledger.potentials().sum());
    if (const std::string what = read(stepper, !observers_.empty()); !what.empty())
      throw ModelError({{Diagnostic::Severity::error, model_.file, model_.source.line, what + " is not finite at t = 0",
                         "check sizes, velocities and formulas; units are SI"}});
    result_.momentum_initial = result_.momentum;
    result_.linear_scale = result_.momentum.linear_scale;
    result_.angular_scale = result_.momentum.angular_scale;
    note_constraint_errors();
    for (std::size_t i = 0; i < values_.size(); ++i) result_.sensors[i].open(values_[i]);
  }
  void show_start(const Stepper& stepper) {
    if (!observers_.empty()) show(stepper, 0, 0);
  }

  // After an event: forces, sensors and potentials are those of the new system.
  void change(const System& system, Sensors& sensors) {
    system_ = &system;
    sensors_ = &sensors;
    look_at_end();
    result_.ledger.change(system.potentials(result_.state.q));
  }

  // After every converged step or part of one: the ledger misses nothing.
  void add(const StepReport& report) {
    result_.ledger.add(report.energy.kinetic, report.energy);
    result_.iterations += report.newton.iterations;
    ++result_.solves;
    result_.iterations_max = std::max(result_.iterations_max, report.newton.iterations);
  }

  // After every full step. What is not finite then, by name, goes into no result; "" if all is well.
  [[nodiscard]] std::string close_step(const Stepper& stepper, long step, bool last, int iterations) {
    const bool shown = !observers_.empty() && (step % model_.output.every == 0 || last);
    if (std::string what = read(stepper, shown); !what.empty()) return what;
    const Ledger& ledger = result_.ledger;
    result_.total.add(ledger.total());
    result_.kinetic.add(ledger.kinetic());
    result_.potential.add(ledger.potentials().sum());
    result_.linear_drift = std::max(result_.linear_drift, (result_.momentum.linear - result_.momentum_initial.linear).norm());
    result_.angular_drift =
        std::max(result_.angular_drift, (result_.momentum.angular - result_.momentum_initial.angular).norm());
    result_.linear_scale = std::max(result_.linear_scale, result_.momentum.linear_scale);
    result_.angular_scale = std::max(result_.angular_scale, result_.momentum.angular_scale);
    note_constraint_errors();
    for (std::size_t i = 0; i < values_.size(); ++i) result_.sensors[i].add(values_[i]);
    for (Observer* observer : observers_) observer->step(step);
    if (shown) show(stepper, step, iterations);
    return {};
  }

  // A run that ends early shows the state it ended in.
  void close(const Stepper& stepper, long step, int iterations) {
    if (iterations > 0)
      (void)close_step(stepper, step, true, iterations);  // stopped between two halves
    else if (!observers_.empty() && shown_ != step && read(stepper, true).empty())
      show(stepper, step, 0);
  }

 private:
  // Everything about the state as it is; what of it is not finite, by name.
  [[nodiscard]] std::string read(const Stepper& stepper, bool reactions) {
    const Momentum before = std::exchange(result_.momentum, system_->momentum(result_.state, model_.momentum_point));
    read_constraint_errors();
    if (reactions || sensors_->want_reactions() || sensors_->want_accelerations()) read_reactions(stepper);
    if (!values_.empty())
      sensors_->read({result_.state, reaction_, stepper.multipliers(), end_multiplier_, end_acceleration_}, values_);
    std::string what = not_finite(sample(stepper, 0, 0), sensors_->names());
    if (!what.empty()) result_.momentum = before;
    return what;
  }
  void look_at_end() {
    end_.reset();
    end_multiplier_.setZero(system_->multipliers());
    end_acceleration_.setZero(system_->coordinates());
    if (system_->multipliers() > 0 || sensors_->want_accelerations()) end_.emplace(*system_);
  }
  // Multipliers of a step belong to its middle, to its end, or alternate about what they should be: a matter of the scheme.
  // Those of reactions are those of the motion at its end, with its velocities brought into the tangent of the constraints.
  void read_reactions(const Stepper& stepper) {
    end_multiplier_ = stepper.multipliers();
    end_acceleration_ = stepper.acceleration();
    if (end_) {
      tangential_ = result_.state;
      if (end_->solve_tangential(tangential_)) {
        end_multiplier_ = end_->multipliers();
        end_acceleration_ = end_->acceleration();
      }
    }
    system_->internal_force_at(result_.state.q, result_.state.v, end_multiplier_, reaction_);
    system_->load_at(result_.state.time, result_.state.q, result_.state.v, load_);
    for (int c = 0; c < system_->coordinates(); ++c)
      reaction_[c] =
          system_->equation()[c] >= 0 ? 0.0 : system_->mass()[c] * stepper.acceleration()[c] + reaction_[c] - load_[c];
  }
  void read_constraint_errors() {
    if (system_->multipliers() == 0) return;
    system_->constraint_errors(result_.state.q, error_, constraint_size_);
    system_->constraint_error_rates(result_.state.q, result_.state.v, error_rate_, rate_size_);
    const auto largest = [](const VecX& x, const VecX& size) {
      double most = 0;
      for (Eigen::Index k = 0; k < x.size(); ++k)
        if (x[k] != 0) most = std::max(most, std::abs(x[k]) / size[k]);
      return most;
    };
    error_largest_ = largest(error_, constraint_size_);
    // At rest a rate is noise, and so is its size: what it was before and what other rows have stand in.
    rate_scale_ = rate_scale_.cwiseMax(rate_size_);
    rate_scale_ = rate_scale_.cwiseMax(1e-3 * rate_scale_.maxCoeff());
    error_rate_largest_ = largest(error_rate_, rate_scale_);
  }
  void note_constraint_errors() {
    result_.constraint_error_max = std::max(result_.constraint_error_max, error_largest_);
    result_.constraint_rate_max = std::max(result_.constraint_rate_max, error_rate_largest_);
  }
  [[nodiscard]] Sample sample(const Stepper& stepper, long step, int iterations) const {
    return {step,
            result_.state.time,
            *system_,
            result_.state,
            stepper.acceleration(),
            reaction_,
            stepper.multipliers(),
            end_multiplier_,
            error_,
            error_rate_,
            stepper.gradient_points(),
            result_.ledger,
            result_.momentum,
            values_,
            iterations,
            error_largest_,
            error_rate_largest_};
  }
  void show(const Stepper& stepper, long step, int iterations) {  // what was read last
    shown_ = step;
    const Sample now = sample(stepper, step, iterations);
    for (Observer* observer : observers_) observer->sample(now);
  }

  const Model& model_;
  const System* system_;
  Sensors* sensors_;
  std::span<Observer* const> observers_;
  RunResult& result_;
  std::optional<ConsistentStart> end_;
  State tangential_;
  VecX reaction_, load_, end_multiplier_, end_acceleration_, error_, error_rate_, constraint_size_, rate_size_, rate_scale_;
  double error_largest_ = 0, error_rate_largest_ = 0;
  std::vector<double> values_;
  long shown_ = -1;
};

// A segment of the run with all that is made anew after an event.
class Stage {
 public:
  Stage(const Model& model, const System& first, const Scheme& scheme)
      : segments(model, first), system(&first), sensors(std::make_unique<Sensors>(model, first)), scheme_(scheme) {}
  // Forces, accelerations and multipliers are found anew.
  void start(const State& state) { stepper = started(state); }
  // Applies what happens at the end of this stage. Throws ModelError where the model cannot go on as the event has it; system,
  // sensors and stepper are then as they were.
  void next(const State& state) {
    segments.next();
    auto sensors_of_it = std::make_unique<Sensors>(segments.model(), segments.system());
    stepper = started(state);
    sensors = std::move(sensors_of_it);
    system = &segments.system();
  }

  Segments segments;
  const System* system;
  std::unique_ptr<Sensors> sensors;
  std::unique_ptr<Stepper> stepper;

 private:
  [[nodiscard]] std::unique_ptr<Stepper> started(const State& state) const {
    auto made = make_stepper(with_tangent_of(segments.model(), scheme_), segments.system(), newton_options(segments.model()));
    const InitialBalance balance = initial_balance(segments.model(), segments.system(), state);
    made->start(state, balance.acceleration, balance.multipliers);
    return made;
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

}  // namespace

RunResult run(const Model& model, const System& system, const Scheme& scheme, std::span<Observer* const> observers,
              const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  RunResult result;
  result.state = initial_state(model, system);
  Stage stage(model, system, scheme);
  result.sensor_names = stage.sensors->names();
  result.sensors.resize(result.sensor_names.size());

  (void)check_scheme(model, system, scheme);  // throws where it cannot be
  result.not_unique = joints_not_unique(system, result.state);
  const Verdict verdict(scheme, newton_options(model), result.state);
  RunRecord record(model, system, *stage.sensors, observers, result);
  record.open_ledger();
  if (stage.segments.due(0)) {
    stage.next(result.state);
    record.change(*stage.system, *stage.sensors);
  } else {
    stage.start(result.state);
  }
  Clock clock = stage.segments.clock(0);
  record.open(*stage.stepper);  // throws where the start is no state, before anything is recorded
  for (Observer* observer : observers)
    observer->begin({model, system, scheme, result.sensor_names, stage.segments.planned_steps(), {}, result.not_unique});
  record.show_start(*stage.stepper);

  RodBending bending(model);
  int iterations = 0;
  long before = 0;  // steps of earlier stages
  while (true) {
    if (clock.over()) {
      before += clock.step();
      result.reached_end = stage.segments.last();
      if (result.reached_end) break;
      try {
        stage.next(result.state);
      } catch (const ModelError& error) {
        stop(result, failed_event(error, model, before, result.state.time));
        break;
      }
      record.change(*stage.system, *stage.sensors);
      clock = stage.segments.clock(result.state.time);
    }
    if (options.stop != nullptr && options.stop->load(std::memory_order_relaxed)) {
      result.status = Status::interrupted;
      break;
    }
    const StepReport report = stage.stepper->step(result.state, clock.next());
    if (!report.done()) {
      if (clock.level() >= options.max_halvings) {
        Failure failure{before + clock.step() + 1, result.state.time, clock.part_size(), report.newton, {}, report.culprit};
        for (const Imbalance& i : stage.stepper->imbalances(5)) failure.worst.push_back({i.name, i.residual, i.allowed});
        failure.warnings = bending.warnings();
        stop(result, std::move(failure));
        break;
      }
      clock.halve();
      ++result.retries;
      continue;
    }
    record.add(report);
    iterations += report.newton.iterations;
    const bool whole = clock.advance();
    const bool begins =
        result.status != Status::unstable && verdict.unstable(result.ledger, result.solves, *stage.system, result.state);
    if (begins) {
      result.status = Status::unstable;
      result.failure = instability(result, before + clock.step() + (whole ? 0 : 1), model.time.step,
                                   verdict.reason(result.ledger, *stage.system, result.state));
    }
    if (whole) {
      result.steps = before + clock.step();
      bending.see(result.state.rotations);
      const std::string what =
          record.close_step(*stage.stepper, result.steps, clock.over() && stage.segments.last(), iterations);
      iterations = 0;
      if (!what.empty()) {
        stop(result, not_finite_after(result, report.newton, model.time.step, what));
        break;
      }
    }
    if (begins && !options.keep_going) break;
  }

  record.close(*stage.stepper, result.steps, iterations);
  result.warnings = bending.warnings();
  result.acceleration = stage.stepper->acceleration();
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (Observer* observer : observers) observer->end(result);
  return result;
}

RunResult run(const Model& model) {
  const System system(model);
  return run(model, system, scheme_of(model));
}

}  // namespace trompo
