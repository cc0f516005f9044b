// Where a formula is defined: is it so all along the chord from one place to another?
//
// The formula is evaluated with intervals over the chord x0 + s (x1 - x0), s from 0 to 1, each place of the tape by its
// operands and by the mean value theorem, f(middle) + f'(cell) (s - middle), which knows that all of them are functions of one
// s. Where that does not decide whether an operand of /, log, sqrt, tan, ^, asin or acos stays in its domain, the chord is
// halved.
//   R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, SIAM 2009, sections 6.4 and 8.2
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "trompo/math/formula.hpp"

namespace trompo {

class FormulaDomain {
 public:
  // Variable k of the formula is number coordinates[k] of the places that are asked for.
  FormulaDomain(Formula formula, std::vector<int> coordinates) : formula_(std::move(formula)), where_(std::move(coordinates)) {}

  [[nodiscard]] bool uses(int coordinate) const { return std::find(where_.begin(), where_.end(), coordinate) != where_.end(); }
  [[nodiscard]] static bool everywhere(const Formula& formula);  // no operation in it has a domain: there is nothing to ask
  // Not where an operand leaves its domain or reaches a pole. A pole that the rest of the formula takes away, as in sin(u)/u,
  // is none, and neither is a root that only touches zero. A domain left for less than 1/256 of the chord may go unseen, a pole
  // does not. Takes its memory from the stack.
  [[nodiscard]] bool holds_between(const double* x0, const double* x1) const;

 private:
  class Chord;
  template <int room>
  [[nodiscard]] bool holds_within(const double* x0, const double* x1) const;

  Formula formula_;
  std::vector<int> where_;
};

}  // namespace trompo
