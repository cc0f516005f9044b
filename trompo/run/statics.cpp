#include "trompo/run/statics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "trompo/run/clock.hpp"
#include "trompo/run/finite.hpp"
#include "trompo/scheme/static_search.hpp"

namespace trompo {

namespace {

class LoadPath {
 public:
  LoadPath(const Model& model, const System& system, std::span<Observer* const> observers, const RunOptions& options)
      : model_(model),
        system_(system),
        statics_(model.statics),
        observers_(observers),
        options_(options),
        sensors_(model, system),
        balance_(system),
        search_(balance_, newton_options(model)) {
    result.run.sensor_names = sensors_.names();
    result.run.sensors.resize(sensors_.names().size());
    values_.resize(sensors_.names().size());
    reaction_.setZero(system.coordinates());
    result.run.acceleration.setZero(system.coordinates());
  }

  void go(const State& from) {
    for (Observer* observer : observers_) {
      const long planned = along_path() ? statics_.max_steps : statics_.steps;
      observer->begin({model_, system_, placeholder(), result.run.sensor_names, planned, axis_of(statics_)});
    }
    balance_.take(from, {});
    if (begin() && close_step(0, 0)) along_path() ? follow_path() : raise_load();
    finish();
  }
  StaticResult result;

 private:
  [[nodiscard]] bool along_path() const { return statics_.method == "arc-length"; }
  static const Scheme& placeholder() {  // of what records; nothing of it is used
    static const Scheme scheme = make_scheme(catalogue().front().name);
    return scheme;
  }
  [[nodiscard]] double time_at(double factor) const { return factor * statics_.time; }

  // Without loads: what is prestressed finds its place.
  bool begin() {
    balance_.load(0, 0);
    (void)balance_.guess_multipliers();
    if (search_.balanced()) return true;
    const NewtonReport report = search_.at_load();
    count(report);
    if (!report.converged()) return fail(report, 0, 0);
    balance_.settle();
    return true;
  }

  // A solution far from where the path leads belongs to another path: the structure would have to snap. Towards a limit point
  // the way is twice what the tangent says.
  [[nodiscard]] bool snapped(double expected) const { return statics_.time == 0 && search_.distance() > 3 * expected + 1e-3; }

  void raise_load() {
    Clock clock(statics_.factor / static_cast<double>(statics_.steps), statics_.steps);
    int iterations = 0;
    VecX direction;
    double rate = 0;  // of the displacement with the load
    bool known = search_.find_direction(direction, rate);
    while (!clock.over()) {
      if (interrupted()) return;
      const State before = balance_.state();
      const VecX multipliers = balance_.multipliers();
      const double factor = balance_.factor();
      balance_.load(clock.next(), time_at(clock.next()));
      // Where joints alone carry, nothing resists until their forces are known.
      if (multipliers.isZero(0)) (void)balance_.guess_multipliers();
      NewtonReport report = search_.at_load();
      count(report);
      if (report.converged() && known && snapped(rate * std::abs(balance_.factor() - factor)))
        report.end = NewtonEnd::beyond_reach;
      if (!report.converged()) {
        const bool last = clock.level() >= options_.max_halvings;
        if (last) explain(report, clock.part_size());
        balance_.take(before, multipliers);
        balance_.load(factor, time_at(factor));
        if (last) {
          (void)fail(report, factor, clock.part_size());
          return;
        }
        clock.halve();
        ++result.run.retries;
        continue;
      }
      balance_.settle();
      known = search_.find_direction(direction, rate);
      iterations += report.iterations;
      if (clock.advance()) {
        if (!close_step(clock.step(), iterations)) return;
        iterations = 0;
      }
    }
  }

  void follow_path() {
    VecX direction, last;
    double length = 0, arc = statics_.arc.value_or(0), longest = 4 * arc;
    double factor_before = 0, way_before = 0;  // of the step before
    for (long step = 1; step <= statics_.max_steps; ++step) {
      if (interrupted()) return;
      const State before = balance_.state();
      const VecX multipliers = balance_.multipliers();
      const double factor = balance_.factor();
      if (!search_.find_direction(direction, length)) {
        NewtonReport singular;
        singular.end = NewtonEnd::singular;
        explain(singular, 0);
        (void)fail(singular, factor, 0);
        return;
      }
      if (arc == 0) {
        arc = length * std::abs(statics_.factor) / static_cast<double>(statics_.steps);
        longest = 4 * arc;
      }
      const double sign =
          last.size() == 0 ? std::copysign(1.0, statics_.factor) : std::copysign(1.0, search_.product(direction, last));
      direction *= sign / length;
      const double slope = sign / length;
      NewtonReport report;
      int halvings = 0;
      while (true) {
        report = search_.along_path(direction, slope, arc, 0);
        count(report);
        if (report.converged()) break;
        const bool give_up = halvings++ >= options_.max_halvings;
        if (give_up) explain(report, arc);
        balance_.take(before, multipliers);
        balance_.load(factor, 0);
        if (give_up) {
          (void)fail(report, factor, arc);
          return;
        }
        ++result.run.retries;
        arc *= 0.5;
      }
      last = search_.increment();
      const double way = search_.distance();
      const double reached = balance_.factor();
      const bool past = (reached - statics_.factor) * statics_.factor >= 0;
      if (past) {  // the end is wanted at the factor itself
        balance_.load(statics_.factor, 0);
        const NewtonReport landing = search_.at_load();
        count(landing);
        report.iterations += landing.iterations;
        if (!landing.converged()) {
          (void)fail(landing, reached, 0);
          return;
        }
      }
      balance_.settle();
      note_limit(factor_before, way_before, factor, way, balance_.factor(), step);
      factor_before = factor;
      way_before = way;
      if (!close_step(step, report.iterations) || past) return;
      constexpr double wanted = 6;  // iterations
      arc = std::min(longest, arc * std::clamp(std::sqrt(wanted / report.iterations), 0.5, 1.5));
    }
    result.remarks.push_back(
        fmt::format("the path was followed for {} steps and did not reach load factor {:g}: it ends at {:g}",
                    statics_.max_steps, statics_.factor, balance_.factor()));
  }

