// Which numbers a key of the model file may have.
//
// Quantities lie between 1e-50 and 1e50 in SI units, or are zero where that means something: from the inertia of a molecule to
// more than the mass of a galaxy. A product of six of them, or a quotient, is still a number that double arithmetic has; what
// overflows all the same ends a run as not converged. Numbers with a sign may be as near to zero as they like: nothing is
// divided by them.
#pragma once

#include <string>

namespace trompo {

struct Range {
  double least, most;
  bool zero = false;  // 0 as well
  static const Range any, positive, not_negative;
  // What is counted: bounds that loops and memory allow.
  static constexpr Range counts(double least, double most) { return {least, most}; }

  [[nodiscard]] bool contains(double value) const { return (value >= least && value <= most) || (zero && value == 0); }
  // Ends "is VALUE, but must ...": "be positive", "not be negative", "be between 1e-50 and 1e+50".
  [[nodiscard]] std::string demand(double value) const;
};

inline constexpr Range Range::any{-1e50, 1e50};
inline constexpr Range Range::positive{1e-50, 1e50};
inline constexpr Range Range::not_negative{1e-50, 1e50, true};

}  // namespace trompo
