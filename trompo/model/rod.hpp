// The builder of flexible rods: from what the user says of a rod to bodies (its nodes), rod elements and welds.
#pragma once

#include <array>
#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

// Adds the parts of the rod to the model. Throws ModelError if it cannot be built.
void expand(const RodInput& rod, Model& model);

// What is wrong with a rod; `model` has the bodies it may hang on.
[[nodiscard]] std::vector<Diagnostic> check_rod(const RodInput& rod, const Model& model);
// What is wrong with the elements of a model.
[[nodiscard]] std::vector<Diagnostic> check_rod_elements(const Model& model);

// Of one number for both axes of a section, or of one for each.
[[nodiscard]] std::array<double, 2> both(const std::vector<double>& values);

// A section worked out: stiffnesses and inertias per length.
struct RodSection {
  SectionStiffness stiffness;
  double mass = 0;                 // [kg/m]
  std::array<double, 2> rotary{};  // about d1 and d2 [kg m]
};
[[nodiscard]] RodSection section_of(const RodInput& rod);

}  // namespace trompo