  // Where the factor turns back, the parabola through three equilibria says where it was largest or smallest.
  void note_limit(double p0, double s1, double p1, double s2, double p2, long step) {
    if (step < 2 || (p1 - p0) * (p2 - p1) >= 0) return;
    const double left = (p1 - p0) / s1, right = (p2 - p1) / s2;
    const double curvature = (right - left) / (s1 + s2), slope = (left * s2 + right * s1) / (s1 + s2);  // at p1
    const double at = curvature != 0 ? p1 - 0.25 * slope * slope / curvature : p1;
    result.limit_points.push_back(at);
    result.remarks.push_back(
        fmt::format("limit point at load factor {:.6g}: the load cannot {} further here", at, p1 > p0 ? "grow" : "fall"));
  }

  void count(const NewtonReport& report) {
    result.run.iterations += report.iterations;
    ++result.run.solves;
    result.run.iterations_max = std::max(result.run.iterations_max, report.iterations);
  }
  bool interrupted() {
    if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return false;
    result.run.status = Status::interrupted;
    return true;
  }

  // False where something is not finite: that goes into no result.
  [[nodiscard]] bool close_step(long step, int iterations) {
    balance_.evaluate(true);
    const int before = point_.unstable;
    point_.factor = balance_.factor();
    point_.unstable = balance_.unstable_directions();
    point_.potentials = system_.potentials(balance_.state().q);
    point_.potentials.gravity *= point_.factor;
    point_.potentials.loads *= point_.factor;
    for (int c = 0; c < system_.coordinates(); ++c)
      reaction_[c] = system_.equation()[c] >= 0 ? 0.0 : balance_.frame_residual()[c];
    sensors_.read(balance_.state(), reaction_, balance_.multipliers(), values_);
    const double axis = along_path() ? static_cast<double>(step) : point_.factor;
    const Sample now{step,
                     axis,
                     system_,
                     balance_.state(),
                     result.run.acceleration,
                     reaction_,
                     balance_.multipliers(),
                     balance_.gaps(),
                     none_,
                     result.run.ledger,
                     result.run.momentum,
                     values_,
                     iterations,
                     balance_.largest_gap(),
                     0,
                     &point_};
    if (const std::string what = not_finite(now, sensors_.names()); !what.empty()) {
      account_ = what + " is not finite there\n";
      NewtonReport report;
      report.end = NewtonEnd::not_finite;
      return fail(report, point_.factor, 0);
    }
    result.run.steps = step;
    if (step > 0 && before >= 0 && point_.unstable >= 0 && before != point_.unstable)
      result.remarks.push_back(point_.unstable > before
                                   ? fmt::format("the equilibrium loses stability between load factors {:.6g} and {:.6g}",
                                                 last_factor_, point_.factor)
                                   : fmt::format("the equilibrium gains stability between load factors {:.6g} and {:.6g}",
                                                 last_factor_, point_.factor));
    last_factor_ = point_.factor;
    if (!warned_)
      for (const Diagnostic& bent : check_bending(model_, balance_.state())) {
        warned_ = true;
        result.remarks.push_back(bent.message + ": " + bent.remedy);
      }
    result.run.gap_max = std::max(result.run.gap_max, balance_.largest_gap());
    for (std::size_t i = 0; i < values_.size(); ++i)
      step == 0 ? result.run.sensors[i].open(values_[i]) : result.run.sensors[i].add(values_[i]);
    for (Observer* observer : observers_) {
      if (step > 0) observer->step(step);
      observer->sample(now);
    }
    return true;
  }

