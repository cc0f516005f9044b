#include "trompo/model/aircraft_sensors.hpp"

#include "trompo/model/aircraft.hpp"
#include "trompo/model/gust.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

struct AircraftSensors {
  const AircraftInput& a;
  const AircraftNames& parts;
  Model& m;

  void sensor(const std::string& name, const std::string& kind, const std::string& of, std::string_view axis = {}) {
    SensorInput s;
    s.source.line = a.source.of({});
    s.name = name;
    s.kind = kind;
    s.of[0] = of;
    s.axis = axis;
    m.sensors.push_back(std::move(s));
  }
  void all() {
    for (const std::string_view axis : word_lists::axes) sensor("fuselage " + std::string(axis), "position", "fuselage", axis);
    // Yaw, pitch and roll, in this order, turn global axes into those of the fuselage.
    sensor("fuselage roll", "formula", "atan2(fuselage.d2.z, fuselage.d3.z)");
    sensor("fuselage pitch", "formula", "atan2(-fuselage.d1.z, sqrt(fuselage.d1.x^2 + fuselage.d1.y^2))");
    sensor("fuselage yaw", "formula", "atan2(fuselage.d1.y, fuselage.d1.x)");
    if (a.wing.kind == "rod" && a.wings > 0) return rod_sensors();
    for (long k = 0; k + 1 < a.wings; ++k) sensor("angle " + hinge_name(k), "angle", "hinge " + hinge_name(k));
    for (std::size_t k = 0; k < parts.carriers.size(); ++k)
      sensor(wing_name(k) + " roll", "formula", "atan2(" + wing_name(k) + ".d2.z, " + wing_name(k) + ".d3.z)");
    for (std::size_t k = 0; k < parts.carriers.size() && a.panel_angles; ++k) {
      const std::string d1 = wing_name(k) + ".d1";
      sensor(wing_name(k) + " pitch", "formula", "atan2(-" + d1 + ".z, sqrt(" + d1 + ".x^2 + " + d1 + ".y^2))");
      sensor(wing_name(k) + " yaw", "formula", "atan2(" + d1 + ".y, " + d1 + ".x)");
    }
    for (std::size_t axis = 0; axis < 3; ++axis) base_sensors(axis);
  }
  // How far the tips are above the middle of the wing, in fuselage axes; and at the panels what their angles would be.
  void rod_sensors() {
    const auto dot = [](const std::string& u, const std::string& v) {
      return u + ".x*" + v + ".x + " + u + ".y*" + v + ".y + " + u + ".z*" + v + ".z";
    };
    for (const auto& [name, node] : {std::pair{"tip right", std::size_t{0}}, {"tip left", parts.rod_nodes - 1}}) {
      std::string text;
      for (const std::string_view axis : word_lists::axes) {
        const std::string end = "." + std::string(axis);
        text +=
            (text.empty() ? "" : " + ") + ("(`" + wing_node(node) + "`" + end + " - fuselage" + end + ")*fuselage.d3" + end);
      }
      sensor(name, "formula", text + " - " + number_text(0.5 * a.fuselage.side));
    }
    for (std::size_t k = 0; k + 1 < parts.carriers.size(); ++k) {
      const std::string one = "`" + parts.carriers[k] + "`", next = "`" + parts.carriers[k + 1] + "`";
      sensor("angle " + hinge_name(static_cast<long>(k)), "formula",
             "atan2(" + dot(next + ".d3", one + ".d1") + ", " + dot(next + ".d1", one + ".d1") + ")");
    }
    for (std::size_t k = 0; k < parts.carriers.size(); ++k)
      sensor(wing_name(k) + " roll", "formula", "atan2(`" + parts.carriers[k] + "`.d3.z, `" + parts.carriers[k] + "`.d1.z)");
    for (std::size_t k = 0; k < parts.carriers.size() && a.panel_angles; ++k) {  // d2 of a section points forward
      const std::string d2 = "`" + parts.carriers[k] + "`.d2";
      sensor(wing_name(k) + " pitch", "formula", "atan2(-" + d2 + ".z, sqrt(" + d2 + ".x^2 + " + d2 + ".y^2))");
      sensor(wing_name(k) + " yaw", "formula", "atan2(" + d2 + ".y, " + d2 + ".x)");
    }
    for (std::size_t axis = 0; axis < 3; ++axis) base_sensors(axis);
  }
  // How far the base is from its place, and with the published form, whose coordinates are relative to it, the absolute ones.
  void base_sensors(std::size_t axis) {
    const std::string name(word_lists::axes[axis]);
    const std::vector<const GustInput*> blowing = gusts_along(a, axis);
    if (blowing.empty()) return;
    if (a.gust_form == "base")
      return sensor("base " + name, "formula",
                    "`" + parts.first_anchor + "`." + name + " - (" +
                        number_text(parts.first_rest[static_cast<Eigen::Index>(axis)]) + ")");
    std::string moved;
    for (const GustInput* g : blowing) moved += (moved.empty() ? "" : " + ") + displacement_in_window(*g);
    sensor("base " + name, "formula", moved);
    sensor("fuselage absolute " + name, "formula", "fuselage." + name + " + " + moved);
  }
};

}  // namespace

void add_sensors(const AircraftInput& aircraft, const AircraftNames& parts, Model& model) {
  AircraftSensors{aircraft, parts, model}.all();
}

}  // namespace trompo
