#include "trompo/math/rotation_chord.hpp"

#include <cmath>
#include <limits>

#include "trompo/math/so3.hpp"

namespace trompo {

namespace {

Mat<4, 4> davenport(const Mat3& Q) {
  const Vec3 z = 2 * axial(Q);
  Mat<4, 4> K;
  K(0, 0) = Q.trace();
  K.topRightCorner<1, 3>() = z.transpose();
  K.bottomLeftCorner<3, 1>() = z;
  K.bottomRightCorner<3, 3>() = Q + Q.transpose() - Q.trace() * Mat3::Identity();
  return K;
}

// What is at right angles to a quaternion: three columns of its length.
Mat<4, 3> across(const Vec4& q) {
  Mat<4, 3> E;
  E << -q.tail<3>().transpose(), q[0] * Mat3::Identity() + skew(q.tail<3>());
  return E;
}
// The inverse of A on what is at right angles to q, zero along q.
Mat<4, 4> inverse_across(const Mat<4, 4>& A, const Vec4& q) {
  const Mat<4, 3> E = across(q);
  const Mat3 inner = E.transpose() * A * E;
  return E * inner.inverse() * E.transpose();
}

// f(w) = acos(w)/sqrt(1 - w^2) = sum a_k t^k in t = 1 - w, a_k = k/(2k + 1) a_k-1: of (1 - w^2) f' = w f - 1. All terms of it
// and of its divided differences are positive, so that no digit is lost up to half a turn, t = 1, and a way beyond.
struct Series {
  double f0 = 0, f1 = 0, first = 0, second = 0, slope = 0;  // f[t0, t1], f[t0, t1, t1], f'(t1)
  Series(double t0, double t1) {
    constexpr int most = 400;  // near a whole turn, which only a search comes to
    double a = 1, p0 = 1, p1 = 1, h = 0, g = 0, d = 0;
    for (int k = 0; k < most; ++k) {
      f0 += a * p0;
      f1 += a * p1;
      first += a * h;
      second += a * g;
      slope += a * d;
      // The slowest to fall is the last one, by k^2 t^k.
      if (k > 2 && a * (p0 + p1 + h + d + g) <= 0.1 * std::numeric_limits<double>::epsilon()) return;
      // Sums of all products of degree k - 1 in t0, t1 and of degree k - 2 in t0, t1, t1.
      g = t1 * g + h;
      h = t1 * h + p0;
      d = t1 * d + p1;
      p0 *= t0;
      p1 *= t1;
      a *= (k + 1.0) / (2 * k + 3.0);
    }
  }
};

}  // namespace

Mat3 davenport_weights(const Vec4& a, const Vec4& b) {
  const Vec3 av = a.tail<3>(), bv = b.tail<3>();
  return (a[0] * b[0] - av.dot(bv)) * Mat3::Identity() + skew(a[0] * bv + b[0] * av) + av * bv.transpose() +
         bv * av.transpose();
}

// K + 1 = 4 q q^T for a rotation: its longest column, then Newton for what is none.
NearestRotation::NearestRotation(const Mat3& Q) : K(davenport(Q)) {
  Eigen::Index column = 0;
  K.diagonal().maxCoeff(&column);
  q = (K.col(column) + Vec4::Unit(column)).normalized();
  constexpr int most = 20;
  for (int i = 0; i < most; ++i) {
    const Vec4 image = K * q;
    top = q.dot(image);
    const Vec4 step = inverse_across(top * Mat<4, 4>::Identity() - K, q) * image;
    q = (q + step).normalized();
    if (!(step.norm() > 2 * std::numeric_limits<double>::epsilon())) break;
  }
  top = q.dot(K * q);
  if (q[0] < 0) q = -q;
}

NearestRotation::NearestRotation(const Mat3& Q, const NearestRotation& to) : NearestRotation(Q) {
  if (q.dot(to.q) < 0) q = -q;
}

Vec3 NearestRotation::vector() const { return 2 * Series(1 - q[0], 1 - q[0]).f0 * q.tail<3>(); }

RotationChord::RotationChord(const NearestRotation& from, const NearestRotation& to)
    : end_(to),
      q_(0.5 * (from.q + to.q)),
      A_(0.5 * (from.top + to.top) * Mat<4, 4>::Identity() - 0.5 * (from.K + to.K)),
      N_(inverse_across(A_, q_)) {
  const Series f(1 - from.q[0], 1 - to.q[0]);
  f_ = 0.5 * (f.f0 + f.f1);
  slope_ = -f.slope;
  quotient_ = -f.first;
  quotient_slope_ = f.second;
}

Vec4 RotationChord::weights(const Vec3& s) const {
  Vec4 y;
  y << 2 * quotient_ * q_.tail<3>().dot(s), 2 * f_ * s;
  return y;
}

Mat3 RotationChord::gradient(const Vec3& s) const { return davenport_weights(q_, N_ * weights(s)); }

// gradient = G(q, z), z = N y: what z is differentiated by, (A z + m q = y, q.z = 0) says.
Mat<9, 9> RotationChord::slope(const Vec3& s) const {
  const Vec4 y = weights(s), z = N_ * y;
  const double square = q_.squaredNorm(), m = q_.dot(y - A_ * z) / square;
  const Vec4 along = (q_ - N_ * (A_ * q_)) / square;
  const Mat<4, 4> at_end = inverse_across(end_.top * Mat<4, 4>::Identity() - end_.K, end_.q);
  const Mat3 of_top = davenport_weights(end_.q, end_.q);
  Mat<9, 9> all;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Mat<4, 4> dK = davenport(Vec3::Unit(i) * Vec3::Unit(j).transpose());
      const Vec4 dq = at_end * (dK * end_.q);
      Vec4 dy;
      dy << 2 * quotient_slope_ * dq[0] * q_.tail<3>().dot(s) + quotient_ * dq.tail<3>().dot(s), slope_ * dq[0] * s;
      const Vec4 dz = N_ * (dy - 0.5 * (of_top(i, j) * z - dK * z) - 0.5 * m * dq) - 0.5 * dq.dot(z) * along;
      const Mat3 change = (0.5 * davenport_weights(dq, z) + davenport_weights(q_, dz)).transpose();
      all.col(3 * i + j) = Eigen::Map<const Vec<9>>(change.data());
    }
  return all;
}

}  // namespace trompo
