// W = r: for a measure that is an energy itself, such as a potential typed by the user.
#pragma once

#include "trompo/law/law.hpp"

namespace trompo {

struct PotentialLaw : ScalarLaw {
  [[nodiscard]] double energy(const R& r) const { return r[0]; }
  [[nodiscard]] R stress(const R& /*r*/) const { return R(1); }
  [[nodiscard]] R stiffness(const R& /*r*/) const { return R(0); }
  [[nodiscard]] R secant_stress(const R& /*r0*/, const R& /*r1*/) const { return R(1); }
  [[nodiscard]] R secant_stiffness(const R& /*r0*/, const R& /*r1*/) const { return R(0); }
};

}  // namespace trompo
