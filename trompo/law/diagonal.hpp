// W = sum k_i r_i^2 / 2: strains that do not feel each other, such as those of a rod's section about its own axes.
#pragma once

#include "trompo/law/law.hpp"

namespace trompo {

template <int n>
struct DiagonalLaw {
  static constexpr int components = n;
  using R = Vec<n>;
  using K = Mat<n, n>;
  R k;
  explicit DiagonalLaw(const R& stiffness_) : k(stiffness_) {}

  [[nodiscard]] double energy(const R& r) const { return 0.5 * r.dot(k.cwiseProduct(r)); }
  [[nodiscard]] R stress(const R& r) const { return k.cwiseProduct(r); }
  [[nodiscard]] K stiffness(const R& /*r*/) const { return k.asDiagonal(); }
  [[nodiscard]] R secant_stress(const R& r0, const R& r1) const { return 0.5 * k.cwiseProduct(r0 + r1); }
  [[nodiscard]] K secant_stiffness(const R& /*r0*/, const R& /*r1*/) const { return (0.5 * k).asDiagonal(); }
};

}  // namespace trompo
