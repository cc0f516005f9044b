#include "trompo/math/quadratic_form.hpp"

#include "trompo/math/dense.hpp"

namespace trompo {

template <int N>
QuadraticForm<N>::QuadraticForm(const Formula& formula) : origin(Vec<N>::Zero()) {
  Expansion<N> at_origin = formula.derivatives<N>(origin);
  if (!at_origin.gradient.isZero(0) && !at_origin.hessian.isZero(0)) {
    origin = least_squares(at_origin.hessian, -at_origin.gradient);
    at_origin = formula.derivatives<N>(origin);
  }
  s0 = at_origin.value;
  g0 = at_origin.gradient;
  hessian = at_origin.hessian;
}

template struct QuadraticForm<1>;
template struct QuadraticForm<2>;
template struct QuadraticForm<3>;
template struct QuadraticForm<6>;
template struct QuadraticForm<12>;

}  // namespace trompo
