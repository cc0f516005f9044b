// Schemes that force their energy: states that another program stored, what is kept, where they fail by name, what they refuse.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference_cases.hpp"
#include "tests/stored.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/scheme/forced_balance.hpp"

namespace trompo {
namespace scheme_forced {

using Json = nlohmann::json;
using reference_cases::pendulum;

Model read(const std::string& text) { return parse_model(text, "forced"); }

// What moves step by step, with its multipliers at hand.
struct Motion {
  explicit Motion(const Model& m) : model(m), system(model) {
    const Scheme scheme = scheme_of(model);
    stepper = make_stepper(scheme, system, newton_options(model));
    state = initial_state(model, system);
    stepper->start(state, initial_acceleration(model, system, state));
  }
  StepReport step() { return stepper->step(state, state.time + model.time.step); }
  [[nodiscard]] const ForcedBalance& forced() const { return dynamic_cast<const ForcedBalance&>(*stepper); }
  [[nodiscard]] double energy() const { return system.kinetic(state.v) + system.potentials(state.q).sum(); }
  Model model;
  System system;
  std::unique_ptr<Stepper> stepper;
  State state;
};

// The stored cases stand in a plane or in space.
Model model_of(const Json& c) {
  const Json& m = c["model"];
  const std::size_t dimension = m["nodes"][0].size();
  const auto vec = [&](const Json& numbers, std::size_t first) {
    Vec3 v = Vec3::Zero();
    for (std::size_t i = 0; i < dimension; ++i) v[static_cast<Eigen::Index>(i)] = numbers[first + i].get<double>();
    return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z());
  };
  std::string out = "gravity = " + vec(m["gravity"], 0) + "\n" + (dimension == 2 ? "plane = \"xy\"\n" : "");
  if (m.contains("mass_damping"))
    out += "[rayleigh]\nmass = 0.5\n[[load]]\nname = \"push\"\nnode = \"n1\"\nforce = [\"20*sin(3*t)\", 0, 0]\n";
  for (std::size_t i = 0; i < m["nodes"].size(); ++i)
    out += fmt::format("[[node]]\nname = \"n{}\"\nmass = {}\nposition = {}\nvelocity = {}\nfixed = {}\n", i,
                       m["masses"][i].get<double>(), vec(c["q0"], dimension * i), vec(c["v0"], dimension * i),
                       m.contains("fixed") && i == 0);
  const Json& bar = m["bars"][0];
  out += fmt::format("[[bar]]\nname = \"bar\"\nnodes = [\"n0\", \"n1\"]\nlength = {}\nEA = {}\n", bar["L"].get<double>(),
                     bar["EA"].get<double>());
  const bool trapezoidal = c["weights"]["alpha_f"].get<double>() == 0;
  return read(out + fmt::format("[time]\nstep = {}\nsteps = {}\n{}\n", c["h"].get<double>(), c["steps"].get<int>(),
                                trapezoidal ? "scheme = \"constraint-energy\""
                                            : "scheme = \"constraint-energy-momentum\"\nmomenta = \"linear\""));
}

TEST(ForcedEnergy, EndsWhereAnotherProgramDoes) {
  int cases = 0;
  for (const Json& c : stored("decay.json")["cases"]) {
    if (c["family"] != "forced-energy") continue;
    ++cases;
    SCOPED_TRACE(c["id"].get<std::string>());
    Model model = model_of(c);
    if (model.time.scheme == "constraint-energy-momentum") {
      const double af = c["weights"]["alpha_f"].get<double>();
      model.time.parameters["rho_infinity"] = af / (1 - af);
    }
    Motion motion(model);
    const std::size_t dimension = c["model"]["nodes"][0].size();
    const auto ours = [&](const VecX& x, std::size_t i) {
      return x[static_cast<Eigen::Index>(3 * (i / dimension) + i % dimension)];
    };
    const double zero = motion.system.potentials(motion.state.q).gravity;
    EXPECT_NEAR(motion.energy() - zero, c["E_initial"].get<double>(), 1e-11);
    for (int k = 1; k <= c["steps"].get<int>(); ++k) {
      ASSERT_TRUE(motion.step().done()) << k;
      const auto expected = c["states"].find(std::to_string(k));
      if (expected == c["states"].end()) continue;
      const Json &of = *expected, &tolerance = c["check_tolerance"];
      for (std::size_t i = 0; i < of["q"].size(); ++i) {
        EXPECT_NEAR(ours(motion.state.q, i), of["q"][i].get<double>(), tolerance["q"].get<double>()) << k << ' ' << i;
        EXPECT_NEAR(ours(motion.state.v, i), of["v"][i].get<double>(), tolerance["v"].get<double>()) << k << ' ' << i;
        EXPECT_NEAR(ours(motion.stepper->acceleration(), i), of["a"][i].get<double>(), tolerance["a"].get<double>()) << k << i;
      }
      EXPECT_NEAR(motion.energy() - zero, of["E"].get<double>(), tolerance["E"].get<double>() * 300) << k;
      for (std::size_t i = 0; i < of["multipliers"].size(); ++i)
        EXPECT_NEAR(motion.forced().forcing()[i], of["multipliers"][i].get<double>(), 1e-9) << k << ' ' << i;
    }
  }
  EXPECT_EQ(cases, 4);
}

const std::string three_masses =
    "node = [{ name = \"a\", mass = 2, position = [0, 0, 0], velocity = [0, 1, 0.3] },\n"
    "        { name = \"b\", mass = 1, position = [1, 0, 0], velocity = [0.5, -2, 0.4] },\n"
    "        { name = \"c\", mass = 3, position = [0.2, 1, 0], velocity = [-0.3, 0.2, 1] }]\n"
    "bar = [{ name = \"ab\", nodes = [\"a\", \"b\"], EA = 1000 }, { name = \"bc\", nodes = [\"b\", \"c\"], EA = 1500 },\n"
    "       { name = \"ca\", nodes = [\"c\", \"a\"], EA = 800 }]\n";

TEST(ForcedEnergy, KeepsAllSevenWhereThereIsRoom) {
  Motion motion(read(three_masses + "time = { step = 0.02, steps = 30, scheme = \"constraint-energy-momentum\" }\n"));
  EXPECT_EQ(motion.forced().rows().size(), 7u);
  const double energy = motion.energy();
  const Momentum first = motion.system.momentum(motion.state, Vec3::Zero());
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(motion.step().done()) << k;
    const Momentum now = motion.system.momentum(motion.state, Vec3::Zero());
    EXPECT_NEAR(motion.energy(), energy, 1e-12 * energy) << k;
    EXPECT_LT((now.linear - first.linear).norm(), 1e-12 * first.linear_scale) << k;
    EXPECT_LT((now.angular - first.angular).norm(), 1e-12 * first.angular_scale) << k;
    EXPECT_LT(std::abs(motion.forced().forcing()[0]), 0.1) << k;
  }
  // Without them it loses all but the linear momentum.
  const RunResult plain = run(read(three_masses + "time = { step = 0.02, steps = 30, scheme = \"generalized-alpha-1\" }\n"));
  EXPECT_GT(plain.total.max - plain.total.min, 1e-4 * plain.ledger.scale());
  EXPECT_GT(plain.angular_drift, 1e-6 * plain.angular_scale);
}

