// Gonzalez' discrete gradient: the gradient at the midpoint, corrected along the step d = c1 - c0 so that its work is the
// change of the function exactly (O. Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6, 1996):
//
//   g* = g(m) + (W1 - W0 - g(m).d)/(d.d) d
//
// In one variable this is the difference quotient. Where the defect W1 - W0 - g(m).d is no more than rounding the quotient is
// noise, and g(m) stands alone.
#pragma once

#include <cmath>

#include "trompo/math/scratch.hpp"
#include "trompo/math/small.hpp"

namespace trompo {

// In n variables. `gradient` is g(m) on entry and g* on return; `slope`, unless null, half the Hessian at m and then dg*/dc1,
// for which `gradient1` is the gradient at c1. `rounding` is what the defect has of it. Needs n of scratch.
inline void gonzalez(int n, const double* d, double w0, double w1, double rounding, const double* gradient1, double* gradient,
                     double* slope, Scratch scratch) {
  const double dd = dot(n, d, d), defect = (w1 - w0) - dot(n, gradient, d);
  if (dd == 0 || std::abs(defect) <= rounding) return;
  const double quotient = defect / dd;
  if (slope != nullptr) {
    double* const rate = scratch.take(n);
    multiply(n, slope, d, rate);
    for (int i = 0; i < n; ++i) rate[i] = (gradient1[i] - gradient[i] - rate[i] - 2 * quotient * d[i]) / dd;
    add_outer(n, d, rate, slope);
    for (int i = 0; i < n; ++i) slope[i * n + i] += quotient;
  }
  add(n, quotient, d, gradient);
}

}  // namespace trompo
