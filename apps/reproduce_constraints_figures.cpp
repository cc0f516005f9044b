// The curves of Ferreira and Doblare, examples 1 and 2, in kind: the paper prints no sections, masses or loads. And some of our
// own.
#include <fmt/format.h>

#include <cmath>

#include "apps/reproduce_constraints.hpp"
#include "trompo/math/known.hpp"

namespace trompo {

namespace {

Plot over_time(const std::string& title, const std::string& y_label, std::vector<Curve> curves) {
  return {.title = title, .x_label = "t [s]", .y_label = y_label, .curves = std::move(curves)};
}
Plot over_iterations(const std::string& title, const std::string& y_label, std::vector<Curve> curves) {
  return {.title = title, .x_label = "iteration", .y_label = y_label, .log_y = true, .curves = std::move(curves)};
}
Curve sequence(const std::string& label, const std::vector<double>& values) {
  Curve curve{label, {}, values, true};
  for (std::size_t i = 0; i < values.size(); ++i) curve.xs.push_back(static_cast<double>(i));
  return curve;
}

Plot energy_plot(const ConstrainedRun& run) {
  return over_time("Energy", "E [J]",
                   {curve_of("total", run, [&](std::size_t i) { return run.energies[i]; }),
                    curve_of("kinetic", run, [&](std::size_t i) { return run.kinetic[i]; }),
                    curve_of("potential", run, [&](std::size_t i) { return run.energies[i] - run.kinetic[i]; })});
}
Plot energy_error_plot(const ConstrainedRun& run) {
  return over_time("Total energy less its first value", "E − E₀ [J]",
                   {curve_of("total", run, [&](std::size_t i) { return run.energies[i] - run.energies[0]; })});
}
Plot momentum_plot(const ConstrainedRun& run) {
  Plot plot = over_time("Angular momentum about the origin", "L [kg m²/s]", {});
  for (int k = 0; k < 3; ++k)
    plot.curves.push_back(curve_of(std::string(1, "xyz"[k]), run, [&](std::size_t i) { return run.momenta[i].angular[k]; }));
  return plot;
}
Curve beta_curve(const std::string& label, const ConstrainedRun& run) {
  Curve curve{label, {run.times.begin() + 1, run.times.end()}, {run.betas.begin() + 1, run.betas.end()}};
  return curve;
}

constexpr std::pair<double, double> whole_step{0, 1};  // an axis for what does not move

std::vector<Plot> first_example() {
  const ConstrainedRun run(constraint_model("rod_sphere"));
  Plot beta = over_time("β of the contact", "β", {beta_curve("β", run)});
  beta.y_range = whole_step;
  return {energy_plot(run), energy_error_plot(run), momentum_plot(run), beta};
}

std::vector<Plot> second_beta() {
  const ConstrainedRun run(constraint_model("rod_trig"));
  int sphere = 0;
  while (run.system.body_name(sphere) != "sphere") ++sphere;
  const int height = run.system.bodies()[static_cast<std::size_t>(sphere)].first + 2;
  return {over_time("β", "β", {beta_curve("β", run)}),
          over_time("Height of the sphere", "z [m]", {curve_of("z", run, [&](std::size_t i) { return run.q[i][height]; })})};
}

std::vector<Plot> second_energy() {
  const ConstrainedRun run(constraint_model("rod_trig"));
  return {momentum_plot(run), energy_plot(run), energy_error_plot(run)};
}

std::vector<Plot> betas() {
  std::vector<Plot> plots;
  for (const auto& [name, title] : {std::pair{"sine", "Sine (18), h = 0.1 s"},
                                    {"trig", "Two masses, x² cos y = z³, h = 0.1 s"},
                                    {"bead", "Bead on a cubic surface, h = 0.02 s"},
                                    {"pendulum", "Spherical pendulum (quadratic), h = 0.05 s"},
                                    {"free", "Three free masses, h = 0.1 s"}}) {
    Model model = constraint_model(name);
    model.time.steps = std::min(known(model.time.steps), 400L);
    plots.push_back(over_time(title, "β", {beta_curve("β", ConstrainedRun(model))}));
    if (name == std::string("pendulum")) plots.back().y_range = whole_step;
  }
  return plots;
}

// With the sum of what the formula says of each step.
std::vector<Plot> momentum() {
  std::vector<Plot> plots;
  for (const double h : {0.1, 0.05}) {
    Plot plot = over_time(fmt::format("Three free masses, h = {:g} s", h), "|L − L₀| / |L₀|", {});
    for (const char* gradient : {"mean-value", "gonzalez", "secant"}) {
      const ConstrainedRun run(with_scheme(with_step(constraint_model("free"), h), "energy-momentum-exact", gradient));
      const Vec3 first = run.momenta[0].angular;
      plot.curves.push_back(
          curve_of(gradient, run, [&](std::size_t i) { return (run.momenta[i].angular - first).norm() / first.norm(); }));
      if (gradient != std::string("mean-value")) continue;
      Vec3 sum = Vec3::Zero();
      plot.curves.push_back(curve_of("mean-value, by the formula", run, [&](std::size_t i) {
        if (i > 0) sum += predicted_moment(run, i);
        return sum.norm() / first.norm();
      }));
    }
    plots.push_back(plot);
  }
  return plots;
}

std::vector<Plot> convergence() {
  const Appendix appendix(constraint_model("appendix"));
  std::vector<double> errors;
  for (const Appendix::Iterate& i : appendix.returned) errors.push_back(i.f.norm());
  Model whole = with_step(constraint_model("sine"), 0.4), printed = whole;
  printed.newton.tangent = "published";
  return {over_iterations("Appendix A: the return", "|f|", {sequence("Newton", errors)}),
          over_iterations("Appendix A: projection and return repeated", "distance from the minimum",
                          {sequence("as printed", appendix.outer_errors(false, 8)),
                           sequence("with the curvature of the constraints", appendix.outer_errors(true, 4))}),
          over_iterations("Sine constraint, second step of 0.4 s", "increment, relative",
                          {sequence("tangent of (20), (21)", iterations_of_step(printed, 2).increments),
                           sequence("whole tangent", iterations_of_step(whole, 2).increments)})};
}

std::vector<Plot> projection_energy() {
  Plot plot = over_time("Two masses, x² cos y = z³, h = 0.1 s", "E / E₀", {});
  for (const auto& [label, gradient] :
       {std::pair{"projection and return as published", "end"}, {"along the gradient at β", "mean-value"}}) {
    Model model = with_scheme(constraint_model("trig"), "projection-return", gradient);
    model.time.steps = 200;
    const ConstrainedRun run(model);
    plot.curves.push_back(curve_of(label, run, [&](std::size_t i) { return run.energies[i] / run.energies[0]; }));
  }
  return {plot};
}

}  // namespace

std::vector<Figure> constraints_figures() {
  return {{"3", "energy of rod and sphere, in kind: the paper prints no material data", first_example},
          {"5", "β of the trigonometric constraint, in kind: no material data are printed", second_beta},
          {"6", "momentum and energy of the same, in kind: no material data are printed", second_energy},
          {"beta", "β over time for five constraints", betas},
          {"angular-momentum", "angular momentum, which is not kept", momentum},
          {"convergence", "errors from iteration to iteration", convergence},
          {"projection-energy", "energy by projection and return", projection_energy, 1}};
}

}  // namespace trompo
