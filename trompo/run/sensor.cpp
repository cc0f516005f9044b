#include "trompo/run/sensor.hpp"

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/measure/distance.hpp"

namespace trompo {

namespace {

template <class Item>
int index_of(const std::vector<Item>& items, const std::string& name) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].name == name) return static_cast<int>(i);
  throw std::invalid_argument("a sensor looks at '" + name + "', which is not there");
}

}  // namespace

Sensors::Sensors(const Model& model, const System& system) : system_(&system), scratch_(VecX::Zero(system.coordinates())) {
  const FormulaScope scope(model);
  std::vector<RodElement> elements;  // of all rods, if a sensor looks at one
  for (const SensorInput& input : model.sensors) {
    names_.push_back(input.name);
    const auto point = [&](int i) {
      for (std::size_t b = 0; b < model.bodies.size(); ++b)
        if (model.bodies[b].name == input.of[i]) return system.bodies()[b].first;
      return system.nodes()[index_of(model.nodes, input.of[i])];
    };
    const int axis = input.axis.empty() ? 0 : input.axis[0] - 'x';
    const auto joint = [&] {
      for (std::size_t j = 0; j < system.joints().size(); ++j)
        if (system.joints()[j].name == input.of[0]) return static_cast<int>(j);
      return -1;
    };
    if (input.kind == "angle") {
      sensors_.push_back({Kind::position, system.joints()[static_cast<std::size_t>(joint())].angle, 0});
    } else if (input.kind == "torque" || (input.kind == "reaction" && joint() >= 0)) {
      sensors_.push_back({input.kind == "torque" ? Kind::joint_torque : Kind::joint_force, joint(), axis});
    } else if (input.kind == "position") {
      sensors_.push_back({Kind::position, point(0) + axis, 0});
    } else if (input.kind == "velocity") {
      sensors_.push_back({Kind::velocity, point(0) + axis, 0});
    } else if (input.kind == "reaction") {
      sensors_.push_back({Kind::reaction, point(0) + axis, 0});
      want_reactions_ = true;
    } else if (input.kind == "distance") {
      sensors_.push_back({Kind::distance, point(0), point(1)});
    } else if (input.kind == "value") {
      sensors_.push_back({Kind::position, system.scalars()[index_of(model.coordinates, input.of[0])], 0});
    } else if (input.kind == "angular_velocity" || input.kind == "tilt") {
      sensors_.push_back(
          {input.kind == "tilt" ? Kind::tilt : Kind::angular_velocity, index_of(model.bodies, input.of[0]), axis});
    } else if (input.kind == "multiplier") {
      int multiplier = 0;
      while (multiplier + 1 < system.multipliers() && system.constraint_name(multiplier) != input.of[0]) ++multiplier;
      sensors_.push_back({Kind::multiplier, multiplier, 0});
    } else if (input.kind == "formula") {
      sensors_.push_back({Kind::formula, static_cast<int>(formulas_.size()), scope.time()});
      formulas_.push_back(scope.expanded(input.of[0]));
      arguments_.resize(std::max(arguments_.size(), formulas_.back().coordinates.size()));
    } else if (input.kind == "stress" || input.kind.starts_with("section_")) {
      const Kind kind = input.kind == "stress"           ? Kind::stress
                        : input.kind == "section_force"  ? Kind::section_force
                        : input.kind == "section_moment" ? Kind::section_moment
                        : input.kind == "section_strain" ? Kind::section_strain
                                                         : Kind::section_curvature;
      sensors_.push_back({kind, static_cast<int>(rod_elements_.size()), axis});
      if (elements.empty()) elements = rod_elements(model, system.bodies());
      rod_elements_.push_back(elements.at(static_cast<std::size_t>(index_of(model.rod_elements, input.of[0]))));
    } else {
      sensors_.push_back({input.kind == "force" ? Kind::force : Kind::strain, index_of(model.bars, input.of[0]), 0});
    }
  }
}

void Sensors::read(const State& state, const VecX& reaction, const VecX& multiplier, std::vector<double>& values) {
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const Sensor& s = sensors_[i];
    switch (s.kind) {
      case Kind::position: values[i] = state.q[s.a]; break;
      case Kind::velocity: values[i] = state.v[s.a]; break;
      case Kind::joint_force: values[i] = system_->reaction(s.a, state.q, multiplier, scratch_).force[s.b]; break;
      case Kind::joint_torque: values[i] = system_->reaction(s.a, state.q, multiplier, scratch_).torque[s.b]; break;
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
        const ScopedFormula& f = formulas_[static_cast<std::size_t>(s.a)];
        for (std::size_t k = 0; k < f.coordinates.size(); ++k)
          arguments_[k] = f.coordinates[k] == s.b ? state.time : state.q[f.coordinates[k]];
        values[i] = f.formula.evaluate(arguments_);
        break;
      }
    }
  }
}

}  // namespace trompo
