// The only rotation formulas of the tree.
//
// A rotation turns body components into space components: v_space = R v_body. All tangents are material: R grows by a rotation
// in body axes, dR = R w~, and w = T(theta) dtheta for R = exp(theta~). Formulas and names follow M. Geradin, A. Cardona,
// "Flexible multibody dynamics" (2001), chapter 4.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "trompo/math/vector.hpp"

namespace trompo {

// v~, with v~ a = v x a
[[nodiscard]] inline Mat3 skew(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

// The vector of the skew part: axial(v~) = v, axial(symmetric) = 0.
[[nodiscard]] inline Vec3 axial(const Mat3& m) { return 0.5 * Vec3(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)); }

// --- the factors of Rodrigues' formula ---

namespace so3 {

// Below this theta^2 a series stands in for the closed forms, which lose digits to 1 - cos and theta - sin. At theta = 2 the
// worst of them, 3c - b, has lost one digit; the first term left out of the series is below 1e-17 there.
inline constexpr double series_up_to = 4;
inline constexpr int terms = 14;

// (-1)^k (k scale + shift) / (2k + lowest)!
[[nodiscard]] constexpr std::array<double, terms> alternating(int lowest, int scale, int shift) {
  std::array<double, terms> c{};
  double factorial = 1;
  for (int i = 2; i <= lowest; ++i) factorial *= i;
  for (int k = 0; k < terms; ++k) {
    c[static_cast<std::size_t>(k)] = (k % 2 == 0 ? 1 : -1) * (k * scale + shift) / factorial;
    factorial *= (2 * k + lowest + 1) * (2 * k + lowest + 2);
  }
  return c;
}

// Even and odd powers apart: two short chains of operations instead of one long one.
[[nodiscard]] inline double sum(const std::array<double, terms>& c, double t) {
  const double tt = t * t;
  double even = c[terms - 2], odd = c[terms - 1];
  for (std::size_t k = terms - 2; k >= 2; k -= 2) {
    even = even * tt + c[k - 2];
    odd = odd * tt + c[k - 1];
  }
  return even + t * odd;
}

inline constexpr auto series_b = alternating(2, 0, 1);
inline constexpr auto series_c = alternating(3, 0, 1);
inline constexpr auto series_db = alternating(4, 2, 2);
inline constexpr auto series_dc = alternating(5, 2, 2);

}  // namespace so3

// a = sin/theta, b = (1 - cos)/theta^2, c = (theta - sin)/theta^3 of t = theta^2. No square root is taken for small angles, and
// cos = 1 - t b, so that they are smooth where the angle is not.
struct RotationFactors {
  double t, a, b, c;

  [[nodiscard]] static RotationFactors of_square(double t) {
    if (t < so3::series_up_to) {
      const double c = so3::sum(so3::series_c, t);
      return {t, 1 - t * c, so3::sum(so3::series_b, t), c};
    }
    const double theta = std::sqrt(t), s = std::sin(0.5 * theta), a = 2 * s * std::cos(0.5 * theta) / theta;
    return {t, a, 2 * s * s / t, (1 - a) / t};
  }
  [[nodiscard]] static RotationFactors of(const Vec3& theta) { return of_square(theta.squaredNorm()); }
  [[nodiscard]] double cosine() const { return 1 - t * b; }
  // Those of twice the angle, by the formulas of the double angle: nothing cancels, however small the angle.
  [[nodiscard]] RotationFactors doubled() const { return {4 * t, a * cosine(), 0.5 * a * a, 0.25 * (b + c - t * b * c)}; }

