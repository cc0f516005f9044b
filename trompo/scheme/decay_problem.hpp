// One step that loses energy. Unknowns are the free coordinates at the new end, the frames of bodies among them, the velocity e
// that the dissipation takes, multipliers lambda and, of quadratic constraints, nu:
//
//   M (v1 - v0)/h + f* + G*^T lambda + c (sum kappa eps J* + eta H v* + nu H v*) = F*,   v* = dq/h - c e = (v0 + v1)/2
//   M e = sum J*^T eta + G*^T nu
//   phi(q1) = 0,   G1 v1 - G0 v0 - G* e = 0
//
// with eps and eta of every elastic term from decay_terms.hpp. So every step takes the energy c (e.M e + sum kappa eps^2), for
// every law, strain and step (theory, section 25). Frames are held at right angles by constraints, whose rates e takes part of.
#pragma once

#include "trompo/math/newton.hpp"
#include "trompo/scheme/decay_layout.hpp"
#include "trompo/scheme/numbers.hpp"
#include "trompo/scheme/residual_rows.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

class DecayProblem {
 public:
  DecayProblem(const System& system, const Rule& rule, const DecayNumbers& numbers, const NewtonOptions& options);

  void start(const VecX& multipliers);  // of the system
  void memory(const Memory& memory);
  void open(const State& state, double t1, double along);  // begins the search along the old velocity, for so long
  [[nodiscard]] StepReport solve();
  [[nodiscard]] StepEnergy energy() const;
  void write_state(State& state) const;
  void close();
  [[nodiscard]] const VecX& multipliers() const { return given_multiplier_; }  // of the system, of the last step
  [[nodiscard]] const VecX& gradient_points() const { return gradient_point_; }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const;
  void forget_pivots() { solver_.forget_pivots(); }
  [[nodiscard]] const System& system() const { return layout_.system; }

  VecX q0, q1, v0, v1;

  // --- by hand, for a test of the tangent ---
  [[nodiscard]] const VecX& residual() const { return rows_.residual; }
  [[nodiscard]] Eigen::MatrixXd tangent() const;  // as evaluated last
  double shift_unknowns(const VecX& decrement);   // multipliers by their scale; what the worst change is judged by

  // --- for newton() ---
  void evaluate(bool tangent);
  [[nodiscard]] double residual_ratio() const { return rows_.worst_ratio(); }
  [[nodiscard]] bool residual_at_round_off();
  [[nodiscard]] double solve_and_update();

 private:
  void add_masses();
  void add_decay();
  void judge_frames();
  void find_loads();
  [[nodiscard]] double largest_angle() const;  // by which a body turns

  DecayLayout layout_;
  Rule rule_;
  DecayNumbers numbers_;
  NewtonOptions options_;
  LinearSolver solver_;
  ResidualRows rows_;
  Assembly assembly_;
  VecX shift_, e_, mean_, middle_, rate_, inertia_, taken_, load_, load0_, load1_;
  VecX rate_force_, rate_size_, rate_error_, rate_error_size_;
  VecX multiplier_, old_multiplier_, given_multiplier_, gradient_point_, nu_, increment_;
  double h_ = 0, t0_ = 0, t1_ = 0, mean_mass_ = 1, strained_ = 0;  // the sum of kappa eps^2
};

}  // namespace trompo
