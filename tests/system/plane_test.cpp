// Plane problems with bodies, joints and rods: the motion of the same model in space, closed forms, what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/modes.hpp"
#include "trompo/run/run.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {
namespace system_plane {

constexpr double pi = std::numbers::pi;

// Whatever joints and loads there are, in the x-y plane: in a loop and outside of it.
constexpr const char* machine = R"toml(
gravity = [0, -9.81, 0]
[[body]]
name = "crank"
mass = 1
inertia = [[0.02, 0.005, 0], [0.005, 0.1, 0], [0, 0, 0.11]]
position = [0, 0.15, 0]
orientation = { axis = [0, 0, 1], degrees = 90 }
angular_velocity = [0, 0, 3]
[[body]]
name = "rod"
mass = 1.5
shape = { box = [0.8, 0.05, 0.05] }
position = [0.375, 0.15, 0]
orientation = { axis = [0, 0, 1], degrees = -21.80140948635181 }
[[body]]
name = "slider"
mass = 1
shape = { box = [0.1, 0.05, 0.05] }
position = [0.75, 0, 0]
[[body]]
name = "arm"
mass = 0.7
shape = { cylinder = [0.05, 0.4] }
position = [0.75, 0.3, 0]
orientation = { axis = [1, 0, 0], degrees = 90 }
[[body]]
name = "fin"
mass = 0.3
inertia = [0.01, 0.02, 0.025]
position = [0.75, 0.6, 0]
[[body]]
name = "ball"
mass = 0.4
inertia = [0.01, 0.01, 0.01]
position = [1.4, 0.4, 0]
velocity = [0.2, -0.1, 0]
angular_velocity = [0, 0, 2]
[[joint]]
name = "A"
bodies = ["ground", "crank"]
hinge = { axis = [0, 0, 1], at = [0, 0, 0] }
damping = 0.01
[[joint]]
name = "B"
bodies = ["crank", "rod"]
hinge = { axis = [0, 0, 1], at = [0, 0.3, 0] }
[[joint]]
name = "C"
bodies = ["rod", "slider"]
hinge = { axis = [0, 0, 1], at = [0.75, 0, 0] }
[[joint]]
name = "D"
bodies = ["ground", "slider"]
prismatic = { axis = [1, 0, 0], at = [0.75, 0, 0] }
stiffness = 30
[[joint]]
name = "E"
bodies = ["slider", "arm"]
ball = { at = [0.75, 0.1, 0] }
stiffness = 4
rest = "as drawn"
[[joint]]
name = "F"
bodies = ["arm", "fin"]
weld = { at = [0.75, 0.5, 0] }
[[joint]]
name = "G"
bodies = ["fin", "ball"]
distance = { from = [0.75, 0.6, 0], at = [1.4, 0.4, 0] }
[[spring]]
name = "s"
from = { body = "ball", point = [0.1, 0, 0] }
to = { ground = [2, 0, 0] }
stiffness = 20
damping = 0.1
[[load]]
name = "t"
body = "ball"
torque = [0, 0, "0.1*sin(3*t)"]
[[load]]
name = "m"
body = "crank"
moment = [0, 0, 0.3]
[[load]]
name = "f"
body = "arm"
force = [0, 0, 1]
follower = true
[newton]
tolerance = 1e-13
)toml";

// A cantilever, thrown and pushed at its end.
std::string beam(const char* more) {
  return std::string(R"toml(
[[rod]]
name = "beam"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 4
EA = 1e3
GA = 1e3
GJ = 10
EI = 1
density = 1
clamped = "from"
)toml") + more;
}

struct Way {
  const char *formulation, *scheme;
};
constexpr Way ways[] = {{"directors", "energy-momentum-exact"},
                        {"rotation", "energy-momentum-exact"},
                        {"directors", "generalized-alpha-1"},
                        {"directors", "generalized-alpha-2"},
                        {"directors", "newmark"},
                        {"directors", "midpoint"},
                        {"directors", "bathe"},
                        {"directors", "krenk"},
                        {"directors", "gem"},
                        {"directors", "energy-momentum"},
                        {"rotation", "discrete-gradient"},
                        {"directors", "energy-decay"}};
std::string time(const Way& way, double step, double end) {
  return fmt::format("[time]\nscheme = \"{}\"\nstep = {}\nend = {}\n", way.scheme, step, end);
}
RunResult moved(const std::string& plane, const Way& way, const std::string& text) {
  const Model model = parse_model(plane + "formulation = \"" + way.formulation + "\"\n" + text, "m");
  for (const Diagnostic& d : check(model)) EXPECT_NE(d.severity, Diagnostic::Severity::error) << d.message;
  RunResult result = run(model);
  EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
  return result;
}

