// Solving for fewer numbers than frames have: the axes of a body follow from `width` numbers each.
//
// Terms are written over frame coordinates. Their rows are brought to the unknowns by levers, columns by slopes: r_b = sum of
// lever_c r_c and K = sum of lever_c K_cd slope_d over the coordinates c, d that follow a body, term by term (scatter.hpp).
// What a lever and a slope are is the business of whoever moves the bodies (rotation_steps.hpp, euler_steps.hpp). Inner
// constraints have no part in it; coordinates that follow nobody and multipliers are unknowns as they are.
#pragma once

#include <string>
#include <vector>

#include "trompo/system/system.hpp"

namespace trompo {

class FrameReduction {
 public:
  // Coordinates, then `width` unknowns for each body, then the multipliers, then `inner` of their own for each body. Of no
  // width: parts of frames are unknowns like any other coordinate.
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

  // Tangents that are gathered in `out` go to these values on the pattern, with levers and slopes as they are then.
  void direct(double* values, Assembly& out) const;
  // The place of each diagonal entry before the bodies.
  [[nodiscard]] const std::vector<int>& diagonal() const { return plain_; }
  // Adds masses: of coordinates that follow nobody, and those that couple frames of different bodies. Not of turning bodies.
  void add_plain_mass(double factor, Assembly& out) const;
  // The same of turning bodies, where they are masses of axes.
  void add_axis_mass(double factor, double* values) const;
  template <class Square>
  void add_own(int body, const Square& block, double* values) const {
    const int size = width_ * width_;
    for (int i = 0; i < size; ++i) values[own_[size * body + i]] += block.data()[i];
  }
  // A block of a body's own axes, by levers and slopes as they are.
  void add_axes(int body, int row, int column, const Mat3& block, double* values) const;
  // A body's row and column of its one multiplier.
  void add_inner(int body, const double* row, const double* column, double* values) const {
    for (int i = 0; i < width_; ++i) {
      values[own_inner_[2 * (width_ * body + i)]] += row[i];
      values[own_inner_[2 * (width_ * body + i) + 1]] += column[i];
    }
  }

 private:
  const System* system_;
  int width_, inner_, unknowns_, first_body_, first_multiplier_, first_inner_;
  std::vector<int> of_equation_, coordinate_;
  Pattern pattern_;
  ScatterMap map_;
  std::vector<double> lever_, slope_;
  std::vector<int> plain_, own_;  // places of the diagonal before the bodies, and of each body's square, column by column
  std::vector<int> own_inner_;    // of its row and its column, entry by entry
};

}  // namespace trompo
