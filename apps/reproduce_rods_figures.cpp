// Figures of the rods, and how the schemes fare on a rod that waves freely.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "apps/reproduce_rods.hpp"

namespace trompo {

namespace {

Model model_of(const std::string& name) { return published_model("rods/" + name + ".toml"); }

Curve of_sensor(const RodMotion& m, const std::string& sensor, const std::string& label) {
  return {label, m.times, m.sensor(sensor)};
}

// Points, with no line between them.
Curve marks(const std::string& label, std::span<const std::pair<double, double>> points) {
  Curve curve{label, {}, {}, true};
  for (const auto& [x, y] : points) {
    curve.xs.insert(curve.xs.end(), {x, x});
    curve.ys.insert(curve.ys.end(), {y, std::nan("")});
  }
  return curve;
}

// Peaks as the published figures show them.
std::vector<Plot> right_angle() {
  const RodMotion& m = rod_motion(model_of("right_angle"));
  constexpr std::array<std::pair<double, double>, 3> elbow{{{3.05, 5.5}, {10.8, -3.9}, {25.2, 6.1}}},
      tip{{{7.5, 8.3}, {16.0, -9.7}, {26.1, 7.0}}};
  return {{.title = "Right-angle cantilever",
           .x_label = "t",
           .y_label = "displacement out of the plane",
           .curves = {of_sensor(m, "elbow", "elbow"), of_sensor(m, "tip", "tip"), marks("elbow, published peaks", elbow),
                      marks("tip, published peaks", tip)}}};
}

std::vector<Plot> spin_up() {
  const RodMotion& m = rod_motion(model_of("spin_up"));
  const Curve whole = of_sensor(m, "extension", "extension");
  const auto steady = static_cast<std::ptrdiff_t>(m.at(15));
  const Curve late{"extension", {whole.xs.begin() + steady, whole.xs.end()}, {whole.ys.begin() + steady, whole.ys.end()}};
  constexpr double published = 5.14e-4;
  return {{.title = "Spin-up: extension of the tip", .x_label = "t", .y_label = "u", .curves = {whole}},
          {.title = "Spin-up: deflection of the tip",
           .x_label = "t",
           .y_label = "v",
           .curves = {of_sensor(m, "deflection", "deflection")}},
          {.title = "Extension u in the steady rotation",
           .x_label = "t",
           .y_label = "",
           .y_range = std::pair{5.0e-4, 5.3e-4},
           .curves = {late, {"published", {late.xs.front(), late.xs.back()}, {published, published}}}}};
}

// The axis of the rod at several times, seen along one axis of space.
Plot shapes(const RodMotion& m, const std::string& title, std::span<const double> times, int across, int up) {
  constexpr std::array names{"x", "y", "z"};
  Plot plot{.title = title, .x_label = names[static_cast<std::size_t>(across)], .y_label = names[static_cast<std::size_t>(up)]};
  plot.map = true;
  for (const double t : times) {
    Curve curve{fmt::format("t = {:g}", t), {}, {}};
    for (const Vec3& x : m.places[m.at(t)]) curve.xs.push_back(x[across]), curve.ys.push_back(x[up]);
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

std::vector<Plot> flight_in_the_plane() {
  constexpr std::array times{0.0, 2.5, 4.0, 5.5, 7.0, 9.0, 11.0, 13.0, 15.0};
  return {shapes(rod_motion(model_of("flying_2d")), "Flying rod in the plane", times, 0, 1)};
}

std::vector<Plot> flight_in_space() {
  constexpr std::array times{0.0, 2.0, 3.0, 3.8, 4.5, 5.5, 6.5};
  const RodMotion& m = rod_motion(model_of("flying_3d"));
  return {shapes(m, "Flying rod in space, from the front", times, 0, 1), shapes(m, "from above", times, 0, 2)};
}

// ---- equilibria ----

std::vector<Plot> lee_frame() {
  const Model frame = model_of("lee_frame");
  const double full = std::abs(frame.loads.front().force[1].value(0));
  const RodPath& lee = rod_path(frame);
  Curve load{"load", {}, {}, true};
  const std::vector<double> y = lee.sensor("deflection y");
  for (std::size_t i = 0; i < lee.factors.size(); ++i) load.xs.push_back(120 - y[i]), load.ys.push_back(full * lee.factors[i]);
  return {{.title = "Lee's frame", .x_label = "deflection under the load [cm]", .y_label = "load [kN]", .curves = {load}}};
}

std::vector<Plot> roll_up() {
  const RodPath& roll = rod_path(model_of("roll_up"));
  Plot circle{.title = "Roll-up of a cantilever", .x_label = "x", .y_label = "y"};
  circle.map = true;
  for (std::size_t i = 0; i < roll.factors.size(); i += 4) {
    Curve curve{fmt::format("{:.2g} M", roll.factors[i]), {}, {}};
    for (const Vec3& x : roll.places[i]) curve.xs.push_back(x.x()), curve.ys.push_back(x.y());
    circle.curves.push_back(std::move(curve));
  }
  return {circle};
}

// ---- schemes ----

// Free, with a wave along it; the centre of mass stays.
Model waving(const std::string& scheme, double step) {
  Model model = model_of("waving");
  model.time.scheme = scheme;
  model.time.step = step;
  model.time.end = 3;
  return model;
}

std::vector<Outcome> fate(const std::string& scheme, double step) {
  const Model model = waving(scheme, step);
  const RunResult r = run(model, System(model), scheme_of(model), {}, {.max_halvings = 0, .keep_going = true});
  const auto number = [](double x, const char* format) { return Outcome{x, fmt::format(fmt::runtime(format), x)}; };
  const double reached = r.state.time;
  return {{std::nan(""), scheme},
          number(step, "{:g}"),
          number(reached, "{:.3g}"),
          number((r.total.max - r.total.min) / r.total.initial, "{:.1e}"),
          number(r.angular_drift / r.momentum_initial.angular.norm(), "{:.1e}")};
}

}  // namespace

std::vector<Table> rods_tables() {
  Table table{"A rod that waves freely, 3 s without halving a step: energy and angular momentum against the first ones",
              {"scheme", "step", "reaches [s]", "energy", "angular momentum"},
              {}};
  for (const char* scheme : {"newmark", "generalized-alpha-1", "energy-momentum-exact"})
    for (const double step : {0.02, 0.005, 0.00125}) table.rows.push_back(fate(scheme, step));
  return {table};
}

std::vector<Figure> rods_figures() {
  return {{"right-angle-cantilever", "right-angle cantilever (Simo, Vu-Quoc 1988)", right_angle, 1, true},
          {"spin-up", "spin-up manoeuvre (Simo, Vu-Quoc 1986)", spin_up, 3, true},
          {"flying-rod-in-the-plane", "flying rod in the plane (Simo, Vu-Quoc 1986)", flight_in_the_plane, 1, true},
          {"flying-rod-in-space", "flying rod in space (Simo, Vu-Quoc 1988)", flight_in_space, 2, true},
          {"lee-frame", "Lee's frame (Lee and others 1968)", lee_frame, 1, true},
          {"roll-up", "cantilever rolled up by a moment (Simo, Vu-Quoc 1986)", roll_up, 1, true}};
}

}  // namespace trompo
