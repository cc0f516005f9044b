// The numbers and choices that a row of the catalogue hands to its balance.
#pragma once

#include "trompo/scheme/stabilisation.hpp"

namespace trompo {

struct NewmarkWeights {
  double alpha_m = 0;
  double beta = 0.25;
  double gamma = 0.5;
};

// What the alphas average where the mass depends on the place, as that of Euler parameters does; elsewhere both have the same
// solution.
//
//   all         (1-am) M1 y''1 + am M0 y''0 + (1-af) g1 + af g0 = 0, Newmark's formulas with y''. As Newmark, Hilber and Chung
//               wrote it for a constant mass. Averages of M y'' and of g are then not taken at the same place: first order,
//               unless am = af
//   recursion   M1 y''1 + g1 = 0, Newmark's formulas with a, (1-am) a1 + am a0 = (1-af) y''1 + af y''0: second order
//
// The second is from M. Arnold, O. Bruels, Convergence of the generalized-alpha scheme for constrained mechanical systems,
// Multibody System Dynamics 18 (2007).
enum class Blend { all, recursion };

// Bathe's composite: the trapezoidal rule to t0 + split h, then weights over the three points (G. Noh, K. J. Bathe, The Bathe
// time integration method with controllable spectral radius, Comput. Struct. 212, 2019).
struct CompositeWeights {
  double split, old_end, at_split, new_end;
};
[[nodiscard]] CompositeWeights composite_weights(double rho_infinity);

struct SecantCorrection {
  enum class Mode { none, robust, published };
  enum class Direction { force, displacement };
  Mode mode = Mode::none;
  Direction direction = Direction::force;
  bool keep_initial_energy = false;  // aim at the energy of the start instead of that of the step: feedback
  // Published alone: left out where the cosine of the angle between du and d is not above it. Table I of the paper compares
  // du.dg with eps_g, which has the dimension of an energy; a cosine means the same whatever the units of the model.
  double threshold = 1e-14;

  [[nodiscard]] bool wanted() const { return mode != Mode::none; }
};

// Of a scheme that loses energy: rho_infinity = (1 - 2c)/(1 + 2c), and where the loss sets in, omega h = 1/|beta|.
struct DecayNumbers {
  double c = 0, beta = -1. / 6;
  bool constraint_rates = true;  // the rates of constraints lose theirs too
};

// What a scheme that forces its energy adds as equations (forced_problem.hpp).
struct ForcedRows {
  bool angular = false;  // angular momenta as well, about axes where nothing works against them
};

enum class ExplicitScheme { forward_euler, runge_kutta, hamming, central_difference, dormand_prince };

// Three steps of Runge and Kutta, or as published: Adams' formulas of rising order, which leave the whole of third order.
enum class HammingStart { runge_kutta, adams };
// Position remembers the last but one place, and begins anew where the step size changes.
enum class DifferenceForm { position, velocity };

struct ExplicitSettings {
  Stabilisation stabilisation;
  HammingStart hamming = HammingStart::runge_kutta;
  DifferenceForm central_difference = DifferenceForm::position;
  double tolerance = 1e-8;
};

}  // namespace trompo