  // Slopes: da/dtheta = -theta (b - c), db/dtheta = -theta db, dc/dtheta = -theta dc.
  [[nodiscard]] double da() const { return b - c; }
  [[nodiscard]] double db() const { return t < so3::series_up_to ? so3::sum(so3::series_db, t) : (2 * b - a) / t; }
  [[nodiscard]] double dc() const { return t < so3::series_up_to ? so3::sum(so3::series_dc, t) : (3 * c - b) / t; }
};

// --- exponential and logarithm ---

// I + linear v~ + quadratic v~^2; every function of v~ is of this form.
[[nodiscard]] Mat3 skew_polynomial(const Vec3& v, double linear, double quadratic);

[[nodiscard]] Mat3 exponential(const Vec3& theta);

[[nodiscard]] Quaternion exponential_quaternion(const Vec3& theta);

[[nodiscard]] Quaternion axis_angle(const Vec3& unit_axis, double angle);

// The rotation vector of least length, up to pi. The half angle is atan2(|v|, w), which is accurate at zero and at pi alike.
[[nodiscard]] Vec3 logarithm(const Quaternion& q);

// By the component of largest size, which is at least 1/2: R. A. Spurrier, J. Spacecraft 15 (1978) 255. By the trace alone the
// digits are gone near pi.
[[nodiscard]] Quaternion to_quaternion(const Mat3& r);

// Of a unit quaternion: I + 2 w v~ + 2 v~^2.
[[nodiscard]] Mat3 to_matrix(const Quaternion& q);

[[nodiscard]] Vec3 logarithm(const Mat3& r);

// --- composition ---

// first, then second in the axes that first has turned: the matrix is R(first) R(second). A product alone grows or shrinks by
// an eps each time, some 1e-10 in a million.
[[nodiscard]] Quaternion composed(const Quaternion& first, const Quaternion& second);

// R(q) v and R(q)^T v, for unit q
[[nodiscard]] Vec3 to_space(const Quaternion& q, const Vec3& v);
[[nodiscard]] Vec3 to_body(const Quaternion& q, const Vec3& v);

// The shortest rotation that turns one unit vector into another; of opposite ones, a half turn about some normal. Beyond a
// quarter turn the axis a x b is freed of its rounding along a - b, the one part of it that would move the image of a.
[[nodiscard]] Quaternion rotation_between(const Vec3& a, const Vec3& b);

// How far a matrix is from a rotation: the largest entry of R^T R - I, or |det R - 1| if that is more. Zero, up to rounding,
// for a rotation, 2 for a reflection; NaN if an entry is.
[[nodiscard]] double rotation_defect(const Mat3& r);

// --- tangents ---

// T(theta) = I - b theta~ + c theta~^2: d exp(theta~) = exp(theta~) (T dtheta)~. Its transpose is T(-theta) = exp(theta~) T.
[[nodiscard]] Mat3 rotation_tangent(const Vec3& theta);

// I + theta~/2 + (1 - (theta/2) cot(theta/2))/theta^2 theta~^2; there is none at theta = 2 pi. The factor is db/(2b), which
// needs no series of its own.
[[nodiscard]] Mat3 rotation_tangent_inverse(const Vec3& theta);

// d(exp(theta~) v)/dtheta = -(exp(theta~) v)~ T^T
[[nodiscard]] Mat3 rotated_slope(const Vec3& theta, const Vec3& v);

// d(T(theta) v)/dtheta. For T^T, take T^T(theta) = T(-theta).
[[nodiscard]] Mat3 rotation_tangent_slope(const Vec3& theta, const Vec3& v);

// --- Cayley's map ---
//
// cay(c) = (I - c~)^-1 (I + c~), c = n tan(theta/2), so that cay(c) = exp(2 c~) for small c. It is the mid-point rule: G1 =
// cay^T G0 solves G1 - G0 = -c x (G0 + G1), and (G0 + G1)/2 = (I + c~)^-1 G0. As a quaternion, (1, c) made a unit.

[[nodiscard]] Mat3 cayley(const Vec3& c);
[[nodiscard]] Quaternion cayley_quaternion(const Vec3& c);
// The c of a rotation; infinite for a half turn.
[[nodiscard]] Vec3 cayley_inverse(const Quaternion& q);

// (I + c~)^-1 = (I - c~ + c c^T)/(1 + c.c)
[[nodiscard]] Mat3 cayley_half_inverse(const Vec3& c);
// d cay = cay (T dc)~, T = 2 (I - c~)/(1 + c.c), and its inverse (I + c~ + c c^T)/2
[[nodiscard]] Mat3 cayley_tangent(const Vec3& c);
[[nodiscard]] Mat3 cayley_tangent_inverse(const Vec3& c);

}  // namespace trompo
