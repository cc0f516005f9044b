// A rigid body, free or turning about a fixed point.
//
// What others see of it is its frame: 12 coordinates x, d1, d2, d3 (centre of mass and body axes in space), each linear in
// place and orientation, so that gravity, springs, typed energies and constraints act on a body as on anything else. The
// orientation itself is a unit quaternion; the frame is written from it.
//
// With Euler's tensor E = tr(J)/2 I - J energy and momentum need the frame alone: T = 1/2 sum E_ij d_i'.d_j', L = sum E_ij d_i
// x d_j'.
#pragma once

#include <optional>

#include "trompo/space/node_kinds.hpp"

namespace trompo {

// What a scheme solves for when a body turns: its axes as nine coordinates of constant mass, a rotation of SO(3) with its
// angular velocity, or four Euler parameters.
enum class Formulation { directors, rotation, euler_parameters };

struct Rotation {
  Quaternion orientation = Quaternion::Identity();  // body to space
  Vec3 angular_velocity = Vec3::Zero();             // body axes
  Vec<4> parameter_rate = Vec<4>::Zero();           // with euler-parameters, where the orientation is p itself: p'
};

struct RigidBody {
  static constexpr int coordinates = 12;
  int first = 0;  // frame coordinate: x, then d1, d2, d3
  double mass = 0;
  Mat3 inertia = Mat3::Identity();  // body axes; about the centre of mass, or about the fixed point
  std::optional<Vec3> fixed_point;
  Vec3 centre = Vec3::Zero();  // of mass, body axes, from the fixed point

  [[nodiscard]] Mat3 euler() const;  // E = tr(J)/2 I - J

  // The part of the frame that follows from the rotation; x too where the body turns about a fixed point.
  void write_frame(const Rotation& r, VecX& q) const;
  void write_rates(const Rotation& r, VecX& v) const;
  // Second derivatives, for an angular acceleration in body axes.
  void write_accelerations(const Rotation& r, const Vec3& angular_acceleration, VecX& a) const;
  [[nodiscard]] double kinetic(const VecX& v) const;  // of the frame
  // The share of it that is no motion of the body: axes of Euler parameters change their length where p' has a part s along p,
  // by the frame 2 s^2 tr E, while the body's own 2 (L p').J (L p') has nothing of it.
  [[nodiscard]] double swelling(const VecX& q, const VecX& v) const;
  void add_momentum(const VecX& q, const VecX& v, const Vec3& about, Momentum& sum) const;
};

}  // namespace trompo
