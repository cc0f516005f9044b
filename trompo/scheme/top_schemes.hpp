// One rigid body that turns about a fixed point: six ways over one step.
//
// Problem: d/dt Lam = Lam Om~, d/dt (Lam J Om) = -V'(z) Lam E x gamma, with z = gamma . Lam E. A heavy top has V = M g l z. The
// three integrals are the energy, the momentum gamma . Lam J Om about gamma and, where J is symmetric about E, the spin E . J
// Om. The schemes are those that E. Lens and A. Cardona compare ("Algoritmos de integracion numerica en dinamica rotacional no
// lineal", Mecanica Computacional), and two more:
//
// clang-format off
//   scheme                     keeps              of
//   simo_wong                  momentum           J. C. Simo, K. K. Wong, IJNME 31 (1991): momenta balanced in space
//   simo_collocation           energy, momentum   J. C. Simo, N. Tarnow, K. K. Wong, CMAME 100 (1992): torque at a point found
//   simo_projection            energy, momentum   the same: torque of the middle, scaled
//   geradin_bauchau            energy, spin       M. Geradin, O. Bauchau: momenta balanced in body axes, half rotations
//   geradin_bauchau_momentum   energy, momentum   half rotations, momenta balanced in space
//   euler_poisson_midpoint     all three          mid-point rule for J Om and Lam^T gamma: Cayley's map
// clang-format on
//
// The spin is claimed for the symmetric body only. The fourth keeps neither the momentum of a heavy nor that of a free body,
// and it and the fifth have no solution beyond |Om| h = 2.
#pragma once

#include "trompo/math/newton.hpp"
#include "trompo/space/rigid_body.hpp"

namespace trompo {

struct PotentialValue {
  double energy = 0, slope = 0, curvature = 0;
};

// V(z) as anything else than a straight line.
class HeightPotential {
 public:
  virtual ~HeightPotential() = default;
  [[nodiscard]] virtual PotentialValue at(double z) const = 0;
};

// V = weight z + curve(z), z = gamma . Lam E. Without either the body is free.
struct AxialPotential {
  Vec3 gamma = Vec3::UnitZ();  // of space
  Vec3 E = Vec3::UnitZ();      // of the body
  double weight = 0;           // M g l
  const HeightPotential* curve = nullptr;

  [[nodiscard]] PotentialValue at(double z) const;
  // (V(z0 + dz) - V(z0))/dz and its derivative with respect to dz
  struct Quotient {
    double value, rate;
  };
  [[nodiscard]] Quotient quotient(double z0, double dz) const;
};

enum class TopScheme {
  simo_wong,
  simo_collocation,
  simo_projection,
  geradin_bauchau,
  geradin_bauchau_momentum,
  euler_poisson_midpoint
};

enum class TopStepEnd {
  done,
  too_many_iterations,
  not_finite,
  singular,
  beyond_reach  // half rotations: the body turns by more than half a turn, |Om| h > 2
};

struct TopStep {
  NewtonReport newton;
  TopStepEnd end = TopStepEnd::too_many_iterations;
  double alpha = 0.5;  // where in the step the torque was taken, simo_wong and simo_collocation
  double kappa = 1;    // sin(theta/2)/(theta/2), by which simo_projection scales the torque of the middle
  [[nodiscard]] bool done() const { return end == TopStepEnd::done; }
};

// All a step needs to know beside the state and its length.
class Top {
 public:
  // Throws std::invalid_argument for an inertia that is not symmetric and positive or an alpha outside 0..1.
  Top(const Mat3& inertia, const AxialPotential& potential, TopScheme scheme, const NewtonOptions& options = {},
      double simo_alpha = 0.5);

  // Over the time h. On success the state is the new one; otherwise it is what it was.
  [[nodiscard]] TopStep step(Rotation& state, double h) const;

  [[nodiscard]] double energy(const Rotation& state) const;
  [[nodiscard]] Vec3 momentum(const Rotation& state) const;      // in space
  [[nodiscard]] Vec3 acceleration(const Rotation& state) const;  // of the exact equations, in body axes

 private:
  Mat3 inertia_, inverse_;
  AxialPotential potential_;
  TopScheme scheme_;
  NewtonOptions options_;
  double simo_alpha_;
};

}  // namespace trompo
