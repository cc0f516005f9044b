// From the model to the start of a run.
#include <numbers>
#include <span>
#include <string_view>

#include "trompo/math/dense.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/run/finite.hpp"
#include "trompo/run/repeated_formulas.hpp"
#include "trompo/run/statics.hpp"
#include "trompo/scheme/consistent_start.hpp"
#include "trompo/scheme/contradiction.hpp"

namespace trompo {

namespace {

// The number of a word that [newton] or [time] has: "" is the first, which is the default.
std::size_t word_of(const Model& model, const Source& source, const char* key, std::span<const std::string_view> words,
                    const std::string& word) {
  return word.empty() ? 0 : Lookup(model, source, key, "the model").word(words, key, word);
}
bool modified_tangent(const Model& model) {
  return word_of(model, model.newton.source, "tangent", word_lists::tangents, model.newton.tangent) == 3;
}

}  // namespace

Scheme with_tangent_of(const Model& model, Scheme scheme) {
  scheme.rule.transposed_tangent = scheme.rule.fixed_gradient_point = model.newton.tangent == "published";
  if (model.newton.tangent == "published") scheme.rule.tangent = Rule::Tangent::third;
  if (model.newton.tangent == "sixth") scheme.rule.tangent = Rule::Tangent::sixth;
  return scheme;
}

namespace {

std::optional<Stabilisation> stabilisation_of(const Model& model) {
  const StabilisationInput& input = model.time.stabilisation;
  if (!input.given()) return std::nullopt;
  const bool projects = !input.projection.empty() || input.times || input.gamma;
  if (input.a && projects)
    throw SchemeError("stabilisation", "`stabilisation` has both baumgarte and a projection", "keep one");
  if (input.a) return baumgarte(*input.a, input.b.value_or(*input.a));
  using Projection = Stabilisation::Projection;
  static const std::map<std::string, Projection> words{{"", Projection::both},          {"none", Projection::none},
                                                       {"s-both", Projection::both},    {"s-both-m", Projection::both_by_mass},
                                                       {"s-pos", Projection::position}, {"s-vel", Projection::velocity},
                                                       {"s-full", Projection::full}};
  Stabilisation stabilisation;
  stabilisation.projection =
      Lookup(model, model.time.source, "stabilisation", "stabilisation").entry(words, "projection", input.projection);
  if (input.times) stabilisation.times = static_cast<int>(*input.times);
  if (input.gamma && !(*input.gamma > 0 && *input.gamma < 2))
    throw SchemeError("stabilisation", "gamma = " + number_text(*input.gamma) + " of `stabilisation` makes errors grow",
                      "above 0 and below 2; 1 is near the best");
  if (input.gamma) stabilisation.gamma = *input.gamma;
  return stabilisation;
}

}  // namespace

Scheme scheme_of(const Model& model) {
  if (!model.time.given())
    throw ModelError({{Diagnostic::Severity::error, model.file, model.source.line, "the model has no [time]",
                       "add a section [time] with step, end and scheme, or ask for `trompo statics`"}});
  try {
    return with_tangent_of(model,
                           make_scheme(model.time.scheme, model.time.parameters, model.time.options, stabilisation_of(model)));
  } catch (const SchemeError& error) {
    throw ModelError({{Diagnostic::Severity::error, model.time.source.place_of(error.key, model.file),
                       model.time.source.of(error.key), error.what(), error.remedy}});
  }
}

std::vector<Diagnostic> check_scheme(const Model& model, const System& system, const Scheme& scheme) {
  if (const std::string why = refusal(scheme, system); !why.empty())
    throw ModelError(
        {{Diagnostic::Severity::error, model.time.source.place_of("scheme", model.file), model.time.source.of("scheme"),
          "scheme " + in_quotes(scheme.row->name) + " cannot integrate this model: " + why, remedy(scheme, system)}});
  std::vector<Diagnostic> found;
  for (const BodyInput& body : model.bodies) {
    const double turn = body.angular_velocity.norm() * model.time.step, pi = std::numbers::pi;
    const bool half_rotations =
        scheme.row->top == TopScheme::geradin_bauchau || scheme.row->top == TopScheme::geradin_bauchau_momentum;
    const char* trouble = half_rotations && turn > 2 ? "this scheme has no solution beyond 2 rad; such steps are halved"
                          : scheme.row->top == TopScheme::simo_projection && turn > 2 * pi
                              ? "beyond a full turn this scheme reverses the precession"
                          : turn > pi ? "beyond half a turn nutation is not resolved, and may run backwards"
                                      : nullptr;
    if (trouble != nullptr)
      found.push_back({Diagnostic::Severity::warning, model.time.source.place_of("step", model.file),
                       model.time.source.of("step"),
                       "a step turns body " + in_quotes(body.name) + " by " + number_text(turn, 3) + " rad: " + trouble,
                       "make `step` smaller: 0.5 rad and less are accurate"});
  }
  return found;
}

std::vector<std::string> joints_not_unique(const System& system, const State& state) {
  const std::vector<bool> repeating = repeating_joints(system, state.q);
  std::vector<std::string> names;
  for (std::size_t j = 0; j < repeating.size(); ++j)
    if (repeating[j]) names.push_back(system.joints()[j].name);
  return names;
}

std::vector<Diagnostic> warn_of_repetitions(const Model& model, const System& system) {
  if (system.rows_in_loops().empty()) return {};
  const std::vector<std::string> names = joints_not_unique(system, given_state(model, system));
  if (names.empty()) return {};
  constexpr std::size_t shown = 8;
  std::string all;
  for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
    all += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + in_quotes(names[i]);
  if (names.size() > shown) all += " and " + std::to_string(names.size() - shown) + " more";
  const auto first = std::find_if(model.joints.begin(), model.joints.end(),
                                  [&](const JointInput& joint) { return joint.name == names.front(); });
  return {{Diagnostic::Severity::warning, first->source.place_of("name", model.file), first->source.of("name"),
           "joints " + all + " repeat what others say: their reactions are not unique",
           "those given are the least that fit, weighed by the masses; the motion does not depend on them"}};
}

NewtonOptions newton_options(const Model& model) {
  return {model.newton.tolerance, model.newton.increment, static_cast<int>(model.newton.max_iterations),
          modified_tangent(model), model.time.max_rotation_per_step.value_or(std::numeric_limits<double>::infinity())};
}

namespace {

// Two joints of a loop that say what cannot both be. `what` of them are apart.
[[noreturn]] void refuse(const Model& model, const System& system, const Contradiction& two, const std::string& what) {
  const std::string& name = system.constraint_name(two.row);
  Diagnostic found{Diagnostic::Severity::error, model.file, model.source.line,
                   "joint " + in_quotes(name) + " contradicts " +
                       (two.other < 0 ? "the others" : in_quotes(system.constraint_name(two.other))) + ": " + what + " " +
                       number_text(two.apart, 6) + " apart at t = 0",
                   "take one of the two away, or let both say the same"};
  for (const JointInput& joint : model.joints)
    if (name.starts_with(joint.name + ": ")) {
      found.file = joint.source.place_of("name", model.file);
      found.line = joint.source.of("name");
    }
  throw ModelError({std::move(found)});
}

// The same of the accelerations that the equations give: where nothing is driven, they follow from places and rates.
void refuse_contradicting_accelerations(const Model& model, const System& system, const State& state, const VecX& a) {
  const auto driven = [](const JointInput& joint) { return joint.motion || joint.travel_motion || moves(joint.ground_motion); };
  if (system.rows_in_loops().empty() || std::none_of(model.joints.begin(), model.joints.end(), driven)) return;
  // What is held still has the rounding of the forces that hold it; and what moves a error in a step by less than its rounding
  // is no acceleration.
  VecX force = VecX::Zero(system.coordinates()), load = force;
  system.force_at(state.q, force);
  system.load_at(state.time, state.q, state.v, load);
  double largest = 0;
  for (const int c : system.free())
    if (system.mass()[c] > 0) largest = std::max(largest, (std::abs(force[c]) + std::abs(load[c])) / system.mass()[c]);
  const double h = model.time.step, noise = h > 0 ? std::numeric_limits<double>::epsilon() / (h * h) : 0;
  constexpr double rounding = 1e-9;
  VecX error = VecX::Zero(system.multipliers()), constraint_size = error, acceleration = error, size = error;
  system.constraint_errors(state.q, error, constraint_size);
  system.constraint_accelerations(state.q, state.v, a, acceleration, size);
  const VecX allowed = (open_row * size).cwiseMax(noise * constraint_size).cwiseMax(rounding * largest);
  if (const Contradiction two = worst_contradiction(system, unreachable(system, state.q, acceleration), allowed); two.found())
    refuse(model, system, two, "the accelerations they demand are");
}

// Joints that are open at the start, or that the given velocities open.
void refuse_open_joints(const Model& model, const System& system, const State& state) {
  constexpr double tolerance = 1e-8, rounding = std::numeric_limits<double>::epsilon();
  // What moves a error in a step by less than its rounding is no rate: at rest a rate is noise, and so is its size.
  const double noise = model.time.step > 0 ? rounding / model.time.step : 0;
  VecX error = VecX::Zero(system.multipliers()), size = error, rate = error, rate_size = error;
  system.constraint_errors(state.q, error, size);
  system.constraint_error_rates(state.q, state.v, rate, rate_size);
  // What no motion closes is another matter than what has not been closed.
  const VecX apart = unreachable(system, state.q, error), rates_apart = unreachable(system, state.q, rate);
  std::vector<Diagnostic> found;
  for (int k = 0; k < system.multipliers(); ++k) {
    constexpr double share = 1e-6;  // to which that is known
    const bool open = std::abs(error[k] - apart[k]) > tolerance * size[k] + share * std::abs(apart[k]),
               opens = std::abs(rate[k] - rates_apart[k]) >
                       std::max(tolerance * rate_size[k], noise * size[k]) + share * std::abs(rates_apart[k]);
    if (!open && !opens) continue;
    const std::string& name = system.constraint_name(k);
    for (const JointInput& joint : model.joints) {
      if (!name.starts_with(joint.name + ": ")) continue;
      found.push_back({Diagnostic::Severity::error, joint.source.place_of("name", model.file), joint.source.of("name"),
                       "joint " + in_quotes(name) +
                           (open ? " is open by " + number_text(error[k], 6) + " at t = 0"
                                 : " is opened by the velocities at the rate " + number_text(rate[k], 6)),
                       "move the bodies, or let [time] initial_projection = true do it"});
    }
  }
  if (!found.empty()) throw ModelError(std::move(found));
  if (const Contradiction two = worst_contradiction(system, apart, open_row * size); two.found())
    refuse(model, system, two, "they are");
  if (const Contradiction two = worst_contradiction(system, rates_apart, (open_row * rate_size).cwiseMax(noise * size));
      two.found())
    refuse(model, system, two, "the rates they demand are");
}

}  // namespace

State initial_state(const Model& model, const System& system) {
  State state = given_state(model, system);
  if (word_of(model, model.time.source, "initial_state", word_lists::states, model.time.initial_state) == 0) return state;
  state = equilibrium(model, system, state);
  system.settle(state.q);
  refuse_open_joints(model, system, state);
  return state;
}

State given_state(const Model& model, const System& system) {
  State state{0, VecX::Zero(system.coordinates()), VecX::Zero(system.coordinates())};
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    state.q.segment<3>(system.nodes()[i]) = model.nodes[i].position;
    state.v.segment<3>(system.nodes()[i]) = model.nodes[i].velocity;
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ResolvedBody body = resolve_body(model.bodies[b]);
    state.rotations.push_back({body.orientation, body.angular_velocity});
    state.q.segment<3>(system.bodies()[b].first) = body.position;
    state.v.segment<3>(system.bodies()[b].first) = body.velocity;
  }
  system.write_frames(state);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    state.q[system.scalars()[i]] = model.coordinates[i].value;
    state.v[system.scalars()[i]] = model.coordinates[i].rate;
  }
  return as_start(model, system, std::move(state));
}

