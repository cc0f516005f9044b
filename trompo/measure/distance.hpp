// Distance of two points, as a sensor or a constraint: an engineering strain whose natural length is one metre, plus one.
#pragma once

#include "trompo/measure/bar_strain.hpp"

namespace trompo {

struct Distance : EngineeringStrain {
  Distance() : EngineeringStrain(1.0) {}
  [[nodiscard]] S value(const C& c) const { return S(chord(c).norm()); }
};

// How much longer two points are apart than the natural length: what a spring pulls at. The length may be zero.
struct Elongation : EngineeringStrain {
  double natural;
  explicit Elongation(double length) : EngineeringStrain(1.0), natural(length) {}
  [[nodiscard]] S value(const C& c) const { return S(chord(c).norm() - natural); }
};

}  // namespace trompo
