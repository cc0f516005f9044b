#include "trompo/scheme/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "trompo/model/source.hpp"

namespace trompo {

namespace {

constexpr double unbounded = std::numeric_limits<double>::max();

constexpr Parameter only_one{"rho_infinity", 1, 1, 1, "it has no dissipation to set; a damped relative is generalized-alpha or gem"};
constexpr Parameter rho(double standard) { return {"rho_infinity", standard, 0, 1, "a spectral radius"}; }
constexpr Parameter rho_hht{"rho_infinity", 1, 0.5, 1, "below 1/2 the radius at infinity grows again (0.75 at 0.4, 1.17 at 0.3)"};
constexpr Parameter alpha_m{"alpha_m", 0, -1, 0.5, "beyond 1/2 the scheme is not stable"};
constexpr Parameter alpha_f{"alpha_f", 0, 0, 0.5, "beyond 1/2 the scheme is not stable"};
constexpr Parameter beta{"newmark_beta", 0.25, 1e-12, unbounded, "an implicit scheme needs beta > 0"};
constexpr Parameter gamma_{"newmark_gamma", 0.5, 0.5, unbounded, "below 1/2 the scheme gains energy in every step"};
constexpr Parameter xi{"xi", 0.1, 0, 1, "a negative one would feed energy in"};

using enum Balance;
using Kind = Rule::Kind;

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
       {rho(1), alpha_m, beta, gamma_}, {}, "W. L. Wood, M. Bossak, O. C. Zienkiewicz, An alpha modification of Newmark's method, IJNME 15 (1981)"},

      {"hht-1", {"MaH1", "hht"}, "Hilber's alpha method, forces of both ends averaged", end, Kind::endpoint_average, Family::hht,
       {rho_hht, alpha_f, beta, gamma_}, {}, "H. M. Hilber, T. J. R. Hughes, R. L. Taylor, Improved numerical dissipation, EESD 5 (1977)"},

      {"hht-2", {"MaH2"}, "Hilber's alpha method, force at the generalised midpoint", end, Kind::midpoint, Family::hht,
       {rho_hht, alpha_f, beta, gamma_}, {}, "D. Kuhl, M. A. Crisfield, Energy-conserving and decaying algorithms, IJNME 45 (1999)"},

      {"generalized-alpha-1", {"MaG1", "generalized-alpha"}, "Generalised alpha, forces of both ends averaged", end, Kind::endpoint_average,
       Family::generalized_alpha, {rho(0.8), alpha_m, alpha_f, beta, gamma_}, {},
       "J. Chung, G. M. Hulbert, The generalized-alpha method, J. Appl. Mech. 60 (1993)"},

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
       "O. Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6 (1996)"},

      {"energy-momentum-exact+xi", {"MEMexact+xi"}, "The same, losing exactly xi (s1-s0).(r1-r0) per step", interval, Kind::secant,
       Family::fixed_midpoint, {only_one, xi}, {.order = 1, .order_when_damped = 1, .angular_momentum = true},
       "F. Armero, E. Petocz, Formulation and analysis of conserving algorithms, CMAME 158 (1998)"},
  };
  return table;
}

struct Alphas {
  double m, f;
};

// Chung and Hulbert's optimal weights and their relatives, from the spectral radius at infinity.
Alphas alphas(Family family, double rho_infinity) {
  const double r = rho_infinity;
  switch (family) {
    case Family::fixed_trapezoidal:
    case Family::newmark: return {0, 0};
    case Family::fixed_midpoint: return {0.5, 0.5};
    case Family::bossak: return {(r - 1) / (r + 1), 0};
    case Family::hht: return {0, (1 - r) / (1 + r)};
    case Family::generalized_alpha: return {(2 * r - 1) / (r + 1), r / (r + 1)};
  }
  return {0, 0};
}

}  // namespace

std::span<const Row> catalogue() { return rows(); }

std::string_view family_note(const Row& row) {
  switch (row.family) {
    case Family::fixed_trapezoidal: return "alpha_m = alpha_f = 0, beta = 1/4, gamma = 1/2";
    case Family::fixed_midpoint: return "alpha_m = alpha_f = 1/2, beta = 1/4, gamma = 1/2";
    case Family::newmark: return "gamma = (3-r)/(2r+2), beta = (gamma+1/2)^2/4";
    case Family::bossak: return "alpha_m = (r-1)/(r+1), gamma = 1/2-alpha_m, beta = (gamma+1/2)^2/4";
    case Family::hht: return "alpha_f = (1-r)/(1+r), gamma = 1/2+alpha_f, beta = (gamma+1/2)^2/4";
    case Family::generalized_alpha:
      return "alpha_m = (2r-1)/(r+1), alpha_f = r/(r+1), gamma = 1/2-alpha_m+alpha_f, beta = (gamma+1/2)^2/4";
  }
  return "";
}

