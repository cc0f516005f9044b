#include "trompo/run/modes_scope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "trompo/math/so3.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/scheme/steady_motion.hpp"

namespace trompo {

namespace {

// "a, b and 3 more"
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

std::vector<std::string> motions_of(const Model& model) {
  std::vector<std::string> names;
  const auto given = [](const std::optional<TimeFunction>& f) { return f && !f->constant(); };
  const auto any = [&](const Motions& m) { return std::any_of(m.begin(), m.end(), given); };
  for (const NodeInput& n : model.nodes)
    if (any(n.motion)) names.push_back("of node " + in_quotes(n.name));
  for (const CoordinateInput& c : model.coordinates)
    if (given(c.motion)) names.push_back("of coordinate " + in_quotes(c.name));
  for (const SpringInput& s : model.springs)
    for (const EndInput& e : s.ends())
      if (any(e.motion)) names.push_back("of spring " + in_quotes(s.name));
  for (const JointInput& j : model.joints)
    if (given(j.motion) || given(j.travel_motion) || any(j.ground_motion)) names.push_back("of joint " + in_quotes(j.name));
  return names;
}

// v . A v, with the values of A on the pattern, over the unknowns that move.
double form(const Pattern& pattern, const double* values, int moving, const VecX& v) {
  double sum = 0;
  pattern.each([&](int i, int j, int place) {
    if (i < moving && j < moving) sum += v[i] * values[place] * v[j];
  });
  return sum;
}

// With velocities v it would swing by this times v.
double swing(const StaticBalance& balance, const VecX& v) {
  const Pattern& pattern = balance.reduction().pattern();
  const VecX mass = balance.mass();
  const double k = form(pattern, balance.tangent().values(), balance.moving(), v),
               m = form(pattern, mass.data(), balance.moving(), v);
  return m > 0 ? std::sqrt(m / std::abs(k)) : 0.0;
}

// A drive that at its first rate would have made a turn, and has made more than half of one.
bool goes_round(const TimeFunction& angle) {
  const Jet start = angle.at(0);
  if (start.rate == 0) return false;
  constexpr int samples = 64;
  const double turn = 2 * std::numbers::pi / std::abs(start.rate);
  for (int i = 1; i <= samples; ++i)
    if (std::abs(angle.value(i * turn / samples) - start.value) > std::numbers::pi) return true;
  return false;
}

// The first body of the assembly that each one belongs to.
std::vector<std::size_t> assemblies(const Model& model) {
  std::map<std::string, std::size_t> number;
  std::vector<std::size_t> first(model.bodies.size());
  for (std::size_t b = 0; b < first.size(); ++b) number[model.bodies[b].name] = first[b] = b;
  const auto root = [&](std::size_t b) {
    while (first[b] != b) b = first[b] = first[first[b]];
    return b;
  };
  const auto join = [&](const std::string& a, const std::string& b) {
    if (a == "ground" || b == "ground" || b.empty()) return;
    const std::size_t i = root(number.at(a)), j = root(number.at(b));
    first[std::max(i, j)] = std::min(i, j);
  };
  for (const JointInput& j : model.joints) join(j.bodies[0], j.bodies[1]);
  for (const RodElementInput& e : model.rod_elements) join(e.bodies[0], e.bodies[1]), join(e.bodies[0], e.middle);
  for (std::size_t b = 0; b < first.size(); ++b) first[b] = root(b);
  return first;
}

}  // namespace

std::vector<std::string> left_out_of_modes(const Model& model, const State& start) {
  std::vector<std::string> remarks;
  if (const auto motions = motions_of(model); !motions.empty())
    remarks.push_back("motions are held where they are at t = 0: " + listed(motions));
  const bool turns = std::any_of(start.rotations.begin(), start.rotations.end(),
                                 [](const Rotation& r) { return !r.angular_velocity.isZero(0); });
  bool moves = turns;
  for (const NodeInput& n : model.nodes) moves = moves || !n.velocity.isZero(0);
  for (const BodyInput& b : model.bodies) moves = moves || (b.velocity && !b.velocity->isZero(0));
  for (const CoordinateInput& c : model.coordinates) moves = moves || c.rate != 0;
  if (moves) remarks.emplace_back("velocities at the start are left out: these are the modes of the model at rest");
  return remarks;
}

std::vector<std::string> going_round(const Model& model, const StaticBalance& balance, const State& start) {
  const System& system = balance.system();
  const FrameReduction& reduction = balance.reduction();
  const Pattern& pattern = reduction.pattern();
  std::vector<std::string> drives;
  for (const JointInput& j : model.joints)
    if (find_joint_kind(j.kind)->freedom == JointFreedom::angle && j.motion && goes_round(*j.motion))
      drives.push_back("joint " + in_quotes(j.name));
  if (!drives.empty()) return drives;

  // Bodies that joints and rods hold together move together: their velocities are judged as one.
  const std::vector<std::size_t> assembly = assemblies(model);
  std::vector<VecX> v(model.bodies.size());
  const auto of = [&](std::size_t part) -> VecX& {
    if (v[part].size() == 0) v[part].setZero(pattern.size());
    return v[part];
  };
  std::vector<double> spin(v.size(), 0);
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> part_of(static_cast<std::size_t>(system.coordinates()), none);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    std::fill_n(part_of.begin() + system.bodies()[b].first, RigidBody::coordinates, assembly[b]);
  for (int e = 0; e < system.equations(); ++e) {
    const int u = reduction.of_equation(e), c = system.free()[e];
    const std::size_t part = part_of[static_cast<std::size_t>(c)];
    if (u >= 0 && part != none && start.v[c] != 0) of(part)[u] = start.v[c];
  }
  std::vector<std::vector<std::string>> who(v.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Vec3 turn = to_space(start.rotations[b].orientation, start.rotations[b].angular_velocity);
    if (turn.isZero(0)) continue;
    of(assembly[b]).segment<3>(reduction.of_body(static_cast<int>(b))) = turn;
    spin[assembly[b]] = std::max(spin[assembly[b]], turn.norm());
    who[assembly[b]].push_back("body " + in_quotes(model.bodies[b].name));
  }
  // What a drive moves has its velocity from there; one that holds gives none.
  const auto drives_now = [](const std::optional<TimeFunction>& f) { return f && f->at(0).rate != 0; };
  for (const JointInput& j : model.joints) {
    const Motions& ground = j.ground_motion;
    if (!drives_now(j.motion) && !drives_now(j.travel_motion) && std::none_of(ground.begin(), ground.end(), drives_now))
      continue;
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      if (j.bodies[0] == model.bodies[b].name || j.bodies[1] == model.bodies[b].name) spin[assembly[b]] = 0;
  }
  for (std::size_t part = 0; part < v.size(); ++part)
    if (spin[part] > 0 && swing(balance, v[part]) * spin[part] > std::numbers::pi) return who[part];
  return {};
}

bool nodes_go_round(const Model& model, const StaticBalance& balance, const State& start) {
  if (!model.bodies.empty()) return false;
  const System& system = balance.system();
  const FrameReduction& reduction = balance.reduction();
  VecX rates = VecX::Zero(reduction.pattern().size());
  for (int e = 0; e < system.equations(); ++e)
    if (const int u = reduction.of_equation(e); u >= 0) rates[u] = start.v[system.free()[e]];
  std::string why;
  const std::vector<SteadyMotion> motions = steady_motions(system, start, why);
  return std::any_of(motions.begin(), motions.end(), [&](const SteadyMotion& motion) {
    return motion.frame_turns() && swing(balance, rates) * motion.turn.norm() > std::numbers::pi;
  });
}

void refuse_turning(const Model& model, const std::vector<std::string>& who, const std::string& why,
                    const std::string& remedy) {
  const bool one = who.size() == 1, drive = who.front().starts_with("joint ");
  const std::string verb = (one ? " turns" : " turn") + std::string(drive ? one ? " its body" : " their bodies" : "");
  throw ModelError({{Diagnostic::Severity::error, model.file, model.source.line,
                     listed(who) + verb + " at the start, and there are no modes about that: " + why, remedy}});
}

}  // namespace trompo
