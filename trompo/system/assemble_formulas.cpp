// What the user typed: potentials, constraints and loads as measures over the coordinates they use.
#include <algorithm>
#include <map>
#include <optional>

#include "trompo/measure/composed_measure.hpp"
#include "trompo/measure/formula_measure.hpp"
#include "trompo/model/formula_scope.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/model/rate_scope.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

namespace {

// use(measure, where)
template <class Use>
void over_coordinates(ScopedFormula f, const Use& use) {
  const auto n = static_cast<int>(f.coordinates.size());
  use(FormulaMeasure(std::make_shared<const Formula>(std::move(f.formula)), n), Where::at(std::move(f.coordinates)));
}
template <class Use>
void as_measure(ScopedFormula f, const Use& use) {
  if (f.invariants.empty()) return over_coordinates(std::move(f), use);
  use(ComposedMeasure(f.formula, f.invariants, static_cast<int>(f.coordinates.size())), Where::at(f.coordinates));
}

}  // namespace

void System::add_formulas(const Model& model) {
  const FormulaScope scope(model);
  std::vector<ScopedFormula> potentials, constraints;
  struct Load {
    int on;
    ScopedFormula force;
  };
  std::vector<Load> loads;
  std::vector<RateLoad> rate_loads;
  const auto read = [&](const std::string& text, const Source& source, const char* key, const std::string& who,
                        bool raw = false) {
    try {
      return raw ? scope.expanded(text) : scope.read(text);
    } catch (const FormulaError& error) {
      Lookup(model, source, key, who)
          .refuse(in_quotes(text) + ", column " + std::to_string(error.column) + ": " + error.what(), "correct the formula");
    }
  };
  for (const InvariantInput& i : model.invariants)
    (void)read(i.formula, i.source, "formula", "invariant " + in_quotes(i.name), true);
  for (const CoordinateInput& c : model.coordinates)
    if (!c.potential.empty()) potentials.push_back(read(c.potential, c.source, "potential", "coordinate " + in_quotes(c.name)));
  for (const PotentialInput& p : model.potentials)
    potentials.push_back(read(p.potential, p.source, "potential", "potential " + in_quotes(p.name)));
  for (const ConstraintInput& c : model.constraints)
    constraints.push_back(read(c.constraint, c.source, "constraint", "constraint " + in_quotes(c.name)));
  std::map<std::string, std::pair<int, int>, std::less<>> places;  // first coordinate, how many
  if (!model.loads.empty()) {
    for (std::size_t k = 0; k < model.nodes.size(); ++k) places[model.nodes[k].name] = {nodes_[k], 3};
    for (std::size_t k = 0; k < model.bodies.size(); ++k) places[model.bodies[k].name] = {bodies_[k].first, 12};
    for (std::size_t k = 0; k < model.coordinates.size(); ++k) places[model.coordinates[k].name] = {scalars_[k], 1};
  }
  std::optional<RateScope> with_rates;  // of models whose loads feel some: it has twice the names
  const auto read_rates = [&](const std::string& text, const LoadInput& load, const char* key) {
    if (!with_rates) with_rates.emplace(model, scope);
    try {
      return with_rates->read(text);
    } catch (const FormulaError& error) {
      Lookup(model, load.source, key, "load " + in_quotes(load.name))
          .refuse(in_quotes(text) + ", column " + std::to_string(error.column) + ": " + error.what(), "correct the formula");
    }
  };
  const auto of_places = [&](const std::string& text) {
    try {
      (void)scope.expanded(text);
      return true;
    } catch (const FormulaError&) {
      return false;
    }
  };
  for (const LoadInput& load : model.loads) {
    if (load.scale == 0) continue;
    const std::string who = "load " + in_quotes(load.name);
    const auto scaled = [&load](const std::string& text) {
      return load.scale == 1 ? text : number_text(load.scale, 17) + "*(" + text + ")";
    };
    const auto [first, count] = Lookup(model, load.source, "on", who).entry(places, "node, body or coordinate", load.on);
    for (int i = 0; i < 3; ++i) {
      using Kind = RateLoad::Kind;
      const auto add = [&, first = first, count = count](Kind kind, const std::string& text, const char* key) {
        RateLoad one;
        one.kind = kind;
        one.on = kind == Kind::coordinate ? first + (count > 1 ? i : 0) : first;
        one.axis = i;
        for (std::size_t b = 0; b < bodies_.size() && count == 12; ++b)
          if (bodies_[b].first == first) one.body = static_cast<int>(b);
        one.point = load.point.value_or(Vec3::Zero());
        one.value = read_rates(scaled(text), load, key);
        rate_loads.push_back(std::move(one));
      };
      if (count == 12 && !load.torque_formula[i].empty()) add(Kind::torque, load.torque_formula[i], "torque");
      if (count == 12 && !load.moment_formula[i].empty()) add(Kind::moment, load.moment_formula[i], "moment");
      const std::string& text = load.formula[i];
      if (text.empty()) continue;
      const int on = first + (count > 1 ? i : 0);
      if ((count == 12 && load.follower) || !of_places(text)) {
        add(count != 12 ? Kind::coordinate : load.follower ? Kind::follower : Kind::force, text, "force");
        continue;
      }
      ScopedFormula force = read(scaled(text), load.source, "force", who, true);
      const Vec3 point = count == 12 ? load.point.value_or(Vec3::Zero()) : Vec3::Zero();
      for (int axis = 0; axis < 3; ++axis)
        if (point[axis] != 0)
          loads.push_back({on + 3 + 3 * axis, scope.expanded(number_text(point[axis]) + "*(" + scaled(text) + ")")});
      loads.push_back({on, std::move(force)});
    }
  }

  const auto uses_time = [&](const ScopedFormula& f) {
    return std::find(f.coordinates.begin(), f.coordinates.end(), scope.time()) != f.coordinates.end();
  };
  // A sensor that looks at the rate of an invariant of time: that of time stands among the rates.
  const auto senses_time = [&](const SensorInput& sensor) {
    if (sensor.kind != "formula" || model.invariants.empty()) return false;
    if (!with_rates) with_rates.emplace(model, scope);
    try {
      const RateFormula f = with_rates->read(sensor.of[0]);
      return f.feels_rates() && f.uses(scope.time());
    } catch (const FormulaError&) {  // said where the sensor is made
      return false;
    }
  };
  add_domains(model);
  const bool watches_time =
      std::any_of(domains_.begin(), domains_.end(), [&](const Domain& d) { return d.formula.uses(scope.time()); });
  // Coordinates are those of the whole run: what an event ends or begins may have known time.
  const auto may_know_time = [](const EventInput& e) { return e.changes_motion() || e.scale; };
  if (watches_time || std::any_of(model.events.begin(), model.events.end(), may_know_time) ||
      std::any_of(potentials.begin(), potentials.end(), uses_time) ||
      std::any_of(constraints.begin(), constraints.end(), uses_time) ||
      std::any_of(loads.begin(), loads.end(), [&](const Load& load) { return uses_time(load.force); }) ||
      std::any_of(model.sensors.begin(), model.sensors.end(), senses_time) ||
      std::any_of(rate_loads.begin(), rate_loads.end(), [&](const RateLoad& load) { return load.value.uses(scope.time()); }) ||
      std::any_of(model.joints.begin(), model.joints.end(),
                  [](const JointInput& joint) { return joint.motion || joint.travel_motion; })) {
    time_ = add_scalar("t", 0);
    prescribe(time_, TimeFunction::parse("t"));
  }

  for (ScopedFormula& f : potentials)
    as_measure(std::move(f), [&](const auto& phi, const Where& where) { add_elastic(phi, potential_law, where, 1); });
  for (std::size_t k = 0; k < constraints.size(); ++k)
    as_measure(std::move(constraints[k]), [&](const auto& phi, const Where& where) {
      terms_of(constraints_, phi, where).add(phi, where, model.constraints[k].name);
    });
  for (RateLoad& load : rate_loads) rate_loads_.add(std::move(load));
  for (Load& load : loads)
    over_coordinates(std::move(load.force),
                     [&](const auto& phi, const Where& where) { terms_of(place_loads_, phi, where).add(phi, where, load.on); });
}

