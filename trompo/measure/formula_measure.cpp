#include "trompo/measure/formula_measure.hpp"

#include "trompo/measure/expanding_kernel.hpp"

namespace trompo {

const Kernel& FormulaMeasure::kernel() {
  static constexpr Kernel table = expanding_kernel<FormulaMeasure>();
  return table;
}

double FormulaMeasure::expand(const double* c, double* gradient, double* hessian, Scratch /*scratch*/) const {
  return formula->expand(c, n, gradient, hessian).value;
}

Formula::Ends FormulaMeasure::chord(const double* c0, const double* c1, double* secant, double* slope, double* gradient1,
                                    Scratch scratch) const {
  return formula->chord(c0, c1, n, secant, slope, gradient1, scratch);
}

}  // namespace trompo
