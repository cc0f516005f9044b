#include "trompo/model/formula_scope.hpp"

#include <algorithm>

#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"

namespace trompo {

FormulaScope::FormulaScope(const Model& model) : model_(model) {
  for (const NodeInput& node : model.nodes)
    for (int i = 0; i < 3; ++i) {
      names_.push_back(node.name + '.' + "xyz"[i]);
      const auto& motion = node.motion[static_cast<std::size_t>(i)];
      start_.push_back(node.position[i]);
      start_rates_.push_back(motion ? motion->at(0).rate : node.velocity[i]);
    }
  for (const BodyInput& input : model.bodies) body(input);
  for (const CoordinateInput& coordinate : model.coordinates) {
    names_.push_back(coordinate.name);
    start_.push_back(coordinate.motion ? coordinate.motion->value(0) : coordinate.value);
    start_rates_.push_back(coordinate.motion ? coordinate.motion->at(0).rate : coordinate.rate);
  }
  names_.emplace_back("t");
  start_.push_back(0);
  start_rates_.push_back(1);
  variables_.assign(names_.begin(), names_.end());
  for (const InvariantInput& invariant : model.invariants) {
    try {
      invariants_.emplace(invariant.name, Formula(invariant.formula, variables_, model.parameters));
      invariant_names_.push_back(invariant.name);
    } catch (const FormulaError&) {  // said where the invariant itself is read
    }
  }
}

// The frame of a body: its centre of mass, then its three axes. d(Lambda e_i)/dt = Lambda (Omega x e_i).
void FormulaScope::body(const BodyInput& input) {
  const ResolvedBody b = resolve_body(input);
  const auto add = [&](const std::string& what, const Vec3& value, const Vec3& rate) {
    for (int i = 0; i < 3; ++i) {
      names_.push_back(input.name + what + '.' + "xyz"[i]);
      start_.push_back(value[i]);
      start_rates_.push_back(rate[i]);
    }
  };
  add("", b.position, b.velocity);
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = Vec3::Unit(i);
    add(".d" + std::to_string(i + 1), to_space(b.orientation, e), to_space(b.orientation, b.angular_velocity.cross(e)));
  }
}

ScopedFormula FormulaScope::expanded(const std::string& text) const {
  ScopedFormula out;
  out.formula = Formula(text, variables_, model_.parameters, invariants_);
  out.coordinates = out.formula.compact();
  if (out.coordinates.empty()) throw FormulaError(0, "it must depend on a coordinate");
  return out;
}

ScopedFormula FormulaScope::read(const std::string& text) const {
  if (!invariants_.empty()) {
    // Over invariants alone? Then they stay visible; raw coordinates would be unknown names here.
    try {
      ScopedFormula out;
      out.formula = Formula(text, invariant_names_, model_.parameters);
      const std::vector<int> used = out.formula.compact();
      for (const int i : used) out.invariants.push_back(invariants_.at(std::string(invariant_names_[i])));
      out.coordinates = Formula::compact(out.invariants);
      if (!out.coordinates.empty()) return out;
    } catch (const FormulaError&) {
    }
  }
  return expanded(text);
}

}  // namespace trompo
