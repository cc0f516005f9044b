// Formulas of any number of coordinates and invariants: derivatives, energy, momenta.
#include <gtest/gtest.h>

#include "tests/random_states.hpp"
#include "tests/terms.hpp"
#include "tests/wide_formulas.hpp"
#include "trompo/measure/composed_measure.hpp"
#include "trompo/measure/formula_measure.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace system_wide_formula {

using namespace property;

std::vector<std::string> coordinate_names() {
  std::vector<std::string> names;
  for (int i = 0; i < 10; ++i)
    for (const char axis : {'x', 'y', 'z'}) names.push_back(fmt::format("n{}.{}", i, axis));
  return names;
}
FormulaMeasure measure_of(const std::string& text) {
  const std::vector<std::string> names = coordinate_names();
  const std::vector<std::string_view> views(names.begin(), names.end());
  return {std::make_shared<const Formula>(text, views), static_cast<int>(names.size())};
}

TEST(WideFormula, HasItsDerivatives) {
  for (const std::string& text : {wide::potential(), wide::constraint()}) {
    const FormulaMeasure measure = measure_of(text);
    const MeasureView phi = view(measure);
    ASSERT_EQ(phi.n, 30);
    const VecX one = VecX::Ones(1);
    std::srand(2);
    for (int trial = 0; trial < 5; ++trial) {
      const VecX c0 = VecX::Random(30), c1 = c0 + 0.2 * VecX::Random(30);
      const MatX J = jacobian(phi, c0), K = curvature(phi, c0, one), Ks = secant_curvature(phi, c0, c1, one);
      EXPECT_GT(K.colwise().norm().minCoeff(), 0.1);  // each of them takes part
      EXPECT_LE((J - difference([&](const VecX& x) { return value(phi, x); }, c0, 1e-3)).norm(), 1e-9 * J.norm());
      EXPECT_LE((K - difference([&](const VecX& x) { return VecX(jacobian(phi, x).transpose()); }, c0, 1e-3)).norm(),
                1e-9 * K.norm());
      EXPECT_EQ(K, K.transpose());
      EXPECT_LE((Ks - difference([&](const VecX& x) { return VecX(secant(phi, c0, x).transpose()); }, c1, 1e-3)).norm(),
                1e-8 * Ks.norm());
      const double change = (value(phi, c1) - value(phi, c0))[0];
      EXPECT_NEAR(secant(phi, c0, c1).row(0).dot(c1 - c0), change, 1e-13 * (1 + value(phi, c0).norm()));
    }
  }
}

TEST(WideFormula, AsATermHasItsTangentByEveryRule) {
  const FormulaMeasure measure = measure_of(wide::potential());
  const Term term(view(measure), potential_law, 1);
  using Kind = Rule::Kind;
  std::srand(3);
  const VecX c0 = VecX::Random(30), c1 = c0 + 0.2 * VecX::Random(30);
  for (const Kind kind : {Kind::endpoint_average, Kind::midpoint, Kind::strain_average, Kind::secant, Kind::quartic,
                          Kind::gonzalez, Kind::mean_value, Kind::itoh_abe}) {
    const Rule rule{.kind = kind, .old_weight = 0.5, .points = 3};
    const MatX K = tangent_between(rule, term, c0, c1);
    const MatX expected = difference([&](const VecX& x) { return force_between(rule, term, c0, x); }, c1, 1e-3);
    EXPECT_LE((K - expected).norm(), 1e-7 * (1 + K.norm())) << static_cast<int>(kind);
    if (rule.takes_nothing()) {
      EXPECT_NEAR(force_between(rule, term, c0, c1).dot(c1 - c0), energy(term, c1) - energy(term, c0), 1e-12);
    }
  }
}

