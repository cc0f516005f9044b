#include "trompo/run/top_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trompo/math/dense.hpp"
#include "trompo/run/period.hpp"

namespace trompo {

HeavyTop::HeavyTop(const System& system)
    : weight(system.top().weight), gamma(system.top().gamma), E(system.top().E), inertia(system.bodies().front().inertia) {
  axial = E.dot(inertia * E);
  transverse = 0.5 * (inertia.trace() - axial);
}

namespace {

struct Cubic {
  double c3, c2, c1, c0;
  [[nodiscard]] double at(double u) const { return ((c3 * u + c2) * u + c1) * u + c0; }
  [[nodiscard]] double slope(double u) const { return (3 * c3 * u + 2 * c2) * u + c1; }
  // Three real ones, rising: Viete's cosines, then Newton, which gives back the digits that the cosines lose.
  [[nodiscard]] std::array<double, 3> roots() const {
    const double mean = -c2 / (3 * c3), p = c1 / c3 - 3 * mean * mean, q = at(mean) / c3;
    const double radius = 2 * std::sqrt(std::max(0.0, -p / 3));
    const double angle = std::acos(std::clamp(radius > 0 ? 3 * q / (p * radius) : 1.0, -1.0, 1.0)) / 3;
    std::array<double, 3> all{};
    for (std::size_t k = 0; k < 3; ++k) {
      double& u = all[k];
      u = mean + radius * std::cos(angle - 2 * std::numbers::pi / 3 * static_cast<double>(k));
      for (int i = 0; i < 3; ++i)
        if (const double better = u - at(u) / slope(u); std::isfinite(better)) u = better;
    }
    std::sort(all.begin(), all.end());
    return all;
  }
};

}  // namespace

Nutation exact_nutation(const HeavyTop& top, const Rotation& start) {
  const double J1 = top.transverse, spin = top.spin(start);
  const double a = 2 * (top.energy(start) - spin * spin / (2 * top.axial)) / J1, b = 2 * top.weight / J1;
  const double l = top.gamma.dot(top.momentum(start)) / J1, m = spin / J1;
  // u'^2 = (a - b u)(1 - u^2) - (l - m u)^2, azimuth' = (l - m u)/(1 - u^2)
  const auto [low, high, beyond] = Cubic{b, -(a + m * m), 2 * l * m - b, a - l * l}.roots();
  const double width = high - low, modulus = std::sqrt(width / (beyond - low)), pace = std::sqrt(b * (beyond - low));
  // u = low + width sin^2; 1/(1 - u^2) = 1/2 (1/(1-u) + 1/(1+u))
  const double above = (l - m) / (1 - low) * std::comp_ellint_3(modulus, width / (1 - low));
  const double below = (l + m) / (1 + low) * std::comp_ellint_3(modulus, -width / (1 + low));
  return {4 / pace * std::comp_ellint_1(modulus), 2 / pace * (above + below), low, high};
}

Nutation measured_nutation(const HeavyTop& top, std::span<const double> times, std::span<const Rotation> states) {
  std::vector<double> cosines, azimuths;
  Nutation n{.lowest = 1, .highest = -1};
  Vec3 before = top.axis(states.front());
  double azimuth = 0;
  for (const Rotation& state : states) {
    const Vec3 now = top.axis(state);
    azimuth += std::atan2(top.gamma.dot(before.cross(now)), before.dot(now) - top.gamma.dot(before) * top.gamma.dot(now));
    before = now;
    azimuths.push_back(azimuth);
    cosines.push_back(top.gamma.dot(now));
    n.lowest = std::min(n.lowest, cosines.back());
    n.highest = std::max(n.highest, cosines.back());
  }
  Crossings crossings;
  const double middle = 0.5 * (n.lowest + n.highest);
  for (std::size_t i = 0; i < times.size(); ++i) crossings.add(times[i], cosines[i] - middle, azimuths[i]);
  n.period = crossings.period();
  n.advance = crossings.advance();
  return n;
}

double exact_tumbling_period(const Mat3& inertia, const Vec3& angular_velocity) {
  const Vec3 P = inertia * angular_velocity;
  Vec3 J = principal_axes(inertia).values;  // rising
  const double twice = angular_velocity.dot(P), square = P.squaredNorm();
  if (square < twice * J[1]) std::swap(J[0], J[2]);  // about the axis of least inertia: the formulas are those of the largest
  const double inner = (J[1] - J[0]) * (twice * J[2] - square), outer = (J[2] - J[1]) * (square - twice * J[0]);
  return 4 * std::sqrt(J[0] * J[1] * J[2] / outer) * std::comp_ellint_1(std::sqrt(inner / outer));
}

double measured_tumbling_period(std::span<const double> times, std::span<const Rotation> states, const Vec3& axis) {
  Crossings crossings;
  for (std::size_t i = 0; i < times.size(); ++i) crossings.add(times[i], axis.dot(states[i].angular_velocity));
  return crossings.period();
}

SleepingTop::SleepingTop(const HeavyTop& top, double spin) {
  const double stiffness = 4 * top.transverse * top.weight, hold = std::pow(top.axial * spin, 2);
  critical_spin = std::sqrt(stiffness) / top.axial;
  if (hold < stiffness) {
    growth = std::sqrt(stiffness - hold) / (2 * top.transverse);
    limit = std::acos(2 * hold / stiffness - 1);
  } else {
    swing = std::sqrt(hold / (hold - stiffness));
  }
}

}  // namespace trompo
