// The table of schemes. To add a one-step scheme, add a row here: the walk over the catalogue in tests/ checks its claims.
#include <limits>

#include "trompo/scheme/catalogue.hpp"

namespace trompo {

namespace {

constexpr double unbounded = std::numeric_limits<double>::max();

constexpr Parameter only_one{"rho_infinity", 1, 1, 1,
                             "it has no dissipation to set; a damped relative is generalized-alpha or gem"};
constexpr Parameter rho(double standard) { return {"rho_infinity", standard, 0, 1, "a spectral radius"}; }
constexpr Parameter rho_hht{"rho_infinity", 1, 0.5, 1,
                            "below 1/2 the radius at infinity grows again (0.75 at 0.4, 1.17 at 0.3)"};
constexpr Parameter alpha_m{"alpha_m", 0, -1, 0.5, "beyond 1/2 the scheme is not stable"};
constexpr Parameter alpha_f{"alpha_f", 0, 0, 0.5, "beyond 1/2 the scheme is not stable"};
constexpr Parameter beta{"newmark_beta", 0.25, 1e-12, unbounded, "an implicit scheme needs beta > 0"};
constexpr Parameter gamma_{"newmark_gamma", 0.5, 0.5, unbounded, "below 1/2 the scheme gains energy in every step"};
constexpr Parameter damping{"damping", 0, 0, 1, "Krenk's alpha; rho_infinity = (1 - alpha)/(1 + alpha)"};
constexpr Parameter points{"points", 2, 1, 5, "Gauss' points of the mean value"};
constexpr Parameter xi{"xi", 0.1, 0, 1, "a negative one would feed energy in"};

constexpr Parameter tolerance{"tolerance", 1e-8, 1e-14, 1e-2, "error of each of its own steps, relative and absolute"};

using enum Balance;
using Kind = Rule::Kind;

constexpr Parameter simo_alpha{"simo_alpha", 0.5, 0, 1, "where in the step the torque is taken; second order at 1/2 only"};
constexpr std::string_view simo_wong =
    "J. C. Simo, K. K. Wong, Unconditionally stable algorithms for rigid body dynamics, IJNME 31 (1991)";
constexpr std::string_view simo_tarnow_wong =
    "J. C. Simo, N. Tarnow, K. K. Wong, Exact energy-momentum conserving algorithms, CMAME 100 (1992)";
constexpr std::string_view krenk_2014 =
    "S. Krenk, Global format for energy-momentum based time integration in nonlinear dynamics, IJNME 100 (2014)";

constexpr std::string_view ferreira_doblare =
    "C. Ferreira, M. Doblare, Comparacion de dos formulaciones conservativas en energia y momento (Zaragoza)";

constexpr std::string_view nitardi = "M. Nitardi (2018)";

// Every row of the interval balance has it.
Choice constraint_gradient() {
  return {"constraint_gradient",
          {"secant", "mean-value", "gonzalez", "midpoint"},
          "what constraint forces go along; mean-value and gonzalez may lose momenta, midpoint does work"};
}

// Where the mass is constant both words have the same solution.
Choice blend() {
  return {
      "blend",
      {"all", "recursion"},
      "what the alphas average for bodies in Euler parameters: inertia and forces (first order there) or accelerations alone"};
}

// clang-format off
// name, aliases (the codes of the papers), title, balance, rule, weights, parameters, claims, whom it follows.
const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {"trapezoidal", {"RT"}, "Trapezoidal rule (average acceleration)", end, Kind::endpoint_average, Family::fixed_trapezoidal,
       {only_one}, {}, "N. M. Newmark, A method of computation for structural dynamics, J. Eng. Mech. 85 (1959)"},

      {"midpoint", {"RPM"}, "Midpoint rule", end, Kind::midpoint, Family::fixed_midpoint,
       {only_one}, {.angular_momentum = true}, "T. J. R. Hughes, The Finite Element Method, ch. 9 (1987)"},

      {"newmark", {"MN"}, "Newmark's method, damped by gamma > 1/2", end, Kind::endpoint_average, Family::newmark,
       {rho(1), beta, gamma_}, {.order_when_damped = 1}, "N. M. Newmark, A method of computation for structural dynamics, J. Eng. Mech. 85 (1959)"},

      {"bossak", {"MaB", "wbz"}, "Bossak's alpha method: inertia averaged", end, Kind::endpoint_average, Family::bossak,
       {rho(1), alpha_m, beta, gamma_}, {}, "W. L. Wood, M. Bossak, O. C. Zienkiewicz, An alpha modification of Newmark's method, IJNME 15 (1981)", {blend()}},

      {"hht-1", {"MaH1", "hht"}, "Hilber's alpha method, forces of both ends averaged", end, Kind::endpoint_average, Family::hht,
       {rho_hht, alpha_f, beta, gamma_}, {}, "H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Improved numerical dissipation, EESD 5 (1977)", {blend()}},

