// Every rule with every measure and every law over random steps: tangents, dissipation, and what the secant promises.
#include "trompo/system/rule.hpp"

#include "tests/measure_catalogue.hpp"
#include "tests/random_states.hpp"
#include "tests/terms.hpp"
#include "trompo/measure/bar_strain.hpp"

namespace trompo {
namespace system_rule {

using namespace property;
using Kind = Rule::Kind;

struct TermKind {
  std::string name;
  MeasureKind measure;
  const Law* law;
};
void PrintTo(const TermKind& kind, std::ostream* out) { *out << kind.name; }

// Every measure with the linear law, those written by hand of nodes and coordinates with every law.
std::vector<TermKind> term_kinds() {
  std::vector<TermKind> out;
  for (const MeasureKind& measure : measure_kinds())
    out.push_back({std::string(measure.name) + "_Linear", measure, &linear_law});
  for (const char* name :
       {"EngineeringStrain", "GreenStrain", "LogarithmicStrain", "AlmansiStrain", "Distance", "CoordinateMeasure"}) {
    out.push_back({std::string(name) + "_TensionOnly", measure_kind(name), &tension_only_law});
    out.push_back({std::string(name) + "_Weight", measure_kind(name), &weight_law});
  }
  for (const char* name : {"TypedStrain", "TypedHinge", "TypedMixture", "TypedRaw"})
    out.push_back({std::string(name) + "_Potential", measure_kind(name), &potential_law});
  return out;
}
class RuleTest : public testing::TestWithParam<TermKind> {};
INSTANTIATE_TEST_SUITE_P(All, RuleTest, testing::ValuesIn(term_kinds()), [](const auto& kind) { return kind.param.name; });

Rule any_rule() {
  return {*rc::gen::element(Kind::endpoint_average, Kind::midpoint, Kind::strain_average, Kind::secant), between(0, 1),
          between(0, 1)};
}

// A random step of a random term.
struct Step {
  static constexpr double k = 100;

  const TermKind& kind;
  DrawnMeasure m = kind.measure.draw();
  const MeasureView& phi = m.view;
  Term term{phi, *kind.law, k};
  VecX c0 = kind.measure.state(m);
  VecX c1 = *rc::gen::arbitrary<bool>() ? kind.measure.state(m) : near(c0, magnitude(1e-6, 1e-1));
  VecX r0 = value(phi, c0), r1 = value(phi, c1);
  explicit Step(const TermKind& of) : kind(of) {}

