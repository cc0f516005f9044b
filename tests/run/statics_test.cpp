// Equilibria: against closed forms and published ones, past limit points, and what is said where there are none.
#include "trompo/run/statics.hpp"
#include "tests/places.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trompo/model/reader.hpp"

namespace trompo {
namespace run_statics {

using std::numbers::pi;

Model published(const std::string& name, std::vector<std::string> overrides = {}) {
  return read_model(places::source("verification/rods/" + name + ".toml"), overrides);
}

double last(const StaticResult& r, const std::string& sensor) {
  for (std::size_t i = 0; i < r.run.sensors.size(); ++i)
    if (r.run.sensor_names[i] == sensor) return r.run.sensors[i].final;
  ADD_FAILURE() << "no sensor " << sensor;
  return 0;
}

std::string rod(int elements, const std::string& more) {
  return fmt::format(
      "[[rod]]\nname = \"rod\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\nelements = {}\nEA = 1e5\nGA = 4e4\nGJ = 80\nEI = [100, 150]\n"
      "density = 1\n{}",
      elements, more);
}
std::string load(const std::string& body, const std::string& what) {
  return "[[load]]\nname = \"load\"\nbody = \"" + body + "\"\n" + what + "\n";
}

// ---- small loads ----

TEST(Statics, TipOfACantileverGoesToTimoshenko) {
  const double P = 1e-3;
  const auto tip = [&](int n) {
    const Model m = parse_model(
        rod(n, "clamped = \"from\"\n") + load("rod." + std::to_string(n), "force = [0, 1e-3, 0]") + "[statics]\nsteps = 1\n",
        "cantilever");
    const StaticResult r = solve_statics(m);
    EXPECT_TRUE(r.done()) << r.run.failure.account;
    EXPECT_EQ(r.unstable, 0);
    return r.run.state.q[12 * n + 1];
  };
  // What the element makes of it (theory, section 23), and the beam itself.
  const auto known = [&](double n) { return P * 8 / (3 * 100) * (1 - 0.25 / (n * n)) + P * 2 / 4e4; };
  EXPECT_NEAR(tip(10), known(10), 1e-9 * known(10));
  EXPECT_NEAR(tip(20), known(20), 1e-9 * known(20));
}

TEST(Statics, JointsCarryWhatTheLoadsBring) {
  Model m = parse_model("gravity = [0, 0, -10]\n" + rod(4, "clamped = \"from\"\n") + load("rod.4", "force = [3, 0, 0]") +
                            "[[sensor]]\nname = \"fx\"\nreaction = \"rod.from\"\naxis = \"x\"\n"
                            "[[sensor]]\nname = \"fz\"\nreaction = \"rod.from\"\naxis = \"z\"\n[statics]\nsteps = 2\n",
                        "reactions");
  const StaticResult r = solve_statics(m);
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  EXPECT_NEAR(last(r, "fx"), -3, 1e-9);
  EXPECT_NEAR(last(r, "fz"), 20, 1e-9);
}

// ---- published ----

// A full circle: every node on it, whatever the load steps and the elements. With quadratic strains an element is too soft by
// the sine of its turn: order two.
TEST(Statics, RolledUpCantileverIsACircle) {
  const auto tip = [](int n, const char* strain = "quadratic") {
    const std::string text = fmt::format("rod.beam.elements={}", n);
    const Model m = published(
        "roll_up", {text, fmt::format("rod.beam.strain=\"{}\"", strain), fmt::format("load.moment.body=\"beam.{}\"", n),
                    fmt::format("sensor.tip x.position=\"beam.{}\"", n), fmt::format("sensor.tip y.position=\"beam.{}\"", n)});
    const StaticResult r = solve_statics(m);
    EXPECT_TRUE(r.done()) << r.run.failure.account;
    return std::hypot(last(r, "tip x"), last(r, "tip y"));
  };
  for (const int n : {6, 9, 20}) EXPECT_LT(tip(n, "helix"), n == 6 ? 2e-6 : 1e-9) << n;
  const double coarse = tip(20), middle = tip(40), fine = tip(80);
  EXPECT_LT(fine, 0.05);
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.25) << coarse << " " << middle;
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.1) << middle << " " << fine;
}

