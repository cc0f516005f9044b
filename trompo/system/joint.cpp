#include "trompo/system/joint.hpp"

#include <algorithm>
#include <type_traits>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/measure/angle.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/measure/driven.hpp"
#include "trompo/measure/joint_rows.hpp"
#include "trompo/model/joint_kinds.hpp"

namespace trompo {

namespace {

// An axis that is one of the body's own up to rounding is that one: fewer parts of the frame take part.
Vec3 cleaned(Vec3 a) {
  for (double& x : a)
    if (std::abs(x) < 1e-14) x = 0;
  return a;
}

std::shared_ptr<const TimeFunction> drive(const TimeFunction& motion) { return std::make_shared<const TimeFunction>(motion); }

}  // namespace

Attachment JointSide::point(const Vec3& place) const {
  if (anchor >= 0) {
    Attachment at = Attachment::ground(place - position);
    at.add(anchor, 1);
    return at;
  }
  if (frame < 0) return Attachment::ground(place);
  return Attachment::point(frame, cleaned(to_body(orientation, place - position)));
}

Attachment JointSide::axis(const Vec3& direction) const {
  return frame < 0 ? Attachment::ground(direction) : Attachment::axis(frame, cleaned(to_body(orientation, direction)));
}

double travel(const Joint& joint, const VecX& q) {
  const Vec3 way = joint.second.point(joint.at).place(q) - joint.first.point(joint.at).place(q);
  return way.dot(joint.first.axis(joint.axis).place(q));
}

std::array<Vec3, 2> JointSide::across(const Vec3& direction) const {
  const Vec3 own = cleaned(to_body(orientation, direction.normalized()));
  int along = 0;  // the axis that is nearest to the direction
  own.cwiseAbs().maxCoeff(&along);
  Vec3 first = Vec3::Unit((along + 1) % 3);
  first = (first - first.dot(own) * own).normalized();
  return {to_space(orientation, first), to_space(orientation, own.cross(first))};
}

std::vector<Attachment> angle_axes(const JointSide& first, const JointSide& second, const Vec3& axis) {
  const auto [a1, a2] = first.across(axis);
  // Zero where the axes of both bodies are parallel. Mounted otherwise, they never are: then zero is as drawn.
  const Vec3 same = to_space(second.orientation, to_body(first.orientation, a1));
  const Vec3 n = axis.normalized();
  const bool can_be_parallel = (to_body(first.orientation, n) - to_body(second.orientation, n)).norm() < 1e-9;
  return {second.axis(can_be_parallel ? same : a1), first.axis(a1), first.axis(a2)};
}

std::array<std::vector<Attachment>, 2> cross_axes(const JointSide& first, const JointSide& second, Vec3 axis, Vec3 other) {
  axis.normalize();
  other.normalize();
  const Vec3 normal = axis.cross(other);
  return {{{second.axis(other), first.axis(other), first.axis(normal)},
           {first.axis(axis), second.axis(axis), second.axis(normal)}}};
}

std::vector<Attachment> turned_axes(const JointSide& first, const JointSide& second, bool as_drawn) {
  std::vector<Attachment> axes;
  for (int k = 0; k < 3; ++k) axes.push_back(first.axis(to_space(first.orientation, Vec3::Unit(k))));
  for (int k = 0; k < 3; ++k) axes.push_back(second.axis(to_space((as_drawn ? first : second).orientation, Vec3::Unit(k))));
  return axes;
}

template <class M>
void JointBuilder::row(const M& measure, const Where& where, const std::string& what) {
  ConstraintTerms& terms = terms_of(constraints_, measure, where);
  joint_->rows.emplace_back(&terms, terms.rows());
  const std::string name = joint_->name + ": " + what;
  if constexpr (!std::is_same_v<M, Dot> && !std::is_same_v<M, Driven<Angle>>)
    if (joint_->in_loop) {
      // Between points that are all in the origin a row has no terms to be measured by; those of a loop are compared.
      Where sized = where;
      float& size = sized.attachments.front().constant_size;
      size = std::max(size, static_cast<float>(extent_));
      return terms.add(measure, sized, name);
    }
  terms.add(measure, where, name);
}

void JointBuilder::same_point(const Vec3& of_first, const Vec3& of_second) {
  static constexpr const char* words[] = {"point x", "point y", "point z"};
  Attachment a = joint_->first.point(of_first);
  const Attachment b = joint_->second.point(of_second);
  // Where both points are centres of mass in the origin, the error has no terms to be measured by: a thousandth of the model
  // stands in.
  a.constant_size = std::max(a.constant_size, static_cast<float>(1e-3 * extent_));
  for (int i = 0; i < 3; ++i) row(Difference{}, {{a.component(i), b.component(i)}, {}, 1}, words[i]);
}

void JointBuilder::parallel(const Vec3& axis) {
  const Attachment a = joint_->first.axis(axis.normalized());
  const auto [n1, n2] = joint_->second.across(axis);
  row(Dot{}, {{a, joint_->second.axis(n1)}}, "axis 1");
  row(Dot{}, {{a, joint_->second.axis(n2)}}, "axis 2");
}

void JointBuilder::fixed_orientation() {
  for (int k = 0; k < 3; ++k) {
    const Vec3 a = to_space(joint_->second.orientation, Vec3::Unit(k));
    const Vec3 b = to_space(joint_->second.orientation, Vec3::Unit((k + 1) % 3));
    row(Dot{}, {{joint_->first.axis(b), joint_->second.axis(a)}}, "turn " + std::to_string(k + 1));
  }
}

// The point of the second body stays on a line that the first carries along.
void JointBuilder::on_line(const Vec3& axis) {
  const Attachment p = joint_->first.point(joint_->at), q = joint_->second.point(joint_->at);
  const auto [n1, n2] = joint_->first.across(axis);
  row(Across{}, {{p, q, joint_->first.axis(n1)}}, "line 1");
  row(Across{}, {{p, q, joint_->first.axis(n2)}}, "line 2");
}

// In a plane through `place` that the first carries along.
void JointBuilder::in_plane(const Vec3& place, const Vec3& axis) {
  row(Across{}, {{joint_->first.point(place), joint_->second.point(joint_->at), joint_->first.axis(axis.normalized())}},
      "plane");
}

void JointBuilder::distance(const JointInput& input, const Vec3& from) {
  const Attachment p = joint_->first.point(from), q = joint_->second.point(joint_->at);
  if (input.motion) return row(Driven<Elongation>{Elongation(0), drive(*input.motion)}, {{p, q}, {time_}}, "distance");
  row(KeptDistance((joint_->at - from).norm()), {{p, q}}, "distance");
}

void JointBuilder::place(const JointInput& input, Joint& joint) {
  joint_ = &joint;
  joint.at = input.form.at.value_or(Vec3::Zero());
}

void JointBuilder::add(const JointInput& input, const JointKind& kind) {
  const JointForm& form = input.form;
  const Joint& joint = *joint_;
  const Vec3 at = joint.at, axis = form.axis.value_or(Vec3::UnitZ());
  for (const JointRows rows : kind.rows) switch (rows) {
      case JointRows::none: break;
      case JointRows::same_point: same_point(form.from.value_or(at), at); break;
      case JointRows::same_orientation: fixed_orientation(); break;
      case JointRows::parallel_axes: parallel(axis); break;
      case JointRows::crossed_axes:
        row(Dot{}, {{joint.first.axis(axis.normalized()), joint.second.axis(known(form.other_axis).normalized())}}, "cross");
        break;
      case JointRows::on_line: on_line(axis); break;
      case JointRows::in_plane: in_plane(at, axis); break;
      case JointRows::in_plane_of_from: in_plane(form.from.value_or(Vec3::Zero()), axis); break;
      case JointRows::distance: distance(input, form.from.value_or(Vec3::Zero())); break;
    }
  if (input.motion && kind.freedom == JointFreedom::angle)
    row(Driven<Angle>{{}, drive(*input.motion)}, {angle_axes(joint.first, joint.second, axis), {joint.angle, time_}}, "angle");
  if (const auto& slide = kind.freedom == JointFreedom::slide ? input.motion : input.travel_motion;
      slide && (kind.freedom == JointFreedom::slide || kind.slides()))
    row(Driven<Across>{{}, drive(*slide)},
        {{joint.first.point(at), joint.second.point(at), joint.first.axis(axis.normalized())}, {time_}}, "slide");
}

}  // namespace trompo
