#include "trompo/run/verdict.hpp"

#include <fmt/format.h>

#include "trompo/scheme/contradiction.hpp"

namespace trompo {

Verdict::Verdict(const Scheme& scheme, const NewtonOptions& newton, const State& start)
    : keeps_energy_(claims_energy(scheme)), tolerance_(newton.tolerance), start_(start.q) {}

// Below the rounding of energies counted from a far origin nothing can be said.
bool Verdict::created(const Ledger& ledger) const {
  constexpr double share = 0.5, rounding = 1e-9;
  const double created = ledger.created();
  return created > share * ledger.turnover() && created > rounding * ledger.scale();
}

// Every step may leave its equations open by Newton's tolerance.
bool Verdict::open(const Ledger& ledger, long steps) const {
  constexpr double least = 1e-6;
  return keeps_energy_ && std::abs(ledger.residual()) >
                              (least + tolerance_ * static_cast<double>(steps)) * std::max(ledger.scale(), ledger.turnover());
}

// Energies of what has hardly moved are those of rounding: nothing is judged by them.
bool Verdict::moved(const System& system, const State& state) const {
  constexpr double rounding = 1e-8;
  for (const int c : system.free())
    if (std::abs(state.q[c] - start_[c]) > rounding * system.coordinate_scale(c)) return true;
  return false;
}

namespace {

// Where most of the kinetic energy is: what blows up moves fastest.
std::string fastest(const System& system, const VecX& v) {
  int most = -1;
  double energy = 0;
  for (const int c : system.free())
    if (const double k = system.mass()[c] * v[c] * v[c]; k > energy) energy = k, most = c;
  return most < 0 ? "" : system.coordinate_name(most);
}

}  // namespace

std::string Verdict::reason(const Ledger& ledger, const System& system, const State& state) const {
  std::string text =
      created(ledger) ? fmt::format("{:.3g} J have come from nowhere, of {:.3g} J in all", ledger.created(), ledger.turnover())
                      : fmt::format("the energy balance is open by {:.3g} J, of {:.3g} J, although the scheme keeps energy",
                                    ledger.residual(), ledger.scale());
  if (const std::string name = fastest(system, state.v); !name.empty()) text += "; most of the motion is in " + name;
  // What joints cannot meet together does work before it counts as open.
  constexpr double seen = 1e-9;
  VecX error = VecX::Zero(system.multipliers()), size = error;
  system.constraint_errors(state.q, error, size);
  if (const Contradiction two = worst_contradiction(system, unreachable(system, state.q, error), seen * size);
      two.found() && two.other >= 0)
    text += fmt::format("; joints {} and {} contradict each other and are {:.3g} apart",
                        in_quotes(system.constraint_name(two.row)), in_quotes(system.constraint_name(two.other)), two.apart);
  return text;
}

}  // namespace trompo