  [[nodiscard]] VecX middle(const Rule& rule) const { return (1 - rule.old_weight) * c1 + rule.old_weight * c0; }
  [[nodiscard]] VecX mean_strain(const Rule& rule) const {
    return (1 - rule.old_weight + rule.xi) * r1 + (rule.old_weight - rule.xi) * r0;
  }
  [[nodiscard]] double length(const VecX& c) const { return kind.measure.length(m, c); }
  [[nodiscard]] double slope(const VecX& c) const { return jacobian(phi, c).norm(); }
  // A bar that has been turned inside out by the mean of its ends has no direction; no step of a run goes there.
  [[nodiscard]] bool regular(const Rule& rule) const { return length(middle(rule)) > 0.2 * std::min(length(c0), length(c1)); }
  // A cable's corner is no place for finite differences.
  [[nodiscard]] bool far_from_corner(const Rule& rule) const {
    if (kind.law != &tension_only_law) return true;
    for (const double r : {r0[0], r1[0], value(phi, middle(rule))[0], mean_strain(rule)[0]})
      if (std::abs(r) < 2e-2) return false;
    return true;
  }
};

TEST_P(RuleTest, TangentIsTheDerivativeOfTheForce) {
  rc::detail::checkGTest([] {
    const Rule rule = any_rule();
    const Step s(GetParam());
    RC_PRE(s.regular(rule) && s.far_from_corner(rule));
    const double bend = std::min({s.length(s.c0), s.length(s.c1), s.length(s.middle(rule))});
    const double d = (s.c1 - s.c0).norm();
    const bool quotients = s.kind.measure.quotients && rule.kind == Kind::secant;
    if (quotients) RC_PRE(d > 2e-2 * bend);
    const MatX tangent = tangent_between(rule, s.term, s.c0, s.c1);
    const MatX expected = difference([&](const VecX& c) { return force_between(rule, s.term, s.c0, c); }, s.c1,
                                     quotients ? std::min(1e-3 * bend, 1e-2 * d) : 1e-3 * bend);
    const double J = std::max({s.slope(s.c0), s.slope(s.c1), s.slope(s.middle(rule))});
    MatX error = tangent - expected;
    if (s.kind.measure.time >= 0 && rule.kind == Kind::secant) error.col(s.kind.measure.time).setZero();
    within(error.norm(), (quotients ? 1e-6 : 1e-8) * (s.k * J * J + tangent.norm()));
  });
}

// The force of the step, written out once more from the definition.
VecX whole_force(const Rule& rule, const Step& s) {
  const double w = rule.old_weight;
  const auto at = [&](const VecX& c) { return VecX(jacobian(s.phi, c).transpose() * s.term.stress(value(s.phi, c))); };
  switch (rule.kind) {
    case Kind::endpoint_average: return (1 - w) * at(s.c1) + w * at(s.c0);
    case Kind::midpoint: return at(s.middle(rule));
    case Kind::strain_average: return jacobian(s.phi, s.middle(rule)).transpose() * s.term.stress(s.mean_strain(rule));
    case Kind::secant:
      return secant(s.phi, s.c0, s.c1).transpose() *
             (s.term.secant_stress(s.r0, s.r1) + rule.xi * (s.term.stress(s.r1) - s.term.stress(s.r0)));
    default: break;  // energy_rules_test.cpp
  }
  return {};
}

TEST_P(RuleTest, DissipationIsWorkLessChangeOfEnergy) {
  rc::detail::checkGTest([] {
    const Rule rule = any_rule();
    const Step s(GetParam());
    RC_PRE(s.regular(rule));
    const VecX force = whole_force(rule, s), dc = s.c1 - s.c0;
    const double W0 = energy(s.term, s.c0), W1 = energy(s.term, s.c1);
    RC_ASSERT(W0 == s.term.energy_of(s.r0));
    RC_ASSERT(W1 == s.term.energy_of(s.r1));
    const double J = std::max({s.slope(s.c0), s.slope(s.c1), s.slope(s.middle(rule))});
    const double stress = s.k * (1 + s.r0.norm() + s.r1.norm());
    // coordinates round, so strains do
    const double size = std::abs(W0) + std::abs(W1) + stress * (1 + J * (s.c0.norm() + s.c1.norm()));
    within(std::abs(dissipation_between(rule, s.term, s.c0, s.c1) - (force.dot(dc) - (W1 - W0))), 16 * epsilon * size);
    // force_between leaves out what endpoint_average keeps in memory
    VecX part = force_between(rule, s.term, s.c0, s.c1);
    if (rule.kind == Kind::endpoint_average) part += rule.old_weight * force_at(s.term, s.c0);
    within((part - force).norm(), 16 * epsilon * stress * J);
  });
}

// Whether the tangent is wanted makes no difference to the force.
TEST_P(RuleTest, ForceComesAlongWithItsTangent) {
  rc::detail::checkGTest([] {
    const Step s(GetParam());
    for (const Kind kind : {Kind::endpoint_average, Kind::midpoint, Kind::strain_average, Kind::secant, Kind::quartic,
                            Kind::geometric, Kind::gonzalez, Kind::mean_value, Kind::itoh_abe}) {
      const Rule rule{.kind = kind, .old_weight = 0.4, .xi = 0.1, .damping = 0.1};
      TightRoom room(s.phi);
      VecX force = unset(s.phi.n), tangent = unset(s.phi.n * s.phi.n);
      step_force(rule, s.term.elastic(), s.c0.data(), s.c1.data(), force.data(), tangent.data(), room.scratch());
      within((force - force_between(rule, s.term, s.c0, s.c1)).norm(), 4 * epsilon * force.norm());
      RC_ASSERT(tangent.allFinite());
    }
  });
}

TEST_P(RuleTest, SecantDoesTheWorkOfTheEnergyAndOfXi) {
  rc::detail::checkGTest([] {
    const Rule rule{Kind::secant, 0.5, *rc::gen::arbitrary<bool>() ? 0.0 : between(0, 1)};
    const Step s(GetParam());
    const double W0 = energy(s.term, s.c0), W1 = energy(s.term, s.c1);
    const double lost = rule.xi * (s.term.stress(s.r1) - s.term.stress(s.r0)).dot(s.r1 - s.r0);
    const double work = force_between(rule, s.term, s.c0, s.c1).dot(s.c1 - s.c0);
    const double J = std::max(s.slope(s.c0), s.slope(s.c1));
    const double size =
        std::abs(W0) + std::abs(W1) + s.k * (1 + s.r0.norm() + s.r1.norm()) * (1 + J * (s.c0.norm() + s.c1.norm()));
    within(std::abs(work - (W1 - W0) - lost), 16 * epsilon * size);
    within(std::abs(dissipation_between(rule, s.term, s.c0, s.c1) - lost), 4 * epsilon * std::abs(lost));
    if (s.kind.law != &weight_law) RC_ASSERT(lost >= 0);  // convex laws lose, never gain
  });
}

// --- section 3 of docs/theory.md: a bar of the elastic pendulum, any two ends of a step ---

struct PendulumStep {
  static constexpr double L = 3.0443, EA = 1e4;
  VecX c0 = VecX::Zero(6), c1 = VecX::Zero(6);
  double turn = between(-1, 1);
  EngineeringStrain engineering{L};
  GreenStrain green{L};
  Term bar{view(engineering), linear_law, EA*L}, green_bar{view(green), linear_law, EA*L};
  PendulumStep() {
    const Vec3 e0 = direction();
    c0.tail<3>() = L * between(0.95, 1.06) * e0;
    c1.tail<3>() = L * between(0.95, 1.06) * (Eigen::AngleAxisd(turn, e0.unitOrthogonal()) * e0);
  }
  PendulumStep(const PendulumStep&) = delete;
  PendulumStep& operator=(const PendulumStep&) = delete;
  [[nodiscard]] Vec3 r0() const { return c0.tail<3>(); }
  [[nodiscard]] Vec3 r1() const { return c1.tail<3>(); }
  // of a step without loads: E1 - E0 = -dissipation
  [[nodiscard]] double change_of_energy(const Rule& rule, const Term& term) const {
    return -dissipation_between(rule, term, c0, c1);
  }
};

TEST(EnergyMomentumAsPublished, LosesByItsFormula) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    const double l0 = s.r0().norm(), l1 = s.r1().norm();
    const double U0 = 0.5 * s.EA / s.L * (l0 - s.L) * (l0 - s.L), U1 = 0.5 * s.EA / s.L * (l1 - s.L) * (l1 - s.L);
    const double bracket = (l1 + l0) / (s.r1() + s.r0()).norm() - 1;
    const double half = std::sin(0.5 * s.turn);
    within(std::abs(bracket - (1 / std::sqrt(1 - 4 * l1 * l0 / ((l1 + l0) * (l1 + l0)) * half * half) - 1)), 1e-14);
    within(std::abs(s.change_of_energy({Kind::strain_average, 0.5, 0}, s.bar) + (U1 - U0) * bracket), 1e-11);
  });
}

