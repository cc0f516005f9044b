// What joints are made of, in points and axes. All are at most quadratic: the gradient of the middle is their secant, and a
// rigid motion of everything leaves each as it is, so that a joint keeps energy, linear and angular momentum.
#pragma once

#include "trompo/measure/measure.hpp"

namespace trompo {

// A scalar quadratic measure offers its gradient and its constant Hessian; the rest follows.
template <class Row, int n>
struct QuadraticRow {
  static constexpr int coordinates = n;
  static constexpr int components = 1;
  static constexpr bool quadratic = true;
  using C = Vec<n>;
  using S = Vec<1>;
  using J = Mat<1, n>;
  using K = Mat<n, n>;
  [[nodiscard]] J jacobian(const C& c) const { return row().gradient(c).transpose(); }
  [[nodiscard]] K curvature(const C& /*c*/, const S& s) const { return s[0] * Row::hessian(); }
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return row().gradient(C(0.5 * (c0 + c1))).transpose(); }
  [[nodiscard]] K secant_curvature(const C& /*c0*/, const C& /*c1*/, const S& s) const { return 0.5 * s[0] * Row::hessian(); }

 protected:
  // An identity between two of the vectors a measure is made of.
  static void couple(K& k, int a, int b, double by) {
    k.template block<3, 3>(3 * a, 3 * b).diagonal().array() += by;
    if (a != b) k.template block<3, 3>(3 * b, 3 * a).diagonal().array() += by;
  }

 private:
  [[nodiscard]] const Row& row() const { return static_cast<const Row&>(*this); }
};

// a - b - given, of two components along a global axis: points that coincide, or how far one is from where it hangs on another
struct Difference : QuadraticRow<Difference, 2> {
  static constexpr bool linear = true;
  double given = 0;
  Difference() = default;
  explicit Difference(double distance) : given(distance) {}
  [[nodiscard]] S value(const C& c) const { return S(c[0] - c[1] - given); }
  [[nodiscard]] C gradient(const C& /*c*/) const { return {1, -1}; }
  static K hessian() { return K::Zero(); }
};

// a.b - given: axes at a right angle, or at any other
struct Dot : QuadraticRow<Dot, 6> {
  double given = 0;
  Dot() = default;
  explicit Dot(double cosine) : given(cosine) {}
  [[nodiscard]] S value(const C& c) const { return S(c.head<3>().dot(c.tail<3>()) - given); }
  [[nodiscard]] C gradient(const C& c) const {
    C g;
    g << c.tail<3>(), c.head<3>();
    return g;
  }
  static K hessian() {
    K k = K::Zero();
    couple(k, 0, 1, 1);
    return k;
  }
};

// (p2 - p1).n - given: how far a point is from a plane through the other, or along a line
struct Across : QuadraticRow<Across, 9> {
  double given = 0;
  Across() = default;
  explicit Across(double distance) : given(distance) {}
  [[nodiscard]] S value(const C& c) const { return S((c.segment<3>(3) - c.head<3>()).dot(c.tail<3>()) - given); }
  [[nodiscard]] C gradient(const C& c) const {
    C g;
    g << -c.tail<3>(), c.tail<3>(), c.segment<3>(3) - c.head<3>();
    return g;
  }
  static K hessian() {
    K k = K::Zero();
    couple(k, 0, 2, -1);
    couple(k, 1, 2, 1);
    return k;
  }
};

// (|p2 - p1|^2 - L^2) / (2 L): a distance that is kept; of the size of the distance itself
struct KeptDistance : QuadraticRow<KeptDistance, 6> {
  double length = 1;
  explicit KeptDistance(double l) : length(l) {}
  [[nodiscard]] S value(const C& c) const {
    return S(((c.tail<3>() - c.head<3>()).squaredNorm() - length * length) / (2 * length));
  }
  [[nodiscard]] C gradient(const C& c) const {
    const Vec3 along = (c.tail<3>() - c.head<3>()) / length;
    C g;
    g << -along, along;
    return g;
  }
  [[nodiscard]] K curvature(const C& /*c*/, const S& s) const { return s[0] / length * hessian(); }
  [[nodiscard]] K secant_curvature(const C& /*c0*/, const C& /*c1*/, const S& s) const {
    return 0.5 * s[0] / length * hessian();
  }
  static K hessian() {
    K k = K::Zero();
    couple(k, 0, 0, 1);
    couple(k, 1, 1, 1);
    couple(k, 0, 1, -1);
    return k;
  }
};

}  // namespace trompo
