// Where a term of n coordinates stands: its coordinates, and the places of its tangent in the matrix.
#pragma once

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "trompo/math/linear_solver.hpp"

namespace trompo {

// Where the forces and tangents of a step are gathered.
struct Assembly {
  VecX force;                 // all coordinates, held ones too: there it becomes the reaction
  VecX size;                  // sum of the absolute terms of each coordinate's equation
  VecX gap;                   // of every constraint, at the new end
  VecX gap_size;              // what rounding of a gap is measured by
  VecX gradient_point;        // where between the ends, 0 to 1, each constraint's mean-value gradient was last found
  double* tangent = nullptr;  // values on the pattern of the unknowns; null: not wanted
  double gap_scale = 1;       // rows of constraints and columns of multipliers are multiplied by it
};

template <std::size_t n>
[[nodiscard]] Vec<static_cast<int>(n)> gather(const VecX& x, const std::array<int, n>& where) {
  Vec<static_cast<int>(n)> c;
  for (std::size_t i = 0; i < n; ++i) c[static_cast<Eigen::Index>(i)] = x[where[i]];
  return c;
}

template <int n>
struct Placement {
  using Where = std::array<int, n>;
  std::array<int, n> where;       // frame coordinates
  std::array<int, n * n> slot{};  // places of the tangent, column by column; -1: held

  void couple(const std::vector<int>& equation, std::vector<std::pair<int, int>>& entries) const {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (equation[where[i]] >= 0 && equation[where[j]] >= 0) entries.emplace_back(equation[where[i]], equation[where[j]]);
  }
  void connect(const std::vector<int>& equation, const Pattern& pattern) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int row = equation[where[i]], column = equation[where[j]];
        slot[i + j * n] = row >= 0 && column >= 0 ? pattern.slot(row, column) : -1;
      }
  }
  [[nodiscard]] int size() const { return n; }  // coordinates touched
  template <class Use>
  void spread(const Vec<n>& f, const Use& use) const {  // use(coordinate, value)
    for (int i = 0; i < n; ++i) use(where[i], f[i]);
  }
  [[nodiscard]] Vec<n> gather(const VecX& x) const { return trompo::gather(x, where); }
  // Sums of absolute terms, which rounding is measured by: of f.c and of f.c'.
  [[nodiscard]] double terms(const Vec<n>& f, const VecX& q) const { return f.cwiseAbs().dot(gather(q).cwiseAbs()); }
  [[nodiscard]] double rate_terms(const Vec<n>& f, const VecX& v) const { return terms(f, v); }
  [[nodiscard]] Vec<n> rates(const VecX& v) const { return trompo::gather(v, where); }
  void add(const Vec<n>& f, VecX& force) const {
    for (int i = 0; i < n; ++i) force[where[i]] += f[i];
  }
  void add(const Vec<n>& f, const Mat<n, n>& k, Assembly& out) const {
    for (int i = 0; i < n; ++i) {
      out.force[where[i]] += f[i];
      out.size[where[i]] += std::abs(f[i]);
    }
    if (out.tangent == nullptr) return;
    for (int e = 0; e < n * n; ++e)
      if (slot[e] >= 0) out.tangent[slot[e]] += k.data()[e];
  }
};

}  // namespace trompo
