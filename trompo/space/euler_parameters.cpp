#include "trompo/space/euler_parameters.hpp"

#include "trompo/math/so3.hpp"

namespace trompo::euler {

namespace {

// L^T r = bar(r) p and G^T w = plus(w) p
Mat4 bar(const Vec3& r) {
  Mat4 m;
  m << 0, -r.transpose(), r, -skew(r);
  return m;
}
Mat4 plus(const Vec3& w) {
  Mat4 m;
  m << 0, -w.transpose(), w, skew(w);
  return m;
}

}  // namespace

Mat34 G(const Vec4& p) {
  const Vec3 e = p.tail<3>();
  Mat34 m;
  m << -e, p[0] * Mat3::Identity() + skew(e);
  return m;
}

Mat34 L(const Vec4& p) {
  const Vec3 e = p.tail<3>();
  Mat34 m;
  m << -e, p[0] * Mat3::Identity() - skew(e);
  return m;
}

Mat3 matrix(const Vec4& p) { return G(p) * L(p).transpose(); }
Mat34 slope(const Vec4& p, const Vec3& r) { return 2 * G(p) * bar(r); }
Mat4 bend(const Vec3& r, const Vec3& w) { return 2 * bar(r).transpose() * plus(w); }

Mat4 mass(const Vec4& p, const Mat3& J) {
  const Mat34 l = L(p);
  return 4 * l.transpose() * J * l;
}

Vec4 velocity_force(const Vec4& p, const Vec4& rate, const Mat3& J) { return -8 * L(rate).transpose() * (J * (L(p) * rate)); }

// L(p) a = -L(a) p
Mat4 mass_slope(const Vec4& p, const Vec4& a, const Mat3& J) { return 4 * (bar(J * (L(p) * a)) - L(p).transpose() * J * L(a)); }

Mat4 velocity_slope(const Vec4& rate, const Mat3& J) {
  const Mat34 l = L(rate);
  return -8 * l.transpose() * J * l;
}

Mat4 velocity_rate_slope(const Vec4& p, const Vec4& rate, const Mat3& J) {
  return 8 * (bar(J * (L(p) * rate)) + L(rate).transpose() * J * L(p));
}

Vec4 rate(const Vec4& p, const Vec3& angular_velocity) { return 0.5 * L(p).transpose() * angular_velocity; }
Vec3 angular_velocity(const Vec4& p, const Vec4& rate) { return 2 * L(p) * rate; }

}  // namespace trompo::euler