const Row* find_scheme(std::string_view name) {
  for (const Row& row : rows())
    if (row.name == name || std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end()) return &row;
  return nullptr;
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Row& row : rows()) names.emplace_back(row.name);
  return names;
}

Scheme make_scheme(std::string_view name, const std::map<std::string, double>& given) {
  const Row* row = find_scheme(name);
  if (row == nullptr) throw SchemeError("scheme", fmt::format("unknown scheme '{}'", name), suggestion(name, scheme_names()));

  std::string by_hand;
  for (const auto& [key, value] : given) {
    const auto parameter = std::find_if(row->parameters.begin(), row->parameters.end(), [&](const Parameter& p) { return p.name == key; });
    if (parameter == row->parameters.end()) {
      std::string has, who;
      for (const Parameter& p : row->parameters) has += (has.empty() ? "" : ", ") + std::string(p.name);
      for (const Row& other : rows())
        if (std::any_of(other.parameters.begin(), other.parameters.end(), [&](const Parameter& p) { return p.name == key; }))
          who += (who.empty() ? "" : ", ") + std::string(other.name);
      throw SchemeError(key, fmt::format("scheme '{}' has no use for '{}'", row->name, key),
                        fmt::format("it takes {}; '{}' belongs to {}", has, key, who.empty() ? "no scheme" : who));
    }
    if (!(value >= parameter->least && value <= parameter->most))
      throw SchemeError(key, fmt::format("{} = {} is out of range for scheme '{}'", key, value, row->name),
                        parameter->most == unbounded ? fmt::format("at least {}: {}", parameter->least, parameter->why)
                                                     : fmt::format("from {} to {}: {}", parameter->least, parameter->most, parameter->why));
    if (key != "rho_infinity" && key != "xi") by_hand = key;
  }
  if (!by_hand.empty() && given.contains("rho_infinity"))
    throw SchemeError(by_hand, fmt::format("rho_infinity and {} are both given", by_hand),
                      "rho_infinity sets all weights; give it, or weights by hand, not both");

  // What is not given by hand follows from what is: gamma from the alphas (second order), beta from gamma (least period error).
  const auto value_or = [&given](const char* key, double otherwise) {
    const auto found = given.find(key);
    return found == given.end() ? otherwise : found->second;
  };
  const double r = value_or("rho_infinity", row->parameters.front().standard);
  const Alphas from_rho = alphas(row->family, r);
  Scheme scheme;
  scheme.row = row;
  const double am = value_or("alpha_m", from_rho.m), af = value_or("alpha_f", from_rho.f);
  const double gamma = value_or("newmark_gamma", row->family == Family::newmark ? (3 - r) / (2 * r + 2) : 0.5 - am + af);
  const double beta_ = value_or("newmark_beta", 0.25 * (gamma + 0.5) * (gamma + 0.5));
  if (gamma < gamma_.least)
    throw SchemeError(by_hand, fmt::format("alpha_m = {} and alpha_f = {} give gamma = {:g}: the scheme would gain energy", am, af, gamma),
                      "choose alpha_m <= alpha_f, or give newmark_gamma as well");
  scheme.weights = {am, beta_, gamma};
  scheme.rule = {row->rule, af, 0.0};
  for (const Parameter& p : row->parameters)
    if (p.name == "xi") scheme.rule.xi = value_or("xi", p.standard);

  scheme.parameters = {{"alpha_m", am}, {"alpha_f", af}, {"newmark_beta", beta_}, {"newmark_gamma", gamma}, {"xi", scheme.rule.xi}};
  if (by_hand.empty()) scheme.parameters["rho_infinity"] = r;
  return scheme;
}

std::unique_ptr<Stepper> make_stepper(const Scheme& scheme, const System& system, const NewtonOptions& options) {
  if (scheme.row->balance == Balance::interval) return std::make_unique<IntervalBalance>(system, scheme.rule, options);
  return std::make_unique<EndBalance>(system, scheme.rule, scheme.weights, options);
}

}  // namespace trompo
