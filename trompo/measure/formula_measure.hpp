// A measure typed by the user: r = phi(c) over N raw coordinates, exact first and second derivatives.
//
// Its secant is Gonzalez' correction of the midpoint gradient along c1 - c0: exact work, but in raw coordinates it does not
// know what a rotation is. For momenta as well, a formula is written over invariants: composed_measure.hpp.
#pragma once

#include <memory>
#include <utility>

#include "trompo/math/formula.hpp"
#include "trompo/measure/typed_measure.hpp"

namespace trompo {

template <int N>
struct FormulaMeasure : TypedMeasure<FormulaMeasure<N>, N> {
  explicit FormulaMeasure(std::shared_ptr<const Formula> phi) : formula(std::move(phi)) {}

  [[nodiscard]] Expansion<N> expand(const Vec<N>& c, Order order) const { return formula->derivatives<N>(c, order); }
  [[nodiscard]] Chord<N> chord(const Vec<N>& c0, const Vec<N>& c1, Order order) const {
    return formula->chord<N>(c0, c1, order);
  }

  std::shared_ptr<const Formula> formula;
};

}  // namespace trompo
