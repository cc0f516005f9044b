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
[[nodiscard]] inline Mat3 skew_polynomial(const Vec3& v, double linear, double quadratic) {
  const double x = linear * v.x(), y = linear * v.y(), z = linear * v.z();
  const double xx = quadratic * v.x() * v.x(), yy = quadratic * v.y() * v.y(), zz = quadratic * v.z() * v.z();
  const double xy = quadratic * v.x() * v.y(), xz = quadratic * v.x() * v.z(), yz = quadratic * v.y() * v.z();
  Mat3 m;
  m << 1 - (yy + zz), xy - z, xz + y, xy + z, 1 - (xx + zz), yz - x, xz - y, yz + x, 1 - (xx + yy);
  return m;
}

[[nodiscard]] inline Mat3 exponential(const Vec3& theta) {
  const RotationFactors f = RotationFactors::of(theta);
  return skew_polynomial(theta, f.a, f.b);
}

[[nodiscard]] inline Quaternion exponential_quaternion(const Vec3& theta) {
  const RotationFactors half = RotationFactors::of_square(0.25 * theta.squaredNorm());
  const Vec3 v = 0.5 * half.a * theta;
  return Quaternion(half.cosine(), v.x(), v.y(), v.z()).normalized();
}

[[nodiscard]] inline Quaternion axis_angle(const Vec3& unit_axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * unit_axis.x(), s * unit_axis.y(), s * unit_axis.z()};
}

// The rotation vector of least length, up to pi. The half angle is atan2(|v|, w), which is accurate at zero and at pi alike.
[[nodiscard]] inline Vec3 logarithm(const Quaternion& q) {
  const double sign = q.w() < 0 ? -1 : 1, w = sign * q.w(), square = q.vec().squaredNorm();
  if (square < 1e-32 * w * w) return sign * 2 / w * q.vec();
  const double n = std::sqrt(square);
  return sign * 2 * std::atan2(n, w) / n * q.vec();
}

// By the component of largest size, which is at least 1/2: R. A. Spurrier, J. Spacecraft 15 (1978) 255. By the trace alone the
// digits are gone near pi.
[[nodiscard]] inline Quaternion to_quaternion(const Mat3& r) {
  const double trace = r.trace();
  Eigen::Index i = 0;
  const double largest = r.diagonal().maxCoeff(&i);
  Quaternion q;
  if (trace >= largest) {
    const double w = 0.5 * std::sqrt(1 + trace);
    q.w() = w;
    q.vec() = axial(r) / (2 * w);
  } else {
    const Eigen::Index j = (i + 1) % 3, k = (i + 2) % 3;
    const double x = std::sqrt(0.5 * largest + 0.25 * (1 - trace));
    q.vec()[i] = x;
    q.vec()[j] = (r(j, i) + r(i, j)) / (4 * x);
    q.vec()[k] = (r(k, i) + r(i, k)) / (4 * x);
    q.w() = (r(k, j) - r(j, k)) / (4 * x);
  }
  return q.normalized();
}

// Of a unit quaternion: I + 2 w v~ + 2 v~^2.
[[nodiscard]] inline Mat3 to_matrix(const Quaternion& q) { return skew_polynomial(q.vec(), 2 * q.w(), 2); }

[[nodiscard]] inline Vec3 logarithm(const Mat3& r) { return logarithm(to_quaternion(r)); }

// --- composition ---

// first, then second in the axes that first has turned: the matrix is R(first) R(second). A product alone grows or shrinks by
// an eps each time, some 1e-10 in a million.
[[nodiscard]] inline Quaternion composed(const Quaternion& first, const Quaternion& second) {
  return (first * second).normalized();
}

// R(q) v and R(q)^T v, for unit q
[[nodiscard]] inline Vec3 to_space(const Quaternion& q, const Vec3& v) {
  const Vec3 u = 2 * q.vec().cross(v);
  return v + q.w() * u + q.vec().cross(u);
}
[[nodiscard]] inline Vec3 to_body(const Quaternion& q, const Vec3& v) {
  const Vec3 u = 2 * q.vec().cross(v);
  return v - q.w() * u + q.vec().cross(u);
}

