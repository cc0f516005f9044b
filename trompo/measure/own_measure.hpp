// Two measures over any number n of raw coordinates that a model made in C++ may ask for.
//
//   OwnMeasure   r = W(c), the energy of the caller's own functions, whose gradient is g and whose curvature is K; without an
//                energy r = 0, and who asks for differences of it has asked the wrong term. The secant is that of a formula:
//                Gonzalez' correction of the midpoint gradient
//   LinearForm   r = u . c, for one principal direction of a damping matrix
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "trompo/math/formula.hpp"
#include "trompo/math/own_functions.hpp"
#include "trompo/measure/kernel.hpp"

namespace trompo {

struct OwnMeasure {
  OwnMeasure(std::shared_ptr<const OwnFunctions> functions, int coordinates) : own(std::move(functions)), n(coordinates) {}
  [[nodiscard]] static const Kernel& kernel();
  double expand(const double* c, double* gradient, double* hessian, Scratch scratch) const;
  Formula::Ends chord(const double* c0, const double* c1, double* secant, double* slope, double* gradient1,
                      Scratch scratch) const;
  [[nodiscard]] int scratch() const { return 3 * n; }
  [[nodiscard]] double energy(const double* c) const { return own->energy ? own->energy(c) : 0; }

  std::shared_ptr<const OwnFunctions> own;  // terms are copied
  int n;
};

struct LinearForm {
  explicit LinearForm(std::vector<double> direction)
      : n(static_cast<int>(direction.size())), u(std::make_shared<const std::vector<double>>(std::move(direction))) {}
  [[nodiscard]] static const Kernel& kernel();
  double expand(const double* c, double* gradient, double* hessian, Scratch scratch) const;
  Formula::Ends chord(const double* c0, const double* c1, double* secant, double* slope, double* gradient1,
                      Scratch scratch) const;
  [[nodiscard]] int scratch() const { return 0; }

  int n;
  std::shared_ptr<const std::vector<double>> u;
};

}  // namespace trompo
