// Where the tangents of terms go: from coordinates to the numbers that a scheme solves for.
//
// A coordinate is an unknown as it is, it is held, or it follows a body: then the few unknowns of the body move it by slopes,
// and a force on it acts on them by levers. What levers and slopes are is the business of whoever moves the bodies. A term
// knows its coordinates only. Which unknowns these come to, and the places of their matrix, are written down once, in the
// order in which they are read; so nothing is searched for, and nobody who turns bodies makes a matrix over their frames.
#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "trompo/math/linear_solver.hpp"

namespace trompo {

using Entries = std::vector<std::pair<int, int>>;  // (row, column)

// The unknown of each coordinate.
struct Numbering {
  std::vector<int> unknown;   // the first of them, where it follows a body; -1: held
  std::vector<char> follows;  // does it?
  int width = 0;              // unknowns of a body
  int multiplier = 0;         // the first multiplier

  [[nodiscard]] int count(int coordinate) const { return follows[static_cast<std::size_t>(coordinate)] != 0 ? width : 1; }
};

// The notes of all terms, batch by batch.
struct Wiring {
  std::vector<int> notes;
  std::vector<std::size_t> batches, dampers, loads, constraints, inner;  // where each batch begins
  std::size_t masses = 0;
};

// Unknowns of a term, numbered among themselves. A note says of each coordinate that a term touches: 2 * number, one more if it
// follows a body, -1 if it is held.
class LocalUnknowns {
 public:
  explicit LocalUnknowns(const Numbering& numbering) : numbering_(&numbering) {}
  void touch(int coordinate) {
    const int first = numbering_->unknown[static_cast<std::size_t>(coordinate)];
    if (first < 0) {
      codes_.push_back(-1);
      return;
    }
    const int count = numbering_->count(coordinate);
    int at = 0;
    while (at < size() && all_[static_cast<std::size_t>(at)] != first) ++at;
    if (at == size())
      for (int w = 0; w < count; ++w) all_.push_back(first + w);
    codes_.push_back(2 * at + (numbering_->follows[static_cast<std::size_t>(coordinate)] != 0 ? 1 : 0));
  }
  [[nodiscard]] int size() const { return static_cast<int>(all_.size()); }
  [[nodiscard]] const std::vector<int>& all() const { return all_; }
  void write_codes(std::vector<int>& notes) const {
    notes.insert(notes.end(), codes_.begin(), codes_.end());
    notes.push_back(size());
  }

 private:
  const Numbering* numbering_;
  std::vector<int> codes_, all_;
};

// Where the forces and tangents of a step are gathered.
struct Assembly {
  VecX force;            // all coordinates, held ones too: there it becomes the reaction
  VecX size;             // sum of the absolute terms of each coordinate's equation
  VecX gap;              // of every constraint, at the new end
  VecX gap_size;         // what rounding of a gap is measured by
  VecX gradient_point;   // where between the ends, 0 to 1, each constraint's mean-value gradient was last found
  double gap_scale = 1;  // rows of constraints and columns of multipliers are multiplied by it

  double* tangent = nullptr;                        // values on the pattern of the unknowns; null: not wanted
  const Wiring* wiring = nullptr;                   // null: that of the system, whose unknowns are its coordinates
  const int* notes = nullptr;                       // those of the next term
  const double *lever = nullptr, *slope = nullptr;  // of each coordinate that follows a body, `width` of each
  int width = 0;
  bool only_turning = false;  // columns of unknowns that turn bodies, and no others
};

// How the coordinates of a term move with its unknowns, as far as they do: a sparse matrix, entry by entry.
template <class P>
struct Moves {
  static constexpr int most = P::most_touched * 4;
  int count = 0;
  std::array<int, most> coordinate, unknown;  // numbers of the term's own
  std::array<double, most> by;

  Moves(const P& place, const int* code, const double* turning, int width, bool only_turning = false) {
    place.each([&](int i, double share, int c) {
      const int note = *code++;
      if (note < 0) return;
      if (note % 2 == 0) {
        if (!only_turning) add(i, note / 2, share);
        return;
      }
      for (int w = 0; w < width; ++w) add(i, note / 2 + w, share * turning[width * c + w]);
    });
  }
  // out = f over the unknowns
  void bring(const double* f, double* out) const {
    for (int e = 0; e < count; ++e) out[unknown[e]] += by[e] * f[coordinate[e]];
  }

