// Every rule with every measure and every law over random steps: tangents, dissipation, and what the secant promises.
#include "trompo/system/rule.hpp"
#include "tests/random_states.hpp"
#include "tests/typed_measures.hpp"
#include "trompo/law/linear.hpp"
#include "trompo/law/tension_only.hpp"
#include "trompo/law/weight.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/measure/coordinate.hpp"
#include "trompo/measure/distance.hpp"

namespace trompo {
namespace {

using namespace property;
using Kind = Rule::Kind;

template <class M, class L>
struct Term {
  using Measure = M;
  using Law = L;
};
template <class T>
class RuleTest : public testing::Test {};
using Terms =
    testing::Types<Term<EngineeringStrain, LinearLaw>, Term<EngineeringStrain, TensionOnlyLaw>,
                   Term<EngineeringStrain, WeightLaw>, Term<GreenStrain, LinearLaw>, Term<GreenStrain, TensionOnlyLaw>,
                   Term<GreenStrain, WeightLaw>, Term<LogarithmicStrain, LinearLaw>, Term<LogarithmicStrain, TensionOnlyLaw>,
                   Term<LogarithmicStrain, WeightLaw>, Term<Distance, LinearLaw>, Term<Distance, TensionOnlyLaw>,
                   Term<Distance, WeightLaw>, Term<CoordinateMeasure, LinearLaw>, Term<CoordinateMeasure, TensionOnlyLaw>,
                   Term<CoordinateMeasure, WeightLaw>, Term<TypedStrain, LinearLaw>, Term<TypedHinge, LinearLaw>,
                   Term<TypedMixture, LinearLaw>, Term<TypedRaw, LinearLaw>>;
TYPED_TEST_SUITE(RuleTest, Terms);

Rule any_rule() {
  return {*rc::gen::element(Kind::endpoint_average, Kind::midpoint, Kind::strain_average, Kind::secant), between(0, 1),
          between(0, 1)};
}

// A random step of a random term.
template <class T>
struct Step {
  using M = typename T::Measure;
  using L = typename T::Law;
  using C = Vec<M::coordinates>;
  using R = Vec<1>;
  static constexpr double k = 100;

  M phi = Draw<M>::measure();
  L law = L(k);
  C c0 = Draw<M>::state(phi);
  C c1 = *rc::gen::arbitrary<bool>() ? Draw<M>::state(phi) : Draw<M>::near(c0, magnitude(1e-6, 1e-1));
  R r0 = phi.value(c0), r1 = phi.value(c1);

