// What modes cannot see is said, and refused where they would be wrong.
#include "trompo/run/modes_scope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/modes.hpp"

namespace trompo {
namespace run_modes_scope {

struct Found {
  std::vector<Mode> modes;
  std::string remarks, refusal;
};
Found asked(const std::string& text, About about = About::start) {
  const Model model = parse_model(text + "[statics]\nsteps = 4\n", "modes.toml");
  Found found;
  try {
    const ModesResult result = find_modes(model, System(model), 4, about);
    found.modes = result.modes;
    for (const std::string& remark : result.remarks) found.remarks += remark + "\n";
  } catch (const ModelError& error) {
    found.refusal = error.what();
  }
  return found;
}
bool says(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

const std::string mass_and_spring =
    "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"b\"\nposition = [1, 0, 0]\nmass = 1\n"
    "fixed_axes = [\"y\", \"z\"]\n";

TEST(ModesScope, NothingIsSaidOfAModelAtRest) {
  const Found f = asked(mass_and_spring + "[[spring]]\nname = \"s\"\nnodes = [\"a\", \"b\"]\nstiffness = 4\n");
  ASSERT_EQ(f.modes.size(), 1U);
  EXPECT_NEAR(f.modes[0].frequency, 2, 1e-12);
  EXPECT_EQ(f.remarks, "");
}

// Of whatever kind: each makes the modes complex, by as much as it resists.
TEST(ModesScope, DampersOfEveryKindCount) {
  const auto ratio = [](const Found& f) { return f.modes.at(0).damping_ratio(); };
  const Found spring =
      asked(mass_and_spring + "[[spring]]\nname = \"s\"\nnodes = [\"a\", \"b\"]\nstiffness = 4\ndamping = 1\n");
  EXPECT_NEAR(ratio(spring), 0.25, 1e-12);
  EXPECT_EQ(spring.remarks, "");
  const Found rayleigh = asked("[rayleigh]\nmass = 0.1\nstiffness = 0.2\n" + mass_and_spring +
                               "[[spring]]\nname = \"s\"\nnodes = [\"a\", \"b\"]\nstiffness = 4\n");
  EXPECT_NEAR(ratio(rayleigh), (0.1 + 0.2 * 4) / 4, 1e-12);
  const Found coordinate = asked("[[coordinate]]\nname = \"u\"\ninertia = 1\npotential = \"u^2\"\ndamping = 0.3\n");
  EXPECT_NEAR(ratio(coordinate), 0.3 / (2 * std::sqrt(2)), 1e-12);
  const std::string plate =
      "[[body]]\nname = \"p\"\nmass = 1\nshape = { box = [1, 1, 1] }\n[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"p\"]\n";
  const Found hinge = asked(plate + "hinge = { at = [0, 0, 0], axis = [0, 0, 1] }\nstiffness = 1\ndamping = 0.1\n");
  EXPECT_NEAR(ratio(hinge), 0.1 / (2 * std::sqrt(1.0 / 6)), 1e-12);
  const Found bushing = asked(plate +
                              "bushing = { at = [0, 0, 0] }\nstiffness_along = [1, 1, 1]\nstiffness_about = [0.1, 0.1, 0.1]\n"
                              "damping_about = [0, 0.01, 0]\n");
  EXPECT_EQ(std::count_if(bushing.modes.begin(), bushing.modes.end(), [](const Mode& m) { return m.growth < 0; }), 1);
}

TEST(ModesScope, GivenMotionsAreHeld) {
  const Found f = asked(
      "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nmotion = { x = \"sin(t)\" }\nfixed_axes = [\"y\", \"z\"]\n"
      "[[node]]\nname = \"b\"\nposition = [1, 0, 0]\nmass = 1\nfixed_axes = [\"y\", \"z\"]\n"
      "[[spring]]\nname = \"s\"\nnodes = [\"a\", \"b\"]\nstiffness = 4\n");
  EXPECT_NEAR(f.modes.at(0).frequency, 2, 1e-12);
  EXPECT_TRUE(says(f.remarks, "motions are held where they are at t = 0: of node 'a'")) << f.remarks;
}

TEST(ModesScope, ATopThatIsNotSteadyIsRefused) {
  const Model top = read_model(places::source("examples/top.toml"));
  EXPECT_THROW((void)find_modes(top, System(top), 3, About::start), ModelError);
  const auto upright = [](const char* spin) {
    return asked(
        std::string("gravity = [0, 0, -9.81]\n[[body]]\nname = \"top\"\nmass = 1\ninertia = [0.3, 0.3, 0.1]\nfixed_point = "
                    "[0, 0, 0]\ncentre = [0, 0, 0.5]\nangular_velocity = ") +
        spin + "\n");
  };
  EXPECT_EQ(upright("[0, 0, 50]").refusal, "");
  EXPECT_TRUE(says(upright("[0.01, 0, 50]").refusal, "body 'top' turns at the start")) << upright("[0.01, 0, 50]").refusal;
  // At rest it falls, and with a push too.
  EXPECT_GT(upright("[0, 0, 0]").modes.at(0).growth, 1);
  EXPECT_GT(upright("[0.1, 0, 0]").modes.at(0).growth, 1) << upright("[0.1, 0, 0]").refusal;
}

// What flies, turns on a hinge, or as a rod: modes about that if it is steady, else a reason.
TEST(ModesScope, WhateverGoesOnTurningIsSeenInItsMotion) {
  const std::string free = "[[body]]\nname = \"p\"\nmass = 1\nshape = { box = [1, 2, 3] }\n";
  const std::string hinge =
      "[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"p\"]\nhinge = { at = [0, 0, 0], axis = [0, 0, 1] }\n";
  EXPECT_TRUE(says(asked(free + "angular_velocity = [0, 0, 1]\n").remarks, "turn with it at 1 rad/s"));
  EXPECT_TRUE(says(asked(free + "angular_velocity = [0, 0.1, 1]\n").refusal, "body 'p' turns"));
  EXPECT_TRUE(says(asked(free + "angular_velocity = [0, 0, 5]\n" + hinge).remarks, "turn with it at 5 rad/s"));
  EXPECT_TRUE(says(asked(free +
                         "angular_velocity = [0, 0, 5]\nposition = [1, 0, 0]\nvelocity = [0, 5, 0]\n[[body]]\nname = "
                         "\"other\"\nposition = [0, 0, 9]\nmass = 1\nshape = { sphere = 1 }\n" +
                         hinge)
                       .remarks,
                   "turn with it at 5 rad/s"));
  // What stands still beside it and is not round is seen to turn.
  EXPECT_TRUE(says(asked(free +
                         "angular_velocity = [0, 0, 5]\nposition = [1, 0, 0]\nvelocity = [0, 5, 0]\n[[body]]\nname = "
                         "\"other\"\nposition = [7, 0, 0]\nmass = 1\nshape = { box = [1, 2, 3] }\n" +
                         hinge)
                       .refusal,
                   "body 'p' turns"));
  const std::string rod =
      "[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 4\nEA = 100\nGA = 100\nGJ = 1\nEI = 1\n"
      "density = 1\nangular_velocity = [0, 0, 3]\n";
  EXPECT_TRUE(says(asked(rod).refusal, "body 'r.0', body 'r.1'"));  // it is not stretched as its rotation asks for
  EXPECT_TRUE(says(asked(free + "angular_velocity = [0, 0, 3]\n" + hinge + "motion = \"3*t\"\n").remarks, "at 3 rad/s"));
  // Faster and faster.
  EXPECT_TRUE(says(asked(free + "angular_velocity = [0, 0, 3]\n" + hinge + "motion = \"3*t+t^2\"\n").refusal,
                   "joint 'j' turns its body"));
}

TEST(ModesScope, ADriveThatOnlyRocksIsHeld) {
  const Found f = asked(
      "[[body]]\nname = \"p\"\nmass = 1\nshape = { box = [1, 1, 1] }\nangular_velocity = [0, 0, 0.3]\n[[body]]\nname = "
      "\"q\"\nmass = "
      "1\nshape = { box = [1, 1, 1] }\nangular_velocity = [0, 0, 0.3]\n[[joint]]\nname = \"j\"\nbodies = [\"ground\", "
      "\"p\"]\nhinge = "
      "{ at = [0, 0, 0], axis = [0, 0, 1] }\nmotion = \"0.1*sin(3*t)\"\n[[joint]]\nname = \"k\"\nbodies = [\"p\", "
      "\"q\"]\nhinge = { at "
      "= [0, 0, 0], axis = [0, 0, 1] }\nstiffness = 6\n");
  EXPECT_EQ(f.refusal, "");
  ASSERT_EQ(f.modes.size(), 1U);
  EXPECT_NEAR(f.modes[0].frequency, 6, 1e-9);  // I = 1/6
  EXPECT_TRUE(says(f.remarks, "motions are held where they are at t = 0: of joint 'j'")) << f.remarks;
}

// A joint that is held by a drive does not hide what spins behind it.
TEST(ModesScope, AWheelBehindADriveThatHoldsStillSpins) {
  const std::string wheel =
      "[[body]]\nname = \"table\"\nmass = 1\nshape = { box = [1, 1, 1] }\n[[body]]\nname = \"frame\"\nmass = 1\ninertia = "
      "[0.1, 0.1, "
      "0.1]\n[[body]]\nname = \"wheel\"\nmass = 1\ninertia = [0.05, 0.03, 0.03]\nangular_velocity = [100, 0, "
      "0]\n[[joint]]\nname = "
      "\"axle\"\nbodies = [\"ground\", \"table\"]\nhinge = { at = [0, 0, 0], axis = [0, 0, 1] }\nmotion = 0\n[[joint]]\nname = "
      "\"ball\"\nbodies = [\"table\", \"frame\"]\nball = { at = [0, 0, 0] }\n[[joint]]\nname = \"spin\"\nbodies = [\"frame\", "
      "\"wheel\"]\nhinge = { at = [0, 0, 0], axis = [1, 0, 0] }\n";
  const Found f = asked(wheel);
  EXPECT_EQ(f.refusal, "");
  EXPECT_TRUE(says(f.remarks, "spin up to 100 rad/s")) << f.remarks;
}

TEST(ModesScope, VelocitiesOfNodesAreLeftOutWithARemark) {
  const auto pair = [](const char* first, const char* second) {
    return asked(std::string("[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nmass = 1\nvelocity = ") + first +
                 "\n[[node]]\nname = \"b\"\nposition = [1, 0, 0]\nmass = 1\nvelocity = " + second +
                 "\n[[spring]]\nname = \"s\"\nnodes = [\"a\", \"b\"]\nstiffness = 4\n");
  };
  for (const auto& [a, b] : {std::pair{"[3, 2, 1]", "[3, 2, 1]"}, {"[-0.1, 0, 0]", "[0.1, 0, 0]"}}) {
    const Found f = pair(a, b);
    EXPECT_EQ(f.refusal, "");
    EXPECT_EQ(f.modes.size(), 4U);
    EXPECT_TRUE(says(f.remarks, "velocities at the start are left out")) << f.remarks;
  }
  // As drawn its spring does not hold it together: no steady motion.
  EXPECT_TRUE(says(pair("[0, -1, 0]", "[0, 1, 0]").remarks, "velocities at the start are left out"));
}

// The start of a vibration: said, not refused.
TEST(ModesScope, APushIsNoSpin) {
  const std::string pendulum =
      "gravity = [0, 0, -9.81]\n[[body]]\nname = \"p\"\nmass = 1\nshape = { box = [0.1, 0.1, 1] }\nposition = [0, 0, "
      "-0.5]\nvelocity = "
      "[0.5, 0, 0]\nangular_velocity = [0, -1, 0]\n[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"p\"]\nhinge = { at = [0, "
      "0, 0], "
      "axis = [0, 1, 0] }\n";
  const Found f = asked(pendulum);
  EXPECT_EQ(f.refusal, "");
  ASSERT_EQ(f.modes.size(), 1U);
  EXPECT_NEAR(f.modes[0].frequency, std::sqrt(9.81 * 0.5 / (0.25 + 1.01 / 12)), 1e-9);
  EXPECT_TRUE(says(f.remarks, "velocities at the start are left out")) << f.remarks;
  // Fast enough to go over the top it goes on.
  std::string fast = pendulum;
  fast.replace(fast.find("[0.5, 0, 0]"), 11, "[15, 0, 0]").replace(fast.find("[0, -1, 0]"), 10, "[0, -30, 0]");
  EXPECT_TRUE(says(asked(fast).refusal, "body 'p' turns"));
}

}  // namespace run_modes_scope
}  // namespace trompo
