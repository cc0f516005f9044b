// The motion of one body about a fixed point: exact by elliptic integrals where it can be, and measured on a run.
//
// A body with the inertias J1, J1, J3 about its axis E, under a weight M g l: u = cos(tilt) obeys u'^2 = f(u), a cubic, and
// moves between the two roots that are cosines. It takes the period of nutation to go there and back, and the axis gains the
// advance of precession meanwhile (H. Goldstein, Classical Mechanics, section 5.7). A free body with three inertias turns over
// with a period that is an elliptic integral too (L. Landau, E. Lifshitz, Mechanics, section 37).
#pragma once

#include <span>

#include "trompo/math/so3.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

struct Nutation {
  double period = 0;
  double advance = 0;              // of the azimuth, in one period
  double lowest = 0, highest = 0;  // cosine of the tilt
  [[nodiscard]] double precession() const { return advance / period; }
};

// What the exact solutions need of a body that turns about a fixed point.
struct HeavyTop {
  explicit HeavyTop(const System& system);  // whose top() refuses nothing
  double transverse = 0, axial = 0;         // inertias J1 (the mean of both), J3
  double weight = 0;                        // M g l
  Vec3 gamma, E;                            // up in space, the axis in the body
  Mat3 inertia;

  [[nodiscard]] Vec3 axis(const Rotation& r) const { return to_space(r.orientation, E); }
  [[nodiscard]] Vec3 momentum(const Rotation& r) const { return to_space(r.orientation, inertia * r.angular_velocity); }
  [[nodiscard]] double spin(const Rotation& r) const { return E.dot(inertia * r.angular_velocity); }
  [[nodiscard]] double energy(const Rotation& r) const {
    return 0.5 * r.angular_velocity.dot(inertia * r.angular_velocity) + weight * gamma.dot(axis(r));
  }
};

[[nodiscard]] Nutation exact_nutation(const HeavyTop& top, const Rotation& start);

// Measured between the passages of cos(tilt) upwards through the middle of its range; NaN where it does not come back.
[[nodiscard]] Nutation measured_nutation(const HeavyTop& top, std::span<const double> times, std::span<const Rotation> states);

// Time in which a free body goes through all its angular velocities: two flips, if it spins about its middle axis.
[[nodiscard]] double exact_tumbling_period(const Mat3& inertia, const Vec3& angular_velocity);
[[nodiscard]] double measured_tumbling_period(std::span<const double> times, std::span<const Rotation> states,
                                              const Vec3& axis);

// The upright top, a little tilted and let go. Below the critical spin the tilt grows with the rate of linear theory, up to a
// limit that does not depend on how it began; above, it stays below `swing` times what it was.
struct SleepingTop {
  SleepingTop(const HeavyTop& top, double spin);
  double critical_spin = 0;  // 4 M g l J1 = (J3 spin)^2
  double growth = 0;         // 1/s; 0 above
  double limit = 0;          // of the tilt; 0 above
  double swing = 0;          // 0 below
};

}  // namespace trompo
