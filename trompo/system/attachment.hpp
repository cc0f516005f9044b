// Where a term stands whose arguments are points and axes of bodies: each is a sum of parts of one frame, with fixed shares.
//
// A point p of a body is x + p1 d1 + p2 d2 + p3 d3, an axis a1 d1 + a2 d2 + a3 d3, a node is itself, a place in space is a
// constant. So a measure written in points and axes serves nodes, bodies and ground alike, and what it finds is spread to the
// frames by the shares. Only the parts with a share take part.
#pragma once

#include "trompo/system/placement.hpp"

namespace trompo {

// One vector (dim 3) or one component of a vector (dim 1).
struct Limb {
  std::array<int, 4> part{};  // first coordinate of each part
  std::array<double, 4> share{};
  int parts = 0;
  Vec3 constant = Vec3::Zero();  // a place or a direction in space
  int along = 0;                 // the global axis of a component
  double constant_size = 0;

  void add(int coordinate, double by) {
    if (by == 0) return;
    part[static_cast<std::size_t>(parts)] = coordinate;
    share[static_cast<std::size_t>(parts++)] = by;
  }
  // The component along a global axis.
  [[nodiscard]] Limb component(int axis) const {
    Limb one = *this;
    for (int& first : one.part) first += axis;
    one.constant = Vec3(constant[axis], 0, 0);
    one.along = axis;
    return one;
  }
  [[nodiscard]] Vec3 place(const VecX& q) const {
    Vec3 sum = constant;
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
    limb.constant = place;
    limb.constant_size = place.norm();
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
  static constexpr int n = k * dim + held;
  using Where = Attachment;
  std::array<Limb, k> limbs;
  std::array<int, held> scalars{};
  std::vector<int> slot{};  // places of the tangent, in the order of `each_pair`

  [[nodiscard]] int size() const {  // frame coordinates touched; one may be there twice
    int sum = held;
    for (const Limb& limb : limbs) sum += dim * limb.parts;
    return sum;
  }
  // use(coordinate, value): what `f` is, spread to the frames
  template <class Use>
  void spread(const Vec<n>& f, const Use& use) const {
    for (int a = 0; a < k; ++a)
      for (int m = 0; m < limbs[a].parts; ++m)
        for (int i = 0; i < dim; ++i) use(limbs[a].part[m] + i, limbs[a].share[m] * f[a * dim + i]);
    for (int i = 0; i < held; ++i) use(scalars[i], f[k * dim + i]);
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
    for (int a = 0; a < k; ++a) c.template segment<dim>(a * dim) += limbs[a].constant.template head<dim>();
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
  void couple(const std::vector<int>& equation, std::vector<std::pair<int, int>>& entries) const {
    each_pair([&](int row, int column, int, int, double) {
      if (equation[row] >= 0 && equation[column] >= 0) entries.emplace_back(equation[row], equation[column]);
    });
  }
  void connect(const std::vector<int>& equation, const Pattern& pattern) {
    slot.clear();
    each_pair([&](int row, int column, int, int, double) {
      const bool free = equation[row] >= 0 && equation[column] >= 0;
      slot.push_back(free ? pattern.slot(equation[row], equation[column]) : -1);
    });
  }
  void add(const Vec<n>& f, VecX& force) const {
    spread(f, [&](int c, double x) { force[c] += x; });
  }
  void add(const Vec<n>& f, const Mat<n, n>& stiffness, Assembly& out) const {
    spread(f, [&](int c, double x) {
      out.force[c] += x;
      out.size[c] += std::abs(x);
    });
    if (out.tangent == nullptr) return;
    const int* to = slot.data();
    each_pair([&](int, int, int i, int j, double share) {
      const double entry = stiffness(i, j);
      if (entry != 0 && *to >= 0) out.tangent[*to] += share * entry;
      ++to;
    });
  }

 private:
  // use(row coordinate, column coordinate, i, j, product of the shares) for every entry of the spread tangent
  template <class Use>
  void each_pair(const Use& use) const {
    for (int b = 0; b < k; ++b)
      for (int a = 0; a < k; ++a)
        for (int l = 0; l < limbs[b].parts; ++l)
          for (int m = 0; m < limbs[a].parts; ++m) {
            const double share = limbs[a].share[m] * limbs[b].share[l];
            for (int j = 0; j < dim; ++j)
              for (int i = 0; i < dim; ++i) use(limbs[a].part[m] + i, limbs[b].part[l] + j, a * dim + i, b * dim + j, share);
          }
  }
};

}  // namespace trompo
