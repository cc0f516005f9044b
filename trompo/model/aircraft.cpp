#include "trompo/model/aircraft.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <span>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/aircraft_sensors.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/gust.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/model/rod_wing.hpp"

namespace trompo {

namespace {

constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};

// Where one body of the chain is.
struct Place {
  Vec3 x = Vec3::Zero();
  Quaternion turn = Quaternion::Identity();
  [[nodiscard]] Vec3 at(const Vec3& point) const { return x + to_space(turn, point); }
  // The place of a body that is turned so and whose `point` is where `at` is.
  static Place hanging(const Vec3& at, const Quaternion& turn, const Vec3& point) { return {at - to_space(turn, point), turn}; }
};

class AircraftParts {
 public:
  AircraftParts(const AircraftInput& aircraft, Model& model) : a(aircraft), m(model) {}

  void add() {
    BodyInput probe;
    probe.orientation = a.orientation;
    fuselage_ = {a.position, resolve_body(probe).orientation};
    spin_ = to_space(fuselage_.turn, a.angular_velocity);
    fuselage();
    if (a.wings > 0) by_rod() ? rod() : wings();
    gears();
    motors();
    mount();
    gusts();
    damage();
    if (a.sensors) add_sensors(a, {carriers_, rod_.nodes.size(), first_anchor_, first_rest_}, m);
  }

 private:
  static Source from(const Source& source, std::string_view key = {}) {
    Source out;
    out.line = source.of(key);
    return out;
  }

  // ---- bodies ----
  BodyInput& body(const std::string& name, std::optional<double> mass, const Source& source, const Place& place) {
    BodyInput b;
    b.source = from(source);
    b.name = name;
    b.mass = mass;
    b.position = place.x;
    const Quaternion& q = place.turn;
    b.orientation.quaternion = Vec<4>(q.w(), q.x(), q.y(), q.z());
    b.velocity = a.velocity + spin_.cross(place.x - fuselage_.x);
    b.angular_velocity = to_body(q, spin_);
    m.bodies.push_back(std::move(b));
    return m.bodies.back();
  }
  JointInput& joint(const std::string& name, const std::string& first, const std::string& second, const char* kind,
                    const Vec3& at, const Source& source) {
    JointInput j;
    j.source = from(source);
    j.name = name;
    j.bodies = {first, second};
    j.kind = kind;
    j.kinds_given = 1;
    j.form.at = at;
    m.joints.push_back(std::move(j));
    return m.joints.back();
  }

  void fuselage() {
    body("fuselage", a.fuselage.mass, a.fuselage.source.line > 0 ? a.fuselage.source : a.source, fuselage_).shape.box =
        Vec3::Constant(a.fuselage.side);
  }
  [[nodiscard]] bool by_rod() const { return a.wing.kind == "rod"; }
  [[nodiscard]] Place middle_of_wing() const {
    return {fuselage_.at(Vec3(0, 0, 0.5 * a.fuselage.side) + a.wing.offset), fuselage_.turn};
  }
  [[nodiscard]] double angle(std::size_t hinge) const {  // at t = 0
    const double given = of(a.dihedral_degrees, hinge) * std::numbers::pi / 180;
    const bool turned =
        a.dihedral_degrees.size() == 1 && a.pattern == "antisymmetric" && static_cast<long>(hinge) + 1 < centre_panel(a);
    return turned ? -given : given;
  }
  // The chain goes outwards from the panel on the fuselage, so that both sides are found by the same arithmetic.
  void wings() {
    const auto count = static_cast<std::size_t>(a.wings), centre = static_cast<std::size_t>(centre_panel(a)) - 1;
    const Source& source = a.wing.source.line > 0 ? a.wing.source : a.source;
    const Vec3 x = to_space(fuselage_.turn, Vec3::UnitX());
    const auto edge = [this](std::size_t wing, int side) { return Vec3(0, side * 0.5 * of(a.wing.span, wing), 0); };
    panels_.resize(count);
    panels_[centre] = middle_of_wing();
    std::vector<Vec3> hinges(count);
    for (const int side : {-1, 1}) {
      double turn = 0;
      for (std::size_t k = centre; side > 0 ? k + 1 < count : k > 0;) {
        const std::size_t next = side > 0 ? k + 1 : k - 1, hinge = std::min(k, next);
        turn += side * angle(hinge);
        hinges[hinge] = panels_[k].at(edge(k, side));
        panels_[next] = Place::hanging(hinges[hinge], fuselage_.turn * axis_angle(Vec3::UnitX(), turn), edge(next, -side));
        k = next;
      }
    }
    for (std::size_t k = 0; k < count; ++k)
      body(wing_name(k), of(a.wing.mass, k), source, panels_[k]).shape.plate = Vec<2>(of(a.wing.chord, k), of(a.wing.span, k));
    joint("root", "fuselage", wing_name(centre), "weld", panels_[centre].x, source);
    for (std::size_t k = 0; k + 1 < count; ++k) {
      const std::string name = hinge_name(static_cast<long>(k));
      JointInput& j = joint("hinge " + name, wing_name(k), wing_name(k + 1), "hinge", hinges[k], a.source);
      j.form.axis = x;
      j.stiffness = of(a.hinge_stiffness, k);
      j.damping = of(a.hinge_damping, k);
    }
    for (std::size_t k = 0; k < count; ++k) carriers_.push_back(wing_name(k));
  }