TEST(Statics, ElementsThatBendTooFarAreNamed) {
  const auto with = [](int n, double turns) {
    return parse_model(rod(n, "strain = \"quadratic\"\nclamped = \"from\"\n") +
                           load("rod." + std::to_string(n), fmt::format("torque = [{}, 0, 0]", turns * 2 * pi * 100 / 2)),
                       "roll-up", std::vector<std::string>{"statics.steps=10"});
  };
  const StaticResult soft = solve_statics(with(14, 1));
  ASSERT_TRUE(soft.done()) << soft.run.failure.account;
  ASSERT_FALSE(soft.remarks.empty());
  EXPECT_NE(soft.remarks.front().find("degrees"), std::string::npos) << soft.remarks.front();
  EXPECT_NE(soft.remarks.front().find("use more elements"), std::string::npos);
  const StaticResult broken = solve_statics(with(8, 1));
  EXPECT_FALSE(broken.done());
  EXPECT_NE(broken.run.failure.account.find("bends by"), std::string::npos) << broken.run.failure.account;
  EXPECT_LT(broken.factor, 2 / pi);  // the moment of an element is EI sin(2 theta) / 2 L
  EXPECT_NEAR(broken.factor, 2 / pi, 1e-3);
}

TEST(Statics, BendOf45DegreesIsThatOfSimoAndVuQuoc) {
  for (const auto& [force, x, y, z] : {std::tuple{300.0, 22.33, 58.84, 40.08}, {600.0, 15.79, 47.23, 53.37}}) {
    const StaticResult r = solve_statics(published("bend_45", {fmt::format("load.tip load.force=[0,0,{}]", force)}));
    ASSERT_TRUE(r.done()) << r.run.failure.account;
    EXPECT_EQ(r.unstable, 0);
    EXPECT_NEAR(last(r, "tip x"), x, 0.2);
    EXPECT_NEAR(last(r, "tip y"), y, 0.2);
    EXPECT_NEAR(last(r, "tip z"), z, 0.2);
  }
}

TEST(Statics, LeesFrameSnapsThroughAndBack) {
  const StaticResult r = solve_statics(published("lee_frame"));
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  ASSERT_EQ(r.limit_points.size(), 2U);
  EXPECT_NEAR(2 * r.limit_points[0], 1.85, 0.015);
  EXPECT_NEAR(2 * r.limit_points[1], -0.93, 0.03);
  EXPECT_EQ(r.unstable, 0);
  EXPECT_NEAR(r.factor, 1, 1e-12);
  EXPECT_LT(last(r, "deflection y"), 40);  // far below where it was at 120
}

TEST(Statics, LoadControlStopsAtTheLimitAndSaysSo) {
  const StaticResult r = solve_statics(published("lee_frame", {"statics.method=\"load\""}));
  EXPECT_FALSE(r.done());
  EXPECT_NEAR(2 * r.factor, 1.85, 0.015);
  EXPECT_NE(r.run.failure.account.find("arc-length"), std::string::npos);
}

// The elastica in the soft plane, by shooting with a fourth-order method; the beam hardly shears.
TEST(Statics, PrincetonBeamInItsSoftPlaneIsAnElastica) {
  const double L = 0.508, EI = 71.7e9 * 0.012774 * std::pow(0.0032024, 3) / 12, P = 8.896;
  const auto shoot = [&](double root, Vec3& end) {  // theta' = k, k' = -P/EI cos theta; returns the curvature at the tip
    constexpr int steps = 2000;
    Vec<4> u(0, root, 0, 0);  // theta, k, x, y
    const auto rate = [&](const Vec<4>& s) { return Vec<4>(s[1], -P / EI * std::cos(s[0]), std::cos(s[0]), std::sin(s[0])); };
    const double h = L / steps;
    for (int i = 0; i < steps; ++i) {
      const Vec<4> a = rate(u), b = rate(u + 0.5 * h * a), c = rate(u + 0.5 * h * b), d = rate(u + h * c);
      u += h / 6 * (a + 2 * b + 2 * c + d);
    }
    end = Vec3(u[2], u[3], u[0]);
    return u[1];
  };
  Vec3 end;
  double low = 0, high = 2 * P * L / EI;
  for (int i = 0; i < 100; ++i) (shoot(0.5 * (low + high), end) > 0 ? high : low) = 0.5 * (low + high);
  const StaticResult r = solve_statics(published("princeton", {"parameters.weight=8.896", "parameters.angle=90"}));
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  EXPECT_NEAR(-last(r, "across the short edge"), end[1], 2e-3 * end[1]);
  EXPECT_NEAR(last(r, "along the long edge"), 0, 1e-9);
}

