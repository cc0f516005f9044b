#include "trompo/measure/own_measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trompo/math/gonzalez.hpp"
#include "trompo/measure/expanding_kernel.hpp"

namespace trompo {

const Kernel& OwnMeasure::kernel() {
  static constexpr Kernel table = expanding_kernel<OwnMeasure>();
  return table;
}

double OwnMeasure::expand(const double* c, double* gradient, double* hessian, Scratch /*scratch*/) const {
  if (gradient != nullptr) own->force(c, gradient);
  if (hessian != nullptr) own->stiffness(c, hessian);
  return energy(c);
}

Formula::Ends OwnMeasure::chord(const double* c0, const double* c1, double* secant, double* slope, double* gradient1,
                                Scratch scratch) const {
  double *const middle = scratch.take(n), *const d = scratch.take(n);
  blend(n, 0.5, c0, 0.5, c1, middle);
  subtract(n, c1, c0, d);
  own->force(middle, secant);
  if (slope != nullptr) {
    own->force(c1, gradient1);
    own->stiffness(middle, slope);
    for (int i = 0; i < n * n; ++i) slope[i] *= 0.5;
  }
  const double w0 = energy(c0), w1 = energy(c1);
  const double rounding =
      4 * std::numeric_limits<double>::epsilon() * (std::abs(w0) + std::abs(w1) + std::abs(dot(n, secant, d)));
  gonzalez(n, d, w0, w1, rounding, gradient1, secant, slope, scratch);
  return {w0, w1};
}

const Kernel& LinearForm::kernel() {
  static constexpr Kernel table = expanding_kernel<LinearForm>();
  return table;
}

double LinearForm::expand(const double* c, double* gradient, double* hessian, Scratch /*scratch*/) const {
  if (gradient != nullptr) std::copy_n(u->data(), n, gradient);
  if (hessian != nullptr) std::fill_n(hessian, n * n, 0.0);
  return dot(n, u->data(), c);
}

Formula::Ends LinearForm::chord(const double* c0, const double* c1, double* secant, double* slope, double* gradient1,
                                Scratch /*scratch*/) const {
  std::copy_n(u->data(), n, secant);
  if (slope != nullptr) std::fill_n(slope, n * n, 0.0);
  if (slope != nullptr) std::copy_n(u->data(), n, gradient1);
  return {dot(n, u->data(), c0), dot(n, u->data(), c1)};
}

}  // namespace trompo
