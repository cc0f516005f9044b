// Rotations: axioms, pairs of inverses, derivatives, and the angles where formulas like to lose their digits.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/random_states.hpp"
#include "trompo/math/so3.hpp"

namespace trompo {
namespace math_so3 {

using namespace property;

constexpr double pi = std::numbers::pi;

template <class A, class B>
double distance(const Eigen::MatrixBase<A>& a, const Eigen::MatrixBase<B>& b) {
  return (a - b).cwiseAbs().maxCoeff();
}
// Of the rotations, whatever the signs.
double distance(const Quaternion& a, const Quaternion& b) {
  return std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

// Small, tiny and large ones, with their share of those next to pi.
Vec3 rotation_vector(double most) {
  switch (*rc::gen::inRange(0, 3)) {
    case 0: return magnitude(1e-12, 1) * direction();
    case 1: return between(0, most) * direction();
    default: return std::min(most, pi - magnitude(1e-12, 1)) * direction();
  }
}
Quaternion unit() { return exponential_quaternion(rotation_vector(pi)); }

// --- the factors ---

struct Exact {
  long double a, b, c, db, dc;
};
Exact exact(long double t) {
  const auto series = [t](int lowest, int scale) {  // sum of (-t)^k (scale k + 1 or 2)/(2k + lowest)!
    long double sum = 0, term = 1;
    for (int i = 2; i <= lowest; ++i) term /= i;
    for (int k = 0; k < 40; ++k) {
      sum += term * (scale == 0 ? 1 : 2 * k + 2);
      term *= -t / ((2 * k + lowest + 1) * (2 * k + lowest + 2));
    }
    return sum;
  };
  return {series(1, 0), series(2, 0), series(3, 0), series(4, 1), series(5, 1)};
}

double relative(double value, long double exact) { return static_cast<double>(std::abs((value - exact) / exact)); }

RC_GTEST_PROP(RotationFactorsTest, AreAccurateOnBothSidesOfTheSwitch, ()) {
  const double theta = *rc::gen::element(magnitude(1e-9, 1), between(1, 3), 2 * (1 - 1e-12), 2.0, 2 * (1 + 1e-12));
  const RotationFactors f = RotationFactors::of_square(theta * theta);
  const Exact x = exact(static_cast<long double>(f.t));
  within(std::abs(f.a - static_cast<double>(x.a)), 2 * epsilon);
  within(relative(f.b, x.b), 5 * epsilon);
  within(relative(f.c, x.c), 5 * epsilon);
  within(relative(f.db(), x.db), 16 * epsilon);
  within(relative(f.dc(), x.dc), 32 * epsilon);
}

RC_GTEST_PROP(RotationFactorsTest, OfTheDoubleAngleFollow, ()) {
  const double t = *rc::gen::element(magnitude(1e-20, 1), between(0, 10));
  const RotationFactors twice = RotationFactors::of_square(t).doubled(), f = RotationFactors::of_square(4 * t);
  within(std::abs(twice.a - f.a) + std::abs(twice.b - f.b) + std::abs(twice.c - f.c), 8 * epsilon);
}

// --- skew, exponential, logarithm, quaternions ---

RC_GTEST_PROP(Rotation, SkewIsTheCrossProductAndAxialItsInverse, ()) {
  const Vec3 v = box<3>(10), w = box<3>(10);
  within((skew(v) * w - v.cross(w)).norm(), 100 * epsilon);
  RC_ASSERT(axial(skew(v)) == v);
  const Mat3 any = Mat3(skew(v) + w * w.transpose());
  within((axial(any) - v).norm(), 100 * epsilon);
}

RC_GTEST_PROP(Rotation, ExponentialIsARotationAboutItsVector, ()) {
  const Vec3 theta = rotation_vector(12);
  const Mat3 r = exponential(theta);
  within(rotation_defect(r), 8 * epsilon);
  within((r * theta - theta).norm(), 16 * epsilon * theta.norm());
  within(std::abs(r.trace() - 1 - 2 * std::cos(theta.norm())), 16 * epsilon);
  within(distance(r, exponential(-theta).transpose()), 0);
  within(distance(r, to_matrix(exponential_quaternion(theta))), 8 * epsilon);
  within(distance(exponential_quaternion(theta), axis_angle(theta.normalized(), theta.norm())), 8 * epsilon);
}

RC_GTEST_PROP(Rotation, ExponentialsAboutOneAxisAdd, ()) {
  const Vec3 n = direction();
  const double a = between(-6, 6), b = between(-6, 6);
  within(distance(exponential(a * n) * exponential(b * n), exponential((a + b) * n)), 32 * epsilon);
}

RC_GTEST_PROP(Rotation, LogarithmUndoesTheExponential, ()) {
  const Vec3 theta = rotation_vector(pi);
  within((logarithm(exponential_quaternion(theta)) - theta).norm(), 8 * epsilon * theta.norm());
  within((logarithm(Quaternion(-exponential_quaternion(theta).coeffs())) - theta).norm(), 8 * epsilon * theta.norm());
  // A matrix holds an angle to an eps of one, not of the angle.
  within((logarithm(exponential(theta)) - theta).norm(), 16 * epsilon);
}

TEST(Rotation, LogarithmsAtTheEdges) {
  const double tiny = 1e-200;
  EXPECT_EQ(logarithm(Quaternion(1, 0, 0, 0)), Vec3::Zero());
  EXPECT_EQ(logarithm(exponential_quaternion(Vec3(tiny, 0, 0))), Vec3(tiny, 0, 0));
  EXPECT_NEAR(logarithm(Quaternion(0, 0, 1, 0)).y(), pi, 4 * epsilon);
  for (int i = 0; i < 3; ++i) {
    Mat3 half_turn = -Mat3::Identity();
    half_turn(i, i) = 1;
    EXPECT_NEAR(std::abs(logarithm(half_turn)[i]), pi, 4 * epsilon);
  }
}

RC_GTEST_PROP(Rotation, MatrixAndQuaternionAreOne, ()) {
  const Quaternion q = unit();
  const Mat3 r = to_matrix(q);
  within(rotation_defect(r), 8 * epsilon);
  within(distance(to_quaternion(r), q), 4 * epsilon);
  const Vec3 v = box<3>(2);
  within((to_space(q, v) - r * v).norm() + (to_body(q, v) - r.transpose() * v).norm(), 32 * epsilon);
}

RC_GTEST_PROP(Rotation, ProductsAreThoseOfTheMatrices, ()) {
  const Quaternion a = unit(), b = unit();
  within(distance(to_matrix(composed(a, b)), to_matrix(a) * to_matrix(b)), 16 * epsilon);
}

RC_GTEST_PROP(Rotation, BetweenTwoDirectionsIsTheShortest, ()) {
  const Vec3 a = direction();
  const Vec3 far = exponential((pi - magnitude(1e-16, 1)) * a.unitOrthogonal()) * a, b = *rc::gen::element(direction(), far);
  const Quaternion q = rotation_between(a, b);
  within(std::abs(q.norm() - 1), 2 * epsilon);
  within((to_space(q, a) - b.normalized()).norm(), 32 * epsilon);
  within(std::abs(logarithm(q).norm() - std::atan2((b - a).norm(), (a + b).norm()) * 2), 16 * epsilon);
}

TEST(Rotation, BetweenOppositeDirectionsIsAHalfTurn) {
  for (int i = 0; i < 3; ++i) {
    const Vec3 a = Vec3::Unit(i);
    EXPECT_LE((to_space(rotation_between(a, -a), a) + a).norm(), 4 * epsilon);
    EXPECT_LE((to_space(rotation_between(a, a), a) - a).norm(), 4 * epsilon);
  }
}

TEST(Rotation, AMillionCompositionsStayOnTheGroup) {
  const Quaternion d = exponential_quaternion(Vec3(0.03, -0.02, 0.05));
  Quaternion q = axis_angle(Vec3::UnitX(), 0.3);
  double worst = 0;
  for (int i = 0; i < 1000000; ++i) {
    q = composed(q, d);
    worst = std::max(worst, std::abs(q.norm() - 1));
  }
  EXPECT_LE(worst, 1e-15);
  EXPECT_LE(rotation_defect(to_matrix(q)), 1e-15);
  // The turns about one axis add up to one turn about it, as far as rounding lets them.
  const Quaternion whole =
      composed(axis_angle(Vec3::UnitX(), 0.3), axis_angle(logarithm(d).normalized(), 1e6 * logarithm(d).norm()));
  EXPECT_LE(distance(q, whole), 1e-9);
}

TEST(Rotation, DefectTellsWhatIsNoRotation) {
  EXPECT_EQ(rotation_defect(Mat3::Identity()), 0);
  EXPECT_EQ(rotation_defect(-Mat3::Identity()), 2);
  EXPECT_NEAR(rotation_defect(1.001 * Mat3::Identity()), 0.003003001, 1e-12);
  Mat3 sheared = Mat3::Identity();
  sheared(0, 1) = 1e-6;
  EXPECT_NEAR(rotation_defect(sheared), 1e-6, 1e-15);
  sheared(2, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(rotation_defect(sheared)));
}

// --- tangents ---

// The material spin axial(R^T dR) of a map from vectors to rotations, by differences.
template <class F>
Mat3 spin(const F& map, const Vec3& at) {
  const Mat3 r = map(at);
  return difference([&](const Vec3& x) -> Vec3 { return axial(r.transpose() * map(x)); }, at, 1e-3);
}

RC_GTEST_PROP(RotationTangent, IsTheDerivativeOfTheExponential, ()) {
  const Vec3 theta = rotation_vector(9);
  const Mat3 t = rotation_tangent(theta);
  within(distance(t, spin([](const Vec3& x) { return exponential(x); }, theta)), 1e-11);
  within(distance(t.transpose(), rotation_tangent(-theta)), 0);
  within(distance(t.transpose(), exponential(theta) * t), 32 * epsilon);
  within((t * theta - theta).norm(), 32 * epsilon * theta.norm());
}

RC_GTEST_PROP(RotationTangent, InverseIsItsInverse, ()) {
  const Vec3 theta = rotation_vector(6);
  const Mat3 product = rotation_tangent(theta) * rotation_tangent_inverse(theta);
  within(distance(product, Mat3::Identity()), 16 * epsilon * (1 + rotation_tangent_inverse(theta).norm()));
}

RC_GTEST_PROP(RotationTangent, SlopesAreDerivatives, ()) {
  const Vec3 theta = rotation_vector(9), v = box<3>(2);
  const Mat3 turned = difference([&](const Vec3& x) -> Vec3 { return exponential(x) * v; }, theta, 1e-3);
  within(distance(rotated_slope(theta, v), turned), 1e-11);
  const Mat3 moved = difference([&](const Vec3& x) -> Vec3 { return rotation_tangent(x) * v; }, theta, 1e-3);
  within(distance(rotation_tangent_slope(theta, v), moved), 1e-11);
}

// --- Cayley's map ---

RC_GTEST_PROP(Cayley, IsTheRotationOfItsMidPointRule, ()) {
  const Vec3 c = magnitude(1e-9, 100) * direction(), G0 = direction();
  const Mat3 r = cayley(c);
  const double noise = 16 * epsilon;
  within(rotation_defect(r), noise);
  within(distance(r, to_matrix(cayley_quaternion(c))), noise);
  within((cayley_inverse(cayley_quaternion(c)) - c).norm(), noise * c.norm() * (1 + c.norm()));
  within(std::abs(logarithm(r).norm() - 2 * std::atan(c.norm())), noise);
  const Vec3 G1 = r.transpose() * G0, middle = 0.5 * (G0 + G1);
  within((G1 - G0 + 2 * c.cross(middle)).norm(), noise * (1 + c.norm()));
  within((cayley_half_inverse(c) * G0 - middle).norm(), noise);
  within(distance((Mat3::Identity() - skew(c)) * r, Mat3::Identity() + skew(c)), noise * (1 + c.norm()));
}

RC_GTEST_PROP(Cayley, TangentIsItsDerivative, ()) {
  const Vec3 c = magnitude(1e-9, 10) * direction();
  within(distance(cayley_tangent(c), spin([](const Vec3& x) { return cayley(x); }, c)), 1e-10);
  within(distance(cayley_tangent(c) * cayley_tangent_inverse(c), Mat3::Identity()), 16 * epsilon * (1 + c.squaredNorm()));
}

}  // namespace math_so3
}  // namespace trompo