TEST(EnergyMomentumAsPublished, IsExactForGreenStrain) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    within(std::abs(s.change_of_energy({Kind::strain_average, 0.5, 0}, s.green_bar)), 1e-11);
  });
}

TEST(EnergyMomentumExact, LosesExactlyXi) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    const double xi = between(0, 0.5);
    const double e0 = value(s.bar.measure, s.c0)[0], e1 = value(s.bar.measure, s.c1)[0];
    const Rule rule{Kind::secant, 0.5, xi};
    const double work = force_between(rule, s.bar, s.c0, s.c1).dot(s.c1 - s.c0);
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
    const MatX tangent = tangent_between({Kind::secant, 0.5, xi}, s.bar, s.c0, s.c1);
    within((tangent.bottomRightCorner<3, 3>() - expected).norm(), 1e-13 * s.EA / s.L);
    within((tangent.topRightCorner<3, 3>() + expected).norm(), 1e-13 * s.EA / s.L);
  });
}

// The printed tangent of the paper is the transpose of the right one in its material part: wrong, and not by rounding.
TEST(TransposedTangent, IsNotTheDerivative) {
  rc::detail::checkGTest([] {
    const PendulumStep s;
    RC_PRE(std::abs(s.turn) > 0.1);
    const Rule right{.kind = Kind::strain_average, .old_weight = 0.5};
    const Rule printed{.kind = Kind::strain_average, .old_weight = 0.5, .transposed_tangent = true};
    const MatX tangent = tangent_between(right, s.bar, s.c0, s.c1);
    RC_ASSERT((tangent_between(printed, s.bar, s.c0, s.c1) - tangent).norm() > 1e-2 * std::abs(s.turn) * tangent.norm());
    RC_ASSERT(force_between(printed, s.bar, s.c0, s.c1) == force_between(right, s.bar, s.c0, s.c1));
  });
}

// One secant step between states that coincide is the law at that state: rules meet where nothing moves.
TEST_P(RuleTest, RulesAgreeWhereNothingMoves) {
  rc::detail::checkGTest([] {
    const Step s(GetParam());
    const double w = between(0, 1);
    const VecX expected = jacobian(s.phi, s.c0).transpose() * s.term.stress(s.r0);
    const double size = s.k * s.slope(s.c0) * (1 + s.r0.norm());
    for (const Kind kind : {Kind::midpoint, Kind::strain_average, Kind::secant})
      within((force_between({kind, w, between(0, 1)}, s.term, s.c0, s.c0) - expected).norm(), 64 * epsilon * size);
    within((force_between({Kind::endpoint_average, w, 0}, s.term, s.c0, s.c0) - (1 - w) * expected).norm(),
           16 * epsilon * size);
  });
}

}  // namespace system_rule
}  // namespace trompo
