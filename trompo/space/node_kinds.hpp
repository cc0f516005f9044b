// Node kinds: what carries mass. A kind owns its coordinates, its inertia and what it adds to energy and momentum.
//
//   point    3 coordinates x, mass m constant
//   scalar   1 generalised coordinate with a constant inertia; it has energy, but no place, so no momentum in space
//
// For both the frame coordinates are the coordinates themselves and the velocity is their rate.
#pragma once

#include "trompo/math/vector.hpp"

namespace trompo {

struct Momentum {
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();  // about a given point
  double linear_scale = 0;      // sum |m v|
  double angular_scale = 0;     // sum |x| |m v|
};

struct PointKind {
  static constexpr int coordinates = 3;
  static void add_momentum(double mass, const Vec3& x, const Vec3& v, Momentum& sum) {
    const Vec3 p = mass * v;
    sum.linear += p;
    sum.angular += x.cross(p);
    const double size = p.norm();
    sum.linear_scale += size;
    sum.angular_scale += x.norm() * size;
  }
};

struct ScalarKind {
  static constexpr int coordinates = 1;
};

}  // namespace trompo
