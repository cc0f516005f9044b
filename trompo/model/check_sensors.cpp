#include "trompo/model/check_sensors.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "trompo/model/check_bodies.hpp"
#include "trompo/model/findings.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/rod.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

class SensorInspection : Findings {
 public:
  explicit SensorInspection(const Model& model) : Findings(model) {
    for (const NodeInput& n : m.nodes) nodes_.emplace(n.name, &n);
    for (const CoordinateInput& c : m.coordinates) coordinates_.insert(c.name);
    for (const BarInput& b : m.bars) bars_.insert(b.name);
  }

  std::vector<Diagnostic> all() {
    for (const SensorInput& s : m.sensors) sensor(s);
    return std::move(found_);
  }

 private:
  void sensor(const SensorInput& s) {
    const std::string who = "sensor " + in_quotes(s.name);
    const auto given = std::count_if(word_lists::sensors.begin(), word_lists::sensors.end(),
                                     [&](std::string_view kind) { return s.source.keys.contains(kind); });
    if (given > 1) return wrong(s.source, s.kind, who + " measures more than one thing", "write one [[sensor]] for each");
    if (s.at) wrong(s.source, "at", who + " has an `at`, but " + in_quotes(s.of[0]) + " is no rod", "remove it");
    if (s.kind == "energy") return energy(s, who);
    if (s.part == "kinetic" || s.part == "potential")
      return wrong(s.source, "part", who + " measures no energy", "leave `part` out, or measure `energy`");
    const bool through_joint = s.kind == "torque" || (s.kind == "reaction" && find(m.joints, s.of[0]) != nullptr);
    if (!s.part.empty() && !through_joint)
      wrong(s.source, "part", who + " has a `part`, but measures nothing that acts through a joint", "remove it");
    if (concerns_body(s, m)) return;  // check_bodies
    if (s.kind == "stress" || s.kind.starts_with("section_")) return rod_sensor(s, who);
    const JointInput* const joint = find(m.joints, s.of[0]);
    const bool at_joint = s.kind == "torque" || (s.kind == "reaction" && joint != nullptr);
    if (s.kind == "angle" || s.kind == "other_angle" || s.kind == "travel" || at_joint) {
      if (joint == nullptr) return unknown(s.source, s.kind, who, "joint", s.of[0], m.joints);
      const JointKind* const kind = find_joint_kind(joint->kind);
      const std::string which = who + ": joint " + in_quotes(s.of[0]);
      if (s.kind == "angle" && kind && !kind->has_angle())
        wrong(s.source, s.kind, which + " has no angle", "name one that does: hinge, cylindrical or universal");
      if (s.kind == "other_angle" && kind && kind->freedom != JointFreedom::cross)
        wrong(s.source, s.kind, which + " has no `other_axis`", "name a universal joint");
      if (s.kind == "travel" && kind && !kind->slides())
        wrong(s.source, s.kind, which + " does not slide along an axis", "name one that does: prismatic, cylindrical or line");
      if (at_joint && s.axis.empty()) wrong(s.source, s.kind, who + " needs an axis", "add axis = \"x\", \"y\" or \"z\"");
      return;
    }
    const bool along_axis = s.kind == "position" || s.kind == "velocity" || s.kind == "acceleration" || s.kind == "reaction";
    if (along_axis) {
      const auto found = nodes_.find(s.of[0]);
      if (found == nodes_.end()) return unknown(s.source, s.kind, who, "node", s.of[0], m.nodes);
      const auto axis = std::find(word_lists::axes.begin(), word_lists::axes.end(), s.axis);
      if (axis == word_lists::axes.end())
        return wrong(s.source, s.kind, who + " needs an axis", "add axis = \"x\", \"y\" or \"z\"");
      const auto i = axis - word_lists::axes.begin();
      if (s.kind == "reaction" && !holds(m, *found->second, static_cast<int>(i)) &&
          !found->second->motion[static_cast<std::size_t>(i)])
        wrong(s.source, "reaction",
              who + ": node " + in_quotes(s.of[0]) + " is not held along " + s.axis + ", so there is no reaction",
              "hold it with `fixed`, `fixed_axes` or `motion`, or choose another axis");
    } else if (s.kind == "distance") {
      for (const std::string& name : s.of)
        if (!nodes_.contains(name)) unknown(s.source, s.kind, who, "node", name, m.nodes);
    } else if (s.kind == "force" || s.kind == "strain") {
      if (const SpringInput* spring = s.kind == "force" ? find(m.springs, s.of[0]) : nullptr) {
        if (spring->along_axes() && s.axis.empty())
          wrong(s.source, s.kind, who + " needs an axis", "add axis = \"x\", \"y\" or \"z\"");
        return;
      }
      if (!bars_.contains(s.of[0])) unknown(s.source, s.kind, who, "bar", s.of[0], m.bars);
    } else if (s.kind == "value") {
      if (!coordinates_.contains(s.of[0])) unknown(s.source, s.kind, who, "coordinate", s.of[0], m.coordinates);
    } else if (s.kind == "multiplier") {
      if (find(m.constraints, s.of[0]) == nullptr) unknown(s.source, s.kind, who, "constraint", s.of[0], m.constraints);
    } else if (s.kind != "formula" && !s.kind.empty()) {
      wrong(s.source, "", who + ": there is no kind of sensor " + in_quotes(s.kind),
            suggestion(s.kind, {word_lists::sensors.begin(), word_lists::sensors.end()}));
    } else if (s.kind.empty()) {
      wrong(s.source, "", who + " does not say what it measures",
            "add one of position, velocity, acceleration, angular_velocity, tilt, reaction, distance, force, strain, energy, "
            "value, "
            "multiplier, angle, other_angle, travel, torque, section_force, section_moment, section_strain, section_curvature, "
            "stress, "
            "formula");
    }
    if (!along_axis && !s.axis.empty() && !s.kind.empty())
      say(Diagnostic::Severity::warning, s.source, "axis", "`axis` of " + who + " is not used",
          "remove it: " + in_quotes(s.kind) + " has no axis");
  }