// ---- prestress, supports that move ----

TEST(Statics, PrestressFindsItsPlaceWithoutLoads) {
  const Model m = parse_model(
      "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"b\"\nposition = [3, 0, 0]\nfixed = true\n"
      "[[node]]\nname = \"c\"\nposition = [1, 0, 0]\nmass = 1\nfixed_axes = [\"y\", \"z\"]\n"
      "[[spring]]\nname = \"s\"\nnodes = [\"a\", \"c\"]\nstiffness = 10\nlength = 0.5\n"
      "[[spring]]\nname = \"t\"\nnodes = [\"c\", \"b\"]\nstiffness = 30\nlength = 0.5\n[statics]\nsteps = 1\n",
      "springs");
  const StaticResult r = solve_statics(m);
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  EXPECT_NEAR(r.run.state.q[6], (10 * 0.5 + 30 * 2.5) / 40, 1e-12);
}

TEST(Statics, SupportsMoveWithTheFactorThroughTime) {
  const Model m = parse_model(
      "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nmotion = { x = \"0.5*t\" }\nfixed_axes = [\"y\", \"z\"]\n"
      "[[node]]\nname = \"c\"\nposition = [1, 0, 0]\nmass = 1\nfixed_axes = [\"y\", \"z\"]\n"
      "[[node]]\nname = \"b\"\nposition = [2, 0, 0]\nfixed = true\n"
      "[[spring]]\nname = \"s\"\nnodes = [\"a\", \"c\"]\nstiffness = 10\n"
      "[[spring]]\nname = \"t\"\nnodes = [\"c\", \"b\"]\nstiffness = 10\n"
      "[[sensor]]\nname = \"pull\"\nreaction = \"a\"\naxis = \"x\"\n[statics]\nsteps = 4\ntime = 2\n",
      "support");
  const StaticResult r = solve_statics(m);
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  EXPECT_NEAR(r.run.state.q[0], 1, 1e-12);
  EXPECT_NEAR(r.run.state.q[3], 1.5, 1e-12);
  EXPECT_NEAR(last(r, "pull"), 5, 1e-9);
}

// ---- strains know nothing of the way ----

// Bent far in one plane and then in the other, or the other way round: rotations do not commute, the equilibrium does not care.
TEST(Statics, TheOrderOfLoadsDoesNotMatter) {
  const auto end = [](const char* across, const char* up) {
    const Model m = parse_model(
        rod(16, "clamped = \"from\"\n") +
            load("rod.16", fmt::format("force = [0, \"60*{}\", \"80*{}\"]\nmoment = [0, 0, \"30*{}\"]", across, up, across)) +
            "[statics]\nsteps = 20\ntime = 1\n",
        "way");
    const StaticResult r = solve_statics(m);
    EXPECT_TRUE(r.done()) << r.run.failure.account;
    return VecX(r.run.state.q.segment<12>(12 * 16));
  };
  const char *first = "min(1, 2*t)", *then = "max(0, 2*t - 1)";
  const VecX one = end(first, then), other = end(then, first);
  EXPECT_GT(std::abs(one[1]), 0.4);
  EXPECT_GT(std::abs(one[2]), 0.4);
  EXPECT_LT((one - other).lpNorm<Eigen::Infinity>(), 1e-10);
}

// ---- rigid bodies that joints carry ----

TEST(Statics, APendulumHangsDown) {
  const Model m = parse_model(
      "gravity = [0, 0, -9.81]\n[[body]]\nname = \"bob\"\nmass = 2\ninertia = [1, 1, 1]\nposition = [0.6, 0, -0.8]\n"
      "[[joint]]\nname = \"pivot\"\nbodies = [\"ground\", \"bob\"]\nhinge = { axis = [0, 1, 0], at = [0, 0, 0] }\n"
      "[statics]\nsteps = 2\n",
      "pendulum");
  const StaticResult r = solve_statics(m);
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  EXPECT_NEAR(r.run.state.q[0], 0, 1e-12);
  EXPECT_NEAR(r.run.state.q[2], -1, 1e-12);
  EXPECT_EQ(r.unstable, 0);
}

