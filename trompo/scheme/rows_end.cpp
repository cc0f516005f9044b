// Rows of the end balance, M ((1-am) a1 + am a0) + f* = F*, and of the composite one (steppers.hpp).
#include "trompo/scheme/rows.hpp"

namespace trompo {

namespace {

using namespace parts;
using enum Balance;
using Kind = Rule::Kind;

// ---- whom several follow ----

constexpr std::string_view newmark_1959 =
    "N. M. Newmark, A method of computation for structural dynamics, J. Eng. Mech. 85 (1959)";
constexpr std::string_view kuhl_crisfield =
    "D. Kuhl, M. A. Crisfield, Energy-conserving and decaying algorithms, IJNME 45 (1999)";

// ---- weights ----

constexpr Weights newmark{
    .gamma = [](double r) { return (3 - r) / (2 * r + 2); },
    .formula = "gamma = (3-r)/(2r+2), beta = (gamma+1/2)^2/4",
};
constexpr Weights bossak{
    .alpha_m = [](double r) { return (r - 1) / (r + 1); },
    .formula = "alpha_m = (r-1)/(r+1), gamma = 1/2-alpha_m, beta = (gamma+1/2)^2/4",
};
constexpr Weights hht{
    .alpha_f = [](double r) { return (1 - r) / (1 + r); },
    .formula = "alpha_f = (1-r)/(1+r), gamma = 1/2+alpha_f, beta = (gamma+1/2)^2/4",
};
constexpr Weights linear_acceleration{.beta = [](double) { return 1. / 6; }, .formula = "beta = 1/6, gamma = 1/2"};
constexpr Weights fox_goodwin{.beta = [](double) { return 1. / 12; }, .formula = "beta = 1/12, gamma = 1/2"};

// ---- parameters ----

constexpr Parameter rho_hht{"rho_infinity", 1, 0.5, 1,
                            "below 1/2 the radius at infinity grows again (0.75 at 0.4, 1.17 at 0.3)"};
constexpr Parameter limited{
    .name = "rho_infinity",
    .standard = 1,
    .least = 1,
    .most = 1,
    .why = "it damps nothing, and beyond its limit of stability there is no radius to set; newmark and bossak have one",
};
constexpr Parameter alpha_m{"alpha_m", 0, -1, 0.5, "beyond 1/2 the scheme is not stable"};
constexpr Parameter alpha_f{"alpha_f", 0, 0, 0.5, "beyond 1/2 the scheme is not stable"};
constexpr Parameter beta{"newmark_beta", 0.25, 1e-12, unbounded, "an implicit scheme needs beta > 0"};
constexpr Parameter gamma_{"newmark_gamma", 0.5, 0.5, unbounded, "below 1/2 the scheme gains energy in every step"};

// ---- options ----

// Where the mass is constant both values have the same solution.
Option blend() {
  return {
      .name = "blend",
      .values = {{"all"}, {"recursion", [](Scheme& s) { s.blend = Blend::recursion; }}},
      .about =
          "what the alphas average for bodies in Euler parameters: inertia and forces (first order there) or "
          "accelerations alone",
  };
}

// The direction of the strain-average force.
Option direction() {
  return {
      .name = "direction",
      .values = {{"middle"}, {"mean", [](Scheme& s) { s.rule.mean_gradient = true; }}},
      .about =
          "of the bar force: that of the mid configuration, or the mean of both ends' cosines, which loses angular momentum "
          "(Silva's equation 75)",
  };
}

}  // namespace

std::vector<Row> end_rows() {
  return {
      {
          .name = "trapezoidal",
          .aliases = {"RT"},
          .title = "Trapezoidal rule (average acceleration)",
          .reference = newmark_1959,
          .balance = end,
          .rule = Kind::endpoint_average,
          .weights = trapezoidal,
          .parameters = {only_one},
      },
      {
          .name = "midpoint",
          .aliases = {"RPM"},
          .title = "Midpoint rule",
          .reference = "T. J. R. Hughes, The Finite Element Method, ch. 9 (1987)",
          .balance = end,
          .rule = Kind::midpoint,
          .weights = midpoint,
          .parameters = {only_one},
          .claims = {.angular_momentum = true},
      },
      {
          .name = "newmark",
          .aliases = {"MN", "NM"},
          .title = "Newmark's method, damped by gamma > 1/2",
          .reference = newmark_1959,
          .balance = end,
          .rule = Kind::endpoint_average,
          .weights = newmark,
          .parameters = {rho(1), beta, gamma_},
          .claims = {.order_when_damped = 1},
      },
      {
          .name = "linear-acceleration",
          .title = "Newmark's method with a linear acceleration: undamped, bounded for omega h up to sqrt(12)",
          .reference = newmark_1959,
          .balance = end,
          .rule = Kind::endpoint_average,
          .weights = linear_acceleration,
          .parameters = {limited},
          .claims = {.stable_to = 3.4641016151377544},
      },
      {
          .name = "fox-goodwin",
          .title =
              "Newmark's method with the least period error, of fourth order in omega h: bounded for omega h up to sqrt(6)",
          .reference = "L. Fox, E. T. Goodwin, Some new methods for the numerical integration of ordinary differential "
                       "equations, Proc. Cambridge Phil. Soc. 45 (1949)",
          .balance = end,
          .rule = Kind::endpoint_average,
          .weights = fox_goodwin,
          .parameters = {limited},
          .claims = {.stable_to = 2.449489742783178},
      },
      {
          .name = "bossak",
          .aliases = {"MaB", "wbz"},
          .title = "Bossak's alpha method: inertia averaged",
          .reference = "W. L. Wood, M. Bossak, O. C. Zienkiewicz, An alpha modification of Newmark's method, IJNME 15 (1981)",
          .balance = end,
          .rule = Kind::endpoint_average,
          .weights = bossak,
          .parameters = {rho(1), alpha_m, beta, gamma_},
          .options = {blend()},
      },
      {
          .name = "hht-1",
          .aliases = {"MaH1", "hht"},
          .title = "Hilber's alpha method, forces of both ends averaged",
          .reference = "H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Improved numerical dissipation, EESD 5 (1977)",
          .balance = end,
          .rule = Kind::endpoint_average,
          .weights = hht,
          .parameters = {rho_hht, alpha_f, beta, gamma_},
          .options = {blend()},
      },
      {
          .name = "hht-2",
          .aliases = {"MaH2"},
          .title = "Hilber's alpha method, force at the generalised midpoint",
          .reference = kuhl_crisfield,
          .balance = end,
          .rule = Kind::midpoint,
          .weights = hht,
          .parameters = {rho_hht, alpha_f, beta, gamma_},
      },
      {
          .name = "generalized-alpha-1",
          .aliases = {"MaG1", "generalized-alpha"},
          .title = "Generalised alpha, forces of both ends averaged",
          .reference = "J. Chung, G. M. Hulbert, The generalized-alpha method, J. Appl. Mech. 60 (1993)",
          .balance = end,
          .rule = Kind::endpoint_average,
          .weights = generalized_alpha,
          .parameters = {rho(0.8), alpha_m, alpha_f, beta, gamma_},
          .options = {blend()},
      },
      {
          .name = "generalized-alpha-2",
          .aliases = {"MaG2"},
          .title = "Generalised alpha, force at the generalised midpoint",
          .reference = kuhl_crisfield,
          .balance = end,
          .rule = Kind::midpoint,
          .weights = generalized_alpha,
          .parameters = {rho(0.8), alpha_m, alpha_f, beta, gamma_},
      },
      {
          .name = "energy-momentum",
          .aliases = {"MEM", "simo-tarnow"},
          .title =
              "Energy-momentum as published: mean strain, direction of the mid configuration; keeps energy too where strain is "
              "quadratic",
          .reference = "J. C. Simo, N. Tarnow, The discrete energy-momentum method, ZAMP 43 (1992)",
          .balance = end,
          .rule = Kind::strain_average,
          .weights = midpoint,
          .parameters = {only_one},
          .options = {direction()},
          .claims = {.angular_momentum = true},
      },
      {
          .name = "energy-momentum+xi",
          .aliases = {"MEMxi", "MEM+xi"},
          .title = "Energy-momentum with dissipation of strain rates",
          .reference = armero_petocz,
          .balance = end,
          .rule = Kind::strain_average,
          .weights = midpoint,
          .parameters = {only_one, xi},
          .claims = {.order = 1, .order_when_damped = 1, .angular_momentum = true},
      },
      {
          .name = "gem",
          .aliases = {"MEMG"},
          .title = "Generalised energy-momentum",
          .reference = kuhl_crisfield,
          .balance = end,
          .rule = Kind::strain_average,
          .weights = generalized_alpha,
          .parameters = {rho(0.8), alpha_m, alpha_f, beta, gamma_},
      },
      {
          .name = "gem+xi",
          .aliases = {"MEMGxi", "MEMG+xi"},
          .title = "Generalised energy-momentum with dissipation of strain rates",
          .reference = kuhl_crisfield,
          .balance = end,
          .rule = Kind::strain_average,
          .weights = generalized_alpha,
          .parameters = {rho(0.8), alpha_m, alpha_f, beta, gamma_, xi},
          .claims = {.order = 1, .order_when_damped = 1},
      },
  };
}

std::vector<Row> composite_rows() {
  return {
      {
          .name = "bathe",
          .aliases = {"rho-bathe"},
          .title = "Bathe's composite: trapezoidal rule, then three points",
          .reference = "G. Noh, K. J. Bathe, The Bathe time integration method with controllable spectral radius, Comput. "
                       "Struct. 212 (2019)",
          .balance = composite,
          .rule = Kind::endpoint_average,
          .weights = {.composite = composite_weights,
                      .formula = "trapezoidal rule to (2-sqrt(2+2r))/(1-r) of the step, then three points"},
          .parameters = {rho(0)},
      },
  };
}

std::vector<Row> multistep_rows() {
  return {
      {
          .name = "houbolt",
          .title = "Houbolt's method: a cubic through four places; two steps of the trapezoidal rule to begin with",
          .reference = "J. C. Houbolt, A recurrence matrix solution for the dynamic response of elastic aircraft, J. Aeronaut. "
                       "Sci. 17 (1950)",
          .balance = multistep,
          .rule = Kind::endpoint_average,
          .weights = {.formula = "a1 = (2 q1 - 5 q0 + 4 q-1 - q-2)/h^2, v1 = (11 q1 - 18 q0 + 9 q-1 - 2 q-2)/(6 h)"},
          .parameters = {only_zero},
      },
  };
}

}  // namespace trompo
