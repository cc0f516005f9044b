// W = k <r>^2 / 2 with <r> = max(r, 0): a cable carries no pressure.
#pragma once

#include <algorithm>

#include "trompo/law/law.hpp"

namespace trompo {

struct TensionOnlyLaw : ScalarLaw {
  double k;
  explicit TensionOnlyLaw(double stiffness_) : k(stiffness_) {}

  [[nodiscard]] double energy(const R& r) const {
    const double e = std::max(r[0], 0.0);
    return 0.5 * k * e * e;
  }
  [[nodiscard]] R stress(const R& r) const { return R(k * std::max(r[0], 0.0)); }
  [[nodiscard]] R stiffness(const R& r) const { return R(r[0] > 0 ? k : 0.0); }
  // (<r1>^2 - <r0>^2) / (r1 - r0): a mean where both are taut, and well conditioned where only one is, since r1 - r0 then
  // is at least as large as the positive one.
  [[nodiscard]] R secant_stress(const R& r0, const R& r1) const {
    const double taut = std::max(r0[0], r1[0]), slack = std::min(r0[0], r1[0]);
    if (taut <= 0) return R(0);
    if (slack >= 0) return R(0.5 * k * (taut + slack));
    return R(0.5 * k * taut * (taut / (taut - slack)));
  }
  [[nodiscard]] R secant_stiffness(const R& r0, const R& r1) const {
    const double a = r0[0], b = r1[0];
    if (a <= 0 && b <= 0) return R(0);
    if (a >= 0 && b >= 0) return R(0.5 * k);
    const double share = std::max(a, b) / (std::max(a, b) - std::min(a, b));  // taut part of the change, in (0, 1)
    return b > a ? R(0.5 * k * share * (2 - share)) : R(0.5 * k * share * share);
  }
};

}  // namespace trompo
