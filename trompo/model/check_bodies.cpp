#include "trompo/model/check_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"

namespace trompo {

namespace {

using Severity = Diagnostic::Severity;

template <class Item>
const Item* find(const std::vector<Item>& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&name](const Item& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

template <class Item>
void append_names(const std::vector<Item>& items, std::vector<std::string>& out) {
  for (const Item& item : items) out.push_back(item.name);
}

bool is_zero(const std::array<TimeFunction, 3>& f, const std::array<std::string, 3>& texts) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!texts[i].empty() || !f[i].constant() || f[i].value(0) != 0) return false;
  return true;
}

class BodyInspection {
 public:
  explicit BodyInspection(const Model& model) : m(model) {}

  std::vector<Diagnostic> all() {
    formulation();
    for (const BodyInput& b : m.bodies) body(b), plane(b);
    for (const JointInput& j : m.joints) plane(j);
    for (const LoadInput& l : m.loads) {
      if (concerns_body(l, m))
        load(l);
      else
        without_body(l);
    }
    for (const SensorInput& s : m.sensors)
      if (concerns_body(s, m)) sensor(s);
    for (const SpringInput& s : m.springs) spring(s);
    if (m.time.max_rotation_per_step && m.bodies.empty())
      say(Severity::warning, m.time.source, "max_rotation_per_step",
          "`max_rotation_per_step` is not used: there is no [[body]]", "remove it");
    return std::move(found_);
  }

 private:
  void say(Severity severity, const Source& source, std::string_view key, std::string message, std::string remedy) {
    found_.push_back({severity, source.place_of(key, m.file), source.of(key), std::move(message), std::move(remedy)});
  }
  void wrong(const Source& source, std::string_view key, std::string message, std::string remedy) {
    say(Severity::error, source, key, std::move(message), std::move(remedy));
  }
  void unknown_body(const Source& source, std::string_view key, const std::string& who, const std::string& name) {
    std::vector<std::string> names;
    append_names(m.bodies, names);
    wrong(source, key, who + ": there is no body " + in_quotes(name), suggestion(name, names));
  }

