// Axial strain of a bar between two points, r = x2 - x1, l = |r|, natural length L.
// All three are functions of the invariant r.r, so their secants point along r0 + r1.
#pragma once

#include <cmath>

#include "trompo/measure/measure.hpp"

namespace trompo {

// What a function of r = x2 - x1 looks like in the coordinates (x1, x2).
struct TwoPoints {
  static constexpr int coordinates = 6;
  static constexpr int components = 1;
  using C = Vec<6>;
  using S = Vec<1>;
  using J = Mat<1, 6>;
  using K = Mat<6, 6>;

  static Vec3 chord(const C& c) { return c.tail<3>() - c.head<3>(); }
  static J row(const Vec3& p) {
    J j;
    for (int i = 0; i < 3; ++i) {
      j[i] = -p[i];
      j[3 + i] = p[i];
    }
    return j;
  }
  static K block(const Mat3& k) {
    K big;
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        big(i, j) = big(3 + i, 3 + j) = k(i, j);
        big(3 + i, j) = big(i, 3 + j) = -k(i, j);
      }
    return big;
  }
};

// (l - L) / L
struct EngineeringStrain : TwoPoints {
  double L;
  explicit EngineeringStrain(double natural_length) : L(natural_length) {}

  [[nodiscard]] S value(const C& c) const { return S((chord(c).norm() - L) / L); }
  [[nodiscard]] J jacobian(const C& c) const { return row(chord(c).normalized() / L); }
  [[nodiscard]] K curvature(const C& c, const S& s) const {
    const Vec3 r = chord(c);
    const double l = r.norm();
    const Vec3 e = r / l;
    return block(s[0] / (L * l) * (Mat3::Identity() - e * e.transpose()));
  }
  // (l1 - l0)(l1 + l0) = (r1 + r0).(r1 - r0), hence d = (r0 + r1) / (l0 + l1)
  [[nodiscard]] J secant(const C& c0, const C& c1) const {
    const Vec3 r0 = chord(c0), r1 = chord(c1);
    return row((r0 + r1) / ((r0.norm() + r1.norm()) * L));
  }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const {
    const Vec3 r0 = chord(c0), r1 = chord(c1);
    const double l1 = r1.norm(), sum = r0.norm() + l1;
    return block(s[0] / (L * sum) * (Mat3::Identity() - (r0 + r1) * r1.transpose() / (sum * l1)));
  }
};

// (l^2 - L^2) / (2 L^2): quadratic, so the Jacobian at the midpoint is the secant.
struct GreenStrain : TwoPoints {
  static constexpr bool quadratic = true;
  double L;
  explicit GreenStrain(double natural_length) : L(natural_length) {}

  [[nodiscard]] S value(const C& c) const { return S((chord(c).squaredNorm() - L * L) / (2 * L * L)); }
  [[nodiscard]] J jacobian(const C& c) const { return row(chord(c) / (L * L)); }
  [[nodiscard]] K curvature(const C& /*c*/, const S& s) const { return block(s[0] / (L * L) * Mat3::Identity()); }
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return row((chord(c0) + chord(c1)) / (2 * L * L)); }
  [[nodiscard]] K secant_curvature(const C& /*c0*/, const C& /*c1*/, const S& s) const {
    return block(s[0] / (2 * L * L) * Mat3::Identity());
  }
};

// ln(l / L)
struct LogarithmicStrain : TwoPoints {
  double L;
  explicit LogarithmicStrain(double natural_length) : L(natural_length) {}

  [[nodiscard]] S value(const C& c) const { return S(std::log(chord(c).norm() / L)); }
  [[nodiscard]] J jacobian(const C& c) const {
    const Vec3 r = chord(c);
    return row(r / r.squaredNorm());
  }
  [[nodiscard]] K curvature(const C& c, const S& s) const {
    const Vec3 r = chord(c);
    const double l2 = r.squaredNorm();
    return block(s[0] / l2 * (Mat3::Identity() - 2 / l2 * r * r.transpose()));
  }
  [[nodiscard]] J secant(const C& c0, const C& c1) const {
    const Vec3 r0 = chord(c0), r1 = chord(c1);
    const double l0 = r0.norm(), l1 = r1.norm();
    return row(quotient(l0, l1).value / (l0 + l1) * (r0 + r1));
  }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const {
    const Vec3 r0 = chord(c0), r1 = chord(c1);
    const double l0 = r0.norm(), l1 = r1.norm(), sum = l0 + l1;
    const Quotient g = quotient(l0, l1);
    return block(s[0] / sum * (g.value * Mat3::Identity() + (g.slope - g.value / sum) / l1 * (r0 + r1) * r1.transpose()));
  }

 private:
  // g = ln(l1/l0) / (l1 - l0) and dg/dl1, from log1p(x)/x with x = (l1 - l0)/l0 and its series where x is small.
  struct Quotient {
    double value, slope;
  };
  static Quotient quotient(double l0, double l1) {
    const double x = (l1 - l0) / l0;
    if (std::abs(x) < 1e-3) {
      const double g = 1 + x * (-1. / 2 + x * (1. / 3 + x * (-1. / 4 + x * (1. / 5 - x / 6))));
      const double dg = -1. / 2 + x * (2. / 3 + x * (-3. / 4 + x * (4. / 5 - x * 5. / 6)));
      return {g / l0, dg / (l0 * l0)};
    }
    const double g = std::log1p(x) / x;
    return {g / l0, (1 / (1 + x) - g) / (x * l0 * l0)};
  }
};

}  // namespace trompo
