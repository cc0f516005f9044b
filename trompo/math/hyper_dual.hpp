// A value with its gradient and Hessian in N variables: exact first and second derivatives by carrying them along.
#pragma once

#include <cmath>

#include "trompo/math/vector.hpp"

namespace trompo {

template <int N>
struct HyperDual {
  double value;  // nothing is initialised: a tape has many of these and writes each before it reads it
  Vec<N> gradient;
  Mat<N, N> hessian;
  bool varies;  // a constant carries no derivatives, and nothing is spent on them

  static HyperDual constant(double x) { return {x, Vec<N>::Zero(), Mat<N, N>::Zero(), false}; }
  static HyperDual variable(double x, int index) {
    HyperDual a = constant(x);
    a.gradient[index] = 1;
    a.varies = true;
    return a;
  }

  // f(a) with f, f', f'' at a.value
  [[nodiscard]] HyperDual chain(double f, double df, double ddf) const {
    if (!varies) return constant(f);
    HyperDual out{f, df * gradient, Mat<N, N>(), true};
    out.hessian.noalias() = df * hessian;
    out.hessian.noalias() += gradient * (ddf * gradient).transpose();
    return out;
  }
};

template <int N>
HyperDual<N> operator+(const HyperDual<N>& a, const HyperDual<N>& b) {
  if (!b.varies) return {a.value + b.value, a.gradient, a.hessian, a.varies};
  if (!a.varies) return {a.value + b.value, b.gradient, b.hessian, true};
  return {a.value + b.value, a.gradient + b.gradient, a.hessian + b.hessian, true};
}
template <int N>
HyperDual<N> operator-(const HyperDual<N>& a) {
  return {-a.value, -a.gradient, -a.hessian, a.varies};
}
template <int N>
HyperDual<N> operator-(const HyperDual<N>& a, const HyperDual<N>& b) {
  if (!b.varies) return {a.value - b.value, a.gradient, a.hessian, a.varies};
  return {a.value - b.value, a.gradient - b.gradient, a.hessian - b.hessian, true};
}
template <int N>
HyperDual<N> operator*(const HyperDual<N>& a, const HyperDual<N>& b) {
  if (!b.varies) return {a.value * b.value, b.value * a.gradient, b.value * a.hessian, a.varies};
  if (!a.varies) return {a.value * b.value, a.value * b.gradient, a.value * b.hessian, true};
  HyperDual<N> out{a.value * b.value, b.value * a.gradient + a.value * b.gradient, b.value * a.hessian + a.value * b.hessian,
                   true};
  out.hessian.noalias() += a.gradient * b.gradient.transpose();
  out.hessian.noalias() += b.gradient * a.gradient.transpose();
  return out;
}
template <int N>
HyperDual<N> operator/(const HyperDual<N>& a, const HyperDual<N>& b) {
  const double i = 1 / b.value;
  return a * b.chain(i, -i * i, 2 * i * i * i);
}

}  // namespace trompo
