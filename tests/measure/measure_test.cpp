// Every measure over random states: derivatives against finite differences, the secant identity, frame indifference.
#include "tests/measure_catalogue.hpp"
#include "tests/random_states.hpp"
#include "tests/terms.hpp"

namespace trompo {
namespace measure_measure {

using namespace property;

// A random measure of the kind, with its states.
struct Drawn {
  const MeasureKind& kind;
  DrawnMeasure m = kind.draw();
  const MeasureView& phi = m.view;
  explicit Drawn(const MeasureKind& k) : kind(k) {}

  [[nodiscard]] VecX state() const { return kind.state(m); }
  [[nodiscard]] double length(const VecX& c) const { return kind.length(m, c); }
  [[nodiscard]] VecX stress() const { return box(phi.m, 1); }
  [[nodiscard]] MatX with_equations(MatX K) const {  // columns
    if (kind.time >= 0) K.col(kind.time).setZero();
    return K;
  }
};

class MeasureTest : public testing::TestWithParam<MeasureKind> {};
class TwoPointMeasureTest : public testing::TestWithParam<MeasureKind> {};
const auto name_of = [](const auto& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(All, MeasureTest, testing::ValuesIn(measure_kinds().begin(), measure_kinds().end()), name_of);
INSTANTIATE_TEST_SUITE_P(All, TwoPointMeasureTest, testing::ValuesIn(two_point_kinds()), name_of);

TEST_P(MeasureTest, JacobianIsTheDerivativeOfTheValue) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c = m.state();
    const MatX J = jacobian(m.phi, c);
    const MatX expected = difference([&](const VecX& x) { return value(m.phi, x); }, c, 1e-3 * m.length(c));
    within((J - expected).norm(), 1e-10 * J.norm());
  });
}

TEST_P(MeasureTest, CurvatureIsTheDerivativeOfTheForce) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c = m.state(), s = m.stress();
    const MatX K = curvature(m.phi, c, s);
    const MatX expected =
        difference([&](const VecX& x) { return VecX(jacobian(m.phi, x).transpose() * s); }, c, 1e-3 * m.length(c));
    within((K - expected).norm(), 1e-10 * s.norm() * jacobian(m.phi, c).norm() / m.length(c));
    within((K - K.transpose()).norm(), 1e-14 * K.norm());
  });
}

TEST_P(MeasureTest, SecantCurvatureIsTheDerivativeOfTheSecantForce) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c0 = m.state();
    // far away, or close, or the same
    const VecX c1 = *rc::gen::element(0, 1, 2) == 0 ? m.state() : near(c0, magnitude(1e-9, 1e-1) * m.length(c0));
    const VecX s = m.stress();
    const double l = std::min(m.length(c0), m.length(c1)), d = (c1 - c0).norm();
    const bool quotients = m.kind.quotients;
    if (quotients) RC_PRE(d > 2e-2 * l);
    const MatX expected = difference([&](const VecX& x) { return VecX(secant(m.phi, c0, x).transpose() * s); }, c1,
                                     quotients ? std::min(1e-3 * l, 1e-2 * d) : 1e-3 * l);
    const double size = s.norm() * std::max(jacobian(m.phi, c0).norm(), jacobian(m.phi, c1).norm()) / l;
    within(m.with_equations(secant_curvature(m.phi, c0, c1, s) - expected).norm(), (quotients ? 1e-6 : 1e-10) * size);
  });
}

TEST_P(MeasureTest, SecantIdentityHoldsToRoundOff) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c0 = m.state(), c1 = m.state(), r0 = value(m.phi, c0), r1 = value(m.phi, c1);
    const MatX J = secant(m.phi, c0, c1);
    const double size = 1 + r0.norm() + r1.norm() + J.norm() * (c0.norm() + c1.norm());
    within((J * (c1 - c0) - (r1 - r0)).norm(), 8 * epsilon * size);
  });
}

