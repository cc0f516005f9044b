// Strains of a rod element that is a piece of a helix: constant along it, found from the two frames (x, d1, d2, d3) at its
// ends.
//
// The mean axes d = (d_a + d_b)/2 and x' = (x_b - x_a)/L see them wrongly as soon as the element turns, by an angle theta about
// an axis n. Three kinds of products of vectors,
//
//   p_k = d_k . x'    k_i = (d_jb . d_la - d_lb . d_ja)/2  (= sin theta n_i)    z = sum |d_b - d_a|^2 / 8  (= sin^2 theta/2),
//
// say how much: between the ends of a helix p is the true vector, its part across n times sin theta/theta. So
//
//   Gamma_k = (p + h k x (p x k))_k,  K = g k/L,   g(z) = theta/sin theta,  h(z) = (g - 1)/sin^2 theta,
//
// both less what they are in the reference: exact for an arc, a twisted rod and a helix, and to first order of the turn those
// of rod_strain.hpp. g and h are taken as their series up to z^12, which are as good as exact: 1e-7 of the moment at 60
// degrees, 1e-3 at 90; the moment has its largest value at 112 degrees.
#pragma once

#include "trompo/measure/measure.hpp"

namespace trompo {

struct Kernel;

struct HelixStrain {
  static constexpr int nodes = 2, coordinates = 24, components = 6;
  static constexpr int points = 1;  // of quadrature
  using C = Vec<24>;
  using S = Vec<6>;
  using J = Gradients<6, 24>;
  using K = Mat<24, 24>;
  double L;
  S reference = S::Zero();

  explicit HelixStrain(double length) : L(length) {}
  HelixStrain(double length, const C& unstrained) : HelixStrain(length) { reference = value(unstrained); }

  [[nodiscard]] S value(const C& c) const;
  [[nodiscard]] J jacobian(const C& c) const;
  [[nodiscard]] J secant(const C& c0, const C& c1) const;
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const;
  // With both ends in one place the second end has half of the bend.
  [[nodiscard]] K curvature(const C& c, const S& s) const;
  [[nodiscard]] static const Kernel& kernel();
};

}  // namespace trompo
