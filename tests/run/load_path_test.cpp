// Load paths: that they stay on one branch, whatever the steps, and say so where they cannot.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/long_run.hpp"
#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/modes.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {
namespace run_load_path {

// Clamped at its foot, pressed from above and pushed aside a little.
std::string column(double aside, const std::string& more = "[statics]\n") {
  return fmt::format(
      "[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [0, 0, 1]\nclamped = \"from\"\nelements = 20\nEA = 1e6\nGA = 1e6\n"
      "GJ = 10\nEI = 10\ndensity = 1\n[[load]]\nname = \"P\"\nbody = \"r.20\"\nforce = [0, 0, -30]\n"
      "[[load]]\nname = \"aside\"\nbody = \"r.20\"\nforce = [{}, 0, 0]\n"
      "[[sensor]]\nname = \"tip\"\nposition = \"r.20\"\naxis = \"x\"\n{}",
      aside, more);
}
std::vector<std::string> by(const std::string& method, int steps) {
  return {"statics.method=\"" + method + "\"", fmt::format("statics.steps={}", steps)};
}
constexpr const char* both[] = {"load", "arc-length"};

// The elastica that bends to the side of the push: theta' = k, EI k' = -P sin(theta) - H cos(theta), k = 0 at the tip. The
// curvature at the foot is bisected from where the tip still bends on.
double elastica_tip(double EI, double P, double H) {
  double x = 0;
  const auto tip_curvature = [&](double root) {
    constexpr int steps = 1000;
    constexpr double h = 1.0 / steps;
    Vec3 u(0, root, 0);  // theta, k, x
    const auto rate = [&](const Vec3& s) {
      return Vec3(s[1], -(P * std::sin(s[0]) + H * std::cos(s[0])) / EI, std::sin(s[0]));
    };
    for (int i = 0; i < steps; ++i) {
      const Vec3 a = rate(u), b = rate(u + 0.5 * h * a), c = rate(u + 0.5 * h * b), d = rate(u + h * c);
      u += h / 6 * (a + 2 * b + 2 * c + d);
    }
    x = u[2];
    return u[1];
  };
  double low = 1, high = 4;
  EXPECT_LT(tip_curvature(low) * tip_curvature(high), 0);
  for (int i = 0; i < 60; ++i) (tip_curvature(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
  return x;
}

TEST(LoadPath, AColumnBendsAsTheElasticaWhateverTheSteps) {
  const double exact = elastica_tip(10, 30, 0.01);
  EXPECT_NEAR(exact, 0.6639, 1e-4);
  for (const char* method : both)
    for (const int steps : {1, 5, 10, 20, 37}) {
      const StaticResult r = solve_statics(parse_model(column(0.01), "column", by(method, steps)));
      ASSERT_TRUE(r.done()) << method << steps << r.run.failure.account;
      EXPECT_NEAR(r.run.sensors[0].final, exact, 0.006 * exact) << method << " " << steps;  // 20 elements
      EXPECT_EQ(r.unstable, 0);
    }
}

// Pushed by so little, the corner of the path is sharper than the shortest load step. It ends before it, as does a start.
TEST(LoadPath, ACornerThatIsTooSharpForLoadStepsEndsIt) {
  for (const double aside : {1e-4, 1e-6, -1e-6, 1e-9}) {
    const StaticResult r = solve_statics(parse_model(column(aside), "column", by("load", 1)));
    EXPECT_EQ(r.run.status, Status::not_converged) << aside;
    EXPECT_NEAR(r.factor, 0.8225, 1e-3);  // 24.67 of 30: Euler's load
    EXPECT_NE(r.run.failure.account.find("another path"), std::string::npos) << r.run.failure.account;
    EXPECT_NE(r.run.failure.account.find("beyond load factor 0.82"), std::string::npos) << r.run.failure.account;
  }
  const Model m =
      parse_model(column(1e-6,
                         "[statics]\nsteps = 1\n[time]\nscheme = \"energy-momentum-exact\"\nstep = 0.01\nsteps = 2\n"
                         "initial_state = \"equilibrium\"\n"),
                  "column");
  EXPECT_THROW((void)initial_state(m, System(m)), ModelError);
  EXPECT_THROW((void)find_modes(m, System(m), 1, About::equilibrium), ModelError);
}

TEST(LoadPath, TheStraightColumnStaysStraightAndIsCalledUnstable) {
  for (const char* method : both)
    for (const int steps : {1, 8, 20}) {
      const StaticResult r = solve_statics(parse_model(column(0), "column", by(method, steps)));
      ASSERT_TRUE(r.done()) << r.run.failure.account;
      EXPECT_EQ(r.run.sensors[0].final, 0);
      EXPECT_EQ(r.unstable, 2);
      ASSERT_EQ(r.remarks.size(), 1U);
      EXPECT_NE(r.remarks[0].find("loses stability between load factors 0.82"), std::string::npos) << r.remarks[0];
      EXPECT_NE(r.remarks[0].find("branches off"), std::string::npos) << r.remarks[0];
    }
}

// Clamped at both ends, one of which comes nearer by a tenth: through `time` the loads do not say where the path leads. The
// deflection is that of the elastica, less what the rod is pressed and sheared: by 32 elements of three nodes.
TEST(LoadPath, ARodBetweenEndsThatComeNearerBendsToWhereItIsPushed) {
  for (const double push : {0.5, -0.5})
    for (const int steps : {1, 4, 10}) {
      const StaticResult r = solve_statics(parse_model(
          fmt::format("[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [0, 0, 1]\nclamped = \"from\"\nelements = 16\nEA = 1e5\n"
                      "GA = 1e5\nGJ = 10\nEI = 10\ndensity = 1\n[[joint]]\nname = \"end\"\nbodies = [\"ground\", \"r.16\"]\n"
                      "prismatic = {{ axis = [0, 0, 1], at = [0, 0, 1] }}\nmotion = \"-0.1*t^2\"\n[[load]]\nname = \"push\"\n"
                      "body = \"r.8\"\nforce = [{}, 0, 0]\n[[sensor]]\nname = \"x\"\nposition = \"r.8\"\naxis = \"x\"\n"
                      "[statics]\nsteps = {}\ntime = 1\n",
                      push, steps),
          "rod"));
      ASSERT_TRUE(r.done()) << r.run.failure.account;
      EXPECT_NEAR(r.run.sensors[0].final, std::copysign(0.191114, push), 2e-4);
      EXPECT_EQ(r.unstable, 0);
    }
}

// ---- snap-through, in closed form: P = EA / L^3 y (h^2 - y^2) ----

const char* const two_bars = R"(plane = "xy"
[[node]]
name = "l"
position = [-1, 0]
fixed = true
[[node]]
name = "r"
position = [1, 0]
fixed = true
[[node]]
name = "t"
position = [0, 0.2]
mass = 1
[[bar]]
name = "b1"
nodes = ["l", "t"]
EA = 1000
strain = "green"
[[bar]]
name = "b2"
nodes = ["r", "t"]
EA = 1000
strain = "green"
[[load]]
name = "P"
node = "t"
force = [0, -10]
[[sensor]]
name = "y"
position = "t"
axis = "y"
[statics]
)";
double force_of(double y) { return 100 / std::pow(1.04, 1.5) * y * (0.04 - y * y); }
const double limit = force_of(0.2 / std::sqrt(3.0));

StaticResult two_bars_to(double factor, const char* method, int steps) {
  std::vector<std::string> words = by(method, steps);
  words.push_back(fmt::format("statics.factor={}", factor));
  return solve_statics(parse_model(two_bars, "two bars", words));
}

TEST(LoadPath, LoadStepsEndWhereTheTrussWouldSnap) {
  for (const int steps : {1, 2, 3, 5, 10, 33}) {
    for (const double factor : {0.1, 0.2, 0.28, 0.29}) {
      const StaticResult r = two_bars_to(factor, "load", steps);
      ASSERT_TRUE(r.done()) << factor << r.run.failure.account;
      EXPECT_NEAR(force_of(r.run.sensors[0].final), factor, 1e-9);
      EXPECT_GT(r.run.sensors[0].final, 0.115);  // before the limit
      EXPECT_EQ(r.unstable, 0);
    }
    for (const double factor : {0.291, 0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 20.0, 50.0}) {
      const StaticResult r = two_bars_to(factor, "load", steps);
      EXPECT_EQ(r.run.status, Status::not_converged) << factor << " " << steps;
      EXPECT_LT(r.factor, limit);
      EXPECT_GT(r.factor, limit - 1.1 * factor / steps / 1024) << factor << " " << steps;
      EXPECT_NEAR(force_of(r.run.sensors[0].final), r.factor, 1e-9);  // sensors are of the factor that was reached
    }
    const StaticResult up = two_bars_to(-5, "load", steps);
    ASSERT_TRUE(up.done());
    EXPECT_NEAR(force_of(up.run.sensors[0].final), -5, 1e-8);
  }
}

TEST(LoadPath, ArcLengthComesToTheFactorTheFirstTimeItIsThere) {
  for (const int steps : {1, 2, 5, 10, 33})
    for (const double factor : {0.1, 0.2, 0.28, 0.29, 0.2903, 0.291, 0.3, 1.0, 5.0, 50.0}) {
      const StaticResult r = two_bars_to(factor, "arc-length", steps);
      ASSERT_TRUE(r.done()) << factor << " " << steps << r.run.failure.account;
      const double y = r.run.sensors[0].final;
      EXPECT_NEAR(force_of(y), factor, 1e-8 * std::max(1.0, factor));
      EXPECT_EQ(r.unstable, 0);
      if (factor < limit) {
        EXPECT_GT(y, 0.115) << factor << " " << steps;
        EXPECT_TRUE(r.limit_points.empty());
      } else {
        EXPECT_LT(y, -0.2) << factor << " " << steps;
        ASSERT_EQ(r.limit_points.size(), 2U);
        EXPECT_NEAR(r.limit_points[0], limit, 1e-6 * limit) << steps;
        EXPECT_NEAR(r.limit_points[1], -limit, 1e-6 * limit) << steps;
      }
    }
}

// ---- what ends early ----

TEST(LoadPath, StepsThatAreUsedUpAreNoEnd) {
  Model m = parse_model(column(0.01), "column", by("arc-length", 20));
  m.statics.max_steps = 15;
  const StaticResult r = solve_statics(m);
  EXPECT_EQ(r.run.status, Status::not_converged);
  EXPECT_TRUE(r.loaded());
  EXPECT_GT(r.factor, 0);
  EXPECT_LT(r.factor, 1);
  EXPECT_NE(r.run.failure.account.find(fmt::format("it ends at {:.6g}", r.factor)), std::string::npos);
  EXPECT_NE(r.run.failure.account.find("max_steps = 15"), std::string::npos) << r.run.failure.account;
}

TEST(LoadPath, NothingIsSaidOfAnEquilibriumThatIsNotThere) {
  const StaticResult r =
      solve_statics(parse_model("[[coordinate]]\nname = \"q\"\ninertia = 1\nvalue = 1\npotential = \"exp(q)\"\n"
                                "[[sensor]]\nname = \"s\"\nvalue = \"q\"\n[statics]\n",
                                "downhill for ever"));
  EXPECT_EQ(r.run.status, Status::not_converged);
  EXPECT_FALSE(r.found);
  EXPECT_FALSE(r.loaded());
  EXPECT_EQ(r.unstable, -1);
  EXPECT_TRUE(r.run.sensors.empty());
}

// ---- prestress ----

// The two bars are in balance at heights 0.2 and -0.2, and at 0, which does not hold. Drawn between, they go to their side.
TEST(LoadPath, WhatIsPrestressedStaysOnItsSide) {
  for (const double drawn : {0.01, 0.05, 0.1, 0.11, 0.12, 0.15, 0.19, 0.25, 0.4, -0.05, -0.13}) {
    std::vector<std::string> words{fmt::format("node.t.position=[0,{}]", drawn), "statics.factor=0.01"};
    for (const char* bar : {"b1", "b2"}) words.push_back(fmt::format("bar.{}.length={:.17g}", bar, std::sqrt(1.04)));
    const StaticResult r = solve_statics(parse_model(two_bars, "prestressed", words));
    ASSERT_TRUE(r.done()) << drawn << r.run.failure.account;
    EXPECT_EQ(r.unstable, 0);
    EXPECT_LE(r.run.iterations_max, 50);
    EXPECT_NEAR(r.run.sensors[0].initial, std::copysign(0.2, drawn), 1e-9) << drawn;
  }
}

// ---- where no path leads from the drawing, and paths that stiffen ----

// However it is drawn, but upright: there it is in balance.
TEST(LoadPath, APendulumEndsHanging) {
  for (const double degrees : {1.0, 30.0, 60.0, 89.0, 90.0, 100.0, 135.0, 170.0, 179.0})
    for (const int steps : {1, 2, 10}) {
      const double a = degrees * std::numbers::pi / 180;
      const StaticResult r = solve_statics(parse_model(
          fmt::format(
              "gravity = [0, 0, -9.81]\n[[body]]\nname = \"bob\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [{:.17g}, 0, "
              "{:.17g}]\n[[joint]]\nname = \"pivot\"\nbodies = [\"ground\", \"bob\"]\n"
              "hinge = {{ axis = [0, 1, 0], at = [0, 0, 0] }}\n[statics]\nsteps = {}\n",
              std::sin(a), -std::cos(a), steps),
          "pendulum"));
      ASSERT_TRUE(r.done()) << degrees << r.run.failure.account;
      EXPECT_EQ(r.unstable, 0);
      EXPECT_LE(r.run.iterations_max, 50);
      EXPECT_NEAR(r.run.state.q[2], -1, 1e-9) << degrees << " " << steps;
    }
}

TEST(LoadPath, ADoublePendulumIsNotFoundStandingUp) {
  for (const double height : {0.1, -0.1, 0.3})
    for (const int steps : {1, 4}) {
      const StaticResult r = solve_statics(parse_model(
          fmt::format(
              "gravity = [0, 0, -9.81]\n[[body]]\nname = \"u\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [0.5, 0, 0]\n"
              "[[body]]\nname = \"w\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = [1.5, 0, {}]\n"
              "[[joint]]\nname = \"a\"\nbodies = [\"ground\", \"u\"]\nhinge = {{ axis = [0, 1, 0], at = [0, 0, 0] }}\n"
              "[[joint]]\nname = \"b\"\nbodies = [\"u\", \"w\"]\nhinge = {{ axis = [0, 1, 0], at = [1, 0, 0] }}\n"
              "[statics]\nsteps = {}\n",
              height, steps),
          "double pendulum"));
      if (!r.done()) continue;
      EXPECT_EQ(r.unstable, 0);
      EXPECT_LT(r.run.state.q[2], 0);
    }
}

// A string of two bars, hardly taut: with the deflection w its force is k0 w + k3 w^3 (Green's strain).
TEST(LoadPath, AStringThatTightensIsNoJump) {
  for (const double tension : {1e-4, 1e-2, 1.0})
    for (const char* method : both)
      for (const int steps : {1, 10}) {
        std::vector<std::string> words = by(method, steps);
        words.push_back("node.t.position=[0,0]");
        for (const char* bar : {"b1", "b2"}) words.push_back(fmt::format("bar.{}.length={:.17g}", bar, 1 - tension / 1000));
        const StaticResult r = solve_statics(parse_model(two_bars, "string", words));
        ASSERT_TRUE(r.done()) << tension << method << steps << r.run.failure.account;
        const double L = 1 - tension / 1000, w = -r.run.sensors[0].final;
        EXPECT_NEAR(2 * 1000 / L * ((1 + w * w) / (L * L) - 1) / 2 * w, 10, 1e-7);
      }
}

// Links of a cable that is drawn as a V, by hand: along links that do not stretch the slope falls by the weight of a node, and
// the horizontal force is the one with which they reach from one end to the other.
struct Cable {
  static constexpr int links = 40;
  static constexpr double span = 1, link = 0.0353553390593, weight = 0.5 * link * 9.81;
  double horizontal, sag;
  Cable() {
    const auto reach = [](double h, double& depth) {
      double x = 0;
      depth = 0;
      for (int i = 0; i < links / 2; ++i) {
        const double v = weight * (0.5 * (links - 1) - i), length = std::hypot(h, v);
        x += 2 * link * h / length;
        depth += link * v / length;
      }
      return x;
    };
    double low = 1e-3, high = 1e3;
    for (int i = 0; i < 200; ++i) (reach(0.5 * (low + high), sag) < span ? low : high) = 0.5 * (low + high);
    horizontal = low;
  }
};
std::string cable(bool tension_only, double EA) {
  std::string text = "gravity = [0, 0, -9.81]\n";
  for (int i = 0; i <= Cable::links; ++i) {
    const double x = i * 0.025, z = -std::min(x, 1 - x);
    text += fmt::format("[[node]]\nname = \"n{}\"\nposition = [{:.17g}, 0, {:.17g}]\n{}\n", i, x, z,
                        i % Cable::links == 0 ? "fixed = true" : "fixed_axes = [\"y\"]");
  }
  for (int i = 0; i < Cable::links; ++i)
    text += fmt::format("[[bar]]\nname = \"b{}\"\nnodes = [\"n{}\", \"n{}\"]\nEA = {}\nlength = {:.17g}\ndensity = 0.5\n{}\n",
                        i, i, i + 1, EA, Cable::link, tension_only ? "tension_only = true" : "");
  return text +
         "[[sensor]]\nname = \"sag\"\nposition = \"n20\"\naxis = \"z\"\n[[sensor]]\nname = \"H\"\nreaction = \"n40\"\naxis = "
         "\"x\"\n"
         "[statics]\n";
}

TEST(LoadPath, ACableThatWasDrawnWithCornersHangs) {
  const Cable exact;
  for (const char* method : both)
    for (const bool tension_only : {true, false})
      for (const double EA : {1e5, 1e7}) {
        const StaticResult r = solve_statics(parse_model(cable(tension_only, EA), "cable", by(method, 10)));
        ASSERT_TRUE(r.done()) << method << EA << r.run.failure.account;
        EXPECT_EQ(r.unstable, 0);
        EXPECT_EQ(r.free, "");
        EXPECT_LE(r.run.iterations_max, 50);
        EXPECT_NEAR(r.run.sensors[0].final, -exact.sag, 1e-4 * exact.sag);
        EXPECT_NEAR(std::abs(r.run.sensors[1].final), exact.horizontal, 1e-4 * exact.horizontal);
        ASSERT_FALSE(r.remarks.empty());
        EXPECT_NE(r.remarks[0].find("nothing resists n"), std::string::npos) << r.remarks[0];
      }
}

// ---- bifurcation points ----

// An upright bar on a hinge with a torsion spring c = 5, its load 10 at the height 2: it is critical at c / (P L) = 0.25.
TEST(LoadPath, BifurcationPointsAreFoundToAMillionth) {
  for (const int steps : {1, 3, 10}) {
    const StaticResult r = solve_statics(parse_model(
        "[[body]]\nname = \"bar\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [0, 0, 2]\n[[joint]]\nname = \"foot\"\n"
        "bodies = [\"ground\", \"bar\"]\nhinge = { axis = [0, 1, 0], at = [0, 0, 0] }\nstiffness = 5\n"
        "[[load]]\nname = \"P\"\nbody = \"bar\"\nforce = [0, 0, -10]\n[statics]\narc = 0.01\n",
        "bar", by("load", steps)));
    ASSERT_TRUE(r.done()) << r.run.failure.account;
    EXPECT_EQ(r.unstable, 1);
    ASSERT_EQ(r.bifurcation_points.size(), 1U);
    EXPECT_NEAR(r.bifurcation_points[0], 0.25, 1e-6 * 0.25);
  }
  // A column of twenty elements has its own critical load, whatever the steps.
  double first = 0;
  for (const char* method : both)
    for (const int steps : {1, 8}) {
      const StaticResult r = solve_statics(parse_model(column(0), "column", by(method, steps)));
      ASSERT_EQ(r.bifurcation_points.size(), 1U) << method;
      if (first == 0) first = r.bifurcation_points[0];
      EXPECT_NEAR(r.bifurcation_points[0], first, 1e-6 * first) << method << steps;
    }
}

// ---- what moves freely ----

TEST(LoadPath, FreeMotionsAreNamed) {
  const std::string body = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 2.5]\nposition = [1, 2, 3]\n";
  const std::string ball = "[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"b\"]\nball = { at = [1, 2, 4] }\n";
  const auto solved = [](const std::string& text) {
    return solve_statics(parse_model(text + "[statics]\nsteps = 2\n", "free"));
  };
  // Without loads it is in balance, and everything is free.
  const StaticResult idle = solved(body);
  EXPECT_TRUE(idle.done()) << idle.run.failure.account;
  EXPECT_EQ(idle.free, "b along x, y and z and about x, y and z");
  // A load that nothing resists has no equilibrium.
  const StaticResult falling = solved("gravity = [0, 0, -9.81]\n" + body);
  EXPECT_FALSE(falling.done());
  EXPECT_NE(falling.run.failure.account.find("what moves freely is b along x, y and z"), std::string::npos)
      << falling.run.failure.account;
  EXPECT_EQ(falling.run.failure.account.find("singular"), std::string::npos);
  // What hangs on a ball can still turn about the vertical.
  const StaticResult hanging = solved("gravity = [0, 0, -9.81]\n" + body + ball);
  EXPECT_TRUE(hanging.done()) << hanging.run.failure.account;
  EXPECT_EQ(hanging.unstable, 0);
  EXPECT_EQ(hanging.free, "b about z");
  // A torque about a hinge turns it for ever.
  const StaticResult driven =
      solved(body +
             "[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"b\"]\nhinge = { axis = [0, 0, 1], at = [1, 2, 3] }\n"
             "[[load]]\nname = \"M\"\nbody = \"b\"\ntorque = [0, 0, 1]\n");
  EXPECT_FALSE(driven.done());
  EXPECT_NE(driven.run.failure.account.find("what moves freely is b about z"), std::string::npos) << driven.run.failure.account;
}

// ---- aircraft on springs ----

// An equilibrium is one for the equations of motion too: a run that begins there stays.
void expect_rest(const Model& m) {
  const StaticResult r = solve_statics(m);
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  EXPECT_GE(r.unstable, 0);
  EXPECT_LE(r.run.iterations_max, 50);
  Model moving = m;
  moving.time.initial_state = "equilibrium";
  const System system(moving);
  const RunResult motion = run(moving, system, scheme_of(moving));
  ASSERT_EQ(motion.status, Status::done) << motion.failure.dossier();
  EXPECT_LT((motion.state.q - r.run.state.q).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(LoadPath, LongRandomAircraftOnTheirSpringsComeToRest) {
  unsigned seed = 12345;
  const auto random = [&seed](double low, double high) {
    seed = 1664525U * seed + 1013904223U;
    return low + (high - low) * (seed >> 8) / 16777216.0;
  };
  for (int i = 0; i < long_run(30, 10); ++i) {
    const int wings = 1 + 2 * static_cast<int>(random(1, 4.99));
    std::string angles;
    for (int k = 1; k < wings; ++k) angles += fmt::format("{}{:.4f}", k > 1 ? ", " : "", random(-18, 18));
    const std::string text = fmt::format(
        "[aircraft]\nwings = {}\n{}dihedral_degrees = [{}]\nhinge_stiffness = {:.5g}\nmount = {{ stiffness = {:.5g}, length = "
        "{:.4f}, damping = 0.1 }}\nposition = [{:.4f}, {:.4f}, {:.4f}]\norientation = {{ axis = [{:.3f}, {:.3f}, 0.5], degrees "
        "= "
        "{:.3f} }}\n[statics]\nsteps = {}\n[time]\nstep = 0.01\nsteps = 10\nscheme = \"energy-momentum-exact\"\n",
        wings, i % 4 == 3 ? "wing = { kind = \"rod\", elements = 2 }\n" : "", angles, std::pow(10, random(1.7, 4)),
        std::pow(10, random(2, 4)), random(0.6, 3), random(-0.3, 0.3), random(-0.3, 0.3), random(-0.5, 0.2), random(-1, 1),
        random(-1, 1), random(0, 20), i % 3 == 0 ? 1 : 10);
    SCOPED_TRACE(text);
    expect_rest(parse_model(text, "aircraft"));
  }
}

// Its gears and motors are held by welds alone, which carry nothing without loads: rounding is all there is in their equations.
TEST(LoadPath, TheAircraftFindsItsEquilibrium) {
  const Model m = read_model(places::source("examples/xhale.toml"));
  const System system(m);
  const State start = given_state(m, system), found = equilibrium(m, system, start);
  EXPECT_LT((found.q - start.q).cwiseAbs().maxCoeff(), 1e-6);  // it was drawn there, to eight digits
}

}  // namespace run_load_path
}  // namespace trompo
