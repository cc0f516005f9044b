// W = w (1 - cos r): the weight of a simple pendulum in its angle, w = m g l.
#pragma once

#include <cmath>

#include "trompo/law/law.hpp"

namespace trompo {

struct WeightLaw : ScalarLaw {
  double w;
  explicit WeightLaw(double weight_times_length) : w(weight_times_length) {}

  // 1 - cos r = 2 sin^2(r/2) keeps the digits of small swings.
  [[nodiscard]] double energy(const R& r) const {
    const double half = std::sin(0.5 * r[0]);
    return 2 * w * half * half;
  }
  [[nodiscard]] R stress(const R& r) const { return R(w * std::sin(r[0])); }
  [[nodiscard]] R stiffness(const R& r) const { return R(w * std::cos(r[0])); }
  // (cos r0 - cos r1) / (r1 - r0) = sin(mean) sin(d)/d with d = (r1 - r0)/2
  [[nodiscard]] R secant_stress(const R& r0, const R& r1) const {
    return R(w * std::sin(0.5 * (r0[0] + r1[0])) * sinc(0.5 * (r1[0] - r0[0])));
  }
  [[nodiscard]] R secant_stiffness(const R& r0, const R& r1) const {
    const double mean = 0.5 * (r0[0] + r1[0]), d = 0.5 * (r1[0] - r0[0]);
    return R(0.5 * w * (std::cos(mean) * sinc(d) + std::sin(mean) * sinc_slope(d)));
  }

 private:
  static double sinc(double x) { return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x; }
  static double sinc_slope(double x) {
    return std::abs(x) < 1e-3 ? -x / 3 + x * x * x / 30 : (std::cos(x) - std::sin(x) / x) / x;
  }
};

}  // namespace trompo
