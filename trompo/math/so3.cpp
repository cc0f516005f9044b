#include "trompo/math/so3.hpp"

#include <cmath>
#include <limits>

namespace trompo {

Mat3 skew_polynomial(const Vec3& v, double linear, double quadratic) {
  const double x = linear * v.x(), y = linear * v.y(), z = linear * v.z();
  const double xx = quadratic * v.x() * v.x(), yy = quadratic * v.y() * v.y(), zz = quadratic * v.z() * v.z();
  const double xy = quadratic * v.x() * v.y(), xz = quadratic * v.x() * v.z(), yz = quadratic * v.y() * v.z();
  Mat3 m;
  m << 1 - (yy + zz), xy - z, xz + y, xy + z, 1 - (xx + zz), yz - x, xz - y, yz + x, 1 - (xx + yy);
  return m;
}

Mat3 exponential(const Vec3& theta) {
  const RotationFactors f = RotationFactors::of(theta);
  return skew_polynomial(theta, f.a, f.b);
}

Quaternion exponential_quaternion(const Vec3& theta) {
  const RotationFactors half = RotationFactors::of_square(0.25 * theta.squaredNorm());
  const Vec3 v = 0.5 * half.a * theta;
  return Quaternion(half.cosine(), v.x(), v.y(), v.z()).normalized();
}

Quaternion axis_angle(const Vec3& unit_axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * unit_axis.x(), s * unit_axis.y(), s * unit_axis.z()};
}

Vec3 logarithm(const Quaternion& q) {
  const double sign = q.w() < 0 ? -1 : 1, w = sign * q.w(), square = q.vec().squaredNorm();
  if (square < 1e-32 * w * w) return sign * 2 / w * q.vec();
  const double n = std::sqrt(square);
  return sign * 2 * std::atan2(n, w) / n * q.vec();
}

Quaternion to_quaternion(const Mat3& r) {
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

Mat3 to_matrix(const Quaternion& q) { return skew_polynomial(q.vec(), 2 * q.w(), 2); }

Vec3 logarithm(const Mat3& r) { return logarithm(to_quaternion(r)); }

Quaternion composed(const Quaternion& first, const Quaternion& second) { return (first * second).normalized(); }

Vec3 to_space(const Quaternion& q, const Vec3& v) {
  const Vec3 u = 2 * q.vec().cross(v);
  return v + q.w() * u + q.vec().cross(u);
}

Vec3 to_body(const Quaternion& q, const Vec3& v) {
  const Vec3 u = 2 * q.vec().cross(v);
  return v - q.w() * u + q.vec().cross(u);
}

Quaternion rotation_between(const Vec3& a, const Vec3& b) {
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

double rotation_defect(const Mat3& r) {
  const Mat3 gram = r.transpose() * r - Mat3::Identity();
  const double size = gram.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(), volume = std::abs(r.determinant() - 1);
  return size > volume ? size : volume;
}

Mat3 rotation_tangent(const Vec3& theta) {
  const RotationFactors f = RotationFactors::of(theta);
  return skew_polynomial(theta, -f.b, f.c);
}

Mat3 rotation_tangent_inverse(const Vec3& theta) {
  const RotationFactors f = RotationFactors::of(theta);
  return skew_polynomial(theta, 0.5, f.db() / (2 * f.b));
}

Mat3 rotated_slope(const Vec3& theta, const Vec3& v) {
  const RotationFactors f = RotationFactors::of(theta);
  const Vec3 turned = v + f.a * theta.cross(v) + f.b * theta.cross(theta.cross(v));
  return -skew(turned) * skew_polynomial(theta, f.b, f.c);
}

Mat3 rotation_tangent_slope(const Vec3& theta, const Vec3& v) {
  const RotationFactors f = RotationFactors::of(theta);
  const Vec3 once = theta.cross(v), twice = theta.cross(once);
  return f.b * skew(v) - f.c * (skew(once) + skew(theta) * skew(v)) + (f.db() * once - f.dc() * twice) * theta.transpose();
}

Mat3 cayley(const Vec3& c) {
  const double k = 2 / (1 + c.squaredNorm());
  return skew_polynomial(c, k, k);
}

Quaternion cayley_quaternion(const Vec3& c) { return Quaternion(1, c.x(), c.y(), c.z()).normalized(); }

Vec3 cayley_inverse(const Quaternion& q) { return q.vec() / q.w(); }

Mat3 cayley_half_inverse(const Vec3& c) { return (Mat3::Identity() - skew(c) + c * c.transpose()) / (1 + c.squaredNorm()); }

Mat3 cayley_tangent(const Vec3& c) { return 2 / (1 + c.squaredNorm()) * (Mat3::Identity() - skew(c)); }

Mat3 cayley_tangent_inverse(const Vec3& c) { return 0.5 * (Mat3::Identity() + skew(c) + c * c.transpose()); }

}  // namespace trompo