TEST(ForcedEnergy, ClosesItsBalanceByFormulasOfItsOwn) {
  for (const char* scheme : {"constraint-energy", "constraint-energy-momentum"}) {
    Model model = pendulum(1e4, 9.8, 0.05, 600);
    model.time.scheme = scheme;
    const RunResult result = run(model);
    ASSERT_EQ(result.status, Status::done) << scheme;
    EXPECT_LE(std::abs(result.ledger.residual()), 1e-11 * result.ledger.scale()) << scheme;
    EXPECT_LE(result.total.max - result.total.min, 1e-12 * result.ledger.scale()) << scheme;
  }
}

TEST(ForcedEnergy, IsOfSecondOrderAndItsMultiplierOfThird) {
  const auto at = [](long steps) {
    Model model = pendulum(1e4, 9.8, 0.5 / static_cast<double>(steps), steps);
    model.time.scheme = "constraint-energy";
    Motion motion(model);
    double largest = 0;
    for (long k = 0; k < steps; ++k) {
      EXPECT_TRUE(motion.step().done());
      largest = std::max(largest, std::abs(motion.forced().forcing()[0]));
    }
    return std::pair(motion.state.q, largest);
  };
  const auto a = at(200), b = at(400), c = at(800);
  EXPECT_NEAR(std::log2((a.first - b.first).norm() / (b.first - c.first).norm()), 2, 0.2);
  EXPECT_NEAR(std::log2(b.second / c.second), 3, 0.3);
}

