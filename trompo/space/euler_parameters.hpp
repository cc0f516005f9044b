// Euler parameters p = (e0, e) of a body, and what follows from them, on the unit sphere and beside it.
//
//   A(p) = G L^T, body to space: a homogeneous quadratic form, so that its derivatives are exact and short
//   angular velocity in body axes 2 L p', kinetic energy 2 (L p').J (L p'): the mass 4 L^T J L depends on p and is singular
//   along p, where the norm is a constraint
//
// P. E. Nikravesh, Computer-aided analysis of mechanical systems (1988), chapter 6.
#pragma once

#include "trompo/math/vector.hpp"

namespace trompo::euler {

using Vec4 = Vec<4>;
using Mat4 = Mat<4, 4>;
using Mat34 = Mat<3, 4>;

[[nodiscard]] Mat34 G(const Vec4& p);                     // [-e | e0 + e~]
[[nodiscard]] Mat34 L(const Vec4& p);                     // [-e | e0 - e~]
[[nodiscard]] Mat3 matrix(const Vec4& p);                 // A = G L^T
[[nodiscard]] Mat34 slope(const Vec4& p, const Vec3& r);  // d(A r)/dp
[[nodiscard]] Mat4 bend(const Vec3& r, const Vec3& w);    // d^2(w.A r)/dp^2, constant
[[nodiscard]] Mat4 mass(const Vec4& p, const Mat3& J);    // 4 L^T J L
[[nodiscard]] Vec4 velocity_force(const Vec4& p, const Vec4& rate,
                                  const Mat3& J);  // -M' p' + 1/2 d(p'.M p')/dp = -8 L(p')^T J L p'
// Derivatives of M a - Q_v: of M(p) a in p; of -Q_v in p and in p'.
[[nodiscard]] Mat4 mass_slope(const Vec4& p, const Vec4& a, const Mat3& J);
[[nodiscard]] Mat4 velocity_slope(const Vec4& rate, const Mat3& J);
[[nodiscard]] Mat4 velocity_rate_slope(const Vec4& p, const Vec4& rate, const Mat3& J);

[[nodiscard]] inline Vec4 parameters(const Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }
[[nodiscard]] inline Quaternion quaternion(const Vec4& p) { return {p[0], p[1], p[2], p[3]}; }
[[nodiscard]] Vec4 rate(const Vec4& p, const Vec3& angular_velocity);  // L^T Om / 2
[[nodiscard]] Vec3 angular_velocity(const Vec4& p, const Vec4& rate);  // 2 L p'

}  // namespace trompo::euler