// The shortest rotation that turns one unit vector into another; of opposite ones, a half turn about some normal. Beyond a
// quarter turn the axis a x b is freed of its rounding along a - b, the one part of it that would move the image of a.
[[nodiscard]] inline Quaternion rotation_between(const Vec3& a, const Vec3& b) {
  const Vec3 sum = a + b, difference = b - a;
  const double cosine = 0.5 * sum.norm(), sine = 0.5 * difference.norm();
  if (cosine >= sine) {
    const Vec3 v = a.cross(sum) / (2 * cosine);
    return Quaternion(cosine, v.x(), v.y(), v.z()).normalized();
  }
  const Vec3 u = difference.normalized();
  Vec3 n = a.cross(b);
  n -= n.dot(u) * u;
  if (n.norm() < 8 * std::numeric_limits<double>::epsilon()) n = u.unitOrthogonal();
  n.normalize();
  return Quaternion(cosine, sine * n.x(), sine * n.y(), sine * n.z()).normalized();
}

// How far a matrix is from a rotation: the largest entry of R^T R - I, or |det R - 1| if that is more. Zero, up to rounding,
// for a rotation, 2 for a reflection; NaN if an entry is.
[[nodiscard]] inline double rotation_defect(const Mat3& r) {
  const Mat3 gram = r.transpose() * r - Mat3::Identity();
  const double size = gram.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(), volume = std::abs(r.determinant() - 1);
  return size > volume ? size : volume;
}

// --- tangents ---

// T(theta) = I - b theta~ + c theta~^2: d exp(theta~) = exp(theta~) (T dtheta)~. Its transpose is T(-theta) = exp(theta~) T.
[[nodiscard]] inline Mat3 rotation_tangent(const Vec3& theta) {
  const RotationFactors f = RotationFactors::of(theta);
  return skew_polynomial(theta, -f.b, f.c);
}

// I + theta~/2 + (1 - (theta/2) cot(theta/2))/theta^2 theta~^2; there is none at theta = 2 pi. The factor is db/(2b), which
// needs no series of its own.
[[nodiscard]] inline Mat3 rotation_tangent_inverse(const Vec3& theta) {
  const RotationFactors f = RotationFactors::of(theta);
  return skew_polynomial(theta, 0.5, f.db() / (2 * f.b));
}

// d(exp(theta~) v)/dtheta = -(exp(theta~) v)~ T^T
[[nodiscard]] inline Mat3 rotated_slope(const Vec3& theta, const Vec3& v) {
  const RotationFactors f = RotationFactors::of(theta);
  const Vec3 turned = v + f.a * theta.cross(v) + f.b * theta.cross(theta.cross(v));
  return -skew(turned) * skew_polynomial(theta, f.b, f.c);
}

// d(T(theta) v)/dtheta. For T^T, take T^T(theta) = T(-theta).
[[nodiscard]] inline Mat3 rotation_tangent_slope(const Vec3& theta, const Vec3& v) {
  const RotationFactors f = RotationFactors::of(theta);
  const Vec3 once = theta.cross(v), twice = theta.cross(once);
  return f.b * skew(v) - f.c * (skew(once) + skew(theta) * skew(v)) + (f.db() * once - f.dc() * twice) * theta.transpose();
}

// --- Cayley's map ---
//
// cay(c) = (I - c~)^-1 (I + c~), c = n tan(theta/2), so that cay(c) = exp(2 c~) for small c. It is the mid-point rule: G1 =
// cay^T G0 solves G1 - G0 = -c x (G0 + G1), and (G0 + G1)/2 = (I + c~)^-1 G0. As a quaternion, (1, c) made a unit.

[[nodiscard]] inline Mat3 cayley(const Vec3& c) {
  const double k = 2 / (1 + c.squaredNorm());
  return skew_polynomial(c, k, k);
}
[[nodiscard]] inline Quaternion cayley_quaternion(const Vec3& c) { return Quaternion(1, c.x(), c.y(), c.z()).normalized(); }
// The c of a rotation; infinite for a half turn.
[[nodiscard]] inline Vec3 cayley_inverse(const Quaternion& q) { return q.vec() / q.w(); }

// (I + c~)^-1 = (I - c~ + c c^T)/(1 + c.c)
[[nodiscard]] inline Mat3 cayley_half_inverse(const Vec3& c) {
  return (Mat3::Identity() - skew(c) + c * c.transpose()) / (1 + c.squaredNorm());
}
// d cay = cay (T dc)~, T = 2 (I - c~)/(1 + c.c), and its inverse (I + c~ + c c^T)/2
[[nodiscard]] inline Mat3 cayley_tangent(const Vec3& c) { return 2 / (1 + c.squaredNorm()) * (Mat3::Identity() - skew(c)); }
[[nodiscard]] inline Mat3 cayley_tangent_inverse(const Vec3& c) {
  return 0.5 * (Mat3::Identity() + skew(c) + c * c.transpose());
}

}  // namespace trompo
