// What is wrong with rods and their elements.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>
#include <unordered_map>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/range.hpp"
#include "trompo/model/rod.hpp"
#include "trompo/model/rod_axis.hpp"
#include "trompo/model/rod_bending.hpp"

namespace trompo {

namespace {

using Severity = Diagnostic::Severity;

// The bodies of a model by name.
class Bodies {
 public:
  explicit Bodies(const Model& model) : m(model) {
    for (std::size_t b = 0; b < m.bodies.size(); ++b) number_.emplace(m.bodies[b].name, b);
  }
  [[nodiscard]] bool has(const std::string& name) const { return number_.contains(name); }
  [[nodiscard]] std::size_t number(const std::string& name) const { return number_.at(name); }
  [[nodiscard]] Vec3 place(const std::string& name) const { return resolve_body(m.bodies[number(name)]).position; }

 private:
  const Model& m;
  std::unordered_map<std::string, std::size_t> number_;
};

class RodInspection {
 public:
  RodInspection(const Model& model, const Bodies& bodies, const Source& source, std::string who)
      : m(model), bodies_(bodies), s(source), who_(std::move(who)) {}

  void rod(const RodInput& r) {
    if (r.elements < 1) wrong("elements", " has no elements", "give elements = 10, say");
    if (r.nodes_per_element != 2 && r.nodes_per_element != 3)
      wrong("nodes_per_element", " has " + std::to_string(r.nodes_per_element) + " nodes per element", "give 2 or 3");
    strain(r.strain, r.nodes_per_element == 3);
    if (r.mass != "lumped" && r.mass != "consistent")
      wrong("mass", ": mass is " + in_quotes(r.mass), "give \"lumped\" or \"consistent\"");
    end("from", r.from, r);
    end("to", r.to, r);
    clamps(r);
    material(r);
    loads(r);
    wave("velocity_along", r.velocity_along);
    wave("angular_velocity_along", r.angular_velocity_along);
    if (!found.empty()) return;
    if (r.points) points(r, *r.points);
    if (found.empty()) shape(r, known(places_of(r, m)));
  }
  void element(const RodElementInput& e) {
    std::vector<std::string> names(e.bodies.begin(), e.bodies.end());
    if (!e.middle.empty()) names.insert(names.begin() + 1, e.middle);
    for (const std::string& name : names)
      if (!bodies_.has(name)) unknown(name == e.middle ? "middle" : "bodies", name);
    if (!found.empty()) return;
    if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
      return wrong("bodies", " joins a body to itself", "name bodies that are not the same");
    if (!e.length && bodies_.place(names.front()) == bodies_.place(names.back()))
      wrong("bodies", " has zero length", "move one of the bodies, or give `length`");
    strain(e.strain, !e.middle.empty());
    if (e.length) positive("length", *e.length);
    stiffness(e.stiffness);
    if (e.density) positive("density", *e.density);
    if (e.rotary_inertia) pair("rotary_inertia", *e.rotary_inertia);
    if (e.section.given()) section(e.section);
  }
  std::vector<Diagnostic> found;

