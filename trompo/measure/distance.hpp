// Distance of two points, as a sensor or a constraint: an engineering strain whose natural length is one metre, plus one.
#pragma once

#include "trompo/measure/bar_strain.hpp"

namespace trompo {

struct Distance : EngineeringStrain {
  Distance() : EngineeringStrain(1.0) {}
  [[nodiscard]] S value(const C& c) const { return S(gap(c).norm()); }
};

}  // namespace trompo