TEST(Plane, AMachineMovesAsInSpace) {
  for (const Way& way : ways) {
    SCOPED_TRACE(std::string(way.formulation) + " " + way.scheme);
    const std::string timed = machine + time(way, 0.005, 0.5) + "initial_projection = true\n";
    const RunResult flat = moved("plane = \"xy\"\n", way, timed), space = moved("", way, timed);
    ASSERT_EQ(flat.state.rotations.size(), 6U);
    constexpr double rounding = 1e-10;
    EXPECT_LT((flat.state.q.head(72) - space.state.q.head(72)).cwiseAbs().maxCoeff(), rounding);
    EXPECT_LT((flat.state.v.head(72) - space.state.v.head(72)).cwiseAbs().maxCoeff(), 100 * rounding);
    for (int b = 0; b < 6; ++b) EXPECT_EQ(flat.state.q[12 * b + 2], 0);
    EXPECT_NEAR(flat.total.final, space.total.final, 1e-8);
    EXPECT_LT(flat.constraint_error_max, 1e-6);
  }
}

// What products of inertia would do across the plane it bears.
TEST(Plane, ProductsOfInertiaThatTheHingesBearInSpaceDoNothing) {
  std::string tilted = machine;
  const std::string plain = "[[0.02, 0.005, 0], [0.005, 0.1, 0], [0, 0, 0.11]]";
  tilted.replace(tilted.find(plain), plain.size(), "[[0.02, 0.005, 0.003], [0.005, 0.1, 0.001], [0.003, 0.001, 0.11]]");
  const Way way{"rotation", "energy-momentum-exact"};
  const std::string timed = tilted + time(way, 0.005, 0.5) + "initial_projection = true\n";
  const RunResult flat = moved("plane = \"xy\"\n", way, timed), space = moved("", way, timed);
  EXPECT_LT((flat.state.q.head(72) - space.state.q.head(72)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Plane, RodsMoveAsInSpace) {
  for (const Way& way : ways) {
    SCOPED_TRACE(std::string(way.formulation) + " " + way.scheme);
    const std::string text = beam("[[load]]\nname = \"p\"\nbody = \"beam.4\"\nforce = [0, \"3*sin(5*t)\", 0]\n") +
                             "[newton]\ntolerance = 1e-13\n" + time(way, 0.002, 0.1);
    const RunResult flat = moved("plane = \"xy\"\n", way, text), space = moved("", way, text);
    EXPECT_LT((flat.state.q.head(60) - space.state.q.head(60)).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_GT(std::abs(flat.state.q[48 + 1]), 1e-3);
  }
}

TEST(Plane, SlidesAreDrivenAsInSpace) {
  const Way way{"directors", "energy-momentum-exact"};
  const std::string text = R"toml(
[[body]]
name = "a"
mass = 1
inertia = [1, 1, 1]
[[body]]
name = "b"
mass = 1
inertia = [1, 1, 1]
position = [1, 0, 0]
[[joint]]
name = "p"
bodies = ["ground", "a"]
prismatic = { axis = [1, 0, 0], at = [0, 0, 0] }
motion = "0.1*(1-cos(3*t))"
[[joint]]
name = "c"
bodies = ["a", "b"]
cylindrical = { axis = [0, 1, 0], at = [1, 0, 0] }
travel_motion = "0.2*(1-cos(2*t))"
)toml" + time(way, 0.01, 1);
  const RunResult flat = moved("plane = \"xy\"\n", way, text), space = moved("", way, text);
  EXPECT_NEAR(flat.state.q[12], 1 + 0.1 * (1 - std::cos(3.0)), 1e-10);
  EXPECT_NEAR(flat.state.q[13], 0.2 * (1 - std::cos(2.0)), 1e-10);
  EXPECT_LT((flat.state.q.head(24) - space.state.q.head(24)).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_NEAR(flat.ledger.support_work(), space.ledger.support_work(), 1e-12);
}

// A pendulum in every plane; as drawn it hangs along the second axis.
TEST(Plane, EveryPlaneIsAsGood) {
  for (const auto& [plane, axis, level, down] : {std::tuple{"xy", "[0, 0, 1]", "[0.5, 0, 0]", "[0, -10, 0]"},
                                                 {"xz", "[0, 1, 0]", "[0.5, 0, 0]", "[0, 0, -10]"},
                                                 {"yz", "[1, 0, 0]", "[0, 0.5, 0]", "[0, 0, -10]"}}) {
    const std::string text = fmt::format(
        "gravity = {}\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.1, 0.1, 0.1]\nposition = {}\n[[joint]]\nname = \"h\"\n"
        "bodies = [\"ground\", \"b\"]\nhinge = {{ axis = {}, at = [0, 0, 0] }}\n",
        down, level, axis);
    const Way way{"directors", "energy-momentum-exact"};
    const RunResult r = moved(fmt::format("plane = \"{}\"\n", plane), way, text + time(way, 0.001, 0.3));
    // J theta'' = -m g l cos(theta) from level: the speed by its energy.
    const double J = 0.1 + 2 * 0.25, w = r.state.rotations[0].angular_velocity.norm();
    EXPECT_NEAR(0.5 * J * w * w,
                -2 * Vec3(r.state.q.head<3>()).dot(Vec3(0, plane[1] == 'y' ? 10 : 0, plane[1] == 'y' ? 0 : 10)),
                1e-6);  // but for the velocity-level error
    EXPECT_GT(w, 1);
    const System system(parse_model(fmt::format("plane = \"{}\"\n", plane) + text + time(way, 0.001, 0.3), "m"));
    EXPECT_EQ(system.freedoms(), 3);
    EXPECT_EQ(system.multipliers(), 2);
  }
}

// Under a moment a rod is a true arc, whatever its elements.
TEST(Plane, ARodRollsUpInThePlane) {
  const double phi = 1.5;
  const Model model = parse_model(
      "plane = \"xy\"\n" + beam("[[load]]\nname = \"M\"\nbody = \"beam.4\"\nmoment = [0, 0, 1.5]\n") + "[statics]\nsteps = 5\n",
      "m");
  const StaticResult r = solve_statics(model);
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  EXPECT_NEAR(r.run.state.q[48], std::sin(phi) / phi, 1e-9);
  EXPECT_NEAR(r.run.state.q[49], (1 - std::cos(phi)) / phi, 1e-9);
  EXPECT_EQ(r.unstable == 0 || r.unstable == -1, true);
}

TEST(Plane, ModesAreThoseInThePlane) {
  // A body on three springs in the plane has three; in space others of no stiffness too.
  const std::string body =
      "[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n[[spring]]\nname = \"x\"\nfrom = { body = \"b\" }\nto = { "
      "ground "
      "= [0, 0, 0] }\nstiffness_along = [50, 80, 0]\n[[joint]]\nname = \"t\"\nbodies = [\"ground\", \"b\"]\nbushing = { at = "
      "[0, 0, "
      "0] }\nstiffness_about = [0, 0, 6]\n[statics]\nsteps = 1\n";
  const Model model = parse_model("plane = \"xy\"\n" + body, "m");
  const ModesResult r = find_modes(model, System(model), 10, About::start);
  ASSERT_EQ(r.modes.size(), 3U);
  EXPECT_NEAR(r.modes[0].frequency, std::sqrt(20), 1e-7);
  EXPECT_NEAR(r.modes[1].frequency, 5, 1e-7);
  EXPECT_NEAR(r.modes[2].frequency, std::sqrt(40), 1e-7);
}

TEST(Plane, WhatIsFreeIsNamedInThePlane) {
  const Model model = parse_model(
      "plane = \"xy\"\ngravity = [0, -9.81]\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n[statics]\nsteps = "
      "1\n",
      "m");
  const StaticResult r = solve_statics(model);
  EXPECT_FALSE(r.done());
  EXPECT_NE(r.run.failure.account.find("along x and y"), std::string::npos) << r.run.failure.account;
  EXPECT_EQ(r.run.failure.account.find("along x, y and z"), std::string::npos) << r.run.failure.account;
}

TEST(Plane, WhatLeavesItIsRefused) {
  const auto said = [](const std::string& more) {
    std::string all;
    try {
      const Model model = parse_model("plane = \"xy\"\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [0.1, 0.2, 0.3]\n" + more +
                                          "[time]\nstep = 0.01\nend = 1\nscheme = \"bathe\"\n",
                                      "m");
      for (const Diagnostic& d : check(model))
        if (d.severity == Diagnostic::Severity::error) all += d.message + "\n";
    } catch (const ModelError& error) {
      for (const Diagnostic& d : error.diagnostics) all += d.message + "\n";
    }
    return all;
  };
  EXPECT_EQ(said("position = [1, 2]\nvelocity = [1, 0]\nangular_velocity = [0, 0, 3]\n"), "");
  for (
      const auto& [more, part] : {
          std::pair{"position = [0, 0, 1]\n", "'position' of body 'b' leaves the plane: its z is 1"},
          {"velocity = [0, 0, 1]\n", "'velocity' of body 'b' leaves the plane"},
          {"angular_velocity = [1, 0, 0]\n", "`angular_velocity` of body 'b' leaves the plane"},
          {"orientation = { axis = [1, 0, 0], degrees = 30 }\n", "no axis of body 'b' is along the normal"},
          {"[[load]]\nname = \"l\"\nbody = \"b\"\nforce = [0, 0, 1]\n", "the force of load 'l' leaves the plane along z"},
          {"[[load]]\nname = \"l\"\nbody = \"b\"\nmoment = [1, 0, 0]\n", "the moment of load 'l' leaves the plane along x"},
          {"[[load]]\nname = \"l\"\nbody = \"b\"\ntorque = [0, \"t\", 0]\n", "the torque of load 'l' leaves the plane along y"},
          {"[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"b\"]\nhinge = { axis = [1, 0, 1], at = [0, 0] }\n",
           "`axis` of joint 'j' is neither along the normal"},
          {"[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"b\"]\nhinge = { axis = [1, 0, 0], at = [0, 0] }\nmotion = \"t\"\n",
           "joint 'j' is driven about an axis in the plane"},
          {"[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"b\"]\nball = { at = [0, 0, 1] }\n",
           "`at` of joint 'j' leaves the plane"},
      })
    EXPECT_NE(said(more).find(part), std::string::npos) << more << said(more);
}

}  // namespace system_plane
}  // namespace trompo
