#include "trompo/scheme/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "trompo/model/source.hpp"
#include "trompo/scheme/decay_balance.hpp"
#include "trompo/scheme/explicit_schemes.hpp"
#include "trompo/scheme/forced_balance.hpp"
#include "trompo/scheme/rows.hpp"
#include "trompo/scheme/steppers.hpp"
#include "trompo/scheme/top_balance.hpp"

namespace trompo {

namespace {

using Kind = Rule::Kind;

template <class Item>
const Item* find_named(const std::vector<Item>& items, std::string_view name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_parameter(const Row& row, const std::string& key) {
  std::string has, who;
  for (const Parameter& p : row.parameters) has += (has.empty() ? "" : ", ") + std::string(p.name);
  for (const Row& other : catalogue())
    if (find_named(other.parameters, key) != nullptr) who += (who.empty() ? "" : ", ") + std::string(other.name);
  throw SchemeError(key, fmt::format("scheme '{}' has no use for '{}'", row.name, key),
                    fmt::format("it takes {}; '{}' belongs to {}", has, key, who.empty() ? "no scheme" : who));
}

void check_value(const Row& row, const std::string& key, double value) {
  const Parameter* p = find_named(row.parameters, key);
  if (p == nullptr) refuse_parameter(row, key);
  if (!(value >= p->least && value <= p->most))
    throw SchemeError(key, fmt::format("{} = {} is out of range for scheme '{}'", key, value, row.name),
                      p->most > 1e300 ? fmt::format("at least {}: {}", p->least, p->why)
                                      : fmt::format("from {} to {}: {}", p->least, p->most, p->why));
  if (p->whole && value != std::round(value))
    throw SchemeError(key, fmt::format("{} = {} is not a whole number", key, value),
                      fmt::format("from {} to {}", p->least, p->most));
}

// The value of every option, checked.
std::map<std::string, std::string> choose_options(const Row& row, const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> options;
  for (const Option& option : row.options) options[std::string(option.name)] = option.values.front().name;
  for (const auto& [key, value] : given) {
    const Option* option = find_named(row.options, key);
    if (option == nullptr)
      throw SchemeError(key, fmt::format("scheme '{}' has no use for '{}'", row.name, key),
                        "see `trompo schemes` for what it takes");
    if (find_named(option->values, value) == nullptr) {
      std::vector<std::string> known;
      for (const Option::Value& v : option->values) known.emplace_back(v.name);
      throw SchemeError(key, fmt::format("{} = '{}' is not known to scheme '{}'", key, value, row.name),
                        suggestion(value, known));
    }
    options[key] = value;
  }
  return options;
}

bool turns_by_euler_parameters(const System& system) {
  return !system.bodies().empty() && system.formulation() == Formulation::euler_parameters;
}

}  // namespace

std::span<const Row> catalogue() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows;
    for (const std::vector<Row>& group :
         {end_rows(), interval_rows(), composite_rows(), multistep_rows(), forced_rows(), top_rows(), explicit_rows()})
      rows.insert(rows.end(), group.begin(), group.end());
    return rows;
  }();
  return all;
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
                   const std::map<std::string, std::string>& given_options, const std::optional<Stabilisation>& stabilisation) {
  const Row* row = find_scheme(name);
  if (row == nullptr) throw SchemeError("scheme", fmt::format("unknown scheme '{}'", name), suggestion(name, scheme_names()));

  std::string by_hand;
  for (const auto& [key, value] : given) {
    check_value(*row, key, value);
    static constexpr std::array<std::string_view, 4> weights{"alpha_m", "alpha_f", "newmark_beta", "newmark_gamma"};
    if (std::find(weights.begin(), weights.end(), key) != weights.end()) by_hand = key;
  }
  std::map<std::string, std::string> options = choose_options(*row, given_options);
  if (stabilisation && row->balance != Balance::index_one)
    throw SchemeError("stabilisation", fmt::format("scheme '{}' has no use for 'stabilisation'", row->name),
                      "it closes its constraints at the end of every step; remove it, or take rk4, hamming, "
                      "central-difference or dormand-prince");
  if (!by_hand.empty() && given.contains("rho_infinity"))
    throw SchemeError(by_hand, fmt::format("rho_infinity and {} are both given", by_hand),
                      "rho_infinity sets all weights; give it, or weights by hand, not both");

  // What is not given by hand follows from what is: gamma from the alphas (second order), beta from gamma (least period error).
  const auto value_or = [&given](std::string_view key, double otherwise) {
    const auto found = given.find(std::string(key));
    return found == given.end() ? otherwise : found->second;
  };
  const double r = value_or("rho_infinity", row->parameters.front().standard);
  const Weights& of = row->weights;
  const double am = value_or("alpha_m", of.alpha_m(r)), af = value_or("alpha_f", of.alpha_f(r));
  const double gamma = value_or("newmark_gamma", of.gamma != nullptr ? of.gamma(r) : 0.5 - am + af);
  const double beta = value_or("newmark_beta", of.beta != nullptr ? of.beta(r) : 0.25 * (gamma + 0.5) * (gamma + 0.5));
  if (gamma < 0.5)
    throw SchemeError(
        by_hand, fmt::format("alpha_m = {} and alpha_f = {} give gamma = {:g}: the scheme would gain energy", am, af, gamma),
        "choose alpha_m <= alpha_f, or give newmark_gamma as well");
  Scheme scheme;
  scheme.row = row;
  scheme.weights = {am, beta, gamma};
  scheme.rule = {row->rule, af, 0.0};
  if (of.composite != nullptr) scheme.composite = of.composite(r);
  for (const Parameter& p : row->parameters) {
    if (p.set == nullptr) continue;
    const double value = value_or(p.name, p.standard);
    scheme.parameters[std::string(p.name)] = value;
    p.set(scheme, value);
  }
  for (const Option& option : row->options)
    if (const Option::Value* value = find_named(option.values, options.at(std::string(option.name))); value->set != nullptr)
      value->set(scheme);
  if (row->balance == Balance::index_one) {
    if (stabilisation) scheme.explicit_settings.stabilisation = *stabilisation;
    options["stabilisation"] = words(scheme.explicit_settings.stabilisation);
  }
  if (row->balance == Balance::end || row->balance == Balance::interval || row->balance == Balance::forced)
    scheme.parameters.merge(std::map<std::string, double>{
        {"alpha_m", am}, {"alpha_f", af}, {"newmark_beta", beta}, {"newmark_gamma", gamma}, {"xi", scheme.rule.xi}});
  if (by_hand.empty()) scheme.parameters["rho_infinity"] = r;
  scheme.options = std::move(options);
  return scheme;
}

