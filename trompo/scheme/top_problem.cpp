#include "trompo/scheme/top_problem.hpp"

#include <algorithm>

namespace trompo {

double TopProblem::residual_ratio() const {
  const double r = residual_.norm();
  if (!std::isfinite(r)) return std::numeric_limits<double>::quiet_NaN();
  return r > 0 ? r / std::max(tolerance_ * size_, std::numeric_limits<double>::min()) : 0;
}

bool TopProblem::residual_at_round_off() const {
  constexpr double allowance = 16 * std::numeric_limits<double>::epsilon();
  return residual_.norm() <= std::max(tolerance_, allowance) * size_;
}

// By cofactors: three unknowns are too few for a factorisation to pay, and Newton mends what rounding does to an increment.
Vec3 TopProblem::increment() const {
  const Vec3 x = tangent_.col(0), y = tangent_.col(1), z = tangent_.col(2), yz = y.cross(z);
  const double volume = x.dot(yz);
  constexpr double flat = std::numeric_limits<double>::epsilon();
  if (!(volume * volume > flat * flat * x.squaredNorm() * y.squaredNorm() * z.squaredNorm()))
    return Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  return Vec3(yz.dot(residual_), z.cross(x).dot(residual_), x.cross(y).dot(residual_)) / volume;
}

// --- half rotations ---

void HalfRotationProblem::predict(const Vec3& rotation) {
  unknown = 0.5 * rotation;
  const double length = unknown.norm();
  if (length >= 1) unknown *= 0.99 / length;
}

Quaternion HalfRotationProblem::rotation() const {
  return Quaternion(e0(), unknown.x(), unknown.y(), unknown.z()).normalized();
}

void HalfRotationProblem::evaluate(bool tangent) {
  const auto& [J, V, Om0, P0, G, z0, q] = start_;
  const Vec3& e = unknown;
  const double c = e0(), k = 1 / (1 + c);

  // F w and F^T w for e and -e, and their derivatives with respect to e
  const auto turned = [&](const Vec3& w, double sign) -> Vec3 { return c * w + k * e.dot(w) * e + sign * e.cross(w); };
  const auto slope = [&](const Vec3& w, double sign) -> Mat3 {
    const double ew = e.dot(w);
    return ((ew * k * k / c) * e - w / c) * e.transpose() + k * (e * w.transpose()) + k * ew * Mat3::Identity() -
           sign * skew(w);
  };

  const Vec3 middle = turned(G, -1), arm = e.cross(V.E), torque = V.E.cross(middle);
  const AxialPotential::Quotient mu = V.quotient(z0, 2 * middle.dot(arm));
  Mat3 middle_slope;
  Vec3 mu_slope;
  if (tangent) {
    middle_slope = slope(G, -1);
    mu_slope = 2 * mu.rate * (middle_slope.transpose() * arm + torque);
  }
  if (balance_ == Balance::body) {
    const Vec3 mean = 0.5 * (P0 + J * velocity()), turning = e.cross(mean), push = mu.value / q * torque;
    residual_ = mean - P0 + turning + push;
    size_ = mean.norm() + P0.norm() + turning.norm() + push.norm();
    if (!tangent) return;
    const Mat3 qJ = q * J;
    tangent_ = qJ - skew(mean) + (1 / q) * (torque * mu_slope.transpose());
    for (int j = 0; j < 3; ++j) tangent_.col(j) += e.cross(qJ.col(j)) + mu.value / q * V.E.cross(middle_slope.col(j));
  } else {
    const Vec3 P1 = J * velocity(), push = 2 / q * mu.value * torque;
    residual_ = turned(P1, 1) - turned(P0, -1) + push;
    size_ = P1.norm() + P0.norm() + push.norm();
    if (!tangent) return;
    tangent_ = slope(P1, 1) - slope(P0, -1) + (2 / q) * (torque * mu_slope.transpose());
    for (int j = 0; j < 3; ++j)
      tangent_.col(j) += 2 * q * turned(J.col(j), 1) + 2 / q * mu.value * V.E.cross(middle_slope.col(j));
  }
}

double HalfRotationProblem::solve_and_update() {
  const double length = unknown.norm(), before = e0();
  const Vec3 d = increment();
  unknown -= d;
  const double wanted = unknown.norm();
  if (wanted >= 1) {  // half way to the edge instead, a few times
    constexpr int enough = 6;
    if (++outside_ > enough) return std::numeric_limits<double>::quiet_NaN();
    unknown *= 0.5 * (1 + length) / wanted;
  }
  return 2 * d.norm() / before;
}

// --- Cayley's map ---

void CayleyProblem::evaluate(bool tangent) {
  const auto& [J, V, Om0, P0, G, z0, q] = start_;
  const Vec3& c = unknown;
  const double k = 1 / (1 + c.squaredNorm());
  const Vec3 middle = k * (G - c.cross(G) + c.dot(G) * c), arm = c.cross(V.E), torque = V.E.cross(middle);
  const AxialPotential::Quotient mu = V.quotient(z0, 2 * middle.dot(arm));
  const Vec3 mean = 0.5 * (P0 + J * velocity()), turning = c.cross(mean), push = mu.value / q * torque;
  residual_ = mean - P0 + turning + push;
  size_ = mean.norm() + P0.norm() + turning.norm() + push.norm();
  if (!tangent) return;

  const Mat3 middle_slope = cayley_half_inverse(c) * skew(middle), qJ = q * J;
  const Vec3 mu_slope = 2 * mu.rate * (middle_slope.transpose() * arm + torque);
  tangent_ = qJ - skew(mean) + (1 / q) * (torque * mu_slope.transpose());
  for (int j = 0; j < 3; ++j) tangent_.col(j) += c.cross(qJ.col(j)) + mu.value / q * V.E.cross(middle_slope.col(j));
}

double CayleyProblem::solve_and_update() {
  const Vec3 d = increment();
  const double radians = 2 / std::sqrt(1 + unknown.squaredNorm());
  unknown -= d;
  return radians * d.norm();
}

}  // namespace trompo
