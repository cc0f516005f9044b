// A measure typed over invariants: r = F(s(c)), F a formula of inner coordinates s, each of them a formula of raw ones.
//
// Its secant is that of F in the s times that of each s in the c: J* = F*(s0, s1) S*(c0, c1). F* is Gonzalez' (in one s: the
// difference quotient). A quadratic s has S* = its gradient at the midpoint, exactly; any other Gonzalez' correction. So over
// dot products of differences of positions the work is exact and J* is blind to rigid motion: energy, linear and angular
// momentum are kept (O. Gonzalez, J. Nonlinear Sci. 6, 1996).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "trompo/math/quadratic_form.hpp"
#include "trompo/measure/kernel.hpp"

namespace trompo {

class ComposedMeasure {
 public:
  // `outer` uses variables 0, 1 ... for `inner`; these use variables 0 ... coordinates - 1.
  ComposedMeasure(Formula outer, const std::vector<Formula>& inner, int coordinates);
  [[nodiscard]] static const Kernel& kernel();

  double expand(const double* c, double* gradient, double* hessian, Scratch scratch) const;
  Formula::Ends chord(const double* c0, const double* c1, double* secant, double* slope, double* gradient1,
                      Scratch scratch) const;

  // Of second degree at most, as a sum of invariants that are.
  [[nodiscard]] bool quadratic() const;

  [[nodiscard]] int scratch() const {
    const int parts = static_cast<int>(parts_->inner.size());
    return parts * (n * n + 2 * n + parts + 7) + 4 * n;
  }

  int n;

 private:
  struct Inner {
    Formula formula;
    std::optional<QuadraticForm> quadratic;
  };
  struct Parts {
    Formula outer;
    std::vector<Inner> inner;
  };
  // sum over the parts of F.S.G^T and of the bending of each: out = A F B^T + sum f_i H_i, A and B having a column a part
  void bend(const double* F, const double* f, const double* A, const double* B, double share, const double* bent, double* out,
            Scratch scratch) const;

  std::shared_ptr<const Parts> parts_;  // terms are copied
};

}  // namespace trompo
