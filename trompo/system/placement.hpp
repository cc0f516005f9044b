// Where a term of n coordinates stands.
#pragma once

#include <cmath>

#include "trompo/system/wiring.hpp"

namespace trompo {

template <std::size_t n>
[[nodiscard]] Vec<static_cast<int>(n)> gather(const VecX& x, const std::array<int, n>& where) {
  Vec<static_cast<int>(n)> c;
  for (std::size_t i = 0; i < n; ++i) c[static_cast<Eigen::Index>(i)] = x[where[i]];
  return c;
}

template <int size_>
struct Placement {
  static constexpr int n = size_, most_touched = n, most_unknowns = 4 * n;
  using Where = std::array<int, n>;
  std::array<int, n> where;  // frame coordinates

  [[nodiscard]] static constexpr int size() { return n; }  // coordinates touched
  // use(number among the n, share, coordinate)
  template <class Use>
  void each(const Use& use) const {
    for (int i = 0; i < n; ++i) use(i, 1.0, where[i]);
  }
  template <class Use>
  void spread(const Vec<n>& f, const Use& use) const {  // use(coordinate, value)
    for (int i = 0; i < n; ++i) use(where[i], f[i]);
  }
  [[nodiscard]] Vec<n> gather(const VecX& x) const { return trompo::gather(x, where); }
  // Sums of absolute terms, which rounding is measured by: of f.c and of f.c'.
  [[nodiscard]] double terms(const Vec<n>& f, const VecX& q) const { return f.cwiseAbs().dot(gather(q).cwiseAbs()); }
  [[nodiscard]] double rate_terms(const Vec<n>& f, const VecX& v) const { return terms(f, v); }
  [[nodiscard]] Vec<n> rates(const VecX& v) const { return trompo::gather(v, where); }
};

// What a term does at its place: a force, spread to its coordinates, and the tangent of it.
template <class P>
void add_force(const P& place, const Vec<P::n>& f, VecX& force) {
  place.spread(f, [&](int c, double x) { force[c] += x; });
}
template <class P>
void add_force(const P& place, const Vec<P::n>& f, Assembly& out) {
  place.spread(f, [&](int c, double x) {
    out.force[c] += x;
    out.size[c] += std::abs(x);
  });
}
template <class P>
void add_force(const P& place, const Vec<P::n>& f, const Mat<P::n, P::n>& k, Assembly& out) {
  add_force(place, f, out);
  if (out.tangent != nullptr) Wires<P>(place, out).add_square(k);
}

}  // namespace trompo
