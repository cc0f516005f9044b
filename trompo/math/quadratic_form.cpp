#include "trompo/math/quadratic_form.hpp"

#include "trompo/math/dense.hpp"
#include "trompo/math/small.hpp"

namespace trompo {

QuadraticForm::QuadraticForm(const Formula& formula, int n) : origin(VecX::Zero(n)), g0(n), hessian(n, n) {
  s0 = formula.expand(origin.data(), n, g0.data(), hessian.data()).value;
  if (!g0.isZero(0) && !hessian.isZero(0)) {
    origin = least_squares(hessian, -g0);
    s0 = formula.expand(origin.data(), n, g0.data(), hessian.data()).value;
  }
}

double QuadraticForm::expand(const double* c, double* gradient, Scratch scratch) const {
  const int n = static_cast<int>(origin.size());
  double* const x = scratch.take(n);
  subtract(n, c, origin.data(), x);
  multiply(n, hessian.data(), x, gradient);
  double value = s0;
  for (int i = 0; i < n; ++i) {
    value += x[i] * (0.5 * gradient[i] + g0[i]);
    gradient[i] += g0[i];
  }
  return value;
}

}  // namespace trompo