TopScope System::top_scope(const Model& model) const {
  TopScope top;
  const auto refuse = [&top](std::string why) {
    top.refusal = std::move(why);
    return top;
  };
  if (bodies_.empty()) return top;
  if (bodies_.size() > 1) return refuse("the model has more than one body");
  const RigidBody& body = bodies_.front();
  if (!body.fixed_point) return refuse("the body has no fixed_point");
  if (model.normal_axis() >= 0) return refuse("the body turns in a plane");
  // Gravity and potentials of that axis are all there may be: whatever else moves, holds or pushes is named.
  std::string more;
  const auto look_for = [&more](const char* kind, const auto& parts, const char* why) {
    if (more.empty() && !parts.empty()) more = std::string(kind) + " " + in_quotes(parts.front().name) + " " + why;
  };
  constexpr const char *moves_too = "moves too, and the scheme knows one body alone",
                       *no_potential = "is no potential of one axis, and the scheme knows nothing else";
  look_for("node", model.nodes, moves_too);
  look_for("coordinate", model.coordinates, moves_too);
  look_for("pendulum", model.pendulums, moves_too);
  look_for("own force", model.own_forces, no_potential);
  look_for("rod element", model.rod_elements, no_potential);
  look_for("bar", model.bars, no_potential);
  look_for("joint", model.joints, no_potential);
  look_for("spring", model.springs, no_potential);
  look_for("load", model.loads, no_potential);
  look_for("constraint", model.constraints, no_potential);
  look_for("event", model.events, "changes what the scheme does not know");
  if (!more.empty()) return refuse(more);
  if (model.rayleigh.mass > 0) return refuse("the damping of [rayleigh] is no potential of one axis");
  const bool heavy = !model.gravity.isZero(0) && !body.centre.isZero(0);
  if (heavy) {
    top.gamma = -model.gravity.normalized();
    top.E = body.centre.normalized();
    top.weight = body.mass * model.gravity.norm() * body.centre.norm();
  }
  const FormulaScope scope(model);
  int used = -1;
  for (const PotentialInput& p : model.potentials) {
    ScopedFormula f = scope.expanded(p.potential);
    const int k = f.coordinates.empty() ? -1 : f.coordinates.front() - body.first - 3;
    if (f.coordinates.size() != 1 || k < 0 || k >= 9 || (used >= 0 && used != k))
      return refuse("potential " + in_quotes(p.name) + " depends on something else than one component of one body axis");
    used = k;
    top.curves.push_back(std::move(f.formula));
  }
  if (used >= 0) {
    const Vec3 axis = Vec3::Unit(used / 3), direction = Vec3::Unit(used % 3);
    if (!heavy) {
      top.E = axis;
      top.gamma = direction;
    } else if (top.E.cross(axis).norm() > 1e-14 || top.gamma.cross(direction).norm() > 1e-14) {
      return refuse("gravity and the potential belong to different axes");
    }
    top.sign = top.E.dot(axis) * top.gamma.dot(direction) > 0 ? 1 : -1;
  }
  top.refusal.clear();
  return top;
}

}  // namespace trompo
