// Constraints typed as formulas: stored states, momenta, every row, driven ones, start and repair.
#include <gtest/gtest.h>

#include "tests/constraint_cases.hpp"

namespace trompo {
namespace scheme_constraint {

using namespace constraint_cases;

TEST(ConstraintReferenceTest, StoredStatesAndMultipliers) {
  const Case cases[] = {{"trig_two_masses", "gonz", parse_model(trig, "trig"), {2, 3}},
                        {"spherical_pendulum", "beta", parse_model(spherical, "spherical"), {0}},
                        {"cubic_bead", "gonz", bead(), {1}}};
  for (const Case& c : cases) {
    Watch watch;
    const RunResult result = expect_stored(c, watch);
    EXPECT_LT(watch.energy_drift, 1e-12 * result.ledger.scale());
    EXPECT_LT(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
  }
}

// The rod of a spherical pendulum turns about the vertical: that momentum is kept, through an invariant.
TEST(ConstraintTest, InvariantsKeepMomentum) {
  const RunResult result = run(parse_model(free_masses, "free"));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT(result.total.max - result.total.min, 1e-12 * result.ledger.scale());
  EXPECT_LT(result.linear_drift, 1e-12 * result.linear_scale);
  EXPECT_LT(result.angular_drift, 1e-12 * result.angular_scale);
  EXPECT_LT(result.constraint_error_max, 1e-12);
}

// Every row of the catalogue integrates a constrained model; the energy balance closes whatever the row does to the energy.
// Rows without dissipation in the end balance may be unstable with multipliers (index 3), so the run is short.
TEST(ConstraintTest, EveryRowRunsAndItsBooksClose) {
  for (const Row& row : general_rows()) {
    SCOPED_TRACE(std::string(row.name));
    const std::string overrides[] = {"time.scheme=" + std::string(row.name), "time.steps=20", "time.step=0.005"};
    const Model model = parse_model(spherical, "spherical", overrides);
    const RunResult result = run(model);
    ASSERT_EQ(result.status, Status::done);
    EXPECT_LT(result.constraint_error_max, 1e-11);
    EXPECT_LT(result.ledger.worst_residual(), 1e-9 * result.ledger.scale());
    EXPECT_NEAR(result.state.q.norm(), 1, 1e-10);
  }
}

TEST(ConstraintTest, SecondOrder) {
  const auto end = [](long parts) {
    const std::string overrides[] = {"time.step=" + std::to_string(0.04 / static_cast<double>(parts)),
                                     "time.steps=" + std::to_string(25 * parts)};
    return run(parse_model(trig, "trig", overrides)).state.q;
  };
  const VecX a = end(1), b = end(2), c = end(4);
  EXPECT_NEAR(std::log2((a - b).norm() / (b - c).norm()), 2, 0.1);
}

// Time in a constraint: a pendulum whose length is driven. Work comes in through time, and the energy balance has it.
TEST(ConstraintTest, DrivenConstraintDoesWork) {
  const std::string driven = R"toml(
gravity = [0, 0, -9.81]
[parameters]
w = 3
[[node]]
name = "bob"
position = [1, 0, 0]
velocity = [0, 1.5, 0]
mass = 1
[[constraint]]
name = "rod"
constraint = "sqrt(bob.x^2 + bob.y^2 + bob.z^2) - 1 - 0.1*(1-cos(w*t))"
[[sensor]]
name = "length"
formula = "sqrt(bob.x^2 + bob.y^2 + bob.z^2) - 0.1*(1-cos(w*t))"
[time]
step = 0.02
steps = 500
scheme = "energy-momentum-exact"
)toml";
  const RunResult result = run(parse_model(driven, "driven"));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_GT(std::abs(result.ledger.support_work()), 1e-3 * result.ledger.scale());
  EXPECT_LT(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
  EXPECT_NEAR(result.sensors[0].min, 1, 1e-12);
  EXPECT_NEAR(result.sensors[0].max, 1, 1e-12);
}

TEST(ConstraintTest, ViolatedStartIsRefusedWithItsValueOrRepaired) {
  const std::string moved[] = {"node.bob.position=[1.1, 0, 0]"};
  try {
    (void)parse_model(spherical, "spherical", moved);
    FAIL() << "accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("is 0.105 at t = 0"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("initial_projection"), std::string::npos);
  }
  const std::string pushed[] = {"node.bob.velocity=[1, 0, 0]"};
  EXPECT_THROW((void)parse_model(spherical, "spherical", pushed), ModelError);

  const std::string repaired[] = {"node.bob.position=[1.1, 0, 0]", "node.bob.velocity=[1, 2, 0]",
                                  "time.initial_projection=true"};
  const Model model = parse_model(spherical, "spherical", repaired);
  const System system(model);
  const State state = initial_state(model, system);
  EXPECT_NEAR(state.q[0], 1, 1e-14);
  EXPECT_NEAR(state.v[0], 0, 1e-14);
  EXPECT_NEAR(state.v[1], 2, 1e-14);
}

TEST(ConstraintTest, RepeatedConstraintIsRefused) {
  const std::string twice =
      std::string(spherical) + "[[constraint]]\nname = \"again\"\nconstraint = \"bob.x^2 + bob.y^2 + bob.z^2 - 1\"\n";
  EXPECT_THROW((void)run(parse_model(twice, "twice")), ModelError);
}

}  // namespace scheme_constraint
}  // namespace trompo
