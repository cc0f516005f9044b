// The curves of W. T. Matias Silva, Publicacion CIMNE 259 (2004): Figures 4, 5, 10 to 25 and 27 to 42, from runs of the engine.
//
// Panels a to f of the bars: trajectory, total energy, displacements, elongation, velocities, iterations. They may have
// been computed with a weight of 9.8 N (docs/verification.md); trajectory and energy are drawn as printed too. Energy is on a
// logarithmic axis where it blows up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include "apps/figures.hpp"
#include "apps/reproduce_pendulum.hpp"

namespace trompo {

namespace {

template <class Value>
Curve along(const std::string& label, const PendulumRun& run, const Value& x, const Value& y) {
  Curve curve{label, {}, {}};
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    curve.xs.push_back(x(i));
    curve.ys.push_back(y(i));
  }
  return curve;
}

Curve trajectory(const std::string& label, const PendulumRun& run) {
  using Value = std::function<double(std::size_t)>;
  return along<Value>(
      label, run, [&](std::size_t i) { return run.rod(i).x(); }, [&](std::size_t i) { return run.rod(i).y(); });
}

Curve energy(const std::string& label, const PendulumRun& run) {
  return curve_of(label, run, [&](std::size_t i) { return run.energies[i]; });
}

// A run that blows up would press all that went before onto the axis.
bool blows_up(const Plot& energies) {
  return std::any_of(energies.curves.begin(), energies.curves.end(), [](const Curve& curve) {
    return *std::max_element(curve.ys.begin(), curve.ys.end()) > 10 * curve.ys.front();
  });
}

Curve iterations(const std::string& label, const PendulumRun& run) {
  Curve curve = curve_of(label, run, [&](std::size_t i) { return run.iterations[i]; });
  curve.ys.front() = std::nan("");  // there is no step before the start
  return curve;
}

struct Shown {
  std::string label;
  PendulumRun run;
};

// The six panels of a figure of section 6: of one run, or of several with different ξ. The runs as printed, with gravity, stand
// beside them where a reader looks first.
std::vector<Plot> six_panels(const std::string& figure, const std::string& what, const std::vector<Shown>& runs,
                             const std::vector<Shown>& printed) {
  const auto title = [&](const char* panel, const char* of) {
    return fmt::format("Fig. {}{}: {}, {}", figure, panel, what, of);
  };
  Plot path{
      .title = fmt::format("Silva (2004), Fig. {}a: {}", figure, what), .x_label = "x [m]", .y_label = "y [m]", .map = true};
  Plot total{.title = title("b", "energy"), .x_label = "t [s]", .y_label = "E [J]"};
  Plot places{.title = title("c", "displacements"), .x_label = "t [s]", .y_label = "u [m]"};
  Plot stretch{.title = title("d", "elongation"), .x_label = "t [s]", .y_label = "l − l₀ [m]"};
  Plot speeds{.title = title("e", "velocities"), .x_label = "t [s]", .y_label = "v [m/s]"};
  Plot counts{.title = title("f", "iterations"), .x_label = "t [s]", .y_label = "iterations per step"};
  for (const auto& [label, run] : runs) {
    path.curves.push_back(trajectory(label + "9.8 N", run));
    total.curves.push_back(energy(label + "9.8 N", run));
    for (const int c : {0, 1}) {
      const std::string axis = label + (c == 0 ? "x" : "y");
      places.curves.push_back(curve_of(axis, run, [&](std::size_t i) { return run.rod(i)[c] - run.rod(0)[c]; }));
      speeds.curves.push_back(curve_of(axis, run, [&](std::size_t i) { return run.v[i][3 + c]; }));
    }
    stretch.curves.push_back(curve_of(label + "9.8 N", run, [&](std::size_t i) { return run.elongation(i); }));
    counts.curves.push_back(iterations(label + "9.8 N", run));
  }
  for (const auto& [label, run] : printed) {
    path.curves.push_back(trajectory(label + "as printed", run));
    total.curves.push_back(energy(label + "as printed", run));
  }
  total.log_y = blows_up(total);
  double most = 0;
  for (const Curve& curve : counts.curves)
    for (const double n : curve.ys) most = std::fmax(most, n);
  counts.y_range = {0, most + 1};
  return {path, total, places, stretch, speeds, counts};
}

std::vector<Plot> one_scheme(int figure, const char* file, const PendulumScheme& scheme, double rho) {
  std::vector<Shown> runs, printed;
  runs.push_back({"", PendulumRun(pendulum_bar(file, scheme.scheme, rho))});
  printed.push_back({"", PendulumRun(pendulum_bar(file, scheme.scheme, rho, 0, printed_gravity))});
  return six_panels(std::to_string(figure), fmt::format("{}, ρ∞ = {:g}", scheme.name, rho), runs, printed);
}

std::vector<Plot> several_dissipations(int figure, const char* file) {
  std::vector<Shown> runs;
  for (const double xi : pendulum_dissipations)
    runs.push_back({fmt::format("ξ = {:g}, ", xi), PendulumRun(pendulum_bar(file, "gem+xi", 1, xi))});
  return six_panels(std::to_string(figure), "GEM + ξ, ρ∞ = 1", runs, {});
}

// Forces at the generalised midpoint (mode 2), which the paper describes and draws none of.
std::vector<Plot> second_mode(const char* file) {
  std::vector<Plot> plots;
  for (const auto& [label, scheme, rho] : {std::tuple{"midpoint rule", "midpoint", 1.0},
                                           {"Hilber, mode 2", "hht-2", 0.8},
                                           {"generalised-α, mode 2", "generalized-alpha-2", 0.8}}) {
    const PendulumRun run(pendulum_bar(file, scheme, rho));
    const std::string what = fmt::format("{}, ρ∞ = {:g}", label, rho);
    plots.push_back({.title = what, .x_label = "x [m]", .y_label = "y [m]", .curves = {trajectory("9.8 N", run)}, .map = true});
    plots.push_back({.title = what + ", energy", .x_label = "t [s]", .y_label = "E [J]", .curves = {energy("9.8 N", run)}});
    plots.back().log_y = blows_up(plots.back());
  }
  return plots;
}

// --- section 3, in the angle ---

std::vector<Plot> in_the_angle(const char* figure, const char* what, double energy_over_mgl) {
  Model model = published_model("pendulum/angle.toml");
  const double l = model.pendulums[0].length, g = -model.gravity.y();
  model.coordinates[0].rate = std::sqrt(2 * energy_over_mgl * g / l);
  const PendulumRun run(model);
  using Value = std::function<double(std::size_t)>;
  const auto title = [&](const std::string& of) { return fmt::format("Silva (2004), Fig. {}: {}", figure, of); };
  const auto of = [&run](const char* label, const std::vector<VecX>& x) {
    return curve_of(label, run, [&](std::size_t i) { return x[i][0]; });
  };
  Plot path{.title = title(what), .x_label = "x [m]", .y_label = "y [m]", .map = true};
  path.curves.push_back(along<Value>(
      "bob", run, [&](std::size_t i) { return l * std::sin(run.q[i][0]); },
      [&](std::size_t i) { return -l * std::cos(run.q[i][0]); }));
  const Plot angle{.title = title("angle"), .x_label = "t [s]", .y_label = "θ [rad]", .curves = {of("θ", run.q)}};
  const Plot rates{.title = title("velocity and acceleration"),
                   .x_label = "t [s]",
                   .y_label = "θ̇ [1/s], θ̈ [1/s²]",
                   .curves = {of("θ̇", run.v), of("θ̈", run.a)}};
  const Plot total{.title = title("total energy"), .x_label = "t [s]", .y_label = "E [J]", .curves = {energy("Newmark", run)}};
  return {path, angle, rates, total};
}

}  // namespace

