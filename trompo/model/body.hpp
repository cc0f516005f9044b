// A rigid body at t = 0: what the user wrote, worked out, and what is wrong with it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/math/vector.hpp"
#include "trompo/model/model.hpp"

namespace trompo {

// The words of `formulation`.
inline constexpr std::array<std::string_view, 3> formulations{"directors", "rotation", "euler-parameters"};

// What the equations want. A body that inspect_body has errors about gives zeros and the identity where it is wrong.
struct ResolvedBody {
  double mass = 0;
  Mat3 inertia = Mat3::Zero();  // body axes, about the centre of mass, or about the fixed point if there is one
  Vec3 centre = Vec3::Zero();   // of mass, in body axes, from the fixed point; zero without one
  Quaternion orientation = Quaternion::Identity();  // turns body axes into global axes
  Vec3 position = Vec3::Zero();                     // of the centre of mass
  Vec3 velocity = Vec3::Zero();                     // likewise, global axes
  Vec3 angular_velocity = Vec3::Zero();             // body axes

  // Where a point of the body is; `point` in body axes, from the centre of mass.
  [[nodiscard]] Vec3 place_of(const Vec3& point) const;
};
[[nodiscard]] ResolvedBody resolve_body(const BodyInput& body);

struct BodyRemark {
  Diagnostic::Severity severity = Diagnostic::Severity::error;
  std::string key;  // of the body
  int line = 0;     // of the innermost table that is meant
  std::string message, remedy;
};
[[nodiscard]] std::vector<BodyRemark> inspect_body(const BodyInput& body);

// Of a homogeneous shape about its own centre, in its axes; zero if no shape is given.
[[nodiscard]] Mat3 shape_inertia(const ShapeInput& shape, double mass);
// What Steiner's theorem adds for axes at a distance c from the centre of mass: m (c.c I - c c^T).
[[nodiscard]] Mat3 parallel_axes(double mass, const Vec3& c);
// Of a symmetric tensor, smallest first.
[[nodiscard]] Vec3 principal_values(const Mat3& inertia);

}  // namespace trompo
