// Sections of rods: stiffness and inertia of a shape, and what its stresses follow from.
#pragma once

#include <array>
#include <vector>

#include "trompo/model/rod_input.hpp"

namespace trompo {

// Of one number for both axes of a section, or of one for each.
[[nodiscard]] std::array<double, 2> both(const std::vector<double>& values);

// A section worked out: stiffnesses and inertias per length.
struct RodSection {
  SectionStiffness stiffness;
  double mass = 0;                 // [kg/m]
  std::array<double, 2> rotary{};  // about d1 and d2 [kg m]
};
[[nodiscard]] RodSection section_of(const RodInput& rod);

struct SectionShape {
  double area = 0, I1 = 0, I2 = 0, J = 0;  // J: of torsion
  double reach1 = 0, reach2 = 0;           // how far it goes along d1 and d2
  double torsion_modulus = 0;              // the largest shear stress is the torque over this
  bool round = false;                      // d1 and d2 are as good as any other axes
};
[[nodiscard]] SectionShape shape_of(const SectionInput& section);

}  // namespace trompo
