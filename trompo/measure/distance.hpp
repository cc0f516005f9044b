// Distance of two points, as a sensor or a constraint: an engineering strain whose natural length is one metre, plus one.
#pragma once

#include "trompo/measure/bar_strain.hpp"

namespace trompo {

struct Distance : EngineeringStrain {
  Distance() : EngineeringStrain(1.0) {}
  [[nodiscard]] S value(const C& c) const { return S(gap(c).norm()); }
};

// How much longer two points are apart than the natural length: what a spring pulls at. The length may be zero.
struct Elongation : EngineeringStrain {
  double natural;
  explicit Elongation(double length) : EngineeringStrain(1.0), natural(length) {}
  [[nodiscard]] S value(const C& c) const { return S(gap(c).norm() - natural); }
};

// The same between points of bodies: an end with 12 coordinates is a frame x, d1, d2, d3 and its point is x + sum p_k d_k; one
// with 3 is the point itself. Linear in the frame, so that the secant is that of two points.
template <int A, int B>
struct AttachedElongation {
  static constexpr int coordinates = A + B;
  static constexpr int components = 1;
  using C = Vec<A + B>;
  using S = Vec<1>;
  using J = Mat<1, A + B>;
  using K = Mat<A + B, A + B>;

  AttachedElongation(double length, const Vec3& point_a, const Vec3& point_b) : points(length) {
    share.setZero();
    fill<A>(0, point_a);
    fill<B>(A / 3, point_b);
  }
  [[nodiscard]] S value(const C& c) const { return points.value(ends(c)); }
  [[nodiscard]] J jacobian(const C& c) const { return spread(points.jacobian(ends(c))); }
  [[nodiscard]] K curvature(const C& c, const S& s) const { return spread(points.curvature(ends(c), s)); }
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return spread(points.secant(ends(c0), ends(c1))); }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const {
    return spread(points.secant_curvature(ends(c0), ends(c1), s));
  }

 private:
  static constexpr int parts = (A + B) / 3;
  template <int n>
  void fill(int first, const Vec3& point) {
    share[first] = 1;
    if constexpr (n == 12) share.template segment<3>(first + 1) = point;
  }
  [[nodiscard]] static bool second(int part) { return part >= A / 3; }
  [[nodiscard]] Vec<6> ends(const C& c) const {
    Vec<6> both = Vec<6>::Zero();
    for (int k = 0; k < parts; ++k) both.segment<3>(second(k) ? 3 : 0) += share[k] * c.template segment<3>(3 * k);
    return both;
  }
  [[nodiscard]] J spread(const Mat<1, 6>& j) const {
    J out;
    for (int k = 0; k < parts; ++k) out.template segment<3>(3 * k) = share[k] * j.segment<3>(second(k) ? 3 : 0);
    return out;
  }
  [[nodiscard]] K spread(const Mat<6, 6>& k) const {
    K out;
    for (int i = 0; i < parts; ++i)
      for (int j = 0; j < parts; ++j)
        out.template block<3, 3>(3 * i, 3 * j) = share[i] * share[j] * k.block<3, 3>(second(i) ? 3 : 0, second(j) ? 3 : 0);
    return out;
  }
  Elongation points;
  Vec<parts> share;  // of each part of the frames in its point
};

}  // namespace trompo
