// The kinds of joints. Each is one struct of the table below, and all there is to say of it stands there: its name in the model
// file, what it needs, the rows it puts into the equations, what can be driven and sprung, how it is drawn. Reader, schema,
// checks, assembly, page and the test of the guide go through this table. To add a joint, add a struct.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

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

enum class JointFreedom : unsigned char { none, angle, slide, distance };  // what `motion` drives

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
  [[nodiscard]] constexpr bool sprung() const { return freedom == JointFreedom::angle || freedom == JointFreedom::slide; }
  [[nodiscard]] constexpr bool has_rows() const { return rows[0] != JointRows::none; }
};

inline constexpr JointKind joint_kinds[]{
    {
        .name = "weld",
        .about = "{ at }: no relative motion",
        .rows = {JointRows::same_point, JointRows::same_orientation},
        .symbol = {JointSymbol::Solid::box, {1.3, 1.3, 1.3}},
    },
    {
        .name = "hinge",
        .about = "{ axis, at }: turns about one axis",
        .axis = true,
        .rows = {JointRows::same_point, JointRows::parallel_axes},
        .freedom = JointFreedom::angle,
        .symbol = {JointSymbol::Solid::cylinder, {0.6, 0.6, 2.6}},
    },
    {
        .name = "ball",
        .about = "{ at }: turns about a point",
        .rows = {JointRows::same_point},
        .symbol = {JointSymbol::Solid::ball, {0.85, 0.85, 0.85}},
    },
    {
        .name = "universal",
        .about = "{ at, axis, other_axis }: turns about an axis of each body, which stay at right angles",
        .axis = true,
        .other_axis = true,
        .rows = {JointRows::same_point, JointRows::crossed_axes},
        .symbol = {JointSymbol::Solid::octahedron, {1, 1, 1.3}},
    },
    {
        .name = "cylindrical",
        .about = "{ axis, at }: slides along an axis and turns about it",
        .axis = true,
        .rows = {JointRows::parallel_axes, JointRows::on_line},
        .symbol = {JointSymbol::Solid::cylinder, {0.45, 0.45, 4.5}},
    },
    {
        .name = "prismatic",
        .about = "{ axis, at }: slides along an axis",
        .axis = true,
        .rows = {JointRows::same_orientation, JointRows::on_line},
        .freedom = JointFreedom::slide,
        .symbol = {JointSymbol::Solid::box, {0.8, 0.8, 4}},
    },
    {
        .name = "planar",
        .about = "{ axis, at }: slides in a plane, whose normal is axis, and turns about it",
        .axis = true,
        .rows = {JointRows::parallel_axes, JointRows::in_plane},
        .symbol = {JointSymbol::Solid::cylinder, {2, 2, 0.2}},
    },
    {
        .name = "distance",
        .about = "{ from, at }: two points keep their distance",
        .from = true,
        .rows = {JointRows::distance},
        .freedom = JointFreedom::distance,
        .symbol = {JointSymbol::Solid::link, {0.3, 0.3, 1}},
    },
    {
        .name = "line",
        .about = "{ axis, at }: a point of the second body stays on a line of the first",
        .axis = true,
        .rows = {JointRows::on_line},
        .symbol = {JointSymbol::Solid::box, {0.8, 0.8, 4}},
    },
    {
        .name = "plane",
        .about = "{ axis, at }: a point of the second body stays in a plane of the first, whose normal is axis",
        .axis = true,
        .rows = {JointRows::in_plane},
        .symbol = {JointSymbol::Solid::cylinder, {2, 2, 0.2}},
    },
    {
        .name = "circle",
        .about = "{ axis, from, at }: a point of the second body stays on a circle of the first about `from`",
        .axis = true,
        .from = true,
        .rows = {JointRows::in_plane_of_from, JointRows::distance},
        .symbol = {JointSymbol::Solid::ring, {1.6, 1.6, 1.6}},
    },
    {
        .name = "bushing",
        .about = "{ at }: springs and dampers along and about the axes of the first body",
        .bushing = true,
    },
};

// Their names, in the same order.
inline constexpr auto joint_names = [] {
  std::array<std::string_view, std::size(joint_kinds)> names;
  std::transform(std::begin(joint_kinds), std::end(joint_kinds), names.begin(), [](const JointKind& k) { return k.name; });
  return names;
}();

// Null if there is none of that name.
[[nodiscard]] constexpr const JointKind* find_joint_kind(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(joint_kinds), std::end(joint_kinds), [name](const JointKind& k) { return k.name == name; });
  return found == std::end(joint_kinds) ? nullptr : found;
}

}  // namespace trompo
