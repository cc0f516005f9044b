// Gonzalez' discrete gradient: the gradient at the midpoint, corrected along the step d = c1 - c0 so that its work is the
// change of the function exactly (O. Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6, 1996):
//
//   g* = g(m) + (W1 - W0 - g(m).d)/(d.d) d
//
// In one variable this is the difference quotient. Where the defect W1 - W0 - g(m).d is no more than rounding the quotient is
// noise, and g(m) stands alone.
#pragma once

#include <cmath>

#include "trompo/math/vector.hpp"

namespace trompo {

// A function between two points: the discrete gradient and, if wanted, its derivative in the second point.
template <int N>
struct Chord {
  double value0, value1;
  Vec<N> gradient;
  Mat<N, N> slope;   // d gradient / dc1; not symmetric
  Vec<N> gradient1;  // the ordinary gradient at the second point, which comes along with the slope
};

// `gradient` is g(m) on entry and g* on return; `slope`, unless null, half the Hessian at m and then dg*/dc1.
// `gradient1()` is the gradient at c1; it is asked for only where a slope is. `rounding(work)` is what the defect has of it.
template <int N, class Rounding, class End>
void gonzalez(const Vec<N>& d, double w0, double w1, const Rounding& rounding, const End& gradient1, Vec<N>& gradient,
              Mat<N, N>* slope) {
  const double dd = d.squaredNorm(), work = gradient.dot(d), defect = (w1 - w0) - work;
  if (dd == 0 || std::abs(defect) <= rounding(work)) return;
  const double quotient = defect / dd;
  if (slope != nullptr) {
    const Vec<N> rate = (gradient1() - gradient - *slope * d - 2 * quotient * d) / dd;
    slope->noalias() += d * rate.transpose();
    slope->diagonal().array() += quotient;
  }
  gradient += quotient * d;
}

}  // namespace trompo
