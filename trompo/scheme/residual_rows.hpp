// Judging a residual row by row, for every problem that is handed to newton(). `allowed(row)` is what a row may have left.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "trompo/math/linear_solver.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

// The worst |r| / allowed; NaN where a residual is not finite.
template <class Allowed>
[[nodiscard]] double worst_ratio(const VecX& residual, const Allowed& allowed) {
  double worst = 0;
  for (int e = 0; e < residual.size(); ++e) {
    const double r = std::abs(residual[e]);
    if (!std::isfinite(r)) return std::numeric_limits<double>::quiet_NaN();
    if (r > 0) worst = std::max(worst, r / std::max(allowed(e), std::numeric_limits<double>::min()));
  }
  return worst;
}

// Rounding of an unknown x alone moves the residual by eps |K| |x|: 2e-6 N for EA = 1e10. No tolerance can ask for less.
// `noise(row)` is what is uncertain in a row beside that.
template <class Allowed, class Noise>
[[nodiscard]] bool at_round_off(const VecX& residual, const LinearSolver& tangent, const VecX& unknown_size, VecX& round_off,
                                const Allowed& allowed, const Noise& noise) {
  constexpr double allowance = 16 * std::numeric_limits<double>::epsilon();
  tangent.absolute_product(unknown_size, round_off);
  for (int e = 0; e < residual.size(); ++e)
    if (!(std::abs(residual[e]) <= std::max(allowed(e), allowance * round_off[e] + noise(e)))) return false;
  return true;
}

// The rows farthest from what they are allowed, `most` of them, without their names. `scale(row)` is taken out of both.
template <class Allowed, class Scale>
[[nodiscard]] std::vector<Imbalance> worst_rows(const VecX& residual, const Allowed& allowed, const Scale& scale,
                                                std::size_t most) {
  std::vector<Imbalance> all;
  for (int e = 0; e < residual.size(); ++e) all.push_back({{}, residual[e] / scale(e), allowed(e) / scale(e), e});
  // What is not a number comes first: there the trouble began.
  const auto weight = [](const Imbalance& i) {
    const double ratio = std::abs(i.residual) / std::max(i.allowed, std::numeric_limits<double>::min());
    return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
  };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), end, all.end(), [&](const Imbalance& a, const Imbalance& b) { return weight(a) > weight(b); });
  all.erase(end, all.end());
  return all;
}

}  // namespace trompo
