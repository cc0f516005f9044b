// The curves of Krenk (2014), drawn from runs of the engine, and some that the paper has not.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "apps/figures.hpp"
#include "apps/kept.hpp"
#include "apps/recorded_run.hpp"
#include "apps/reproduce.hpp"
#include "apps/reproduce_krenk.hpp"
#include "trompo/run/period.hpp"
#include "trompo/scheme/spectrum.hpp"

namespace trompo {

namespace {

struct Form {
  const char *label, *scheme;
};
constexpr Form newmark{"Newmark", "krenk-newmark"}, quartic{"stiffness increment", "krenk-quartic"}, secant{"secant", "krenk"};

constexpr std::array steps{0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001};

Model model_of(const std::string& name, const std::string& scheme, double step, double end) {
  Model model = published_model("krenk/" + name + ".toml");
  model.time.scheme = scheme;
  model.time.step = step;
  model.time.end = end;
  return model;
}

Curve energy_curve(const std::string& label, const RecordedRun& history, double unit) {
  return curve_of(label, history, [&](std::size_t i) { return history.energies[i] / unit; });
}

template <class Value>
Curve over_steps(const std::string& label, const Value& value) {
  Curve curve{label, {}, {}, true};
  for (const double step : steps) {
    curve.xs.push_back(step);
    curve.ys.push_back(value(step));
  }
  return curve;
}

// --- the oscillators ---

Plot oscillation(const std::string& title, const Model& model, const RecordedRun& history) {
  const double frequency = linear_frequency(System(model));
  return {.title = title,
          .x_label = "t",
          .y_label = "displacement, velocity",
          .curves = {curve_of("u", history, [&](std::size_t i) { return history.q[i][0]; }),
                     curve_of("v/ω₀", history, [&](std::size_t i) { return history.v[i][0] / frequency; })}};
}

Plot energies(const std::string& title, const RecordedRun& history) {
  return {
      .title = title,
      .x_label = "t",
      .y_label = "energy",
      .curves = {energy_curve("E", history, 1), curve_of("G", history, [&](std::size_t i) { return history.potentials[i]; })}};
}

std::vector<Plot> draw_response(const std::string& name, const Form& form, const std::string& title,
                                std::span<const double> sizes) {
  std::vector<Plot> plots;
  for (const double step : sizes) {
    const Model model = model_of(name, form.scheme, step, 10);
    const RecordedRun history(model);
    plots.push_back(oscillation(fmt::format("{}, h = {:.4g}", title, step), model, history));
    plots.push_back(energies(fmt::format("{}, h = {:.4g}", title, step), history));
  }
  return plots;
}

Plot over_steps_plot(const std::string& title, const std::string& y_label) {
  return {.title = title, .x_label = "ω₀h", .y_label = y_label, .log_x = true, .log_y = true};
}

// With the paper's law of the period error and the one that holds, in this order after the forms.
Plot period_errors(const std::string& name, std::span<const Form> forms) {
  Plot plot = over_steps_plot("Period error", "ΔT / T");
  for (const Form& form : forms)
    plot.curves.push_back(over_steps(form.label, [&](double h) { return period_error(model_of(name, form.scheme, h, 1)); }));
  const Model model = published_model("krenk/" + name + ".toml");
  const System system(model);
  const double linear = std::pow(linear_frequency(system), 2),
               mean = exact_oscillation(model).mean_stiffness / system.mass()[0];
  for (const auto& law : {std::pair{"(ω₀h)²/12", linear}, {"h²⟨K⟩/12m", mean}}) {
    plot.curves.push_back(over_steps(law.first, [&](double h) { return h * h * law.second / 12; }));
    plot.curves.back().dots = false;
  }
  return plot;
}

// The same over the paper's law: on two logarithmic axes a factor of two is hard to see.
Plot over_the_law(Plot plot) {
  const Curve law = plot.curves.at(plot.curves.size() - 2);
  for (Curve& curve : plot.curves)
    for (std::size_t i = 0; i < steps.size(); ++i) curve.ys[i] /= law.ys[i];
  plot.title = "Period error over the law of the paper";
  plot.y_label = "12 (ΔT/T) / (ω₀h)²";
  plot.log_y = false;
  return plot;
}

Plot energy_errors(const std::string& name, std::span<const Form> forms) {
  Plot plot = over_steps_plot("Energy error in ten periods", "(max E − min E) / E₀");
  const double end = 10 * exact_oscillation(published_model("krenk/" + name + ".toml")).period;
  for (const Form& form : forms)
    plot.curves.push_back(over_steps(form.label, [&](double h) { return energy_range(model_of(name, form.scheme, h, end)); }));
  return plot;
}

std::vector<Plot> draw_errors(const std::string& name, std::span<const Form> forms) {
  const Plot period = period_errors(name, forms);
  return {period, over_the_law(period), energy_errors(name, forms)};
}

std::vector<Plot> draw_newmark_energy() {
  Plot plot{.title = "Duffing oscillator, total energy", .x_label = "t", .y_label = "E / E₀"};
  for (const auto& [form, step] : {std::pair{newmark, 0.5}, {newmark, 0.2}, {newmark, 0.1}, {quartic, 0.5}}) {
    const RecordedRun history(model_of("duffing", form.scheme, step, 15));
    plot.curves.push_back(energy_curve(fmt::format("{}, h = {:g}", form.label, step), history, history.energies[0]));
  }
  return {plot};
}

// --- the pendulum ---

constexpr double pendulum_step = 0.02, pendulum_end = 6;

Model pendulum(const Form& form, double damping = 0, double step = pendulum_step) {
  Model model = model_of("pendulum_green", form.scheme, step, pendulum_end);
  if (damping > 0) model.time.parameters = {{"damping", damping}};
  return model;
}

Eigen::Vector2d place(const RecordedRun& history, std::size_t i) { return history.q[i].segment<2>(3); }

// From the vertical, without jumps where the pendulum turns over.
Curve angle_curve(const RecordedRun& history) {
  double last = 0;
  return curve_of("φ", history, [&](std::size_t i) {
    const double angle = std::atan2(place(history, i).y(), place(history, i).x());
    last += std::remainder(angle - last, 2 * std::numbers::pi);
    return last;
  });
}

std::vector<Plot> draw_motion(const RecordedRun& history, const std::string& data) {
  const std::vector plots{
      Plot{.title = "Coordinates, " + data,
           .x_label = "t",
           .y_label = "x, y",
           .curves = {curve_of("x", history, [&](std::size_t i) { return place(history, i).x(); }),
                      curve_of("y", history, [&](std::size_t i) { return place(history, i).y(); })}},
      Plot{.title = "Length and angle, " + data,
           .x_label = "t",
           .y_label = "l, φ",
           .curves = {curve_of("l", history, [&](std::size_t i) { return place(history, i).norm(); }), angle_curve(history)}}};
  return plots;
}

std::vector<Plot> draw_energy(const std::string& title, std::vector<Curve> curves) {
  const Plot plot{.title = title, .x_label = "t", .y_label = "E / mgl", .curves = std::move(curves)};
  return {plot};
}

// Runs of the pendulum that several figures show.
const RecordedRun& swinging(const Form& form, double damping = 0, double step = pendulum_step) {
  static Kept<RecordedRun> all;
  return all.of(fmt::format("{} {} {}", form.scheme, damping, step),
                [&] { return RecordedRun(pendulum(form, damping, step)); });
}

// The text has a step of 0.02, the caption one of 0.03.
std::vector<Plot> draw_undamped_motion() {
  std::vector<Plot> plots;
  for (const double step : {pendulum_step, 0.03})
    for (Plot& plot : draw_motion(swinging(quartic, 0, step), fmt::format("h = {:g}", step))) plots.push_back(std::move(plot));
  return plots;
}

std::vector<Plot> draw_newmark_pendulum() {
  const double unit = Pendulum(pendulum(quartic)).weight;
  std::vector<Curve> curves;
  for (const Form& form : {newmark, quartic, secant}) curves.push_back(energy_curve(form.label, swinging(form), unit));
  return draw_energy("Elastic pendulum, total energy, h = 0.02", std::move(curves));
}

std::vector<Plot> draw_damped_energy() {
  const double unit = Pendulum(pendulum(quartic)).weight;
  std::vector<Plot> plots;
  for (const double damping : {0.02, 0.0}) {
    const RecordedRun& history = swinging(quartic, damping);
    const auto potential = [&](std::size_t i) { return history.potentials[i] / unit; };
    const auto kinetic = [&](std::size_t i) { return (history.energies[i] - history.potentials[i]) / unit; };
    plots.push_back(
        draw_energy(fmt::format("Elastic pendulum, h = 0.02, α = {:g}", damping),
                    {energy_curve("E", history, unit), curve_of("T", history, kinetic), curve_of("U", history, potential)})
            .front());
  }
  return plots;
}

std::vector<Plot> draw_angular_momentum() {
  Plot plot{.title = "Elastic pendulum without gravity, h = 0.02", .x_label = "t", .y_label = "angular momentum / initial one"};
  for (const Form& form : {quartic, Form{"geometric stiffness (2007)", "krenk-geometric"}}) {
    const RecordedRun history(model_of("pendulum_free", form.scheme, pendulum_step, pendulum_end));
    plot.curves.push_back(curve_of(form.label, history, [&](std::size_t i) { return history.spins[i] / history.spins[0]; }));
  }
  return {plot};
}

// --- what is drawn of sections 2 and 3 ---

// A long step of the sinh oscillator, so that the parabola can be seen.
std::vector<Plot> draw_parabola() {
  const ForceAlongStep f(published_model("krenk/sinh.toml"), 0.2, 0.6);
  Plot plot{.title = "sinh oscillator, from u = 0.2 to 0.8", .x_label = "ξ", .y_label = "g"};
  Curve force{"g(ξ)", {}, {}}, line{"line between the ends", {}, {}}, parabola{"with the parabola of ΔK Δu", {}, {}},
      effective{"g_q", {}, {}}, mean{"ΔG / Δu", {}, {}};
  const double g0 = f.force(f.u0), g1 = f.force(f.u0 + f.du), increment = f.stiffness_increment() * f.du;
  for (int i = 0; i <= 100; ++i) {
    const double xi = 0.01 * i - 0.5, straight = g0 + (xi + 0.5) * (g1 - g0);
    for (const auto& [curve, y] : {std::pair{&force, f.force(f.u0 + (xi + 0.5) * f.du)},
                                   {&line, straight},
                                   {&parabola, straight - increment / 8 * (1 - 4 * xi * xi)},
                                   {&effective, f.quartic()},
                                   {&mean, f.mean()}}) {
      curve->xs.push_back(xi);
      curve->ys.push_back(y);
    }
  }
  plot.curves = {force, line, parabola, effective, mean};
  return {plot};
}

std::vector<Plot> draw_damping() {
  Plot loss{.title = "Energy that a step takes", .x_label = "ωh", .y_label = "1 − ρ²", .log_x = true},
      ratio{.title = "Damping ratio", .x_label = "ωh", .y_label = "ζ", .log_x = true};
  for (const double alpha : {0.02, 0.05, 0.1}) {
    const std::string label = fmt::format("α = {:g}", alpha);
    Curve of_loss{label, {}, {}}, of_ratio{label, {}, {}};
    for (const SpectralPoint& point : spectrum(make_scheme("krenk-quartic", {{"damping", alpha}}), 1e-3, 1e2, 200)) {
      const double wh = 2 * std::numbers::pi * point.step_over_period;
      of_loss.xs.push_back(wh);
      of_loss.ys.push_back(1 - point.radius * point.radius);
      of_ratio.xs.push_back(wh);
      of_ratio.ys.push_back(point.damping);
    }
    loss.curves.push_back(of_loss);
    ratio.curves.push_back(of_ratio);
  }
  return {loss, ratio};
}

std::vector<Plot> draw_left_out() {
  const Model model = model_of("sinh", "krenk", 0.5, 50);
  const auto [times, errors] = one_correction_left_out(model);
  const RecordedRun whole(model);
  return {{.title = "sinh oscillator, h = 0.5",
           .x_label = "t",
           .y_label = "E / E₀ − 1",
           .curves = {{"every step corrected", whole.times,
                       curve_of("", whole, [&](std::size_t i) { return whole.energies[i] / whole.energies[0] - 1; }).ys},
                      {"step 3 left out", times, errors}}}};
}

}  // namespace

std::vector<Figure> krenk_figures() {
  const double linear_period = 2 * std::numbers::pi / linear_frequency(System(published_model("krenk/duffing.toml")));
  return {{"1", "the effective force of a step", draw_parabola},
          {"2", "Duffing oscillator: motion and energy",
           [linear_period] {
             return draw_response("duffing", quartic, "Duffing oscillator", std::array{0.01, 0.08 * linear_period});
           }},
          {"3", "Duffing oscillator: errors over the step",
           [] {
             return draw_errors("duffing", std::array{quartic, newmark});
           },
           3},
          {"4", "Duffing oscillator: energy of Newmark's rule", draw_newmark_energy},
          {"5", "sinh oscillator: errors over the step",
           [] {
             return draw_errors("sinh", std::array{secant, quartic, newmark});
           },
           3},
          {"7", "Elastic pendulum: motion", draw_undamped_motion},
          {"8", "Elastic pendulum: energy by form", draw_newmark_pendulum},
          {"9", "Elastic pendulum with algorithmic damping: motion",
           [] { return draw_motion(swinging(quartic, 0.02), "h = 0.02, α = 0.02"); }},
          {"10", "Elastic pendulum with algorithmic damping: energy", draw_damped_energy},
          {"sinh-response", "sinh oscillator: motion and energy",
           [] { return draw_response("sinh", secant, "sinh oscillator", std::array{0.01}); }},
          {"angular-momentum", "angular momentum without gravity", draw_angular_momentum},
          {"damping", "algorithmic damping over the frequency", draw_damping},
          {"left-out", "one secant correction left out", draw_left_out}};
}

}  // namespace trompo
