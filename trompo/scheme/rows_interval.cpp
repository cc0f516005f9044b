// Rows of the interval balance, M (v1 - v0)/h + f* = F* (steppers.hpp): what conserves.
#include <algorithm>

#include "trompo/scheme/rows.hpp"

namespace trompo {

namespace {

using namespace parts;
using enum Balance;
using Kind = Rule::Kind;

// ---- whom several follow ----

constexpr std::string_view gonzalez_1996 =
    "O. Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6 (1996)";
constexpr std::string_view krenk_2014 =
    "S. Krenk, Global format for energy-momentum based time integration in nonlinear dynamics, IJNME 100 (2014)";

// ---- parameters ----

// Krenk's algorithmic damping adds alpha/2 (f1 - f0) to the force; for a mean of the ends that is a shift of its weight.
constexpr Parameter damping{
    .name = "damping",
    .standard = 0,
    .least = 0,
    .most = 1,
    .why = "Krenk's alpha; rho_infinity = (1 - alpha)/(1 + alpha)",
    .set =
        [](Scheme& s, double alpha) {
          s.rule.damping = alpha;
          if (s.rule.kind == Kind::endpoint_average) s.rule.old_weight -= 0.5 * alpha;
        },
};
constexpr Parameter secant_threshold{
    .name = "secant_threshold",
    .standard = 1e-14,
    .least = 0,
    .most = 1,
    .why = "a cosine: secant = \"published\" leaves the correction out where that between du and dg is not above it",
    .set = [](Scheme& s, double value) { s.correction.threshold = value; },
};
constexpr Parameter points{
    .name = "points",
    .standard = 2,
    .least = 1,
    .most = 5,
    .why = "Gauss' points of the mean value",
    .set = [](Scheme& s, double value) { s.rule.points = static_cast<int>(value); },
    .whole = true,
};

// Of energy-decay.
constexpr Parameter decay{
    .name = "rho_infinity",
    .standard = 0.8,
    .least = 0,
    .most = 1,
    .why = "a spectral radius; at 1 nothing is lost",
    .set = [](Scheme& s, double rho) { s.decay.c = 0.5 * (1 - rho) / (1 + rho); },
};
constexpr Parameter decay_from{
    .name = "beta",
    .standard = -1. / 6,
    .least = -1,
    .most = -0.01,
    .why = "vibrations lose energy from omega h = 1/|beta| on; a positive one would lengthen the period",
    .set = [](Scheme& s, double value) { s.decay.beta = value; },
};

// Of backward-euler: what is Krenk's format with all of its damping, and loads of the end.
constexpr Parameter backward{
    .name = "rho_infinity",
    .standard = 0,
    .least = 0,
    .most = 0,
    .why = "it annihilates the highest frequencies; krenk-newmark with damping below 1 has others",
    .set =
        [](Scheme& s, double) {
          s.rule.damping = 1;
          s.rule.old_weight = s.rule.old_load = 0;
        },
};

// ---- options ----

Option constraint_rates() {
  return {
      .name = "constraint_rates",
      .values = {{"true"}, {"false", [](Scheme& s) { s.decay.constraint_rates = false; }}},
      .about = "the rates of quadratic constraints lose energy too; without, they go on for ever in long steps",
  };
}

// Every row of this balance has it.
Option constraint_gradient() {
  using Gradient = Rule::ConstraintGradient;
  return {
      .name = "constraint_gradient",
      .values = {{"secant"},
                 {"mean-value", [](Scheme& s) { s.rule.constraint_gradient = Gradient::mean_value; }},
                 {"gonzalez", [](Scheme& s) { s.rule.constraint_gradient = Gradient::gonzalez; }},
                 {"midpoint", [](Scheme& s) { s.rule.constraint_gradient = Gradient::midpoint; }},
                 {"end", [](Scheme& s) { s.rule.constraint_gradient = Gradient::end; }, 1}},
      .about = "what constraint forces go along; mean-value and gonzalez may lose momenta, midpoint and end do work",
  };
}

// The same with the new end first, as a scheme of that end is published.
Option constraint_gradient_of_end() {
  Option option = constraint_gradient();
  std::rotate(option.values.begin(), option.values.end() - 1, option.values.end());
  return option;
}

// Of Krenk's secant correction (secant_correction.hpp).
std::vector<Option> secant_options() {
  using Correction = SecantCorrection;
  return {
      {.name = "secant",
       .values = {{"robust", [](Scheme& s) { s.correction.mode = Correction::Mode::robust; }},
                  {"published", [](Scheme& s) { s.correction.mode = Correction::Mode::published; }}},
       .about = "how a vanishing du.dg is met"},
      {.name = "direction",
       .values = {{"force"}, {"displacement", [](Scheme& s) { s.correction.direction = Correction::Direction::displacement; }}},
       .about = "the correction goes along dg or du"},
      {.name = "energy_target",
       .values = {{"step"}, {"initial", [](Scheme& s) { s.correction.keep_initial_energy = true; }}},
       .about = "each step's own balance, or the energy of the start"},
      constraint_gradient(),
  };
}

// Which discrete gradient (energy_rules.hpp). One coordinate after the other, as Itoh and Abe take them, is not symmetric in
// time: first order.
Option form() {
  return {
      .name = "form",
      .values = {{"equivariant"},
                 {"gonzalez", [](Scheme& s) { s.rule.kind = Kind::gonzalez; }},
                 {"mean-value", [](Scheme& s) { s.rule.kind = Kind::mean_value; }},
                 {"itoh-abe", [](Scheme& s) { s.rule.kind = Kind::itoh_abe; }, 1}},
      .about = "angular momentum is kept by the first alone; mean-value is exact to its quadrature; itoh-abe is of first order",
  };
}

}  // namespace

std::vector<Row> interval_rows() {
  return {
      {
          .name = "energy-momentum-exact",
          .aliases = {"MEMexact"},
          .title = "Energy-momentum by the secant: exact for every strain measure",
          .reference = gonzalez_1996,
          .balance = interval,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one},
          .options = {constraint_gradient()},
          .claims = {.energy = true, .angular_momentum = true},
      },
      {
          .name = "energy-momentum-exact+xi",
          .aliases = {"MEMexact+xi"},
          .title = "The same, losing exactly xi (s1-s0).(r1-r0) per step",
          .reference = armero_petocz,
          .balance = interval,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one, xi},
          .options = {constraint_gradient()},
          .claims = {.order = 1, .order_when_damped = 1, .angular_momentum = true},
      },
      {
          .name = "energy-decay",
          .title = "The same, losing energy in every step by a theorem and keeping momenta: second order",
          .reference =
              "ours (theory, section 25); in the spirit of F. Armero, I. Romero, CMAME 190 (2001), and O. A. Bauchau, N. J. "
              "Theron (1996)",
          .balance = interval,
          .decays = true,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {decay, decay_from},
          .options = {constraint_rates(), constraint_gradient()},
          .claims = {.angular_momentum = true},
      },
      {
          .name = "backward-euler",
          .aliases = {"implicit-euler"},
          .title = "Backward Euler: forces, loads and velocity of the end; loses energy at every frequency",
          .reference = "E. Hairer, G. Wanner, Solving Ordinary Differential Equations II (1996)",
          .balance = interval,
          .rule = Kind::endpoint_average,
          .weights = {.formula = "M (v1 - v0)/h + f1 = F1, v1 = (q1 - q0)/h"},
          .parameters = {backward},
          .options = {constraint_gradient_of_end()},
          .claims = {.order = 1, .order_when_damped = 1},
      },
      {
          .name = "krenk-newmark",
          .aliases = {"krenk-trapezoidal"},
          .title = "Krenk's format without stiffness increment: end-point mean",
          .reference = krenk_2014,
          .balance = interval,
          .rule = Kind::endpoint_average,
          .weights = midpoint,
          .parameters = {only_one, damping},
          .options = {constraint_gradient()},
          .claims = {.order_when_damped = 1},
      },
      {
          .name = "krenk-quartic",
          .aliases = {"krenk-dK"},
          .title = "End-point mean less dK du/12: exact for a quartic energy",
          .reference = krenk_2014,
          .balance = interval,
          .rule = Kind::quartic,
          .weights = midpoint,
          .parameters = {only_one, damping},
          .options = {constraint_gradient()},
          .claims = {.order_when_damped = 1},
      },
      {
          .name = "krenk",
          .aliases = {"krenk-secant"},
          .title = "The same with a global secant correction: exact for every energy",
          .reference = krenk_2014,
          .balance = interval,
          .rule = Kind::quartic,
          .weights = midpoint,
          .parameters = {only_one, damping, secant_threshold},
          .options = secant_options(),
          .claims = {.order_when_damped = 1, .energy = true},
      },
      {
          .name = "krenk-geometric",
          .title =
              "End-point mean less dKg du/4: keeps angular momentum, and is simo-tarnow, where strain is quadratic and there "
              "alone",
          .reference = "S. Krenk, The role of geometric stiffness in momentum and energy conserving time integration, IJNME 71 "
                       "(2007)",
          .balance = interval,
          .rule = Kind::geometric,
          .weights = midpoint,
          .parameters = {only_one, damping},
          .options = {constraint_gradient()},
          .claims = {.order_when_damped = 1},
      },
      {
          .name = "discrete-gradient",
          .aliases = {"dg"},
          .title = "Discrete gradients: equivariant, Gonzalez, mean value, Itoh-Abe",
          .reference = gonzalez_1996,
          .balance = interval,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one, points},
          .options = {form(), constraint_gradient()},
          .claims = {.energy = true, .angular_momentum = true},
      },
      {
          .name = "projection-return",
          .title = "Energy-momentum by the secant, solved in independent coordinates and returned to the constraints along "
                   "normals; with constraint_gradient = end as published, P = T",
          .reference =
              "C. Ferreira, M. Doblare, Comparacion de dos formulaciones conservativas en energia y momento (Zaragoza)",
          .balance = interval,
          .returns = true,
          .rule = Kind::secant,
          .weights = midpoint,
          .parameters = {only_one},
          .options = {constraint_gradient()},
          .claims = {.energy = true, .angular_momentum = true},
      },
  };
}

}  // namespace trompo
