// Joints: each is a selection of rows over points and axes of two bodies (model/joint_kinds.hpp).
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "trompo/math/vector.hpp"
#include "trompo/model/model.hpp"
#include "trompo/system/attachment.hpp"
#include "trompo/system/constraint_terms.hpp"
#include "trompo/system/elastic_terms.hpp"
#include "trompo/system/viscous_terms.hpp"

namespace trompo {

struct JointKind;

// A body as a joint sees it at t = 0; the ground has no frame.
struct JointSide {
  int frame = -1;
  int anchor = -1;  // of a ground that moves: the first coordinate of the point `position`
  Vec3 position = Vec3::Zero();
  Quaternion orientation = Quaternion::Identity();

  [[nodiscard]] Attachment point(const Vec3& place) const;
  [[nodiscard]] Attachment axis(const Vec3& direction) const;
  // Two axes at right angles to a direction and to each other, so that (first, second, direction) is right-handed: axes of the
  // body itself where that can be.
  [[nodiscard]] std::array<Vec3, 2> across(const Vec3& direction) const;
};

// What a joint became.
struct Joint {
  std::string name;
  JointSide first, second;
  Vec3 at = Vec3::Zero(), axis = Vec3::UnitZ();              // in space, at t = 0
  std::vector<std::pair<const ConstraintTerms*, int>> rows;  // with the term of each
  std::vector<std::pair<const ElasticTerms*, int>> springs;  // in it, likewise
  std::vector<std::pair<const ViscousTerms*, int>> dampers;
  int angle = -1;        // of what turns about an axis: the coordinate that remembers it
  int other_angle = -1;  // of a universal joint: likewise, about `other_axis`
  bool in_loop = false;  // then its rows may depend on those of others
};

// What acts through a joint: all of it, what its constraints bear, or what is in it.
enum class JointPart { all, constraint, spring, damper };

// Of one that slides: how far along the axis of the first body.
[[nodiscard]] double travel(const Joint& joint, const VecX& q);

struct Reaction {  // on the second body, at the joint, global axes
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};

// Gathers the rows of joints.
class JointBuilder {
 public:
  JointBuilder(std::deque<ConstraintTerms>& constraints, int time, double extent)
      : constraints_(constraints), time_(time), extent_(extent) {}

  void place(const JointInput& input, Joint& joint);  // where it is, whether or not it holds
  // The rows of the joint that was placed last, whose angle has its coordinate.
  void add(const JointInput& input, const JointKind& kind);

 private:
  template <class M>
  void row(const M& measure, const Where& where, const std::string& what);
  void same_point(const Vec3& of_first, const Vec3& of_second);
  void parallel(const Vec3& axis);
  void fixed_orientation();
  void on_line(const Vec3& axis);
  void in_plane(const Vec3& place, const Vec3& axis);
  void distance(const JointInput& input, const Vec3& from);

  std::deque<ConstraintTerms>& constraints_;
  Joint* joint_ = nullptr;
  int time_;
  double extent_;  // of the model
};

// The three axes an angle is measured by: of the second body, then two of the first.
[[nodiscard]] std::vector<Attachment> angle_axes(const JointSide& first, const JointSide& second, const Vec3& axis);
// The same of a cross with an arm along `axis` in the first body and one along `other` in the second: its turn about the former
// in the first, and that of the second about the latter. Both are zero as drawn.
[[nodiscard]] std::array<std::vector<Attachment>, 2> cross_axes(const JointSide& first, const JointSide& second, Vec3 axis,
                                                                Vec3 other);
// The three axes of each body by which all of a turn is measured: as they are in the first, as they were drawn or as they are
// in the second.
[[nodiscard]] std::vector<Attachment> turned_axes(const JointSide& first, const JointSide& second, bool as_drawn);

}  // namespace trompo
