// How three axes b of one body are turned against three axes a of another, c = (a1, a2, a3, b1, b2, b3), by the nine products
// Q_ij = a_i.b_j. Along the axes a.
//
//   RotationVector   theta of the rotation nearest to Q, |theta| <= pi. Its secant is the exact chord of
//   math/rotation_chord.hpp
//                    times the products' gradients of the middle: blind to rigid motion.
//   RelativeSpin     w with w~ = skew part of Q' Q^T, for dampers: a rate alone, no measure has it. J w' is no second
//   derivative,
//                    so its curvature d(J^T s)/dc is not symmetric.
//
// W = theta.K theta/2 gives the torque T^-T K theta (M. Geradin, A. Cardona, Flexible multibody dynamics, 2001, ch. 4).
#pragma once

#include "trompo/measure/kernel.hpp"

namespace trompo {

struct TurnedAxes {
  static constexpr int coordinates = 18;
  static constexpr int components = 3;
  using C = Vec<18>;
  using S = Vec3;
  using J = Gradients<3, 18>;
  using K = Mat<18, 18>;

  [[nodiscard]] static Mat3 products(const C& c);
};

struct RotationVector : TurnedAxes {
  [[nodiscard]] S value(const C& c) const;
  [[nodiscard]] J jacobian(const C& c) const { return secant(c, c); }
  [[nodiscard]] K curvature(const C& c, const S& s) const { return 2 * secant_curvature(c, c, s); }
  [[nodiscard]] J secant(const C& c0, const C& c1) const;
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const;
  // Is the shorter way from one to the other through half a turn, where the vector jumps?
  [[nodiscard]] static bool jumps(const C& c0, const C& c1);
  // The table of the five functions, but that a step goes on where it has passed half a turn: its equations stay smooth, and it
  // is for the verdict on the step to refuse it (System::undefined_between).
  [[nodiscard]] static const Kernel& kernel();
};

struct RelativeSpin : TurnedAxes {
  [[nodiscard]] S value(const C& /*c*/) const { return S::Zero(); }
  [[nodiscard]] J jacobian(const C& c) const;
  [[nodiscard]] K curvature(const C& c, const S& s) const;
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return jacobian(0.5 * (c0 + c1)); }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const { return 0.5 * curvature(0.5 * (c0 + c1), s); }
};

}  // namespace trompo
