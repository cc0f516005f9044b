// A step of the end balance for bodies in Euler parameters, as Newton sees it: index 3, solved directly.
//
//   r(y1, lambda, mu) = i1 M(y1) y''1 + i0 M(y0) y''0 + (1-w) g1 + w g0 = 0,    g = D^T (f + J^T lambda - F) - Q_v + 2 p mu
//   phi(y1, t1) = 0,  p1.p1 - 1 = 0
//
// f, J and F are those of the frames; D brings them to y (euler_coordinates.hpp). The balance that owns the problem gives the
// shares i1, i0, w and how y'1 and y''1 follow from y1. Mass and levers depend on y, so each end keeps its own.
#pragma once

#include <array>
#include <vector>

#include "trompo/math/newton.hpp"
#include "trompo/scheme/euler_coordinates.hpp"
#include "trompo/scheme/residual_rows.hpp"

namespace trompo {

class EulerProblem {
 public:
  struct Shares {
    double new_inertia = 1, old_inertia = 0, old_force = 0;
  };
  // y = origin + shift, y' = rate_slope shift + rate_rest, y'' = acceleration_slope shift + acceleration_rest
  struct Kinematics {
    VecX origin, rate_rest, acceleration_rest;
    double rate_slope = 0, acceleration_slope = 0;
  };
  // Of a step: coordinates y and frames q, with all that acts there.
  struct End {
    VecX y, rate, acceleration;
    VecX multiplier, norm_multiplier;  // of the constraints; of p.p = 1
    VecX q, v;
    double energy = 0;         // kinetic, and the potentials without their signs
    VecX force, load;          // frame forces less loads; loads
    std::vector<Vec3> torque;  // on the bodies, body axes
  };

  EulerProblem(const System& system, const Shares& shares, const NewtonOptions& options);

  // Takes up a state: p'' from the accelerations of the frames, the multipliers of the norms from the equations.
  void restart(const State& state, const VecX& acceleration, const VecX& multipliers);
  void memory(const Memory& memory);
  void take(const State& state);  // as the old end, with what is remembered of it
  void forget_pivots() { solver_.forget_pivots(); }
  void open(const State& state, double t1);  // the old end is this state, the new one is at t1
  Kinematics& kinematics() { return kinematics_; }
  [[nodiscard]] StepReport solve();                                                        // begins at the origin
  [[nodiscard]] double turn() const { return coordinates_.largest_turn(old_.y, new_.y); }  // of the step, largest of all bodies
  [[nodiscard]] StepEnergy energy();
  // Has the scheme fed in more than half of all the energy there is at both ends?
  [[nodiscard]] bool gained_energy(const StepEnergy& energy);
  void close();  // the new end becomes the old one

  [[nodiscard]] const System& system() const { return *system_; }
  [[nodiscard]] const EulerCoordinates& coordinates() const { return coordinates_; }
  [[nodiscard]] const End& old_end() const { return old_; }
  [[nodiscard]] const End& new_end() const { return new_; }
  // y - origin, the unknown itself: what is taken from it does not see the rounding of y, eps |y|/h^2
  [[nodiscard]] const VecX& shift() const { return shift_; }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const;

  // --- for newton() ---
  void evaluate(bool tangent);
  [[nodiscard]] double residual_ratio();
  [[nodiscard]] bool residual_at_round_off();
  [[nodiscard]] double solve_and_update();

  // --- by hand, for a test of the tangent ---
  [[nodiscard]] const VecX& residual() const { return rows_.residual; }
  [[nodiscard]] Eigen::MatrixXd tangent();     // as evaluated last
  void shift_unknown(int unknown, double by);  // multipliers by their scale, as in the tangent

 private:
  [[nodiscard]] int moving() const { return coordinates_.size(); }
  [[nodiscard]] double new_force() const { return 1 - shares_.old_force; }
  [[nodiscard]] Motion motion() const { return {old_.q, new_.q, old_.v, new_.v, h_, kinematics_.rate_slope}; }
  void move();                                                            // the new end to where the unknowns are
  void load_at(double t, End& end) const;                                 // loads and torques
  void remember();                                                        // what the old end has to do with the next step
  void add_body_forces(const End& end, double share, VecX& force) const;  // all on bodies that acts on p itself
  void assemble();
  void balance();
  void linearise();
  void linearise_dampers();
  [[nodiscard]] Mat<4, 4> body_tangent(int b) const;
  [[nodiscard]] double inertia_work();
  [[nodiscard]] double free_kinetic(const VecX& v);
  [[nodiscard]] double size_of(int unknown) const;

  const System* system_;
  Shares shares_;
  Rule rule_;
  NewtonOptions options_;
  EulerCoordinates coordinates_;
  LinearSolver solver_;
  ResidualRows rows_;
  Assembly assembly_, damper_assembly_;
  Kinematics kinematics_;
  End old_, new_;
  VecX shift_, old_share_;      // old_share_: i0 M(y0) y''0 + w g0
  VecX frame_force_, at_rest_;  // of the new end; at_rest_: velocities, all zero
  VecX increment_, force_, inertia_, dy_, momentum_;
  double t1_ = 0, h_ = 0, mean_mass_ = 1;
  bool tangent_wanted_ = false, tangent_kept_ = false;
  struct Slots {
    std::array<int, 16> own;            // the 4 x 4 block of a body, row by row
    std::array<int, 4> norm, reaction;  // its row of the norm, and the column of the norm's multiplier
  };
  std::vector<Slots> slots_;
};

}  // namespace trompo
