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
//
// A measure may say of itself that it is `quadratic` (the curvature is the same everywhere and the gradient of the middle is
// the secant) or even `linear` (there is no curvature). The rest of the program sees it through kernel.hpp.
#pragma once

#include <concepts>

#include "trompo/math/vector.hpp"

namespace trompo {

// Gradients of components, one after the other.
template <int m, int n>
using Gradients = Eigen::Matrix<double, m, n, n == 1 && m != 1 ? Eigen::ColMajor : Eigen::RowMajor>;

template <class M>
concept Measure = requires(const M phi, const Vec<M::coordinates> c, const Vec<M::components> s) {
  { phi.value(c) } -> std::convertible_to<Vec<M::components>>;
  { phi.jacobian(c) } -> std::convertible_to<Gradients<M::components, M::coordinates>>;
  { phi.curvature(c, s) } -> std::convertible_to<Mat<M::coordinates, M::coordinates>>;
  { phi.secant(c, c) } -> std::convertible_to<Gradients<M::components, M::coordinates>>;
  { phi.secant_curvature(c, c, s) } -> std::convertible_to<Mat<M::coordinates, M::coordinates>>;
};

template <class M>
inline constexpr bool is_linear = requires {
  M::linear;
};
template <class M>
inline constexpr bool is_quadratic = is_linear<M> || requires {
  M::quadratic;
};

}  // namespace trompo
