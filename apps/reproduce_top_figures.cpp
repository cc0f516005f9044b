// Pictures of the tops: where the axis goes, what each scheme keeps, and how far off its periods are.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "apps/figures.hpp"
#include "apps/reproduce_top.hpp"

namespace trompo {

namespace {

Model model_of(const std::string& name, const std::string& scheme, double turn, double end) {
  Model model = published_model("top/" + name + ".toml");
  model.time.scheme = scheme;
  model.time.end = end;
  return with_turn(model, turn);
}
constexpr double fine = 0.05;  // a turn that in a picture is as good as exact
TopRun exact_run(const std::string& name, double end) { return TopRun(model_of(name, "euler-poisson-midpoint", fine, end)); }

template <class Value>
Curve curve_of_run(const std::string& label, const TopRun& run, const Value& value) {
  return curve_of(label, run, [&](std::size_t i) { return value(run, i); });
}

// One curve for the exact motion and one for each scheme that has a solution.
template <class Value>
Plot motions(Plot plot, const std::string& name, std::span<const char* const> schemes, double turn, double end,
             const Value& value) {
  plot.curves.push_back(curve_of_run("exact", exact_run(name, end), value));
  for (const char* scheme : schemes)
    plot.curves.push_back(curve_of_run(scheme, TopRun(model_of(name, scheme, turn, end)), value));
  return plot;
}

constexpr std::array told_apart{"simo-projection", "geradin-bauchau", "geradin-bauchau-momentum", "euler-poisson-midpoint",
                                "energy-momentum-exact"};

std::vector<Plot> draw_slow_tilt() {
  const auto tilt = [](const TopRun& run, std::size_t i) { return run.tilt(i); };
  std::vector<Plot> plots;
  for (const double turn : {0.25, 1.0})
    plots.push_back(motions({.title = fmt::format("Slow top, |Ω|h = {:g}", turn), .x_label = "t [s]", .y_label = "tilt [rad]"},
                            "slow", told_apart, turn, 10, tilt));
  return plots;
}

// --- the path of the axis, seen from above: the tilt is the distance from the middle ---

Curve path_curve(const std::string& label, const TopRun& run) {
  Curve curve{label, {}, {}};
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    const Vec3 axis = run.top.axis(run.states[i]);
    const double azimuth = std::atan2(axis.y(), axis.x());
    curve.xs.push_back(run.tilt(i) * std::cos(azimuth));
    curve.ys.push_back(run.tilt(i) * std::sin(azimuth));
  }
  return curve;
}
TopRun pushed(double push, double end) {
  Model model = model_of("slow", "euler-poisson-midpoint", fine, end);
  model.bodies[0].angular_velocity.y() = push;  // across the axis: it sets out forwards or backwards
  return TopRun(model);
}

std::vector<Plot> draw_slow_path() {
  constexpr double end = 10.0;  // three nutations
  const auto map = [](const std::string& title) {
    return Plot{.title = title, .x_label = "tilt towards x [rad]", .y_label = "tilt towards y [rad]", .map = true};
  };
  std::vector<Plot> plots{map("Let go: cusps"), map("Pushed back: loops"), map("Pushed on: waves"), map("Let go, |Ω|h = 0.5")};
  plots[0].curves = {path_curve("exact", pushed(0, end))};
  plots[1].curves = {path_curve("exact", pushed(-0.4, end))};
  plots[2].curves = {path_curve("exact", pushed(0.4, end))};
  plots[3].curves = {path_curve("exact", pushed(0, end))};
  for (const char* scheme : {"geradin-bauchau-momentum", "euler-poisson-midpoint"})
    plots[3].curves.push_back(path_curve(scheme, TopRun(model_of("slow", scheme, 0.5, end))));
  return plots;
}

// --- what is kept ---

std::vector<Plot> draw_integrals() {
  struct Integral {
    const char *title, *label;
    TopRun::Error error;
  };
  std::vector<Plot> plots;
  for (const Integral& integral : {Integral{"Energy", "|E − E₀| / Mgl", &TopRun::energy_error},
                                   {"Momentum about gravity", "relative error", &TopRun::vertical_error},
                                   {"Momentum about the body's axis", "relative error", &TopRun::spin_error}}) {
    plots.push_back({.title = integral.title,
                     .x_label = "t [s], slow top, |Ω|h = 0.25",
                     .y_label = integral.label,
                     .log_y = true,
                     .y_range = std::pair{1e-17, 1.0}});
    for (const char* scheme : top_schemes)
      plots.back().curves.push_back(curve_of_run(scheme, TopRun(model_of("slow", scheme, 0.25, 20)),
                                                 [&](const TopRun& run, std::size_t i) { return (run.*integral.error)(i); }));
  }
  return plots;
}

// --- errors over the step ---

Curve over_turns(const char* scheme, const std::string& name, double (*error)(const TopRun&)) {
  Curve curve{scheme, {}, {}, true};
  for (const double turn : {0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.4, 1.9, 2.5, 3.5, 5.0}) {
    const TopRun run(long_enough(model_of(name, scheme, turn, 1)));
    curve.xs.push_back(turn);
    curve.ys.push_back(run.solved() ? std::abs(error(run)) : std::nan(""));
  }
  return curve;
}

std::vector<Plot> draw_errors() {
  struct Motion {
    const char *title, *name;
    double (*error)(const TopRun&);
  };
  std::vector<Plot> plots;
  for (const Motion& motion : {Motion{"Fast top: nutation", "fast", nutation_error},
                               {"Fast top: precession", "fast", precession_error},
                               {"Slow top: nutation", "slow", nutation_error},
                               {"Free body: flip", "flip", flip_error}}) {
    plots.push_back(
        {.title = motion.title, .x_label = "|Ω|h [rad]", .y_label = "|relative error|", .log_x = true, .log_y = true});
    for (const char* scheme : top_schemes) plots.back().curves.push_back(over_turns(scheme, motion.name, motion.error));
  }
  return plots;
}

std::vector<Plot> draw_flip() {
  const auto spin = [](const TopRun& run, std::size_t i) { return run.states[i].angular_velocity.y(); };
  std::vector<Plot> plots;
  for (const double turn : {0.5, 1.8})
    plots.push_back(motions({.title = fmt::format("Free body, |Ω|h = {:g}", turn), .x_label = "t [s]", .y_label = "Ω₂ [rad/s]"},
                            "flip", told_apart, turn, 30, spin));
  return plots;
}

std::vector<Plot> draw_sleeping() {
  std::vector<Plot> plots;
  for (const double spin : {19.0, 21.0}) {
    plots.push_back({.title = fmt::format("Upright top, {:g} rad/s, |Ω|h = 0.5", spin),
                     .x_label = "t [s]",
                     .y_label = "tilt [rad]",
                     .log_y = true,
                     .y_range = std::pair{5e-6, 2.0}});
    const auto add = [&](const std::string& label, const std::string& scheme, double turn) {
      Model model = model_of("sleeping", scheme, turn, 30);
      model.bodies[0].angular_velocity = Vec3(0, 0, spin);
      plots.back().curves.push_back(
          curve_of_run(label, TopRun(model), [](const TopRun& run, std::size_t i) { return run.tilt(i); }));
    };
    add("exact", "euler-poisson-midpoint", fine);
    for (const char* scheme : told_apart) add(scheme, scheme, 0.5);
  }
  return plots;
}

// --- the groups of the introduction ---

std::vector<Plot> draw_groups() {
  constexpr double end = 2.0;  // what grows has grown by then
  std::vector<Plot> plots;
  for (const double turn : {0.05, 0.25}) {
    plots.push_back({.title = fmt::format("Fast top, |Ω|h = {:g}", turn),
                     .x_label = "t [s]",
                     .y_label = "E / E₀",
                     .log_y = true,
                     .y_range = std::pair{0.1, 1e3}});
    const auto add = [&](const std::string& label, const Model& model) {
      plots.back().curves.push_back(
          curve_of_run(label, TopRun(model, group_one_halvings),
                       [](const TopRun& run, std::size_t i) { return run.energies[i] / run.energies[0]; }));
    };
    for (const GroupOne& scheme : group_one)
      if (scheme.drawn) add(scheme.label, with_group_one(model_of("fast", "trapezoidal", turn, end), scheme));
    add("simo-projection, and all others that keep it", model_of("fast", "simo-projection", turn, end));
  }
  return plots;
}

}  // namespace

std::vector<Figure> top_figures() {
  return {{"groups", "fast top: energy by schemes for linear problems and by those that keep it", draw_groups},
          {"slow-tilt", "slow top: tilt by scheme and step", draw_slow_tilt},
          {"slow-path", "slow top: path of its axis", draw_slow_path},
          {"slow-integrals", "slow top: energy and momenta", draw_integrals, 3},
          {"errors-over-step", "errors of the periods over the step", draw_errors},
          {"flip", "free body that flips", draw_flip},
          {"sleeping", "upright top about its critical spin", draw_sleeping}};
}

}  // namespace trompo
