#include "trompo/space/rigid_body.hpp"

#include "trompo/math/so3.hpp"

namespace trompo {

Mat3 RigidBody::euler() const {
  Mat3 E = 0.5 * inertia.trace() * Mat3::Identity() - inertia;
  // None along the normal of a thin plate: rounding must not make it a mass, let alone a negative one. That of an impossible
  // body, taken where the file insists, is truly negative.
  const double size = inertia.trace();
  for (int k = 0; k < 3; ++k)
    if (E(k, k) < 1e-15 * size && E(k, k) > -1e-12 * size) E(k, k) = 0;
  return E;
}

void RigidBody::write_frame(const Rotation& r, VecX& q) const {
  const Mat3 R = to_matrix(r.orientation);
  for (int i = 0; i < 3; ++i) q.segment<3>(first + 3 + 3 * i) = R.col(i);
  if (fixed_point) q.segment<3>(first) = *fixed_point + R * centre;
}

void RigidBody::write_rates(const Rotation& r, VecX& v) const {
  const Mat3 rate = to_matrix(r.orientation) * skew(r.angular_velocity);
  for (int i = 0; i < 3; ++i) v.segment<3>(first + 3 + 3 * i) = rate.col(i);
  if (fixed_point) v.segment<3>(first) = rate * centre;
}

void RigidBody::write_accelerations(const Rotation& r, const Vec3& angular_acceleration, VecX& a) const {
  const Mat3 w = skew(r.angular_velocity);
  const Mat3 bend = to_matrix(r.orientation) * (w * w + skew(angular_acceleration));
  for (int i = 0; i < 3; ++i) a.segment<3>(first + 3 + 3 * i) = bend.col(i);
  if (fixed_point) a.segment<3>(first) = bend * centre;
}

double RigidBody::kinetic(const VecX& v) const {
  const Eigen::Map<const Mat3> rate(v.data() + first + 3);
  const double axes = 0.5 * rate.cwiseProduct(rate * euler()).sum();
  return fixed_point ? axes : 0.5 * mass * v.segment<3>(first).squaredNorm() + axes;  // about a point the axes have all of it
}

double RigidBody::swelling(const VecX& q, const VecX& v) const {
  double s = 0;  // p.p' = d_k.d_k' / 2 |d_k|, whatever the axis and the norm of p
  for (int d = first + 3; d < first + coordinates; d += 3) s += q.segment<3>(d).dot(v.segment<3>(d)) / q.segment<3>(d).norm();
  s /= 6;
  return 2 * s * s * euler().trace();
}

void RigidBody::add_momentum(const VecX& q, const VecX& v, const Vec3& about, Momentum& sum) const {
  const Eigen::Map<const Mat3> R(q.data() + first + 3), rate(v.data() + first + 3);
  const Mat3 weighed = rate * euler();
  Vec3 spin = Vec3::Zero();
  for (int i = 0; i < 3; ++i) spin += R.col(i).cross(weighed.col(i));
  const Vec3 p = mass * v.segment<3>(first);
  if (fixed_point) {  // the spin is about the fixed point and has the centre's part in it
    sum.linear += p;
    sum.linear_scale += p.norm();
    sum.angular += (*fixed_point - about).cross(p);
    sum.angular_scale += (*fixed_point - about).norm() * p.norm();
  } else {
    PointKind::add_momentum(mass, q.segment<3>(first) - about, v.segment<3>(first), sum);
  }
  sum.angular += spin;
  sum.angular_scale += spin.norm();
}

}  // namespace trompo
