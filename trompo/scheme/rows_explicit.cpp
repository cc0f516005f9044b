// Rows that integrate accelerations, with constraints by their second derivative (explicit_schemes.hpp).
#include "trompo/scheme/rows.hpp"

namespace trompo {

namespace {

using namespace parts;
using enum Balance;
using Kind = Rule::Kind;

// ---- whom several follow ----

constexpr std::string_view nitardi = "M. Nitardi (2018)";

// ---- weights ----

constexpr Weights none{.formula = "none: explicit"};

// ---- parameters ----

constexpr Parameter tolerance{
    .name = "tolerance",
    .standard = 1e-8,
    .least = 1e-14,
    .most = 1e-2,
    .why = "error of each of its own steps, relative and absolute",
    .set = [](Scheme& s, double value) { s.explicit_settings.tolerance = value; },
};

}  // namespace

std::vector<Row> explicit_rows() {
  return {
      {
          .name = "forward-euler",
          .aliases = {"explicit-euler"},
          .title = "Forward Euler: rates of the old end; undamped vibrations grow whatever the step",
          .reference = "L. Euler, Institutionum calculi integralis (1768)",
          .balance = index_one,
          .explicit_scheme = ExplicitScheme::forward_euler,
          .rule = Kind::midpoint,
          .weights = none,
          .parameters = {only_one},
          .claims = {.order = 1, .order_when_damped = 1, .stable_to = 0},
      },
      {
          .name = "rk4",
          .aliases = {"runge-kutta"},
          .title = "Runge and Kutta's classical scheme on accelerations; constraints are stabilised",
          .reference = nitardi,
          .balance = index_one,
          .explicit_scheme = ExplicitScheme::runge_kutta,
          .rule = Kind::midpoint,
          .weights = none,
          .parameters = {only_one},
          .claims = {.order = 4, .order_when_damped = 4, .stable_to = 2.8284271247461903},
      },
      {
          .name = "hamming",
          .title = "Hamming's predictor, modifier and corrector, iterated; of third order with the published start",
          .reference = "R. W. Hamming, Stable predictor-corrector methods for ordinary differential equations, J. ACM 6 (1959)",
          .balance = index_one,
          .explicit_scheme = ExplicitScheme::hamming,
          .rule = Kind::midpoint,
          .weights = none,
          .parameters = {only_one},
          .options = {{
              .name = "start",
              .values = {{"rk4"}, {"published", [](Scheme& s) { s.explicit_settings.hamming = HammingStart::adams; }, 3}},
              .about = "three steps of rk4, or of Adams' formulas of rising order",
          }},
          .claims = {.order = 4, .order_when_damped = 4},
      },
      {
          .name = "central-difference",
          .aliases = {"DC"},
          .title = "Central difference of places; that of velocities is of first order where forces depend on velocities",
          .reference = nitardi,
          .balance = index_one,
          .explicit_scheme = ExplicitScheme::central_difference,
          .rule = Kind::midpoint,
          .weights = none,
          .parameters = {only_one},
          .options = {{
              .name = "form",
              .values = {{"position"},
                         {"velocity", [](Scheme& s) { s.explicit_settings.central_difference = DifferenceForm::velocity; }, 1}},
              .about = "what is differenced; velocity keeps the acceleration found at the half step's velocity",
          }},
      },
      {
          .name = "dormand-prince",
          .aliases = {"dopri5"},
          .title = "Dormand and Prince 5(4), with steps of its own within a step",
          .reference =
              "J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6 (1980)",
          .balance = index_one,
          .explicit_scheme = ExplicitScheme::dormand_prince,
          .rule = Kind::midpoint,
          .weights = none,
          .parameters = {only_one, tolerance},
          .claims = {.order = 5, .order_when_damped = 5, .steps_of_its_own = true},
      },
  };
}

}  // namespace trompo
