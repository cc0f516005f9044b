#include "trompo/model/check.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "trompo/model/aircraft.hpp"
#include "trompo/model/check_bodies.hpp"
#include "trompo/model/check_events.hpp"
#include "trompo/model/check_formulas.hpp"
#include "trompo/model/check_joints.hpp"
#include "trompo/model/check_sensors.hpp"
#include "trompo/model/checkpoint_rule.hpp"
#include "trompo/model/findings.hpp"
#include "trompo/model/rod.hpp"

namespace trompo {

namespace {

using Severity = Diagnostic::Severity;

constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};
constexpr std::size_t longest_name = 255;
constexpr double tolerance = 1e-9;  // of values that are written twice and must agree

bool agree(double a, double b) { return std::abs(a - b) <= tolerance * (1 + std::abs(a)); }
bool finite(const Jet& f) { return std::isfinite(f.value) && std::isfinite(f.rate) && std::isfinite(f.curvature); }
bool coincide(const Vec3& a, const Vec3& b) { return (a - b).norm() <= 1e-12 * (a.norm() + b.norm()); }

// The motion a user probably meant: what was written, counted from where the node stands.
std::string shifted(const TimeFunction& motion, double offset) {
  const auto* formula = std::get_if<Formula>(&motion.form());
  if (!formula) return number_text(motion.value(0) + offset);
  const bool comparison = formula->text().find_first_of("<>=") != std::string::npos;
  return "\"" + number_text(offset) + " + " + (comparison ? "(" + formula->text() + ")" : formula->text()) + "\"";
}

bool has_control_character(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (c < 0x20 || c == 0x7F) return true;
    if (c == 0xC2 && i + 1 < name.size() && static_cast<unsigned char>(name[i + 1]) < 0xA0) return true;  // U+0080 to U+009F
  }
  return false;
}

// One walk over the model. Each function looks at one kind of part and says what is wrong with it.
class Inspection : Findings {
 public:
  explicit Inspection(const Model& model) : Findings(model) {
    for (const NodeInput& n : m.nodes) nodes_.emplace(n.name, &n);
    for (const CoordinateInput& c : m.coordinates) coordinates_.insert(c.name);
    for (const PendulumInput& p : m.pendulums) swinging_.insert(p.coordinate);
    for (const BarInput& b : m.bars)
      if (b.density > 0) heavy_.insert(b.nodes.begin(), b.nodes.end());
  }

