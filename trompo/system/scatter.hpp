// Where the tangents of terms go: from coordinates to the numbers that a scheme solves for.
//
// A coordinate is an unknown as it is, it is held, or it follows a body: then the few unknowns of the body move it by slopes,
// and a force on it acts on them by levers. What levers and slopes are is the business of whoever moves the bodies. A term
// knows its coordinates only. Which unknowns these come to, and the places of their matrix, are written down once, in the
// order in which they are read; so nothing is searched for, and nobody who turns bodies makes a matrix over their frames.
#pragma once

#include <utility>
#include <vector>

#include "trompo/math/linear_solver.hpp"
#include "trompo/math/scratch.hpp"
#include "trompo/system/places.hpp"

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

// The indices of all terms, kind by kind: of each term 2 * number of its unknown for every coordinate it touches, one more if
// it follows a body, -1 if it is held; the count of its unknowns; then the slots of what it writes.
struct ScatterMap {
  std::vector<int> indices;
  std::vector<std::size_t> elastic, viscous, loads, moments, constraints;  // where each kind begins
  std::size_t masses = 0, rates = 0;
};

// Where the forces and tangents of a step are gathered.
struct Assembly {
  VecX force;                   // all coordinates, held ones too: there it becomes the reaction
  VecX size;                    // sum of the absolute terms of each coordinate's equation
  VecX constraint_error;        // of every constraint, at the new end
  VecX constraint_size;         // what rounding of an error is measured by
  VecX gradient_point;          // where between the ends, 0 to 1, each constraint's mean-value gradient was last found
  double constraint_scale = 1;  // rows of constraints and columns of multipliers are multiplied by it

  double* tangent = nullptr;                        // values on the pattern of the unknowns; null: not wanted
  const ScatterMap* map = nullptr;                  // with a tangent: where it goes
  const int* indices = nullptr;                     // those of the next term
  const double *lever = nullptr, *slope = nullptr;  // of each coordinate that follows a body, `width` of each
  int width = 0;
  bool only_turning = false;  // columns of unknowns that turn bodies, and no others
};

// Unknowns of a term, numbered among themselves: what is written once.
class LocalUnknowns {
 public:
  LocalUnknowns(const Places& places, int term, const Numbering& numbering);
  [[nodiscard]] const std::vector<int>& all() const { return all_; }
  void write(std::vector<int>& indices) const;  // of its coordinates, and the count
  // The square of all its unknowns, of a term with a tangent; a row and a column of a multiplier, of a constraint.
  void couple_square(Entries& entries) const { couple_block(*this, entries); }
  void couple_block(const LocalUnknowns& columns, Entries& entries) const;
  void couple_row(int multiplier, Entries& entries) const;
  void connect_square(const Pattern& pattern, std::vector<int>& indices) const { connect_block(*this, pattern, indices); }
  void connect_block(const LocalUnknowns& columns, const Pattern& pattern, std::vector<int>& indices) const;
  void connect_row(int multiplier, const Pattern& pattern, std::vector<int>& indices) const;

 private:
  std::vector<int> codes_, all_;
};

// How the arguments of a term move with its unknowns, as far as they do, and how what acts on them acts on the unknowns: two
// sparse matrices of the same blocks, one of slopes and one of levers.
class Moves {
 public:
  Moves() = default;
  Moves(const Places& places, int term, int touched, const int* codes, const Assembly& out, Scratch& scratch);
  // out += f over the unknowns
  void bring_by_slopes(const double* f, double* out) const { bring(&Block::slope, f, out); }
  void bring_by_levers(const double* f, double* out) const { bring(&Block::lever, f, out); }
  // Columns of k, n numbers each, over the unknowns: out += k times the slopes
  void bring_columns(int n, const double* k, double* out) const;

 private:
  struct Block {
    int argument, unknown;        // the first of each, numbers of the term's own
    int rows, columns;            // no columns: the first number times the identity
    const double *slope, *lever;  // row by row; slope null: not wanted
  };
  void bring(const double* Block::*by, const double* f, double* out) const;
  Block *blocks_ = nullptr, *end_ = nullptr;
};

// What a term has to say in the matrix, in every tangent: a row and a column of its multiplier, if it is a constraint, then the
// square of all its unknowns, if it has a tangent. It reads the indices of its term and moves on to those of the next.
class Scatter {
 public:
  static std::size_t scratch_size(const Places& places);
  Scatter(const Places& places, int term, Assembly& out, Scratch scratch);
  void add_row(const double* row, const double* column, double factor);
  void add_square(const double* k);
  void skip_square() { out_->indices += m_ * m_; }

 private:
  Assembly* out_;
  int n_, m_;
  Scratch scratch_;
  const int* direct_ = nullptr;  // where unknowns are arguments as they are: the argument of each
  Moves moves_;                  // elsewhere
};

// Forces, spread to the coordinates.
void add_force(const Places& places, int term, const double* f, VecX& force);
void add_force(const Places& places, int term, const double* f, Assembly& out);

}  // namespace trompo
