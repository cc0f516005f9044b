// Simo's three schemes, with the same algebra: exp(Th~) T(Th) = T(Th)^T and Y w~ = (Y w)~ Y turn every product with a rotation
// into one with T^T, so that with m = e x G, e = exp(alpha Th~) E and T' = T(alpha Th)
//   d(exp(Th~) P) = -(exp(Th~) P)~ T^T dTh,  dm = alpha (e (T' G)^T - (G . e) T'^T) dTh,  dz_alpha = alpha (T' m) . dTh
#include <algorithm>

#include "trompo/scheme/top_problem.hpp"

namespace trompo {
namespace {

// v + linear Th x v + quadratic Th x (Th x v)
Vec3 applied(const Vec3& theta, double linear, double quadratic, const Vec3& v) {
  const Vec3 once = theta.cross(v);
  return v + linear * once + quadratic * theta.cross(once);
}

// e = exp(alpha Th~) E, m = e x G and the slope of m
struct Arm {
  Arm(const Vec3& E, const Vec3& G, const Vec3& theta, double share, const RotationFactors& part)
      : e(applied(theta, share * part.a, share * share * part.b, E)), m(e.cross(G)) {}
  Vec3 e, m;
};
Mat3 slope(const Arm& arm, const Vec3& G, const Vec3& theta, double share, const RotationFactors& part) {
  const double linear = share * part.b, quadratic = share * share * part.c;
  return share *
         (arm.e * applied(theta, -linear, quadratic, G).transpose() - G.dot(arm.e) * skew_polynomial(theta, linear, quadratic));
}

}  // namespace

ExponentialProblem::ExponentialProblem(const TopStart& start, double tolerance, Torque torque, double simo_alpha)
    : TopProblem(start, tolerance), torque_(torque), alpha_(torque == Torque::fixed_point ? simo_alpha : 0.5) {}

void ExponentialProblem::evaluate(bool tangent) {
  const auto& [J, V, Om0, P0, G, z0, q] = start_;
  const Vec3& theta = unknown;
  const double square = theta.squaredNorm();
  if (!std::isfinite(square)) {
    residual_.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (torque_ == Torque::found_point) alpha_ = collocation_point(V, G, theta, follows_ ? alpha_ : 0.5);
  const RotationFactors part = RotationFactors::of_square(alpha_ * alpha_ * square);
  const RotationFactors whole = alpha_ == 0.5 ? part.doubled() : RotationFactors::of_square(square);

  const Vec3 P1 = J * velocity(), turned = applied(theta, whole.a, whole.b, P1);
  residual_ = turned - P0;
  size_ = P1.norm() + P0.norm();
  if (tangent) {
    const Mat3 back = skew_polynomial(theta, whole.b, whole.c);
    tangent_.noalias() = skew_polynomial(theta, whole.a, whole.b) * (q * J);
    for (int j = 0; j < 3; ++j) tangent_.col(j) -= turned.cross(back.col(j));
  }
  if (torque_ == Torque::projected)
    projected_torque(part, tangent);
  else
    torque_at(alpha_, part, whole, tangent);
}

void ExponentialProblem::projected_torque(const RotationFactors& half, bool tangent) {
  const auto& [J, V, Om0, P0, G, z0, q] = start_;
  const Vec3& theta = unknown;
  const Arm arm(V.E, G, theta, 0.5, half);
  const double kappa = half.a, way = theta.dot(arm.m);
  const AxialPotential::Quotient mu = V.quotient(z0, kappa * way);
  const Vec3 push = 2 / q * kappa * mu.value * arm.m;
  residual_ += push;
  size_ += push.norm();
  if (!tangent) return;
  const Mat3 dm = slope(arm, G, theta, 0.5, half);
  const Vec3 dkappa = -0.25 * half.da() * theta;
  Vec3 dmu = mu.value * dkappa;
  if (mu.rate != 0) dmu += kappa * mu.rate * (way * dkappa + kappa * (arm.m + dm.transpose() * theta));
  tangent_ += 2 / q * (kappa * mu.value * dm + arm.m * dmu.transpose());
}

void ExponentialProblem::torque_at(double alpha, const RotationFactors& part, const RotationFactors& whole, bool tangent) {
  const auto& [J, V, Om0, P0, G, z0, q] = start_;
  const Vec3& theta = unknown;
  const Arm arm(V.E, G, theta, alpha, part);
  const PotentialValue v = V.at(G.dot(arm.e));
  const Vec3 push = 2 / q * v.slope * arm.m;
  residual_ += push;
  size_ += push.norm();
  if (!tangent) return;

  const auto tangent_of = [&](const Vec3& w) -> Vec3 { return applied(theta, -alpha * part.b, alpha * alpha * part.c, w); };
  const Vec3 dz = alpha * tangent_of(arm.m);
  Mat3 slopes = v.slope * slope(arm, G, theta, alpha, part) + v.curvature * arm.m * dz.transpose();

  if (torque_ == Torque::found_point) {
    // alpha moves with Th so that r = V'(z_alpha) Th . m - (V1 - V0) stays zero: dalpha = -r_Th/r_alpha.
    const Vec3 along = theta.cross(arm.e);
    const double rate = G.dot(along);  // dz/dalpha = Th . m
    const double r_alpha = v.curvature * rate * rate + v.slope * G.dot(theta.cross(along));
    const Arm end(V.E, G, theta, 1, whole);
    const Vec3 r_theta = v.curvature * rate * dz + v.slope * (arm.m + alpha * tangent_of(arm.e.cross(G.cross(theta)))) -
                         V.at(G.dot(end.e)).slope * applied(theta, -whole.b, whole.c, end.m);
    // Where Th is along E every alpha is as good as another, and none moves.
    const double size = theta.squaredNorm() * (std::abs(v.slope) + std::abs(v.curvature));
    if (std::abs(r_alpha) > std::numeric_limits<double>::epsilon() * size) {
      const Vec3 moved = v.slope * along.cross(G) + v.curvature * rate * arm.m;
      slopes -= moved * (r_theta / r_alpha).transpose();
    }
  }
  tangent_ += 2 / q * slopes;
}

double ExponentialProblem::solve_and_update() {
  // A radian at a time: beyond it the tangent knows nothing, and where it is nearly singular it would send the body anywhere.
  const Vec3 d = increment();
  const double length = d.norm();
  unknown -= length > 1 ? Vec3(d / length) : d;
  return length;
}

}  // namespace trompo