  void energy(const SensorInput& s, const std::string& who) {
    const std::string& name = s.of[0];
    const bool massive = find(m.nodes, name) != nullptr || find(m.bodies, name) != nullptr;
    const bool stores = find(m.bars, name) != nullptr || find(m.springs, name) != nullptr || find(m.joints, name) != nullptr ||
                        std::any_of(m.rod_elements.begin(), m.rod_elements.end(),
                                    [&](const RodElementInput& e) { return belongs_to_rod(e.name, name); });
    if (!massive && !stores) {
      std::vector<std::string> names;
      const auto add = [&names](const auto& items) {
        for (const auto& item : items) names.push_back(item.name);
      };
      add(m.nodes), add(m.bodies), add(m.bars), add(m.springs), add(m.joints);
      return unknown(s.source, s.kind, who, "part with an energy", name, m.rod_elements, std::move(names));
    }
    if (s.part == "constraint" || s.part == "spring" || s.part == "damper")
      wrong(s.source, "part", who + ": an energy has no part " + in_quotes(s.part), "write \"kinetic\" or \"potential\"");
    if (s.part == "kinetic" && !massive)
      wrong(s.source, "part", who + ": " + in_quotes(name) + " has no mass of its own", "name a node or a body");
    if (!s.axis.empty())
      say(Diagnostic::Severity::warning, s.source, "axis", "`axis` of " + who + " is not used",
          "remove it: an energy has none");
  }
  void rod_sensor(const SensorInput& s, const std::string& who) {
    const RodElementInput* const element = find(m.rod_elements, s.of[0]);
    if (element == nullptr) return unknown(s.source, s.kind, who, "rod or rod element", s.of[0], m.rod_elements);
    if (s.kind != "stress" && s.axis.empty())
      return wrong(s.source, s.kind, who + " needs an axis", "add axis = \"x\", \"y\" or \"z\" for d1, d2 or d3");
    if (s.kind == "stress" && !element->section.given())
      wrong(s.source, s.kind, who + ": " + in_quotes(s.of[0]) + " has stiffnesses, but no section to have a stress in",
            "give the rod by `material` and `section`");
  }

  std::unordered_map<std::string, const NodeInput*> nodes_;
  std::unordered_set<std::string> coordinates_, bars_;
};

}  // namespace

std::vector<Diagnostic> check_sensors(const Model& model) { return SensorInspection(model).all(); }

}  // namespace trompo
