// Solving for fewer numbers than frames have: the axes of a body follow from `width` numbers each.
//
// The equations and the matrix of the system are over frame coordinates. Rows are brought to the unknowns by levers, columns
// by slopes: r_b = sum of lever_c r_c and K = sum of lever_c K_cd slope_d over the coordinates c, d that follow a body. What a
// lever and a slope are is the business of whoever moves the bodies (rotation_steps.hpp, euler_coordinates.hpp). Inner
// constraints have no part in it; coordinates that follow nobody and multipliers are unknowns as they are.
#pragma once

#include <string>
#include <vector>

#include "trompo/system/system.hpp"

namespace trompo {

class FrameReduction {
 public:
  // Coordinates, then `width` unknowns for each body, then the multipliers, then `inner` of their own for each body.
  FrameReduction(const System& system, int width, int inner = 0);

  [[nodiscard]] int unknowns() const { return unknowns_; }
  [[nodiscard]] const Pattern& pattern() const { return pattern_; }
  [[nodiscard]] int of_equation(int e) const { return of_equation_[e]; }             // -1: follows a body
  [[nodiscard]] int coordinate(int unknown) const { return coordinate_[unknown]; }   // of one before the bodies
  [[nodiscard]] int of_body(int body) const { return first_body_ + width_ * body; }  // the first of its unknowns
  [[nodiscard]] int of_multiplier(int k) const { return first_multiplier_ + k; }
  [[nodiscard]] int inner_of_body(int body) const { return first_inner_ + inner_ * body; }
  [[nodiscard]] std::string name(int unknown) const;

  [[nodiscard]] double* lever(int coordinate) { return lever_.data() + width_ * coordinate; }
  [[nodiscard]] double* slope(int coordinate) { return slope_.data() + width_ * coordinate; }
  [[nodiscard]] const double* lever(int coordinate) const { return lever_.data() + width_ * coordinate; }
  [[nodiscard]] const double* slope(int coordinate) const { return slope_.data() + width_ * coordinate; }

  void reduce(const double* frame_matrix, double* matrix) const;  // adds

 private:
  template <int width>
  void reduce_bodies(const double* frame_matrix, double* matrix) const;
  struct Run {                      // entries of one column that stand one below the other: the matrix is read in its own order
    int slot, row, column, length;  // coordinates whose lever and slope apply; -1: an unknown as it is
  };
  struct Block {  // all entries between two bodies, or between a body and one unknown
    int begin, end, to;
  };
  const System* system_;
  int width_, inner_, unknowns_, first_body_, first_multiplier_, first_inner_;
  std::vector<int> of_equation_, coordinate_;
  Pattern pattern_;
  std::vector<double> lever_, slope_;
  std::vector<std::pair<int, int>> copies_;  // entries that stay as they are: from, to
  std::vector<Run> runs_;
  std::vector<Block> both_, rows_, columns_;  // a body on both sides, on the side of the rows, on that of the columns
  std::vector<int> to_;
};

}  // namespace trompo
