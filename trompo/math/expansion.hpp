// A function of N variables at one point, to second order.
#pragma once

#include "trompo/math/vector.hpp"

namespace trompo {

// How far an expansion goes. What is beyond it is left unset.
enum class Order { value, gradient, hessian };

template <int N>
struct Expansion {
  double value;
  Vec<N> gradient;
  Mat<N, N> hessian;
  double rounding;  // about how much of the value is rounding; comes with the gradient of a formula
};

}  // namespace trompo
