// A polynomial of second degree in N variables, s(c) = s0 + g0.x + x.Hx/2 with x = c - origin.
//
// The origin is where the gradient vanishes, as far as there is such a place: the squared distance to an anchor far away is
// then a square again and not the small difference of large numbers.
#pragma once

#include "trompo/math/formula.hpp"

namespace trompo {

template <int N>
struct QuadraticForm {
  explicit QuadraticForm(const Formula& formula);  // of degree at most two

  // The Hessian is the same everywhere and not written again.
  void expand(const Vec<N>& c, double& value, Vec<N>& gradient) const {
    const Vec<N> x = c - origin;
    gradient.noalias() = hessian * x;
    value = s0 + x.dot(0.5 * gradient + g0);
    gradient += g0;
  }

  Vec<N> origin, g0;
  Mat<N, N> hessian;
  double s0;
};

}  // namespace trompo
