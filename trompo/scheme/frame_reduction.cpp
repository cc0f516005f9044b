#include "trompo/scheme/frame_reduction.hpp"

#include <algorithm>
#include <tuple>

namespace trompo {

FrameReduction::FrameReduction(const System& system, int width, int inner) : system_(&system), width_(width), inner_(inner) {
  const int bodies = static_cast<int>(system.bodies().size());
  of_equation_.assign(static_cast<std::size_t>(system.equations()), -1);
  unknowns_ = 0;
  for (int e = 0; e < system.equations(); ++e)
    if (system.body_of(system.free()[e]) < 0) {
      of_equation_[e] = unknowns_++;
      coordinate_.push_back(system.free()[e]);
    }
  first_body_ = unknowns_;
  first_multiplier_ = first_body_ + width * bodies;
  first_inner_ = first_multiplier_ + system.multipliers();
  unknowns_ = first_inner_ + inner * bodies;
  lever_.assign(static_cast<std::size_t>(width * system.coordinates()), 0);
  slope_ = lever_;

  struct Side {
    int first, coordinate;  // -1: one unknown as it is
  };
  const auto side = [&](int unknown) -> Side {
    if (unknown >= system.equations()) return {of_multiplier(unknown - system.equations()), -1};
    if (of_equation_[unknown] >= 0) return {of_equation_[unknown], -1};
    const int coordinate = system.free()[unknown];
    return {of_body(system.body_of(coordinate)), coordinate};
  };
  struct Entry {
    int row_first, column_first;  // unknowns of both sides: entries of equal ones make a block
    int slot, row, column;        // coordinates, or -1
  };
  std::vector<Entry> entries;
  entries.reserve(system.entries().size());
  for (const auto& [row, column] : system.entries()) {
    const Side r = side(row), c = side(column);
    entries.push_back({r.first, c.first, system.pattern().slot(row, column), r.coordinate, c.coordinate});
  }
  const auto key = [](const Entry& e) { return std::tuple(e.column_first, e.row_first, e.column, e.row); };
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });

  const auto block_end = [&entries](std::size_t k) {
    std::size_t end = k;
    while (end < entries.size() && entries[end].row_first == entries[k].row_first &&
           entries[end].column_first == entries[k].column_first)
      ++end;
    return end;
  };
  const auto rows_of = [width](const Entry& e) { return e.row < 0 ? 1 : width; };
  const auto columns_of = [width](const Entry& e) { return e.column < 0 ? 1 : width; };
  std::vector<std::pair<int, int>> reduced;
  const auto fill = [&reduced](int row, int rows, int column, int columns) {
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) reduced.emplace_back(row + i, column + j);
  };
  for (std::size_t k = 0; k < entries.size(); k = block_end(k))
    fill(entries[k].row_first, rows_of(entries[k]), entries[k].column_first, columns_of(entries[k]));
  for (int b = 0; b < bodies; ++b) {
    fill(of_body(b), width, of_body(b), width);
    fill(of_body(b), width, inner_of_body(b), inner);
    fill(inner_of_body(b), inner, of_body(b), width);
  }
  pattern_ = Pattern(unknowns_, std::move(reduced));

  for (std::size_t k = 0; k < entries.size();) {
    const Entry& head = entries[k];
    const std::size_t end = block_end(k);
    if (head.row < 0 && head.column < 0) {
      copies_.emplace_back(head.slot, pattern_.slot(head.row_first, head.column_first));
      k = end;
      continue;
    }
    auto& list = head.row < 0 ? columns_ : head.column < 0 ? rows_ : both_;
    const int begin = static_cast<int>(runs_.size());
    for (; k < end; ++k) {
      const Entry& e = entries[k];
      Run* last = static_cast<int>(runs_.size()) > begin ? &runs_.back() : nullptr;
      if (last != nullptr && e.row >= 0 && last->column == e.column && last->row + last->length == e.row &&
          last->slot + last->length == e.slot)
        ++last->length;
      else
        runs_.push_back({e.slot, e.row, e.column, 1});
    }
    list.push_back({begin, static_cast<int>(runs_.size()), static_cast<int>(to_.size())});
    for (int j = 0; j < columns_of(head); ++j)
      for (int i = 0; i < rows_of(head); ++i) to_.push_back(pattern_.slot(head.row_first + i, head.column_first + j));
  }
}

template <int width>
void FrameReduction::reduce_bodies(const double* frame_matrix, double* matrix) const {
  using Number = Vec<width>;
  const auto levered = [&](const Run& run) {
    Number sum = Number::Zero();
    for (int i = 0; i < run.length; ++i) sum += frame_matrix[run.slot + i] * Eigen::Map<const Number>(lever(run.row + i));
    return sum;
  };
  const auto slope_of = [&](const Run& run) { return Eigen::Map<const Number>(slope(run.column)); };
  for (const Block& block : both_) {
    Mat<width, width> sum = Mat<width, width>::Zero();
    for (int k = block.begin; k < block.end; ++k) sum.noalias() += levered(runs_[k]) * slope_of(runs_[k]).transpose();
    for (int i = 0; i < width * width; ++i) matrix[to_[block.to + i]] += sum.data()[i];
  }
  for (const Block& block : rows_) {
    Number sum = Number::Zero();
    for (int k = block.begin; k < block.end; ++k) sum += levered(runs_[k]);
    for (int i = 0; i < width; ++i) matrix[to_[block.to + i]] += sum[i];
  }
  for (const Block& block : columns_) {
    Number sum = Number::Zero();
    for (int k = block.begin; k < block.end; ++k) sum += frame_matrix[runs_[k].slot] * slope_of(runs_[k]);
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