State as_start(const Model& model, const System& system, State state) {
  system.hold(state.q, state.v);
  system.prescribe_at(0, state.q, state.v);
  system.settle(state.q);
  if (model.time.initial_projection && !ConsistentStart(system).project(state))
    throw ModelError({{Diagnostic::Severity::error, model.time.source.place_of("initial_projection", model.file),
                       model.time.source.of("initial_projection"), "the start cannot be projected onto the constraints",
                       "they contradict or repeat each other near the given start, or it is too far away"}});
  system.settle(state.q);
  refuse_open_joints(model, system, state);
  return state;
}

namespace {

// A constraint that repeats the others leaves its force undetermined: pivoted QR of the gradients, each of length one, finds
// it.
void refuse_repeated(const Model& model, const System& system, const State& state) {
  constexpr int affordable = 500;
  if (system.multipliers() == 0 || system.multipliers() > affordable) return;
  const Eigen::MatrixXd gradients = Eigen::MatrixXd(system.jacobian(state.q)).rowwise().normalized();
  const auto [rank, order] = pivoted_qr(gradients.transpose(), 1e-10);
  std::vector<Diagnostic> found;
  for (std::size_t k = static_cast<std::size_t>(rank); k < order.size(); ++k) {
    const int multiplier = order[k];
    const std::string& name = system.constraint_name(multiplier);
    int line = model.source.line;
    for (const ConstraintInput& c : model.constraints)
      if (c.name == name) line = c.source.of("constraint");
    const bool vanishes = !gradients.row(multiplier).allFinite() || gradients.row(multiplier).isZero(0);
    found.push_back(
        {Diagnostic::Severity::error, model.file, line,
         "constraint " + in_quotes(name) +
             (vanishes ? " has no gradient at the start: nothing there can keep it"
                       : " repeats what the other constraints say at the start: its force is not determined"),
         vanishes ? "write it so that its gradient does not vanish where it holds, or start elsewhere" : "remove it"});
  }
  if (!found.empty()) throw ModelError(std::move(found));
}

VecX given_acceleration(const Model& model, const System& system) {
  VecX a = VecX::Zero(system.coordinates());
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (const auto& given = model.nodes[i].acceleration) a.segment<3>(system.nodes()[i]) = *given;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    if (const auto& given = model.coordinates[i].acceleration) a[system.scalars()[i]] = *given;
  system.prescribe_acceleration(0, a);
  return a;
}

}  // namespace

