#include "trompo/run/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "trompo/math/so3.hpp"
#include "trompo/run/mode_shape.hpp"
#include "trompo/run/modes_scope.hpp"
#include "trompo/run/steady_modes.hpp"
#include "trompo/scheme/static_search.hpp"

namespace trompo {

double Mode::hertz() const { return frequency / (2 * std::numbers::pi); }
double Mode::damping_ratio() const { return growth == 0 ? 0 : -growth / std::hypot(growth, frequency); }

ModesResult find_modes(const Model& model, const System& system, int count, About about) {
  const auto begin = std::chrono::steady_clock::now();
  ModesResult result;
  const auto finished = [&]() -> ModesResult&& {
    result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(result);
  };
  const State given = given_state(model, system);
  // Complex modes of bodies are found in space.
  const bool flat = model.normal_axis() >= 0 && !model.bodies.empty();
  const std::string out_of_plane = "leave out plane = \"" + model.plane + "\": a body in space may move in a plane";
  if (flat && (system.dampers() || system.feels_rates()))
    throw ModelError({{Diagnostic::Severity::error, model.file, model.source.line,
                       "there are no modes of a plane problem that has bodies and dampers", out_of_plane}});
  const auto stand = [&](StaticBalance& balance, const State& state) {
    balance.take(state, {});
    balance.load(1, 0);
    return balance.guess_multipliers();
  };
  const auto turns = [&](StaticBalance& balance, bool may_rest) {
    const std::vector<std::string> who = going_round(model, balance, given);
    if (!who.empty() && flat) refuse_turning(model, who, "bodies of a plane problem", out_of_plane);
    if (flat) return false;
    // Nodes are not drawn as they turn: what is no steady motion may be the start of a vibration.
    if (who.empty())
      return nodes_go_round(model, balance, given) && !find_steady_modes(result, model, balance, given, count, about);
    const auto no = find_steady_modes(result, model, balance, given, count, about);
    if (no && !may_rest) refuse_turning(model, who, no->why, no->remedy);
    return !no;
  };
  result.state = given;
  if (about == About::equilibrium) {
    // What spins need not be in balance at rest, and a shaft that sags does not show that it turns freely.
    StaticBalance at_start(system);
    (void)stand(at_start, given);
    at_start.evaluate(true);
    if (turns(at_start, true)) return finished();
    result.state = equilibrium(model, system, given);
  }
  StaticBalance balance(system);
  result.remarks = left_out_of_modes(model, given);
  if (!stand(balance, result.state))
    result.remarks.emplace_back("the constraints do not determine their forces here: their stiffness is left out");
  StaticSearch search(balance, newton_options(model));
  const bool in_balance = search.balanced();
  const Pattern& pattern = balance.reduction().pattern();
  const double* stiffness = balance.tangent().values();
  const auto require_finite = [&model](double number) {
    if (!std::isfinite(number)) throw not_finite_stiffness(model);
  };
  std::for_each(stiffness, stiffness + pattern.nonzeros(), require_finite);
  if (turns(balance, false)) return finished();
  if (!in_balance && about == About::start) {
    double worst = 0;
    std::string where;
    for (const Imbalance& i : search.imbalances(1)) worst = i.residual, where = i.name;
    result.remarks.push_back(fmt::format(
        "the start is not in equilibrium: {:.3g} is left over at {}; `--about equilibrium` goes where forces balance", worst,
        where));
  }
  result.state = balance.state();
  const bool symmetric = about == About::start ? balance.symmetric() || !system.field_loads() : balance.symmetric();
  if (flat || !find_damped_modes(result, model, balance, count)) {
    const VecX mass = balance.mass();
    for (int u = 0; u < balance.moving(); ++u)
      if (const int place = pattern.slot(u, u); mass[place] > 0) require_finite(stiffness[place] / mass[place]);
    for (const EigenPair& pair : lowest_modes(pattern, stiffness, mass.data(), balance.moving(), count, symmetric)) {
      require_finite(std::abs(pair.square));
      result.modes.push_back(mode_of(balance, pair));
    }
    std::stable_sort(result.modes.begin(), result.modes.end(), [](const Mode& a, const Mode& b) {
      return a.growth > 0 || b.growth > 0 ? a.growth > b.growth : a.frequency < b.frequency;
    });
  }
  if (!symmetric) result.remarks.emplace_back("loads follow the motion: the stiffness is not symmetric");
  const auto unstable = std::count_if(result.modes.begin(), result.modes.end(), [](const Mode& m) { return m.growth > 0; });
  if (const int all = symmetric ? balance.unstable_directions() : 0; all > unstable)
    result.remarks.push_back(fmt::format("{} unstable mode{} more {} not among these: ask for more", all - unstable,
                                         all - unstable == 1 ? "" : "s", all - unstable == 1 ? "is" : "are"));
  return finished();
}

State displaced(const System& system, const State& state, const Mode& mode, double amplitude, double phase) {
  State out = state;
  const double by = amplitude * std::sin(phase), ahead = amplitude * std::cos(phase);
  out.q += by * mode.shape;
  if (mode.ahead.size() > 0) out.q += ahead * mode.ahead;
  for (std::size_t b = 0; b < mode.turns.size(); ++b) {
    Vec3 turn = by * mode.turns[b];
    if (!mode.turns_ahead.empty()) turn += ahead * mode.turns_ahead[b];
    out.rotations[b].orientation = composed(exponential_quaternion(turn), state.rotations[b].orientation);
  }
  system.write_frames(out);
  return out;
}

double visible_amplitude(const System& system, const Mode& mode) {
  double shift = 0, turn = 0;
  const auto look = [&](int c) { shift = std::max(shift, std::abs(mode.shape[c]) / system.coordinate_scale(c)); };
  for (const int first : system.nodes())
    for (int i = 0; i < 3; ++i) look(first + i);
  for (const RigidBody& body : system.bodies())
    for (int i = 0; i < 3; ++i) look(body.first + i);
  for (const int c : system.scalars()) look(c);
  for (const Vec3& t : mode.turns) turn = std::max(turn, t.norm());
  const double by_shift = shift > 0 ? 0.1 / shift : 0, by_turn = turn > 0 ? 0.5 / turn : 0;
  if (by_shift == 0 || by_turn == 0) return std::max(by_shift, by_turn);
  return std::min(by_shift, by_turn);
}

}  // namespace trompo
