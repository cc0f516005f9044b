// The equations that newton() is to solve, judged row by row: the one place that says what a row may have left. Rows of motion
// come first, then those of constraints, which like the columns of their multipliers are multiplied by a scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "trompo/math/linear_solver.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

class ResidualRows {
 public:
  ResidualRows(int unknowns, int multipliers, double allowed_share)
      : tolerance(allowed_share), moving_(unknowns - multipliers) {
    for (VecX* v : {&residual, &size, &unknown_size, &round_off_}) v->setZero(unknowns);
  }
  double tolerance;  // of a residual, relative to its size
  VecX residual;
  VecX size;          // sums of the absolute terms of each row
  VecX unknown_size;  // what an increment of each unknown is judged by
  VecX unreachable;   // what of each row the last solve could not close; empty: nothing

  [[nodiscard]] int moving() const { return moving_; }  // rows that are no constraints
  [[nodiscard]] int rows() const { return static_cast<int>(residual.size()); }
  // A constraint is asked to close a hundred times better than an equation: what is left open is there in every later step.
  [[nodiscard]] double allowed(int row) const { return (row < moving_ ? 1 : 0.01) * tolerance * size[row]; }

  // Of a residual, what a search can still bring down: rows of loops that contradict each other are for contradiction.hpp.
  [[nodiscard]] double left(int row) const {
    if (unreachable.size() == 0) return residual[row];
    constexpr double rounding = 1e-6;  // of what is unreachable
    const double r = residual[row] - unreachable[row];
    return std::abs(r) <= rounding * std::abs(unreachable[row]) ? 0 : r;
  }

  // The worst |r| / allowed; NaN where a residual is not finite.
  [[nodiscard]] double worst_ratio() const {
    double worst = 0;
    for (int e = 0; e < rows(); ++e) {
      const double r = std::abs(left(e));
      if (!std::isfinite(r)) return std::numeric_limits<double>::quiet_NaN();
      if (r > 0) worst = std::max(worst, r / std::max(allowed(e), std::numeric_limits<double>::min()));
    }
    return worst;
  }

  // Rounding of an unknown x alone moves the residual by eps |K| |x|: 2e-6 N for EA = 1e10. No tolerance can ask for less.
  // `noise` is what is uncertain in rows of motion beside that.
  [[nodiscard]] bool at_round_off(const LinearSolver& tangent, double noise = 0) {
    constexpr double allowance = 16 * std::numeric_limits<double>::epsilon();
    tangent.absolute_product(unknown_size, round_off_);
    for (int e = 0; e < rows(); ++e)
      if (!(std::abs(left(e)) <= std::max(allowed(e), allowance * round_off_[e] + (e < moving_ ? noise : 0.0)))) return false;
    return true;
  }
  // Of the stiffest row of motion, as at_round_off found it.
  [[nodiscard]] double largest_round_off() const {
    return 16 * std::numeric_limits<double>::epsilon() * round_off_.head(moving_).maxCoeff();
  }

  // The rows farthest from what they are allowed, `most` of them. `scale` is that of constraints; no row is asked for less than
  // `least`.
  template <class Name>
  [[nodiscard]] std::vector<Imbalance> worst(std::size_t most, double scale, const Name& name, double least = 0) const {
    std::vector<Imbalance> all;
    for (int e = 0; e < rows(); ++e) {
      const double by = e < moving_ ? 1.0 : scale;
      all.push_back({{}, residual[e] / by, std::max(allowed(e), least) / by, e});
    }
    // What is not a number comes first: there the trouble began.
    const auto weight = [](const Imbalance& i) {
      const double ratio = std::abs(i.residual) / std::max(i.allowed, std::numeric_limits<double>::min());
      return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
    };
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
    std::partial_sort(all.begin(), end, all.end(),
                      [&](const Imbalance& a, const Imbalance& b) { return weight(a) > weight(b); });
    all.erase(end, all.end());
    for (Imbalance& i : all) i.name = name(i.unknown);
    return all;
  }

 private:
  int moving_;
  VecX round_off_;
};

}  // namespace trompo