std::optional<int> claimed_order(const Scheme& scheme, Formulation formulation) {
  const auto rho = scheme.parameters.find("rho_infinity");
  if (rho == scheme.parameters.end()) return std::nullopt;
  if (scheme.row->claims.steps_of_its_own) return std::nullopt;
  for (const Parameter& p : scheme.row->parameters)
    if (p.order_elsewhere && scheme.parameters.at(std::string(p.name)) != p.standard) return p.order_elsewhere;
  for (const Option& option : scheme.row->options)
    if (const auto order = find_named(option.values, scheme.options.at(std::string(option.name)))->order) return order;
  const bool damped = rho->second < 1 || scheme.rule.xi > 0 || scheme.rule.damping > 0;
  const int order = damped ? scheme.row->claims.order_when_damped : scheme.row->claims.order;
  const bool averages = scheme.rule.old_weight != 0 || scheme.weights.alpha_m != 0;
  const bool blended = formulation == Formulation::euler_parameters && scheme.row->balance == Balance::end && averages;
  return blended && scheme.blend == Blend::all ? std::min(order, scheme.row->claims.order_when_blended) : order;
}

bool claims_energy(const Scheme& scheme) {
  return scheme.row->claims.energy && std::ranges::all_of(scheme.row->options, [&scheme](const Option& option) {
           return scheme.options.at(std::string(option.name)) == option.values.front().name;
         });
}

namespace {

// Rules that are difference quotients of energies.
bool needs_energy(const Row& row) { return row.rule == Kind::secant || row.claims.energy; }

// Explicit rows differentiate their constraints.
bool beyond_limit(const Row& row, const System& system) {
  return row.balance == Balance::end && row.claims.stable_to && (system.multipliers() > 0 || !system.bodies().empty());
}

}  // namespace

