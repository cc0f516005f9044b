#include "trompo/system/joint.hpp"

#include <algorithm>
#include <type_traits>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/measure/angle.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/measure/driven.hpp"
#include "trompo/measure/joint_rows.hpp"

namespace trompo {

namespace {

// An axis that is one of the body's own up to rounding is that one: fewer parts of the frame take part.
Vec3 cleaned(Vec3 a) {
  for (double& x : a)
    if (std::abs(x) < 1e-14) x = 0;
  return a;
}

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

template <class M>
void JointBuilder::row(const M& measure, const Where& where, const std::string& what) {
  const std::string name = joint_->name + ": " + what;
  if (dropped_.contains(name)) {
    joint_->determined = false;
    // Between points that are all in the origin a row has no terms to be measured by, as in same_point.
    Where watched = where;
    if constexpr (!std::is_same_v<M, Dot> && !std::is_same_v<M, Driven<Angle>>) {
      float& size = watched.attachments.front().constant_size;
      size = std::max(size, static_cast<float>(1e-3 * extent_));
    }
    left_out_.add(measure, watched, name);
    return;
  }
  ConstraintTerms& terms = terms_of(constraints_, measure, where);
  joint_->rows.emplace_back(&terms, terms.rows());
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

// The point of the second body stays on the line (2) or in the plane (1) that the first carries along.
void JointBuilder::across(const Vec3& axis, int count) {
  const Attachment p = joint_->first.point(joint_->at), q = joint_->second.point(joint_->at);
  if (count == 1) return row(Across{}, {{p, q, joint_->first.axis(axis.normalized())}}, "plane");
  const auto [n1, n2] = joint_->first.across(axis);
  row(Across{}, {{p, q, joint_->first.axis(n1)}}, "line 1");
  row(Across{}, {{p, q, joint_->first.axis(n2)}}, "line 2");
}

void JointBuilder::add(const JointInput& input, Joint& joint, int memory) {
  joint_ = &joint;
  const JointForm& form = input.form;
  const Vec3 at = form.at.value_or(Vec3::Zero()), axis = form.axis.value_or(Vec3::UnitZ());
  const std::string& kind = input.kind;
  joint.at = at;
  const bool point = kind == "weld" || kind == "hinge" || kind == "ball" || kind == "universal";
  if (point) same_point(form.from.value_or(at), at);
  if (kind == "weld" || kind == "prismatic") fixed_orientation();
  if (kind == "hinge" || kind == "cylindrical" || kind == "planar") parallel(axis);
  if (kind == "universal")
    row(Dot{}, {{joint.first.axis(axis.normalized()), joint.second.axis(known(form.other_axis).normalized())}}, "cross");
  if (kind == "cylindrical" || kind == "prismatic" || kind == "line") across(axis, 2);
  if (kind == "planar" || kind == "plane") across(axis, 1);

  const auto drive = [&] { return std::make_shared<const TimeFunction>(known(input.motion)); };
  if (kind == "hinge" && input.motion)
    row(Driven<Angle>{{}, drive()}, {angle_axes(joint.first, joint.second, axis), {memory, time_}}, "angle");
  const Attachment p = joint.first.point(at), q = joint.second.point(at);
  if (kind == "prismatic" && input.motion)
    row(Driven<Across>{{}, drive()}, {{p, q, joint.first.axis(axis.normalized())}, {time_}}, "slide");
  if (kind == "distance" || kind == "circle") {
    const Vec3 from = form.from.value_or(Vec3::Zero());
    const Attachment centre = joint.first.point(from);
    if (kind == "circle") row(Across{}, {{centre, q, joint.first.axis(axis.normalized())}}, "plane");
    if (input.motion)
      row(Driven<Elongation>{Elongation(0), drive()}, {{centre, q}, {time_}}, "distance");
    else
      row(KeptDistance((at - from).norm()), {{centre, q}}, "distance");
  }
}

}  // namespace trompo