 private:
  void wrong(std::string_view key, const std::string& message, std::string remedy) {
    found.push_back({Severity::error, s.place_of(key, m.file), s.of(key), who_ + message, std::move(remedy)});
  }
  void unknown(std::string_view key, const std::string& name) {
    std::vector<std::string> names;
    for (const BodyInput& b : m.bodies) names.push_back(b.name);
    wrong(key, ": there is no body " + in_quotes(name), suggestion(name, names));
  }
  void positive(const char* key, double value) {  // from C++, or worked out: the reader has looked at what is in a file
    if (!Range::positive.contains(value))
      wrong(key, std::string(": ") + key + " is " + number_text(value), "it must " + Range::positive.demand(value));
  }
  void pair(const char* key, const std::vector<double>& values) {
    if (values.empty() || values.size() > 2)
      return wrong(key, std::string(": ") + key + " has " + std::to_string(values.size()) + " numbers",
                   "give one for both axes of the section, or two");
    for (const double value : values) positive(key, value);
  }
  void strain(const std::string& word, bool three_nodes) {
    if (word == "helix" && three_nodes)
      wrong("strain", ": a helix is found from two nodes, not from three",
            "leave `strain` out, or the node half-way: an element of two nodes bends as far");
  }
  void stiffness(const SectionStiffness& k) {
    if (!k.EA || !k.GA || !k.GJ || !k.EI) {
      const char* missing = !k.EA ? "EA" : !k.GA ? "GA" : !k.GJ ? "GJ" : "EI";
      return wrong("", std::string(" has no ") + missing, "give EA, GA, GJ and EI: a rod stretches, shears, twists and bends");
    }
    pair("GA", *k.GA);
    pair("EI", *k.EI);
    for (const auto& [key, value] : {std::pair{"EA", *k.EA}, std::pair{"GJ", *k.GJ}}) positive(key, value);
  }
  void end(const char* key, const RodEndInput& e, const RodInput& r) {
    const bool begins = key[0] == 'f';
    if (!e.body.empty() && !bodies_.has(e.body)) return unknown(key, e.body);
    if (e.body.empty() && !e.place && !r.points)
      wrong(key, std::string(" does not say where it ") + (begins ? "begins" : "ends"),
            std::string("give ") + key + " = [x, y, z] or { body = \"...\", point = [...] }");
    if (r.points && e.place)
      wrong(key, std::string(" has both `points` and `") + key + "`",
            std::string("leave it out: it is the ") + (begins ? "first" : "last") + " of the points");
    if (r.points && !r.points->empty() && !e.body.empty() && e.point) {
      const Vec3 at = begins ? r.points->front() : r.points->back();
      const Vec3 point = resolve_body(m.bodies[bodies_.number(e.body)]).place_of(*e.point);
      if ((at - point).norm() > 1e-9 * (1 + at.norm()))
        wrong(key, std::string(": its ") + (begins ? "first" : "last") + " point is not the point of body " + in_quotes(e.body),
              "leave out `point`: the weld is where the rod ends");
    }
  }
  void wave(const char* key, const AlongRod& given) {
    for (const TimeFunction& number : given.number)
      if (!number.constant())
        return wrong(key, std::string(": `") + key + "` is a formula of t", "give formulas of s, the distance along the rod");
    try {
      for (const double place : {0.0, 1.0})
        if (!along(given, place, m).allFinite()) return wrong(key, std::string(": `") + key + "` is not finite", "change it");
    } catch (const FormulaError& e) {
      wrong(key, std::string(": `") + key + "`: " + e.what(), "give numbers or formulas of s, the distance along the rod [m]");
    }
  }
  void clamps(const RodInput& r) {
    for (const auto& [key, end] : {std::pair{"from", &r.from}, std::pair{"to", &r.to}})
      if ((r.clamped == key || r.clamped == "both") && !end->body.empty())
        wrong("clamped", std::string(": its end `") + key + "` is both clamped and on body " + in_quotes(end->body),
              "keep one");
    if (r.clamped.empty()) return;
    for (const auto& [key, value] : {std::pair{"velocity", r.velocity}, std::pair{"angular_velocity", r.angular_velocity}})
      if (value && !value->isZero(0))
        wrong(key, std::string(" is clamped but has the ") + key + " of a rigid motion", "leave it out");
  }
  void material(const RodInput& r) {
    if (!r.material.given() && !r.section.given()) {
      stiffness(r.stiffness);
      if (!r.density) return wrong("density", " has no mass", "give `density`, the mass per length [kg/m]");
      positive("density", *r.density);
      if (r.rotary_inertia) pair("rotary_inertia", *r.rotary_inertia);
      return worked_out(r);
    }
    if (r.stiffness.given() || r.density || r.rotary_inertia)
      return wrong("material", " has both a material and stiffnesses or densities by hand", "keep one way");
    const MaterialInput& k = r.material;
    if (!k.E || !k.density || !r.section.given())
      return wrong("", " needs both `material` and `section`",
                   "give material = { E, nu, density } and section = { circle = .. }");
    positive("E", *k.E);
    positive("density", *k.density);
    if (k.G.has_value() == k.nu.has_value()) return wrong("material", " needs G or nu", "give one of the two");
    if (k.G) positive("G", *k.G);
    if (k.nu && !(*k.nu > -1 && *k.nu <= 0.5))
      wrong("material", ": nu is " + number_text(*k.nu), "Poisson's ratio lies between -1 and 1/2");
    section(r.section);
    worked_out(r);
  }
  // What material, section and defaults come to.
  void worked_out(const RodInput& r) {
    if (!found.empty()) return;
    const RodSection all = section_of(r);
    stiffness(all.stiffness);
    positive("density", all.mass);
    pair("rotary_inertia", {all.rotary[0], all.rotary[1]});
  }
  void section(const SectionInput& c) {
    if (c.circle.has_value() + c.rectangle.has_value() + c.tube.has_value() != 1)
      return wrong("section", " needs one shape of its section", "give circle, rectangle or tube");
    if (c.tube && !((*c.tube)[1] < (*c.tube)[0]))
      wrong("section", ": the inner radius of the tube is not smaller than the outer one", "give [outer, inner]");
  }
  void loads(const RodInput& r) {
    for (const auto& [key, table] : {std::pair{"load", "load_table"}, std::pair{"follower_load", "follower_table"}})
      if (s.keys.contains(key) && s.keys.contains(table))
        wrong(table, std::string(" has both `") + key + "` and `" + table + "`", "keep one");
    for (const auto& [key, load] :
         {std::pair{"load", &r.load}, std::pair{"follower_load", &r.follower_load}, std::pair{"moment_load", &r.moment_load}})
      for (std::size_t i = 0; i < 3; ++i) {
        const TimeFunction& f = load->value[i];
        const bool text = !load->formula[i].empty();
        if (text && load == &r.follower_load)
          wrong(key, std::string(": an entry of `") + key + "` depends on coordinates", "it may depend on time alone");
        if (!text && !std::isfinite(f.value(0)))
          wrong(key, std::string(": `") + key + "` is not finite at t = 0", "check the formula");
        if (r.potential && load == &r.load && (text || !f.constant()))
          wrong("potential", " has potential = true, but its load changes",
                "only a constant load has a potential; leave it out");
      }
  }
  void points(const RodInput& r, const std::vector<Vec3>& p) {
    if (r.via) return wrong("via", " has both `points` and `via`", "keep one");
    if (p.size() < 2) return wrong("points", " goes through fewer than two points", "give both ends at least");
    constexpr double most = 60;  // degrees; a curve through a corner swings out on both sides of it
    for (std::size_t i = 1; i < p.size(); ++i) {
      const Vec3 chord = p[i] - p[i - 1];
      if (chord.norm() <= 1e-12 * (p[i].norm() + p[i - 1].norm()))
        return wrong("points", ": its points " + std::to_string(i) + " and " + std::to_string(i + 1) + " are the same place",
                     "give each place once");
      if (i + 1 == p.size()) return;
      const Vec3 next = p[i + 1] - p[i];
      const double turn = std::atan2(chord.cross(next).norm(), chord.dot(next)) * 180 / std::numbers::pi;
      if (turn > most)
        return wrong("points", " turns by " + number_text(turn, 3) + " degrees at point " + std::to_string(i + 1),
                     "a smooth rod needs more points there; a corner is two rods: from = { body = \"...\" }");
    }
  }
  void shape(const RodInput& r, const std::vector<Vec3>& places) {
    const Vec3 &a = places.front(), &b = places.back();
    if (!r.points && (b - a).norm() <= 1e-12 * (a.norm() + b.norm()))
      return wrong("to", " has zero length", "move one of its ends; a closed ring is two arcs");
    const RodAxis axis = r.points ? RodAxis(places) : RodAxis(a, b, r.via);
    if (r.via && !axis.curved())
      return wrong("via", ": its places `from`, `via` and `to` lie on one line", "leave `via` out, or move it aside");
    if (r.orientation && r.orientation->cross(axis.tangent()).norm() <= 1e-6 * r.orientation->norm())
      wrong("orientation", ": `orientation` is along its axis and gives d1 no direction", "choose a vector across the axis");
  }