std::string refusal(const Row& row, const System& system) {
  if (row.balance == Balance::top) return system.top().refusal;
  if (const std::string* own = system.without_energy(); own != nullptr && needs_energy(row))
    return "own force " + in_quotes(*own) + " has no energy, whose difference the scheme's force is";
  if (row.balance == Balance::forced) return forced_plan(system, {}).refusal;
  if (beyond_limit(row, system))
    return "a constraint, and the axes of a body, are vibrations of infinite frequency, beyond its limit of stability";
  if (row.decays && system.feels_rates())
    return "its loads feel velocities, and their part in the loss has not been worked out";
  if (row.decays)
    for (const int c : system.free())
      if (system.mass()[c] == 0 && system.body_of(c) < 0)
        return system.coordinate_name(c) + " has no mass, and what takes the energy is a momentum";
  if (row.returns && !system.rows_in_loops().empty())
    return "its joints form closed loops, whose rows may depend on each other: there is no tangent space to project on";
  if (system.bodies().empty()) return {};
  if (row.decays && system.formulation() != Formulation::directors)
    return "there is no proof that it loses energy where bodies turn by rotations or Euler parameters";
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
  if (system.without_energy() != nullptr && needs_energy(row))
    return "give it one, or take krenk-quartic, which wants forces and stiffness alone";
  if (row.balance == Balance::forced) return forced_plan(system, {}).remedy;
  if (row.balance == Balance::index_one) return "write formulation = \"euler-parameters\"";
  if (system.shares_mass() && system.formulation() != Formulation::directors)
    return "write formulation = \"directors\", or mass = \"lumped\" in [[rod]]";
  if (beyond_limit(row, system)) return "trapezoidal has no limit; energy-momentum-exact keeps energy besides";
  if (row.decays && system.feels_rates()) return "energy-momentum-exact can";
  if (row.decays) return "write formulation = \"directors\", or take energy-momentum-exact";
  if (row.returns && !system.rows_in_loops().empty()) return "energy-momentum-exact can";
  const bool other_formulation = row.balance != Balance::top && turns_by_euler_parameters(system);
  return other_formulation ? "formulation = \"directors\" can be integrated by it" : "energy-momentum-exact can";
}

std::string refusal(const Scheme& scheme, const System& system) {
  if (scheme.row->balance == Balance::forced) return forced_plan(system, scheme.forced).refusal;
  return refusal(*scheme.row, system);
}

std::string remedy(const Scheme& scheme, const System& system) {
  if (scheme.row->balance == Balance::forced) return forced_plan(system, scheme.forced).remedy;
  return remedy(*scheme.row, system);
}

std::vector<Row> general_rows() {
  std::vector<Row> rows;
  for (const Row& row : catalogue())
    if (row.balance != Balance::top && row.balance != Balance::forced && row.balance != Balance::index_one &&
        !row.claims.stable_to)
      rows.push_back(row);
  return rows;
}

std::unique_ptr<Stepper> make_stepper(const Scheme& scheme, const System& system, const NewtonOptions& options) {
  if (std::string why = refusal(scheme, system); !why.empty())
    throw SchemeError("scheme", fmt::format("scheme '{}' cannot integrate this model: {}", scheme.row->name, why),
                      remedy(scheme, system));
  if (scheme.row->explicit_scheme)
    return make_explicit(*scheme.row->explicit_scheme, scheme.explicit_settings, system, options);
  if (scheme.row->top) return std::make_unique<TopBalance>(system, *scheme.row->top, scheme.simo_alpha, options);
  if (scheme.row->decays && scheme.decay.c != 0)
    return std::make_unique<DecayBalance>(system, scheme.rule, scheme.decay, options);
  if (scheme.row->balance == Balance::interval) {
    auto stepper = std::make_unique<IntervalBalance>(system, scheme.rule, options, scheme.correction);
    if (scheme.row->returns) stepper->return_to_constraints();
    return stepper;
  }
  if (scheme.row->balance == Balance::composite)
    return std::make_unique<CompositeBalance>(system, scheme.rule, scheme.composite, options);
  if (scheme.row->balance == Balance::forced)
    return std::make_unique<ForcedBalance>(system, scheme.rule, scheme.weights, scheme.forced, options);
  if (scheme.row->balance == Balance::multistep) return std::make_unique<Houbolt>(system, scheme.rule, options);
  // Where the mass is constant both have the same solution, and the one with fewer memories is taken.
  const Blend blend = turns_by_euler_parameters(system) ? scheme.blend : Blend::all;
  return std::make_unique<EndBalance>(system, scheme.rule, scheme.weights, options, blend);
}

}  // namespace trompo
