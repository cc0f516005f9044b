// The five functions of a measure that has `expand` and `chord` (measure.hpp).
#pragma once

#include "trompo/measure/measure.hpp"

namespace trompo {

template <class Self, int N>
struct TypedMeasure {
  static constexpr int coordinates = N;
  static constexpr int components = 1;
  using C = Vec<N>;
  using S = Vec<1>;
  using J = Mat<1, N>;
  using K = Mat<N, N>;

  [[nodiscard]] S value(const C& c) const { return S(self().expand(c, Order::value).value); }
  [[nodiscard]] J jacobian(const C& c) const { return self().expand(c, Order::gradient).gradient.transpose(); }
  [[nodiscard]] K curvature(const C& c, const S& s) const { return s[0] * self().expand(c, Order::hessian).hessian; }
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return self().chord(c0, c1, Order::gradient).gradient.transpose(); }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const {
    return s[0] * self().chord(c0, c1, Order::hessian).slope;
  }

 private:
  friend Self;
  TypedMeasure() = default;
  [[nodiscard]] const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace trompo
