// Study rows that force the energy of an end balance by equations of their own (forced_problem.hpp).
#include "trompo/scheme/rows.hpp"

namespace trompo {

namespace {

using namespace parts;
using enum Balance;
using Kind = Rule::Kind;

}  // namespace

std::vector<Row> forced_rows() {
  return {
      {
          .name = "constraint-energy",
          .title =
              "Trapezoidal rule with the energy forced by a multiplier: for study, the step may have several roots or none",
          .reference = "idea of T. J. R. Hughes, T. K. Caughey, W. K. Liu, Finite-element methods for nonlinear elastodynamics "
                       "which conserve energy, J. Appl. Mech. 45 (1978)",
          .balance = forced,
          .rule = Kind::endpoint_average,
          .weights = trapezoidal,
          .parameters = {only_one},
          .claims = {.energy = true},
      },
      {
          .name = "constraint-energy-momentum",
          .title = "Generalised alpha with energy and momenta forced by multipliers: for study likewise",
          .reference = "idea of D. Kuhl, E. Ramm, Constraint energy momentum algorithm, CMAME 136 (1996)",
          .balance = forced,
          .rule = Kind::endpoint_average,
          .weights = generalized_alpha,
          .parameters = {rho(0.8)},
          .options = {{.name = "momenta",
                       .values = {{"all", [](Scheme& s) { s.forced.angular = true; }}, {"linear"}},
                       .about = "angular momenta as well, about axes where nothing works against them, or linear ones alone"}},
          .claims = {.energy = true, .angular_momentum = true},
      },
  };
}

}  // namespace trompo
