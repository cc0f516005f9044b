// The builder of flexible rods: from what the user says of a rod to bodies (its nodes), rod elements, welds and loads.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "trompo/model/model.hpp"
#include "trompo/model/rod_section.hpp"

namespace trompo {

// Adds the parts of the rod to the model. Throws ModelError if it cannot be built.
void expand(const RodInput& rod, Model& model);
// All rods of the model, each after the bodies that it hangs on. Throws ModelError with what is wrong with any of them, once
// the others are built.
void expand_rods(Model& model);

// What is wrong with a rod; `model` has the bodies it may hang on.
[[nodiscard]] std::vector<Diagnostic> check_rod(const RodInput& rod, const Model& model);
// What is wrong with the elements of a model, and what may be forgotten: rods that meet but are not joined.
[[nodiscard]] std::vector<Diagnostic> check_rod_elements(const Model& model);

// The places that its axis goes through: both ends, or its points. Nothing if an end is nowhere.
[[nodiscard]] std::optional<std::vector<Vec3>> places_of(const RodInput& rod, const Model& model);

// The three numbers at a distance s from the first end; throws FormulaError.
[[nodiscard]] Vec3 along(const AlongRod& given, double s, const Model& model);

// Is it an element of the rod of that name, or the element of that name itself?
[[nodiscard]] bool belongs_to_rod(std::string_view element, std::string_view rod);

// Elements that hang together count as one rod.
[[nodiscard]] std::size_t count_rods(const Model& model);

}  // namespace trompo
