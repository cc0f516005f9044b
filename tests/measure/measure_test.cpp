// Every measure over random states: derivatives against finite differences, the secant identity, frame indifference.
#include "tests/random_states.hpp"
#include "tests/typed_measures.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/measure/coordinate.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/measure/rod_strain.hpp"

namespace trompo {
namespace {

using namespace property;

template <class M>
class MeasureTest : public testing::Test {};
using Measures = testing::Types<EngineeringStrain, GreenStrain, LogarithmicStrain, RodStrain, QuadraticRodStrain, Distance,
                                CoordinateMeasure, TypedStrain, TypedHinge, TypedMixture, TypedRaw>;
TYPED_TEST_SUITE(MeasureTest, Measures);

template <class M>
class TwoPointMeasureTest : public testing::Test {};
using TwoPointMeasures = testing::Types<EngineeringStrain, GreenStrain, LogarithmicStrain, Distance, TypedStrain>;
TYPED_TEST_SUITE(TwoPointMeasureTest, TwoPointMeasures);

template <class M>
using C = Vec<M::coordinates>;
template <class M>
using S = Vec<M::components>;

// The length over which a measure bends.
template <class M>
double length_of(const M& m, const C<M>& c) {
  if constexpr (M::coordinates == 6)
    return TwoPoints::gap(c).norm();
  else
    return Draw<M>::length(m);
}

TYPED_TEST(MeasureTest, JacobianIsTheDerivativeOfTheValue) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c = Draw<M>::state(m);
    const auto J = m.jacobian(c);
    const auto expected =
        difference<M::coordinates>([&](const C<M>& x) { return S<M>(m.value(x)); }, c, 1e-3 * length_of(m, c));
    within((J - expected).norm(), 1e-10 * J.norm());
  });
}

TYPED_TEST(MeasureTest, CurvatureIsTheDerivativeOfTheForce) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c = Draw<M>::state(m);
    const S<M> s = box<M::components>(1);
    const auto K = m.curvature(c, s);
    const auto expected = difference<M::coordinates>([&](const C<M>& x) { return C<M>(m.jacobian(x).transpose() * s); }, c,
                                                     1e-3 * length_of(m, c));
    within((K - expected).norm(), 1e-10 * s.norm() * m.jacobian(c).norm() / length_of(m, c));
    within((K - K.transpose()).norm(), 1e-14 * K.norm());
  });
}

TYPED_TEST(MeasureTest, SecantCurvatureIsTheDerivativeOfTheSecantForce) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c0 = Draw<M>::state(m);
    // far away, or close, or the same
    const C<M> c1 =
        *rc::gen::element(0, 1, 2) == 0 ? Draw<M>::state(m) : Draw<M>::near(c0, magnitude(1e-9, 1e-1) * length_of(m, c0));
    const S<M> s = box<M::components>(1);
    const double l = std::min(length_of(m, c0), length_of(m, c1)), d = (c1 - c0).norm();
    if (has_quotients<M>) RC_PRE(d > 2e-2 * l);
    const auto expected = difference<M::coordinates>([&](const C<M>& x) { return C<M>(m.secant(c0, x).transpose() * s); }, c1,
                                                     has_quotients<M> ? std::min(1e-3 * l, 1e-2 * d) : 1e-3 * l);
    const double size = s.norm() * std::max(m.jacobian(c0).norm(), m.jacobian(c1).norm()) / l;
    within((m.secant_curvature(c0, c1, s) - expected).norm(), (has_quotients<M> ? 1e-6 : 1e-10) * size);
  });
}

TYPED_TEST(MeasureTest, SecantIdentityHoldsToRoundOff) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c0 = Draw<M>::state(m), c1 = Draw<M>::state(m);
    const auto J = m.secant(c0, c1);
    const double size = 1 + m.value(c0).norm() + m.value(c1).norm() + J.norm() * (c0.norm() + c1.norm());
    within((J * (c1 - c0) - (m.value(c1) - m.value(c0))).norm(), 8 * epsilon * size);
  });
}