  [[nodiscard]] C middle(const Rule& rule) const { return (1 - rule.old_weight) * c1 + rule.old_weight * c0; }
  [[nodiscard]] R mean_strain(const Rule& rule) const {
    return (1 - rule.old_weight + rule.xi) * r1 + (rule.old_weight - rule.xi) * r0;
  }
  static double length(const C& c) {
    if constexpr (M::coordinates == 6)
      return TwoPoints::gap(c).norm();
    else
      return 1;
  }
  // A bar that has been turned inside out by the mean of its ends has no direction; no step of a run goes there.
  [[nodiscard]] bool regular(const Rule& rule) const { return length(middle(rule)) > 0.2 * std::min(length(c0), length(c1)); }
  // A cable's corner is no place for finite differences.
  [[nodiscard]] bool far_from_corner(const Rule& rule) const {
    if (!std::is_same_v<L, TensionOnlyLaw>) return true;
    for (const double r : {r0[0], r1[0], phi.value(middle(rule))[0], mean_strain(rule)[0]})
      if (std::abs(r) < 2e-2) return false;
    return true;
  }
  [[nodiscard]] C force_at(const C& c) const { return phi.jacobian(c).transpose() * law.stress(phi.value(c)); }
};

TYPED_TEST(RuleTest, TangentIsTheDerivativeOfTheForce) {
  rc::detail::checkGTest([] {
    const Rule rule = any_rule();
    const Step<TypeParam> s;
    RC_PRE(s.regular(rule) && s.far_from_corner(rule));
    constexpr int n = Step<TypeParam>::M::coordinates;
    const double bend = std::min({s.length(s.c0), s.length(s.c1), s.length(s.middle(rule))});
    const double d = (s.c1 - s.c0).norm();
    const bool quotients = has_quotients<typename TypeParam::Measure> && rule.kind == Kind::secant;
    if (quotients) RC_PRE(d > 2e-2 * bend);
    const auto tangent = tangent_between(rule, s.phi, s.law, s.c0, s.c1);
    const auto expected = difference<n>([&](const auto& c) { return Vec<n>(force_between(rule, s.phi, s.law, s.c0, c)); }, s.c1,
                                        quotients ? std::min(1e-3 * bend, 1e-2 * d) : 1e-3 * bend);
    const double J =
        std::max({s.phi.jacobian(s.c0).norm(), s.phi.jacobian(s.c1).norm(), s.phi.jacobian(s.middle(rule)).norm()});
    within((tangent - expected).norm(), (quotients ? 1e-6 : 1e-8) * (s.k * J * J + tangent.norm()));
  });
}

// The force of the step, written out once more from the definition.
template <class T>
typename Step<T>::C whole_force(const Rule& rule, const Step<T>& s) {
  const double w = rule.old_weight;
  switch (rule.kind) {
    case Kind::endpoint_average: return (1 - w) * s.force_at(s.c1) + w * s.force_at(s.c0);
    case Kind::midpoint: return s.force_at(s.middle(rule));
    case Kind::strain_average: return s.phi.jacobian(s.middle(rule)).transpose() * s.law.stress(s.mean_strain(rule));
    case Kind::secant:
      return s.phi.secant(s.c0, s.c1).transpose() *
             (s.law.secant_stress(s.r0, s.r1) + rule.xi * (s.law.stress(s.r1) - s.law.stress(s.r0)));
    default: break;  // energy_rules_test.cpp
  }
  return {};
}

TYPED_TEST(RuleTest, DissipationIsWorkLessChangeOfEnergy) {
  rc::detail::checkGTest([] {
    const Rule rule = any_rule();
    const Step<TypeParam> s;
    RC_PRE(s.regular(rule));
    const auto force = whole_force(rule, s);
    const auto dc = (s.c1 - s.c0).eval();
    const double W0 = s.law.energy(s.r0), W1 = s.law.energy(s.r1);
    const double J =
        std::max({s.phi.jacobian(s.c0).norm(), s.phi.jacobian(s.c1).norm(), s.phi.jacobian(s.middle(rule)).norm()});
    const double stress = s.k * (1 + std::abs(s.r0[0]) + std::abs(s.r1[0]));
    const double size = W0 + W1 + stress * (1 + J * (s.c0.norm() + s.c1.norm()));  // coordinates round, so strains do
    within(std::abs(dissipation_between(rule, s.phi, s.law, s.c0, s.c1) - (force.dot(dc) - (W1 - W0))), 16 * epsilon * size);
    // force_between leaves out what endpoint_average keeps in memory
    auto part = force_between(rule, s.phi, s.law, s.c0, s.c1);
    if (rule.kind == Kind::endpoint_average) part += rule.old_weight * s.force_at(s.c0);
    within((part - force).norm(), 16 * epsilon * stress * J);
  });
}

TYPED_TEST(RuleTest, SecantDoesTheWorkOfTheEnergyAndOfXi) {
  rc::detail::checkGTest([] {
    const Rule rule{Kind::secant, 0.5, *rc::gen::arbitrary<bool>() ? 0.0 : between(0, 1)};
    const Step<TypeParam> s;
    const double W0 = s.law.energy(s.r0), W1 = s.law.energy(s.r1);
    const double lost = rule.xi * (s.law.stress(s.r1) - s.law.stress(s.r0)).dot(s.r1 - s.r0);
    const double work = force_between(rule, s.phi, s.law, s.c0, s.c1).dot(s.c1 - s.c0);
    const double J = std::max(s.phi.jacobian(s.c0).norm(), s.phi.jacobian(s.c1).norm());
    const double size = W0 + W1 + s.k * (1 + std::abs(s.r0[0]) + std::abs(s.r1[0])) * (1 + J * (s.c0.norm() + s.c1.norm()));
    within(std::abs(work - (W1 - W0) - lost), 16 * epsilon * size);
    within(std::abs(dissipation_between(rule, s.phi, s.law, s.c0, s.c1) - lost), 4 * epsilon * std::abs(lost));
    if (!std::is_same_v<typename TypeParam::Law, WeightLaw>) RC_ASSERT(lost >= 0);  // convex laws lose, never gain
  });
}

// --- section 3 of docs/theory.md: a bar of the elastic pendulum, any two ends of a step ---

struct PendulumStep {
  static constexpr double L = 3.0443, EA = 1e4;
  Vec<6> c0 = Vec<6>::Zero(), c1 = Vec<6>::Zero();
  double turn = between(-1, 1);
  PendulumStep() {
    const Vec3 e0 = direction();
    c0.tail<3>() = L * between(0.95, 1.06) * e0;
    c1.tail<3>() = L * between(0.95, 1.06) * (Eigen::AngleAxisd(turn, e0.unitOrthogonal()) * e0);
  }
  [[nodiscard]] Vec3 r0() const { return c0.tail<3>(); }
  [[nodiscard]] Vec3 r1() const { return c1.tail<3>(); }
};

template <class Strain>
double change_of_energy(const PendulumStep& s, const Rule& rule) {  // of a step without loads: E1 - E0 = -dissipation
  return -dissipation_between(rule, Strain(s.L), LinearLaw(s.EA * s.L), s.c0, s.c1);
}

TEST(EnergyMomentumAsPublished, LosesByItsFormula) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    const double l0 = s.r0().norm(), l1 = s.r1().norm();
    const double U0 = 0.5 * s.EA / s.L * (l0 - s.L) * (l0 - s.L), U1 = 0.5 * s.EA / s.L * (l1 - s.L) * (l1 - s.L);
    const double bracket = (l1 + l0) / (s.r1() + s.r0()).norm() - 1;
    const double half = std::sin(0.5 * s.turn);
    within(std::abs(bracket - (1 / std::sqrt(1 - 4 * l1 * l0 / ((l1 + l0) * (l1 + l0)) * half * half) - 1)), 1e-14);
    within(std::abs(change_of_energy<EngineeringStrain>(s, {Kind::strain_average, 0.5, 0}) + (U1 - U0) * bracket), 1e-11);
  });
}