      {"hht-2", {"MaH2"}, "Hilber's alpha method, force at the generalised midpoint", end, Kind::midpoint, Family::hht,
       {rho_hht, alpha_f, beta, gamma_}, {}, "D. Kuhl, M. A. Crisfield, Energy-conserving and decaying algorithms, IJNME 45 (1999)"},

      {"generalized-alpha-1", {"MaG1", "generalized-alpha"}, "Generalised alpha, forces of both ends averaged", end, Kind::endpoint_average,
       Family::generalized_alpha, {rho(0.8), alpha_m, alpha_f, beta, gamma_}, {},
       "J. Chung, G. M. Hulbert, The generalized-alpha method, J. Appl. Mech. 60 (1993)", {blend()}},

      {"generalized-alpha-2", {"MaG2"}, "Generalised alpha, force at the generalised midpoint", end, Kind::midpoint,
       Family::generalized_alpha, {rho(0.8), alpha_m, alpha_f, beta, gamma_}, {},
       "D. Kuhl, M. A. Crisfield, Energy-conserving and decaying algorithms, IJNME 45 (1999)"},

      {"energy-momentum", {"MEM"}, "Energy-momentum as published: mean strain, direction of the mid configuration", end, Kind::strain_average,
       Family::fixed_midpoint, {only_one}, {.angular_momentum = true},
       "J. C. Simo, N. Tarnow, The discrete energy-momentum method, ZAMP 43 (1992)"},

      {"energy-momentum+xi", {"MEMxi", "MEM+xi"}, "Energy-momentum with dissipation of strain rates", end, Kind::strain_average,
       Family::fixed_midpoint, {only_one, xi}, {.order = 1, .order_when_damped = 1, .angular_momentum = true},
       "F. Armero, E. Petocz, Formulation and analysis of conserving algorithms, CMAME 158 (1998)"},

      {"gem", {"MEMG"}, "Generalised energy-momentum", end, Kind::strain_average,
       Family::generalized_alpha, {rho(0.8), alpha_m, alpha_f, beta, gamma_}, {},
       "D. Kuhl, M. A. Crisfield, Energy-conserving and decaying algorithms, IJNME 45 (1999)"},

      {"gem+xi", {"MEMGxi", "MEMG+xi"}, "Generalised energy-momentum with dissipation of strain rates", end, Kind::strain_average,
       Family::generalized_alpha, {rho(0.8), alpha_m, alpha_f, beta, gamma_, xi}, {.order = 1, .order_when_damped = 1},
       "D. Kuhl, M. A. Crisfield, Energy-conserving and decaying algorithms, IJNME 45 (1999)"},

      {"energy-momentum-exact", {"MEMexact"}, "Energy-momentum by the secant: exact for every strain measure", interval, Kind::secant,
       Family::fixed_midpoint, {only_one}, {.energy = true, .angular_momentum = true},
       "O. Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6 (1996)", {constraint_gradient()}},

      {"energy-momentum-exact+xi", {"MEMexact+xi"}, "The same, losing exactly xi (s1-s0).(r1-r0) per step", interval, Kind::secant,
       Family::fixed_midpoint, {only_one, xi}, {.order = 1, .order_when_damped = 1, .angular_momentum = true},
       "F. Armero, E. Petocz, Formulation and analysis of conserving algorithms, CMAME 158 (1998)", {constraint_gradient()}},

      {"krenk-newmark", {"krenk-trapezoidal"}, "Krenk's format without stiffness increment: end-point mean", interval, Kind::endpoint_average,
       Family::fixed_midpoint, {only_one, damping}, {.order_when_damped = 1}, krenk_2014, {constraint_gradient()}},

      {"krenk-quartic", {"krenk-dK"}, "End-point mean less dK du/12: exact for a quartic energy", interval, Kind::quartic, Family::fixed_midpoint,
       {only_one, damping}, {.order_when_damped = 1}, krenk_2014, {constraint_gradient()}},

      {"krenk", {"krenk-secant"}, "The same with a global secant correction: exact for every energy", interval, Kind::quartic,
       Family::fixed_midpoint, {only_one, damping}, {.order_when_damped = 1, .energy = true}, krenk_2014,
       {{"secant", {"robust", "published"}, "how a vanishing du.dg is met"},
        {"direction", {"force", "displacement"}, "the correction goes along dg or du"},
        {"energy_target", {"step", "initial"}, "each step's own balance, or the energy of the start"},
        constraint_gradient()}},

      {"krenk-geometric", {"simo-tarnow"}, "End-point mean less dKg du/4: keeps angular momentum too where strain is quadratic", interval,
       Kind::geometric, Family::fixed_midpoint, {only_one, damping}, {.order_when_damped = 1},
       "S. Krenk, The role of geometric stiffness in momentum and energy conserving time integration, IJNME 71 (2007)", {constraint_gradient()}},

