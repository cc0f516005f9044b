// The angle of an axis b against two axes a1, a2 of another body, counted through full turns: c = (b, a1, a2, theta0).
//
//   theta = atan2(s, c) nearest to theta0,  s = b.a2,  c = b.a1,  rho^2 = s^2 + c^2
//
// theta0 is what the angle was at the end of the last step: a coordinate that is remembered, no cause of any force. As a
// function of two invariants the angle has the secant
//
//   J* = dtheta / ((rho0 + rho1) sin(dtheta/2)) (cos(mean) ds - sin(mean) dc),  ds, dc of the middle,
//
// which keeps angular momentum; rho = 1 wherever the frames are orthonormal.
#pragma once

#include <cmath>
#include <numbers>

#include "trompo/measure/measure.hpp"

namespace trompo {

struct Angle {
  static constexpr int coordinates = 10;
  static constexpr int components = 1;
  using C = Vec<10>;
  using S = Vec<1>;
  using J = Mat<1, 10>;
  using K = Mat<10, 10>;

  double rest = 0;  // what is counted as zero

  [[nodiscard]] S value(const C& c) const { return S(theta(c) - rest); }
  [[nodiscard]] static double theta(const C& c) {
    return c[9] + std::remainder(std::atan2(sine(c), cosine(c)) - c[9], 2 * std::numbers::pi);
  }
  [[nodiscard]] J jacobian(const C& c) const { return slope(c).transpose(); }
  // d^2 theta = (c Hs - s Hc)/rho^2 and what differentiating the quotient leaves
  [[nodiscard]] K curvature(const C& c, const S& force) const {
    const double s = sine(c), k = cosine(c), rho2 = s * s + k * k;
    const C ds = sine_slope(c), dk = cosine_slope(c), dtheta = slope(c), radial = (s * ds + k * dk) / rho2;
    K out = bend(k / rho2, -s / rho2);
    out -= dtheta * radial.transpose() + radial * dtheta.transpose();
    return force[0] * out;
  }
  [[nodiscard]] J secant(const C& c0, const C& c1) const {
    const Step step(c0, c1);
    return (step.factor * step.direction(middle(c0, c1))).transpose();
  }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& force) const {
    const Step step(c0, c1);
    const C mid = middle(c0, c1), dtheta = slope(c1);
    const double s = sine(c1), k = cosine(c1), rho1 = std::hypot(s, k);
    const C drho = (s * sine_slope(c1) + k * cosine_slope(c1)) / rho1;
    const C dfactor = step.factor_slope * dtheta - step.factor / step.rho_sum * drho;
    const C across = -step.sin_mean * sine_slope(mid) - step.cos_mean * cosine_slope(mid);
    K out = step.direction(mid) * dfactor.transpose() + 0.5 * step.factor * across * dtheta.transpose();
    out += bend(0.5 * step.factor * step.cos_mean, -0.5 * step.factor * step.sin_mean);
    return force[0] * out;
  }

 private:
  static double sine(const C& c) { return c.head<3>().dot(c.segment<3>(6)); }
  static double cosine(const C& c) { return c.head<3>().dot(c.segment<3>(3)); }
  static C sine_slope(const C& c) {
    C g = C::Zero();
    g.head<3>() = c.segment<3>(6);
    g.segment<3>(6) = c.head<3>();
    return g;
  }
  static C cosine_slope(const C& c) {
    C g = C::Zero();
    g.head<3>() = c.segment<3>(3);
    g.segment<3>(3) = c.head<3>();
    return g;
  }
  static C slope(const C& c) {
    const double s = sine(c), k = cosine(c);
    return (k * sine_slope(c) - s * cosine_slope(c)) / (s * s + k * k);
  }
  static C middle(const C& c0, const C& c1) { return 0.5 * (c0 + c1); }
  static K bend(double of_sine, double of_cosine) {  // by the constant Hessians of sine and cosine
    K k = K::Zero();
    for (int i = 0; i < 3; ++i) {
      k(i, 6 + i) = k(6 + i, i) = of_sine;
      k(i, 3 + i) = k(3 + i, i) = of_cosine;
    }
    return k;
  }
  struct Step {
    double rho_sum, factor, factor_slope, sin_mean, cos_mean;
    Step(const C& c0, const C& c1) {
      const double theta0 = theta(c0), turn = std::remainder(theta(c1) - theta0, 2 * std::numbers::pi);
      rho_sum = std::hypot(sine(c0), cosine(c0)) + std::hypot(sine(c1), cosine(c1));
      const double x = 0.5 * turn, sin_x = std::sin(x);
      const bool small = std::abs(x) < 1e-3;  // series: x/sin x and its derivative
      const double quotient = small ? 1 + x * x / 6 * (1 + 7 * x * x / 60) : x / sin_x;
      const double derivative = small ? x / 3 + 7 * x * x * x / 90 : (sin_x - x * std::cos(x)) / (sin_x * sin_x);
      factor = 2 * quotient / rho_sum;
      factor_slope = derivative / rho_sum;
      sin_mean = std::sin(theta0 + x);
      cos_mean = std::cos(theta0 + x);
    }
    [[nodiscard]] C direction(const C& mid) const { return cos_mean * sine_slope(mid) - sin_mean * cosine_slope(mid); }
  };
};

}  // namespace trompo