  void formulation() {
    const bool given = !m.formulation.empty() || m.source.keys.contains("formulation");
    if (m.bodies.empty()) {
      if (given)
        say(Severity::warning, m.source, "formulation", "`formulation` is not used: there is no [[body]]", "remove it");
      return;
    }
    if (given && std::find(formulations.begin(), formulations.end(), m.formulation) == formulations.end())
      wrong(m.source, "formulation",
            "'formulation' is " + in_quotes(m.formulation) + R"(, but must be "directors", "rotation" or "euler-parameters")",
            suggestion(m.formulation, {formulations.begin(), formulations.end()}));
    if (!m.plane.empty() && m.formulation == formulations[2])
      wrong(m.source, "formulation", "Euler parameters are not held in a plane",
            R"(say formulation = "directors" or "rotation", or leave out plane = ")" + m.plane + "\"");
  }
  // In a plane problem a body moves along two axes and turns about the normal.
  void plane(const BodyInput& b) {
    const int normal = m.normal_axis();
    if (normal < 0) return;
    const std::string of = " of body " + in_quotes(b.name), remedy = "leave out plane = \"" + m.plane + "\"";
    const ResolvedBody body = resolve_body(b);
    const auto flat = [&](const char* key, const Vec3& x) {
      if (x[normal] != 0)
        wrong(b.source, key, in_quotes(key) + of + " leaves the plane: its " + "xyz"[normal] + " is " + number_text(x[normal]),
              "make it zero, or " + remedy);
    };
    if (b.position) flat("position", *b.position);
    if (b.fixed_point) flat("fixed_point", *b.fixed_point);
    if (b.velocity) flat("velocity", *b.velocity);
    constexpr double aligned = 1e-9;
    const Mat3 axes = to_matrix(body.orientation);
    if (axes.row(normal).cwiseAbs().maxCoeff() < 1 - aligned)
      return wrong(b.source, "orientation", "no axis" + of + " is along the normal of the plane",
                   "turn it about the normal alone, or " + remedy);
    const Vec3 spin = axes * b.angular_velocity;
    if ((spin - spin[normal] * Vec3::Unit(normal)).norm() > aligned * spin.norm())
      wrong(b.source, "angular_velocity", "`angular_velocity`" + of + " leaves the plane",
            "let it be about the axis along the normal, or " + remedy);
  }
  // Of a vector that turns something: along the normal; of one that moves it: across.
  void plane(const LoadInput& l, const char* key, const std::array<TimeFunction, 3>& f, const std::array<std::string, 3>& texts,
             int normal, bool turns) {
    for (int i = 0; i < 3; ++i) {
      const auto& value = f[static_cast<std::size_t>(i)];
      const bool zero = texts[static_cast<std::size_t>(i)].empty() && value.constant() && value.value(0) == 0;
      if ((i == normal) != turns && !zero)
        wrong(l.source, key,
              "the " + std::string(key) + " of load " + in_quotes(l.name) + " leaves the plane along " + "xyz"[i],
              "make it zero, or leave out plane = \"" + m.plane + "\"");
    }
  }
  void plane(const JointInput& j) {
    const int normal = m.normal_axis();
    if (normal < 0) return;
    const std::string who = "joint " + in_quotes(j.name);
    constexpr double aligned = 1e-9;
    for (const auto& [key, axis] : {std::pair{"axis", j.form.axis}, {"other_axis", j.form.other_axis}}) {
      if (!axis || axis->isZero(0)) continue;
      const double along = std::abs(axis->normalized()[normal]);
      if (along > aligned && along < 1 - aligned)
        wrong(j.source, key, "`" + std::string(key) + "` of " + who + " is neither along the normal of the plane nor in it",
              "turn it, or leave out plane = \"" + m.plane + "\"");
      else if (std::string_view(key) == "axis" && along < aligned && j.motion && j.kind != "prismatic" && j.kind != "distance")
        wrong(j.source, "motion", who + " is driven about an axis in the plane", "in a plane bodies turn about its normal");
    }
    for (const auto& [key, place] : {std::pair{"at", j.form.at}, {"from", j.form.from}})
      if (place && (*place)[normal] != 0)
        wrong(j.source, key, "`" + std::string(key) + "` of " + who + " leaves the plane",
              "make its " + std::string(1, "xyz"[normal]) + " zero");
  }
  void body(const BodyInput& b) {
    if (b.name == "ground")
      wrong(b.source, "name", "a body has the name 'ground', which is that of the ground", "choose another one");
    for (const BodyRemark& r : inspect_body(b))
      found_.push_back({r.severity, b.source.place_of(r.key, m.file), r.line, r.message, r.remedy});
    if (b.fixed_point && !b.centre && b.parts.empty() && !m.gravity.isZero(0))
      say(Severity::warning, b.source, "fixed_point",
          "gravity does not turn body " + in_quotes(b.name) + ": it has no `centre`, so it is held in its centre of mass",
          "give `centre`, in body axes from the fixed point");
  }