  // While the balance still stands where the search broke off.
  void explain(const NewtonReport& report, double size) {
    static constexpr std::string_view reasons[] = {"",
                                                   "Newton used up its iterations",
                                                   "a force became infinite",
                                                   "the tangent is singular",
                                                   "the equilibrium found there is far away: it would snap",
                                                   "",
                                                   "",
                                                   "it has opened; others said the same at the start",
                                                   ""};
    account_ = fmt::format("last tried with a {} of {:.3g}: {}{}\n", along_path() ? "step along the path" : "load step", size,
                           search_.culprit().empty() ? "" : search_.culprit() + ": ", reasons[static_cast<int>(report.end)]);
    account_ += "  equations farthest from balance: residual (allowed)\n";
    for (const Imbalance& i : search_.imbalances(5)) {
      account_ += fmt::format("    {:<24} {:.2e} ({:.2e})\n", i.name, i.residual, i.allowed);
      result.run.failure.worst.push_back({i.name, i.residual, i.allowed});
    }
  }

  bool fail(const NewtonReport& report, double factor, double size) {
    if (account_.empty()) explain(report, size);
    result.run.status = Status::not_converged;
    Failure& failure = result.run.failure;
    failure.step = result.run.steps + 1;
    failure.time = along_path() ? static_cast<double>(result.run.steps) : factor;
    failure.step_size = size;
    failure.newton = report;
    // At the last equilibrium.
    balance_.evaluate(true);
    const std::string loose = balance_.free_motion();
    const auto bent = check_bending(model_, balance_.state());
    std::string text = fmt::format("no equilibrium was found beyond load factor {:.6g}, ", factor) + account_;
    if (!bent.empty()) {
      text += "  " + bent.front().message + ": " + bent.front().remedy;
    } else if (!loose.empty()) {
      text += "  what moves freely is " + loose +
              "\n  try: a support or a joint that holds it; prestress, or a shape that is not straight, where tension is to "
              "hold it";
    } else if (along_path()) {
      text += "  try: a shorter `arc` in [statics]; a larger newton.max_iterations";
    } else {
      text +=
          "  try: method = \"arc-length\" in [statics], which follows the path past a limit point; more `steps`; a larger "
          "newton.max_iterations";
    }
    failure.account = text;
    return false;
  }

  void finish() {
    result.factor = balance_.factor();
    result.multipliers = balance_.multipliers();
    result.potentials = point_.potentials;
    result.unstable = point_.unstable;
    result.run.state = balance_.state();
  }

  const Model& model_;
  const System& system_;
  StaticsInput statics_;
  std::span<Observer* const> observers_;
  RunOptions options_;
  Sensors sensors_;
  StaticBalance balance_;
  StaticSearch search_;
  StaticPoint point_;
  double last_factor_ = 0;
  std::vector<double> values_;
  VecX reaction_, none_;
  std::string account_;
  bool warned_ = false;  // of rods that bend too far
};

void refuse(const Model& model, const char* key, std::string message, std::string remedy) {
  const Source& source = model.statics.source;
  throw ModelError(
      {{Diagnostic::Severity::error, source.place_of(key, model.file), source.of(key), std::move(message), std::move(remedy)}});
}

void check_statics(const Model& model) {
  if (model.statics.method == "arc-length" && model.statics.time != 0)
    refuse(model, "time", "arc-length cannot go through `time`: along the path the load factor falls too",
           "leave `time` out, or take method = \"load\"");
  if (model.statics.method == "arc-length" && model.statics.factor == 0)
    refuse(model, "factor", "arc-length needs a load to follow, and `factor` is 0", "give the load factor at the end");
}

}  // namespace

std::string_view axis_of(const StaticsInput& statics) { return statics.method == "arc-length" ? "path step" : "load factor"; }

StaticResult solve_statics(const Model& model, const System& system, std::span<Observer* const> observers,
                           const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  check_statics(model);
  LoadPath path(model, system, observers, options);
  path.go(given_state(model, system));
  StaticResult& result = path.result;
  result.run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (Observer* observer : observers) observer->end(result.run);
  return std::move(result);
}

StaticResult solve_statics(const Model& model) { return solve_statics(model, System(model)); }

State equilibrium(const Model& model, const System& system, const State& from) {
  Model at_start = model;
  at_start.statics.method = "load";
  at_start.statics.factor = 1;
  at_start.statics.time = 0;
  LoadPath path(at_start, system, {}, {});
  path.go(from);
  if (!path.result.done())
    throw ModelError({{Diagnostic::Severity::error, model.time.source.place_of("initial_state", model.file),
                       model.time.source.of("initial_state"),
                       "the start has no equilibrium that statics could find: " + path.result.run.failure.account,
                       "draw it nearer to its equilibrium, or leave initial_state out"}});
  State state = path.result.run.state;
  state.v = from.v;
  for (std::size_t b = 0; b < state.rotations.size(); ++b) {
    state.rotations[b].angular_velocity = from.rotations[b].angular_velocity;
    state.rotations[b].parameter_rate = from.rotations[b].parameter_rate;
  }
  system.write_frames(state);
  return state;
}

}  // namespace trompo
