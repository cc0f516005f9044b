// What a run that ended early says of it.
#include <fmt/format.h>

#include <cmath>

#include "trompo/run/run.hpp"

namespace trompo {

namespace {
std::string written(double x) { return std::isfinite(x) ? fmt::format("{:.2e}", x) : "not finite"; }
}  // namespace

std::string Failure::dossier() const {
  if (!account.empty()) return account;
  static constexpr std::string_view reasons[] = {
      "",
      "Newton used up its iterations",
      "a force, a coordinate or an energy became infinite",
      "the tangent is singular",
      "a body turns by more in a step than the scheme or max_rotation_per_step allows",
      "the scheme is not stable here: its accelerations have left the constraints, or it fed in energy of its own",
      "the body has turned too far from where the step was to lead",
      "they have come apart: no motion closes both",
      "not defined along the whole of the step: the formula has a pole there, or leaves its domain; a bar has no length; a "
      "joint whose turn has a spring turns by more than half a turn",
      "the step has a solution, but none that keeps the energy and momenta that the scheme forces",
      "what forces the energy is more than half of the force itself: the step no longer solves the equations of motion",
      "the scheme's own steps within a step have become too small to go on: the place is singular, or far too stiff for it"};
  std::string text = fmt::format("stopped in step {} at t = {:.9g} s, last tried with a step of {:.3g} s: {}{}\n", step, time,
                                 step_size, culprit.empty() ? "" : culprit + ": ", reasons[static_cast<int>(newton.end)]);
  if (!worst.empty()) text += "  equations farthest from balance: residual (allowed)\n";
  for (const Equation& e : worst) text += fmt::format("    {:<24} {} ({})\n", e.name, written(e.residual), written(e.allowed));
  if (newton.recorded > 0) text += "  iteration   residual/tolerance   increment\n";
  for (int i = 0; i < newton.recorded; ++i) {
    text += fmt::format("  {:9}   {:>18}", i, written(newton.residual[i]));
    if (i < newton.iterations && i < NewtonReport::kept) text += fmt::format("   {:>10}", written(newton.increment[i]));
    text += '\n';
  }
  for (const Diagnostic& d : warnings) text += "  " + d.message + ": " + d.remedy + "\n";
  text +=
      "  try: a smaller time.step; a scheme that keeps or dissipates energy (energy-momentum-exact, energy-momentum+xi);\n"
      "       a start nearer to equilibrium (initial_acceleration = \"consistent\"); a larger newton.max_iterations";
  return text;
}

}  // namespace trompo
