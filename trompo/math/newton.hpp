// The only Newton loop of the tree.
//
// A problem offers
//   void evaluate(bool tangent)      residual (and tangent) at the current unknown
//   double residual_ratio()          worst |r_i| / (tolerance_i): <= 1 passes; not finite: the point is unusable
//   bool residual_at_round_off()     every |r_i| below what rounding of the unknown alone explains
//   double solve_and_update()        factorise, solve, add the increment; returns the worst relative increment, NaN if singular
// and so keeps its vectors to itself: nothing is allocated here.
//
// Accepted when the last increment is below `increment` and the residual passes. A stiff bar cannot bring its residual
// below eps*EA, so a residual at round-off passes too, and an increment that no longer shrinks there ends the search.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace trompo {

struct NewtonOptions {
  double tolerance = 1e-10;  // of the residual, relative to the sum of the absolute terms of each equation
  double increment = 1e-12;  // of the increment, relative to the size of the model
  int max_iterations = 30;   // one iteration = one solve with the tangent
  bool modified = false;     // keep the tangent of the first iteration through the step
  double max_rotation = std::numeric_limits<double>::infinity();  // of a body in a step [rad]: more is no result
};

// From `beyond_reach` on they are for whoever owns the problem to say, of a solution that is none.
enum class NewtonEnd {
  converged,
  too_many_iterations,
  not_finite,
  singular,
  beyond_reach,
  unstable,
  turned_away,      // a body turned far beyond where the step was to lead
  constraint_open,  // joints of a loop demand what no motion can meet
  outside_domain,   // a formula passes through a place where it is not defined
  no_root,          // equations of motion have a solution, and those that force energy or momenta on it have none
  forced,           // they have one that no longer solves the equations of motion
  stalled           // a scheme with steps of its own used up those that it may take within a step
};

struct NewtonReport {
  static constexpr int kept = 64;  // iterations remembered for the dossier
  NewtonEnd end = NewtonEnd::too_many_iterations;
  int iterations = 0;
  int recorded = 0;
  std::array<double, kept> residual;   // residual / tolerance before each solve, and after the last; `recorded` of them
  std::array<double, kept> increment;  // relative increment of each solve
  [[nodiscard]] bool converged() const { return end == NewtonEnd::converged; }
};

// How the search ends; its course goes into the report.
template <class Problem>
[[nodiscard]] NewtonEnd iterate(Problem& problem, const NewtonOptions& options, NewtonReport& report) {
  const auto note = [&report](double residual) {
    if (report.recorded < NewtonReport::kept) report.residual[report.recorded++] = residual;
  };

  problem.evaluate(true);
  double ratio = problem.residual_ratio();
  note(ratio);
  double previous = std::numeric_limits<double>::infinity();
  while (true) {
    if (!std::isfinite(ratio)) return NewtonEnd::not_finite;
    if (report.iterations >= options.max_iterations) return NewtonEnd::too_many_iterations;

    const double step = problem.solve_and_update();
    if (report.iterations < NewtonReport::kept) report.increment[report.iterations] = step;
    ++report.iterations;
    if (!std::isfinite(step)) return NewtonEnd::singular;

    // A small increment announces the end: the residual alone decides, and the tangent is saved.
    const bool small = step <= options.increment;
    const bool stalled = step <= 1e4 * options.increment && step >= 0.5 * previous;
    previous = step;
    const bool expect_end = small || stalled;
    problem.evaluate(!expect_end && !options.modified);
    ratio = problem.residual_ratio();
    note(ratio);
    if (expect_end && std::isfinite(ratio)) {
      if (ratio <= 1.0 || problem.residual_at_round_off()) return NewtonEnd::converged;
      if (!options.modified) problem.evaluate(true);
    }
  }
}

// A report is a kilobyte: it is made where the caller has it, and never copied.
template <class Problem>
[[nodiscard]] NewtonReport newton(Problem& problem, const NewtonOptions& options) {
  NewtonReport report;
  report.end = iterate(problem, options, report);
  return report;
}

}  // namespace trompo