  const Model& m;
  const Bodies& bodies_;
  const Source& s;
  std::string who_;
};

// Ends of rods that stand at a node of another one without a joint between them, or one of each to the same body.
void find_meeting(const Model& m, const Bodies& bodies, std::vector<Diagnostic>& found) {
  std::map<std::string, int> uses;  // of nodes in elements
  for (const RodElementInput& e : m.rod_elements) {
    for (const std::string& name : e.bodies) ++uses[name];
    if (!e.middle.empty()) uses[e.middle] += 2;
  }
  std::map<std::string, std::set<std::string>> joined;
  const auto join = [&](const std::string& a, const std::string& b) { joined[a].insert(b), joined[b].insert(a); };
  for (const JointInput& j : m.joints) join(j.bodies[0], j.bodies[1]);
  for (const RodElementInput& e : m.rod_elements) join(e.bodies[0], e.bodies[1]);
  const auto apart = [&](const std::string& a, const std::string& b) {
    if (joined[a].contains(b)) return false;
    return std::none_of(joined[a].begin(), joined[a].end(), [&](const std::string& c) { return joined[b].contains(c); });
  };
  std::map<std::string, Vec3> places;
  double size = 0;
  for (const auto& [name, count] : uses) size = std::max(size, (places[name] = bodies.place(name)).norm());
  std::map<std::string, int> line;
  for (const RodElementInput& e : m.rod_elements)
    for (const std::string& name : e.bodies) line.emplace(name, e.source.line);
  std::set<std::string> reported;
  for (const auto& [end, count] : uses) {
    if (count > 1) continue;
    for (const auto& [node, place] : places) {
      if (node == end || reported.contains(node) || (place - places.at(end)).norm() > 1e-9 * size || !apart(end, node))
        continue;
      reported.insert(end);
      const bool later = line[end] >= line[node];
      const std::string &first = later ? node : end, &second = later ? end : node;
      found.push_back({Severity::warning, m.file, line[second],
                       "rods " + in_quotes(rod_of(first)) + " and " + in_quotes(rod_of(second)) + " meet in " +
                           in_quotes(first) + " and " + in_quotes(second) + ", but nothing joins them",
                       "join them: from = { body = \"" + first + "\" }, or a [[joint]] between the two"});
    }
  }
}

}  // namespace

std::vector<Diagnostic> check_rod(const RodInput& rod, const Model& model) {
  const Bodies bodies(model);
  RodInspection inspection(model, bodies, rod.source, "rod " + in_quotes(rod.name));
  inspection.rod(rod);
  return std::move(inspection.found);
}

std::vector<Diagnostic> check_rod_elements(const Model& model) {
  std::vector<Diagnostic> found;
  if (model.rod_elements.empty()) return found;
  const Bodies bodies(model);
  for (const RodElementInput& e : model.rod_elements) {
    RodInspection inspection(model, bodies, e.source, "rod element " + in_quotes(e.name));
    inspection.element(e);
    found.insert(found.end(), inspection.found.begin(), inspection.found.end());
  }
  if (!found.empty()) return found;
  find_meeting(model, bodies, found);
  std::vector<ResolvedBody> drawn;
  for (const BodyInput& b : model.bodies) drawn.push_back(resolve_body(b));
  RodBending bending(model);
  bending.see(drawn);
  for (const Diagnostic& d : bending.warnings()) found.push_back(d);
  return found;
}

std::size_t count_rods(const Model& model) {
  std::unordered_map<std::string, int> number;
  std::vector<int> whole;
  const auto of = [&](const std::string& name) {
    const auto [at, added] = number.emplace(name, static_cast<int>(whole.size()));
    if (added) whole.push_back(at->second);
    int k = at->second;
    while (whole[k] != k) k = whole[k] = whole[whole[k]];
    return k;
  };
  for (const RodElementInput& e : model.rod_elements) {
    const int a = of(e.bodies[0]), b = of(e.bodies[1]);
    whole[a] = b;
  }
  std::size_t count = 0;
  for (std::size_t k = 0; k < whole.size(); ++k) count += whole[k] == static_cast<int>(k);
  return count;
}

}  // namespace trompo