 private:
  void add(int i, int number, double share) {
    coordinate[count] = i;
    unknown[count] = number;
    by[count++] = share;
  }
};

// What a term at a place has to say in the matrix: a row and a column of its multiplier, if it is a constraint, then the square
// of all its unknowns, if it has a tangent. Writing and reading the notes go the same way.
template <class P>
class Wires {
 public:
  static constexpr int n = P::n, most = P::most_unknowns;

  // --- once ---
  static LocalUnknowns unknowns(const P& place, const Numbering& numbering) {
    LocalUnknowns local(numbering);
    place.each([&](int, double, int c) { local.touch(c); });
    return local;
  }
  static void couple_square(const LocalUnknowns& local, Entries& entries) {
    for (const int column : local.all())
      for (const int row : local.all()) entries.emplace_back(row, column);
  }
  static void couple_row(const LocalUnknowns& local, int multiplier, Entries& entries) {
    for (const int u : local.all()) entries.insert(entries.end(), {{multiplier, u}, {u, multiplier}});
  }
  static void connect_square(const LocalUnknowns& local, const Pattern& pattern, std::vector<int>& notes) {
    for (const int column : local.all())
      for (const int row : local.all()) notes.push_back(pattern.slot(row, column));
  }
  static void connect_row(const LocalUnknowns& local, int multiplier, const Pattern& pattern, std::vector<int>& notes) {
    for (const int u : local.all()) notes.insert(notes.end(), {pattern.slot(multiplier, u), pattern.slot(u, multiplier)});
  }

  // --- in every tangent ---
  Wires(const P& place, Assembly& out)
      : out_(&out),
        m_(out.notes[place.size()]),
        in_(place, out.notes, out.slope, out.width, out.only_turning),
        from_(place, out.notes, out.lever, out.width) {
    out.notes += place.size() + 1;
  }
  void add_row(const Vec<n>& row, const Vec<n>& column, double factor) {
    std::array<double, most> in_row, in_column;
    std::fill_n(in_row.begin(), m_, 0.0);
    std::fill_n(in_column.begin(), m_, 0.0);
    in_.bring(row.data(), in_row.data());
    from_.bring(column.data(), in_column.data());
    for (int i = 0; i < m_; ++i) {
      out_->tangent[*out_->notes++] += factor * in_row[i];
      out_->tangent[*out_->notes++] += factor * in_column[i];
    }
  }
  void add_square(const Mat<n, n>& k) {
    std::array<double, static_cast<std::size_t>(most) * n> columns;
    std::fill_n(columns.begin(), m_ * n, 0.0);
    for (int e = 0; e < in_.count; ++e)
      Eigen::Map<Vec<n>>(columns.data() + n * in_.unknown[e]) += in_.by[e] * k.col(in_.coordinate[e]);
    std::array<double, most> column;
    const int* slot = out_->notes;
    for (int j = 0; j < m_; ++j) {
      std::fill_n(column.begin(), m_, 0.0);
      from_.bring(columns.data() + n * j, column.data());
      for (int i = 0; i < m_; ++i) out_->tangent[*slot++] += column[i];
    }
    out_->notes = slot;
  }
  void skip_square() { out_->notes += m_ * m_; }

 private:
  Assembly* out_;
  int m_;
  Moves<P> in_, from_;
};

// A term with a force and a tangent.
template <class P>
void couple(const P& place, const Numbering& numbering, Entries& entries) {
  Wires<P>::couple_square(Wires<P>::unknowns(place, numbering), entries);
}
template <class P>
void connect(const P& place, const Numbering& numbering, const Pattern& pattern, std::vector<int>& notes) {
  const LocalUnknowns local = Wires<P>::unknowns(place, numbering);
  local.write_codes(notes);
  Wires<P>::connect_square(local, pattern, notes);
}

}  // namespace trompo
