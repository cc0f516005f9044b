// Work and reactions are of the order of the scheme, whatever share of an end its own forces have: halving steps shows it.
#include <gtest/gtest.h>

#include <cmath>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_accounts {

RunResult result_of(const std::string& text, const Row& row, double step, double end) {
  Model model = parse_model(text + "scheme = \"krenk\"\n", "accounts");
  model.time.scheme = row.name;
  model.time.step = step;
  model.time.steps = std::lround(end / step);
  model.time.end.reset();
  const System system(model);
  return run(model, system, scheme_of(model));
}

bool takes(const std::string& text, const Row& row) {
  Model model = parse_model(text + "scheme = \"krenk\"\n", "accounts");
  model.time.scheme = row.name;
  return refusal(row, System(model)).empty();
}

// log2 of how differences of a number shrink when steps are halved twice.
template <class Number>
double order(const std::string& text, const Row& row, double step, double end, const Number& number) {
  const double one = number(result_of(text, row, step, end)), two = number(result_of(text, row, step / 2, end)),
               four = number(result_of(text, row, step / 4, end));
  return std::log2(std::abs(one - two) / std::abs(two - four));
}

constexpr const char* shaken = R"toml(
gravity = [0, 0, -9.81]
[[node]]
name = "s"
mass = 0.5
position = [0, 0, 0]
motion = { x = "0.3*sin(4*t)", y = "0", z = "0.1*(1 - cos(3*t))" }
[[node]]
name = "m"
position = [1, 0, 0]
mass = 1
[[spring]]
name = "k"
nodes = ["s", "m"]
stiffness = 50
damping = 1.0
length = 1
[[load]]
name = "push"
node = "m"
force = ["3*cos(2*t)", "0", "1"]
[time]
step = 0.01
steps = 1
)toml";

TEST(Accounts, WorkOfLoadsAndSupportsIsOfTheOrderOfTheRow) {
  int tried = 0;
  for (const Row& row : general_rows()) {
    if (!takes(shaken, row) || row.claims.order != 2 || row.rule == Rule::Kind::strain_average) continue;
    SCOPED_TRACE(std::string(row.name));
    ++tried;
    const double h = row.balance == Balance::multistep ? 0.00125 : 0.005;  // its error is larger, and its order shows later
    EXPECT_GT(order(shaken, row, h, 1, [](const RunResult& r) { return r.ledger.load_work(); }), 1.8);
    EXPECT_GT(order(shaken, row, h, 1, [](const RunResult& r) { return r.ledger.support_work(); }), 1.8);
  }
  EXPECT_GT(tried, 8);
}

// What was called numerical dissipation, 3.7 J of 27 J, was work at the wrong place.
TEST(Accounts, TrapezoidalRuleDissipatesNextToNothingOfADrivenOscillator) {
  const std::string text = R"toml(
[[coordinate]]
name = "u"
inertia = 1
value = 0.5
damping = 0.2
potential = "u^2/2 + u^4/4"
[[load]]
name = "drive"
coordinate = "u"
force = "2*cos(1.3*t)"
[time]
step = 0.05
steps = 1
)toml";
  const RunResult result = result_of(text, *find_scheme("trapezoidal"), 0.05, 60);
  EXPECT_LT(std::abs(result.ledger.numerical()), 0.01);
  EXPECT_LT(result.ledger.worst_residual(), 1e-13 * result.ledger.scale());
}

// The torque that turns a body as given is J times the second derivative of the angle, in every row at every step.
TEST(Accounts, TorqueOfADrivenHingeIsThatOfTheMotion) {
  for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
    const std::string text = std::string("formulation = \"") + formulation + R"toml("
[[body]]
name = "p"
mass = 2
inertia = [0.1, 0.2, 0.3]
position = [1, 0, 0]
[[joint]]
name = "h"
bodies = ["ground", "p"]
hinge = { axis = [0, 0, 1], at = [0, 0, 0] }
motion = "sin(3*t)"
[[sensor]]
name = "torque"
torque = "h"
axis = "z"
[time]
initial_projection = true
step = 0.01
steps = 1
)toml";
    for (const Row& row : general_rows()) {
      if (!takes(text, row)) continue;
      SCOPED_TRACE(std::string(row.name) + ", " + formulation);
      const RunResult result = result_of(text, row, 0.01, 0.5);
      ASSERT_EQ(result.status, Status::done);
      EXPECT_NEAR(std::abs(result.sensors[0].final), 2.3 * 9 * std::abs(std::sin(1.5)), 1e-9);
      EXPECT_NEAR(result.sensors[0].max - result.sensors[0].min, 2.3 * 9 * std::sin(1.5), 1e-9);  // no step alternates
    }
  }
}

