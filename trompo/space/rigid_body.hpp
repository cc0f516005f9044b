// A rigid body, free or turning about a fixed point.
//
// What others see of it is its frame: 12 coordinates x, d1, d2, d3 (centre of mass and body axes in space), each linear in
// place and orientation, so that gravity, springs, typed energies and constraints act on a body as on anything else. The
// orientation itself is a unit quaternion; the frame is written from it.
//
// With Euler's tensor E = tr(J)/2 I - J the books need the frame alone: T = 1/2 sum E_ij d_i'.d_j', L = sum E_ij d_i x d_j'.
#pragma once

#include <optional>

#include "trompo/math/so3.hpp"
#include "trompo/space/node_kinds.hpp"

namespace trompo {

// What a scheme solves for when a body turns: its axes as nine coordinates of constant mass, a rotation of SO(3) with its
// angular velocity, or four Euler parameters.
enum class Formulation { directors, rotation, euler_parameters };

struct Rotation {
  Quaternion orientation = Quaternion::Identity();  // body to space
  Vec3 angular_velocity = Vec3::Zero();             // body axes
};

struct RigidBody {
  static constexpr int coordinates = 12;
  int first = 0;  // frame coordinate: x, then d1, d2, d3
  double mass = 0;
  Mat3 inertia = Mat3::Identity();  // body axes; about the centre of mass, or about the fixed point
  std::optional<Vec3> fixed_point;
  Vec3 centre = Vec3::Zero();  // of mass, body axes, from the fixed point

  [[nodiscard]] Mat3 euler() const { return 0.5 * inertia.trace() * Mat3::Identity() - inertia; }

  // The part of the frame that follows from the rotation; x too where the body turns about a fixed point.
  void write_frame(const Rotation& r, VecX& q) const {
    const Mat3 R = to_matrix(r.orientation);
    for (int i = 0; i < 3; ++i) q.segment<3>(first + 3 + 3 * i) = R.col(i);
    if (fixed_point) q.segment<3>(first) = *fixed_point + R * centre;
  }
  void write_rates(const Rotation& r, VecX& v) const {
    const Mat3 rate = to_matrix(r.orientation) * skew(r.angular_velocity);
    for (int i = 0; i < 3; ++i) v.segment<3>(first + 3 + 3 * i) = rate.col(i);
    if (fixed_point) v.segment<3>(first) = rate * centre;
  }
  // Second derivatives, for an angular acceleration in body axes.
  void write_accelerations(const Rotation& r, const Vec3& angular_acceleration, VecX& a) const {
    const Mat3 w = skew(r.angular_velocity);
    const Mat3 bend = to_matrix(r.orientation) * (w * w + skew(angular_acceleration));
    for (int i = 0; i < 3; ++i) a.segment<3>(first + 3 + 3 * i) = bend.col(i);
    if (fixed_point) a.segment<3>(first) = bend * centre;
  }

  void add_momentum(const VecX& q, const VecX& v, const Vec3& about, Momentum& sum) const {
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

  // Moment in body axes of frame forces: sum e_k x R^T f_k, with e_k what turns into each part of the frame.
  template <class Turn>
  [[nodiscard]] Vec3 moment(const Turn& R, const VecX& force) const {
    Vec3 m = Vec3::Zero();
    for (int i = 0; i < 3; ++i) m += Vec3::Unit(i).cross(R.transpose() * force.segment<3>(first + 3 + 3 * i));
    if (fixed_point) m += centre.cross(R.transpose() * force.segment<3>(first));
    return m;
  }
};

}  // namespace trompo
