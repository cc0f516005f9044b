// What the arguments of a term are: points and axes of bodies, each a sum of parts of one frame with fixed shares.
//
// A point p of a body is x + p1 d1 + p2 d2 + p3 d3, an axis a1 d1 + a2 d2 + a3 d3, a node is itself, a place in space is a
// constant. So a measure written in points and axes serves nodes, bodies and ground alike, and what it finds is spread to the
// frames by the shares. Only the parts with a share take part.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <vector>

#include "trompo/math/vector.hpp"

namespace trompo {

// One vector, or one component of a vector. Small on purpose: all of them are read several times a step.
struct Attachment {
  std::array<int, 4> part{};  // first coordinate of each part
  std::array<double, 4> share{};
  float constant_size = 0;  // of the place or direction in space: what rounding is measured by
  std::uint8_t parts = 0;
  std::uint8_t along = 0;  // the global axis of a component
  bool placed = false;     // has a constant, a place or a direction in space: in the last three shares, of parts there is one

  void add(int coordinate, double by) {
    if (by == 0) return;
    assert(!placed || parts == 0);
    part[static_cast<std::size_t>(parts)] = coordinate;
    share[static_cast<std::size_t>(parts++)] = by;
  }
  [[nodiscard]] Vec3 constant() const { return placed ? Vec3(share[1], share[2], share[3]) : Vec3(Vec3::Zero()); }
  // The component along a global axis.
  [[nodiscard]] Attachment component(int axis) const {
    Attachment one = *this;
    for (int& first : one.part) first += axis;
    if (placed) one.share = {share[0], share[1 + static_cast<std::size_t>(axis)], 0, 0};
    one.along = static_cast<std::uint8_t>(axis);
    return one;
  }
  [[nodiscard]] Vec3 place(const VecX& q) const {
    Vec3 sum = constant();
    for (int m = 0; m < parts; ++m) sum += share[static_cast<std::size_t>(m)] * q.segment<3>(part[static_cast<std::size_t>(m)]);
    return sum;
  }

  [[nodiscard]] static Attachment node(int first) {
    Attachment one;
    one.add(first, 1);
    return one;
  }
  [[nodiscard]] static Attachment ground(const Vec3& place) {
    Attachment one;
    one.placed = true;
    one.share = {0, place.x(), place.y(), place.z()};
    one.constant_size = static_cast<float>(place.norm());
    return one;
  }
  [[nodiscard]] static Attachment axis(int frame, const Vec3& direction) {  // in body axes
    Attachment one;
    for (int m = 0; m < 3; ++m) one.add(frame + 3 + 3 * m, direction[m]);
    return one;
  }
  [[nodiscard]] static Attachment point(int frame, const Vec3& from_centre) {
    Attachment one;
    one.add(frame, 1);
    for (int m = 0; m < 3; ++m) one.add(frame + 3 + 3 * m, from_centre[m]);
    return one;
  }
};

// Where one term stands: its arguments are vectors, or components of vectors, then coordinates as they are.
struct Where {
  std::vector<Attachment> attachments = {};
  std::vector<int> scalars = {};
  int dimension = 3;  // of each attachment: 3, or 1 for components

  [[nodiscard]] static Where at(std::vector<int> coordinates) { return {{}, std::move(coordinates)}; }
};

}  // namespace trompo
