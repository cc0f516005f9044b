// The gradient G of a scalar constraint phi over a step c0 -> c1, whose force is G^T lambda. With d = c1 - c0, m the midpoint:
//
//   secant       J* of the measure: no work, and over invariants no momentum either        Gonzalez, Physica D 132 (1999)
//   mean_value   J(c0 + beta d), beta such that J.d = phi1 - phi0: no work                 Ferreira, Doblare
//   gonzalez     J(m) + (phi1 - phi0 - J(m).d)/(d.d) d over the measure's own coordinates  Gonzalez, J. Nonlinear Sci. 6 (1996)
//   midpoint     J(m): its work lambda J(m).d is of third order, not zero
//   end          J(c1), as projection and return has it: its work is of second order a step      Ferreira, Doblare
//
// beta is a root of Psi(beta) = J(c0 + beta d).d - (phi1 - phi0), with Psi' = d.H.d. The mean value theorem says that there is
// one, not that it is the only one: the one nearest to `point` is taken, which is 1/2 when a step begins and the last beta
// afterwards, so that an iteration does not jump between two solutions.
#pragma once

#include "trompo/measure/kernel.hpp"
#include "trompo/system/rule_kind.hpp"

namespace trompo {

class ConstraintGradient {
 public:
  // In place of beta where phi has a kink and Psi jumps over zero: there the secant stands in, till the step is over.
  static constexpr double no_point = -1;

  // The ends must outlive it.
  ConstraintGradient(Rule::ConstraintGradient kind, const MeasureView& phi, const double* c0, const double* c1,
                     Scratch scratch);

  // Writes G. Takes the place on the chord from the iteration before and leaves its own.
  void gradient(double& point, double* G) const;
  // Adds d(G^T lambda)/dc1; `point` is what gradient() left. With a fixed point: what is left of it where beta does not move.
  void add_curvature(double lambda, double point, bool fixed_point, double* K) const;

 private:
  void secant(Order order, double* J, double* J1, double* H, Scratch scratch) const;
  void on_chord(double beta, double* c) const;
  void jacobian(double beta, double* J, Scratch scratch) const;
  // Adds by H(c0 + beta d), and writes J there.
  void add_hessian(double beta, double by, double* J, double* K, Scratch scratch) const;
  [[nodiscard]] double change(Scratch scratch) const;
  [[nodiscard]] double noise(const double* J) const;
  void mean_value_gradient(double& point, double* G, Scratch scratch) const;
  void add_mean_value_curvature(double lambda, double beta, bool fixed, double* K, Scratch scratch) const;
  void corrected(double* G, double* slope, Scratch scratch) const;  // `slope` may be null

  Rule::ConstraintGradient kind_;
  MeasureView phi_;
  const double *c0_, *c1_;
  double* d_;
  Scratch scratch_;
};

}  // namespace trompo