  // ---- the wing as a rod ----
  static std::string wing_element(std::size_t index) { return wing_node(index) + "-" + std::to_string(index + 1); }
  void rod() {
    const Source& source = a.wing.source.line > 0 ? a.wing.source : a.source;
    const Quaternion section = to_quaternion(section_axes());
    const Place middle = middle_of_wing();
    std::vector<double> angles;
    for (std::size_t k = 0; k + 1 < static_cast<std::size_t>(a.wings); ++k) angles.push_back(angle(k));
    rod_ = rod_wing(a, angles);
    std::vector<Place> places;
    for (std::size_t i = 0; i < rod_.nodes.size(); ++i) {
      const RodWing::Node& node = rod_.nodes[i];
      places.push_back({middle.at(node.place), middle.turn * axis_angle(Vec3::UnitX(), node.roll)});
      PartInput plate;
      plate.mass = node.mass;
      plate.shape.plate = Vec<2>(node.chord, node.span);
      plate.orientation.matrix = Mat3(section_axes().transpose());
      BodyInput& whole = body(wing_node(i), {}, source, {places.back().x, places.back().turn * section});
      whole.parts.push_back(plate);
      whole.parts.back().source = source;
    }
    for (std::size_t e = 0; e < rod_.elements.size(); ++e) {
      RodElementInput element;
      element.source = from(source);
      element.name = wing_element(e);
      element.bodies = {wing_node(e), wing_node(e + 1)};
      element.length = rod_.elements[e].length;
      element.stiffness = rod_.elements[e].stiffness;
      element.precurvature = Vec3::Zero();
      m.rod_elements.push_back(std::move(element));
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(a.wings); ++k) {
      carriers_.push_back(wing_node(rod_.middle(k)));
      panels_.push_back(places[rod_.middle(k)]);
    }
    joint("root", "fuselage", carriers_[static_cast<std::size_t>(centre_panel(a)) - 1], "weld", middle.x, source);
  }