TEST(ForcedEnergy, LeavesAloneWhatRests) {
  Motion motion(
      read("gravity = [0, -10, 0]\nplane = \"xy\"\n"
           "node = [{ name = \"top\", position = [0, 0], fixed = true },\n"
           "        { name = \"bob\", mass = 3, position = [0, -1.03] }]\n"
           "bar = [{ name = \"rod\", nodes = [\"top\", \"bob\"], EA = 1000, length = 1 }]\n"
           "time = { step = 0.05, steps = 50, scheme = \"constraint-energy\" }\n"));
  for (int k = 0; k < 50; ++k) {
    ASSERT_TRUE(motion.step().done()) << k;
    EXPECT_LT(std::abs(motion.forced().forcing()[0]), 1e-6) << k;
    EXPECT_NEAR(motion.state.q[4], -1.03, 1e-12) << k;
  }
}

// The stiff pendulum under gravity: no root that still solves the equations of motion, said so. A failed step changes nothing.
TEST(ForcedEnergy, FailsByNameWhereThereIsNoRoot) {
  Model model = pendulum(1e10, 9.8, 0.1, 300);
  model.time.scheme = "constraint-energy";
  Motion motion(model);
  StepReport report;
  int steps = 0;
  State before = motion.state;
  while (steps < 300 && (report = motion.step()).done()) {
    ++steps;
    before = motion.state;
  }
  EXPECT_LT(steps, 300);
  EXPECT_TRUE(report.newton.end == NewtonEnd::no_root || report.newton.end == NewtonEnd::forced)
      << static_cast<int>(report.newton.end);
  EXPECT_EQ(motion.state.q, before.q);
  EXPECT_EQ(motion.state.v, before.v);
  EXPECT_EQ(motion.state.time, before.time);
}

std::string refusal(const std::string& text) {
  try {
    (void)run(read(text));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ForcedEnergy, RefusesWhatWouldFixTheMotionOrIsNotDerived) {
  const std::string bar =
      "node = [{ name = \"a\", mass = 2, position = [0, 0, 0], velocity = [0, 1, 0] }, { name = \"b\", mass = 1, position = "
      "[1, 0, 0] }]\n"
      "bar = [{ name = \"ab\", nodes = [\"a\", \"b\"], EA = 1000 }]\n";
  const std::string all = "time = { step = 0.02, steps = 3, scheme = \"constraint-energy-momentum\" }\n";
  const std::string energy = "time = { step = 0.02, steps = 3, scheme = \"constraint-energy\" }\n";
  const std::pair<std::string, const char*> cases[] = {
      {bar + all, "7 energies and momenta on 6 coordinates"},
      {"plane = \"xy\"\nnode = [{ name = \"a\", position = [0, 0], fixed = true }, { name = \"b\", mass = 1, position = [1, "
       "0], velocity = [0, 1] "
       "}]\n"
       "bar = [{ name = \"ab\", nodes = [\"a\", \"b\"], EA = 1000 }]\n" +
           all,
       "2 energies and momenta on 2 coordinates"},
      {"coordinate = [{ name = \"u\", inertia = 1, value = 1, potential = \"u^2\" }]\n" + energy,
       "1 energies and momenta on 1"},
      {"body = [{ name = \"b\", mass = 1, inertia = [1, 1, 1], position = [0, 0, 0] }]\n" + energy, "no form for bodies"},
      {three_masses +
           "constraint = [{ name = \"kept\", constraint = \"(a.x - b.x)^2 + (a.y - b.y)^2 + (a.z - b.z)^2 - 1\" }]\n" +
           "time = { step = 0.02, steps = 3, scheme = \"constraint-energy\", initial_projection = true }\n",
       "no form for constraints"},
      {three_masses +
           "spring = [{ name = \"arm\", from = { ground = [5, 0, 0], motion = { x = \"5 + sin(t)\" } }, to = { node = \"a\" }, "
           "stiffness = 10 }]\n" +
           energy,
       "a support moves"},
      {three_masses + "[rayleigh]\nmass = 0.1\n[time]\nstep = 0.02\nsteps = 3\nscheme = \"constraint-energy\"\n",
       "dampers work against the linear momentum"},
  };
  for (const auto& [text, what] : cases) EXPECT_NE(refusal(text).find(what), std::string::npos) << refusal(text);
  // Energy alone would destroy linear momentum: along free axes it is forced too.
  EXPECT_EQ(Motion(read(bar + energy)).forced().rows().size(), 4u);
}

}  // namespace scheme_forced
}  // namespace trompo
