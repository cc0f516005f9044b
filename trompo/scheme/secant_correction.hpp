// Krenk's global secant correction: the one part of his format that needs the assembled whole.
//
//   g* = g_q + eta d,  eta = (G1 - G0 - du.g_q) / (du.d)
//
// so that du.g* = G1 - G0 whatever g_q is. Published with d = dg = g1 - g0, where du.dg may vanish or turn negative while the
// numerator does not: the correction then explodes. The robust choice takes d = dg only where it makes an angle with du that
// can be trusted, and du otherwise; along axes without a support the mean translation is taken out of du, so that linear
// momentum is kept.
//
// Its derivative is d (x) d(eta)/dq1 + eta dd/dq1. The second part goes into the matrix, the first is of rank one and would
// fill it: the increment is corrected for it instead (J. Sherman, W. J. Morrison, Ann. Math. Stat. 21, 1950).
#pragma once

#include "trompo/scheme/frame_reduction.hpp"
#include "trompo/scheme/numbers.hpp"

namespace trompo {

// The workspace of the correction within one step.
class SecantCorrector {
 public:
  // An exact tangent goes to these unknowns, which are the free coordinates.
  SecantCorrector(const System& system, const FrameReduction& unknowns, const SecantCorrection& correction, bool exact_tangent);

  void restart(const VecX& q0);               // the old end, energies and forces
  void open() { evaluations_ = 0; }           // a new step
  void close();                               // the new end becomes the old one
  void aim(double defect) { aim_ = defect; }  // energy to be taken out in this step, from earlier ones

  // Adds eta d to the force, which is g_q plus `damping`/2 dg, and its derivative to the tangent where that is wanted.
  void apply(const VecX& q0, const VecX& q1, double damping, Assembly& assembly);
  // The part of rank one: turns A^-1 r into (A + d (x) row)^-1 r.
  void correct_increment(LinearSolver& solver, VecX& increment);

  // Is du.g* the change of energy now? Not where the published rule has left the correction out.
  [[nodiscard]] bool exact() const { return exact_; }
  // What a step that is exact takes out of the energy: the damping that was asked for, and what it aimed at.
  [[nodiscard]] double dissipated() const { return damping_work_ + aim_; }
  [[nodiscard]] double noise() const { return noise_; }  // what rounding of the energies does to an equation
  [[nodiscard]] double old_energy() const { return energy0_.sum(); }
  [[nodiscard]] const Potentials& new_energies() const { return energy1_; }
  [[nodiscard]] double damping_work() const { return damping_work_; }  // damping/2 dg.du

  // Energy that the forces before the correction would have made out of nothing: what feedback must not hide.
  [[nodiscard]] double uncorrected_defect() const { return uncorrected_; }

 private:
  void linearise(double eta, double du_d, double damping, Assembly& assembly);

  const System* system_;
  const FrameReduction* unknowns_;
  SecantCorrection correction_;
  bool exact_tangent_, rank_one_ = false;
  bool along_force_ = true;
  int evaluations_ = 0;
  double aim_ = 0, noise_ = 0, damping_work_ = 0, uncorrected_ = 0;
  bool exact_ = false;
  Potentials energy0_, energy1_;
  VecX force0_, du_, dg_, d_;
  Assembly new_end_;                                               // force and stiffness at the new end
  VecX stiffness_;                                                 // values of the latter
  VecX free_du_, stiffness_du_, slope_du_, column_, row_, image_;  // over the unknowns
};

}  // namespace trompo
