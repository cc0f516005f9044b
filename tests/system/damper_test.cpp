// Dampers: their tangents, their heat, and an energy balance that closes with damping and load in every row.
#include <gtest/gtest.h>

#include "tests/random_states.hpp"
#include "tests/typed_measures.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/system/viscous_terms.hpp"

namespace trompo {
namespace system_damper {

using property::between;
using property::within;

// A damper between two points, all coordinates free, as the assembly sees it.
struct One {
  ViscousTerms terms;
  Pattern pattern{6, {}};
  std::vector<int> indices;
  template <class M>
  One(const M& measure, double viscosity, Stress stress = viscous_stress) : terms(Terms(measure, where()), stress) {
    terms.add(measure, where(), viscosity);
    terms.terms().connect({{0, 1, 2, 3, 4, 5}, std::vector<char>(6, 0)}, pattern, indices);
  }
  static Where where() { return Where::at({0, 1, 2, 3, 4, 5}); }
  VecX force(const Rule& rule, const Motion& motion, Eigen::MatrixXd* tangent = nullptr) const {
    Assembly out;
    out.force = out.size = VecX::Zero(6);
    if (tangent != nullptr) {
      tangent->setZero(6, 6);
      out.tangent = tangent->data();
      out.indices = indices.data();
    }
    terms.between(rule, motion, out);
    return out.force;
  }
};

void tangent_is_the_derivative(const One& one) {
  VecX q0 = property::box<6>(1), v0 = property::box<6>(2), rest = property::box<6>(1);
  q0.tail<3>() += Vec3(0, 3, 1);
  VecX q1 = q0 + property::box<6>(0.3);
  const double h = between(0.01, 0.5), slope = 2 / h;
  for (const auto tense : {Rule::Tense::ends, Rule::Tense::interval})
    for (const auto kind : {Rule::Kind::endpoint_average, Rule::Kind::midpoint}) {
      Rule rule{kind, 0.3};
      rule.tense = tense;
      const auto at = [&](const VecX& q, Eigen::MatrixXd* k) {
        const VecX v1 = slope * (q - q0) + rest;
        return one.force(rule, {q0, q, v0, v1, h, slope}, k);
      };
      Eigen::MatrixXd k(6, 6);
      (void)at(q1, &k);
      for (int j = 0; j < 6; ++j) {
        const double d = 1e-6;
        VecX up = q1, down = q1;
        up[j] += d;
        down[j] -= d;
        const VecX numeric = (at(up, nullptr) - at(down, nullptr)) / (2 * d);
        within((numeric - k.col(j)).norm(), 1e-6 * (1 + k.norm()));
      }
    }
}

RC_GTEST_PROP(DamperProperty, TangentIsTheDerivative, ()) {
  tangent_is_the_derivative({EngineeringStrain(between(1, 4)), between(0.1, 3)});
  tangent_is_the_derivative({GreenStrain(between(1, 4)), between(0.1, 3)});
  tangent_is_the_derivative({Elongation(between(0, 4)), between(0.1, 3)});
  tangent_is_the_derivative({property::typed_strain(between(1, 4)), between(0.1, 3)});
}

// s = p (1 + r^2) r' + r'^3/10: slopes in the strain and in its rate, neither of them constant.
void fluid_stress(const double* p, int m, const Strain& at, double* s, double* of_strain, double* of_rate) {
  for (int a = 0; a < m; ++a) {
    const double r = at.r[a], rate = at.rate[a];
    s[a] = p[a] * (1 + r * r) * rate + 0.1 * rate * rate * rate;
    if (of_strain != nullptr) of_strain[a] = 2 * p[a] * r * rate;
    if (of_rate != nullptr) of_rate[a] = p[a] * (1 + r * r) + 0.3 * rate * rate;
  }
}

RC_GTEST_PROP(DamperProperty, TangentOfAnyStressIsTheDerivative, ()) {
  tangent_is_the_derivative({EngineeringStrain(between(1, 4)), between(0.1, 3), fluid_stress});
  tangent_is_the_derivative({GreenStrain(between(1, 4)), between(0.1, 3), fluid_stress});
  tangent_is_the_derivative({property::typed_strain(between(1, 4)), between(0.1, 3), fluid_stress});
}

// Terms of one kind have one stress.
TEST(DamperTest, KindsAreToldApartByTheirStress) {
  const One plain(Elongation(1), 2), fluid(Elongation(1), 2, fluid_stress);
  EXPECT_TRUE(plain.terms.fits());
  EXPECT_FALSE(plain.terms.fits(fluid_stress));
  EXPECT_TRUE(fluid.terms.fits(fluid_stress));
  EXPECT_FALSE(fluid.terms.fits());
}

// In the interval the work of the step is the heat, and a rigid motion makes none.
RC_GTEST_PROP(DamperProperty, WorkOfTheIntervalIsHeatAndRigidMotionMakesNone, ()) {
  const One one(Elongation(1), between(0.1, 3));
  Rule rule;
  rule.tense = Rule::Tense::interval;
  const VecX q0 = property::box<6>(1) + (VecX(6) << 0, 0, 0, 0, 3, 1).finished(), v = VecX::Zero(6);
  const VecX q1 = q0 + VecX(property::box<6>(0.5));
  const Motion motion{q0, q1, v, v, 0.1, 20};
  const VecX force = one.force(rule, motion);
  const double heat = one.terms.heat(rule, motion).heat;
  RC_ASSERT(heat >= 0);
  within(std::abs(force.dot(q1 - q0) - heat), 1e-13 * (1 + force.norm()));

  const Mat3 turn = property::rotation();
  const Vec3 shift = property::box<3>(1);
  VecX moved(6);
  moved << turn * q0.head<3>() + shift, turn * q0.tail<3>() + shift;
  within(one.force(rule, {q0, moved, v, v, 0.1, 20}).norm(), 1e-11);
}

constexpr const char* busy = R"toml(
gravity = [0, -9.81, 0]
[rayleigh]
mass = 0.1
stiffness = 0.002
[[node]]
name = "pivot"
position = [0, 0, 0]
motion = { x = "0.1*sin(4*t)", y = "0", z = "0" }
[[node]]
name = "middle"
position = [1, 0.2, 0]
mass = 2
[[node]]
name = "bob"
position = [2, 0, 0.3]
velocity = [0, 2, -1]
mass = 1
[[bar]]
name = "rod"
nodes = ["pivot", "middle"]
EA = 500
[[spring]]
name = "spring"
nodes = ["middle", "bob"]
stiffness = 50
length = 0.8
damping = 1.5
[[load]]
name = "push"
node = "bob"
force = ["3*cos(2*t)", "-0.5*bob.y", "0.2*middle.x*t"]
[time]
step = 0.01
steps = 300
scheme = "krenk"
)toml";

TEST(DamperTest, BooksCloseWithDampingLoadAndMovingSupportInEveryRow) {
  for (const Row& row : general_rows()) {
    SCOPED_TRACE(std::string(row.name));
    const std::string overrides[] = {"time.scheme=" + std::string(row.name)};
    const RunResult result = run(parse_model(busy, "busy", overrides));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_GT(result.ledger.heat(), 0.05 * result.ledger.scale());
    EXPECT_GT(std::abs(result.ledger.load_work()), 1e-3 * result.ledger.scale());
    EXPECT_GT(std::abs(result.ledger.support_work()), 1e-3 * result.ledger.scale());
    EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
    EXPECT_LE(result.iterations_max, 6);
    if (row.claims.energy) {
      EXPECT_LT(std::abs(result.ledger.numerical()), 1e-12 * result.ledger.scale());
    }
  }
}

// m u'' + c u' + k u = 0: amplitude exp(-c t / 2m), whatever the row; and Krenk's C du.
TEST(DamperTest, LinearOscillatorDecaysAsItShould) {
  const std::string text = R"toml(
[[coordinate]]
name = "u"
inertia = 2
value = 1
damping = 0.4
potential = "4*u^2"
[time]
step = 0.01
steps = 400
scheme = "krenk"
)toml";
  const double c = 0.4, m = 2, k = 8, t = 4, rate = c / (2 * m), w = std::sqrt(k / m - rate * rate);
  const double exact = std::exp(-rate * t) * (std::cos(w * t) + rate / w * std::sin(w * t));
  for (const Row& row : general_rows()) {
    const std::string overrides[] = {"time.scheme=" + std::string(row.name)};
    const RunResult result = run(parse_model(text, "oscillator", overrides));
    const bool first_order = row.claims.order == 1 || row.name == "energy-momentum-exact+xi";
    EXPECT_NEAR(result.state.q[0], exact, first_order ? 3e-2 : 1e-3) << row.name;
  }
  // One step by hand: M dv/h + K (u0 + u1)/2 + C du/h = 0, dv = 2/h du - 2 v0.
  const double h = 0.01, u0 = 1, q = 2 / h;
  const double du = -k * u0 / (m * q / h + k / 2 + c / h);
  const std::string one[] = {"time.steps=1"};
  EXPECT_NEAR(run(parse_model(text, "oscillator", one)).state.q[0], u0 + du, 1e-15);
}

