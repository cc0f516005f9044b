// A polynomial of second degree in n variables, s(c) = s0 + g0.x + x.Hx/2 with x = c - origin.
//
// The origin is where the gradient vanishes, as far as there is such a place: the squared distance to an anchor far away is
// then a square again and not the small difference of large numbers.
#pragma once

#include "trompo/math/formula.hpp"

namespace trompo {

struct QuadraticForm {
  QuadraticForm(const Formula& formula, int n);  // of degree at most two

  // The Hessian is the same everywhere and not written again. Needs n of scratch.
  double expand(const double* c, double* gradient, Scratch scratch) const;  // its value

  VecX origin, g0;
  Eigen::MatrixXd hessian;
  double s0;
};

}  // namespace trompo
