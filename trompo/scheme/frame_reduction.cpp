#include "trompo/scheme/frame_reduction.hpp"

#include <algorithm>
#include <map>

namespace trompo {

FrameReduction::FrameReduction(const System& system, int width, int inner) : system_(&system), width_(width), inner_(inner) {
  const int bodies = static_cast<int>(system.bodies().size());
  of_equation_.assign(static_cast<std::size_t>(system.equations()), -1);
  unknowns_ = 0;
  for (int e = 0; e < system.equations(); ++e)
    if (system.body_of(system.free()[e]) < 0) of_equation_[e] = unknowns_++;
  first_body_ = unknowns_;
  first_multiplier_ = first_body_ + width * bodies;
  first_inner_ = first_multiplier_ + system.multipliers();
  unknowns_ = first_inner_ + inner * bodies;
  lever_.assign(static_cast<std::size_t>(width * system.coordinates()), 0);
  slope_ = lever_;

  struct Side {
    int first, body, coordinate;  // body -1: one unknown
  };
  const auto side = [&](int unknown) -> Side {
    if (unknown >= system.equations()) return {of_multiplier(unknown - system.equations()), -1, -1};
    if (of_equation_[unknown] >= 0) return {of_equation_[unknown], -1, -1};
    const int coordinate = system.free()[unknown], body = system.body_of(coordinate);
    return {of_body(body), body, coordinate};
  };
  const auto count = [width](const Side& s) { return s.body < 0 ? 1 : width; };

  std::map<std::pair<int, int>, std::vector<Entry>> blocks;  // by the first unknowns of both sides
  std::vector<std::pair<int, int>> reduced;
  const auto fill = [&reduced](int row, int rows, int column, int columns) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) reduced.emplace_back(row + i, column + j);
  };
  for (const auto& [row, column] : system.entries()) {
    const Side r = side(row), c = side(column);
    auto& block = blocks[{r.first, c.first}];
    if (block.empty()) fill(r.first, count(r), c.first, count(c));
    block.push_back({system.pattern().slot(row, column), r.coordinate, c.coordinate});
  }
  for (int b = 0; b < bodies; ++b) {
    fill(of_body(b), width, of_body(b), width);
    fill(of_body(b), width, inner_of_body(b), inner);
    fill(inner_of_body(b), inner, of_body(b), width);
  }
  pattern_ = Pattern(unknowns_, std::move(reduced));

  for (auto& [firsts, entries] : blocks) {
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.row < b.row; });
    const bool row_body = entries.front().row >= 0, column_body = entries.front().column >= 0;
    if (!row_body && !column_body) {
      copies_.emplace_back(entries.front().slot, pattern_.slot(firsts.first, firsts.second));
      continue;
    }
    auto& list = row_body && column_body ? both_ : row_body ? rows_ : columns_;
    const int begin = static_cast<int>(entries_.size());
    list.push_back({begin, begin + static_cast<int>(entries.size()), static_cast<int>(to_.size())});
    entries_.insert(entries_.end(), entries.begin(), entries.end());
    for (int i = 0; i < (row_body ? width : 1); ++i)
      for (int j = 0; j < (column_body ? width : 1); ++j) to_.push_back(pattern_.slot(firsts.first + i, firsts.second + j));
  }
}

template <int width>
void FrameReduction::reduce_bodies(const double* frame_matrix, double* matrix) const {
  using Number = Vec<width>;
  const auto lever_of = [&](int c) { return Eigen::Map<const Number>(lever(c)); };
  const auto slope_of = [&](int c) { return Eigen::Map<const Number>(slope(c)); };
  for (const Block& block : both_) {
    Mat<width, width> sum = Mat<width, width>::Zero();  // transposed: `to` counts rows first
    for (int k = block.begin; k < block.end;) {
      const int row = entries_[k].row;
      Number along = Number::Zero();
      bool any = false;
      for (; k < block.end && entries_[k].row == row; ++k) {
        const double a = frame_matrix[entries_[k].slot];
        if (a == 0) continue;
        any = true;
        along += a * slope_of(entries_[k].column);
      }
      if (any) sum.noalias() += along * lever_of(row).transpose();
    }
    for (int i = 0; i < width * width; ++i) matrix[to_[block.to + i]] += sum.data()[i];
  }
  for (const Block& block : rows_) {
    Number sum = Number::Zero();
    for (int k = block.begin; k < block.end; ++k) sum += frame_matrix[entries_[k].slot] * lever_of(entries_[k].row);
    for (int i = 0; i < width; ++i) matrix[to_[block.to + i]] += sum[i];
  }
  for (const Block& block : columns_) {
    Number sum = Number::Zero();
    for (int k = block.begin; k < block.end; ++k) sum += frame_matrix[entries_[k].slot] * slope_of(entries_[k].column);
    for (int i = 0; i < width; ++i) matrix[to_[block.to + i]] += sum[i];
  }
}

void FrameReduction::reduce(const double* frame_matrix, double* matrix) const {
  for (const auto& [from, to] : copies_) matrix[to] += frame_matrix[from];
  width_ == 3 ? reduce_bodies<3>(frame_matrix, matrix) : reduce_bodies<4>(frame_matrix, matrix);
}

std::string FrameReduction::name(int unknown) const {
  if (unknown >= first_inner_) return "the Euler parameters of " + system_->body_name((unknown - first_inner_) / inner_);
  if (unknown >= first_multiplier_) return system_->constraint_name(unknown - first_multiplier_);
  if (unknown >= first_body_) {
    static constexpr const char* axes[] = {" about x", " about y", " about z"};
    const int body = (unknown - first_body_) / width_, k = (unknown - first_body_) % width_;
    return system_->body_name(body) + (width_ == 3 ? std::string(axes[k]) : ".e" + std::to_string(k));
  }
  const auto found = std::find(of_equation_.begin(), of_equation_.end(), unknown);
  return system_->unknown_name(static_cast<int>(found - of_equation_.begin()));
}

}  // namespace trompo