TEST(BatheTest, WeightsAreThoseOfThePaperAndTheRadiusIsWhatWasAsked) {
  const CompositeWeights classic = composite_weights(0);
  EXPECT_NEAR(classic.split, 2 - std::sqrt(2.0), 1e-15);
  for (const double r : {0.0, 0.3, 0.8, 1.0}) {
    const CompositeWeights w = composite_weights(r);
    EXPECT_NEAR(w.old_end + w.at_split + w.new_end, 1, 1e-15);
    EXPECT_NEAR(w.split * w.at_split + w.new_end, 0.5, 1e-15);  // second order
    EXPECT_NEAR(w.new_end, w.split / 2, 1e-14);                 // one iteration matrix for both parts
  }
}

// A free body that spins about an axis of its inertia slows down like one that moves straight on, about any axis by its
// momentum.
TEST(DamperTest, RayleighMassDampsSpinLikeMotion) {
  for (const char* formulation : {"directors", "rotation", "euler-parameters"})
    for (const char* scheme : {"energy-momentum-exact", "trapezoidal", "bathe", "rk4"}) {
      SCOPED_TRACE(std::string(formulation) + ", " + scheme);
      Model model = parse_model(std::string("formulation = \"") + formulation + R"toml("
[[body]]
name = "p"
mass = 2
inertia = [[0.2, 0.05, 0], [0.05, 0.25, 0], [0, 0, 0.3]]
velocity = [1, 0, 0]
angular_velocity = [0, 0, 3]
[rayleigh]
mass = 0.7
[time]
step = 0.0025
end = 2
scheme = "trapezoidal"
)toml",
                                "spin");
      model.time.scheme = scheme;
      const System system(model);
      const Scheme asked = scheme_of(model);
      if (!refusal(*asked.row, system).empty()) continue;
      const RunResult result = run(model, system, asked);
      ASSERT_EQ(result.status, Status::done);
      EXPECT_NEAR(result.state.rotations[0].angular_velocity.z(), 3 * std::exp(-1.4), 1e-4);
      EXPECT_NEAR(result.state.v[0], std::exp(-1.4), 1e-4);
      EXPECT_LT(result.ledger.worst_residual(), 1e-6 * result.ledger.scale());
    }
}

}  // namespace system_damper
}  // namespace trompo
