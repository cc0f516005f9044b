#include "trompo/scheme/steady_motion.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/math/dense.hpp"
#include "trompo/math/so3.hpp"

namespace trompo {

namespace {

constexpr double tolerance = 1e-9;  // of velocities and inertias that are to be the same

struct Points {  // what is free to move, as first coordinates
  std::vector<int> first;
  std::vector<std::string> names;
};

Points moving_points(const System& system) {
  Points points;
  const auto add = [&](int first, std::string name) {
    bool any = false;
    for (int i = 0; i < 3; ++i) any = any || system.equation()[first + i] >= 0;
    if (!any) return;
    points.first.push_back(first);
    points.names.push_back(std::move(name));
  };
  for (const int first : system.nodes()) {
    const std::string name = system.coordinate_name(first);
    add(first, "node " + in_quotes(name.substr(0, name.rfind('.'))));
  }
  for (std::size_t b = 0; b < system.bodies().size(); ++b)
    add(system.bodies()[b].first, "body " + in_quotes(system.body_name(static_cast<int>(b))));
  return points;
}

// Is the body round about this axis through its centre, in body axes?
bool round_about(const RigidBody& body, const Vec3& axis) {
  const Vec3 weighed = body.inertia * axis;
  const double size = body.inertia.trace();
  if ((weighed - axis.dot(weighed) * axis).norm() > tolerance * size) return false;
  const Vec3 a = axis.unitOrthogonal(), b = axis.cross(a);
  const auto entry = [&](const Vec3& x, const Vec3& y) { return x.dot(body.inertia * y); };
  if (std::abs(entry(a, b)) > tolerance * size || std::abs(entry(a, a) - entry(b, b)) > tolerance * size) return false;
  return !body.fixed_point || (body.centre - axis.dot(body.centre) * axis).norm() <= tolerance * (1e-3 + body.centre.norm());
}

// With a frame that turns so; empty if it is this one, else why not.
std::string fit(const System& system, const State& state, const Points& points, const Vec3& turn, SteadyMotion& motion) {
  motion = {};
  motion.turn = turn;
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const Rotation& r = state.rotations[b];
    const Vec3 rest = r.angular_velocity - to_body(r.orientation, turn);
    SteadyMotion::Spin& spin = motion.spins.emplace_back();
    if (rest.norm() <= tolerance * (turn.norm() + r.angular_velocity.norm())) continue;
    spin = {rest.normalized(), rest.norm()};
    if (!round_about(system.bodies()[b], spin.axis))
      return "body " + in_quotes(system.body_name(static_cast<int>(b))) + " is not round about the axis that it turns about";
  }
  double size = 0;
  for (const int first : points.first)
    size = std::max(size, Vec3(state.v.segment<3>(first)).norm() + turn.cross(Vec3(state.q.segment<3>(first))).norm());
  bool known = false;
  for (std::size_t i = 0; i < points.first.size(); ++i) {
    const int first = points.first[i];
    Vec3 own = state.v.segment<3>(first) - turn.cross(Vec3(state.q.segment<3>(first)));
    if (!known) motion.velocity = own, known = true;
    for (int k = 0; k < 3; ++k)
      if (system.equation()[first + k] >= 0 && std::abs(own[k] - motion.velocity[k]) > tolerance * size)
        return points.names[i] + " moves otherwise";
  }
  for (const int c : system.scalars())
    if (system.equation()[c] >= 0 && state.v[c] != 0) return system.coordinate_name(c) + " changes";
  return "";
}

}  // namespace

double SteadyMotion::fastest() const {
  double most = 0;
  for (const Spin& s : spins) most = std::max(most, std::abs(s.rate));
  return turn.norm() + most;
}

Vec3 SteadyMotion::spin_of(std::size_t body, const Quaternion& orientation) const {
  return spins[body].rate * to_space(orientation, spins[body].axis);
}