TEST(Statics, WhatMovesFreelyIsNamed) {
  const StaticResult flying =
      solve_statics(parse_model(rod(3, "") + load("rod.3", "force = [0, 1, 0]") + "[statics]\nsteps = 1\n", "rod"));
  EXPECT_FALSE(flying.done());
  EXPECT_NE(flying.run.failure.account.find("what moves freely is rod."), std::string::npos) << flying.run.failure.account;
  const StaticResult hinged = solve_statics(parse_model(
      rod(3, "") +
          "[[joint]]\nname = \"pin\"\nbodies = [\"ground\", \"rod.0\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, 0] }\n" +
          load("rod.3", "force = [0, 1, 0]") + "[statics]\nsteps = 1\n",
      "rod"));
  // The load draws it round until it points along y.
  ASSERT_TRUE(hinged.done()) << hinged.run.failure.account;
  EXPECT_EQ(hinged.unstable, 0);
  EXPECT_NEAR(hinged.run.state.q[12 * 3 + 1], 2, 1e-4);
  ASSERT_FALSE(hinged.remarks.empty());
  EXPECT_NE(hinged.remarks[0].find("nothing resists rod.3, with all other parts, about z"), std::string::npos)
      << hinged.remarks[0];
}

// ---- words ----

TEST(Statics, ArcLengthRefusesToGoThroughTime) {
  const Model m = parse_model(rod(3, "clamped = \"from\"\n") + "[statics]\nmethod = \"arc-length\"\ntime = 1\n", "rod");
  try {
    (void)solve_statics(m);
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_EQ(e.diagnostics.front().line, m.statics.source.of("time"));
    EXPECT_NE(std::string(e.what()).find("arc-length"), std::string::npos);
  }
}

TEST(Statics, AModelNeedsTimeOnlyToMove) {
  const Model m = parse_model(rod(3, "clamped = \"from\"\n") + "[statics]\nsteps = 1\n", "rod");
  EXPECT_THROW((void)scheme_of(m), ModelError);
  EXPECT_THROW((void)parse_model(rod(3, "clamped = \"from\"\n"), "rod"), ModelError);
}

// ---- the start of a run ----

TEST(Statics, ARunThatStartsInEquilibriumStaysThere) {
  for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
    const std::string scheme = std::string(formulation) == "euler-parameters" ? "generalized-alpha-1" : "energy-momentum-exact";
    const std::string text = fmt::format("formulation = \"{}\"\ngravity = [0, 3, -30]\n", formulation) +
                             rod(6, "clamped = \"from\"\n") + load("rod.6", "force = [0, 0, -60]\npotential = true") +
                             "[time]\nscheme = \"" + scheme + "\"\nstep = 0.01\nsteps = 200\ninitial_state = \"equilibrium\"\n";
    const Model m = parse_model(text, "rod");
    const System system(m);
    const State start = initial_state(m, system);
    EXPECT_LT(start.q[12 * 6 + 2], -0.5);  // it bends far
    const RunResult r = run(m, system, scheme_of(m));
    ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
    EXPECT_LE((r.state.q - start.q).cwiseAbs().maxCoeff(), 1e-8) << formulation;
    EXPECT_LE((r.total.max - r.total.min) / r.ledger.scale(), 1e-12) << formulation;
    EXPECT_LE(r.kinetic.max / r.ledger.scale(), 1e-15) << formulation;
  }
}

TEST(Statics, AStartWithoutEquilibriumIsRefused) {
  const Model m =
      parse_model(rod(3, "") + load("rod.3", "force = [0, 1, 0]") +
                      "[time]\nscheme = \"energy-momentum-exact\"\nstep = 0.01\nsteps = 2\ninitial_state = \"equilibrium\"\n",
                  "rod");
  try {
    (void)initial_state(m, System(m));
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("moves freely"), std::string::npos) << e.what();
    EXPECT_EQ(e.diagnostics.front().line, m.time.source.of("initial_state"));
  }
}

}  // namespace run_statics
}  // namespace trompo
