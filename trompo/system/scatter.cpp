#include "trompo/system/scatter.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/math/small.hpp"

namespace trompo {

LocalUnknowns::LocalUnknowns(const Places& places, int term, const Numbering& numbering) {
  places.each(term, [&](int, double, int c) {
    const int first = numbering.unknown[static_cast<std::size_t>(c)];
    if (first < 0) return codes_.push_back(-1);
    const auto found = std::find(all_.begin(), all_.end(), first);
    const auto at = static_cast<int>(found - all_.begin());
    if (found == all_.end())
      for (int w = 0; w < numbering.count(c); ++w) all_.push_back(first + w);
    codes_.push_back(2 * at + (numbering.follows[static_cast<std::size_t>(c)] != 0 ? 1 : 0));
  });
}

void LocalUnknowns::write(std::vector<int>& indices) const {
  indices.insert(indices.end(), codes_.begin(), codes_.end());
  indices.push_back(static_cast<int>(all_.size()));
}
void LocalUnknowns::couple_block(const LocalUnknowns& columns, Entries& entries) const {
  for (const int column : columns.all())
    for (const int row : all_) entries.emplace_back(row, column);
}
void LocalUnknowns::couple_row(int multiplier, Entries& entries) const {
  for (const int u : all_) entries.insert(entries.end(), {{multiplier, u}, {u, multiplier}});
}
void LocalUnknowns::connect_block(const LocalUnknowns& columns, const Pattern& pattern, std::vector<int>& indices) const {
  for (const int column : columns.all())
    for (const int row : all_) indices.push_back(pattern.slot(row, column));
}
void LocalUnknowns::connect_row(int multiplier, const Pattern& pattern, std::vector<int>& indices) const {
  for (const int u : all_) indices.insert(indices.end(), {pattern.slot(multiplier, u), pattern.slot(u, multiplier)});
}

void add_force(const Places& places, int term, const double* f, VecX& force) {
  places.spread(term, f, [to = force.data()](int c, double x) { to[c] += x; });
}
void add_force(const Places& places, int term, const double* f, Assembly& out) {
  places.spread(term, f, [to = out.force.data(), size = out.size.data()](int c, double x) {
    to[c] += x;
    size[c] += std::abs(x);
  });
}

Moves::Moves(const Places& places, int term, int touched, const int* codes, const Assembly& out, Scratch& scratch) {
  static_assert(sizeof(Block) == 4 * sizeof(double));
  static constexpr double one = 1;
  blocks_ = end_ = reinterpret_cast<Block*>(scratch.take(4 * touched));
  const int dimension = places.dimension(), width = out.width;
  int argument = 0;
  // Arguments that are unknowns as they are, or held; neighbours share a block.
  const auto direct = [&](int i, int code, const double* share) {
    if (code < 0) return;
    if (end_ != blocks_) {
      Block& last = end_[-1];
      if (last.columns == 0 && last.lever == share && last.argument + last.rows == i && last.unknown + last.rows == code / 2) {
        ++last.rows;
        return;
      }
    }
    *end_++ = {i, code / 2, 1, 0, out.only_turning ? nullptr : share, share};
  };
  // The parts of one attachment belong to one body: what its unknowns do to the vector is summed up first.
  for (const Attachment& a : places.attachments(term)) {
    double *slope = nullptr, *lever = nullptr;
    int unknown = -1;
    for (int m = 0; m < a.parts; ++m, codes += dimension) {
      const double& share = a.share[static_cast<std::size_t>(m)];
      if (codes[0] < 0 || codes[0] % 2 == 0) {
        for (int i = 0; i < dimension; ++i) direct(argument + i, codes[i], &share);
        continue;
      }
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(width) * a.part[static_cast<std::size_t>(m)];
      const int size = dimension * width;
      if (slope != nullptr && unknown == codes[0] / 2) {
        add(size, share, out.slope + at, slope);
        add(size, share, out.lever + at, lever);
        continue;
      }
      unknown = codes[0] / 2;
      slope = scratch.take(size);
      lever = scratch.take(size);
      scale(size, share, out.slope + at, slope);
      scale(size, share, out.lever + at, lever);
      *end_++ = {argument, unknown, dimension, width, slope, lever};
    }
    argument += dimension;
  }
  int before = -2;  // the coordinate
  for (const int c : places.scalars(term)) {
    const int code = *codes++;
    if (code < 0 || code % 2 == 0) {
      direct(argument, code, &one);
    } else if (before + 1 == c && end_ != blocks_ && end_[-1].columns != 0 && end_[-1].unknown == code / 2 &&
               end_[-1].argument + end_[-1].rows == argument) {
      ++end_[-1].rows;  // the next coordinate of the same frame
    } else {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(width) * c;
      *end_++ = {argument, code / 2, 1, width, out.slope + at, out.lever + at};
    }
    before = c;
    ++argument;
  }
}

void Moves::bring(const double* Block::*side, const double* f, double* out) const {
  for (const Block* b = blocks_; b != end_; ++b) {
    const double* by = b->*side;
    if (by == nullptr) continue;
    const double* const from = f + b->argument;
    double* const to = out + b->unknown;
    if (b->columns == 0) {
      for (int i = 0; i < b->rows; ++i) to[i] += *by * from[i];
    } else if (b->columns == 3) {
      double s0 = 0, s1 = 0, s2 = 0;
      for (int i = 0; i < b->rows; ++i, by += 3) {
        s0 += by[0] * from[i];
        s1 += by[1] * from[i];
        s2 += by[2] * from[i];
      }
      to[0] += s0;
      to[1] += s1;
      to[2] += s2;
    } else {
      for (int i = 0; i < b->rows; ++i)
        for (int w = 0; w < b->columns; ++w) to[w] += *by++ * from[i];
    }
  }
}

void Moves::bring_columns(int n, const double* k, double* out) const {
  for (const Block* b = blocks_; b != end_; ++b) {
    const double* by = b->slope;
    if (by == nullptr) continue;
    const double* column = k + b->argument * n;
    double* const to = out + b->unknown * n;
    if (b->columns == 0) {
      add(b->rows * n, *by, column, to);
      continue;
    }
    for (int i = 0; i < b->rows; ++i, column += n)
      for (int w = 0; w < b->columns; ++w) add(n, *by++, column, to + w * n);
  }
}

// A body has four unknowns at the most for twelve coordinates.
std::size_t Scatter::scratch_size(const Places& places) {
  const auto n = static_cast<std::size_t>(places.arguments()), touched = static_cast<std::size_t>(places.most_touched());
  return 2 * (3 * touched + 4 * n) + 4 * touched * n + 12 * touched + n + 8;
}

Scatter::Scatter(const Places& places, int term, Assembly& out, Scratch scratch)
    : out_(&out), n_(places.arguments()), scratch_(scratch) {
  const int* const codes = out.indices;
  const int touched = places.touched(term);
  m_ = codes[touched];
  out.indices += touched + 1;
  if (places.plain() && !out.only_turning) {
    int* const arguments = reinterpret_cast<int*>(scratch_.take((n_ + 1) / 2));
    int count = 0;
    for (int i = 0; i < n_; ++i)
      if (codes[i] == 2 * count) arguments[count++] = i;
    if (count == m_) {
      direct_ = arguments;
      return;
    }
  }
  moves_ = Moves(places, term, touched, codes, out, scratch_);
}

void Scatter::add_row(const double* row, const double* column, double factor) {
  double* const tangent = out_->tangent;
  const int* slot = out_->indices;
  if (direct_ != nullptr) {
    for (int i = 0; i < m_; ++i, slot += 2) {
      tangent[slot[0]] += factor * row[direct_[i]];
      tangent[slot[1]] += factor * column[direct_[i]];
    }
  } else {
    Scratch scratch = scratch_;
    double *const in_row = scratch.take(m_), *const in_column = scratch.take(m_);
    std::fill_n(in_row, m_, 0.0);
    std::fill_n(in_column, m_, 0.0);
    moves_.bring_by_slopes(row, in_row);
    moves_.bring_by_levers(column, in_column);
    for (int i = 0; i < m_; ++i, slot += 2) {
      tangent[slot[0]] += factor * in_row[i];
      tangent[slot[1]] += factor * in_column[i];
    }
  }
  out_->indices = slot;
}

void Scatter::add_square(const double* k) {
  double* const tangent = out_->tangent;
  const int* slot = out_->indices;
  if (direct_ != nullptr) {
    for (int j = 0; j < m_; ++j) {
      const double* const column = k + direct_[j] * n_;
      for (int i = 0; i < m_; ++i) tangent[*slot++] += column[direct_[i]];
    }
  } else {
    Scratch scratch = scratch_;
    double *const columns = scratch.take(m_ * n_), *const column = scratch.take(m_);
    std::fill_n(columns, m_ * n_, 0.0);
    moves_.bring_columns(n_, k, columns);
    for (int j = 0; j < m_; ++j) {
      std::fill_n(column, m_, 0.0);
      moves_.bring_by_levers(columns + j * n_, column);
      for (int i = 0; i < m_; ++i) tangent[*slot++] += column[i];
    }
  }
  out_->indices = slot;
}

}  // namespace trompo