  std::vector<Diagnostic> all() {
    if (m.nodes.empty() && m.bodies.empty() && m.coordinates.empty())
      say(Severity::error, m.source, "", "the model has nothing that moves", "add a [[node]], a [[body]] or a [[coordinate]]");
    names();
    if (m.aircraft)
      for (const Diagnostic& d : check_aircraft(*m.aircraft, m)) found_.push_back(d);
    if (m.normal_axis() >= 0) in_plane(m.source, "gravity", m.gravity, "");
    for (const NodeInput& n : m.nodes) node(n);
    for (const CoordinateInput& c : m.coordinates) coordinate(c);
    for (const PendulumInput& p : m.pendulums) pendulum(p);
    for (const Diagnostic& d : check_bodies(m)) found_.push_back(d);
    for (const Diagnostic& d : check_joints(m)) found_.push_back(d);
    for (const Diagnostic& d : check_events(m)) found_.push_back(d);
    for (const Diagnostic& d : check_formulas(m)) found_.push_back(d);
    for (const Diagnostic& d : check_rod_elements(m)) found_.push_back(d);
    for (const BarInput& b : m.bars) bar(b);
    for (const SpringInput& s : m.springs) spring(s);
    rayleigh();
    for (const LoadInput& l : m.loads) load(l);
    for (const Diagnostic& d : check_sensors(m)) found_.push_back(d);
    time();
    std::stable_sort(found_.begin(), found_.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
    return std::move(found_);
  }

 private:
  void unknown_node(const Source& source, std::string_view key, const std::string& who, const std::string& name) {
    unknown(source, key, who, "node", name, m.nodes);
  }
  void unknown_coordinate(const Source& source, std::string_view key, const std::string& who, const std::string& name) {
    unknown(source, key, who, "coordinate", name, m.coordinates);
  }
  [[nodiscard]] bool free(const NodeInput& n) const {
    for (int i = 0; i < 3; ++i)
      if (!holds(m, n, i) && !n.motion[static_cast<std::size_t>(i)]) return true;
    return false;
  }
  void in_plane(const Source& source, std::string_view key, const Vec3& value, const std::string& of) {
    const int normal = m.normal_axis();
    if (normal >= 0 && value[normal] != 0)
      wrong(source, key,
            in_quotes(key) + of + " leaves the plane: its " + std::string(axis_names[static_cast<std::size_t>(normal)]) +
                " is " + number_text(value[normal]),
            "make it zero, or leave out plane = \"" + m.plane + "\"");
  }

  // ---- names: one namespace over the whole file ----
  void names() {
    struct Owner {
      std::string_view kind;
      const Source* source;
    };
    std::unordered_map<std::string, Owner> first;
    const auto visit = [&](std::string_view kind, const auto& items) {
      for (const auto& item : items) {
        const std::string who = std::string(kind) + " " + in_quotes(item.name);
        if (item.name.empty()) {
          wrong(item.source, "name", "a " + std::string(kind) + " has an empty name", "give it one");
        } else if (has_control_character(item.name)) {
          wrong(item.source, "name", who + " has a control character in its name", "use printable characters");
        } else if (item.name.find('`') != std::string::npos) {  // formulas quote names with it
          wrong(item.source, "name", who + " has a backtick in its name", "leave it out: formulas could not name it");
        } else if (item.name.size() > longest_name) {  // results keep all names of a kind as wide as the longest
          wrong(item.source, "name", "a " + std::string(kind) + " has a name of " + std::to_string(item.name.size()) + " bytes",
                "give it one of at most " + std::to_string(longest_name));
        } else if (const auto [at, added] = first.emplace(item.name, Owner{kind, &item.source}); !added) {
          const int line = at->second.source->of("name");
          wrong(item.source, "name",
                who + ": the name is taken by a " + std::string(at->second.kind) +
                    (line > 0 ? " in line " + std::to_string(line) : ""),
                "names are unique over the whole file");
        }
      }
    };
    visit("node", m.nodes);
    visit("body", m.bodies);
    visit("coordinate", m.coordinates);
    visit("pendulum", m.pendulums);
    visit("potential", m.potentials);
    visit("bar", m.bars);
    visit("spring", m.springs);
    visit("joint", m.joints);
    visit("rod element", m.rod_elements);
    visit("invariant", m.invariants);
    visit("constraint", m.constraints);
    visit("load", m.loads);
    visit("sensor", m.sensors);
  }

  // ---- what has mass ----
  void node(const NodeInput& n) {
    const std::string who = "node " + in_quotes(n.name), of = " of " + who;
    in_plane(n.source, "position", n.position, of);
    if (n.reference) in_plane(n.source, "reference", *n.reference, of);
    in_plane(n.source, "velocity", n.velocity, of);
    if (n.acceleration) in_plane(n.source, "acceleration", *n.acceleration, of);
    if (free(n) && !(n.mass > 0) && !heavy_.contains(n.name))
      wrong(n.source, "mass", who + " can move but has no mass", "give it `mass`, a bar with `density`, or fixed = true");
    for (int i = 0; i < 3; ++i) supported(n, i);
    start(n.source, who, n.acceleration.has_value(), free(n));
  }
  void start(const Source& source, const std::string& who, bool has_acceleration, bool moves) {
    const bool given = m.time.initial_acceleration == "given";
    if (has_acceleration && !given)
      say(Severity::warning, source, "acceleration", "`acceleration` of " + who + " is not used",
          "it counts only with initial_acceleration = \"given\" in [time]");
    if (given && moves && !has_acceleration)
      say(Severity::warning, source, "", who + " has no `acceleration`; zero is taken",
          "give it, or use initial_acceleration = \"consistent\"");
  }
  void supported(const NodeInput& n, int i) {
    const std::string who = "node " + in_quotes(n.name), axis(axis_names[static_cast<std::size_t>(i)]);
    const auto& motion = n.motion[static_cast<std::size_t>(i)];
    const double x = n.position[i], v = n.velocity[i];
    if (!motion) {
      if (holds(m, n, i) && i != m.normal_axis() && v != 0)
        wrong(n.source, "velocity", who + " is fixed along " + axis + " but has the velocity " + number_text(v) + " there",
              "make it zero, free the node, or prescribe a `motion`");
      return;
    }
    if (holds(m, n, i))
      return wrong(n.source, "motion", who + " is both fixed and moved along " + axis,
                   i == m.normal_axis() ? "the plane holds this axis: remove the motion" : "keep one of `fixed` and `motion`");
    const Jet start = motion->at(0);
    if (!finite(start))
      return wrong(n.source, "motion",
                   "the motion of " + who + " along " + axis + ", its rate or its acceleration is not finite at t = 0",
                   "write a motion that starts smoothly");
    if (!agree(x, start.value))
      wrong(n.source, "motion",
            who + " stands at " + axis + " = " + number_text(x) + ", but its motion begins at " + number_text(start.value),
            "`motion` is the coordinate itself: write " + axis + " = " + shifted(*motion, x - start.value));
    if (v != 0 && !agree(v, start.rate))
      wrong(n.source, "velocity",
            who + " has the velocity " + number_text(v) + " along " + axis + ", but its motion begins with " +
                number_text(start.rate),
            "the motion gives the velocity: make it zero here");
  }
  void coordinate(const CoordinateInput& c) {
    const std::string who = "coordinate " + in_quotes(c.name);
    if (!(c.inertia > 0) && !swinging_.contains(c.name) && !c.motion)
      wrong(c.source, "inertia", who + " has no inertia", "give it `inertia` or a [[pendulum]]");
    start(c.source, who, c.acceleration.has_value(), !c.motion);
    if (!c.motion) return;
    const Jet given = c.motion->at(0);
    if (!finite(given))
      return wrong(c.source, "motion", "the motion of " + who + ", its rate or its acceleration is not finite at t = 0",
                   "write a motion that starts smoothly");
    if (c.source.keys.contains("value") && !agree(c.value, given.value))
      wrong(c.source, "motion", who + " is " + number_text(c.value) + ", but its motion begins at " + number_text(given.value),
            "leave out `value`, or write motion = " + shifted(*c.motion, c.value - given.value));
    if (c.source.keys.contains("rate") && !agree(c.rate, given.rate))
      wrong(c.source, "rate",
            who + " has the rate " + number_text(c.rate) + ", but its motion begins with " + number_text(given.rate),
            "leave out `rate`: the motion gives it");
  }
  void pendulum(const PendulumInput& p) {
    const std::string who = "pendulum " + in_quotes(p.name);
    if (!coordinates_.contains(p.coordinate)) unknown_coordinate(p.source, "coordinate", who, p.coordinate);
    if (m.gravity.isZero(0))
      say(Severity::warning, p.source, "", who + " is weightless", "give `gravity` at the top of the file");
  }

  // ---- what pulls ----
  // The two ends of a bar or a spring; nothing, and a complaint, if they are not two nodes.
  template <class Item>
  std::optional<std::array<const NodeInput*, 2>> ends_of(const Item& item, const std::string& who) {
    std::array<const NodeInput*, 2> ends{};
    for (std::size_t i = 0; i < 2; ++i) {
      if (const auto found = nodes_.find(item.nodes[i]); found != nodes_.end())
        ends[i] = found->second;
      else
        unknown_node(item.source, "nodes", who, item.nodes[i]);
    }
    if (!ends[0] || !ends[1]) return {};
    if (ends[0] != ends[1]) return ends;
    wrong(item.source, "nodes", who + " joins node " + in_quotes(item.nodes[0]) + " to itself", "name two nodes");
    return {};
  }
  void spring(const SpringInput& s) {
    const std::string who = "spring " + in_quotes(s.name);
    const auto ends = s.nodes[0].empty() ? std::nullopt : ends_of(s, who);  // `from` and `to`: check_bodies
    const auto any = [](const std::optional<Vec3>& x) { return x && !x->isZero(0); };
    if (s.along_axes() && (s.stiffness > 0 || s.damping > 0 || s.length))
      wrong(s.source, s.stiffness_along ? "stiffness_along" : "damping_along",
            who + " acts both along its line and along the global axes", "write one [[spring]] for each");
    if (s.vector && !s.along_axes())
      wrong(s.source, "vector", who + " has a `vector`, but acts along its line", "give `length`, or `stiffness_along`");
    if (!(s.stiffness > 0) && !(s.damping > 0) && !any(s.stiffness_along) && !any(s.damping_along))
      wrong(s.source, "", who + " has neither stiffness nor damping", "give it `stiffness`, `damping` or both");
    for (const auto& [key, of] : {std::pair{"stiffness_along", s.stiffness_along}, {"damping_along", s.damping_along}})
      if (of && !(of->minCoeff() >= 0))
        wrong(s.source, key, who + " has a negative number in `" + key + "`", "make it zero or positive");
    if (ends && !s.along_axes() && coincide((*ends)[0]->position, (*ends)[1]->position))
      wrong(s.source, "nodes", who + " has zero length at t = 0: it has no direction to pull in", "move one of its nodes");
  }
  void rayleigh() {
    if (!(m.rayleigh.stiffness > 0)) return;
    for (const BarInput& b : m.bars)
      if (b.tension_only)
        say(Severity::warning, b.source, "tension_only",
            "cable " + in_quotes(b.name) + " takes no part in rayleigh.stiffness: a slack one has no stiffness",
            "add a [[spring]] with `damping` beside it if it is to be damped");
    if (!m.potentials.empty() ||
        std::any_of(m.coordinates.begin(), m.coordinates.end(), [](const CoordinateInput& c) { return !c.potential.empty(); }))
      say(Severity::warning, m.rayleigh.source, "stiffness",
          "rayleigh.stiffness damps bars and springs, not typed potentials: a formula has no strain",
          "use `damping` of a [[coordinate]], or rayleigh.mass");
  }
  void bar(const BarInput& b) {
    const std::string who = "bar " + in_quotes(b.name);
    const auto both = ends_of(b, who);
    if (!both) return;
    const auto& ends = *both;
    const std::string pair = in_quotes(b.nodes[0]) + " and " + in_quotes(b.nodes[1]);
    if (!b.length && coincide(ends[0]->reference_position(), ends[1]->reference_position()))
      wrong(b.source, "nodes", who + " has zero length: " + pair + " have the same reference position",
            "move one, or give `length`");
    else if (b.strain != "green" && coincide(ends[0]->position, ends[1]->position))
      wrong(b.source, "nodes", who + " has zero length at t = 0: " + pair + " stand at the same place",
            "move one; only strain = \"green\" can start from a point");
  }
  void load(const LoadInput& l) {
    const std::string who = "load " + in_quotes(l.name);
    const bool node_key = l.source.keys.contains("node"), coordinate_key = l.source.keys.contains("coordinate");
    const bool force_key = l.source.keys.contains("force"), table_key = l.source.keys.contains("table");
    if (concerns_body(l, m)) return;  // check_bodies
    if (node_key && coordinate_key) return wrong(l.source, "coordinate", who + " has both `node` and `coordinate`", "keep one");
    if (force_key && table_key) return wrong(l.source, "table", who + " has both `force` and `table`", "keep one");
    if (l.on.empty()) return wrong(l.source, "node", who + " acts on nothing", "add `node` or `coordinate` or `body`");
    if (l.source.line > 0 && !force_key && !table_key)
      return wrong(l.source, "", who + " has no force", "add `force` or `table`");
    const bool on_node = nodes_.contains(l.on), on_coordinate = coordinates_.contains(l.on);
    if (coordinate_key ? !on_coordinate : node_key ? !on_node : !on_node && !on_coordinate) {
      if (on_node || on_coordinate)
        wrong(l.source, node_key ? "node" : "coordinate",
              who + ": " + in_quotes(l.on) + " is a " + (on_node ? "node" : "coordinate"),
              std::string("write ") + (on_node ? "node" : "coordinate") + " = \"" + l.on + "\"");
      else if (coordinate_key)
        unknown_coordinate(l.source, "coordinate", who, l.on);
      else
        unknown_node(l.source, "node", who, l.on);
      return;
    }
    const std::string_view key = table_key ? "table" : "force";
    for (std::size_t i = 0; i < (on_coordinate ? 1U : 3U); ++i) {
      const TimeFunction& f = l.force[i];
      if (!l.formula[i].empty()) {
        if (on_node && static_cast<int>(i) == m.normal_axis())
          wrong(l.source, key, "the force of " + who + " leaves the plane " + in_quotes(m.plane), "make it zero");
        continue;
      }
      const std::string along = on_coordinate ? "" : " along " + std::string(axis_names[i]);
      const double start = f.value(0);
      if (!std::isfinite(start))
        wrong(l.source, key, "the force of " + who + along + " is not finite at t = 0", "check the formula");
      else if (l.potential && !f.constant())
        wrong(l.source, "potential", who + " has potential = true, but its force" + along + " changes with time",
              "only a constant load has a potential; leave it out");
      else if (on_node && static_cast<int>(i) == m.normal_axis() && !(f.constant() && start == 0) && !silent(f))
        wrong(l.source, key, "the force of " + who + " leaves the plane " + in_quotes(m.plane) + along, "make it zero");
    }
  }
  // A table of zeros, as the reader fills in for the axis normal to the plane.
  static bool silent(const TimeFunction& f) {
    const auto* table = std::get_if<TimeFunction::Table>(&f.form());
    return table && std::all_of(table->begin(), table->end(), [](const auto& row) { return row.second == 0; });
  }

  // ---- how long ----
  void time() {
    try {
      (void)checkpoint_rule(m);
    } catch (const ModelError& error) {
      found_.insert(found_.end(), error.diagnostics.begin(), error.diagnostics.end());
    }
    const TimeInput& t = m.time;
    if (!t.given() && m.statics.given()) return;  // statics has no use for it
    if (t.end && t.steps) wrong(t.source, "steps", "[time] has both `end` and `steps`", "keep one");
    if (!t.end && !t.steps) wrong(t.source, "", "[time] does not say how long", "add `end` [s] or `steps`");
    if (!t.end || t.steps || !(t.step > 0)) return;
    const double count = *t.end / t.step, whole = std::round(count);
    if (count > 1e15)
      wrong(t.source, "step", "the run would take " + number_text(whole, 6) + " steps", "make `step` longer");
    else if (std::abs(count - whole) > tolerance * std::max(1.0, count))
      say(Severity::note, t.source, "end",
          "`end` = " + number_text(*t.end) + " is no multiple of `step` = " + number_text(t.step),
          "the last step is shortened to " + number_text(*t.end - std::floor(count) * t.step, 6));
  }

  std::unordered_map<std::string, const NodeInput*> nodes_;
  std::set<std::string> coordinates_, swinging_, heavy_;
};

}  // namespace

std::vector<Diagnostic> check(const Model& model) { return Inspection(model).all(); }

}  // namespace trompo
