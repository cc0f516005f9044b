// Bodies through the model file: the schemes of the top, and the conserving rows on bodies with springs, loads and constraints.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/stored.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace scheme_body {

using Json = nlohmann::json;

const std::string example_top = places::source("examples/top.toml");

class Frames final : public Observer {
 public:
  std::map<long, Rotation> at;
  double off_unit = 0;
  void sample(const Sample& now) override {
    at[now.step] = now.state.rotations.front();
    off_unit = std::max(off_unit, std::abs(now.state.rotations.front().orientation.norm() - 1));
  }
};

// Every stored run of the reference file, from the model file on.
TEST(BodyReferenceTest, TopsOfTheFileAreMetFromAModel) {
  const Json& tops = stored("conserving.json")["b_top"];
  int states = 0;
  for (const char* name : {"fast", "fast_large_step", "slow", "steady_precession"}) {
    const Json& data = tops[name]["data"];
    for (const auto& [code, stored] : tops[name]["runs"].items()) {
      SCOPED_TRACE(std::string(name) + " " + code);
      if (!stored.contains("states")) continue;  // the exact solution
      Model model = read_model(example_top);
      BodyInput& body = model.bodies.front();
      const auto matrix = [](const Json& j) {
        Mat3 m;
        for (int i = 0; i < 9; ++i) m(i / 3, i % 3) = j[i / 3][i % 3];
        return m;
      };
      body.orientation = {};
      body.orientation.matrix = matrix(data["Lam0_matrix"]);
      for (int i = 0; i < 3; ++i) body.angular_velocity[i] = data["Om0"][i];
      model.time.scheme = code;
      model.time.step = data["dt"];
      model.time.end.reset();
      model.time.steps = stored["states"].back()["step"].get<long>();
      const System system(model);
      Frames seen;
      Observer* observers[] = {&seen};
      const RunResult result = run(model, system, scheme_of(model), observers);
      ASSERT_EQ(result.status, Status::done);
      for (const Json& state : stored["states"]) {
        const Rotation& r = seen.at.at(state["step"].get<long>());
        EXPECT_LT((to_matrix(r.orientation) - matrix(state["Lam"])).cwiseAbs().maxCoeff(), 1e-9);
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(r.angular_velocity[i], state["Om"][i].get<double>(), 1e-9 * 50);
        ++states;
      }
      EXPECT_LT(seen.off_unit, 1e-15);
    }
  }
  EXPECT_GT(states, 40);
}

// What each row claims, over some thousand steps: energy, momentum about gravity.
TEST(BodyTest, TopsKeepWhatTheirRowsClaim) {
  for (const Row& row : catalogue()) {
    if (row.balance != Balance::top && row.name != "energy-momentum-exact") continue;
    SCOPED_TRACE(std::string(row.name));
    const std::string overrides[] = {"time.scheme=" + std::string(row.name), "time.end=20"};
    const RunResult result = run(read_model(example_top, overrides));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_EQ(result.retries, 0);
    EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
    const double energy = (result.total.max - result.total.min) / result.ledger.scale();
    const double vertical = std::abs(result.momentum.angular.z() - result.momentum_initial.angular.z()) / result.angular_scale;
    if (row.claims.energy)
      EXPECT_LT(energy, 1e-12);
    else
      EXPECT_GT(energy, 1e-7);
    if (row.claims.angular_momentum)
      EXPECT_LT(vertical, 1e-12);
    else
      EXPECT_GT(vertical, 1e-7);
  }
}

