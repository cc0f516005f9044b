// Joints of the model: their constraints, the springs and dampers in them, bushings.
#include <algorithm>
#include <span>

#include "trompo/measure/angle.hpp"
#include "trompo/measure/joint_rows.hpp"
#include "trompo/measure/rotation_vector.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/system/loops.hpp"
#include "trompo/system/plane_joint.hpp"
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

// A hinge always has its angle; others where something acts on it, or will after an event, or looks at it.
bool wants_angle(const Model& model, const JointInput& joint, const JointKind& kind) {
  if (kind.freedom == JointFreedom::angle && !kind.travels()) return true;
  if (joint.stiffness > 0 || joint.damping > 0 || joint.other_stiffness || joint.other_damping || joint.motion) return true;
  if (std::any_of(model.events.begin(), model.events.end(),
                  [&](const EventInput& e) { return e.what == "joint" && e.name == joint.name; }))
    return true;
  return std::any_of(model.sensors.begin(), model.sensors.end(), [&](const SensorInput& s) {
    return (s.kind == "angle" || s.kind == "other_angle") && s.of[0] == joint.name;
  });
}

}  // namespace

void System::add_joints(const Model& model, double extent) {
  JointBuilder builder(constraints_, time_, extent > 0 ? extent : 1.0);
  const std::vector<bool> in_loop = joints_in_loops(model);
  const double rayleigh = model.rayleigh.stiffness;
  for (const JointInput& input : model.joints) {
    Joint joint;
    // Springs and dampers, as far as there are any.
    const auto any = [](std::span<const double> x) {
      return std::any_of(x.begin(), x.end(), [](double one) { return one > 0; });
    };
    const auto spring = [&](const auto& phi, const Where& where, std::span<const double> stiffness) {
      if (input.released || !any(stiffness)) return;
      add_elastic(phi, linear_law, where, stiffness);
      const ElasticTerms& all = terms_of(elastic_, phi, where, linear_law);
      joint.springs.emplace_back(&all, all.terms().count() - 1);
    };
    const auto damper = [&](const auto& phi, const Where& where, std::span<const double> viscosity) {
      if (input.released || !any(viscosity)) return;
      add_viscous(phi, where, viscosity);
      const ViscousTerms& all = terms_of(viscous_, phi, where);
      joint.dampers.emplace_back(&all, all.terms().count() - 1);
    };
    const auto suspend = [&](const auto& phi, const Where& where, double stiffness, double damping) {
      const double viscosity = damping + rayleigh * stiffness;
      spring(phi, where, {&stiffness, 1});
      damper(phi, where, {&viscosity, 1});
    };
    joint.name = input.name;
    joint.in_loop = in_loop[joints_.size()];
    const Lookup ask(model, input.source, "bodies", "joint " + in_quotes(input.name));
    joint.first = side_of(model, bodies_, input.bodies[0], ask);
    joint.second = side_of(model, bodies_, input.bodies[1], ask);
    const JointKind& kind = joint_kinds()[ask.word(joint_names(), "kind of joint", input.kind)];
    const bool as_drawn = !input.rest.empty() && ask.word(word_lists::rests, "rest", input.rest) == 0;
    const bool sines = !input.law.empty() && ask.word(word_lists::bushing_laws, "law", input.law) == 1;
    const JointForm& form = input.form;
    const Vec3 at = form.at.value_or(Vec3::Zero()), axis = form.axis.value_or(Vec3::UnitZ());
    joint.axis = axis.normalized();
    if (moves(input.ground_motion)) {
      JointSide& ground = joint.first.frame < 0 ? joint.first : joint.second;
      ground.position = at;
      ground.anchor = add_anchor(input.name + ".ground", at, input.ground_motion);
    }
    // An angle that counts its turns, and the coordinate for that.
    const auto turn_about = [&](const std::vector<Attachment>& axes, const char* name, double rest, double stiffness,
                                double damping) {
      const int memory = add_memory(input.name + name);
      memories_.push_back(memory);
      remembered_.add({axes, {memory}});
      suspend(Angle{rest}, {axes, {memory}}, stiffness, damping);
      return memory;
    };
    // A whole turn, by its vector: along the axes of the first body.
    const auto turn = [&](bool from_drawing, const Vec3& stiffness, const Vec3& damping) {
      const Where where{turned_axes(joint.first, joint.second, from_drawing)};
      const Vec3 viscosity = damping + rayleigh * stiffness;
      const std::span<const double> each(stiffness.data(), 3);
      spring(RotationVector{}, where, each);
      damper(RelativeSpin{}, where, {viscosity.data(), 3});
      if (input.released || !any(each)) return;
      turned_.add(where);
      turned_names_.push_back("joint " + in_quotes(input.name));
    };
    if (kind.freedom == JointFreedom::angle && wants_angle(model, input, kind)) {
      const auto axes = angle_axes(joint.first, joint.second, axis);
      const auto drawn = [&](const Attachment& own_axis) {  // where an axis is at t = 0
        const JointSide& side = &own_axis == &axes[0] ? joint.second : joint.first;
        Vec3 own = own_axis.constant();
        for (int m = 0; m < own_axis.parts; ++m) own[(own_axis.part[m] - side.frame) / 3 - 1] += own_axis.share[m];
        return to_space(side.orientation, own);
      };
      const double rest = as_drawn ? std::atan2(drawn(axes[0]).dot(drawn(axes[2])), drawn(axes[0]).dot(drawn(axes[1])))
                                   : input.rest_angle.value_or(0);
      joint.angle = turn_about(axes, ".angle", rest, input.stiffness, input.damping);
    }
    if (kind.freedom == JointFreedom::cross && wants_angle(model, input, kind)) {
      const auto axes = cross_axes(joint.first, joint.second, axis, form.other_axis.value_or(Vec3::UnitX()));
      joint.angle = turn_about(axes[0], ".angle", 0, input.stiffness, input.damping);
      joint.other_angle =
          turn_about(axes[1], ".other_angle", 0, input.other_stiffness.value_or(0), input.other_damping.value_or(0));
    }
    if (kind.freedom == JointFreedom::turn) turn(as_drawn, Vec3::Constant(input.stiffness), Vec3::Constant(input.damping));
    const Where along{{joint.first.point(at), joint.second.point(at), joint.first.axis(axis.normalized())}};
    if (kind.freedom == JointFreedom::slide) suspend(Across{}, along, input.stiffness, input.damping);
    if (kind.travels()) suspend(Across{}, along, input.travel_stiffness.value_or(0), input.travel_damping.value_or(0));
    if (kind.bushing) {
      const auto own = [&](const JointSide& s, int k) { return s.axis(to_space(joint.first.orientation, Vec3::Unit(k % 3))); };
      const Vec3 zero = Vec3::Zero(), stiffness = input.stiffness_about.value_or(zero),
                 damping = input.damping_about.value_or(zero);
      for (int i = 0; i < 3; ++i) {
        suspend(Across{}, {{joint.first.point(at), joint.second.point(at), own(joint.first, i)}},
                input.stiffness_along.value_or(zero)[i], input.damping_along.value_or(zero)[i]);
        // The sine of the turn about axis i: the next axis of the second body against the one after it of the first.
        if (sines) suspend(Dot{}, {{own(joint.first, i + 2), own(joint.second, i + 1)}}, stiffness[i], damping[i]);
      }
      if (!sines) turn(true, stiffness, damping);
    }
    builder.place(input, joint);
    if (!input.released)
      model.normal_axis() < 0 ? builder.add(input, kind) : add_rows_in_plane(builder, input, kind, model.normal_axis());
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
  for (const int c : {j.angle, j.other_angle, time_})
    if (c >= 0) force[c] = 0;
  if (!on_second) {  // the ground gets the opposite
    r.force = -r.force;
    r.torque = -r.torque;
  }
  return r;
}

}  // namespace trompo
