// A measure r = phi(c): what is stretched, turned or opened. It knows frame coordinates c and nothing else:
// no law, no scheme, no way of storing a rotation.
//
//   value(c)                       phi
//   jacobian(c)                    J = d phi / dc
//   curvature(c, s)                d(J^T s) / dc
//   secant(c0, c1)                 J* with J* (c1 - c0) = phi(c1) - phi(c0) exactly, and symmetric under c0 <-> c1
//   secant_curvature(c0, c1, s)    d(J*^T s) / dc1
//
// A function of quadratic invariants takes the difference quotient in the invariant times the invariant's gradient at
// the midpoint as its secant: exact, and blind to rigid motion, so that linear and angular momentum are kept
// (O. Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6, 1996).
#pragma once

#include <concepts>

#include "trompo/math/expansion.hpp"
#include "trompo/math/gonzalez.hpp"
#include "trompo/math/vector.hpp"

namespace trompo {

template <class M>
concept Measure = requires(const M m, const Vec<M::coordinates> c, const Vec<M::components> s) {
  { m.value(c) } -> std::convertible_to<Vec<M::components>>;
  { m.jacobian(c) } -> std::convertible_to<Mat<M::components, M::coordinates>>;
  { m.curvature(c, s) } -> std::convertible_to<Mat<M::coordinates, M::coordinates>>;
  { m.secant(c, c) } -> std::convertible_to<Mat<M::components, M::coordinates>>;
  { m.secant_curvature(c, c, s) } -> std::convertible_to<Mat<M::coordinates, M::coordinates>>;
};

// A scalar measure that finds all of this in one go, and dearly, such as a typed formula:
//   expand(c, order)               value, gradient and Hessian, as far as wanted
//   chord(c0, c1, order)           both values and the secant; for Order::hessian with the secant's derivative and the gradient
//   at c1
template <class M>
concept ExpandingMeasure = Measure<M> && requires(const M m, const Vec<M::coordinates> c) {
  { m.expand(c, Order::hessian) } -> std::convertible_to<Expansion<M::coordinates>>;
  { m.chord(c, c, Order::hessian) } -> std::convertible_to<Chord<M::coordinates>>;
};

// A measure at one place and between two: whoever needs several of its functions asks here, and a measure that expands does
// so once. The others answer for themselves.
template <Measure M>
class MeasureAt {
 public:
  using C = Vec<M::coordinates>;
  using S = Vec<M::components>;
  using J = Mat<M::components, M::coordinates>;
  using K = Mat<M::coordinates, M::coordinates>;

  MeasureAt(const M& phi, const C& c, Order /*order*/) : phi_(phi), c_(c) {}
  MeasureAt(const M& phi, C&& c, Order order) = delete;  // the place must outlive the question
  [[nodiscard]] S value() const { return phi_.value(c_); }
  [[nodiscard]] J jacobian() const { return phi_.jacobian(c_); }
  [[nodiscard]] K curvature(const S& s) const { return phi_.curvature(c_, s); }

 private:
  const M& phi_;
  const C& c_;
};

template <ExpandingMeasure M>
class MeasureAt<M> {
 public:
  using C = Vec<M::coordinates>;

  MeasureAt(const M& phi, const C& c, Order order) : expansion_(phi.expand(c, order)) {}
  [[nodiscard]] Vec<1> value() const { return Vec<1>(expansion_.value); }
  [[nodiscard]] auto jacobian() const { return expansion_.gradient.transpose(); }
  [[nodiscard]] auto curvature(const Vec<1>& s) const { return s[0] * expansion_.hessian; }

 private:
  Expansion<M::coordinates> expansion_;
};

template <Measure M>
class MeasureBetween {
 public:
  using C = Vec<M::coordinates>;
  using S = Vec<M::components>;
  using J = Mat<M::components, M::coordinates>;
  using K = Mat<M::coordinates, M::coordinates>;

  MeasureBetween(const M& phi, const C& c0, const C& c1, Order /*order*/) : phi_(phi), c0_(c0), c1_(c1) {}
  [[nodiscard]] S value0() const { return phi_.value(c0_); }
  [[nodiscard]] S value1() const { return phi_.value(c1_); }
  [[nodiscard]] J jacobian1() const { return phi_.jacobian(c1_); }
  [[nodiscard]] J secant() const { return phi_.secant(c0_, c1_); }
  [[nodiscard]] K secant_curvature(const S& s) const { return phi_.secant_curvature(c0_, c1_, s); }

 private:
  const M& phi_;
  const C &c0_, &c1_;
};

template <ExpandingMeasure M>
class MeasureBetween<M> {
 public:
  using C = Vec<M::coordinates>;

  MeasureBetween(const M& phi, const C& c0, const C& c1, Order order) : chord_(phi.chord(c0, c1, order)) {}
  [[nodiscard]] Vec<1> value0() const { return Vec<1>(chord_.value0); }
  [[nodiscard]] Vec<1> value1() const { return Vec<1>(chord_.value1); }
  [[nodiscard]] auto jacobian1() const { return chord_.gradient1.transpose(); }
  [[nodiscard]] auto secant() const { return chord_.gradient.transpose(); }
  [[nodiscard]] auto secant_curvature(const Vec<1>& s) const { return s[0] * chord_.slope; }

 private:
  Chord<M::coordinates> chord_;
};

}  // namespace trompo
