// Whether two equilibria lie on one path.
//
// D is the way from one to the other. The tangent at the first predicts it (ahead), that at the second says in hindsight what
// it was (behind). On one smooth path the three agree as the step becomes short: D = (ahead + behind) / 2 but for the third
// order. A structure that snapped, or a search that ended on another branch, has covered a way of which the tangents know
// nothing, or into which they do not point. And between two equilibria of one path that lose stability in different numbers
// of directions there is a limit or a branch point.
//
// A way that is too long is suspicious. Towards a limit point it is twice what is ahead, and a slack string that tightens by
// the cube of its deflection makes three times what is behind; what is ahead there may be any number. Beside that the load is
// to grow by the mean of its slopes along the way at both ends, which it does not where it fell in between.
#pragma once

#include "trompo/scheme/static_search.hpp"

namespace trompo {

struct PathCheck {
  const StaticSearch& search;               // W of its product is what ways are measured by
  static constexpr double rounding = 1e-8;  // of a way: nothing has moved
  static constexpr double short_way = 1e-2;

  [[nodiscard]] bool unmoved(const VecX& way) const { return search.length(way) <= rounding; }

  // Within 60 degrees, and the way no longer than this many times the prediction.
  [[nodiscard]] bool agrees(const VecX& way, const VecX& prediction, double times) const {
    const double d = search.length(way), p = search.length(prediction);
    return d <= times * p && search.product(way, prediction) >= 0.5 * d * p;
  }
  // The load grew by `load` along a way of this length, at the ends of which it has these slopes: a cubic is let pass.
  [[nodiscard]] static bool foreseen(double load, double length, double slope0, double slope1) {
    return std::abs(load - 0.5 * (slope0 + slope1) * length) <= 0.25 * std::max(std::abs(slope0), std::abs(slope1)) * length;
  }
  [[nodiscard]] bool smooth(const VecX& way, const VecX& ahead, const VecX& behind) const {
    if (unmoved(way)) return true;
    return agrees(way, ahead, 2.5) && agrees(way, behind, 3.3) &&
           foreseen(1, search.length(way), 1 / search.length(ahead), 1 / search.length(behind));
  }
  // The path may have a corner, where a cable tightens or a load sets in: the way is then part ahead and part behind. Asked of
  // the shortest steps alone, where a corner and a snap differ by their length.
  [[nodiscard]] bool corner(const VecX& way, const VecX& ahead, const VecX& behind) const {
    const VecX across = behind - ahead, rest = way - ahead;
    const double span = search.product(across, across);
    const double share = span > 0 ? std::clamp(search.product(rest, across) / span, 0.0, 1.0) : 0;
    const double most = std::max(search.length(ahead), search.length(behind));
    return search.length(way) <= short_way && search.length(rest - share * across) <= 0.1 * most;
  }
};

// Of stability, in directions; negative where it is not judged.
[[nodiscard]] inline bool same_count(int before, int after) { return before < 0 || after < 0 || before == after; }

}  // namespace trompo