// Between states that nearly coincide the difference of values has lost its digits, so the identity is held against the
// mean of the Jacobian along the way, which has not: it must not matter how small the step is.
TYPED_TEST(MeasureTest, SecantIdentityHoldsForTinySteps) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c0 = Draw<M>::state(m);
    const C<M> c1 = Draw<M>::near(c0, magnitude(1e-9, 1e-2) * length_of(m, c0));
    const C<M> dc = c1 - c0;
    const auto along = mean([&](double t) { return m.jacobian(c0 + t * dc); });
    const double lost = has_quotients<M> ? 16 * epsilon * (1 + m.value(c0).norm()) : 0;
    within(((m.secant(c0, c1) - along) * dc).norm(), 1e-14 * along.norm() * dc.norm() + lost);
  });
}

TYPED_TEST(MeasureTest, SecantOfNothingIsTheJacobian) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c = Draw<M>::state(m);
    const S<M> s = box<M::components>(1);
    const auto J = m.jacobian(c);
    within((m.secant(c, c) - J).norm(), 4 * epsilon * J.norm());
    // d J*(c0, c1)/dc1 is half the curvature there
    within((m.secant_curvature(c, c, s) - 0.5 * m.curvature(c, s)).norm(), 1e-14 * s.norm() * J.norm() / length_of(m, c));
    const C<M> close = Draw<M>::near(c, 1e-9 * length_of(m, c));
    const double lost = has_quotients<M> ? 16 * epsilon * (1 + m.value(c).norm()) / (close - c).norm() : 0;
    within((m.secant(c, close) - m.jacobian(0.5 * (c + close))).norm(), 1e-14 * J.norm() + lost);
  });
}

TYPED_TEST(MeasureTest, SecantDoesNotCareWhichEndIsFirst) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c0 = Draw<M>::state(m);
    const C<M> c1 = *rc::gen::arbitrary<bool>() ? Draw<M>::state(m) : Draw<M>::near(c0, magnitude(1e-9, 1e-1));
    const auto J = m.secant(c0, c1);
    within((J - m.secant(c1, c0)).norm(), 16 * epsilon * J.norm());
  });
}

// Both configurations turned by the same rotation and shifted by the same vector.
TYPED_TEST(TwoPointMeasureTest, SeesNoRigidMotion) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c0 = Draw<M>::state(m), c1 = Draw<M>::state(m);
    const Mat3 Q = rotation();
    const Vec3 shift = box<3>(5);
    const auto moved = [&](const C<M>& c) {
      C<M> out;
      out << Q * c.template head<3>() + shift, Q * c.template tail<3>() + shift;
      return out;
    };
    const auto turned = [&](const Mat<1, 6>& J) {
      Mat<1, 6> out;
      out << J.template head<3>() * Q.transpose(), J.template tail<3>() * Q.transpose();
      return out;
    };
    // coordinates up to 30 m away carry their own rounding into the short gap between them
    const double lost = 60 * epsilon / std::min(length_of(m, c0), length_of(m, c1));
    const auto J = m.jacobian(c0), secant = m.secant(c0, c1);
    within((m.value(moved(c0)) - m.value(c0)).norm(), 8 * lost * (1 + m.value(c0).norm() + J.norm() * length_of(m, c0)));
    within((m.jacobian(moved(c0)) - turned(J)).norm(), 8 * lost * J.norm());
    const double size = std::max({J.norm(), m.jacobian(c1).norm(), secant.norm()});
    // a quotient of differences loses what the difference of the lengths does
    const double l0 = length_of(m, c0), l1 = length_of(m, c1), kept = has_quotients<M> ? std::abs(l1 - l0) / (l0 + l1) : 1;
    within((m.secant(moved(c0), moved(c1)) - turned(secant)).norm(), 8 * lost * size / kept);
  });
}

// p on one end, -p on the other, along r0 + r1: no work in a translation, none in a rotation of the mid configuration.
TYPED_TEST(TwoPointMeasureTest, SecantDoesNoWorkOnRigidMotion) {
  using M = TypeParam;
  rc::detail::checkGTest([] {
    const M m = Draw<M>::measure();
    const C<M> c0 = Draw<M>::state(m), c1 = Draw<M>::state(m);
    const auto J = m.secant(c0, c1);
    const Vec3 at_first = J.template head<3>().transpose(), at_second = J.template tail<3>().transpose();
    RC_ASSERT((at_first + at_second).norm() == 0);
    const Vec3 middle = 0.5 * (TwoPoints::gap(c0) + TwoPoints::gap(c1));
    within(middle.cross(at_second).norm(), 4 * epsilon * middle.norm() * at_second.norm());
  });
}

}  // namespace
}  // namespace trompo
