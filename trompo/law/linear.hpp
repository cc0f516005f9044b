// W = k r^2 / 2. A bar has k = EA L, so that s = EA L eps is conjugate to the strain.
#pragma once

#include "trompo/law/law.hpp"

namespace trompo {

struct LinearLaw : ScalarLaw {
  double k;
  explicit LinearLaw(double stiffness_) : k(stiffness_) {}

  [[nodiscard]] double energy(const R& r) const { return 0.5 * k * r[0] * r[0]; }
  [[nodiscard]] R stress(const R& r) const { return k * r; }
  [[nodiscard]] R stiffness(const R& /*r*/) const { return R(k); }
  [[nodiscard]] R secant_stress(const R& r0, const R& r1) const { return 0.5 * k * (r0 + r1); }
  [[nodiscard]] R secant_stiffness(const R& /*r0*/, const R& /*r1*/) const { return R(0.5 * k); }
};

}  // namespace trompo
