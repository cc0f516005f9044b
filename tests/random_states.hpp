// Random states for property tests (RapidCheck), and finite differences to hold derivatives against.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>

#include "trompo/math/vector.hpp"

namespace trompo::property {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Holds, or the property is falsified with both numbers in the message. NaN does not hold.
inline void within(double error, double allowed) { RC_ASSERT(error <= allowed); }

// --- drawn inside a property ---

inline double between(double least, double most) {
  constexpr std::int64_t parts = std::int64_t{1} << 40;
  const auto share = rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, parts + 1));
  return least + (most - least) * static_cast<double>(*share) / static_cast<double>(parts);
}
inline double magnitude(double least, double most) { return std::exp(between(std::log(least), std::log(most))); }
inline double either_sign(double size) { return *rc::gen::element(-1.0, 1.0) * size; }

template <int N>
Vec<N> box(double half_width) {
  Vec<N> c;
  for (int i = 0; i < N; ++i) c[i] = between(-half_width, half_width);
  return c;
}
inline VecX box(int n, double half_width) {
  VecX c(n);
  for (double& x : c) x = between(-half_width, half_width);
  return c;
}
inline Vec3 direction() {
  const double z = between(-1, 1), turn = between(0, 2 * std::numbers::pi), flat = std::sqrt(1 - z * z);
  return {flat * std::cos(turn), flat * std::sin(turn), z};
}
inline Mat3 rotation() {
  return Eigen::AngleAxisd(between(-std::numbers::pi, std::numbers::pi), direction()).toRotationMatrix();
}

// --- held against ---

// df/dc of a vector function by central differences of fourth order: good to about 1e-11 of the function for a step of 1e-3.
inline Eigen::MatrixXd difference(const std::function<VecX(const VecX&)>& f, const VecX& c, double h) {
  Eigen::MatrixXd d;
  for (int j = 0; j < c.size(); ++j) {
    const VecX e = h * VecX::Unit(c.size(), j);
    const VecX near = f(c + e) - f(c - e), far = f(c + 2 * e) - f(c - 2 * e);
    if (j == 0) d.resize(near.size(), c.size());
    d.col(j) = (8 * near - far) / (12 * h);
  }
  return d;
}

// The mean of f(t) over 0..1 by Gauss' rule of five points.
template <class F>
auto mean(const F& f) {
  constexpr double x1 = 0.53846931010568309, x2 = 0.90617984593866399;
  constexpr double w0 = 128. / 225, w1 = 0.47862867049936647, w2 = 0.23692688505618909;
  return ((w0 * f(0.5) + w1 * (f(0.5 - 0.5 * x1) + f(0.5 + 0.5 * x1)) + w2 * (f(0.5 - 0.5 * x2) + f(0.5 + 0.5 * x2))) / 2)
      .eval();
}

}  // namespace trompo::property
