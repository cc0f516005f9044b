// How far each scheme is from the exact motion of four tops, over the angle that one step turns them by.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "apps/reproduce_top.hpp"

namespace trompo {

namespace {

Outcome word(const std::string& text) { return {std::nan(""), text}; }
Outcome count(double x, const char* form) { return {x, fmt::format(fmt::runtime(form), x)}; }
Outcome error(double x) { return count(x, "{:.0e}"); }
Outcome percent(double share) { return {share, fmt::format("{:+.3g} %", 100 * share)}; }

// As an error while it is one, otherwise as a factor.
Outcome deviation(double share) {
  if (!std::isfinite(share)) return word("none");
  return std::abs(1 + share) < 2.5 ? percent(share) : Outcome{share, fmt::format("{:.3g}x", 1 + share)};
}

// Newton may also fail where there is a solution.
std::string why_not(const TopRun& run) {
  return run.result.failure.newton.end == NewtonEnd::beyond_reach ? "no solution" : "not converged";
}

double microseconds_a_step(const Model& model) {
  const System system(model);
  const RunResult result = run(model, system, scheme_of(model), {}, {.max_halvings = 0, .keep_going = true});
  return 1e6 * result.wall_seconds / static_cast<double>(result.steps);
}

void add_costs(const TopRun& run, const Model& model, std::vector<Outcome>& row) {
  row.push_back(count(static_cast<double>(run.result.iterations) / static_cast<double>(run.result.solves), "{:.1f}"));
  row.push_back(count(microseconds_a_step(model), "{:.2f}"));
}

using Run = std::function<Model(Model)>;  // from a model with scheme and step to the run that is measured
using Measure = std::function<void(const Model&, const TopRun&, std::vector<Outcome>&)>;

// `measure` adds the cells of a row, but for the first two and the costs.
Table table(const std::string& title, const Model& model, std::span<const double> turns,
            const std::vector<std::string>& headings, const Run& prepared, const Measure& measure) {
  Table t{title, {"scheme", "turn [rad]"}, {}};
  t.headings.insert(t.headings.end(), headings.begin(), headings.end());
  t.headings.insert(t.headings.end(), {"iterations", "us/step"});
  for (const char* scheme : top_schemes)
    for (const double turn : turns) {
      Model trial = with_turn(model, turn);
      trial.time.scheme = scheme;
      trial = prepared(trial);
      const TopRun run(trial);
      std::vector<Outcome> row{word(scheme), count(turn, "{:g}")};
      if (run.solved()) {
        measure(trial, run, row);
        add_costs(run, trial, row);
      } else {
        row.push_back(word(why_not(run)));
        row.resize(t.headings.size(), word(""));
      }
      t.rows.push_back(row);
    }
  return t;
}

void add_errors(const TopRun& run, std::initializer_list<TopRun::Error> errors, std::vector<Outcome>& row) {
  for (const TopRun::Error e : errors) row.push_back(error(run.largest(e)));
}

Table heavy(const std::string& title, const std::string& file, std::span<const double> turns) {
  const Model model = published_model("top/" + file);
  const Nutation exact = exact_nutation(HeavyTop(System(model)), start_of(model));
  const Measure measure = [](const Model&, const TopRun& run, std::vector<Outcome>& row) {
    const bool lost = nutation_size(run) > 10;  // nothing is left that could have the period
    row.push_back(lost ? word("lost") : deviation(nutation_error(run)));
    row.push_back(lost ? word("lost") : deviation(precession_error(run)));
    add_errors(run, {&TopRun::energy_error, &TopRun::vertical_error, &TopRun::spin_error}, row);
  };
  return table(fmt::format("{}: nutation {:.10g} s, precession {:.10g} rad/s", title, exact.period, exact.precession()), model,
               turns, {"nutation", "precession", "energy/Mgl", "momentum about g", "spin"}, long_enough, measure);
}

Table flip(std::span<const double> turns) {
  const Model model = published_model("top/flip.toml");
  const double exact = exact_tumbling_period(HeavyTop(System(model)).inertia, start_of(model).angular_velocity);
  const Measure measure = [](const Model&, const TopRun& run, std::vector<Outcome>& row) {
    row.push_back(deviation(flip_error(run)));
    add_errors(run, {&TopRun::energy_error, &TopRun::momentum_error, &TopRun::momentum_size_error}, row);
  };
  return table(fmt::format("Free body about its middle axis: two flips in {:.10g} s", exact), model, turns,
               {"two flips", "energy", "momentum in space", "its size"}, long_enough, measure);
}

Model with_spin(Model model, double spin) {  // at the same turn
  const double turn = turn_of(model);
  model.bodies[0].angular_velocity = Vec3(0, 0, spin);
  return with_turn(model, turn);
}

// Errors and costs are those of the run that falls.
Table sleeping(std::span<const double> turns) {
  constexpr double faster = 21, slower = 19;
  const Model model = published_model("top/sleeping.toml");
  const HeavyTop top{System(model)};
  const SleepingTop above(top, faster), below(top, slower);
  const Measure measure = [&](const Model& m, const TopRun& run, std::vector<Outcome>& row) {
    const TopRun kept(with_spin(m, faster));
    row.push_back(count(kept.largest(&TopRun::tilt) / kept.tilt(0), "{:.3g}"));
    const double growth = measured_growth(run), critical = measured_critical_spin(m);
    row.push_back(deviation(growth / below.growth - 1));
    row.push_back(std::isfinite(growth) ? deviation(run.largest(&TopRun::tilt) / below.limit - 1) : word("none"));
    row.push_back(critical > 0 ? count(critical, "{:.2f}") : word("none"));
    add_errors(run, {&TopRun::energy_error, &TopRun::vertical_error, &TopRun::spin_error}, row);
  };
  return table(
      fmt::format("Sleeping top: at {:g} rad/s the tilt swings to {:.4g} times its start; at {:g} it grows with {:.4g}/s "
                  "to {:.4g} rad; critical {:.4g} rad/s",
                  faster, above.swing, slower, below.growth, below.limit, above.critical_spin),
      model, turns, {"swing at 21", "growth at 19", "limit at 19", "critical", "energy/Mgl", "momentum about g", "spin"},
      [](const Model& m) { return with_spin(m, slower); }, measure);
}

// The fast top over five seconds, the energy that the first group ends with, and how it ends.
Table first_group(std::span<const double> turns) {
  const Model model = published_model("top/fast.toml");
  Table t{fmt::format("Fast top by schemes for linear problems, {:g} s", *model.time.end),
          {"scheme", "turn [rad]", "energy at first", "largest", "last", "doubled at [s]", "ended at [s]", "how"},
          {}};
  for (const GroupOne& scheme : group_one)
    for (const double turn : turns) {
      const TopRun run(with_group_one(with_turn(model, turn), scheme), group_one_halvings);
      const auto doubled =
          std::find_if(run.energies.begin(), run.energies.end(), [&](double e) { return e > 2 * run.energies[0]; });
      const auto at = static_cast<std::size_t>(doubled - run.energies.begin());
      t.rows.push_back({word(scheme.label), count(turn, "{:g}"), count(run.energies[0], "{:.1f}"),
                        count(*std::max_element(run.energies.begin(), run.energies.end()), "{:.4g}"),
                        count(run.energies.back(), "{:.4g}"),
                        doubled == run.energies.end() ? word("never") : count(run.times[at], "{:.3g}"),
                        count(run.times.back(), "{:.3g}"), word(run.solved() ? "to the end" : "no solution")});
    }
  return t;
}

}  // namespace

std::vector<Table> top_tables() {
  return {first_group(std::array{0.01, 0.05, 0.25, 0.5, 1.}),
          heavy("Fast top, 50 rad/s", "fast.toml", std::array{0.25, 0.5, 1., 1.8, 5., 7.}),
          heavy("Slow top, 5 rad/s", "slow.toml", std::array{0.1, 0.25, 0.5, 1., 1.5}),
          sleeping(std::array{0.25, 0.5, 1., 1.8, 5.}), flip(std::array{0.1, 0.25, 0.5, 1., 1.8, 5.})};
}

}  // namespace trompo
