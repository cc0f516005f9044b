// A law W(r): energy, stress s = dW/dr, stiffness ds/dr, and the secant stress s* with s*.(r1 - r0) = W(r1) - W(r0) exactly
// and its derivative in r1. It does not know where r comes from.
#pragma once

#include <concepts>

#include "trompo/math/vector.hpp"

namespace trompo {

template <class L>
concept Law = requires(const L law, const Vec<L::components> r) {
  { law.energy(r) } -> std::convertible_to<double>;
  { law.stress(r) } -> std::convertible_to<Vec<L::components>>;
  { law.stiffness(r) } -> std::convertible_to<Mat<L::components, L::components>>;
  { law.secant_stress(r, r) } -> std::convertible_to<Vec<L::components>>;
  { law.secant_stiffness(r, r) } -> std::convertible_to<Mat<L::components, L::components>>;
};

// What the laws of one scalar strain share.
struct ScalarLaw {
  static constexpr int components = 1;
  using R = Vec<1>;
};

}  // namespace trompo
