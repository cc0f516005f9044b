#include "trompo/run/modes_scope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "trompo/math/so3.hpp"
#include "trompo/model/joint_kinds.hpp"

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

std::vector<std::string> dampers_of(const Model& model) {
  std::vector<std::string> names;
  const auto any = [](const std::optional<Vec3>& x) { return x && !x->isZero(0); };
  for (const CoordinateInput& c : model.coordinates)
    if (c.damping > 0) names.push_back("of coordinate " + in_quotes(c.name));
  for (const SpringInput& s : model.springs)
    if (s.damping > 0 || any(s.damping_along)) names.push_back("of spring " + in_quotes(s.name));
  for (const JointInput& j : model.joints)
    if (j.damping > 0 || j.travel_damping.value_or(0) > 0 || j.other_damping.value_or(0) > 0 || any(j.damping_along) ||
        any(j.damping_about))
      names.push_back("of joint " + in_quotes(j.name));
  if (model.rayleigh.mass > 0) names.emplace_back("rayleigh.mass");
  if (model.rayleigh.stiffness > 0) names.emplace_back("rayleigh.stiffness");
  return names;
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

[[noreturn]] void refuse(const Model& model, const std::vector<std::string>& who, const std::string& does) {
  throw ModelError(
      {{Diagnostic::Severity::error, model.file, model.source.line,
        listed(who) + " " + does + " at the start, and modes do not have the forces that come with it",
        "set velocities and motions to zero for the modes of the model at rest; `trompo run` shows how it moves"}});
}

// v . A v, with the values of A on the pattern, over the unknowns that move.
double form(const Pattern& pattern, const double* values, int moving, const VecX& v) {
  double sum = 0;
  pattern.each([&](int i, int j, int place) {
    if (i < moving && j < moving) sum += v[i] * values[place] * v[j];
  });
  return sum;
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
  if (const auto dampers = dampers_of(model); !dampers.empty())
    remarks.push_back("dampers are left out: " + listed(dampers) + "; these are the modes without them");
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

void refuse_steady_motion(const Model& model, const StaticBalance& balance, const State& start) {
  const System& system = balance.system();
  const FrameReduction& reduction = balance.reduction();
  const Pattern& pattern = reduction.pattern();
  std::vector<std::string> drives;
  for (const JointInput& j : model.joints)
    if (find_joint_kind(j.kind)->freedom == JointFreedom::angle && j.motion && goes_round(*j.motion))
      drives.push_back("joint " + in_quotes(j.name));
  if (!drives.empty()) refuse(model, drives, drives.size() > 1 ? "turn their bodies" : "turns its body");

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
  // What a drive moves has its velocity from there.
  for (const JointInput& j : model.joints)
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      if ((j.motion || j.travel_motion || moves(j.ground_motion)) &&
          (j.bodies[0] == model.bodies[b].name || j.bodies[1] == model.bodies[b].name))
        spin[assembly[b]] = 0;
  const VecX mass = balance.mass();
  const double* stiffness = balance.tangent().values();
  const auto swing = [&](const VecX& x) {  // times the velocity x
    const double k = form(pattern, stiffness, balance.moving(), x), m = form(pattern, mass.data(), balance.moving(), x);
    return m > 0 ? std::sqrt(m / std::abs(k)) : 0.0;
  };
  for (std::size_t part = 0; part < v.size(); ++part)
    if (spin[part] > 0 && swing(v[part]) * spin[part] > std::numbers::pi)
      refuse(model, who[part], who[part].size() > 1 ? "turn" : "turns");
}

}  // namespace trompo
