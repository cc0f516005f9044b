// The equations of motion as a formula for the accelerations, and the way back to the constraints.
//
//   M(y) y'' + J^T lambda = Q + Q_v,   J y'' = -gamma - 2 a phi' - b^2 phi
//
// over the coordinates of euler_coordinates.hpp, with the norms p.p = 1 among the constraints. gamma is what the frames do at
// p'' = 0. The mass 4 L^T J L is singular along p; the row of the norm makes the whole matrix regular.
//
// M. Nitardi (2018); P. E. Nikravesh, Computer-aided analysis of mechanical systems (1988).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "trompo/math/newton.hpp"
#include "trompo/scheme/euler_coordinates.hpp"
#include "trompo/scheme/stabilisation.hpp"

namespace trompo {

class IndexOne {
 public:
  using Numbers = EulerCoordinates::Numbers;
  using Result = EulerCoordinates::Result;

  IndexOne(const System& system, const Stabilisation& stabilisation);

  [[nodiscard]] int size() const { return space_.size(); }  // of y
  [[nodiscard]] std::string name(int unknown) const;        // of one of them: its coordinate, or its body
  [[nodiscard]] const Stabilisation& stabilisation() const { return stabilisation_; }

  // Coordinates without an equation, and what is remembered of earlier steps, are those of this state from now on.
  void take(const State& state);
  void read(const State& state, const Result& y, const Result& rate) const { space_.read(state, y, rate); }  // writes to both
  void write(double t, const Numbers& y, const Numbers& rate, State& state);
  void write_accelerations(double t, const Numbers& y, const Numbers& rate, const Numbers& acceleration, VecX& all);

  void forget_pivots() { solver_.forget_pivots(); }

  // Singular where the constraints do not determine the multipliers.
  [[nodiscard]] NewtonEnd solve(double t, const Numbers& y, const Numbers& rate, Result acceleration);
  [[nodiscard]] const VecX& multipliers() const { return multipliers_; }  // of the last solve

  // What is done per time.
  struct Powers {
    double loads = 0;
    double supports = 0;  // but for the change of the held masses' kinetic energy
    double heat = 0;
  };
  [[nodiscard]] const Powers& powers() const { return powers_; }      // where `solve` was last, or
  void find_powers(double t, const Numbers& y, const Numbers& rate);  // here, with the multipliers of the last solve

  // Towards the constraints, as the stabilisation says. Singular where they do not determine how.
  [[nodiscard]] NewtonEnd project(double t, Result y, Result rate);

  [[nodiscard]] double largest_turn(const Numbers& y0, const Numbers& y1) const { return space_.largest_turn(y0, y1); }

 private:
  using Vec4 = euler::Vec4;
  [[nodiscard]] int rows() const { return static_cast<int>(right_.size()) - size(); }  // constraints, norms among them
  void place(double t, const Numbers& y, const Numbers& rate);
  void place_rates(const Numbers& rate);
  void find_forces(double t);
  void bend_frames(double t, const Numbers& rate);
  void add_mass(const Numbers& y);
  [[nodiscard]] bool factorise(const Numbers& y, bool by_mass);
  void find_constraint_errors(const Numbers& y, const Numbers& rate);
  void take_gamma(const Numbers& rate, VecX& gamma) const;
  void tally_powers();
  void find_twist(double t, const Numbers& rate, const Numbers& shift);
  void least_change(const VecX& defect);
  [[nodiscard]] NewtonEnd project_once(double t, Result y, Result rate);

  const System* system_;
  Stabilisation stabilisation_;
  EulerCoordinates space_;
  LinearSolver solver_;
  Powers powers_;
  std::vector<int> held_;                                     // coordinates without an equation
  std::vector<int> diagonal_;                                 // places of the masses of coordinates that follow no rotation
  std::vector<std::array<int, 16>> mass_of_body_;             // places of 4 L^T J L
  std::vector<std::array<int, 8>> norm_of_body_;              // places of the row and of the column of the norm
  VecX q_, v_, given_, force_, elastic_, load_, net_, none_;  // over frames
  Assembly assembly_;
  VecX right_, multipliers_;
  VecX frame_rows_, row_size_;                           // as the system gives them: without the norms
  VecX gap_, error_rate_, gamma_, other_gamma_, twist_;  // over all rows
  VecX shift_, tried_rate_, turning_;                    // over y
};

}  // namespace trompo
