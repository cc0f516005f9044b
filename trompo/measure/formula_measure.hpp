// A measure typed by the user: r = phi(c) over any number of raw coordinates, exact first and second derivatives.
//
// Its secant is Gonzalez' correction of the midpoint gradient along c1 - c0: exact work, but in raw coordinates it does not
// know what a rotation is. For momenta as well, a formula is written over invariants: composed_measure.hpp.
#pragma once

#include <memory>
#include <utility>

#include "trompo/math/formula.hpp"
#include "trompo/measure/kernel.hpp"

namespace trompo {

struct FormulaMeasure {
  FormulaMeasure(std::shared_ptr<const Formula> phi, int coordinates) : formula(std::move(phi)), n(coordinates) {}
  [[nodiscard]] static const Kernel& kernel();

  // As the table has them, for the one component there is. A gradient or Hessian that is null is not wanted.
  double expand(const double* c, double* gradient, double* hessian, Scratch scratch) const;
  Formula::Ends chord(const double* c0, const double* c1, double* secant, double* slope, double* gradient1,
                      Scratch scratch) const;

  [[nodiscard]] int scratch() const { return 3 * n; }

  std::shared_ptr<const Formula> formula;  // terms are copied
  int n;
};

}  // namespace trompo
