// Formulas over the coordinates and parameters of a model.
#pragma once

#include <string>
#include <vector>

#include "trompo/math/formula.hpp"
#include "trompo/model/model.hpp"

namespace trompo {

// "bob.x", "bob.y", "bob.z" of every node, then the generalised coordinates: the order in which equations number them.
[[nodiscard]] std::vector<std::string> coordinate_names(const Model& model);
[[nodiscard]] std::vector<double> coordinate_values(const Model& model);  // at t = 0, in the same order

struct EnergyFormula {
  static constexpr int most_coordinates = 12;
  Formula formula;               // over the coordinates below, in this order
  std::vector<int> coordinates;  // of the model, by number
};
// Throws FormulaError: what is wrong, and in which column.
[[nodiscard]] EnergyFormula energy_formula(const std::string& text, const Model& model);

}  // namespace trompo