  // Gears hang from their upper edge, motors lie on the panel.
  void gears() {
    const std::vector<double> on = panels_of(a.gear.on, a);
    for (std::size_t i = 0; i < on.size(); ++i) {
      const double height = of(a.gear.height, i);
      PartInput plate;
      plate.mass = of(a.gear.mass, i);
      plate.shape.plate = Vec<2>(of(a.gear.chord, i), height);
      plate.orientation.matrix = Mat3{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};  // upright
      part("gear", on[i], {of(a.gear.x, i), of(a.gear.y, i), 0}, {0, 0, 0.5 * height}, plate, a.gear.source);
    }
  }
  void motors() {
    const std::vector<double> on = panels_of(a.motor.on, a);
    for (std::size_t i = 0; i < on.size(); ++i) {
      const double d = of(a.motor.diameter, i);
      PartInput cylinder;
      cylinder.mass = of(a.motor.mass, i);
      cylinder.shape.cylinder = Vec<2>(0.5 * d, of(a.motor.length, i));
      cylinder.orientation.matrix = Mat3{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};  // along x
      const Vec3 place(of(a.motor.x, i), of(a.motor.y, i), 0);
      part("motor", on[i], place, {0, 0, -0.5 * d}, cylinder, a.motor.source, std::count(on.begin(), on.begin() + i, on[i]));
    }
  }
  // Its `point` is where `place` of the panel is; `before` others of its kind are on that panel.
  void part(const std::string& kind, double panel, const Vec3& place, const Vec3& point, const PartInput& what,
            const Source& own, std::ptrdiff_t before = 0) {
    const Source& source = own.line > 0 ? own : a.source;
    const auto k = static_cast<std::size_t>(panel) - 1;
    const std::string name = kind + std::to_string(k + 1) + (before > 0 ? "." + std::to_string(before + 1) : "");
    const Vec3 at = place.isZero(0) ? panels_[k].x : panels_[k].at(place);
    BodyInput& whole = body(name, {}, source, Place::hanging(at, panels_[k].turn, point));
    whole.parts.push_back(what);
    whole.parts.back().source = source;
    joint(name + " joint", carriers_[k], name, "weld", at, source);
  }

  // ---- the mount ----
  void mount() {
    const Source& source = a.mount.source.line > 0 ? a.mount.source : a.source;
    if (a.mount.kind == "rigid") joint("mount", "ground", "fuselage", "weld", fuselage_.x, source);
    if (a.mount.kind != "springs") return;
    const bool moves = !a.gusts.empty() && a.gust_form == "base";
    std::size_t spring = 0;
    for (const int along_x : {1, -1})
      for (const int along_y : {1, -1})
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (!a.mount.holds(axis)) continue;
          const double half = 0.5 * a.fuselage.side;
          const Vec3 vertex(along_x * half, along_y * half, -half);
          Vec3 anchor = vertex;
          const double length = of(a.mount.length, spring);
          anchor[static_cast<Eigen::Index>(axis)] += (axis == 0 ? along_x : axis == 1 ? along_y : -1) * length;
          const std::string corner = std::string(along_x > 0 ? "front" : "rear") + (along_y > 0 ? " left " : " right ");
          SpringInput s;
          s.source = from(source);
          s.name = "mount " + corner + std::string(axis_names[axis]);
          s.from.body = "fuselage";
          s.from.point = vertex;
          if (moves)
            s.to.node = moving_anchor("anchor " + corner + std::string(axis_names[axis]), anchor, source);
          else
            s.to.ground = anchor;
          s.stiffness = of(a.mount.stiffness, spring);
          s.length = length;
          s.damping = of(a.mount.damping, spring);
          ++spring;
          m.springs.push_back(std::move(s));
        }
  }
  std::string moving_anchor(const std::string& name, const Vec3& at, const Source& source) {
    NodeInput n;
    n.source = from(source);
    n.name = name;
    n.position = at;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double rest = at[static_cast<Eigen::Index>(axis)];
      const auto motion = base_motion(axis, rest);
      if (motion) n.position[static_cast<Eigen::Index>(axis)] = motion->value(0);
      n.fixed_axes[axis] = !motion;
      n.motion[axis] = motion;
    }
    if (first_anchor_.empty()) first_anchor_ = name, first_rest_ = at;
    m.nodes.push_back(std::move(n));
    return name;
  }
  // Where the base carries what stands at `rest`; nothing if no gust blows along this axis.
  [[nodiscard]] std::optional<TimeFunction> base_motion(std::size_t axis, double rest) const {
    const std::vector<const GustInput*> blowing = gusts_along(a, axis);
    if (blowing.empty()) return {};
    if (std::all_of(blowing.begin(), blowing.end(), [](const GustInput* g) { return g->shape == "table"; })) {
      std::set<double> times;
      for (const GustInput* g : blowing)
        for (const auto& row : rows_of(*g)) times.insert(row.first);
      TimeFunction::Table sum;
      for (const double t : times) {
        sum.emplace_back(t, rest);
        for (const GustInput* g : blowing) sum.back().second += known(g->table).value(t);
      }
      return TimeFunction(std::move(sum));
    }
    std::string text = number_text(rest);
    for (const GustInput* g : blowing) text += " + " + displacement_in_window(*g);
    return TimeFunction::parse(text);
  }

  // ---- what happens to it ----
  void gusts() {
    for (std::size_t i = 0; i < a.gusts.size(); ++i) {
      const GustInput& g = a.gusts[i];
      const Source source = from(g.source.line > 0 ? g.source : a.source);
      m.marks.push_back({source, g.start, g.end, g.shape + " gust along " + g.axis});
      if (a.gust_form != "fuselage") continue;
      LoadInput l;
      l.source = source;
      l.source.keys = {{"body", l.source.line}, {"force", l.source.line}};
      l.name = "gust " + std::to_string(i + 1);
      l.on = "fuselage";
      l.force[static_cast<std::size_t>(g.axis[0] - 'x')] = TimeFunction::parse(inertia_force_text(g, a.fuselage.mass));
      m.loads.push_back(std::move(l));
    }
  }
  void damage() {
    for (const DamageInput& d : a.damages) {
      EventInput e;
      e.source = from(d.source.line > 0 ? d.source : a.source);
      e.at = d.at;
      e.what = "joint";
      e.name = "hinge " + d.hinge;
      e.stiffness = d.stiffness;
      by_rod() ? damage_rod(d, e) : m.events.push_back(std::move(e));
    }
  }
  // Every element between the middles of the two panels.
  void damage_rod(const DamageInput& d, EventInput e) {
    e.what = "rod_element";
    e.stiffness.reset();
    for (std::size_t i = 0; i < rod_.elements.size(); ++i) {
      const std::size_t hinge = rod_.elements[i].hinge;
      if (hinge_name(static_cast<long>(hinge)) != d.hinge) continue;
      e.name = wing_element(i);
      e.EI = std::vector<double>{known(rod_.elements[i].stiffness.EI).front(), d.stiffness * stretch_of(a, hinge)};
      m.events.push_back(e);
    }
  }

  const AircraftInput& a;
  Model& m;
  Place fuselage_;
  Vec3 spin_ = Vec3::Zero();
  std::vector<Place> panels_;          // their middles
  std::vector<std::string> carriers_;  // the bodies there
  RodWing rod_;                        // if the wing is one
  std::string first_anchor_;
  Vec3 first_rest_ = Vec3::Zero();
};

}  // namespace

