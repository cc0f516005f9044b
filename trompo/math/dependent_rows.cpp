#include "trompo/math/dependent_rows.hpp"

#include "trompo/math/linear_solver.hpp"

namespace trompo {

DependentRows::DependentRows(const Pattern& pattern) : block_first_(pattern.block_first()), block_size_(pattern.block_size()) {
  for (int u = 0; u < pattern.size(); ++u) diagonal_.push_back(pattern.slot(u, u));
  for (VecX* v : {&inertia_, &right_, &first_unreachable_, &second_, &third_, &unreachable_}) v->setZero(pattern.size());
  for (const int i : pattern.dependent()) {
    Row row{i, pattern.slot(i, i), entries_.size(), 0};
    const auto add = [&](int u) {
      if (u != i) entries_.push_back({pattern.slot(i, u), pattern.slot(u, i), u});
    };
    if (pattern.dense())
      for (int u = 0; u < pattern.size(); ++u) add(u);
    else
      for (int k = pattern.column_start()[i]; k < pattern.column_start()[i + 1]; ++k) add(pattern.rows()[k]);
    row.last = entries_.size();
    rows_.push_back(row);
  }
}

void DependentRows::regularise(double* values, const VecX* size) {
  constexpr double share = 1e-9;
  if (size != nullptr) {
    inertia_ = *size;
  } else {
    for (Eigen::Index u = 0; u < inertia_.size(); ++u) inertia_[u] = std::abs(values[diagonal_[static_cast<std::size_t>(u)]]);
    for (const int first : block_first_) {
      auto block = inertia_.segment(first, block_size_);
      block.setConstant(block.maxCoeff());
    }
  }
  for (const Row& row : rows_) {
    if (values[row.diagonal] != 0) continue;
    double weight = 0, largest = 0;
    for (std::size_t k = row.first; k < row.last; ++k) {
      const Entry& e = entries_[k];
      const double product = std::abs(values[e.row] * values[e.column]);
      if (product == 0) continue;
      if (inertia_[e.unknown] > 0) weight += product / inertia_[e.unknown];
      largest = std::max(largest, std::sqrt(product));
    }
    // A row that moves nothing has no weight of its own: any will do.
    values[row.diagonal] = -share * (weight > 0 ? weight : largest > 0 ? largest : 1);
  }
}

}  // namespace trompo
