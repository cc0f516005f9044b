// The equations of motion as a formula for the accelerations, and the way back to the constraints.
//
//   M(y) y'' + J^T lambda = Q + Q_v,   J y'' = -gamma - 2 a phi' - b^2 phi
//
// The coordinates y are the free ones that follow no body, then four Euler parameters for each body, with the norm p.p = 1
// among the constraints. The system knows frames: forces and gradients over them are brought to p by d frame/dp, which is
// linear in p, so that gamma is what the frames do at p'' = 0: axes accelerate by 2 A(p') e_k. The mass 4 L^T J L is singular
// along p; the row of the norm makes the whole matrix regular.
//
// M. Nitardi (2018); P. E. Nikravesh, Computer-aided analysis of mechanical systems (1988).
#pragma once

#include <array>
#include <vector>

#include "trompo/math/newton.hpp"
#include "trompo/scheme/frame_reduction.hpp"
#include "trompo/scheme/stabilisation.hpp"
#include "trompo/space/euler_parameters.hpp"

namespace trompo {

class IndexOne {
 public:
  using Numbers = Eigen::Ref<const VecX>;
  using Result = Eigen::Ref<VecX>;

  IndexOne(const System& system, const Stabilisation& stabilisation);

  [[nodiscard]] int size() const { return size_; }  // of y
  [[nodiscard]] const Stabilisation& stabilisation() const { return stabilisation_; }

  // Coordinates without an equation, and what is remembered of earlier steps, are those of this state from now on.
  void take(const State& state);
  void read(const State& state, Result y, Result rate) const;
  void write(double t, const Numbers& y, const Numbers& rate, State& state);
  void write_accelerations(double t, const Numbers& y, const Numbers& rate, const Numbers& acceleration, VecX& all);

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

  [[nodiscard]] double largest_turn(const Numbers& y0, const Numbers& y1) const;  // of a body [rad]

 private:
  using Vec4 = euler::Vec4;
  [[nodiscard]] int bodies() const { return static_cast<int>(system_->bodies().size()); }
  [[nodiscard]] int rows() const { return static_cast<int>(right_.size()) - size_; }  // constraints, norms among them
  [[nodiscard]] Vec4 parameters(const Numbers& y, int body) const { return y.segment<4>(reduction_.of_body(body)); }
  void place(double t, const Numbers& y, const Numbers& rate);
  void place_rates(const Numbers& rate);
  void find_forces(double t);
  void bend_frames(double t, const Numbers& rate);
  void add_mass(const Numbers& y);
  [[nodiscard]] bool factorise(const Numbers& y, bool by_mass);
  void find_gaps(const Numbers& y, const Numbers& rate);
  void take_gamma(const Numbers& rate, VecX& gamma) const;
  void tally_powers();
  void find_twist(double t, const Numbers& rate, const Numbers& shift);
  void least_change(const VecX& defect);
  [[nodiscard]] NewtonEnd project_once(double t, Result y, Result rate);

  const System* system_;
  Stabilisation stabilisation_;
  FrameReduction reduction_;
  int size_;
  LinearSolver solver_;
  Powers powers_;
  std::vector<int> own_, held_;                         // free coordinates that follow no body; those without an equation
  std::vector<int> diagonal_;                           // places of the masses of the former
  std::vector<std::array<int, 16>> mass_of_body_;       // places of 4 L^T J L
  std::vector<std::array<int, 8>> norm_of_body_;        // places of the row and of the column of the norm
  VecX q_, v_, given_, force_, elastic_, load_, none_;  // over frames
  VecX frame_matrix_, right_, multipliers_;
  VecX frame_rows_, row_size_;                         // as the system gives them: without the norms
  VecX gap_, gap_rate_, gamma_, other_gamma_, twist_;  // over all rows
  VecX shift_, tried_rate_;                            // over y
};

}  // namespace trompo
