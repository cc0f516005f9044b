// Rows of joints in closed loops that no motion closes together: what of their errors, rates or accelerations depends on each
// other and does not agree.
#pragma once

#include <string>

#include "trompo/system/system.hpp"

namespace trompo {

struct Contradiction {
  int row = -1, other = -1;  // constraints; -1: there is none, or nothing that could be named
  double apart = 0;
  [[nodiscard]] bool found() const { return row >= 0; }
};

// Relative to the sum of its absolute terms, a row is open where its error is beyond this. A joint that was drawn with seven
// digits is not open yet.
inline constexpr double open_row = 1e-6;

// The part of these rows that no motion of the free coordinates reaches from the place q, least in the metric of the masses.
// Zero but for rows in loops.
[[nodiscard]] VecX unreachable(const System& system, const VecX& q, const VecX& rows);

// The two joints that are farthest apart, if a row is by more than it is allowed to. Where time moves some of the rows that
// take part, those are the ones to look at: two places that contradict each other were drawn so or driven there. The joint that
// comes later in the model is the first of the two.
[[nodiscard]] Contradiction worst_contradiction(const System& system, const VecX& unreachable, const VecX& allowed);

// Of this place, in words: "joint 'B: angle', 0.01 apart from what 'A: angle' demands"; empty if there is none. Where a scheme
// lets constraints drift, its rows may be apart by as much as the largest drift, up to a hundredth of their size.
[[nodiscard]] std::string contradiction_at(const System& system, const VecX& q);

// Joints whose reactions are not unique at this place, since their rows say what others say.
[[nodiscard]] std::vector<bool> repeating_joints(const System& system, const VecX& q);

}  // namespace trompo
