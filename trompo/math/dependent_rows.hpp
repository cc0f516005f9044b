// Rows of a saddle point that may depend on each other: constraints J with forces G^T lambda, of which some may say what others
// say, here or elsewhere along the way.
//
//   [ K  G^T ] [ x      ]   [ r ]                     in place of it   [ K  G^T  ]
//   [ J  0   ] [ lambda ] = [ p ]                                      [ J  -e D ],  D_i = sum over u of |J_iu G_iu / K_uu|
//
// D is the diagonal of J K^-1 G^T, by which the equations of motion weigh the rows; e = 1e-9. Where J K^-1 G^T has the value s
// beside D, the regular matrix has s + e: one solve leaves tau = e/(s + e) of lambda open, and where rows repeat each other, s
// = 0, it takes the part of p that no motion closes for a large lambda. The errors e D lambda of a solve are put in as p of the
// next; with lambda_1, lambda_2, lambda_3 of three solves that part is the same in all and the rest goes by tau. So
//
//   lambda_1 + lambda_2 - 2 lambda_3
//
// has nothing of it, and of the rest 1 - 3 tau^2: multipliers of least norm weighed by D, rows that close. M. Hestenes,
// Multiplier and gradient methods, J. Optim. Theory Appl. 4 (1969); Tikhonov's regularisation.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "trompo/math/vector.hpp"

namespace trompo {

class Pattern;

class DependentRows {
 public:
  explicit DependentRows(const Pattern& pattern);  // of those that the pattern names

  // Writes the diagonal, unless it stands there. `size` is used in place of |K_uu|, where K itself says little.
  void regularise(double* values, const VecX* size = nullptr);

  // solve_once(b) is that of the regular matrix, in place.
  template <class SolveOnce>
  void solve(const double* values, VecX& b, const SolveOnce& solve_once) {
    right_ = b;
    sweep(values, b, solve_once);
    // Large multipliers that mean nothing leave their rounding, 1e-7 of them: then once more without what cannot be met.
    constexpr double large = 10;
    if (!(size_of(third_) > large * size_of(b))) return;
    first_unreachable_ = unreachable_;
    b = right_ - unreachable_;
    sweep(values, b, solve_once);
    unreachable_ += first_unreachable_;
  }
  // Of the last solve: what of its p no motion closes, zero in all other rows.
  [[nodiscard]] const VecX& unreachable() const { return unreachable_; }

 private:
  template <class SolveOnce>
  void sweep(const double* values, VecX& b, const SolveOnce& solve_once) {
    solve_once(b);
    second_.setZero();
    errors(values, b, second_);
    solve_once(second_);
    third_.setZero();
    errors(values, second_, third_);
    solve_once(third_);
    unreachable_.setZero();
    errors(values, third_, unreachable_);
    b += second_ - 2 * third_;
  }
  [[nodiscard]] double size_of(const VecX& x) const {
    double most = 0;
    for (const Row& row : rows_) most = std::max(most, std::abs(x[row.unknown]));
    return most;
  }
  void errors(const double* values, const VecX& x, VecX& p) const {
    for (const Row& row : rows_) p[row.unknown] = values[row.diagonal] * x[row.unknown];
  }
  struct Entry {
    int row, column, unknown;  // places of J_iu and G_iu among the values
  };
  struct Row {
    int unknown, diagonal;
    std::size_t first, last;  // of its entries
  };
  std::vector<Row> rows_;
  std::vector<Entry> entries_;
  std::vector<int> diagonal_, block_first_;  // places of all K_uu
  int block_size_;
  VecX inertia_, right_, first_unreachable_, second_, third_, unreachable_;
};

}  // namespace trompo
