// The equations at rest: their tangent against differences, in places that are no equilibria.
#include "trompo/scheme/static_balance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/scheme/free_motions.hpp"

namespace trompo {
namespace scheme_static_balance {

const std::string time_text = "[time]\nscheme = \"energy-momentum-exact\"\nstep = 0.1\nsteps = 1\n";

// Everything that has a tangent of its own: a rod, a body about a fixed point, joints, springs, bars, loads that follow.
const char* const everything = R"(
gravity = [1, 2, -9.81]
[[node]]
name = "a"
position = [0, 3, 0]
fixed = true
[[node]]
name = "b"
position = [1, 3, 0.5]
mass = 1
[[bar]]
name = "bar"
nodes = ["a", "b"]
EA = 100
length = 1
[[rod]]
name = "rod"
from = [0, 0, 0]
to = [2, 0, 1]
elements = 3
EA = 1e3
GA = [500, 700]
GJ = 20
EI = [30, 40]
density = 1
clamped = "from"
[[body]]
name = "paddle"
mass = 2
inertia = [0.1, 0.2, 0.25]
position = [2.3, 0.1, 1]
orientation = { axis = [1, 2, 3], degrees = 20 }
[[body]]
name = "top"
mass = 1
inertia = [0.3, 0.3, 0.1]
fixed_point = [0, -2, 0]
centre = [0, 0.1, 0.4]
orientation = { axis = [1, 0, 0], degrees = 35 }
[[joint]]
name = "hinge"
bodies = ["rod.3", "paddle"]
hinge = { axis = [0, 1, 0], at = [2, 0, 1] }
stiffness = 3
[[joint]]
name = "stick"
bodies = ["top", "paddle"]
distance = { from = [0, -2, 1], at = [2.4, 0.2, 1.1] }
[[spring]]
name = "spring"
from = { node = "b" }
to = { body = "paddle", point = [0.1, 0.2, 0.3] }
stiffness = 50
length = 1.5
[[load]]
name = "follower"
body = "paddle"
force = [3, -4, 5]
point = [0.1, -0.2, 0.3]
follower = true
[[load]]
name = "torque"
body = "rod.2"
torque = [1, 2, 3]
[[load]]
name = "dead"
body = "rod.1"
force = [1, 2, 3]
point = [0, 0.3, 0.1]
)";

void expect_exact_tangent(StaticBalance& balance) {
  balance.evaluate(true);
  const int n = balance.reduction().unknowns();
  Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(n, n);
  balance.reduction().pattern().each(
      [&](int row, int column, int place) { tangent(row, column) = balance.tangent().values()[place]; });
  const State here = balance.state();
  const VecX multipliers = balance.multipliers();
  constexpr double h = 1e-6;
  for (int u = 0; u < n; ++u) {
    VecX difference = VecX::Zero(n);
    for (const double sign : {1.0, -1.0}) {
      balance.take(here, multipliers);
      balance.move(-sign * h * VecX::Unit(n, u));
      balance.evaluate(false);
      difference += sign * balance.residual() / (2 * h);
    }
    EXPECT_LE((difference - tangent.col(u)).cwiseAbs().maxCoeff(), 1e-7 * (1 + tangent.cwiseAbs().maxCoeff()))
        << balance.reduction().name(u);
  }
  const double factor = balance.factor();
  balance.take(here, multipliers);
  balance.evaluate(false);
  const VecX before = balance.residual(), slope = balance.load_slope();
  balance.load(factor + 0.5, 0);
  balance.evaluate(false);
  EXPECT_LE((balance.residual() - before - 0.5 * slope).cwiseAbs().maxCoeff(), 1e-12 * (1 + before.cwiseAbs().maxCoeff()));
}

TEST(StaticBalance, TangentOfEverythingIsExactEverywhere) {
  for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
    SCOPED_TRACE(formulation);
    const Model model =
        parse_model("formulation = \"" + std::string(formulation) + "\"\n" + everything + time_text, "everything");
    const System system(model);
    StaticBalance balance(system);
    VecX multipliers(system.multipliers());
    for (int k = 0; k < multipliers.size(); ++k) multipliers[k] = 3 * std::sin(1 + 2.0 * k);
    balance.take(given_state(model, system), multipliers);
    balance.load(0.7, 0);
    VecX away(balance.reduction().unknowns());
    for (int u = 0; u < away.size(); ++u) away[u] = u < balance.moving() ? 0.1 * std::sin(2 + 3.0 * u) : 0;
    balance.move(away);
    expect_exact_tangent(balance);
    EXPECT_FALSE(balance.symmetric());  // one load follows, and nothing is in balance
  }
}

