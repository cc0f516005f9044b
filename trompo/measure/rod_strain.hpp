// Strains of a rod between two frames (x, d1, d2, d3), taken at the middle of the element: d = (da + db)/2, x' = (xb - xa)/L,
// d' = (db - da)/L. d3 is the axis, d1 and d2 span the section.
//
//   Gamma_k = d_k . x'                      k = 1, 2: shear, k = 3: stretch
//   K_i     = e_ijk d_k . d_j' / 2          i = 1, 2: bending, i = 3: torsion
//
// both less what they are in the reference. In K the products within one frame cancel, which leaves
// K_1 = (d2b.d3a - d3b.d2a) / (2L) and so on round the circle. All six are products of vectors, quadratic in the coordinates:
// blind to rigid motion, and the Jacobian at the middle of a step is the secant.
// One point of quadrature: an element does not lock in shear. J. C. Simo, L. Vu-Quoc, Comput. Meth. Appl. Mech. Eng. 58 (1986);
// in directors: P. Betsch, P. Steinmann, Int. J. Numer. Meth. Eng. 54 (2002).
#pragma once

#include "trompo/measure/measure.hpp"

namespace trompo {

struct RodStrain {
  static constexpr int coordinates = 24;
  static constexpr int components = 6;
  using C = Vec<24>;
  using S = Vec<6>;
  using J = Mat<6, 24>;
  using K = Mat<24, 24>;
  double L;
  S reference = S::Zero();

  explicit RodStrain(double length) : L(length) {}
  RodStrain(double length, const C& unstrained) : L(length), reference(RodStrain(length).value(unstrained)) {}

  [[nodiscard]] S value(const C& c) const {
    const Vec3 along = (part(c, xb) - part(c, xa)) / (2 * L);
    S r;
    for (int k = 0; k < 3; ++k) {
      const int j = (k + 1) % 3, l = (k + 2) % 3;
      r[k] = along.dot(part(c, da + k) + part(c, db + k));
      r[3 + k] = (part(c, db + j).dot(part(c, da + l)) - part(c, db + l).dot(part(c, da + j))) / (2 * L);
    }
    return r - reference;
  }
  [[nodiscard]] J jacobian(const C& c) const {
    const double half = 0.5 / L;
    const Vec3 along = half * (part(c, xb) - part(c, xa));
    J out = J::Zero();
    const auto at = [&out](int row, int vector, const Vec3& x) { out.block<1, 3>(row, 3 * vector) = x.transpose(); };
    for (int k = 0; k < 3; ++k) {
      const int j = (k + 1) % 3, l = (k + 2) % 3;
      const Vec3 d = half * (part(c, da + k) + part(c, db + k));
      at(k, xa, -d);
      at(k, xb, d);
      at(k, da + k, along);
      at(k, db + k, along);
      at(3 + k, db + j, half * part(c, da + l));
      at(3 + k, da + l, half * part(c, db + j));
      at(3 + k, db + l, -half * part(c, da + j));
      at(3 + k, da + j, -half * part(c, db + l));
    }
    return out;
  }
  [[nodiscard]] K curvature(const C& /*c*/, const S& s) const { return hessian(s / (2 * L)); }
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return jacobian(0.5 * (c0 + c1)); }
  [[nodiscard]] K secant_curvature(const C& /*c0*/, const C& /*c1*/, const S& s) const { return hessian(s / (4 * L)); }

 private:
  // The vectors that c is made of.
  static constexpr int xa = 0, da = 1, xb = 4, db = 5;
  static Vec3 part(const C& c, int vector) { return c.segment<3>(3 * vector); }
  // Every product of two vectors is an identity in the matrix, twice.
  static K hessian(const S& s) {
    K k = K::Zero();
    const auto couple = [&k](int a, int b, double by) {
      for (int i = 0; i < 3; ++i) k(3 * a + i, 3 * b + i) = k(3 * b + i, 3 * a + i) = by;
    };
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      for (const int d : {da + i, db + i}) {
        couple(xa, d, -s[i]);
        couple(xb, d, s[i]);
      }
      couple(db + j, da + l, s[3 + i]);
      couple(db + l, da + j, -s[3 + i]);
    }
    return k;
  }
};

}  // namespace trompo
