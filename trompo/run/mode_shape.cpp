#include "trompo/run/mode_shape.hpp"

#include <cmath>

namespace trompo {

namespace {

struct Shape {
  VecX shape;
  std::vector<Vec3> turns;
};

Shape shape_of(const StaticBalance& balance, const VecX& motion) {
  const System& system = balance.system();
  const FrameReduction& reduction = balance.reduction();
  Shape out;
  out.shape.setZero(system.coordinates());
  for (int e = 0; e < system.equations(); ++e)
    if (const int u = reduction.of_equation(e); u >= 0) out.shape[system.free()[e]] = motion[u];
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const RigidBody& body = system.bodies()[b];
    const Vec3 turn = motion.segment<3>(reduction.of_body(static_cast<int>(b)));
    out.turns.push_back(turn);
    const VecX& q = balance.state().q;
    for (int k = 1; k <= 3; ++k) out.shape.segment<3>(body.first + 3 * k) = turn.cross(Vec3(q.segment<3>(body.first + 3 * k)));
    if (body.fixed_point) out.shape.segment<3>(body.first) = turn.cross(Vec3(q.segment<3>(body.first) - *body.fixed_point));
  }
  return out;
}

}  // namespace

Mode mode_of(const StaticBalance& balance, const EigenPair& pair) {
  Mode mode;
  const std::complex<double> w = std::sqrt(pair.square);
  mode.frequency = std::abs(w.real());
  mode.growth = std::abs(w.imag());
  Shape shape = shape_of(balance, pair.shape);
  mode.shape = std::move(shape.shape);
  mode.turns = std::move(shape.turns);
  mode.moves = balance.dominant_motion(pair.shape);
  return mode;
}

Mode mode_of(const StaticBalance& balance, const ComplexMotion& motion) {
  Mode mode;
  mode.frequency = motion.exponent.imag();
  mode.growth = motion.exponent.real();
  Shape shape = shape_of(balance, motion.shape.real()), ahead = shape_of(balance, motion.shape.imag());
  mode.shape = std::move(shape.shape);
  mode.turns = std::move(shape.turns);
  if (!motion.shape.imag().isZero(0)) {
    mode.ahead = std::move(ahead.shape);
    mode.turns_ahead = std::move(ahead.turns);
  }
  mode.moves = balance.dominant_motion(motion.shape.cwiseAbs());
  return mode;
}

// The sense in which points and axes go round, weighed by the masses: -Re z x Im z of what moves as Re(z exp(i w t)).
std::string whirl_of(const System& system, const Mode& mode, const Vec3& axis) {
  if (mode.ahead.size() == 0 || axis.isZero(0)) return "";
  double round = 0, size = 0;
  const auto add = [&](double mass, const Vec3& real, const Vec3& imaginary) {
    round -= mass * real.cross(imaginary).dot(axis);
    size += mass * (real.squaredNorm() + imaginary.squaredNorm());
  };
  for (const int first : system.nodes()) add(system.mass()[first], mode.shape.segment<3>(first), mode.ahead.segment<3>(first));
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const RigidBody& body = system.bodies()[b];
    if (!body.fixed_point) add(body.mass, mode.shape.segment<3>(body.first), mode.ahead.segment<3>(body.first));
    add(body.inertia.trace() / 3, mode.turns[b], mode.turns_ahead[b]);
  }
  constexpr double line = 1e-6;
  return round > line * size ? "forward" : round < -line * size ? "backward" : "";
}

}  // namespace trompo