      {"discrete-gradient", {"dg"}, "Discrete gradients: equivariant, Gonzalez, mean value, Itoh-Abe", interval, Kind::secant,
       Family::fixed_midpoint, {only_one, points}, {.energy = true, .angular_momentum = true},
       "O. Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6 (1996)",
       {{"form", {"equivariant", "gonzalez", "mean-value", "itoh-abe"},
         "angular momentum is kept by the first alone; mean-value is exact to its quadrature; itoh-abe is of first order"},
        constraint_gradient()}},

      {"projection-return", {}, "Energy-momentum by the secant, solved in independent coordinates and returned to the constraints along normals",
       interval, Kind::secant, Family::fixed_midpoint, {only_one}, {.energy = true, .angular_momentum = true}, ferreira_doblare,
       {constraint_gradient()}, {}, true},

      {"bathe", {"rho-bathe"}, "Bathe's composite: trapezoidal rule, then three points", composite, Kind::endpoint_average, Family::composite,
       {rho(0)}, {}, "G. Noh, K. J. Bathe, The Bathe time integration method with controllable spectral radius, Comput. Struct. 212 (2019)"},

      {"simo-wong", {"SW"}, "One body about a fixed point: momenta balanced in space", top, Kind::secant, Family::fixed_midpoint,
       {only_one, simo_alpha}, {.angular_momentum = true}, simo_wong, {}, TopScheme::simo_wong},

      {"simo-collocation", {"COL"}, "The same, torque at the point of the step where it keeps energy", top, Kind::secant, Family::fixed_midpoint,
       {only_one}, {.energy = true, .angular_momentum = true}, simo_tarnow_wong, {}, TopScheme::simo_collocation},

      {"simo-projection", {"PROJ"}, "The same, torque of the middle scaled so that it keeps energy", top, Kind::secant, Family::fixed_midpoint,
       {only_one}, {.energy = true, .angular_momentum = true}, simo_tarnow_wong, {}, TopScheme::simo_projection},

      {"geradin-bauchau", {"GB"}, "One body about a fixed point: half rotations, momenta balanced in body axes; |Om| h < 2", top, Kind::secant,
       Family::fixed_midpoint, {only_one}, {.energy = true}, "E. Lens, A. Cardona, Algoritmos de integracion numerica en dinamica rotacional no lineal, Mecanica Computacional (2002)",
       {}, TopScheme::geradin_bauchau},

      {"geradin-bauchau-momentum", {"GBM"}, "The same with the balance of spatial momenta; |Om| h < 2", top, Kind::secant, Family::fixed_midpoint,
       {only_one}, {.energy = true, .angular_momentum = true}, "E. Lens, A. Cardona, Algoritmos de integracion numerica en dinamica rotacional no lineal, Mecanica Computacional (2002)",
       {}, TopScheme::geradin_bauchau_momentum},

      {"euler-poisson-midpoint", {"CAY"}, "Mid-point rule for body momentum and direction of gravity: keeps energy, vertical and axial momentum", top,
       Kind::secant, Family::fixed_midpoint, {only_one}, {.energy = true, .angular_momentum = true}, simo_tarnow_wong, {}, TopScheme::euler_poisson_midpoint},

      {"rk4", {"runge-kutta"}, "Runge and Kutta's classical scheme on accelerations; constraints are stabilised", index_one, Kind::midpoint,
       Family::no_weights, {only_one}, {.order = 4, .order_when_damped = 4}, nitardi, {}, {}, false, ExplicitScheme::runge_kutta},

      {"hamming", {}, "Hamming's predictor, modifier and corrector, iterated; of third order with the published start", index_one, Kind::midpoint,
       Family::no_weights, {only_one}, {.order = 4, .order_when_damped = 4}, "R. W. Hamming, Stable predictor-corrector methods for ordinary differential equations, J. ACM 6 (1959)",
       {{"start", {"rk4", "published"}, "three steps of rk4, or of Adams' formulas of rising order"}}, {}, false, ExplicitScheme::hamming},

      {"central-difference", {"DC"}, "Central difference of places; that of velocities is of first order where forces depend on velocities", index_one,
       Kind::midpoint, Family::no_weights, {only_one}, {}, nitardi,
       {{"form", {"position", "velocity"}, "what is differenced; velocity keeps the acceleration found at the half step's velocity"}}, {}, false,
       ExplicitScheme::central_difference},

      {"dormand-prince", {"dopri5"}, "Dormand and Prince 5(4), with steps of its own within a step", index_one, Kind::midpoint, Family::no_weights,
       {only_one, tolerance}, {.order = 5, .order_when_damped = 5}, "J. R. Dormand, P. J. Prince, A family of embedded Runge-Kutta formulae, J. Comput. Appl. Math. 6 (1980)",
       {}, {}, false, ExplicitScheme::dormand_prince},
  };
  return table;
}
// clang-format on

}  // namespace

std::span<const Row> catalogue() { return rows(); }

}  // namespace trompo
