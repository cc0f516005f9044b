// A measure that follows a function of time: phi(c) - f(t). Its last coordinate is time, so that what the drive feeds in is
// the work of a support.
#pragma once

#include <memory>

#include "trompo/math/time_function.hpp"
#include "trompo/measure/measure.hpp"

namespace trompo {

template <Measure M>
struct Driven {
  static constexpr int n = M::coordinates;
  static constexpr int coordinates = n + 1;
  static constexpr int components = 1;
  using C = Vec<n + 1>;
  using S = Vec<1>;
  using J = Mat<1, n + 1>;
  using K = Mat<n + 1, n + 1>;
  M measure;
  std::shared_ptr<const TimeFunction> drive;

  [[nodiscard]] S value(const C& c) const { return S(measure.value(c.template head<n>())[0] - drive->value(c[n])); }
  [[nodiscard]] J jacobian(const C& c) const {
    J j;
    j << measure.jacobian(c.template head<n>()), -drive->at(c[n]).rate;
    return j;
  }
  [[nodiscard]] K curvature(const C& c, const S& s) const {
    K k = around(measure.curvature(c.template head<n>(), s));
    k(n, n) = -s[0] * drive->at(c[n]).curvature;
    return k;
  }
  [[nodiscard]] J secant(const C& c0, const C& c1) const {
    const double dt = c1[n] - c0[n];
    J j;
    j << measure.secant(c0.template head<n>(), c1.template head<n>()),
        dt == 0 ? -drive->at(c1[n]).rate : -(drive->value(c1[n]) - drive->value(c0[n])) / dt;
    return j;
  }
  // Time has no equation: what the secant does with it is nobody's business.
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const {
    return around(measure.secant_curvature(c0.template head<n>(), c1.template head<n>(), s));
  }

 private:
  [[nodiscard]] static K around(const Mat<n, n>& inner) {
    K k = K::Zero();
    k.template topLeftCorner<n, n>() = inner;
    return k;
  }
};

}  // namespace trompo
