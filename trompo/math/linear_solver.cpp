#include "trompo/math/linear_solver.hpp"

#include <klu.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace trompo {

Pattern::Pattern(int n, const std::vector<std::pair<int, int>>& entries) : n_(n) {
  if (dense()) return;
  // Column by column, rows in their order, each once. Terms that share unknowns repeat entries many times.
  std::vector<int> begin(static_cast<std::size_t>(n) + 1, 0);
  for (const auto& entry : entries) ++begin[static_cast<std::size_t>(entry.second) + 1];
  for (int j = 0; j < n; ++j) begin[j + 1] += begin[j] + 1;  // and the diagonal
  std::vector<int> rows(static_cast<std::size_t>(begin[n])), next(begin.begin(), begin.end() - 1);
  for (int j = 0; j < n; ++j) rows[next[j]++] = j;
  for (const auto& [row, column] : entries) rows[next[column]++] = row;
  start_.assign(1, 0);
  for (int j = 0; j < n; ++j) {
    const auto first = rows.begin() + begin[j], last = rows.begin() + begin[j + 1];
    std::sort(first, last);
    row_.insert(row_.end(), first, std::unique(first, last));
    start_.push_back(static_cast<int>(row_.size()));
  }
}

int Pattern::slot(int row, int column) const {
  if (dense()) return row + column * n_;
  const auto first = row_.begin() + start_[column];
  const auto last = row_.begin() + start_[column + 1];
  const auto found = std::lower_bound(first, last, row);
  assert(found != last && *found == row);
  return static_cast<int>(found - row_.begin());
}

void Pattern::transposed_product(const double* values, const VecX& x, VecX& out) const {
  for (int j = 0; j < n_; ++j) {
    if (dense()) {
      out[j] = Eigen::Map<const VecX>(values + static_cast<std::ptrdiff_t>(j) * n_, n_).dot(x);
      continue;
    }
    double sum = 0;
    for (int k = start_[j]; k < start_[j + 1]; ++k) sum += values[k] * x[row_[k]];
    out[j] = sum;
  }
}

// KLU's handles. The order of elimination is found once; a refactorisation reuses the pivots and allocates nothing.
struct LinearSolver::Sparse {
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::vector<int> start, row;
  double first_rcond = 0;  // with pivots chosen for the matrix
  int refactorised = 0;
  bool many_loops;

  explicit Sparse(const Pattern& pattern)
      : start(pattern.column_start()), row(pattern.rows()), many_loops(10 * std::ssize(pattern.dependent()) > pattern.size()) {
    klu_defaults(&common);
  }
  ~Sparse() { forget(); }
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;

  void forget() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  // Two orders are tried on the first matrix, and the one with less work is kept. AMD takes pivots on the diagonal for
  // granted, which multipliers do not have; COLAMD takes nothing for granted. In a ladder of loops AMD's order has five hundred
  // times the work, which to find out is too dear.
  bool choose_order(double* values) {
    common.scale = rows_differ(values) ? 2 : 0;
    if (many_loops) return work_in_order(1, values) < std::numeric_limits<double>::infinity();
    const double by_amd = work_in_order(0, values);
    klu_symbolic* order = std::exchange(symbolic, nullptr);
    klu_numeric* factors = std::exchange(numeric, nullptr);
    const double by_colamd = work_in_order(1, values);
    if (!(by_colamd < by_amd)) {
      std::swap(order, symbolic);
      std::swap(factors, numeric);
    }
    klu_free_numeric(&factors, &common);
    klu_free_symbolic(&order, &common);
    return std::min(by_amd, by_colamd) < std::numeric_limits<double>::infinity();
  }
  double work_in_order(int ordering, double* values) {
    common.ordering = ordering;
    symbolic = klu_analyze(static_cast<int>(start.size()) - 1, start.data(), row.data(), &common);
    numeric = klu_factor(start.data(), row.data(), values, symbolic, &common);
    const bool done = numeric != nullptr && common.status == KLU_OK && klu_flops(symbolic, numeric, &common) == 1;
    return done ? common.flops : std::numeric_limits<double>::infinity();
  }
  // By so much that pivots have to be judged by the size of their rows?
  [[nodiscard]] bool rows_differ(const double* values) const {
    std::vector<double> size(start.size() - 1, 0);
    for (std::size_t k = 0; k < row.size(); ++k) size[row[k]] = std::max(size[row[k]], std::abs(values[k]));
    const auto [least, most] = std::minmax_element(size.begin(), size.end());
    return !(*least > 1e-2 * *most);
  }

