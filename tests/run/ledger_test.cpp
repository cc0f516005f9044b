// The energy balance closes: to round-off for every row of the catalogue, and not when a force lies.
#include <gtest/gtest.h>

#include "tests/reference_cases.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/scheme/consistent_start.hpp"

namespace trompo {
namespace run_ledger {

using reference_cases::pendulum;

BarInput bar(const char* name, const char* a, const char* b, double EA, const char* strain = "engineering") {
  BarInput input;
  input.name = name;
  input.nodes = {a, b};
  input.EA = EA;
  input.strain = strain;
  return input;
}
NodeInput node(const char* name, const Vec3& position, const Vec3& velocity, double mass) {
  NodeInput input;
  input.name = name;
  input.position = position;
  input.velocity = velocity;
  input.mass = mass;
  return input;
}
LoadInput load(const char* name, const char* on, std::array<TimeFunction, 3> force, bool potential = false) {
  LoadInput input;
  input.name = name;
  input.on = on;
  input.force = std::move(force);
  input.potential = potential;
  return input;
}

// A bit of everything: gravity, a support that shakes a mass, bars of three kinds, loads of three kinds.
Model busy_chain() {
  Model model;
  model.gravity = {0, 0, -9.81};
  NodeInput support = node("support", {0, 0, 0}, {0, 0, 0}, 3);
  support.motion = {TimeFunction::parse("0.2*sin(5*t)"), TimeFunction(0.0), TimeFunction::parse("0.1*(1 - cos(3*t))")};
  model.nodes = {support, node("one", {1, 0.1, -0.4}, {0, 1, 0}, 2), node("two", {1.9, 0, -1}, {0.5, 0, 0.5}, 1.5),
                 node("three", {2.8, -0.2, -1.2}, {0, -2, 1}, 4)};
  model.bars = {bar("log", "support", "one", 5e3, "logarithmic"), bar("plain", "one", "two", 8e3),
                bar("cable", "two", "three", 4e3, "green")};
  model.bars[2].tension_only = true;
  model.bars[1].density = 0.5;
  model.bars[0].length = 1.0;  // prestressed
  model.loads = {
      load("wind", "one", {TimeFunction::parse("20*sin(7*t)"), TimeFunction(3.0), TimeFunction(0.0)}),
      load("crane", "three",
           {TimeFunction(0.0), TimeFunction(TimeFunction::Table{{0, 0}, {0.7, 30}, {1.5, -15}, {3, 0}}), TimeFunction(0.0)}),
      load("push", "support", {TimeFunction::parse("9*cos(2*t)"), TimeFunction(0.0), TimeFunction(5.0)}),
      load("dead", "two", {TimeFunction(-4.0), TimeFunction(0.0), TimeFunction(6.0)}, true)};
  model.time.step = 0.01;
  model.time.steps = 500;
  return model;
}

TEST(Ledger, ClosesForEveryRowOnABusyChain) {
  for (const Row& row : general_rows())
    for (const double rho : {0.0, 1.0, 0.6}) {  // 0: as the row stands
      const Parameter& range = row.parameters.front();
      if (rho != 0 && (rho < range.least || range.least == range.most)) continue;
      Model model = busy_chain();
      model.time.scheme = row.name;
      if (rho != 0) model.time.parameters["rho_infinity"] = rho;
      const RunResult result = run(model);
      ASSERT_EQ(result.status, Status::done) << row.name;
      EXPECT_LE(result.ledger.worst_residual(), 1e-11 * result.ledger.scale()) << row.name << " rho_infinity " << rho;
      // and every account has something in it
      EXPECT_GT(std::abs(result.ledger.load_work()), 1e-3 * result.ledger.scale()) << row.name;
      EXPECT_GT(std::abs(result.ledger.support_work()), 1e-3 * result.ledger.scale()) << row.name;
      if (row.claims.energy || (row.decays && rho == 1))
        EXPECT_EQ(result.ledger.numerical(), 0) << row.name;
      else
        EXPECT_GT(std::abs(result.ledger.numerical()), 1e-9 * result.ledger.scale()) << row.name;
    }
}

TEST(Ledger, CableWentSlackInTheBusyChain) {
  Model model = busy_chain();
  model.time.scheme = "energy-momentum-exact";
  SensorInput pull;
  pull.name = "pull";
  pull.kind = "force";
  pull.of = {"cable", ""};
  model.sensors = {pull};
  const RunResult result = run(model);
  EXPECT_EQ(result.sensors[0].min, 0);
  EXPECT_GT(result.sensors[0].max, 10);
}

// The residual of the halves of a halved step is counted like that of whole steps.
TEST(Ledger, ClosesWhenStepsAreHalved) {
  Model model = busy_chain();
  model.time.scheme = "energy-momentum-exact";
  model.time.step = 0.05;
  model.time.steps = 100;
  model.newton.max_iterations = 4;
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_GT(result.retries, 0);
  EXPECT_LE(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
}

TEST(Ledger, DissipationOfXiIsBookedExactly) {
  Model model = pendulum(1e4, 9.8, 0.05, 600);
  model.time.scheme = "energy-momentum-exact+xi";
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_GT(result.ledger.numerical(), 1);  // J
  EXPECT_NEAR(result.total.final - result.total.initial, -result.ledger.numerical(), 1e-12 * result.ledger.scale());
}

// --- a force that lies by one in a million ---

struct FalseStrain : EngineeringStrain {
  using EngineeringStrain::EngineeringStrain;
  static constexpr double lie = 1 + 1e-6;
  [[nodiscard]] J jacobian(const C& c) const { return lie * EngineeringStrain::jacobian(c); }
  [[nodiscard]] K curvature(const C& c, const S& s) const { return lie * EngineeringStrain::curvature(c, s); }
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return lie * EngineeringStrain::secant(c0, c1); }
  [[nodiscard]] K secant_curvature(const C& c0, const C& c1, const S& s) const {
    return lie * EngineeringStrain::secant_curvature(c0, c1, s);
  }
};

template <class Strain>
double residual_of_pendulum(const char* scheme) {
  constexpr double L = 3.0443, m = 10, g = 9.8, EA = 1e4, h = 0.05;
  System system;
  const int pivot = system.add_point("pivot", 0), bob = system.add_point("bob", m);
  for (int i = 0; i < 3; ++i) system.prescribe(pivot + i, TimeFunction(0.0));
  system.add_constant_force(bob + 1, -m * g, true);
  system.add_elastic(Strain(L), linear_law, Where::at({pivot, pivot + 1, pivot + 2, bob, bob + 1, bob + 2}), EA * L);
  system.set_length_scale(L);
  system.finish();

  State state{0, VecX::Zero(6), VecX::Zero(6)};
  state.q[bob + 1] = -L;
  state.v[bob] = 7.72;
  const auto stepper = make_stepper(make_scheme(scheme), system, {});
  stepper->start(state, consistent_acceleration(system, state));
  Ledger ledger;
  ledger.open(system.kinetic(state.v), system.potentials(state.q));
  for (int k = 1; k <= 600; ++k) {
    const StepReport report = stepper->step(state, k * h);
    if (!report.done()) return std::nan("");
    ledger.add(system.kinetic(state.v), report.energy);
  }
  return ledger.worst_residual() / ledger.scale();
}

TEST(Ledger, ShowsAForceThatIsWrongByOneInAMillion) {
  for (const char* scheme : {"energy-momentum-exact", "energy-momentum-exact+xi"}) {
    EXPECT_LT(residual_of_pendulum<EngineeringStrain>(scheme), 1e-12) << scheme;
    EXPECT_GT(residual_of_pendulum<FalseStrain>(scheme), 1e-8) << scheme;
  }
}

// Small steps far from the origin: the rounding of positions, eps |x|, must not come back as a velocity eps |x| 2/h.
TEST(Ledger, ClosesForSmallStepsFarFromTheOrigin) {
  for (const Row& row : general_rows()) {
    Model model;
    model.nodes = {node("a", {30, 20, 0}, {-1, 0.3, 0.2}, 10), node("b", {30, 23.0443, 0}, {7.72, -0.5, 1.1}, 6)};
    model.bars = {bar("bar", "a", "b", 1e4)};
    model.time.step = 0.001;
    model.time.steps = 5000;
    model.time.scheme = row.name;
    const RunResult result = run(model);
    ASSERT_EQ(result.status, Status::done);
    EXPECT_LE(result.ledger.worst_residual(), 1e-12 * result.ledger.scale()) << row.name;
    EXPECT_LE(result.linear_drift, 1e-12 * result.linear_scale) << row.name;
  }
}

// Feedback to the initial energy counts the kinetic energy of a support that moves: it has nothing to take back here.
TEST(Ledger, InitialEnergyTargetKnowsMovingSupports) {
  Model model = busy_chain();
  model.time.scheme = "krenk";
  model.time.options = {{"energy_target", "initial"}};
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LE(std::abs(result.ledger.numerical()), 1e-10 * result.ledger.scale());
  EXPECT_LE(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
}

// --- long runs ---

void keeps_energy(double EA, double step) {
  Model model = pendulum(EA, 9.8, step, 60000);
  model.time.scheme = "energy-momentum-exact";
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_EQ(result.retries, 0);
  const double drift = std::max(result.total.max - result.total.initial, result.total.initial - result.total.min);
  EXPECT_LE(drift, 1e-12 * result.ledger.scale());
  EXPECT_LE(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
}
TEST(LongRun, ElasticPendulumKeepsEnergyOver60000Steps) { keeps_energy(1e4, 0.05); }
TEST(LongRun, RigidPendulumKeepsEnergyOver60000Steps) { keeps_energy(1e10, 0.1); }

TEST(LongRun, FreeBarKeepsAngularMomentumOver10000Steps) {
  Model model;
  model.nodes = {node("a", {0, 0, 0}, {-1, 0.3, 0.2}, 10), node("b", {0, -3.0443, 0}, {7.72, -0.5, 1.1}, 6)};
  model.bars = {bar("bar", "a", "b", 1e4)};
  model.time.step = 0.05;
  model.time.steps = 10000;
  model.time.scheme = "energy-momentum-exact";
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LE(result.angular_drift, 1e-11 * result.angular_scale);
}

// --- the sum under the balance ---

TEST(LongSum, LosesNothingOfSmallTerms) {
  LongSum sum;
  sum.add(1e16);
  for (int i = 0; i < 1000; ++i) sum.add(0.25);
  sum.add(-1e16);
  EXPECT_EQ(sum.value(), 250);
}

}  // namespace run_ledger
}  // namespace trompo