std::vector<Figure> pendulum_figures() {
  std::vector<Figure> all{{"4", "E₀ = mgl, swings", [] { return in_the_angle("4", "E₀ = mgl, swings", 1); }},
                          {"5", "E₀ = 3mgl, turns over", [] { return in_the_angle("5", "E₀ = 3mgl, turns over", 3); }}};
  for (const auto& [file, first] : {std::pair{"rigid", 10}, {"elastic", 27}}) {
    int figure = first;
    for (const PendulumScheme& scheme : pendulum_schemes)
      for (const double rho : pendulum_radii) {
        all.push_back(
            {std::to_string(figure),
             fmt::format("{} bar, {}, ρ∞ = {:g}; weight 9.8 N, trajectory and energy also as printed", file, scheme.name, rho),
             [=, file = file] { return one_scheme(figure, file, scheme, rho); }, 3});
        ++figure;
      }
    all.push_back({std::to_string(figure), fmt::format("{} bar, GEM with dissipation ξ, weight 9.8 N", file),
                   [=, file = file] { return several_dissipations(figure, file); }, 3});
  }
  all.push_back({"mode-2-rigid", "rigid bar, forces at the midpoint", [] { return second_mode("rigid"); }});
  all.push_back({"mode-2-elastic", "elastic bar, forces at the midpoint", [] { return second_mode("elastic"); }});
  all.push_back(decay_figure());
  return all;
}

}  // namespace trompo