// Between states that nearly coincide the difference of values has lost its digits, so the identity is held against the
// mean of the Jacobian along the way, which has not: it must not matter how small the step is.
TEST_P(MeasureTest, SecantIdentityHoldsForTinySteps) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c0 = m.state();
    const VecX c1 = near(c0, magnitude(1e-9, 1e-2) * m.length(c0)), dc = c1 - c0;
    const MatX along = mean([&](double t) { return jacobian(m.phi, c0 + t * dc); });
    const double lost = m.kind.quotients ? 16 * epsilon * (1 + value(m.phi, c0).norm()) : 0;
    within(((secant(m.phi, c0, c1) - along) * dc).norm(), 1e-14 * along.norm() * dc.norm() + lost);
  });
}

TEST_P(MeasureTest, SecantOfNothingIsTheJacobian) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c = m.state(), s = m.stress();
    const MatX J = jacobian(m.phi, c);
    within((secant(m.phi, c, c) - J).norm(), 4 * epsilon * J.norm());
    // d J*(c0, c1)/dc1 is half the curvature there
    within(m.with_equations(secant_curvature(m.phi, c, c, s) - 0.5 * curvature(m.phi, c, s)).norm(),
           1e-14 * s.norm() * J.norm() / m.length(c));
    const VecX close = near(c, 1e-9 * m.length(c));
    const double lost = m.kind.quotients ? 16 * epsilon * (1 + value(m.phi, c).norm()) / (close - c).norm() : 0;
    within(m.with_equations(secant(m.phi, c, close) - jacobian(m.phi, 0.5 * (c + close))).norm(), 1e-14 * J.norm() + lost);
  });
}

TEST_P(MeasureTest, SecantDoesNotCareWhichEndIsFirst) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c0 = m.state();
    const VecX c1 = *rc::gen::arbitrary<bool>() ? m.state() : near(c0, magnitude(1e-9, 1e-1));
    const MatX J = secant(m.phi, c0, c1);
    within((J - secant(m.phi, c1, c0)).norm(), 16 * epsilon * J.norm());
  });
}

// Both configurations turned by the same rotation and shifted by the same vector.
TEST_P(TwoPointMeasureTest, SeesNoRigidMotion) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c0 = m.state(), c1 = m.state();
    const Mat3 Q = rotation();
    const Vec3 shift = box<3>(5);
    const auto moved = [&](const VecX& c) {
      VecX out(6);
      out << Q * c.head<3>() + shift, Q * c.tail<3>() + shift;
      return out;
    };
    const auto turned = [&](const MatX& J) {
      MatX out(1, 6);
      out << J.leftCols<3>() * Q.transpose(), J.rightCols<3>() * Q.transpose();
      return out;
    };
    // coordinates up to 30 m away carry their own rounding into the short gap between them
    const double l0 = m.length(c0), l1 = m.length(c1), lost = 60 * epsilon / std::min(l0, l1);
    const MatX J = jacobian(m.phi, c0), J_star = secant(m.phi, c0, c1);
    const VecX r0 = value(m.phi, c0);
    within((value(m.phi, moved(c0)) - r0).norm(), 8 * lost * (1 + r0.norm() + J.norm() * l0));
    within((jacobian(m.phi, moved(c0)) - turned(J)).norm(), 8 * lost * J.norm());
    const double size = std::max({J.norm(), jacobian(m.phi, c1).norm(), J_star.norm()});
    // a quotient of differences loses what the difference of the lengths does
    const double kept = m.kind.quotients ? std::abs(l1 - l0) / (l0 + l1) : 1;
    within((secant(m.phi, moved(c0), moved(c1)) - turned(J_star)).norm(), 8 * lost * size / kept);
  });
}

// p on one end, -p on the other, along r0 + r1: no work in a translation, none in a rotation of the mid configuration.
TEST_P(TwoPointMeasureTest, SecantDoesNoWorkOnRigidMotion) {
  rc::detail::checkGTest([] {
    const Drawn m(GetParam());
    const VecX c0 = m.state(), c1 = m.state();
    const VecX J = secant(m.phi, c0, c1).transpose();
    const Vec3 at_first = J.head<3>(), at_second = J.tail<3>();
    RC_ASSERT((at_first + at_second).norm() == 0);
    const Vec3 middle = 0.5 * ((c0.tail<3>() - c0.head<3>()) + (c1.tail<3>() - c1.head<3>()));
    within(middle.cross(at_second).norm(), 4 * epsilon * middle.norm() * at_second.norm());
  });
}

}  // namespace measure_measure
}  // namespace trompo
