// The groups of rows that make the catalogue, in its order, and what several of them share.
#pragma once

#include <limits>

#include "trompo/scheme/catalogue.hpp"

namespace trompo {

[[nodiscard]] std::vector<Row> end_rows();        // rows_end.cpp: forces of both ends balanced
[[nodiscard]] std::vector<Row> interval_rows();   // rows_interval.cpp: momenta balanced over the step
[[nodiscard]] std::vector<Row> composite_rows();  // rows_end.cpp: forces balanced at points within the step too
[[nodiscard]] std::vector<Row> multistep_rows();  // rows_end.cpp: forces balanced at the end, places of earlier steps
[[nodiscard]] std::vector<Row> forced_rows();     // rows_forced.cpp: forces balanced at the end, energy by one more equation
[[nodiscard]] std::vector<Row> top_rows();        // rows_top.cpp: one body about a fixed point
[[nodiscard]] std::vector<Row> explicit_rows();   // rows_explicit.cpp: accelerations integrated

namespace parts {

inline constexpr std::string_view armero_petocz =
    "F. Armero, E. Petocz, Formulation and analysis of conserving algorithms, CMAME 158 (1998)";

// ---- parameters ----

inline constexpr double unbounded = std::numeric_limits<double>::max();
inline constexpr Parameter only_one{
    .name = "rho_infinity",
    .standard = 1,
    .least = 1,
    .most = 1,
    .why = "it has no dissipation to set; a damped relative is generalized-alpha or gem",
};
inline constexpr Parameter only_zero{
    .name = "rho_infinity",
    .standard = 0,
    .least = 0,
    .most = 0,
    .why = "it annihilates the highest frequencies; bathe does too, with less damping of the others",
};
constexpr Parameter rho(double standard) {
  return {.name = "rho_infinity", .standard = standard, .least = 0, .most = 1, .why = "a spectral radius"};
}
inline constexpr Parameter xi{
    .name = "xi",
    .standard = 0.1,
    .least = 0,
    .most = 1,
    .why = "a negative one would feed energy in",
    .set = [](Scheme& s, double value) { s.rule.xi = value; },
};

// ---- weights ----

inline constexpr Weights trapezoidal{.formula = "alpha_m = alpha_f = 0, beta = 1/4, gamma = 1/2"};
// Chung and Hulbert's optimal ones.
inline constexpr Weights generalized_alpha{
    .alpha_m = [](double r) { return (2 * r - 1) / (r + 1); },
    .alpha_f = [](double r) { return r / (r + 1); },
    .formula = "alpha_m = (2r-1)/(r+1), alpha_f = r/(r+1), gamma = 1/2-alpha_m+alpha_f, beta = (gamma+1/2)^2/4",
};
inline constexpr Weights midpoint{
    .alpha_m = [](double) { return 0.5; },
    .alpha_f = [](double) { return 0.5; },
    .formula = "alpha_m = alpha_f = 1/2, beta = 1/4, gamma = 1/2",
};

}  // namespace parts
}  // namespace trompo
