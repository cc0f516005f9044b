#include "trompo/system/plane_joint.hpp"

#include <cmath>

namespace trompo {

void add_rows_in_plane(JointBuilder& builder, const JointInput& input, const JointKind& kind, int normal) {
  const Vec3 n = Vec3::Unit(normal), e = Vec3::Unit((normal + 1) % 3), f = n.cross(e);
  const auto across = [&n](const Vec3& axis) { return std::abs(axis.dot(n)) > 0.5; };
  const Vec3 axis = input.form.axis.value_or(n).normalized(), other = input.form.other_axis.value_or(n).normalized();
  const auto add = [&](JointRows rows, const Vec3& along, const Vec3& second = Vec3::UnitX()) {
    JointInput one = input;
    one.form.axis = along;
    one.form.other_axis = second;
    one.travel_motion.reset();
    if (rows != JointRows::distance) one.motion.reset();
    JointKind alone = kind;
    alone.rows = {rows};
    alone.freedom = JointFreedom::none;
    builder.add(one, alone);
  };
  for (const JointRows rows : kind.rows) switch (rows) {
      case JointRows::none: break;
      case JointRows::same_point: add(JointRows::on_line, n); break;
      case JointRows::same_orientation: add(JointRows::crossed_axes, e, f); break;
      case JointRows::parallel_axes:
        if (!across(axis)) add(JointRows::crossed_axes, axis, n.cross(axis));
        break;
      case JointRows::crossed_axes:
        if (!across(axis) && !across(other)) add(rows, axis, other);
        break;
      case JointRows::on_line: across(axis) ? add(rows, n) : add(JointRows::in_plane, n.cross(axis)); break;
      case JointRows::in_plane:
      case JointRows::in_plane_of_from:
        if (!across(axis)) add(rows, axis);
        break;
      case JointRows::distance: add(rows, axis); break;
    }
  if (!input.motion && !input.travel_motion) return;
  // What is driven: the angle about the normal, or a slide.
  JointInput drive = input;
  JointKind driven = kind;
  driven.rows = {};
  if (kind.travels() && !across(axis)) driven.freedom = JointFreedom::slide, drive.motion = input.travel_motion;
  builder.add(drive, driven);
}

}  // namespace trompo
