// Bodies, potentials and claims for the tests of the top.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/stored.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/scheme/top_schemes.hpp"

namespace trompo::top_case {

using Json = nlohmann::json;

// V = 7 cos(2z) + 3 exp(z), curved in both senses
struct Wave final : HeightPotential {
  [[nodiscard]] PotentialValue at(double z) const override {
    const double c = 7 * std::cos(2 * z), s = 7 * std::sin(2 * z), e = 3 * std::exp(z);
    return {c + e, -2 * s + e, -4 * c + e};
  }
};
inline const Wave wave;

// No axis of this body, of its potential or of its motion is one of the coordinates'.
inline Mat3 skewed_inertia() {
  const Mat3 axes = exponential({0.4, -0.7, 0.2});
  return axes * Vec3(5, 3, 1.5).asDiagonal() * axes.transpose();
}
inline AxialPotential tilted_wave() {
  return {.gamma = Vec3(1, -2, 3).normalized(), .E = Vec3(2, 1, 2).normalized(), .weight = 10, .curve = &wave};
}
inline Rotation thrown() { return {exponential_quaternion({0.5, 1.1, -0.4}), {0.8, -1.5, 2.0}}; }

// --- the six, and what they claim ---

inline constexpr std::array all{
    TopScheme::simo_wong,       TopScheme::simo_collocation,         TopScheme::simo_projection,
    TopScheme::geradin_bauchau, TopScheme::geradin_bauchau_momentum, TopScheme::euler_poisson_midpoint};
struct TopClaims {
  const char* code;
  bool energy, momentum, spin;
};
inline TopClaims claims(TopScheme scheme) {
  switch (scheme) {
    case TopScheme::simo_wong: return {"SW", false, true, false};
    case TopScheme::simo_collocation: return {"COL", true, true, false};
    case TopScheme::simo_projection: return {"PROJ", true, true, false};
    case TopScheme::geradin_bauchau: return {"GB", true, false, true};
    case TopScheme::geradin_bauchau_momentum: return {"GBM", true, true, false};
    default: return {"CAY", true, true, true};
  }
}

// --- the benchmark of tests/data/conserving.json ---

inline const Json& reference() { return stored("conserving.json")["b_top"]; }
inline Vec3 vector(const Json& j) { return {j[0].get<double>(), j[1].get<double>(), j[2].get<double>()}; }
inline Mat3 matrix(const Json& j) {
  Mat3 m;
  for (int i = 0; i < 3; ++i) m.row(i) = vector(j[static_cast<std::size_t>(i)]).transpose();
  return m;
}
inline AxialPotential gravity(const Json& data) {
  return {.gamma = vector(data["gamma"]), .E = vector(data["E"]), .weight = data["Mgl"]};
}
inline Top body(const Json& data, TopScheme scheme) {
  return {vector(data["J"]).asDiagonal().toDenseMatrix(), gravity(data), scheme};
}
// The stored matrix has 15 digits; the rotation it was made from has all.
inline Rotation beginning(const Json& data) {
  const Rotation state{exponential_quaternion({0.3, 0, 0}), vector(data["Om0"])};
  EXPECT_LE((to_matrix(state.orientation) - matrix(data["Lam0_matrix"])).norm(), 1e-14);
  return state;
}

}  // namespace trompo::top_case