TEST(StaticBalance, MultipliersThatAreGuessedCarryWhatJointsCarry) {
  const Model model = parse_model(
      "gravity = [0, 0, -9.81]\n[[body]]\nname = \"block\"\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\nname = \"wall\"\n"
      "bodies = [\"ground\", \"block\"]\nweld = { at = [1, 0, 0] }\n" +
          time_text,
      "block");
  const System system(model);
  StaticBalance balance(system);
  balance.take(given_state(model, system), {});
  balance.load(1, 0);
  ASSERT_TRUE(balance.guess_multipliers());
  balance.evaluate(true);
  EXPECT_LE(balance.residual().cwiseAbs().maxCoeff(), 1e-12);
  VecX scratch = VecX::Zero(system.coordinates());
  const Reaction r = system.reaction(0, balance.state().q, balance.state().v, balance.multipliers(), scratch);
  EXPECT_LE((r.force - Vec3(0, 0, 2 * 9.81)).norm(), 1e-12);
  EXPECT_LE((r.torque - Vec3(0, 2 * 9.81, 0)).norm(), 1e-12);
  EXPECT_TRUE(balance.symmetric());
  EXPECT_EQ(balance.unstable_directions(), 0);
  EXPECT_EQ(in_words(balance, free_motions(balance)), "");
}

// A torque that follows has no potential, however stiff the rod is along its axis beside it.
TEST(StaticBalance, SmallMomentsThatFollowAreSeenBesideStiffAxes) {
  const auto symmetric = [](const std::string& load) {
    const Model model = parse_model(
        "[[rod]]\nname = \"rod\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 80\nEA = 1e9\nGA = 1e9\nGJ = 10\nEI = 10\n"
        "density = 1\nclamped = \"from\"\n[[load]]\nname = \"end\"\nbody = \"rod.80\"\n" +
            load + time_text,
        "rod");
    const System system(model);
    StaticBalance balance(system);
    balance.take(given_state(model, system), {});
    balance.load(1, 0);
    balance.evaluate(true);
    return balance.symmetric();
  };
  EXPECT_FALSE(symmetric("torque = [0, 1, 0]\n"));
  EXPECT_TRUE(symmetric("force = [0, 0, 0]\n"));
}

// The inverted pendulum and its twin that hangs.
TEST(StaticBalance, CountsUnstableDirections) {
  for (const double up : {1.0, -1.0}) {
    const Model model = parse_model(
        "gravity = [0, 0, -9.81]\n[[body]]\nname = \"bob\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [0, 0, " +
            std::to_string(up) + "]\n[[joint]]\nname = \"pivot\"\nbodies = [\"ground\", \"bob\"]\nball = { at = [0, 0, 0] }\n" +
            time_text,
        "pendulum");
    const System system(model);
    StaticBalance balance(system);
    balance.take(given_state(model, system), {});
    balance.load(1, 0);
    ASSERT_TRUE(balance.guess_multipliers());
    balance.evaluate(true);
    EXPECT_EQ(balance.unstable_directions(), up > 0 ? 2 : 0);
    EXPECT_EQ(in_words(balance, free_motions(balance)), "bob about z");
  }
}

}  // namespace scheme_static_balance
}  // namespace trompo
