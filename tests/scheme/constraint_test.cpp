// Constraints typed as formulas: stored states, energy and gaps over long runs, every row, start and repair.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace {

using Json = nlohmann::json;

const Json& constraints() {
  static const Json data = Json::parse(std::ifstream(TROMPO_TEST_DATA "/conserving.json"))["c_constraints"];
  return data;
}

// Springs of Green's strain: V = k e^2 / 2, e = (l^2 - l0^2)/(2 l0), a bar with EA = k l0.
constexpr const char* trig = R"toml(
[parameters]
root = 1.4142135623730951
third = 1.0471975511965976
[[node]]
name = "A"
position = [0, 0, 0]
fixed = true
[[node]]
name = "C"
position = [0, 0.5, 2.5]
fixed = true
[[node]]
name = "u1"
position = [1.4142135623730951, 0, 0]
mass = 1
[[node]]
name = "u2"
position = [0, 1.0471975511965976, 1]
mass = 2
[[bar]]
name = "a"
nodes = ["A", "u1"]
EA = 17
length = 1.7
strain = "green"
[[bar]]
name = "b"
nodes = ["u1", "u2"]
EA = 17
length = 1.7
strain = "green"
[[bar]]
name = "c"
nodes = ["C", "u2"]
EA = 10
length = 1
strain = "green"
[[constraint]]
name = "phi"
constraint = "u1.x^2*cos(u2.y) - u2.z^3 + 0*(u1.y + u1.z + u2.x)"  # Gonzalez' correction over all six, as stored
[time]
step = 0.1
steps = 100
scheme = "energy-momentum-exact"
)toml";

constexpr const char* spherical = R"toml(
gravity = [0, 0, -9.81]
[[node]]
name = "bob"
position = [1, 0, 0]
velocity = [0, 1.5, 0]
mass = 1
[[constraint]]
name = "rod"
constraint = "(bob.x^2 + bob.y^2 + bob.z^2 - 1)/2"
[time]
step = 0.05
steps = 100
scheme = "energy-momentum-exact"
)toml";

Model bead() {
  const std::string overrides[] = {"time.end=1.2"};
  return read_model(TROMPO_SOURCE "/examples/bead_on_wire.toml", overrides);
}

class Watch final : public Observer {
 public:
  struct Seen {
    State state;
    VecX multiplier;
  };
  std::map<long, Seen> at;
  double energy_drift = 0;
  void sample(const Sample& now) override {
    at[now.step] = {now.state, now.multiplier};
    if (now.step == 0) initial_ = now.ledger.total();
    energy_drift = std::max(energy_drift, std::abs(now.ledger.total() - initial_));
  }

 private:
  double initial_ = 0;
};

struct Case {
  const char* name;
  const char* kind;
  Model model;
  std::vector<int> nodes;  // that the file stores
};

TEST(ConstraintReferenceTest, StoredStatesAndMultipliers) {
  const Case cases[] = {{"trig_two_masses", "gonz", parse_model(trig, "trig"), {2, 3}},
                        {"spherical_pendulum", "beta", parse_model(spherical, "spherical"), {0}},
                        {"cubic_bead", "gonz", bead(), {1}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const System system(c.model);
    Watch watch;
    Observer* observers[] = {&watch};
    const RunResult result = run(c.model, system, scheme_of(c.model), observers);
    ASSERT_EQ(result.status, Status::done);
    bool found = false;
    for (const Json& r : constraints()[c.name]["runs"]) {
      if (r["kind"] != c.kind) continue;
      found = true;
      for (std::size_t k = 0; k < r["steps"].size(); ++k) {
        const auto& seen = watch.at.at(r["steps"][k].get<long>());
        for (std::size_t n = 0; n < c.nodes.size(); ++n)
          for (int i = 0; i < 3; ++i) {
            const std::size_t j = 3 * n + static_cast<std::size_t>(i);
            const int q = system.nodes()[static_cast<std::size_t>(c.nodes[n])] + i;
            EXPECT_NEAR(seen.state.q[q], r["u"][k][j].get<double>(), 1e-9);
            EXPECT_NEAR(seen.state.v[q], r["v"][k][j].get<double>(), 1e-8);
          }
        EXPECT_NEAR(seen.multiplier[0], r["lam"][k][0].get<double>(), 1e-7 * (1 + std::abs(seen.multiplier[0])));
      }
    }
    EXPECT_TRUE(found);
    EXPECT_LT(watch.energy_drift, 1e-12 * result.ledger.scale());
    EXPECT_LT(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
    EXPECT_LT(result.gap_max, 1e-12);
  }
}

TEST(ConstraintTest, TrigonometricConstraintKeepsEnergyOverLongRun) {
  const std::string overrides[] = {"time.steps=20000"};
  const RunResult result = run(parse_model(trig, "trig", overrides));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT(result.total.max - result.total.min, 1e-11 * result.ledger.scale());
  EXPECT_LT(result.gap_max, 1e-12);
  EXPECT_EQ(result.retries, 0);
}

// The rod of a spherical pendulum turns about the vertical: that momentum is kept, through an invariant.
TEST(ConstraintTest, InvariantsKeepMomentum) {
  const std::string free = R"toml(
[[node]]
name = "a"
position = [1, 0, 0]
velocity = [0, 1, 0.2]
mass = 1
[[node]]
name = "b"
position = [0, 1, 0]
velocity = [0, 1, -0.3]
mass = 2
[[node]]
name = "c"
position = [0, 0, 1]
velocity = [0.1, 1, 0]
mass = 3
[[invariant]]
name = "ab"
formula = "(b.x-a.x)^2 + (b.y-a.y)^2 + (b.z-a.z)^2"
[[invariant]]
name = "bc"
formula = "(c.x-b.x)^2 + (c.y-b.y)^2 + (c.z-b.z)^2"
[[potential]]
name = "pull"
potential = "3*log(bc)^2 + sqrt(ab)"
[[constraint]]
name = "tie"
constraint = "ab^2*cos(bc) - 4*cos(2)"
[time]
step = 0.05
steps = 400
scheme = "energy-momentum-exact"
initial_projection = true
)toml";
  const RunResult result = run(parse_model(free, "free"));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT(result.total.max - result.total.min, 1e-12 * result.ledger.scale());
  EXPECT_LT(result.linear_drift, 1e-12 * result.linear_scale);
  EXPECT_LT(result.angular_drift, 1e-12 * result.angular_scale);
  EXPECT_LT(result.gap_max, 1e-12);
}

// Every row of the catalogue integrates a constrained model; the books close whatever the row does to the energy. Rows without
// dissipation in the end balance may be unstable with multipliers (index 3), so the run is short.
TEST(ConstraintTest, EveryRowRunsAndItsBooksClose) {
  for (const Row& row : general_rows()) {
    SCOPED_TRACE(std::string(row.name));
    const std::string overrides[] = {"time.scheme=" + std::string(row.name), "time.steps=20", "time.step=0.005"};
    const Model model = parse_model(spherical, "spherical", overrides);
    const RunResult result = run(model);
    ASSERT_EQ(result.status, Status::done);
    EXPECT_LT(result.gap_max, 1e-11);
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

// Time in a constraint: a pendulum whose length is driven. Work comes in through time, and the books know it.
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

}  // namespace
}  // namespace trompo
