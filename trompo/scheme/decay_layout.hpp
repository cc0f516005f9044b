// The unknowns of a step that loses energy, and where its entries stand: free coordinates, as many velocities e, multipliers,
// nu.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "trompo/system/decay_terms.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

struct DecayLayout {
  DecayLayout(const System& system, bool constraint_rates);
  DecayLayout(const DecayLayout&) = delete;

  const System& system;
  std::deque<ConstraintTerms> inner;  // that keep frames at right angles, and bodies on their fixed points
  std::vector<DecayTerms> decay;
  std::vector<RateTerms> rates;
  int n;            // free coordinates
  int multipliers;  // of the system, then the inner ones
  int nu = 0;       // of the constraints that are quadratic
  Pattern pattern;
  ScatterMap map;                                         // of the terms of the system
  std::vector<int> indices;                               // of decay, rates and inner constraints
  std::vector<std::size_t> of_decay, of_rates, of_inner;  // where each kind begins there
  struct Mass {
    int row, column;  // equations
    double mass;
    int place[3];  // motion by place, motion by e, e by e
  };
  std::vector<Mass> masses;

  [[nodiscard]] int unknowns() const { return pattern.size(); }
  [[nodiscard]] int first_multiplier() const { return 2 * n; }
  [[nodiscard]] int first_nu() const { return 2 * n + multipliers; }
  [[nodiscard]] std::string name(int unknown) const;
};

}  // namespace trompo
