// The kinds of joints. Each is one struct of the table in joint_kinds.cpp, and all there is to say of it stands there: its name
// in the model file, what it needs, the rows it puts into the equations, what can be driven and sprung, how it is drawn.
// Reader, schema, checks, assembly, page and the test of the guide go through this table. To add a joint, add a struct.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace trompo {

// What a joint demands of its two bodies, in rows of measure/joint_rows.hpp (system/joint.cpp).
enum class JointRows : unsigned char {
  none,
  same_point,        // 3: the points of both bodies coincide
  same_orientation,  // 3: the second body does not turn against the first
  parallel_axes,     // 2: `axis` has the same direction in both bodies
  crossed_axes,      // 1: `axis` of the first and `other_axis` of the second are at right angles
  on_line,           // 2: the point of the second body is on a line of the first along `axis`
  in_plane,          // 1: ... in a plane of the first across `axis`
  in_plane_of_from,  // 1: ... in that through `from`
  distance,          // 1: `from` on the first and `at` on the second keep their distance, or the one that is driven
};

// What `stiffness` and `damping` act on and `motion` drives. A turn about a point, or about the two axes of a cross, is sprung
// only.
enum class JointFreedom : unsigned char { none, angle, slide, distance, turn, cross };

// A solid with its axis along z, in units of the size of a node; a link goes from the point of one body to that of the other.
struct JointSymbol {
  enum class Solid : unsigned char { octahedron, cylinder, box, ball, ring, link };
  Solid solid = Solid::octahedron;
  std::array<double, 3> size{0.8, 0.8, 0.8};

  static constexpr std::array<std::string_view, 6> names{"octahedron", "cylinder", "box", "ball", "ring", "link"};
  [[nodiscard]] constexpr std::string_view name() const { return names[static_cast<std::size_t>(solid)]; }
};

struct JointKind {
  std::string_view name;
  std::string_view about;                               // the keys it takes, and what it leaves free
  bool axis = false, other_axis = false, from = false;  // which of them it needs, beside `at`
  std::array<JointRows, 3> rows{};
  JointFreedom freedom = JointFreedom::none;
  bool bushing = false;  // springs and dampers along and about all axes in place of rows
  JointSymbol symbol{};

  // `stiffness` and `damping` act on the freedom; along a distance that is a [[spring]].
  [[nodiscard]] constexpr bool sprung() const { return freedom != JointFreedom::none && freedom != JointFreedom::distance; }
  [[nodiscard]] constexpr bool driven() const {
    return freedom == JointFreedom::angle || freedom == JointFreedom::slide || freedom == JointFreedom::distance;
  }
  // Is there an angle about an axis, which counts full turns?
  [[nodiscard]] constexpr bool has_angle() const { return freedom == JointFreedom::angle || freedom == JointFreedom::cross; }
  // Does it slide beside its angle, with springs, dampers and a drive of its own for that?
  [[nodiscard]] constexpr bool travels() const { return freedom == JointFreedom::angle && slides(); }
  // Does a point of the second body slide along an axis of the first?
  [[nodiscard]] constexpr bool slides() const {
    for (const JointRows row : rows)
      if (row == JointRows::on_line) return true;
    return false;
  }
  [[nodiscard]] constexpr bool has_rows() const { return rows[0] != JointRows::none; }
};

[[nodiscard]] std::span<const JointKind> joint_kinds();
// Their names, in the same order.
[[nodiscard]] std::vector<std::string_view> joint_names();
// Null if there is none of that name.
[[nodiscard]] const JointKind* find_joint_kind(std::string_view name);

}  // namespace trompo
