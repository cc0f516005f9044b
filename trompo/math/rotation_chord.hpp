// The rotation vector of a 3x3 matrix, exact between two of them.
//
// The rotation R(q) nearest to Q is the unit quaternion that makes q.K(Q)q = tr(R(q)^T Q) largest, a top eigenvector of the 4x4
// matrix K(Q), which is linear in Q (P. Davenport, NASA TN D-4696, 1968). So rotation vectors are defined beside the rotations
// too, as discrete gradients want it: midpoints of rotations are none. Of a rotation it is theta = 2 f(w) v, f = x/sin x with
// cos x = w, smooth up to a turn; q and -q being the same, it is the shorter one where nothing else is known.
//
// Between two ends, with means marked by a bar and differences by d, K q = l q at both gives (l - K)bar dq = K(dQ) qbar - dl
// qbar and qbar.dq = 0. With N the inverse of (l - K)bar across qbar this is a difference quotient without a quotient,
//
//   dq = N K(dQ) qbar,  dtheta = 2 (fbar dv + f[w0, w1] vbar dw),
//
// exact for any two matrices, symmetric in them, the derivative where they coincide, and never a difference of near numbers.
#pragma once

#include "trompo/math/vector.hpp"

namespace trompo {

using Vec4 = Vec<4>;  // of a quaternion: (w, v)

// The matrix G with a.K(Q) b = sum G_ij Q_ij.
[[nodiscard]] Mat3 davenport_weights(const Vec4& a, const Vec4& b);

// One end: a matrix with its nearest rotation.
struct NearestRotation {
  Mat<4, 4> K;
  Vec4 q;
  double top;                                                 // the eigenvalue of q
  explicit NearestRotation(const Mat3& Q);                    // w >= 0
  NearestRotation(const Mat3& Q, const NearestRotation& to);  // of q and -q the one nearer to that of another end
  [[nodiscard]] Vec3 vector() const;
};

class RotationChord {
 public:
  RotationChord(const NearestRotation& from, const NearestRotation& to);
  // G with G:(Q1 - Q0) = s.(theta1 - theta0)
  [[nodiscard]] Mat3 gradient(const Vec3& s) const;
  // Its derivative in Q1; both row by row.
  [[nodiscard]] Mat<9, 9> slope(const Vec3& s) const;

 private:
  [[nodiscard]] Vec4 weights(const Vec3& s) const;  // y with y.dq = s.dtheta
  const NearestRotation& end_;
  Vec4 q_;           // mean
  Mat<4, 4> A_, N_;  // mean of top - K, and its inverse across q_
  // f and its slope at the new end, means, quotients f[w0, w1] and f[w0, w1, w1]
  double f_, slope_, quotient_, quotient_slope_;
};

}  // namespace trompo
