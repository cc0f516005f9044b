#include "trompo/run/sensor.hpp"

#include <algorithm>
#include <optional>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/lookup.hpp"

namespace trompo {

namespace {}  // namespace

Sensors::Sensors(const Model& model, const System& system) : system_(&system), scratch_(VecX::Zero(system.coordinates())) {
  const FormulaScope scope(model);
  std::optional<RateScope> with_rates;
  std::vector<RodElement> elements;  // of all rods, if a sensor looks at one
  for (const SensorInput& input : model.sensors) {
    names_.push_back(input.name);
    const Lookup ask(model, input.source, input.kind, "sensor " + in_quotes(input.name));
    (void)ask.word(word_lists::sensors, "kind of sensor", input.kind);
    const auto index_of = [&](const auto& items, std::string_view kind) {
      return static_cast<int>(ask.item(items, kind, input.of[0]));
    };
    const auto point = [&](int i) {
      for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].name == input.of[i]) return system.bodies()[b].first;
      return system.nodes()[ask.item(model.nodes, "node or body", input.of[i])];
    };
    const int axis = input.axis.empty() ? 0 : static_cast<int>(ask.word(word_lists::axes, "axis", input.axis));
    const bool of_spring =
        std::any_of(model.springs.begin(), model.springs.end(), [&](const SpringInput& s) { return s.name == input.of[0]; });
    const bool at_joint =
        std::any_of(model.joints.begin(), model.joints.end(), [&](const JointInput& j) { return j.name == input.of[0]; });
    if (input.kind == "angle" || input.kind == "other_angle") {
      const Joint& joint = system.joints()[static_cast<std::size_t>(index_of(model.joints, "joint"))];
      const int angle = input.kind == "angle" ? joint.angle : joint.other_angle;
      if (angle < 0)
        ask.refuse("joint " + in_quotes(input.of[0]) + " has no `" + input.kind + "`",
                   "name one that does: hinge, cylindrical or universal, which has both");
      sensors_.push_back({Kind::position, angle, 0});
    } else if (input.kind == "torque" || (input.kind == "reaction" && at_joint)) {
      sensors_.push_back({input.kind == "torque" ? Kind::joint_torque : Kind::joint_force, index_of(model.joints, "joint"),
                          axis,
                          input.part.empty() ? JointPart::all
                                             : static_cast<JointPart>(ask.word(word_lists::sensor_parts, "part", input.part))});
      want_reactions_ = true;
    } else if (input.kind == "position") {
      sensors_.push_back({Kind::position, point(0) + axis, 0});
    } else if (input.kind == "velocity") {
      sensors_.push_back({Kind::velocity, point(0) + axis, 0});
    } else if (input.kind == "acceleration") {
      sensors_.push_back({Kind::acceleration, point(0) + axis, 0});
      want_accelerations_ = true;
    } else if (input.kind == "travel") {
      const int joint = index_of(model.joints, "joint");
      if (const JointKind* kind = find_joint_kind(model.joints[static_cast<std::size_t>(joint)].kind); kind && !kind->slides())
        ask.refuse("joint " + in_quotes(input.of[0]) + " does not slide along an axis",
                   "name one that does: prismatic, cylindrical or line");
      sensors_.push_back({Kind::travel, joint, 0});
    } else if (input.kind == "reaction") {
      sensors_.push_back({Kind::reaction, point(0) + axis, 0});
      want_reactions_ = true;
    } else if (input.kind == "distance") {
      sensors_.push_back({Kind::distance, point(0), point(1)});
    } else if (input.kind == "value") {
      sensors_.push_back({Kind::position, system.scalars()[index_of(model.coordinates, "coordinate")], 0});
    } else if (input.kind == "angular_velocity" || input.kind == "tilt") {
      sensors_.push_back({input.kind == "tilt" ? Kind::tilt : Kind::angular_velocity, index_of(model.bodies, "body"), axis});
    } else if (input.kind == "multiplier") {
      std::vector<std::string> known;
      for (int k = 0; k < system.multipliers(); ++k) known.push_back(system.constraint_name(k));
      const auto found = std::find(known.begin(), known.end(), input.of[0]);
      if (found == known.end()) ask.unknown("constraint", input.of[0], known);
      sensors_.push_back({Kind::multiplier, static_cast<int>(found - known.begin()), 0});
    } else if (input.kind == "formula") {
      sensors_.push_back({Kind::formula, static_cast<int>(formulas_.size()), scope.time()});
      try {
        if (!with_rates) with_rates.emplace(model, scope);
        formulas_.push_back(with_rates->read(input.of[0]));
      } catch (const FormulaError& error) {
        ask.refuse(in_quotes(input.of[0]) + ", column " + std::to_string(error.column) + ": " + error.what(),
                   "correct the formula");
      }
      arguments_.resize(std::max(arguments_.size(), formulas_.back().arguments.size()));
    } else if (input.kind == "stress" || input.kind.starts_with("section_")) {
      const Kind kind = input.kind == "stress"           ? Kind::stress
                        : input.kind == "section_force"  ? Kind::section_force
                        : input.kind == "section_moment" ? Kind::section_moment
                        : input.kind == "section_strain" ? Kind::section_strain
                                                         : Kind::section_curvature;
      sensors_.push_back({kind, static_cast<int>(rod_elements_.size()), axis});
      if (elements.empty()) elements = rod_elements(model, system.bodies());
      rod_elements_.push_back(elements.at(static_cast<std::size_t>(index_of(model.rod_elements, "rod element"))));
    } else if (input.kind == "energy") {
      sensors_.push_back({Kind::energy, static_cast<int>(energies_.size()), 0});
      energies_.emplace_back(model, system, input, ask);
    } else if (input.kind == "force" && of_spring) {
      const int spring = index_of(model.springs, "spring");
      const bool along_axes = model.springs[static_cast<std::size_t>(spring)].along_axes();
      sensors_.push_back({Kind::spring_force, spring, along_axes ? axis : 0});
    } else {
      sensors_.push_back({input.kind == "force" ? Kind::force : Kind::strain, index_of(model.bars, "bar"), 0});
    }
  }
}

