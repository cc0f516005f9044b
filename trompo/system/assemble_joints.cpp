// Joints of the model: their constraints, the springs and dampers in them, bushings.
#include <algorithm>

#include "trompo/measure/angle.hpp"
#include "trompo/measure/joint_rows.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/system/loops.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

namespace {

JointSide side_of(const Model& model, const std::vector<RigidBody>& bodies, const std::string& name, const Lookup& ask) {
  if (name == "ground") return {};
  const auto found =
      std::find_if(model.bodies.begin(), model.bodies.end(), [&](const BodyInput& body) { return body.name == name; });
  if (found == model.bodies.end()) {
    std::vector<std::string> known = Lookup::names_of(model.bodies);
    known.emplace_back("ground");
    ask.unknown("body", name, known);
  }
  const auto b = static_cast<std::size_t>(found - model.bodies.begin());
  const ResolvedBody body = resolve_body(model.bodies[b]);
  return {.frame = bodies[b].first, .position = body.position, .orientation = body.orientation};
}

}  // namespace

void System::add_joints(const Model& model, double extent) {
  JointBuilder builder(constraints_, time_, extent > 0 ? extent : 1.0);
  const std::vector<bool> in_loop = joints_in_loops(model);
  const double rayleigh = model.rayleigh.stiffness;
  for (const JointInput& input : model.joints) {
    Joint joint;
    // A linear spring and a damper, as far as there are any.
    const auto suspend = [&](const auto& phi, const Where& where, double stiffness, double viscosity) {
      if (stiffness > 0) {
        add_elastic(phi, linear_law, where, stiffness);
        const ElasticTerms& all = terms_of(elastic_, phi, where, linear_law);
        joint.springs.emplace_back(&all, all.terms().count() - 1);
      }
      if (viscosity > 0) {
        add_viscous(phi, where, viscosity);
        const ViscousTerms& all = terms_of(viscous_, phi, where);
        joint.dampers.emplace_back(&all, all.terms().count() - 1);
      }
    };
    joint.name = input.name;
    joint.in_loop = in_loop[joints_.size()];
    const Lookup ask(model, input.source, "bodies", "joint " + in_quotes(input.name));
    joint.first = side_of(model, bodies_, input.bodies[0], ask);
    joint.second = side_of(model, bodies_, input.bodies[1], ask);
    const JointKind& kind = joint_kinds()[ask.word(joint_names(), "kind of joint", input.kind)];
    const bool as_drawn = !input.rest.empty() && ask.word(word_lists::rests, "rest", input.rest) == 0;
    const JointForm& form = input.form;
    const Vec3 at = form.at.value_or(Vec3::Zero()), axis = form.axis.value_or(Vec3::UnitZ());
    joint.axis = axis.normalized();
    if (moves(input.ground_motion)) {
      JointSide& ground = joint.first.frame < 0 ? joint.first : joint.second;
      ground.position = at;
      ground.anchor = add_anchor(input.name + ".ground", at, input.ground_motion);
    }
    if (kind.freedom == JointFreedom::angle) {
      const auto axes = angle_axes(joint.first, joint.second, axis);
      joint.angle = add_memory(input.name + ".angle");
      memories_.push_back(joint.angle);
      remembered_.add({axes, {joint.angle}});
      Angle angle;
      const auto drawn = [&](const Attachment& own_axis) {  // where an axis is at t = 0
        const JointSide& side = &own_axis == &axes[0] ? joint.second : joint.first;
        Vec3 own = own_axis.constant();
        for (int m = 0; m < own_axis.parts; ++m) own[(own_axis.part[m] - side.frame) / 3 - 1] += own_axis.share[m];
        return to_space(side.orientation, own);
      };
      angle.rest = input.rest_angle.value_or(0);
      if (as_drawn) angle.rest = std::atan2(drawn(axes[0]).dot(drawn(axes[2])), drawn(axes[0]).dot(drawn(axes[1])));
      suspend(angle, {axes, {joint.angle}}, input.stiffness, input.damping + rayleigh * input.stiffness);
    }
    if (kind.freedom == JointFreedom::slide)
      suspend(Across{}, {{joint.first.point(at), joint.second.point(at), joint.first.axis(axis.normalized())}}, input.stiffness,
              input.damping + rayleigh * input.stiffness);
    if (kind.bushing)
      for (int i = 0; i < 3; ++i) {
        const auto of = [i](const std::optional<Vec3>& x) { return x ? (*x)[i] : 0.0; };
        const auto own = [&](const JointSide& s, int k) {
          return s.axis(to_space(joint.first.orientation, Vec3::Unit(k % 3)));
        };
        const double k = of(input.stiffness_along), turn = of(input.stiffness_about);
        suspend(Across{}, {{joint.first.point(at), joint.second.point(at), own(joint.first, i)}}, k,
                of(input.damping_along) + rayleigh * k);
        // The sine of the turn about axis i: the next axis of the second body against the one after it of the first.
        suspend(Dot{}, {{own(joint.first, i + 2), own(joint.second, i + 1)}}, turn, of(input.damping_about) + rayleigh * turn);
      }
    builder.add(input, kind, joint, joint.angle);
    joints_.push_back(std::move(joint));
  }
}

// What its rows, -J^T lambda, and what is in it do, as a force at the joint and a torque about it.
Reaction System::reaction(int joint, const VecX& q, const VecX& v, const VecX& multiplier, VecX& scratch,
                          JointPart part) const {
  const Joint& j = joints_[joint];
  VecX& force = scratch;
  const auto wanted = [part](JointPart one) { return part == JointPart::all || part == one; };
  if (wanted(JointPart::constraint))
    for (const auto& [terms, term] : j.rows) terms->at(term, q, multiplier, force);
  if (wanted(JointPart::spring))
    for (const auto& [terms, term] : j.springs) terms->at(term, term + 1, q, force);
  if (wanted(JointPart::damper))
    for (const auto& [terms, term] : j.dampers) terms->at(term, term + 1, q, v, force);
  const bool on_second = j.second.frame >= 0;
  const JointSide& side = on_second ? j.second : j.first;
  const int x = side.frame;
  Reaction r{-force.segment<3>(x), Vec3::Zero()};
  for (int k = 1; k <= 3; ++k) r.torque -= Vec3(q.segment<3>(x + 3 * k)).cross(Vec3(force.segment<3>(x + 3 * k)));
  r.torque += (Vec3(q.segment<3>(x)) - side.point(j.at).place(q)).cross(r.force);
  for (const JointSide* s : {&j.first, &j.second}) {
    if (s->frame >= 0) force.segment<RigidBody::coordinates>(s->frame).setZero();
    if (s->anchor >= 0) force.segment<3>(s->anchor).setZero();
  }
  for (const int c : {j.angle, time_})
    if (c >= 0) force[c] = 0;
  if (!on_second) {  // the ground gets the opposite
    r.force = -r.force;
    r.torque = -r.torque;
  }
  return r;
}

}  // namespace trompo
