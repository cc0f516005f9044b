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
          // A run that jumps over the circle has turned by no angle that could be told.
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

// What Bossak and Hilber were tried with, whose printed values come out with none of it.
Table tries() {
  Table table{"Bossak and Hilber, rigid bar: what was tried for the printed values",
              {"", "Bossak 0.8 grows at [s]", "its elongation [m]", "Bossak 0.6, energy [J]", "Hilber 0.8 grows at [s]",
               "Hilber 0.6, energy [J]", "generalised-α 0.6, energy [J]"},
              {{word("paper"), number(25, "{:g}"), number(5e-7, "{:.1e}"), number(255, "{:g}"), number(25, "{:g}"),
                number(275, "{:g}"), number(280, "{:g}")}}};
  using Change = std::function<void(Model&)>;
  const auto run = [](const char* scheme, double rho, const Change& change) {
    Model model = pendulum_bar("rigid", scheme, rho);
    change(model);
    return PendulumRun(std::move(model));
  };
  const auto grows_at = [](const PendulumRun& r) {
    const auto found = std::find_if(r.energies.begin(), r.energies.end(), [&](double e) { return e > 2 * r.initial_energy(); });
    return found == r.energies.end() ? word("never")
                                     : number(r.times[static_cast<std::size_t>(found - r.energies.begin())], "{:.1f}");
  };
  const auto end = [](const PendulumRun& r) { return number(r.energies.back(), "{:.1f}"); };
  const auto add = [&](const char* what, const Change& change) {
    const PendulumRun bossak = run("bossak", 0.8, change);
    table.rows.push_back({word(what), grows_at(bossak), number(bossak.largest_elongation(), "{:.1e}"),
                          end(run("bossak", 0.6, change)), grows_at(run("hht-1", 0.8, change)), end(run("hht-1", 0.6, change)),
                          end(run("generalized-alpha-1", 0.6, change))});
  };
  const auto step = [](Model& m, double h) {
    m.time.end = h * std::floor(m.time.end.value_or(0) / h);
    m.time.step = h;
  };
  const Vec3 gravity = published_model("pendulum/rigid.toml").gravity;
  const auto exact_speed = [&](Model& m) {
    m.nodes[1].velocity.x() = std::sqrt(2 * gravity.norm() * m.nodes[1].position.norm());
  };
  add("without gravity", [](Model&) {});
  add("with gravity", [&](Model& m) { m.gravity = gravity; });
  add("half of gravity", [&](Model& m) { m.gravity = gravity / 2; });
  add("consistent start", [](Model& m) { m.time.initial_acceleration = "consistent"; });
  add("initial acceleration along x", [](Model& m) { m.nodes[1].acceleration = Vec3(19.6, 0, 0); });
  add("v0 = sqrt(2gl)", exact_speed);
  add("step 0.095 s", [&](Model& m) { step(m, 0.095); });
  add("step 0.095 s, v0 = sqrt(2gl)", [&](Model& m) { step(m, 0.095), exact_speed(m); });
  add("step 0.092 s", [&](Model& m) { step(m, 0.092); });
  return table;
}

// Generalised energy-momentum for longer than the figures last.
Table longer() {
  Table table{"Generalised energy-momentum, rigid bar: largest energy over the initial one until",
              {"spectral radius", "30 s", "40 s", "100 s", "1000 s, g = 9.8"},
              {}};
  const auto largest = [](Model model, double end) {
    model.time.end = end;
    const PendulumRun run(std::move(model));
    const double ratio = *std::max_element(run.energies.begin(), run.energies.end()) / run.initial_energy();
    return run.result.reached_end ? number(ratio, "{:.5g}") : word(fmt::format("fails at {:.1f} s", run.times.back()));
  };
  for (const double rho : {1.0, 0.95, 0.9, 0.8, 0.6}) {
    const Model model = pendulum_bar("rigid", "gem", rho);
    table.rows.push_back({number(rho, "{:g}"), largest(model, 30), largest(model, 40), largest(model, 100),
                          largest(pendulum_bar("rigid", "gem", rho, 0, true), 1000)});
  }
  return table;
}

}  // namespace

std::vector<Table> pendulum_tables() {
  return {section_6("6.1, rigid bar, without gravity", "rigid", 10),
          section_6("6.2, elastic bar, without gravity", "elastic", 27), tries(), longer()};
}

}  // namespace trompo
