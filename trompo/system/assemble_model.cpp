// The only door from the model to the equations: System(const Model&).
#include <algorithm>
#include <cmath>
#include <map>

#include "trompo/math/dense.hpp"
#include "trompo/measure/almansi_strain.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/measure/coordinate.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/measure/joint_rows.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/event.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/system/rod_element.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

// What stands in the model but is first used later, or with a meaning that a misspelt word would have too.
void System::look_up(const Model& model) {
  using enum Formulation;
  static constexpr std::array<Formulation, 3> meanings{directors, rotation, euler_parameters};
  if (!model.plane.empty())
    (void)Lookup(model, model.source, "plane", "the model").word(word_lists::planes, "plane", model.plane);
  if (const std::string& word = model.formulation; !word.empty())
    formulation_ = meanings[Lookup(model, model.source, "formulation", "the model").word(formulations, "formulation", word)];
  for (const EventInput& event : model.events) (void)part_of(event, model);
  for (const RodInput& rod : model.rods)
    Lookup(model, rod.source, "", "rod " + in_quotes(rod.name))
        .refuse("it has not been built", "call expand_rods(model) first");
}

System::System(const Model& model) {
  look_up(model);
  const int normal = model.normal_axis();
  std::map<std::string, int, std::less<>> node_at, scalar_at;  // name -> first coordinate
  std::map<std::string, Vec3, std::less<>> reference, position;
  double extent = 0;

  for (const NodeInput& node : model.nodes) {
    reference[node.name] = node.reference_position();
    position[node.name] = node.position;
    const int first = add_point(node.name, node.mass);
    node_at[node.name] = first;
    nodes_.push_back(first);
    for (int i = 0; i < 3; ++i) {
      if (const auto& motion = node.motion[i])
        prescribe(first + i, *motion);
      else if (node.fixed || node.fixed_axes[i] || i == normal)
        prescribe(first + i, TimeFunction(node.position[i]));
    }
    extent = std::max(extent, (node.position - model.nodes.front().position).norm());
  }
  std::map<std::string, int, std::less<>> body_at;  // name -> number
  for (const BodyInput& input : model.bodies) {
    ResolvedBody body = resolve_body(input);
    body_at[input.name] = static_cast<int>(bodies_.size());
    const Mat3 axes = to_matrix(body.orientation);
    int across = 0;  // the own axis along the normal of a plane
    if (normal >= 0) axes.row(normal).cwiseAbs().maxCoeff(&across);
    if (normal >= 0 && !(std::abs(axes(normal, across)) > 1 - 1e-9))
      Lookup(model, input.source, "orientation", "body " + in_quotes(input.name))
          .refuse("none of its axes is along the normal of the plane", "turn it about the normal alone");
    if (normal >= 0 && formulation_ == Formulation::euler_parameters)
      Lookup(model, model.source, "formulation", "the model")
          .refuse("Euler parameters are not held in a plane", "take directors or rotation");
    for (int i = 0; i < 3 && normal >= 0; ++i)  // the plane bears what they would do
      if (i != across) body.inertia(i, across) = body.inertia(across, i) = 0;
    add_body(input.name, {0, body.mass, body.inertia, input.fixed_point, body.centre});
    for (int part = 0; part < 4 && normal >= 0; ++part)
      for (int i = 0; i < 3; ++i)
        if (i == normal || part == across + 1)
          prescribe(bodies_.back().first + 3 * part + i, TimeFunction(part == 0 ? body.position[i] : axes(i, part - 1)));
    const Vec3 origin = model.nodes.empty() ? resolve_body(model.bodies.front()).position : model.nodes.front().position;
    extent = std::max({extent, (body.position - origin).norm(), body.centre.norm(),
                       std::sqrt(principal_values(body.inertia)[2] / body.mass)});
  }
  for (const CoordinateInput& coordinate : model.coordinates) {
    scalars_.push_back(add_scalar(coordinate.name, coordinate.inertia));
    scalar_at[coordinate.name] = scalars_.back();
    if (coordinate.motion) prescribe(scalars_.back(), *coordinate.motion);
    if (coordinate.damping > 0) add_viscous(CoordinateMeasure{}, Where::at({scalars_.back()}), coordinate.damping);
  }
  add_formulas(model);  // now: time, if a formula uses it, is the coordinate after the last

  for (const PendulumInput& p : model.pendulums) {
    const Lookup ask(model, p.source, "coordinate", "pendulum " + in_quotes(p.name));
    const int angle = scalars_[ask.item(model.coordinates, "coordinate", p.coordinate)];
    lump(angle, p.mass * p.length * p.length);
    add_elastic(CoordinateMeasure{}, weight_law, Where::at({angle}), p.mass * model.gravity.norm() * p.length);
  }

  for (const BarInput& bar : model.bars) {
    const Lookup ask(model, bar.source, "nodes", "bar " + in_quotes(bar.name));
    const int a = ask.entry(node_at, "node", bar.nodes[0]), b = ask.entry(node_at, "node", bar.nodes[1]);
    const double L = bar.length ? *bar.length : (reference.at(bar.nodes[1]) - reference.at(bar.nodes[0])).norm();
    extent = std::max(extent, L);
    for (int i = 0; i < 3; ++i) {
      lump(a + i, 0.5 * bar.density * L);
      lump(b + i, 0.5 * bar.density * L);
    }
    const double viscosity = model.rayleigh.stiffness * bar.EA * L;
    const Where where = Where::at({a, a + 1, a + 2, b, b + 1, b + 2});
    const auto add = [&](const auto& strain) {
      if (viscosity > 0 && !bar.tension_only) add_viscous(strain, where, viscosity);
      ElasticTerms& terms = terms_of(elastic_, strain, where, bar.tension_only ? tension_only_law : linear_law);
      bars_.push_back({&terms, terms.terms().count()});
      terms.add(strain, where, bar.EA * L);
    };
    const std::size_t strain = ask.word(word_lists::strains, "strain", bar.strain);
    if (strain == 0) add(EngineeringStrain(L));
    if (strain == 1) add(GreenStrain(L));
    if (strain == 2) add(LogarithmicStrain(L));
    if (strain == 3) add(AlmansiStrain(L));
    // Energies that grow beyond all bounds towards no length.
    if (strain >= 2) links_.push_back({a, b, "bar " + in_quotes(bar.name)});
  }

  for (const SpringInput& spring : model.springs) {
    struct End {
      Attachment attachment;
      Vec3 place;
    };
    const auto end_of = [&](const EndInput& end, const char* name) -> End {
      const Lookup ask(model, spring.source, name + 1, "spring " + in_quotes(spring.name));
      if (end.ground && moves(end.motion))
        return {Attachment::node(add_anchor(spring.name + name, *end.ground, end.motion)), *end.ground};
      if (end.ground) return {Attachment::ground(*end.ground), *end.ground};
      if (!end.node.empty()) return {Attachment::node(ask.entry(node_at, "node", end.node)), position.at(end.node)};
      const int body = ask.entry(body_at, "body", end.body);
      const Vec3 point = end.point.value_or(Vec3::Zero());
      return {Attachment::point(bodies_[body].first, point),
              resolve_body(model.bodies[static_cast<std::size_t>(body)]).place_of(point)};
    };
    const auto ends = spring.ends();
    const End a = end_of(ends[0], ".from"), b = end_of(ends[1], ".to");
    const auto add = [&](SpringPlace& place, const auto& measure, const Where& where, double stiffness, double damping) {
      const double viscosity = damping + model.rayleigh.stiffness * stiffness;
      if (stiffness > 0) {
        add_elastic(measure, linear_law, where, stiffness);
        place.spring = &terms_of(elastic_, measure, where, linear_law);
        place.spring_term = place.spring->terms().count() - 1;
      }
      if (viscosity > 0) {
        add_viscous(measure, where, viscosity);
        place.damper = &terms_of(viscous_, measure, where);
        place.damper_term = place.damper->terms().count() - 1;
      }
    };
    std::array<SpringPlace, 3>& places = springs_.emplace_back();
    if (!spring.along_axes()) {
      add(places[0], Elongation(spring.length.value_or((b.place - a.place).norm())), {{a.attachment, b.attachment}},
          spring.stiffness, spring.damping);
      continue;
    }
    const Vec3 natural = spring.vector.value_or(b.place - a.place), zero = Vec3::Zero();
    for (int i = 0; i < 3; ++i)
      add(places[static_cast<std::size_t>(i)], Difference(natural[i]),
          {{b.attachment.component(i), a.attachment.component(i)}, {}, 1}, spring.stiffness_along.value_or(zero)[i],
          spring.damping_along.value_or(zero)[i]);
  }
  add_rods(model);
  if (const double rate = model.rayleigh.mass; rate > 0) {
    const auto of_an_axis = [this](int c) {
      return std::any_of(bodies_.begin(), bodies_.end(),
                         [c](const RigidBody& b) { return c >= b.first + 3 && c < b.first + RigidBody::coordinates; });
    };
    for (int c = 0; c < coordinates(); ++c)
      if (mass_[c] > 0 && !of_an_axis(c)) add_viscous(CoordinateMeasure{}, Where::at({c}), rate * mass_[c]);
    // Masses of axes, along the principal ones: a sum E_ij d_i'.d_j' whose moment is the rate times the angular momentum.
    for (const RigidBody& body : bodies_) {
      const PrincipalAxes principal = principal_axes(body.euler());
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3 && principal.values[k] > 0; ++i)
          add_viscous(CoordinateMeasure{}, {{Attachment::axis(body.first, principal.axes.col(k)).component(i)}, {}, 1},
                      rate * principal.values[k]);
    }
  }

  for (const int first : nodes_)
    for (int i = 0; i < 3; ++i)
      if (model.gravity[i] != 0) add_constant_force(first + i, mass_[first + i] * model.gravity[i], true);

  for (const RigidBody& body : bodies_)
    for (int i = 0; i < 3; ++i)
      if (model.gravity[i] != 0) add_constant_force(body.first + i, body.mass * model.gravity[i], true);

  const auto push = [this](int on, int of, double share, const TimeFunction& times) {  // by a coordinate
    terms_of(place_loads_, CoordinateMeasure{}, Where::at({of})).add(CoordinateMeasure{}, Where::at({of}), on, share, times);
  };
  for (const LoadInput& load : model.loads) {
    if (load.scale == 0) continue;
    if (const auto found = body_at.find(load.on); found != body_at.end()) {
      // A force at a point x + sum p_k d_k of the body is the force on x and p_k times it on each axis.
      const RigidBody& body = bodies_[found->second];
      const Vec3 point = load.point.value_or(Vec3::Zero());
      for (int i = 0; i < 3; ++i) {
        add_torque(found->second, i, load.torque[i], load.scale);
        if (!load.moment[i].constant() || load.moment[i].value(0) != 0)
          add_moment(found->second, i, load.moment[i], load.scale);
        if (!load.formula[i].empty() || (load.force[i].constant() && load.force[i].value(0) == 0)) continue;
        for (int k = 0; k < 4; ++k) {
          const double share = load.scale * (k == 0 ? 1.0 : point[k - 1]);
          if (share == 0) continue;
          if (load.follower)  // f_i d_i, component by component
            for (int j = 0; j < 3; ++j) push(body.first + 3 * k + j, body.first + 3 + 3 * i + j, share, load.force[i]);
          else if (load.potential)
            add_constant_force(body.first + 3 * k + i, share * load.force[i].value(0), false);
          else
            add_load(body.first + 3 * k + i, load.force[i], share);
        }
      }
      continue;
    }
    const bool on_node = node_at.contains(load.on);
    const int first = on_node ? node_at.at(load.on) : scalar_at.at(load.on);  // looked up with the formulas
    for (int i = 0; i < (on_node ? 3 : 1); ++i) {
      if (!load.formula[i].empty()) continue;  // with the formulas
      if (load.potential)
        add_constant_force(first + i, load.scale * load.force[i].value(0), false);
      else if (!load.force[i].constant() || load.force[i].value(0) != 0)
        add_load(first + i, load.force[i], load.scale);
    }
  }

  add_own_forces(model);
  add_joints(model, extent);
  if (extent > 0) set_length_scale(extent);
  finish();
  top_ = top_scope(model);
}

}  // namespace trompo
