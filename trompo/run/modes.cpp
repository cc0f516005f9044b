#include "trompo/run/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "trompo/math/constrained_modes.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/run/modes_scope.hpp"
#include "trompo/scheme/static_search.hpp"

namespace trompo {

double Mode::hertz() const { return frequency / (2 * std::numbers::pi); }

namespace {

Mode mode_of(const StaticBalance& balance, const EigenPair& pair) {
  const System& system = balance.system();
  const FrameReduction& reduction = balance.reduction();
  Mode mode;
  const std::complex<double> w = std::sqrt(pair.square);
  mode.frequency = std::abs(w.real());
  mode.growth = std::abs(w.imag());
  mode.shape.setZero(system.coordinates());
  for (int e = 0; e < system.equations(); ++e)
    if (const int u = reduction.of_equation(e); u >= 0) mode.shape[system.free()[e]] = pair.shape[u];
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const RigidBody& body = system.bodies()[b];
    const Vec3 turn = pair.shape.segment<3>(reduction.of_body(static_cast<int>(b)));
    mode.turns.push_back(turn);
    const VecX& q = balance.state().q;
    for (int k = 1; k <= 3; ++k) mode.shape.segment<3>(body.first + 3 * k) = turn.cross(Vec3(q.segment<3>(body.first + 3 * k)));
    if (body.fixed_point) mode.shape.segment<3>(body.first) = turn.cross(Vec3(q.segment<3>(body.first) - *body.fixed_point));
  }
  mode.moves = balance.dominant_motion(pair.shape);
  return mode;
}

}  // namespace

ModesResult find_modes(const Model& model, const System& system, int count, About about) {
  const auto begin = std::chrono::steady_clock::now();
  ModesResult result;
  const State given = given_state(model, system);
  result.state = about == About::equilibrium ? equilibrium(model, system, given) : given;
  result.remarks = left_out_of_modes(model, given);
  StaticBalance balance(system);
  balance.take(result.state, {});
  balance.load(1, 0);
  if (!balance.guess_multipliers())
    result.remarks.emplace_back("the constraints do not determine their forces here: their stiffness is left out");
  StaticSearch search(balance, newton_options(model));
  if (!search.balanced()) {
    double worst = 0;
    std::string where;
    for (const Imbalance& i : search.imbalances(1)) worst = i.residual, where = i.name;
    if (about == About::start)
      result.remarks.push_back(
          fmt::format("the start is not in equilibrium: {:.3g} is left over at {}; `--about equilibrium` goes "
                      "where forces balance",
                      worst, where));
  }
  const auto require_finite = [&model](double number) {
    if (!std::isfinite(number))
      throw ModelError({{Diagnostic::Severity::error, model.file, model.source.line,
                         "a stiffness here, or its ratio to a mass, is not finite", "check sizes and formulas; units are SI"}});
  };
  const Pattern& pattern = balance.reduction().pattern();
  const double* stiffness = balance.tangent().values();
  std::for_each(stiffness, stiffness + pattern.nonzeros(), require_finite);
  refuse_steady_motion(model, balance, given);
  result.state = balance.state();
  const bool symmetric = about == About::start ? balance.symmetric() || !system.field_loads() : balance.symmetric();
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
  if (!symmetric) result.remarks.emplace_back("loads follow the motion: the stiffness is not symmetric");
  const auto unstable = std::count_if(result.modes.begin(), result.modes.end(), [](const Mode& m) { return m.growth > 0; });
  if (const int all = symmetric ? balance.unstable_directions() : 0; all > unstable)
    result.remarks.push_back(fmt::format("{} unstable mode{} more {} not among these: ask for more", all - unstable,
                                         all - unstable == 1 ? "" : "s", all - unstable == 1 ? "is" : "are"));
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

State displaced(const System& system, const State& state, const Mode& mode, double amplitude) {
  State out = state;
  out.q += amplitude * mode.shape;
  for (std::size_t b = 0; b < mode.turns.size(); ++b)
    out.rotations[b].orientation = composed(exponential_quaternion(amplitude * mode.turns[b]), state.rotations[b].orientation);
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