constexpr const char* two_bodies = R"toml(
formulation = "rotation"
[[body]]
name = "a"
mass = 2
inertia = [[0.5, 0.05, 0], [0.05, 0.7, 0.02], [0, 0.02, 0.9]]
position = [0, 0, 0]
velocity = [0.1, 0.2, -0.3]
angular_velocity = [1, -2, 3]
[[body]]
name = "b"
mass = 1
shape = { box = [0.5, 0.8, 1.1] }
position = [1.5, 0.4, 0.2]
orientation = { axis = [1, 2, 3], degrees = 40 }
angular_velocity = [0, 4, 1]
[[node]]
name = "n"
mass = 0.7
position = [0.5, 1.5, 0]
velocity = [1, 0, 0]
[[spring]]
name = "s"
from = { body = "a", point = [0.3, 0.1, 0.2] }
to = { body = "b", point = [-0.2, 0.3, 0] }
stiffness = 40
length = 0.9
[[spring]]
name = "t"
from = { body = "b", point = [0.1, 0.1, 0.4] }
to = { node = "n" }
stiffness = 15
length = 1
[time]
step = 0.02
steps = 1000
scheme = "energy-momentum-exact"
)toml";

TEST(BodyTest, FreeBodiesJoinedBySpringsKeepEnergyAndMomenta) {
  for (const char* scheme : {"energy-momentum-exact", "krenk", "discrete-gradient"}) {
    SCOPED_TRACE(scheme);
    const std::string overrides[] = {std::string("time.scheme=") + scheme};
    const RunResult result = run(parse_model(two_bodies, "two", overrides));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_EQ(result.retries, 0);
    EXPECT_LT(result.total.max - result.total.min, 1e-11 * result.ledger.scale());
    EXPECT_LT(result.linear_drift, 1e-12 * result.linear_scale);
    if (std::string(scheme) != "krenk") {
      EXPECT_LT(result.angular_drift, 1e-12 * result.angular_scale);
      EXPECT_LE(static_cast<double>(result.iterations) / static_cast<double>(result.solves), 5);  // the tangent is exact
    }
  }
}

TEST(BodyTest, SecondOrderOnBodies) {
  const auto end = [](long parts) {
    const std::string overrides[] = {"time.step=" + std::to_string(0.02 / static_cast<double>(parts)),
                                     "time.steps=" + std::to_string(25 * parts)};
    return run(parse_model(two_bodies, "two", overrides)).state.q;
  };
  const VecX a = end(1), b = end(2), c = end(4);
  EXPECT_NEAR(std::log2((a - b).norm() / (b - c).norm()), 2, 0.1);
}

// An impossible inertia has a negative entry in Euler's tensor; the equations of rotation do not mind.
TEST(BodyTest, ImpossibleBodiesTurnAsTheirTensorSays) {
  const auto end = [](const char* formulation, const char* scheme, double step) {
    const std::string text = std::string("formulation = \"") + formulation +
                             "\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1.2, 3]\nallow_impossible = true\n"
                             "angular_velocity = [1, 0.5, 2]\n[time]\nscheme = \"" +
                             scheme + "\"\nend = 2\nstep = " + std::to_string(step) + "\n";
    const RunResult r = run(parse_model(text, "impossible"));
    EXPECT_EQ(r.status, Status::done) << formulation;
    EXPECT_LT(r.total.max - r.total.min, 1e-10 * r.ledger.scale()) << formulation;
    EXPECT_LT(r.angular_drift, 1e-10 * r.angular_scale) << formulation;
    return Vec3(r.state.q.segment<3>(3));
  };
  const Vec3 exact = end("euler-parameters", "rk4", 0.0005);
  for (const char* formulation : {"directors", "rotation"}) {
    const auto error = [&](double step) { return (end(formulation, "energy-momentum-exact", step) - exact).norm(); };
    EXPECT_NEAR(std::log2(error(0.01) / error(0.005)), 2, 0.05) << formulation;
  }
}