InitialBalance initial_balance(const Model& model, const System& system, const State& state) {
  if (const std::string what = not_finite(system, state); !what.empty())
    throw ModelError({{Diagnostic::Severity::error, model.file, model.source.line, what + " is not finite at the start",
                       "check sizes, velocities and formulas; units are SI"}});
  if (const std::string what = system.wrong_derivative(state.q); !what.empty())
    throw ModelError({{Diagnostic::Severity::error, model.file, model.source.line, what,
                       "correct it: Newton's iteration and Krenk's format rest on it"}});
  system.bodies().empty() ? refuse_repeated(model, system, state) : refuse_repeated_formulas(model, system, state);
  const bool given =
      word_of(model, model.time.source, "initial_acceleration", word_lists::starts, model.time.initial_acceleration) == 1;
  ConsistentStart start(system);
  const bool determined = start.solve(state);
  if (!determined && !given)
    throw ModelError({{Diagnostic::Severity::error, model.file, model.source.line,
                       "the constraints do not determine their forces at the start",
                       "they repeat each other there, or their gradients vanish: start elsewhere"}});
  if (determined && state.time == 0) refuse_contradicting_accelerations(model, system, state, start.acceleration());
  return {given ? given_acceleration(model, system) : start.acceleration(),
          determined ? start.multipliers() : VecX::Zero(system.multipliers())};
}

VecX initial_acceleration(const Model& model, const System& system, const State& state) {
  return initial_balance(model, system, state).acceleration;
}

}  // namespace trompo
