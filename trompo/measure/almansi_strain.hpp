// Almansi's strain of a bar, (l^2 - L^2) / (2 l^2): what is squeezed to a point is strained without bounds.
// A function of g = r.r, whose difference quotient has nothing that cancels: (e1 - e0)/(g1 - g0) = L^2/(2 g0 g1).
// E. Almansi, Sulle deformazioni finite dei solidi elastici isotropi, Rend. Accad. Lincei 20 (1911).
#pragma once

#include "trompo/measure/bar_strain.hpp"

namespace trompo {

struct AlmansiStrain : TwoPoints {
  double L;
  explicit AlmansiStrain(double natural_length) : L(natural_length) {}

  [[nodiscard]] S value(const C& c) const { return S(0.5 - 0.5 * L * L / chord(c).squaredNorm()); }
  [[nodiscard]] J jacobian(const C& c) const {
    const Vec3 r = chord(c);
    const double g = r.squaredNorm();
    return row(L * L / (g * g) * r);
  }
  [[nodiscard]] K curvature(const C& c, const S& s) const {
    const Vec3 r = chord(c);
    const double g = r.squaredNorm();
    return block(s[0] * L * L / (g * g) * (Mat3::Identity() - 4 / g * r * r.transpose()));
  }
  [[nodiscard]] J secant(const C& c0, const C& c1) const {
    const Vec3 r0 = chord(c0), r1 = chord(c1);
    return row(0.5 * L * L / (r0.squaredNorm() * r1.squaredNorm()) * (r0 + r1));
  }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const {
    const Vec3 r0 = chord(c0), r1 = chord(c1);
    const double g1 = r1.squaredNorm();
    return block(0.5 * s[0] * L * L / (r0.squaredNorm() * g1) * (Mat3::Identity() - 2 / g1 * (r0 + r1) * r1.transpose()));
  }
};

}  // namespace trompo
