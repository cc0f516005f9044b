// Measurements after Ferreira and Doblare: the iterations of Appendix A, those of a step, what each gradient keeps, and
// projection and return beside multipliers.
#include <fmt/format.h>

#include <cmath>

#include "apps/reproduce_constraints.hpp"
#include "trompo/math/known.hpp"

namespace trompo {

namespace {

Outcome word(const std::string& text) { return {std::nan(""), text}; }
Outcome number(double x, const char* form) { return {x, fmt::format(fmt::runtime(form), x)}; }
Outcome small(double x) { return number(x, "{:.1e}"); }
Outcome none() { return word(""); }
Outcome term(const std::vector<double>& values, std::size_t i) { return i < values.size() ? small(values[i]) : none(); }

Table return_table(const Appendix& a) {
  Table t{"Appendix A, first example: the return, from iteration to iteration of Newton",
          {"iteration", "alpha 1", "alpha 2", "u1", "u2", "u3", "f1", "f2", "|f| / |f before|^2", "theta"},
          {}};
  double before = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    const auto& [alpha, u, f] = a.returned.at(k);
    std::vector<Outcome> row{number(static_cast<double>(k), "{:.0f}")};
    for (const double x : {alpha[0], alpha[1], u[0], u[1], u[2]}) row.push_back(number(x, "{:.7f}"));
    row.push_back(small(f[0]));
    row.push_back(small(f[1]));
    row.push_back(k == 0 || f.norm() < 1e-13 ? none() : number(f.norm() / (before * before), "{:.3f}"));
    row.push_back(number(a.theta(u), "{:.7f}"));
    before = f.norm();
    t.rows.push_back(row);
  }
  return t;
}

Table outer_table(const Appendix& a) {
  Table t{"Appendix A, first example: distance from the minimum, when projection and return are repeated",
          {"iteration", "as printed", "over the one before", "with the curvature of the constraints", "over the square before"},
          {}};
  const std::vector<double> plain = a.outer_errors(false, 8), curved = a.outer_errors(true, 4);
  for (std::size_t k = 0; k < plain.size(); ++k) {
    const bool first = k == 0, there = k < curved.size() && (first || curved[k - 1] > 1e-10);
    t.rows.push_back(
        {number(static_cast<double>(k), "{:.0f}"), number(plain[k], "{:.4f}"),
         first ? none() : number(plain[k] / plain[k - 1], "{:.3f}"), there ? small(curved[k]) : none(),
         first || !there || curved[k] < 1e-13 ? none() : number(curved[k] / std::pow(curved[k - 1], 2), "{:.3f}")});
  }
  return t;
}

// A step that is long enough for several iterations.
Table step_table() {
  constexpr double h = 0.4;
  constexpr long step = 2;
  Model whole = with_step(constraint_model("sine"), h), printed = whole;
  printed.newton.tangent = "published";
  const StepIterations a = iterations_of_step(whole, step), b = iterations_of_step(printed, step);
  Table t{
      fmt::format("Sine constraint (18), step {} of {:g} s: Newton by the tangent of (20), (21) and by the whole one", step, h),
      {"iteration", "residual / tolerance, printed", "increment, printed", "residual / tolerance, whole", "increment, whole"},
      {}};
  for (std::size_t k = 0; k < std::max(a.residuals.size(), b.residuals.size()); ++k)
    t.rows.push_back({number(static_cast<double>(k), "{:.0f}"), term(b.residuals, k), term(b.increments, k),
                      term(a.residuals, k), term(a.increments, k)});
  return t;
}

Table momentum_table() {
  Table t{
      "Three free masses, 20 s: what is lost of energy, linear and angular momentum, largest deviation over the first value",
      {"gradient", "step [s]", "energy", "linear", "angular", "iterations"},
      {}};
  for (const char* gradient : {"mean-value", "gonzalez", "midpoint", "secant"})
    for (const double h : {0.1, 0.05, 0.025}) {
      const ConstrainedRun run(with_scheme(with_step(constraint_model("free"), h), "energy-momentum-exact", gradient));
      const RunResult& r = run.result;
      t.rows.push_back({word(gradient), number(h, "{:g}"), small(run.energy_drift()),
                        small(r.linear_drift / r.momentum_initial.linear.norm()),
                        small(r.angular_drift / r.momentum_initial.angular.norm()), number(run.iterations(), "{:.2f}")});
    }
  return t;
}

double microseconds_a_step(const Model& model) {  // the best of three: others are at work too
  const System system(model);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) least = std::min(least, run(model, system, scheme_of(model)).wall_seconds);
  return 1e6 * least / static_cast<double>(known(model.time.steps));
}

Table methods_table() {
  Table t{"Projection and return beside multipliers: 1000 steps; 100 along the gradient at the end, as published",
          {"model", "unknowns", "independent", "gradient", "iterations, multipliers", "iterations, projection",
           "us/step, multipliers", "us/step, projection", "states differ by", "energy lost, projection"},
          {}};
  const auto add = [&t](const std::string& name, const char* title, const char* gradient) {
    Model model = constraint_model(name);
    model.time.steps = gradient == std::string("end") ? 100 : 1000;  // energy does not stay for longer
    const Model by_multipliers = with_scheme(model, "energy-momentum-exact", gradient),
                by_projection = with_scheme(model, "projection-return", gradient);
    const ConstrainedRun a(by_multipliers), b(by_projection);
    const int n = a.system.equations(), m = a.system.multipliers();
    t.rows.push_back({word(title), number(n + m, "{:.0f}"), number(n - m, "{:.0f}"), word(gradient),
                      number(a.iterations(), "{:.2f}"), number(b.iterations(), "{:.2f}"),
                      number(microseconds_a_step(by_multipliers), "{:.1f}"),
                      number(microseconds_a_step(by_projection), "{:.1f}"), small(distance(a, b)), small(b.energy_drift())});
  };
  for (const char* gradient : {"mean-value", "end"}) {
    add("sine", "sine (18)", gradient);
    add("trig", "two masses, trigonometric", gradient);
    add("pendulum", "spherical pendulum", gradient);
    add("bead", "bead on a cubic surface", gradient);
    add("free", "three free masses", gradient);
  }
  return t;
}

}  // namespace

std::vector<Table> constraints_tables() {
  const Appendix appendix(constraint_model("appendix"));
  return {return_table(appendix), outer_table(appendix), step_table(), momentum_table(), methods_table()};
}

}  // namespace trompo