TEST(EnergyMomentumAsPublished, IsExactForGreenStrain) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    within(std::abs(change_of_energy<GreenStrain>(s, {Kind::strain_average, 0.5, 0})), 1e-11);
  });
}

TEST(EnergyMomentumExact, LosesExactlyXi) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    const double xi = between(0, 0.5);
    const EngineeringStrain strain(s.L);
    const LinearLaw law(s.EA * s.L);
    const double e0 = strain.value(s.c0)[0], e1 = strain.value(s.c1)[0];
    const Rule rule{Kind::secant, 0.5, xi};
    const double work = force_between(rule, strain, law, s.c0, s.c1).dot(s.c1 - s.c0);
    within(std::abs(work - 0.5 * s.EA * s.L * (e1 * e1 - e0 * e0) - xi * s.EA * s.L * (e1 - e0) * (e1 - e0)), 1e-11);
  });
}

// The tangent written out by hand: s1 EA/L d(x)e1 + N/(l1+l0) (I - d(x)e1), d = (r0+r1)/(l0+l1), s1 = 1/2 + xi.
TEST(EnergyMomentumExact, HasItsTangentInClosedForm) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    const double xi = between(0, 0.5);
    const double l0 = s.r0().norm(), l1 = s.r1().norm(), e0 = l0 / s.L - 1, e1 = l1 / s.L - 1;
    const Vec3 d = (s.r0() + s.r1()) / (l0 + l1), n1 = s.r1() / l1;
    const double N = s.EA * (0.5 * (e0 + e1) + xi * (e1 - e0));
    const Mat3 expected =
        (0.5 + xi) * s.EA / s.L * d * n1.transpose() + N / (l0 + l1) * (Mat3::Identity() - d * n1.transpose());
    const auto tangent = tangent_between({Kind::secant, 0.5, xi}, EngineeringStrain(s.L), LinearLaw(s.EA * s.L), s.c0, s.c1);
    within((tangent.bottomRightCorner<3, 3>() - expected).norm(), 1e-13 * s.EA / s.L);
    within((tangent.topRightCorner<3, 3>() + expected).norm(), 1e-13 * s.EA / s.L);
  });
}

// The printed tangent of the paper is the transpose of the right one in its material part: wrong, and not by rounding.
TEST(TransposedTangent, IsNotTheDerivative) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    RC_PRE(std::abs(s.turn) > 0.1);
    const EngineeringStrain strain(s.L);
    const LinearLaw law(s.EA * s.L);
    const Rule right{.kind = Kind::strain_average, .old_weight = 0.5};
    const Rule printed{.kind = Kind::strain_average, .old_weight = 0.5, .transposed_tangent = true};
    const auto tangent = tangent_between(right, strain, law, s.c0, s.c1);
    RC_ASSERT((tangent_between(printed, strain, law, s.c0, s.c1) - tangent).norm() > 1e-2 * std::abs(s.turn) * tangent.norm());
    RC_ASSERT(force_between(printed, strain, law, s.c0, s.c1) == force_between(right, strain, law, s.c0, s.c1));
  });
}

// One secant step between states that coincide is the law at that state: rules meet where nothing moves.
TYPED_TEST(RuleTest, RulesAgreeWhereNothingMoves) {
  rc::detail::checkGTest([] {
    const Step<TypeParam> s;
    const double w = between(0, 1);
    const auto expected = s.force_at(s.c0);
    const double size = s.k * s.phi.jacobian(s.c0).norm() * (1 + std::abs(s.r0[0]));
    for (const Kind kind : {Kind::midpoint, Kind::strain_average, Kind::secant})
      within((force_between({kind, w, between(0, 1)}, s.phi, s.law, s.c0, s.c0) - expected).norm(), 64 * epsilon * size);
    within((force_between({Kind::endpoint_average, w, 0}, s.phi, s.law, s.c0, s.c0) - (1 - w) * expected).norm(),
           16 * epsilon * size);
  });
}

}  // namespace
}  // namespace trompo
