// Measurements after Silva (2004): what its section 6 says of each figure in words ("dissipates little", "errors of small
// size"), and energies over times longer than its figures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "apps/reproduce_pendulum.hpp"

namespace trompo {

namespace {

Outcome word(const std::string& text) { return {std::nan(""), text}; }
Outcome number(double x, const char* form) {
  return std::isfinite(x) ? Outcome{x, fmt::format(fmt::runtime(form), x)} : word("none");
}

// In one step: a run that has blown up jumps across the circle, and its trajectory is one of chords.
double largest_turn(const std::vector<double>& angles) {
  double largest = 0;
  for (std::size_t i = 1; i < angles.size(); ++i) largest = std::max(largest, std::abs(angles[i] - angles[i - 1]));
  return largest;
}

// The angle of the motion itself: by a conserving scheme with a twentieth of the step, whose phase error is 1/400 of any here.
double exact_angle(const std::string& file) {
  Model model = pendulum_bar(file, "energy-momentum-exact", 1);
  model.time.parameters.clear();
  model.time.step /= 20;
  return PendulumRun(model).angles().back();
}

std::vector<Outcome> row(int figure, const std::string& scheme, const Model& model, double exact) {
  const PendulumRun run(model);
  const auto [low, high] = std::minmax_element(run.energies.begin(), run.energies.end());
  const std::vector<double> angles = run.angles();
  return {number(figure, "{:.0f}"), word(scheme), number(run.energies.back(), "{:.2f}"), number(*low, "{:.2f}"),
          number(*high, "{:.2f}"),
          // A run that jumps over the circle has turned by no angle that could be measured.
          *high > 2 * run.initial_energy() ? word("blown up") : number(100 * (exact / angles.back() - 1), "{:.2f}"),
          number(largest_turn(angles), "{:.3f}"), number(run.vibration(27, 30) / run.vibration(0, 3), "{:.2g}"),
          number(static_cast<double>(run.result.iterations_max), "{:.0f}"),
          number(static_cast<double>(run.result.retries), "{:.0f}")};
}

Table section_6(const char* title, const std::string& file, int figure) {
  Table table{title,
              {"figure", "scheme", "energy at 30 s [J]", "least", "largest", "longer period [%]", "largest turn [rad]",
               "vibration left", "iterations at most", "steps halved"},
              {}};
  const double exact = exact_angle(file);
  for (const PendulumScheme& s : pendulum_schemes)
    for (const double rho : pendulum_radii)
      table.rows.push_back(row(figure++, fmt::format("{} {:g}", s.name, rho), pendulum_bar(file, s.scheme, rho), exact));
  for (const double xi : pendulum_dissipations)
    table.rows.push_back(row(figure, fmt::format("GEM 1, xi {:g}", xi), pendulum_bar(file, "gem+xi", 1, xi), exact));
  return table;
}

// The largest energy between the last two passages through the bottom: with gravity the error of a swing comes and goes.
double last_crest(const PendulumRun& run) {
  std::vector<std::size_t> passages;
  for (std::size_t i = 1; i < run.q.size(); ++i)
    if (run.rod(i - 1).x() * run.rod(i).x() < 0) passages.push_back(i);
  if (passages.size() < 2) return std::nan("");
  const auto at = [&](std::size_t back) {
    return run.energies.begin() + static_cast<std::ptrdiff_t>(passages[passages.size() - back]);
  };
  return *std::max_element(at(2), at(1));
}

// What was tried for the printed values of the rigid bar.
Table tries() {
  Table table{"Rigid bar: what was tried for the printed values; energy grows from (1.02 times) to (30 times) [s]",
              {"", "Bossak 0.8 grows", "elongation [m]", "Hilber 0.8 grows", "elongation [m] ", "generalised-α 0.8 grows",
               "Bossak 0.6, energy [J]", "Hilber 0.6, energy [J] ", "generalised-α 0.6, energy [J]"},
              {{word("paper"), word("25"), word("5e-07"), word("25"), word("1.2e-05"), word("4"), word("255"), word("275"),
                word("280")}}};
  using Change = std::function<void(Model&)>;
  const auto grows = [](const PendulumRun& r) {
    const auto passes = [&r](double factor) {
      const auto e =
          std::find_if(r.energies.begin(), r.energies.end(), [&](double x) { return x > factor * r.initial_energy(); });
      return e == r.energies.end() ? std::string("-")
                                   : fmt::format("{:.1f}", r.times[static_cast<std::size_t>(e - r.energies.begin())]);
    };
    return word(passes(1.02) + " to " + passes(30));
  };
  const auto add = [&](const char* what, const Change& change, double (*energy)(const PendulumRun&)) {
    const auto run = [&change](const char* scheme, double rho) {
      Model model = pendulum_bar("rigid", scheme, rho, 0, printed_gravity);
      change(model);
      return PendulumRun(std::move(model));
    };
    const PendulumRun bossak = run("bossak", 0.8), hilber = run("hht-1", 0.8);
    std::vector<Outcome> row{word(what),
                             grows(bossak),
                             number(bossak.largest_elongation(), "{:.1e}"),
                             grows(hilber),
                             number(hilber.largest_elongation(), "{:.1e}"),
                             grows(run("generalized-alpha-1", 0.8))};
    for (const char* scheme : {"bossak", "hht-1", "generalized-alpha-1"})
      row.push_back(number(energy(run(scheme, 0.6)), "{:.1f}"));
    table.rows.push_back(row);
  };
  const auto at_end = [](const PendulumRun& r) { return r.energies.back(); };
  const auto share = [](double of_gravity) { return [of_gravity](Model& m) { m.gravity *= of_gravity; }; };
  const auto step = [](double h) {
    return [h](Model& m) {
      m.gravity.setZero();
      m.time.end = h * std::floor(m.time.end.value_or(0) / h);
      m.time.step = h;
    };
  };
  add("as printed, weight 98 N", share(1), at_end);
  add("as printed, crest of the last swing", share(1), last_crest);
  add("weight 19.6 N", share(0.2), at_end);
  add("weight 9.8 N", share(computed_gravity), at_end);
  add("weight 4.9 N", share(0.05), at_end);
  add("g = 0", share(0), at_end);
  add("g = 0, step 0.095 s", step(0.095), at_end);
  add("g = 0, step 0.092 s", step(0.092), at_end);
  const auto start = [](Model& m) { m.gravity.setZero(), m.time.initial_acceleration = "consistent"; };
  add("g = 0, consistent start", start, at_end);
  return table;
}

// Generalised energy-momentum for longer than the figures last.
Table longer() {
  Table table{"Generalised energy-momentum, rigid bar: largest energy over the initial one until",
              {"spectral radius", "30 s, g = 0", "40 s, g = 0", "100 s, g = 0", "100 s, weight 9.8 N", "1000 s, as printed"},
              {}};
  const auto largest = [](double rho, double gravity, double end) {
    Model model = pendulum_bar("rigid", "gem", rho, 0, gravity);
    model.time.end = end;
    const PendulumRun run(std::move(model));
    const double ratio = *std::max_element(run.energies.begin(), run.energies.end()) / run.initial_energy();
    return run.result.reached_end ? number(ratio, "{:.5g}") : word(fmt::format("fails at {:.1f} s", run.times.back()));
  };
  for (const double rho : {1.0, 0.95, 0.9, 0.8, 0.6})
    table.rows.push_back({number(rho, "{:g}"), largest(rho, 0, 30), largest(rho, 0, 40), largest(rho, 0, 100),
                          largest(rho, computed_gravity, 100), largest(rho, printed_gravity, 1000)});
  return table;
}

}  // namespace

std::vector<Table> pendulum_tables() {
  return {section_6("6.1, rigid bar, weight 9.8 N", "rigid", 10), section_6("6.2, elastic bar, weight 9.8 N", "elastic", 27),
          tries(), longer(), forced_energy_table()};
}

}  // namespace trompo