void SteadyMotion::write_velocities(const System& system, State& state) const {
  const auto point = [&](int first) {
    const Vec3 v = velocity + turn.cross(Vec3(state.q.segment<3>(first)));
    for (int k = 0; k < 3; ++k)
      if (system.equation()[first + k] >= 0) state.v[first + k] = v[k];
  };
  for (const int first : system.nodes()) point(first);
  for (const int c : system.scalars())
    if (system.equation()[c] >= 0) state.v[c] = 0;
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    point(system.bodies()[b].first);
    Rotation& r = state.rotations[b];
    r.angular_velocity = to_body(r.orientation, turn) + spins[b].rate * spins[b].axis;
  }
  system.write_frames(state);
}

State SteadyMotion::at(const System& system, const State& start, double t) const {
  // What counts turns is brought up to date before it could miss one.
  const int stages = 1 + static_cast<int>(std::abs(t) * fastest());
  State now = start;
  // The frame turns about a line that does not move but along itself.
  const Vec3 about = frame_turns() ? Vec3(turn.cross(velocity) / turn.squaredNorm()) : Vec3(Vec3::Zero());
  const Vec3 along = frame_turns() ? Vec3(velocity + turn.cross(about)) : velocity;
  for (int k = 1; k <= stages; ++k) {
    const double s = t * k / stages;
    const Quaternion R = exponential_quaternion(s * turn);
    const auto point = [&](int first) {
      now.q.segment<3>(first) = about + s * along + to_space(R, Vec3(start.q.segment<3>(first) - about));
      now.v.segment<3>(first) = to_space(R, Vec3(start.v.segment<3>(first)));
    };
    for (const int first : system.nodes()) point(first);
    for (std::size_t b = 0; b < system.bodies().size(); ++b) {
      point(system.bodies()[b].first);
      const Vec3 turned = s * spins[b].rate * spins[b].axis;
      Rotation& r = now.rotations[b];
      r.orientation = composed(composed(R, start.rotations[b].orientation), exponential_quaternion(turned));
      r.angular_velocity = to_body(exponential_quaternion(turned), start.rotations[b].angular_velocity);
    }
    now.time = s;
    system.hold(now.q, now.v);
    system.prescribe_at(s, now.q, now.v);
    system.write_frames(now);
    system.settle(now.q);
  }
  return now;
}

std::vector<SteadyMotion> steady_motions(const System& system, const State& state, std::string& why) {
  const Points points = moving_points(system);
  std::vector<Vec3> candidates{Vec3::Zero()};
  const auto suggest = [&](const Vec3& turn) {
    constexpr std::size_t most = 16;
    const auto near = [&](const Vec3& other) { return (other - turn).norm() <= tolerance * turn.norm(); };
    if (candidates.size() < most && std::none_of(candidates.begin(), candidates.end(), near)) candidates.push_back(turn);
  };
  for (const Rotation& r : state.rotations) suggest(to_space(r.orientation, r.angular_velocity));
  // What points do by themselves, v = v0 + turn x x as near as may be: those that are free, and all with what is held.
  const auto suggest_of = [&](const std::vector<int>& first) {
    const auto n = static_cast<Eigen::Index>(first.size());
    if (n < 2) return;
    MatX a = MatX::Zero(3 * n, 6);
    VecX v(3 * n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const int c = first[static_cast<std::size_t>(i)];
      a.block<3, 3>(3 * i, 0).setIdentity();
      a.block<3, 3>(3 * i, 3) = -skew(Vec3(state.q.segment<3>(c)));
      v.segment<3>(3 * i) = state.v.segment<3>(c);
    }
    suggest(least_squares(a, v).tail<3>());
  };
  suggest_of(points.first);
  suggest_of(system.nodes());
  std::vector<SteadyMotion> found;
  why.clear();
  for (const Vec3& turn : candidates) {
    SteadyMotion motion;
    const std::string reason = fit(system, state, points, turn, motion);
    if (reason.empty()) found.push_back(std::move(motion));
    if (why.empty()) why = reason;  // seen from where nothing turns: the plainest
  }
  return found;
}

}  // namespace trompo