std::string wing_name(std::size_t index) { return "wing" + std::to_string(index + 1); }
std::string wing_node(std::size_t index) { return "wing." + std::to_string(index); }
std::string hinge_name(long index) { return std::to_string(index + 1) + "-" + std::to_string(index + 2); }

long centre_panel(const AircraftInput& a) { return a.wings == 0 ? 0 : a.centre.value_or((a.wings + 1) / 2); }

std::vector<double> panels_of(const std::optional<PerPart>& on, const AircraftInput& a) {
  if (on) return *on;
  std::vector<double> odd;
  for (long k = 1; k <= a.wings; k += 2) odd.push_back(static_cast<double>(k));
  return odd;
}

void expand(const AircraftInput& aircraft, Model& model) {
  const Lookup ask(model, aircraft.source, "", "aircraft");
  const auto look_up = [&](std::span<const std::string_view> words, const char* kind, const std::string& word) {
    if (!word.empty()) (void)ask.word(words, kind, word);
  };
  look_up(word_lists::wing_kinds, "kind of wing", aircraft.wing.kind);
  look_up(word_lists::mounts, "kind of mount", aircraft.mount.kind);
  look_up(word_lists::patterns, "pattern", aircraft.pattern);
  look_up(word_lists::gust_forms, "gust_form", aircraft.gust_form);
  for (const GustInput& gust : aircraft.gusts) {
    look_up(word_lists::gust_shapes, "shape of a gust", gust.shape);
    look_up(word_lists::axes, "axis of a gust", gust.axis);
  }
  std::vector<Diagnostic> found = check_aircraft(aircraft, model);
  std::erase_if(found, [](const Diagnostic& d) { return d.severity != Diagnostic::Severity::error; });
  if (!found.empty()) throw ModelError(std::move(found));
  AircraftParts(aircraft, model).add();
}

}  // namespace trompo