// The rows that conserve have one multiplier a step, which is of first order at its end.
TEST(Accounts, ReactionsAreOfSecondOrder) {
  const std::string text = R"toml(
gravity = [0, 0, -9.81]
[[body]]
name = "p"
mass = 2
inertia = [0.1, 0.2, 0.3]
position = [1, 0, 0]
[[joint]]
name = "h"
bodies = ["ground", "p"]
hinge = { axis = [0, 1, 0], at = [0, 0, 0] }
[[sensor]]
name = "force"
reaction = "h"
axis = "z"
[time]
step = 0.01
steps = 1
)toml";
  for (const char* name : {"energy-momentum-exact", "krenk", "generalized-alpha-1", "bathe", "midpoint"}) {
    SCOPED_TRACE(name);
    const auto final = [](const RunResult& r) { return r.sensors[0].final; };
    EXPECT_NEAR(order(text, *find_scheme(name), 0.0025, 0.7, final), 2, 0.2);
  }
}

// A hinge with a spring and a damper, and a bushing: what acts through them is what moves the bodies.
TEST(Accounts, TorqueAndReactionAreAllThatActsThroughAJoint) {
  const std::string text = R"toml(
[[body]]
name = "p"
mass = 2
inertia = [0.1, 0.2, 0.3]
angular_velocity = [0, 0, 1]
[[body]]
name = "b"
mass = 2
inertia = [0.1, 0.2, 0.3]
position = [3, 0, 0]
velocity = [0.5, 0, 0]
[[joint]]
name = "h"
bodies = ["ground", "p"]
hinge = { axis = [0, 0, 1], at = [0, 0, 0] }
stiffness = 2
damping = 0.1
[[joint]]
name = "s"
bodies = ["ground", "b"]
bushing = { at = [3, 0, 0] }
stiffness_along = [5, 5, 5]
damping_along = [0.3, 0, 0]
[[sensor]]
name = "all"
torque = "h"
axis = "z"
[[sensor]]
name = "spring"
torque = "h"
axis = "z"
part = "spring"
[[sensor]]
name = "damper"
torque = "h"
axis = "z"
part = "damper"
[[sensor]]
name = "constraint"
torque = "h"
axis = "z"
part = "constraint"
[[sensor]]
name = "angle"
angle = "h"
[[sensor]]
name = "bushing"
reaction = "s"
axis = "x"
[time]
step = 0.01
steps = 1
)toml";
  const RunResult r = result_of(text, *find_scheme("energy-momentum-exact"), 0.01, 0.5);
  const auto final = [&](int i) { return r.sensors[static_cast<std::size_t>(i)].final; };
  EXPECT_NEAR(final(1), -2 * final(4), 1e-12);
  EXPECT_NEAR(final(2), -0.1 * r.state.rotations[0].angular_velocity.z(), 1e-12);
  EXPECT_NEAR(final(3), 0, 1e-12);
  EXPECT_NEAR(final(0), final(1) + final(2), 1e-12);
  EXPECT_LT(final(1), -0.5);
  EXPECT_NEAR(final(5), -5 * (r.state.q[12] - 3) - 0.3 * r.state.v[12], 1e-12);
  EXPECT_LT(final(5), -0.3);
}

// A slider on a spring with a damper: acceleration is force over mass at every instant, in rows of every kind.
TEST(Accounts, AccelerationTravelAndForceOfASpringBelongTogether) {
  const std::string text = R"toml(
[[body]]
name = "s"
mass = 2
inertia = [0.1, 0.2, 0.3]
position = [1, 0, 0]
velocity = [0.7, 0, 0]
[[joint]]
name = "rail"
bodies = ["ground", "s"]
prismatic = { axis = [1, 0, 0], at = [1, 0, 0] }
[[spring]]
name = "k"
from = { ground = [-1, 0, 0] }
to = { body = "s" }
stiffness = 30
damping = 0.4
length = 2
[[sensor]]
name = "travel"
travel = "rail"
[[sensor]]
name = "force"
force = "k"
[[sensor]]
name = "acceleration"
acceleration = "s"
axis = "x"
[time]
step = 0.01
steps = 1
)toml";
  for (const char* scheme : {"energy-momentum-exact", "trapezoidal", "generalized-alpha-1", "bathe"}) {
    SCOPED_TRACE(scheme);
    const RunResult r = result_of(text, *find_scheme(scheme), 0.01, 0.5);
    EXPECT_NEAR(r.sensors[0].final, r.state.q[0] - 1, 1e-13);
    EXPECT_NEAR(r.sensors[1].final, 30 * (r.state.q[0] - 1) + 0.4 * r.state.v[0], 1e-11);
    EXPECT_NEAR(2 * r.sensors[2].final, -r.sensors[1].final, 1e-11);
    EXPECT_GT(std::abs(r.sensors[1].final), 0.1);
  }
}

}  // namespace run_accounts
}  // namespace trompo
