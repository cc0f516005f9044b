#include "trompo/model/joint_kinds.hpp"

#include <algorithm>
#include <iterator>

namespace trompo {

namespace {

using Rows = JointRows;
using Freedom = JointFreedom;
using Solid = JointSymbol::Solid;

constexpr JointKind kinds[]{
    {
        .name = "weld",
        .about = "{ at }: no relative motion",
        .rows = {Rows::same_point, Rows::same_orientation},
        .symbol = {Solid::box, {1.3, 1.3, 1.3}},
    },
    {
        .name = "hinge",
        .about = "{ axis, at }: turns about one axis",
        .axis = true,
        .rows = {Rows::same_point, Rows::parallel_axes},
        .freedom = Freedom::angle,
        .symbol = {Solid::cylinder, {0.6, 0.6, 2.6}},
    },
    {
        .name = "ball",
        .about = "{ at }: turns about a point",
        .rows = {Rows::same_point},
        .freedom = Freedom::turn,
        .symbol = {Solid::ball, {0.85, 0.85, 0.85}},
    },
    {
        .name = "universal",
        .about = "{ at, axis, other_axis }: turns about an axis of each body, which stay at right angles",
        .axis = true,
        .other_axis = true,
        .rows = {Rows::same_point, Rows::crossed_axes},
        .freedom = Freedom::cross,
        .symbol = {Solid::octahedron, {1, 1, 1.3}},
    },
    {
        .name = "cylindrical",
        .about = "{ axis, at }: slides along an axis and turns about it",
        .axis = true,
        .rows = {Rows::parallel_axes, Rows::on_line},
        .freedom = Freedom::angle,
        .symbol = {Solid::cylinder, {0.45, 0.45, 4.5}},
    },
    {
        .name = "prismatic",
        .about = "{ axis, at }: slides along an axis",
        .axis = true,
        .rows = {Rows::same_orientation, Rows::on_line},
        .freedom = Freedom::slide,
        .symbol = {Solid::box, {0.8, 0.8, 4}},
    },
    {
        .name = "planar",
        .about = "{ axis, at }: slides in a plane, whose normal is axis, and turns about it",
        .axis = true,
        .rows = {Rows::parallel_axes, Rows::in_plane},
        .symbol = {Solid::cylinder, {2, 2, 0.2}},
    },
    {
        .name = "distance",
        .about = "{ from, at }: two points keep their distance",
        .from = true,
        .rows = {Rows::distance},
        .freedom = Freedom::distance,
        .symbol = {Solid::link, {0.3, 0.3, 1}},
    },
    {
        .name = "line",
        .about = "{ axis, at }: a point of the second body stays on a line of the first",
        .axis = true,
        .rows = {Rows::on_line},
        .symbol = {Solid::box, {0.8, 0.8, 4}},
    },
    {
        .name = "plane",
        .about = "{ axis, at }: a point of the second body stays in a plane of the first, whose normal is axis",
        .axis = true,
        .rows = {Rows::in_plane},
        .symbol = {Solid::cylinder, {2, 2, 0.2}},
    },
    {
        .name = "circle",
        .about = "{ axis, from, at }: a point of the second body stays on a circle of the first about `from`",
        .axis = true,
        .from = true,
        .rows = {Rows::in_plane_of_from, Rows::distance},
        .symbol = {Solid::ring, {1.6, 1.6, 1.6}},
    },
    {
        .name = "bushing",
        .about = "{ at }: springs and dampers along and about the axes of the first body",
        .bushing = true,
    },
};

}  // namespace

std::span<const JointKind> joint_kinds() { return kinds; }

std::vector<std::string_view> joint_names() {
  std::vector<std::string_view> names;
  for (const JointKind& kind : joint_kinds()) names.push_back(kind.name);
  return names;
}

const JointKind* find_joint_kind(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kinds), std::end(kinds), [name](const JointKind& kind) { return kind.name == name; });
  return found == std::end(kinds) ? nullptr : found;
}

}  // namespace trompo
