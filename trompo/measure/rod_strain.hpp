// Strains of a rod at one point of an element between N frames (x, d1, d2, d3), which are interpolated there: d = sum n_a d_a,
// x' = sum n_a' x_a, d' = sum n_a' d_a. d3 is the axis, d1 and d2 span the section.
//
//   Gamma_k = d_k . x'                      k = 1, 2: shear, k = 3: stretch
//   K_i     = e_ijk d_k . d_j' / 2          i = 1, 2: bending, i = 3: torsion
//
// both less what they are in the reference. In K the products within one frame cancel, which leaves the sum over pairs a < b of
// w_ab (d2b.d3a - d3b.d2a), w_ab = (n_a n_b' - n_a' n_b)/2, and so on round the circle. All six are products of vectors,
// quadratic in the coordinates: blind to rigid motion, and the Jacobian at the middle of a step is the secant.
//
// Two frames take one point of quadrature, three frames Gauss' two: an element does not lock in shear.
// J. C. Simo, L. Vu-Quoc, Comput. Meth. Appl. Mech. Eng. 58 (1986); in directors: P. Betsch, P. Steinmann, Int. J. Numer. Meth.
// Eng. 54 (2002).
#pragma once

#include <array>
#include <cmath>

#include "trompo/measure/measure.hpp"

namespace trompo {

template <int N>
struct RodStrainAt {
  static constexpr int nodes = N;
  static constexpr int coordinates = 12 * N;
  static constexpr int components = 6;
  static constexpr int points = N - 1;  // of quadrature, each with the weight L/points
  using C = Vec<coordinates>;
  using S = Vec<6>;
  using J = Gradients<6, coordinates>;
  static constexpr bool quadratic = true;
  using K = Mat<coordinates, coordinates>;
  double L;
  std::array<double, N> share{}, slope{};  // n and n' of each frame
  S reference = S::Zero();

  explicit RodStrainAt(double length, int point = 0) : L(length) {
    if constexpr (N == 2) {
      share = {0.5, 0.5};
      slope = {-1 / L, 1 / L};
    } else {
      static_assert(N == 3);
      const double z = (point == 0 ? -1 : 1) / std::sqrt(3.0);
      share = {0.5 * z * (z - 1), 1 - z * z, 0.5 * z * (z + 1)};
      slope = {(2 * z - 1) / L, -4 * z / L, (2 * z + 1) / L};
    }
  }
  RodStrainAt(double length, const C& unstrained, int point = 0) : RodStrainAt(length, point) { reference = value(unstrained); }

  [[nodiscard]] S value(const C& c) const {
    const Vec3 along = mean(c, 0, slope);
    S r;
    for (int k = 0; k < 3; ++k) {
      const int j = 1 + (k + 1) % 3, l = 1 + (k + 2) % 3;
      r[k] = along.dot(mean(c, 1 + k, share));
      r[3 + k] = 0;
      for (int a = 0; a < N; ++a)
        for (int b = a + 1; b < N; ++b)
          r[3 + k] += weight(a, b) * (part(c, b, j).dot(part(c, a, l)) - part(c, b, l).dot(part(c, a, j)));
    }
    return r - reference;
  }
  [[nodiscard]] J jacobian(const C& c) const {
    const Vec3 along = mean(c, 0, slope);
    J out = J::Zero();
    const auto at = [&out](int row, int frame, int vector) {
      return out.template block<1, 3>(row, 12 * frame + 3 * vector).transpose();
    };
    for (int k = 0; k < 3; ++k) {
      const int j = 1 + (k + 1) % 3, l = 1 + (k + 2) % 3;
      const Vec3 d = mean(c, 1 + k, share);
      for (int a = 0; a < N; ++a) {
        at(k, a, 0) = slope[a] * d;
        at(k, a, 1 + k) = share[a] * along;
        for (int b = 0; b < N; ++b) {
          if (b == a) continue;
          at(3 + k, a, l) += weight(a, b) * part(c, b, j);
          at(3 + k, a, j) -= weight(a, b) * part(c, b, l);
        }
      }
    }
    return out;
  }
  [[nodiscard]] K curvature(const C& /*c*/, const S& s) const { return hessian(s); }
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return jacobian(0.5 * (c0 + c1)); }
  [[nodiscard]] K secant_curvature(const C& /*c0*/, const C& /*c1*/, const S& s) const { return hessian(0.5 * s); }
  // The curvature where it goes: every product of two vectors is an identity in the matrix, twice.
  template <class Matrix>
  void add_curvature(const S& s, Matrix&& k) const {
    const auto couple = [&k](int a, int vector, int b, int other, double by) {
      const int row = 12 * a + 3 * vector, column = 12 * b + 3 * other;
      for (int i = 0; i < 3; ++i) {
        k(row + i, column + i) += by;
        k(column + i, row + i) += by;
      }
    };
    for (int i = 0; i < 3; ++i) {
      const int j = 1 + (i + 1) % 3, l = 1 + (i + 2) % 3;
      for (int a = 0; a < N; ++a)
        for (int b = 0; b < N; ++b) {
          couple(a, 0, b, 1 + i, slope[a] * share[b] * s[i]);
          if (a != b) couple(a, l, b, j, weight(a, b) * s[3 + i]);
        }
    }
  }

 private:
  // The vectors that c is made of: of each frame x, d1, d2, d3.
  static Vec3 part(const C& c, int frame, int vector) { return c.template segment<3>(12 * frame + 3 * vector); }
  static Vec3 mean(const C& c, int vector, const std::array<double, N>& by) {
    Vec3 sum = by[0] * part(c, 0, vector);
    for (int a = 1; a < N; ++a) sum += by[a] * part(c, a, vector);
    return sum;
  }
  [[nodiscard]] double weight(int a, int b) const { return 0.5 * (share[a] * slope[b] - slope[a] * share[b]); }
  [[nodiscard]] K hessian(const S& s) const {
    K k = K::Zero();
    add_curvature(s, k);
    return k;
  }
};

using RodStrain = RodStrainAt<2>;
using QuadraticRodStrain = RodStrainAt<3>;

}  // namespace trompo
