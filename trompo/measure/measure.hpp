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

}  // namespace trompo