// In a model: a potential and a constraint of thirty coordinates, and the energy stays what it was.
TEST(WideFormula, KeepsItsEnergyAsPotentialAndConstraint) {
  for (const bool constraint : {false, true}) {
    const RunResult result = run(parse_model(wide::model({.constraint = constraint}), "wide"));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_GT(result.kinetic.max - result.kinetic.min, 0.1);
    const double drift = std::max(result.total.max - result.total.initial, result.total.initial - result.total.min);
    EXPECT_LE(drift, 1e-12 * result.ledger.scale());
    EXPECT_LE(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
    EXPECT_LE(result.constraint_error_max, 1e-12);
    EXPECT_LE(result.iterations_max, 6);
  }
}

// Too wide for the stack: its memory comes from elsewhere, and nothing else changes.
TEST(WideFormula, OfNinetyCoordinatesKeepsItsEnergyToo) {
  const FormulaMeasure measure(std::make_shared<const Formula>("0*t", std::vector<std::string_view>{"t"}), 90);
  ASSERT_GT(rule_scratch(view(measure)), 32768U);  // what ScratchRoom has
  const std::string steps[] = {"time.steps=30"};
  const RunResult result = run(parse_model(wide::model({.nodes = 30, .load = false}), "wide", steps));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LE(std::abs(result.total.final - result.total.initial), 1e-12 * result.ledger.scale());
  EXPECT_LE(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
  EXPECT_LE(result.constraint_error_max, 1e-12);
}

// As a load its work is counted, and its tangent is right: Newton is quadratic.
TEST(WideFormula, DoesItsWorkAsALoad) {
  for (const char* scheme : {"energy-momentum-exact", "generalized-alpha", "krenk", "midpoint", "discrete-gradient"}) {
    SCOPED_TRACE(scheme);
    const RunResult result = run(parse_model(wide::model({.load = true}, scheme), "wide"));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_GT(std::abs(result.ledger.load_work()), 1e-3 * result.ledger.scale());
    EXPECT_LE(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
    EXPECT_LE(result.iterations_max, 6);
  }
}

// Five nodes and seven invariants, all in one energy: neither energy nor momenta are lost.
TEST(ManyInvariants, KeepEnergyAndMomenta) {
  std::string text;
  for (int i = 0; i < 5; ++i)
    text += fmt::format("[[node]]\nname = \"n{0}\"\nposition = [{0}, {1}, {2}]\nvelocity = [{2}, {0}, {1}]\nmass = {3}\n", i,
                        0.5 * (i % 2), 0.3 * (i % 3), 1 + 0.2 * i);
  const auto invariant = [&](const std::string& name, int a, int b, int c, int d) {
    text += fmt::format("[[invariant]]\nname = \"{}\"\nformula = \"", name);
    for (const char x : {'x', 'y', 'z'})
      text += fmt::format("{5}(n{1}.{0}-n{2}.{0})*(n{3}.{0}-n{4}.{0})", x, a, b, c, d, x == 'x' ? "" : " + ");
    text += "\"\n";
  };
  for (int i = 0; i < 4; ++i) invariant(fmt::format("s{}", i), i, i + 1, i, i + 1);
  for (int i = 0; i < 3; ++i) invariant(fmt::format("p{}", i), i, i + 1, i + 1, i + 2);
  text +=
      "[[potential]]\nname = \"all\"\npotential = \"20*((sqrt(s0)-1)^2 + (sqrt(s1)-1)^2 + (sqrt(s2)-1.2)^2 + (s3-1)^2) + "
      "exp(0.1*p0*p1) + cos(p1 - p2)*s1\"\n"
      "[time]\nstep = 0.01\nsteps = 500\nscheme = \"energy-momentum-exact\"\n";
  const RunResult result = run(parse_model(text, "invariants"));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_GT(result.kinetic.max - result.kinetic.min, 0.1);
  EXPECT_LE(std::abs(result.total.final - result.total.initial), 1e-12 * result.ledger.scale());
  EXPECT_LE(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
  EXPECT_LE(result.linear_drift, 1e-12 * result.linear_scale);
  EXPECT_LE(result.angular_drift, 1e-12 * result.angular_scale);
  EXPECT_LE(result.iterations_max, 6);
}

}  // namespace system_wide_formula
}  // namespace trompo
