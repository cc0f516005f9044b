// Where a term stands whose arguments are points and axes of bodies: each is a sum of parts of one frame, with fixed shares.
//
// A point p of a body is x + p1 d1 + p2 d2 + p3 d3, an axis a1 d1 + a2 d2 + a3 d3, a node is itself, a place in space is a
// constant. So a measure written in points and axes serves nodes, bodies and ground alike, and what it finds is spread to the
// frames by the shares. Only the parts with a share take part.
#pragma once

#include <cassert>
#include <cstdint>

#include "trompo/system/placement.hpp"

namespace trompo {

// One vector (dim 3) or one component of a vector (dim 1). Small on purpose: all of them are read several times a step.
struct Limb {
  std::array<int, 4> part{};  // first coordinate of each part
  std::array<double, 4> share{};
  float constant_size = 0;  // of the place or direction in space: what rounding is measured by
  std::int8_t parts = 0;
  std::int8_t along = 0;  // the global axis of a component
  bool placed = false;    // has a constant, a place or a direction in space: in the last three shares, of parts there is one

  void add(int coordinate, double by) {
    if (by == 0) return;
    assert(!placed || parts == 0);
    part[static_cast<std::size_t>(parts)] = coordinate;
    share[static_cast<std::size_t>(parts++)] = by;
  }
  [[nodiscard]] Vec3 constant() const { return placed ? Vec3(share[1], share[2], share[3]) : Vec3(Vec3::Zero()); }
  // The component along a global axis.
  [[nodiscard]] Limb component(int axis) const {
    Limb one = *this;
    for (int& first : one.part) first += axis;
    if (placed) one.share = {share[0], share[static_cast<std::size_t>(1 + axis)], 0, 0};
    one.along = static_cast<std::int8_t>(axis);
    return one;
  }
  [[nodiscard]] Vec3 place(const VecX& q) const {
    Vec3 sum = constant();
    for (int m = 0; m < parts; ++m) sum += share[static_cast<std::size_t>(m)] * q.segment<3>(part[static_cast<std::size_t>(m)]);
    return sum;
  }

  [[nodiscard]] static Limb node(int first) {
    Limb limb;
    limb.add(first, 1);
    return limb;
  }
  [[nodiscard]] static Limb ground(const Vec3& place) {
    Limb limb;
    limb.placed = true;
    limb.share = {0, place.x(), place.y(), place.z()};
    limb.constant_size = static_cast<float>(place.norm());
    return limb;
  }
  [[nodiscard]] static Limb axis(int frame, const Vec3& direction) {  // in body axes
    Limb limb;
    for (int m = 0; m < 3; ++m) limb.add(frame + 3 + 3 * m, direction[m]);
    return limb;
  }
  [[nodiscard]] static Limb point(int frame, const Vec3& from_centre) {
    Limb limb;
    limb.add(frame, 1);
    for (int m = 0; m < 3; ++m) limb.add(frame + 3 + 3 * m, from_centre[m]);
    return limb;
  }
};

// `held` scalars follow the vectors: coordinates without an equation, such as time or a remembered angle.
template <int k, int dim = 3, int held = 0>
struct Attachment {
  static constexpr int n = k * dim + held, most_touched = 4 * k * dim + held, most_unknowns = k * (dim + 9) + held;
  using Where = Attachment;
  std::array<Limb, k> limbs;
  std::array<int, held> scalars{};

  [[nodiscard]] int size() const {  // frame coordinates touched; one may be there twice
    int sum = held;
    for (const Limb& limb : limbs) sum += dim * limb.parts;
    return sum;
  }
  // use(number among the n, share, coordinate)
  template <class Use>
  void each(const Use& use) const {
    for (int a = 0; a < k; ++a)
      for (int m = 0; m < limbs[a].parts; ++m)
        for (int i = 0; i < dim; ++i) use(a * dim + i, limbs[a].share[m], limbs[a].part[m] + i);
    for (int i = 0; i < held; ++i) use(k * dim + i, 1.0, scalars[i]);
  }
  // use(coordinate, value): what `f` is, spread to the frames
  template <class Use>
  void spread(const Vec<n>& f, const Use& use) const {
    each([&](int i, double share, int c) { use(c, share * f[i]); });
  }
  // By the lengths of whole vectors: an axis along x has no terms along y to be measured by.
  [[nodiscard]] double rate_terms(const Vec<n>& f, const VecX& v) const {
    double sum = 0;
    for (int a = 0; a < k; ++a)
      for (int m = 0; m < limbs[a].parts; ++m)
        sum += f.template segment<dim>(a * dim).norm() * std::abs(limbs[a].share[m]) *
               v.template segment<3>(limbs[a].part[m] - limbs[a].along).norm();
    for (int i = 0; i < held; ++i) sum += std::abs(f[k * dim + i] * v[scalars[i]]);
    return sum;
  }
  [[nodiscard]] double terms(const Vec<n>& f, const VecX& q) const {
    double sum = rate_terms(f, q);
    for (int a = 0; a < k; ++a) sum += f.template segment<dim>(a * dim).norm() * limbs[a].constant_size;
    return sum;
  }
  [[nodiscard]] Vec<n> gather(const VecX& q) const {
    Vec<n> c = rates(q);
    for (int a = 0; a < k; ++a) c.template segment<dim>(a * dim) += limbs[a].constant().template head<dim>();
    return c;
  }
  [[nodiscard]] Vec<n> rates(const VecX& v) const {
    Vec<n> c = Vec<n>::Zero();
    for (int a = 0; a < k; ++a)
      for (int m = 0; m < limbs[a].parts; ++m)
        c.template segment<dim>(a * dim) += limbs[a].share[m] * v.template segment<dim>(limbs[a].part[m]);
    for (int i = 0; i < held; ++i) c[k * dim + i] = v[scalars[i]];
    return c;
  }
};

}  // namespace trompo
