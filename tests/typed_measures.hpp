// Typed measures for the lists of measure and rule tests.
#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "trompo/measure/composed_measure.hpp"
#include "trompo/measure/formula_measure.hpp"

namespace trompo::property {

template <std::size_t N>
Formula typed(std::string_view text, const std::array<std::string_view, N>& names, double L = 1) {
  return Formula(text, names, {{"L", L}});
}

inline constexpr std::array<std::string_view, 1> one_name{"s"};
inline constexpr std::array<std::string_view, 3> three_names{"u", "v", "w"};
inline constexpr std::array<std::string_view, 6> two_points{"a.x", "a.y", "a.z", "b.x", "b.y", "b.z"};
inline constexpr std::array<std::string_view, 12> four_points{"a.x", "a.y", "a.z", "b.x", "b.y", "b.z",
                                                              "c.x", "c.y", "c.z", "d.x", "d.y", "d.z"};
inline constexpr std::string_view squared_length = "(b.x-a.x)^2 + (b.y-a.y)^2 + (b.z-a.z)^2";

// The engineering strain over the squared length.
inline ComposedMeasure typed_strain(double natural_length) {
  return {typed("sqrt(s)/L - 1", one_name, natural_length), {typed(squared_length, two_points)}, 6};
}

// Two lengths and an angle of four points.
inline ComposedMeasure typed_hinge() {
  return {typed("log(1 + u) + sqrt(4 + v) + 0.1*w*exp(-0.01*u)", three_names),
          {typed(squared_length, four_points), typed("(d.x-c.x)^2 + (d.y-c.y)^2 + (d.z-c.z)^2", four_points),
           typed("(b.x-a.x)*(d.x-c.x) + (b.y-a.y)*(d.y-c.y) + (b.z-a.z)*(d.z-c.z)", four_points)},
          12};
}

// Inner coordinates of which one is not quadratic and one is missing.
inline ComposedMeasure typed_mixture() {
  return {typed("exp(0.1*u)*(2 + sin(0.2*v))", three_names),
          {typed("sin(0.5*u)*v + w", three_names), typed("(u - 0.5)*w + 2*v", three_names)},
          3};
}

// Raw coordinates.
inline FormulaMeasure typed_raw() {
  return {std::make_shared<const Formula>(typed("sqrt(2 + u^2 + v*w + w^2 + v^2)*cos(0.5*u)", three_names)), 3};
}

}  // namespace trompo::property
