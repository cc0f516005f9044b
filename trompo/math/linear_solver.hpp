// One handle for the linear systems of a step: dense LU (Eigen) where the system is small, sparse LU (KLU) where it is not.
// The pattern is fixed once; a term writes its entries through slots, so that assembly never searches.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "trompo/math/dependent_rows.hpp"
#include "trompo/math/vector.hpp"

namespace trompo {

// Where the entries of an n x n matrix may stand. Const after construction; shared by every workspace.
class Pattern {
 public:
  static constexpr int dense_limit = 48;  // below this a dense factorisation is faster than any bookkeeping

  Pattern() = default;
  Pattern(int n, const std::vector<std::pair<int, int>>& entries);  // (row, column); the diagonal is always there

  // Rows and columns of multipliers that may depend on each other. Of unknowns that go together, as many each time, one may
  // have no inertia of its own: the largest of each such block stands for all.
  void let_depend(std::vector<int> rows, std::vector<int> block_first = {}, int block_size = 0) {
    dependent_ = std::move(rows);
    block_first_ = std::move(block_first);
    block_size_ = block_size;
  }
  [[nodiscard]] const std::vector<int>& dependent() const { return dependent_; }
  [[nodiscard]] const std::vector<int>& block_first() const { return block_first_; }
  [[nodiscard]] int block_size() const { return block_size_; }

  [[nodiscard]] int size() const { return n_; }
  [[nodiscard]] bool dense() const { return n_ <= dense_limit; }
  [[nodiscard]] int nonzeros() const { return dense() ? n_ * n_ : static_cast<int>(row_.size()); }
  [[nodiscard]] int slot(int row, int column) const;  // index into the values; the entry must be in the pattern
  // out = A^T x, with the values of A on this pattern
  void transposed_product(const double* values, const VecX& x, VecX& out) const;
  [[nodiscard]] const std::vector<int>& column_start() const { return start_; }
  [[nodiscard]] const std::vector<int>& rows() const { return row_; }
  // use(row, column, place among the values) for every entry
  template <class Use>
  void each(const Use& use) const {
    for (int j = 0; j < n_; ++j) {
      if (dense())
        for (int i = 0; i < n_; ++i) use(i, j, i + j * n_);
      else
        for (int k = start_[j]; k < start_[j + 1]; ++k) use(row_[k], j, k);
    }
  }

 private:
  int n_ = 0;
  std::vector<int> start_, row_;  // compressed columns; empty when dense
  std::vector<int> dependent_, block_first_;
  int block_size_ = 0;
};

// Values on a pattern and their factors: the workspace side.
class LinearSolver {
 public:
  explicit LinearSolver(const Pattern& pattern);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;
  LinearSolver(const LinearSolver&) = delete;
  LinearSolver& operator=(const LinearSolver&) = delete;

  [[nodiscard]] bool dense() const { return pattern_->dense(); }
  [[nodiscard]] double* values() { return values_.data(); }
  [[nodiscard]] const double* values() const { return values_.data(); }
  void set_zero();
  [[nodiscard]] bool factorise();  // false: singular to working precision
  // Of the last factorisation: the smallest pivot against the size of what it was made from. Rounding alone is 1e-16.
  [[nodiscard]] double pivot_ratio() const;
  [[nodiscard]] const Pattern& pattern() const { return *pattern_; }
  void solve(VecX& b);  // in place; rows that depend on each other are closed as far as they can be
  // Of the last solve: what of its right-hand side no solution reaches. Empty where no rows may depend on each other.
  [[nodiscard]] const VecX& unreachable() const;
  // Before a factorisation: the rows that may depend on each other are weighed by these sizes of the other unknowns, not by the
  // diagonal.
  void weigh(const VecX& size);
  // out_i = sum_j |A_ij| |x_j|, the scale of rounding errors in A x; uses the values as they were assembled last
  void absolute_product(const VecX& x, VecX& out) const;
  void forget_pivots();  // chosen for earlier matrices, and the order of elimination
  [[nodiscard]] long full_factorisations() const { return full_factorisations_; }

 private:
  struct Sparse;
  void solve_once(VecX& b);
  const Pattern* pattern_;
  VecX values_;
  Eigen::MatrixXd lu_;  // dense factors, in place
  std::vector<int> pivot_;
  std::unique_ptr<Sparse> sparse_;
  std::optional<DependentRows> dependent_;
  long full_factorisations_ = 0;
};

}  // namespace trompo
