#include "trompo/scheme/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "trompo/model/source.hpp"
#include "trompo/scheme/euler_balance.hpp"
#include "trompo/scheme/top_balance.hpp"

namespace trompo {

namespace {

using Kind = Rule::Kind;

struct Alphas {
  double m, f;
};

// Chung and Hulbert's optimal weights and their relatives, from the spectral radius at infinity.
Alphas alphas(Family family, double rho_infinity) {
  const double r = rho_infinity;
  switch (family) {
    case Family::fixed_trapezoidal:
    case Family::composite:
    case Family::no_weights:
    case Family::newmark: return {0, 0};
    case Family::fixed_midpoint: return {0.5, 0.5};
    case Family::bossak: return {(r - 1) / (r + 1), 0};
    case Family::hht: return {0, (1 - r) / (1 + r)};
    case Family::generalized_alpha: return {(2 * r - 1) / (r + 1), r / (r + 1)};
  }
  return {0, 0};
}

// Words into numbers.
void take_words(const std::map<std::string, std::string>& words, Scheme& scheme) {
  const auto is = [&words](const char* key, const char* word) {
    const auto found = words.find(key);
    return found != words.end() && found->second == word;
  };
  if (is("form", "gonzalez")) scheme.rule.kind = Kind::gonzalez;
  if (is("form", "mean-value")) scheme.rule.kind = Kind::mean_value;
  if (is("form", "itoh-abe")) scheme.rule.kind = Kind::itoh_abe;
  if (is("secant", "robust")) scheme.correction.mode = SecantCorrection::Mode::robust;
  if (is("secant", "published")) scheme.correction.mode = SecantCorrection::Mode::published;
  if (is("direction", "displacement")) scheme.correction.direction = SecantCorrection::Direction::displacement;
  scheme.correction.keep_initial_energy = is("energy_target", "initial");
  if (is("form", "velocity")) scheme.explicit_settings.form = CentralDifference::Form::velocity;
  if (is("start", "published")) scheme.explicit_settings.start = Hamming::Start::adams;
  scheme.recursion = is("blend", "recursion");
  using Gradient = Rule::ConstraintGradient;
  if (is("constraint_gradient", "mean-value")) scheme.rule.constraint_gradient = Gradient::mean_value;
  if (is("constraint_gradient", "gonzalez")) scheme.rule.constraint_gradient = Gradient::gonzalez;
  if (is("constraint_gradient", "midpoint")) scheme.rule.constraint_gradient = Gradient::midpoint;
}

bool turns_by_euler_parameters(const System& system) {
  return !system.bodies().empty() && system.formulation() == Formulation::euler_parameters;
}

}  // namespace

std::string_view family_note(const Row& row) {
  switch (row.family) {
    case Family::fixed_trapezoidal: return "alpha_m = alpha_f = 0, beta = 1/4, gamma = 1/2";
    case Family::fixed_midpoint: return "alpha_m = alpha_f = 1/2, beta = 1/4, gamma = 1/2";
    case Family::newmark: return "gamma = (3-r)/(2r+2), beta = (gamma+1/2)^2/4";
    case Family::bossak: return "alpha_m = (r-1)/(r+1), gamma = 1/2-alpha_m, beta = (gamma+1/2)^2/4";
    case Family::hht: return "alpha_f = (1-r)/(1+r), gamma = 1/2+alpha_f, beta = (gamma+1/2)^2/4";
    case Family::generalized_alpha:
      return "alpha_m = (2r-1)/(r+1), alpha_f = r/(r+1), gamma = 1/2-alpha_m+alpha_f, beta = (gamma+1/2)^2/4";
    case Family::composite: return "trapezoidal rule to (2-sqrt(2+2r))/(1-r) of the step, then three points";
    case Family::no_weights: return "none: explicit";
  }
  return "";
}

const Row* find_scheme(std::string_view name) {
  for (const Row& row : catalogue())
    if (row.name == name || std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end()) return &row;
  return nullptr;
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> names;
  for (const Row& row : catalogue()) names.emplace_back(row.name);
  return names;
}

Scheme make_scheme(std::string_view name, const std::map<std::string, double>& given,
                   const std::map<std::string, std::string>& chosen, const std::optional<Stabilisation>& stabilisation) {
  const Row* row = find_scheme(name);
  if (row == nullptr) throw SchemeError("scheme", fmt::format("unknown scheme '{}'", name), suggestion(name, scheme_names()));

  std::string by_hand;
  for (const auto& [key, value] : given) {
    const auto parameter =
        std::find_if(row->parameters.begin(), row->parameters.end(), [&](const Parameter& p) { return p.name == key; });
    if (parameter == row->parameters.end()) {
      std::string has, who;
      for (const Parameter& p : row->parameters) has += (has.empty() ? "" : ", ") + std::string(p.name);
      for (const Row& other : catalogue())
        if (std::any_of(other.parameters.begin(), other.parameters.end(), [&](const Parameter& p) { return p.name == key; }))
          who += (who.empty() ? "" : ", ") + std::string(other.name);
      throw SchemeError(key, fmt::format("scheme '{}' has no use for '{}'", row->name, key),
                        fmt::format("it takes {}; '{}' belongs to {}", has, key, who.empty() ? "no scheme" : who));
    }
    if (!(value >= parameter->least && value <= parameter->most))
      throw SchemeError(key, fmt::format("{} = {} is out of range for scheme '{}'", key, value, row->name),
                        parameter->most > 1e300
                            ? fmt::format("at least {}: {}", parameter->least, parameter->why)
                            : fmt::format("from {} to {}: {}", parameter->least, parameter->most, parameter->why));
    if (key == "points" && value != std::round(value))
      throw SchemeError(key, fmt::format("points = {} is not a whole number", value), "from 1 to 5");
    static constexpr std::array<std::string_view, 4> weights{"alpha_m", "alpha_f", "newmark_beta", "newmark_gamma"};
    if (std::find(weights.begin(), weights.end(), key) != weights.end()) by_hand = key;
  }
  std::map<std::string, std::string> words;
  for (const Choice& choice : row->choices) words[std::string(choice.name)] = choice.words.front();
  for (const auto& [key, word] : chosen) {
    const auto choice = std::find_if(row->choices.begin(), row->choices.end(), [&](const Choice& c) { return c.name == key; });
    if (choice == row->choices.end())
      throw SchemeError(key, fmt::format("scheme '{}' has no use for '{}'", row->name, key),
                        "see `trompo schemes` for what it takes");
    if (std::find(choice->words.begin(), choice->words.end(), word) == choice->words.end())
      throw SchemeError(key, fmt::format("{} = '{}' is not known to scheme '{}'", key, word, row->name),
                        suggestion(word, {choice->words.begin(), choice->words.end()}));
    words[key] = word;
  }
  if (stabilisation && row->balance != Balance::index_one)
    throw SchemeError("stabilisation", fmt::format("scheme '{}' has no use for 'stabilisation'", row->name),
                      "it closes its constraints at the end of every step; remove it, or take rk4, hamming, "
                      "central-difference or dormand-prince");
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
  if (gamma < 0.5)
    throw SchemeError(
        by_hand, fmt::format("alpha_m = {} and alpha_f = {} give gamma = {:g}: the scheme would gain energy", am, af, gamma),
        "choose alpha_m <= alpha_f, or give newmark_gamma as well");
  scheme.weights = {am, beta_, gamma};
  scheme.rule = {row->rule, af, 0.0};
  for (const Parameter& p : row->parameters) {
    if (p.name == "xi") scheme.rule.xi = value_or("xi", p.standard);
    if (p.name == "damping") scheme.rule.damping = value_or("damping", p.standard);
    if (p.name == "simo_alpha") scheme.simo_alpha = value_or("simo_alpha", p.standard);
    if (p.name == "tolerance") scheme.explicit_settings.tolerance = value_or("tolerance", p.standard);
    if (p.name == "points") scheme.rule.points = static_cast<int>(value_or("points", p.standard));
  }
  if (scheme.rule.kind == Kind::endpoint_average) scheme.rule.old_weight -= 0.5 * scheme.rule.damping;  // alpha/2 (f1 - f0)
  take_words(words, scheme);
  if (row->balance == Balance::index_one) {
    if (stabilisation) scheme.explicit_settings.stabilisation = *stabilisation;
    words["stabilisation"] = trompo::words(scheme.explicit_settings.stabilisation);
  }

  if (row->balance == Balance::composite)
    scheme.composite = composite_weights(r);
  else if (row->balance != Balance::top && row->balance != Balance::index_one)
    scheme.parameters = {
        {"alpha_m", am}, {"alpha_f", af}, {"newmark_beta", beta_}, {"newmark_gamma", gamma}, {"xi", scheme.rule.xi}};
  if (by_hand.empty()) scheme.parameters["rho_infinity"] = r;
  for (const Parameter& p : row->parameters)
    if (p.name == "damping" || p.name == "points" || p.name == "simo_alpha" || p.name == "tolerance")
      scheme.parameters[std::string(p.name)] = value_or(p.name.data(), p.standard);
  scheme.choices = std::move(words);
  return scheme;
}

std::optional<int> claimed_order(const Scheme& scheme, Formulation formulation) {
  const auto rho = scheme.parameters.find("rho_infinity");
  if (rho == scheme.parameters.end()) return std::nullopt;
  if (scheme.row->top && scheme.simo_alpha != 0.5) return 1;
  if (scheme.row->explicit_scheme) {
    const bool published = scheme.explicit_settings.start == Hamming::Start::adams;
    const bool late = scheme.explicit_settings.form == CentralDifference::Form::velocity;
    if (scheme.row->explicit_scheme == ExplicitScheme::dormand_prince) return std::nullopt;  // its steps are its own
    return published ? 3 : late ? 1 : scheme.row->claims.order;
  }
  if (scheme.rule.kind == Kind::itoh_abe) return 1;  // one coordinate after the other is not symmetric in time
  const bool damped = rho->second < 1 || scheme.rule.xi > 0 || scheme.rule.damping > 0;
  const int order = damped ? scheme.row->claims.order_when_damped : scheme.row->claims.order;
  const bool averages = scheme.rule.old_weight != 0 || scheme.weights.alpha_m != 0;
  const bool blended = formulation == Formulation::euler_parameters && scheme.row->balance == Balance::end && averages;
  return blended && !scheme.recursion ? std::min(order, scheme.row->claims.order_when_blended) : order;
}

std::string refusal(const Row& row, const System& system) {
  if (row.balance == Balance::top) return system.top().refusal;
  if (system.bodies().empty()) return {};
  if (row.returns) return "it has no form for bodies";
  if (row.balance == Balance::index_one)
    return system.formulation() == Formulation::euler_parameters ? "" : "its bodies turn by Euler parameters";
  if (row.balance != Balance::interval && system.formulation() == Formulation::rotation)
    return "it has no form for bodies with formulation = \"rotation\"";
  if (system.shares_mass() && system.formulation() != Formulation::directors)
    return "the consistent mass of its rods lies between bodies, and this formulation gives each body an inertia of its own";
  if (turns_by_euler_parameters(system) && (row.balance != Balance::end || row.rule != Kind::endpoint_average))
    return "with formulation = \"euler-parameters\" inertia and constraints depend on the orientation, and only schemes that "
           "balance forces at the ends of a step are written for that (trapezoidal, newmark, bossak, hht-1, "
           "generalized-alpha-1)";
  return {};
}

std::string remedy(const Row& row, const System& system) {
  if (row.balance == Balance::index_one) return "write formulation = \"euler-parameters\"";
  if (system.shares_mass() && system.formulation() != Formulation::directors)
    return "write formulation = \"directors\", or mass = \"lumped\" in [[rod]]";
  const bool other_formulation = row.balance != Balance::top && !row.returns && turns_by_euler_parameters(system);
  return other_formulation ? "formulation = \"directors\" can be integrated by it" : "energy-momentum-exact can";
}

std::vector<Row> general_rows() {
  std::vector<Row> rows;
  for (const Row& row : catalogue())
    if (row.balance != Balance::top && row.balance != Balance::index_one) rows.push_back(row);
  return rows;
}

std::unique_ptr<Stepper> make_stepper(const Scheme& scheme, const System& system, const NewtonOptions& options) {
  if (std::string why = refusal(*scheme.row, system); !why.empty())
    throw SchemeError("scheme", fmt::format("scheme '{}' cannot integrate this model: {}", scheme.row->name, why),
                      remedy(*scheme.row, system));
  if (scheme.row->explicit_scheme)
    return make_explicit(*scheme.row->explicit_scheme, scheme.explicit_settings, system, options);
  if (scheme.row->top) return std::make_unique<TopBalance>(system, *scheme.row->top, scheme.simo_alpha, options);
  if (scheme.row->balance == Balance::interval) {
    auto stepper = std::make_unique<IntervalBalance>(system, scheme.rule, options, scheme.correction);
    if (scheme.row->returns) stepper->return_to_constraints();
    return stepper;
  }
  if (scheme.row->balance == Balance::composite)
    return std::make_unique<CompositeBalance>(system, scheme.rule, scheme.composite, options);
  if (turns_by_euler_parameters(system))
    return std::make_unique<EulerBalance>(system, scheme.rule.old_weight, scheme.weights,
                                          scheme.recursion ? EulerBalance::Blend::recursion : EulerBalance::Blend::all,
                                          options);
  return std::make_unique<EndBalance>(system, scheme.rule, scheme.weights, options);
}

}  // namespace trompo