// Torque, force at a point, damper, gravity, a fixed body and a constraint: every account is used, and the energy balance
// closes.
TEST(BodyTest, BooksCloseWithLoadsTorquesDampersAndConstraints) {
  const std::string busy = R"toml(
formulation = "rotation"
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 3
inertia = [2, 2.5, 1]
fixed_point = [0, 0, 1]
centre = [0.4, 0, 0.1]
angular_velocity = [0.5, 1, 2]
[[body]]
name = "load"
mass = 1
shape = { cylinder = [0.2, 0.5] }
position = [1.2, 0, 0.6]
angular_velocity = [3, 0, 1]
[[spring]]
name = "rope"
from = { body = "arm", point = [0.5, 0, 0] }
to = { body = "load", point = [0, 0.2, 0.25] }
stiffness = 200
damping = 2
[[spring]]
name = "anchor"
from = { ground = [0, 1, 0] }
to = { body = "load" }
stiffness = 30
[[load]]
name = "motor"
body = "arm"
torque = [0, "2*sin(3*t)", 0.5]
[[load]]
name = "push"
body = "load"
force = ["3*cos(2*t)", 0, "0.1*load.x"]
point = [0.1, 0, 0]
[[constraint]]
name = "rail"
constraint = "load.x + 0.3*arm.d3.y - 1.2"
[time]
step = 0.01
steps = 300
scheme = "energy-momentum-exact"
)toml";
  std::string text = busy;
  // The start must lie on the rail: its rate there is zero without the spin of the arm about x.
  text.replace(text.find("angular_velocity = [0.5, 1, 2]"), 30, "angular_velocity = [0.0, 1, 2]");
  const RunResult result = run(parse_model(text, "busy"));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_GT(result.ledger.heat(), 1e-3 * result.ledger.scale());
  EXPECT_GT(std::abs(result.ledger.load_work()), 1e-3 * result.ledger.scale());
  EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
  EXPECT_EQ(result.ledger.numerical(), 0);
  EXPECT_LT(result.constraint_error_max, 1e-12);
  EXPECT_LE(static_cast<double>(result.iterations) / static_cast<double>(result.solves), 5);
}