void Sensors::read(const Motion& now, std::vector<double>& values) {
  const auto& [state, reaction, multiplier, end_multiplier, acceleration] = now;
  const auto through = [&](const Sensor& s) {
    return system_->reaction(s.a, now.state.q, now.state.v, now.end_multiplier, scratch_, s.part);
  };
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const Sensor& s = sensors_[i];
    switch (s.kind) {
      case Kind::position: values[i] = state.q[s.a]; break;
      case Kind::velocity: values[i] = state.v[s.a]; break;
      case Kind::acceleration: values[i] = acceleration[s.a]; break;
      case Kind::travel: values[i] = travel(system_->joints()[static_cast<std::size_t>(s.a)], state.q); break;
      case Kind::spring_force: values[i] = system_->spring_force(s.a, s.b, state.q, state.v); break;
      case Kind::energy: values[i] = energies_[static_cast<std::size_t>(s.a)].at(*system_, state); break;
      case Kind::joint_force: values[i] = through(s).force[s.b]; break;
      case Kind::joint_torque: values[i] = through(s).torque[s.b]; break;
      case Kind::reaction: values[i] = reaction[s.a]; break;
      case Kind::distance: {
        Vec<6> c;
        c << state.q.segment<3>(s.a), state.q.segment<3>(s.b);
        values[i] = Distance{}.value(c)[0];
        break;
      }
      case Kind::force: values[i] = system_->bar(s.a, state.q).force; break;
      case Kind::strain: values[i] = system_->bar(s.a, state.q).strain; break;
      case Kind::angular_velocity: values[i] = state.rotations[s.a].angular_velocity[s.b]; break;
      case Kind::tilt: {
        const Vec3 turned = to_space(state.rotations[s.a].orientation, Vec3(Vec3::Unit(s.b)));
        values[i] = std::atan2(turned.cross(Vec3::Unit(s.b)).norm(), turned[s.b]);
        break;
      }
      case Kind::section_force: values[i] = rod_elements_[s.a].state(state.q).force[s.b]; break;
      case Kind::section_moment: values[i] = rod_elements_[s.a].state(state.q).moment[s.b]; break;
      case Kind::section_strain: values[i] = rod_elements_[s.a].state(state.q).strain[s.b]; break;
      case Kind::section_curvature: values[i] = rod_elements_[s.a].state(state.q).curvature[s.b]; break;
      case Kind::stress: values[i] = stress_of(known(rod_elements_[s.a].shape), rod_elements_[s.a].state(state.q)).mises; break;
      case Kind::multiplier: values[i] = multiplier[s.a]; break;
      case Kind::formula: {
        const RateFormula& f = formulas_[static_cast<std::size_t>(s.a)];
        const auto all = static_cast<std::size_t>(state.q.size());
        for (std::size_t k = 0; k < f.arguments.size(); ++k)
          arguments_[k] = f.arguments[k].kind == RateArgument::Kind::place && f.arguments[k].at == s.b
                              ? state.time
                              : value_of(f.arguments[k], {state.q.data(), all}, {state.v.data(), all});
        values[i] = f.formula.evaluate(arguments_);
        break;
      }
    }
  }
}

}  // namespace trompo
