#include "trompo/model/energy_formula.hpp"

namespace trompo {

std::vector<std::string> coordinate_names(const Model& model) {
  std::vector<std::string> names;
  for (const NodeInput& node : model.nodes)
    for (const char* axis : {".x", ".y", ".z"}) names.push_back(node.name + axis);
  for (const CoordinateInput& coordinate : model.coordinates) names.push_back(coordinate.name);
  return names;
}

std::vector<double> coordinate_values(const Model& model) {
  std::vector<double> values;
  for (const NodeInput& node : model.nodes) values.insert(values.end(), node.position.begin(), node.position.end());
  for (const CoordinateInput& coordinate : model.coordinates) values.push_back(coordinate.value);
  return values;
}

EnergyFormula energy_formula(const std::string& text, const Model& model) {
  const std::vector<std::string> names = coordinate_names(model);
  const std::vector<std::string_view> variables(names.begin(), names.end());
  EnergyFormula energy;
  energy.formula = Formula(text, variables, model.parameters);
  energy.coordinates = energy.formula.compact();
  if (energy.coordinates.size() > EnergyFormula::most_coordinates)
    throw FormulaError(0, "a formula may use at most " + std::to_string(EnergyFormula::most_coordinates) +
                              " coordinates; this one uses " + std::to_string(energy.coordinates.size()) +
                              "; split it into several potentials");
  if (energy.coordinates.empty()) throw FormulaError(0, "an energy must depend on a coordinate");
  return energy;
}

}  // namespace trompo