  // ---- loads ----
  void without_body(const LoadInput& l) {
    if (l.follower)
      wrong(l.source, "follower", "load " + in_quotes(l.name) + " is a follower but acts on no body",
            "a node has no axes to follow: remove it, or say body = \"...\"");
    for (const char* key : {"torque", "moment", "point"})
      if (l.source.keys.contains(key))
        wrong(l.source, key, "load " + in_quotes(l.name) + " has a `" + key + "` but acts on no body",
              "remove it, or say body = \"...\"");
  }
  void load(const LoadInput& l) {
    const std::string who = "load " + in_quotes(l.name);
    const auto has = [&l](const char* key) { return l.source.keys.contains(key); };
    for (const char* other : {"node", "coordinate"}) {
      if (!has(other)) continue;
      if (has("body")) return wrong(l.source, "body", who + " has both `body` and `" + other + "`", "keep one");
      return wrong(l.source, other, who + ": " + in_quotes(l.on) + " is a body", "write body = \"" + l.on + "\"");
    }
    if (!find(m.bodies, l.on)) {
      const char* kind = find(m.nodes, l.on) ? "node" : find(m.coordinates, l.on) ? "coordinate" : nullptr;
      if (!kind) return unknown_body(l.source, "body", who, l.on);
      return wrong(l.source, "body", who + ": " + in_quotes(l.on) + " is a " + kind,
                   std::string("write ") + kind + " = \"" + l.on + "\"");
    }
    if (has("force") && has("table")) return wrong(l.source, "table", who + " has both `force` and `table`", "keep one");
    if (l.source.line > 0 && !has("force") && !has("table") && !has("torque") && !has("moment"))
      return wrong(l.source, "", who + " has no force", "add `force`, `table`, `torque` or `moment`");
    if (has("point") && !has("force") && !has("table"))
      say(Severity::warning, l.source, "point", "`point` of " + who + " is not used: it has no force",
          "a torque is the same at every point of a body");
    if (l.follower && l.potential)
      wrong(l.source, "potential", who + " is a follower, and a force that turns with its body has no potential",
            "leave it out");
    steady(l, who, has("table") ? "table" : "force", "force", l.force, l.formula);
    steady(l, who, "torque", "torque", l.torque, l.torque_formula);
    steady(l, who, "moment", "moment", l.moment, l.moment_formula);
    if (const int normal = m.normal_axis(); normal >= 0) {
      int own = 0;
      to_matrix(resolve_body(*find(m.bodies, l.on)).orientation).row(normal).cwiseAbs().maxCoeff(&own);
      plane(l, has("table") ? "table" : "force", l.force, l.formula, l.follower ? own : normal, false);
      plane(l, "torque", l.torque, l.torque_formula, own, true);
      plane(l, "moment", l.moment, l.moment_formula, normal, true);
    }
    if (l.potential && !is_zero(l.moment, l.moment_formula))
      wrong(l.source, "potential", who + " has potential = true, but a moment of fixed direction has no potential",
            "leave it out");
    if (l.potential && !is_zero(l.torque, l.torque_formula))
      wrong(l.source, "potential", who + " has potential = true, but a torque in body axes has no potential",
            "leave it out; a constant force in a load of its own may have it");
  }
  // Finite at the start, and constant if it is to be a potential. Formulas of coordinates are checked where they are read.
  void steady(const LoadInput& l, const std::string& who, std::string_view key, const std::string& what,
              const std::array<TimeFunction, 3>& f, const std::array<std::string, 3>& texts) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string along = std::string(" along ") + "xyz"[i];
      if (!texts[i].empty()) continue;
      if (!std::isfinite(f[i].value(0)))
        wrong(l.source, key, "the " + what + " of " + who + along + " is not finite at t = 0", "check the formula");
      else if (l.potential && what == "force" && !f[i].constant())
        wrong(l.source, "potential", who + " has potential = true, but its force" + along + " changes with time",
              "only a constant load has a potential; leave it out");
    }
  }

  // ---- sensors ----
  void sensor(const SensorInput& s) {
    const std::string who = "sensor " + in_quotes(s.name);
    if (!find(m.bodies, s.of[0])) {
      if (find(m.nodes, s.of[0]))
        return wrong(s.source, s.kind, who + ": " + in_quotes(s.of[0]) + " is a node, which does not turn", "name a body");
      return unknown_body(s.source, s.kind, who, s.of[0]);
    }
    if (s.axis != "x" && s.axis != "y" && s.axis != "z")
      wrong(s.source, s.kind, who + " needs an axis", "add axis = \"x\", \"y\" or \"z\"");
  }

  // ---- the ends of springs ----
  void spring(const SpringInput& s) {
    const std::string who = "spring " + in_quotes(s.name);
    const bool nodes = !s.nodes[0].empty() || s.source.keys.contains("nodes");
    const bool ends = s.from.given() || s.to.given();
    if (nodes && ends)
      return wrong(s.source, s.from.given() ? "from" : "to", who + " has both `nodes` and `from`, `to`", "keep one way");
    if (nodes) return;
    if (!ends) return wrong(s.source, "", who + " joins nothing", "name its ends: `nodes`, or `from` and `to`");
    if (!s.from.given() || !s.to.given())
      return wrong(s.source, "", who + " has no `" + (s.from.given() ? "to" : "from") + "`", "give both ends");
    const auto a = place(s, "from", s.from, who), b = place(s, "to", s.to, who);
    if (!a || !b) return;
    if (s.from.node == s.to.node && s.from.body == s.to.body) {
      const std::string what = !s.to.node.empty()   ? "node " + in_quotes(s.to.node)
                               : !s.to.body.empty() ? "body " + in_quotes(s.to.body)
                                                    : "the ground";
      return wrong(s.source, "to", who + " joins " + what + " to itself", "name two that can move apart");
    }
    if (!s.along_axes() && (*a - *b).norm() <= 1e-12 * (a->norm() + b->norm()))
      wrong(s.source, "to", who + " has zero length at t = 0: it has no direction to pull in", "move one of its ends");
  }
  // Where an end is at t = 0; nothing, and a complaint, if it is nowhere.
  std::optional<Vec3> place(const SpringInput& s, std::string_view key, const EndInput& e, const std::string& who) {
    const std::string end = who + ", `" + std::string(key) + "`";
    const int given = !e.node.empty() + !e.body.empty() + e.ground.has_value();
    if (given != 1) {
      wrong(s.source, key, end + (given == 0 ? " names nothing" : " names more than one thing"),
            "give one of { node = .. }, { body = .., point = .. } and { ground = .. }");
      return {};
    }
    if (e.point && e.body.empty()) {
      wrong(s.source, key, end + " has a `point` but no `body`", "points are those of bodies: remove it");
      return {};
    }
    if (moves(e.motion) && !e.ground) {
      wrong(s.source, key, end + " has a `motion` but no `ground`",
            "a node has a motion of its own; say where the ground is at t = 0");
      return {};
    }
    if (e.ground) {
      if (const auto axis = starts_elsewhere(e.motion, *e.ground))
        wrong(s.source, key,
              end + ": its motion along " + "xyz"[*axis] + " starts at " + number_text(known(e.motion[*axis]).value(0)) +
                  ", but the ground there is at " + number_text((*e.ground)[*axis]),
              "motion is the coordinate itself: let it start where `ground` says");
      return e.ground;
    }
    if (!e.body.empty()) {
      if (const BodyInput* b = find(m.bodies, e.body)) return resolve_body(*b).place_of(e.point.value_or(Vec3::Zero()));
      unknown_body(s.source, key, end, e.body);
      return {};
    }
    if (const NodeInput* n = find(m.nodes, e.node)) return n->position;
    std::vector<std::string> names;
    append_names(m.nodes, names);
    wrong(s.source, key, end + ": there is no node " + in_quotes(e.node), suggestion(e.node, names));
    return {};
  }

  const Model& m;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_bodies(const Model& model) { return BodyInspection(model).all(); }

std::optional<int> starts_elsewhere(const Motions& motion, const Vec3& place) {
  for (int i = 0; i < 3; ++i) {
    const auto& along = motion[static_cast<std::size_t>(i)];
    if (along && !(std::abs(along->value(0) - place[i]) <= 1e-9 * std::max(1.0, place.norm()))) return i;
  }
  return {};
}

bool concerns_body(const LoadInput& l, const Model& m) { return l.source.keys.contains("body") || find(m.bodies, l.on); }

bool concerns_body(const SensorInput& s, const Model& m) {
  if (s.kind == "angular_velocity" || s.kind == "tilt") return true;
  return (s.kind == "position" || s.kind == "velocity" || s.kind == "acceleration") && find(m.bodies, s.of[0]);
}

}  // namespace trompo