  // Old pivots are kept while they stay trustworthy. The smallest of them tells at little cost; the growth of the factors,
  // which takes a third of the time of a factorisation, is looked at now and then: pivots go bad slowly, and until they are
  // found out it is only Newton's loop that takes longer.
  bool refactorise(double* values) {
    if (numeric == nullptr || klu_refactor(start.data(), row.data(), values, symbolic, numeric, &common) != 1) return false;
    if (klu_rcond(symbolic, numeric, &common) != 1 || !(common.rcond > 1e-2 * first_rcond)) return false;
    constexpr int now_and_then = 16;
    if (++refactorised % now_and_then != 0) return true;
    return klu_rgrowth(start.data(), row.data(), values, symbolic, numeric, &common) == 1 && common.rgrowth > 1e-10;
  }
  bool factorise(double* values) {
    if (symbolic == nullptr) {
      if (!choose_order(values)) {
        forget();  // the next matrix may be a better one
        return false;
      }
    } else {
      klu_free_numeric(&numeric, &common);
      numeric = klu_factor(start.data(), row.data(), values, symbolic, &common);
      if (numeric == nullptr || common.status != KLU_OK) return false;
    }
    klu_rcond(symbolic, numeric, &common);
    first_rcond = common.rcond;
    return true;
  }
};

LinearSolver::LinearSolver(const Pattern& pattern) : pattern_(&pattern), values_(VecX::Zero(pattern.nonzeros())) {
  if (pattern.dense()) {
    lu_.resize(pattern.size(), pattern.size());
    pivot_.resize(static_cast<std::size_t>(pattern.size()));
  } else {
    sparse_ = std::make_unique<Sparse>(pattern);
  }
  if (!pattern.dependent().empty()) dependent_.emplace(pattern);
}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

void LinearSolver::set_zero() { values_.setZero(); }

void LinearSolver::forget_pivots() {
  if (!sparse_) return;
  sparse_->forget();
  sparse_->refactorised = 0;
}

bool LinearSolver::factorise() {
  if (dependent_) dependent_->regularise(values_.data());
  if (!pattern_->dense()) {
    if (sparse_->refactorise(values_.data())) return true;
    ++full_factorisations_;
    return sparse_->factorise(values_.data());
  }
  // Gauss elimination with row pivots, by hand: for the two or three unknowns of a pendulum a library's blocked
  // LU spends its time on deciding how to block.
  const int n = pattern_->size();
  lu_ = Eigen::Map<const Eigen::MatrixXd>(values_.data(), n, n);
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(lu_(i, k)) > std::abs(lu_(p, k))) p = i;
    pivot_[static_cast<std::size_t>(k)] = p;
    if (!(std::abs(lu_(p, k)) > 0)) return false;
    if (p != k)
      for (int j = k; j < n; ++j) std::swap(lu_(k, j), lu_(p, j));
    const double inverse = 1.0 / lu_(k, k);
    for (int i = k + 1; i < n; ++i) lu_(i, k) *= inverse;
    for (int j = k + 1; j < n; ++j) {
      const double u = lu_(k, j);
      for (int i = k + 1; i < n; ++i) lu_(i, j) -= lu_(i, k) * u;
    }
  }
  return true;
}

double LinearSolver::pivot_ratio() const {
  if (!pattern_->dense()) return sparse_->common.rcond;
  const int n = pattern_->size();
  double least = 1;
  for (int k = 0; k < n; ++k)
    least = std::min(least, std::abs(lu_(k, k)) / values_.segment(static_cast<Eigen::Index>(k) * n, n).cwiseAbs().maxCoeff());
  return least;
}

const VecX& LinearSolver::unreachable() const {
  static const VecX none;
  return dependent_ ? dependent_->unreachable() : none;
}

void LinearSolver::weigh(const VecX& size) {
  if (dependent_) dependent_->regularise(values_.data(), &size);
}

void LinearSolver::solve(VecX& b) {
  if (!dependent_) return solve_once(b);
  dependent_->solve(values_.data(), b, [this](VecX& x) { solve_once(x); });
}

void LinearSolver::solve_once(VecX& b) {
  const int n = pattern_->size();
  if (!pattern_->dense()) {
    klu_solve(sparse_->symbolic, sparse_->numeric, n, 1, b.data(), &sparse_->common);
    return;
  }
  for (int k = 0; k < n; ++k) {
    std::swap(b[k], b[pivot_[static_cast<std::size_t>(k)]]);
    for (int i = k + 1; i < n; ++i) b[i] -= lu_(i, k) * b[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    b[k] /= lu_(k, k);
    for (int i = 0; i < k; ++i) b[i] -= lu_(i, k) * b[k];
  }
}

void LinearSolver::absolute_product(const VecX& x, VecX& out) const {
  const int n = pattern_->size();
  out.setZero();
  for (int j = 0; j < n; ++j) {
    const double size = std::abs(x[j]);
    if (pattern_->dense()) {
      for (int i = 0; i < n; ++i) out[i] += std::abs(values_[i + j * n]) * size;
    } else {
      for (int k = pattern_->column_start()[j]; k < pattern_->column_start()[j + 1]; ++k)
        out[pattern_->rows()[k]] += std::abs(values_[k]) * size;
    }
  }
}

}  // namespace trompo
