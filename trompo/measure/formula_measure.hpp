// A measure typed by the user: r = phi(c) over N raw coordinates, exact first and second derivatives.
//
// Its secant is Gonzalez' correction of the midpoint gradient along c1 - c0: exact work, but in raw coordinates it does not
// know what a rotation is. For momenta as well, a formula is written over invariants.
#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "trompo/math/formula.hpp"
#include "trompo/measure/measure.hpp"

namespace trompo {

template <int N>
struct FormulaMeasure {
  static constexpr int coordinates = N;
  static constexpr int components = 1;
  using C = Vec<N>;
  using S = Vec<1>;
  using J = Mat<1, N>;
  using K = Mat<N, N>;

  std::shared_ptr<const Formula> formula;

  [[nodiscard]] S value(const C& c) const { return S(formula->evaluate({c.data(), static_cast<std::size_t>(N)})); }
  [[nodiscard]] J jacobian(const C& c) const { return formula->derivatives<N>(c).gradient.transpose(); }
  [[nodiscard]] K curvature(const C& c, const S& s) const { return s[0] * formula->derivatives<N>(c).hessian; }
  [[nodiscard]] J secant(const C& c0, const C& c1) const {
    const Step step(*this, c0, c1);
    return (step.gradient + step.quotient * step.d).transpose();
  }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const {
    const Step step(*this, c0, c1);
    K k = 0.5 * step.hessian;
    if (step.quotient != 0) {
      const C g1 = formula->derivatives<N>(c1).gradient;
      k += step.d * ((g1 - step.gradient - 0.5 * step.hessian * step.d) / step.dd - 2 * step.quotient / step.dd * step.d)
                        .transpose() +
           step.quotient * K::Identity();
    }
    return s[0] * k;
  }

 private:
  // Gradient and Hessian at the midpoint, and the share of c1 - c0 that makes the work exact.
  struct Step {
    Step(const FormulaMeasure& phi, const C& c0, const C& c1) : d(c1 - c0), dd(d.squaredNorm()) {
      const HyperDual<N> middle = phi.formula->template derivatives<N>(0.5 * (c0 + c1));
      gradient = middle.gradient;
      hessian = middle.hessian;
      const double r0 = phi.value(c0)[0], r1 = phi.value(c1)[0], work = gradient.dot(d), defect = (r1 - r0) - work;
      // Below the rounding of the values the quotient is noise.
      const double noise = 4 * std::numeric_limits<double>::epsilon() * (std::abs(r0) + std::abs(r1) + std::abs(work));
      quotient = dd > 0 && std::abs(defect) > noise ? defect / dd : 0.0;
    }
    C d, gradient;
    K hessian;
    double dd, quotient;
  };
};

}  // namespace trompo
