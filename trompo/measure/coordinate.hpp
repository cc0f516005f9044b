// One coordinate as it is: the measure of springs on a generalised coordinate, of the simple pendulum's angle, of supports
// (constraint c = given(t), whose multiplier is the reaction) and of position sensors.
#pragma once

#include "trompo/measure/measure.hpp"

namespace trompo {

struct CoordinateMeasure {
  static constexpr int coordinates = 1;
  static constexpr int components = 1;
  static constexpr bool linear = true;
  using C = Vec<1>;
  using S = Vec<1>;
  using J = Mat<1, 1>;

  [[nodiscard]] S value(const C& c) const { return c; }
  [[nodiscard]] J jacobian(const C& /*c*/) const { return J::Identity(); }
  [[nodiscard]] J curvature(const C& /*c*/, const S& /*s*/) const { return J::Zero(); }
  [[nodiscard]] J secant(const C& /*c0*/, const C& /*c1*/) const { return J::Identity(); }
  [[nodiscard]] J secant_curvature(const C& /*c0*/, const C& /*c1*/, const S& /*s*/) const { return J::Zero(); }
};

}  // namespace trompo
