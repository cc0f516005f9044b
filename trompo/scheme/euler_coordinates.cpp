#include "trompo/scheme/euler_coordinates.hpp"

#include <cmath>

#include "trompo/math/so3.hpp"

namespace trompo {

using euler::Vec4;
using Lever = Eigen::Map<Mat<4, 3>>;  // of the three components of an axis: D^T
using ConstLever = Eigen::Map<const Mat<4, 3>>;

EulerCoordinates::EulerCoordinates(const System& system)
    : system_(&system), reduction_(system, 4, 1), size_(reduction_.of_multiplier(0)) {
  coordinate_.assign(static_cast<std::size_t>(size_), -1);
  for (int e = 0; e < system.equations(); ++e)
    if (const int unknown = reduction_.of_equation(e); unknown >= 0) coordinate_[unknown] = system.free()[e];
}

// An angular velocity does not know what p' has along p, where the norm changes: that part is the rate's own. Where p has
// drifted off the unit sphere, L^T L p' + p p.p' = |p|^2 p'.
void EulerCoordinates::read(const State& state, Result y, Result rate) const {
  for (int i = 0; i < plain(); ++i) {
    y[i] = state.q[coordinate_[i]];
    rate[i] = state.v[coordinate_[i]];
  }
  for (int b = 0; b < bodies(); ++b) {
    const Rotation& r = state.rotations[b];
    const Vec4 parameters = euler::parameters(r.orientation);
    y.segment<4>(reduction_.of_body(b)) = parameters;
    rate.segment<4>(reduction_.of_body(b)) =
        (euler::rate(parameters, r.angular_velocity) + parameters.dot(r.parameter_rate) * parameters) /
        parameters.squaredNorm();
  }
}

void EulerCoordinates::write(const Numbers& y, const Numbers& rate, VecX& q, VecX& v) const {
  for (int i = 0; i < plain(); ++i) {
    q[coordinate_[i]] = y[i];
    v[coordinate_[i]] = rate[i];
  }
  for (int b = 0; b < bodies(); ++b) {
    const Vec4 parameters = p(b, y), turning = p(b, rate);
    const Mat3 A = euler::matrix(parameters);
    each_axis(body(b), [&](int first, const Vec3& e) {
      q.segment<3>(first) = A * e;
      v.segment<3>(first) = euler::slope(parameters, e) * turning;
    });
    if (const auto& held = body(b).fixed_point) q.segment<3>(body(b).first) += *held;
  }
}

void EulerCoordinates::write_acceleration(const Numbers& y, const Numbers& rate, const Numbers& acceleration, VecX& a) const {
  for (int i = 0; i < plain(); ++i) a[coordinate_[i]] = acceleration[i];
  for (int b = 0; b < bodies(); ++b)
    each_axis(body(b), [&](int first, const Vec3& e) {
      a.segment<3>(first) = euler::slope(p(b, y), e) * p(b, acceleration) + euler::slope(p(b, rate), e) * p(b, rate);
    });
}

void EulerCoordinates::write_rotations(const Numbers& y, const Numbers& rate, std::vector<Rotation>& rotations) const {
  for (int b = 0; b < bodies(); ++b)
    rotations[b] = {euler::quaternion(p(b, y)), euler::angular_velocity(p(b, y), p(b, rate)), p(b, rate)};
}

void EulerCoordinates::place_levers(const Numbers& y) {
  for (int b = 0; b < bodies(); ++b)
    each_axis(body(b),
              [&](int first, const Vec3& e) { Lever(reduction_.lever(first)) = euler::slope(p(b, y), e).transpose(); });
}

void EulerCoordinates::place_slopes(const Numbers& y) {
  for (int b = 0; b < bodies(); ++b)
    each_axis(body(b),
              [&](int first, const Vec3& e) { Lever(reduction_.slope(first)) = euler::slope(p(b, y), e).transpose(); });
}

void EulerCoordinates::gather(const VecX& frame_force, Result force) const {
  for (int i = 0; i < plain(); ++i) force[i] = frame_force[coordinate_[i]];
  for (int b = 0; b < bodies(); ++b) {
    Vec4 sum = Vec4::Zero();
    each_axis(body(b),
              [&](int first, const Vec3&) { sum += ConstLever(reduction_.lever(first)) * frame_force.segment<3>(first); });
    force.segment<4>(reduction_.of_body(b)) = sum;
  }
}

void EulerCoordinates::multiply_mass(const Numbers& y, const Numbers& x, Result out) const {
  for (int i = 0; i < plain(); ++i) out[i] = system_->mass()[coordinate_[i]] * x[i];
  for (int b = 0; b < bodies(); ++b) out.segment<4>(reduction_.of_body(b)) = euler::mass(p(b, y), body(b).inertia) * p(b, x);
}

void EulerCoordinates::velocity_force(const Numbers& y, const Numbers& rate, Result out) const {
  out.head(plain()).setZero();
  for (int b = 0; b < bodies(); ++b)
    out.segment<4>(reduction_.of_body(b)) = euler::velocity_force(p(b, y), p(b, rate), body(b).inertia);
}

double EulerCoordinates::largest_turn(const Numbers& y0, const Numbers& y1) const {
  double most = 0;
  for (int b = 0; b < bodies(); ++b)
    most = std::max(most, 2 * std::atan2((euler::L(p(b, y0)) * p(b, y1)).norm(), p(b, y0).dot(p(b, y1))));
  return most;
}

}  // namespace trompo