TEST(BodyTest, RefusalsNameTheReasonAndARowThatWorks) {
  const auto complaint = [](const std::string& text, const std::string& scheme) {
    const std::string overrides[] = {"time.scheme=" + scheme};
    try {
      (void)run(parse_model(text, "m.toml", overrides));
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(complaint(two_bodies, "simo-projection").find("more than one body"), std::string::npos);
  EXPECT_NE(complaint(two_bodies, "simo-projection").find("energy-momentum-exact"), std::string::npos);
  EXPECT_NE(complaint(two_bodies, "trapezoidal").find("no form for bodies with formulation"), std::string::npos);
}

// The schemes of the top know gravity and potentials of one axis. A joint that they did not know left a balance open by 94 %.
TEST(BodyTest, TopsRefuseByNameWhatTheyDoNotKnow) {
  const std::string top =
      "gravity = [0, 0, -9.81]\n[[body]]\nname = \"top\"\nmass = 1\ninertia = [0.3, 0.3, 0.2]\nfixed_point = [0, 0, 0]\n"
      "centre = [0, 0, 0.5]\norientation = { axis = [1, 0, 0], degrees = 30 }\nangular_velocity = [0, 0, 20]\n";
  const std::string time = "[time]\nscheme = \"energy-momentum-exact\"\nstep = 0.01\nend = 0.1\ninitial_projection = true\n";
  struct Part {
    const char *text, *name;
  };
  const Part parts[] = {
      {"[[joint]]\nname = \"rubber\"\nbodies = [\"ground\", \"top\"]\nbushing = { at = [0, 0, 0] }\nstiffness_along = [50, 60, "
       "70]\n"
       "stiffness_about = [5, 6, 7]\n",
       "joint 'rubber'"},
      {"[[joint]]\nname = \"rail\"\nbodies = [\"ground\", \"top\"]\nplane = { axis = [0, 1, 0], at = [0.5, 0, 0] }\n",
       "joint 'rail'"},
      {"[[spring]]\nname = \"s\"\nfrom = { body = \"top\" }\nto = { ground = [1, 0, 0] }\nstiffness = 5\n", "spring 's'"},
      {"[[load]]\nname = \"push\"\nbody = \"top\"\ntorque = [1, 0, 0]\n", "load 'push'"},
      {"[[node]]\nname = \"n\"\nmass = 1\nposition = [3, 0, 0]\n", "node 'n'"},
      {"[[coordinate]]\nname = \"u\"\ninertia = 1\n", "coordinate 'u'"},
      {"[[constraint]]\nname = \"level\"\nconstraint = \"top.d1.z\"\n", "constraint 'level'"},
      {"[[potential]]\nname = \"field\"\npotential = \"top.d1.x*top.d2.y\"\n", "potential 'field'"},
      {"[[potential]]\nname = \"swell\"\npotential = \"top.d3.z*sin(t)\"\n", "potential 'swell'"},
      {"[rayleigh]\nmass = 0.1\n", "[rayleigh]"},
  };
  for (const Row& row : catalogue()) {
    if (row.balance != Balance::top) continue;
    const std::string overrides[] = {"time.scheme=" + std::string(row.name)};
    EXPECT_EQ(run(parse_model(top + time, "top", overrides)).status, Status::done);
    for (const Part& part : parts) {
      SCOPED_TRACE(std::string(row.name) + "\n" + part.text);
      const Model model = parse_model(top + part.text + time, "top", overrides);
      try {
        (void)run(model);
        ADD_FAILURE() << "accepted";
      } catch (const ModelError& error) {
        EXPECT_NE(std::string(error.what()).find(part.name), std::string::npos) << error.what();
      }
    }
  }
}

TEST(BodyTest, AStepThatTurnsTooFarIsWarnedOf) {
  const auto warnings = [](const std::string& scheme, double step) {
    const std::string overrides[] = {"time.scheme=" + scheme, "time.step=" + std::to_string(step)};
    const Model model = read_model(example_top, overrides);
    return check_scheme(model, System(model), scheme_of(model));
  };
  EXPECT_TRUE(warnings("simo-projection", 0.05).empty());
  ASSERT_EQ(warnings("simo-projection", 0.13).size(), 1U);
  EXPECT_NE(warnings("simo-projection", 0.13).front().message.find("reverses the precession"), std::string::npos);
  EXPECT_NE(warnings("geradin-bauchau", 0.05).front().message.find("no solution"), std::string::npos);
  EXPECT_NE(warnings("energy-momentum-exact", 0.07).front().message.find("half a turn"), std::string::npos);
}

// No solution beyond |Om| h = 2: the step is halved, and the run goes on.
TEST(BodyTest, HalfRotationsBeyondTheirReachAreHalved) {
  const std::string overrides[] = {"time.scheme=geradin-bauchau", "time.step=0.05", "time.end=1"};
  const RunResult result = run(read_model(example_top, overrides));
  EXPECT_EQ(result.status, Status::done);
  EXPECT_GT(result.retries, 0);
  const std::string limited[] = {"time.max_rotation_per_step=0.3", "time.end=0.5"};
  const RunResult small = run(read_model(example_top, limited));
  EXPECT_EQ(small.status, Status::done);
  EXPECT_GT(small.retries, 0);
}

// V(z) typed over the vertical component of the axis: the closed forms take it, and energy is kept.
TEST(BodyTest, TypedPotentialOfTheAxis) {
  for (const char* scheme : {"simo-collocation", "simo-projection", "geradin-bauchau-momentum", "euler-poisson-midpoint"}) {
    SCOPED_TRACE(scheme);
    std::ifstream file(example_top);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    text += "[[potential]]\nname = \"curve\"\npotential = \"5*top.d3.z^3 - 2*exp(top.d3.z)\"\n";
    const std::string overrides[] = {std::string("time.scheme=") + scheme, "body.top.angular_velocity=[0.1,0.2,5]"};
    const RunResult result = run(parse_model(text, "top", overrides));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_LT(result.total.max - result.total.min, 1e-11 * result.ledger.scale());
  }
}

}  // namespace scheme_body
}  // namespace trompo
