// One verdict on every run: energy that nobody brought is no answer, and a stable run is one.
#include "trompo/run/verdict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/long_run.hpp"
#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_verdict {

Model example(const std::string& name, const std::vector<std::string>& overrides) {
  return read_model(places::source("examples/" + name + ".toml"), overrides);
}

RunResult run_on(const Model& model) { return run(model, System(model), scheme_of(model), {}, {.keep_going = true}); }

// Without energy-momentum's gifts: a rigid pendulum of one body.
const std::string pendulum_body = R"toml(gravity = [0, 0, -9.81]
[[body]]
name = "bob"
mass = 1
shape = { sphere = 0.1 }
position = [1, 0, 0]
[[joint]]
name = "pin"
bodies = ["ground", "bob"]
hinge = { at = [0, 0, 0], axis = [0, 1, 0] }
[time]
step = 0.01
end = 20
scheme = "newmark"
)toml";

struct Blow {
  std::string name;
  Model model;
};
std::vector<Blow> blows() {
  return {{"bead, trapezoidal", example("bead_on_wire", {"time.scheme=\"trapezoidal\""})},
          {"bar, rk4", example("elastic_pendulum", {"time.scheme=\"rk4\"", "time.step=0.2"})},
          {"bar, central difference", example("elastic_pendulum", {"time.scheme=\"central-difference\"", "time.step=0.12"})},
          {"chain, central difference", example("swinging_chain", {"time.scheme=\"central-difference\"", "time.step=0.1"})},
          {"hinge, newmark", parse_model(pendulum_body, "pendulum.toml", {})}};
}

TEST(Verdict, EnergyFromNowhereEndsTheRun) {
  for (const Blow& blow : blows()) {
    SCOPED_TRACE(blow.name);
    const RunResult result = run(blow.model);
    ASSERT_EQ(result.status, Status::unstable);
    EXPECT_FALSE(result.reached_end);
    EXPECT_EQ(result.failure.time, result.state.time);
    EXPECT_EQ(result.failure.step, result.steps);
    EXPECT_GT(result.ledger.created(), 0.5 * result.ledger.turnover());
    EXPECT_NE(result.failure.dossier().find("unstable since step " + std::to_string(result.steps) + " at t = "),
              std::string::npos);
    EXPECT_NE(result.failure.dossier().find("most of the motion is in "), std::string::npos);
  }
}

TEST(Verdict, ARunThatKeepsGoingReachesItsEndAndStaysUnstable) {
  for (const Blow& blow : blows()) {
    SCOPED_TRACE(blow.name);
    const RunResult first = run(blow.model), all = run_on(blow.model);
    EXPECT_EQ(all.status, Status::unstable);
    EXPECT_EQ(all.failure.step, first.failure.step);
    EXPECT_EQ(all.failure.time, first.failure.time);
    EXPECT_GT(all.state.time, first.state.time);
  }
}

// Undamped, accelerations of turning bodies swing about the constraints more and more until no step has a solution.
TEST(Verdict, AccelerationsThatLeaveTheConstraintsEndTheRun) {
  const RunResult result = run(example("four_bar", {"time.scheme=\"trapezoidal\""}));
  EXPECT_EQ(result.status, Status::not_converged);
  EXPECT_EQ(result.failure.newton.end, NewtonEnd::unstable);
  EXPECT_TRUE(result.failure.culprit.starts_with("body '")) << result.failure.culprit;
  EXPECT_LT(result.ledger.created(), 0.5 * result.ledger.turnover());
}

// A bar whose force lies by one in a thousand: a scheme that keeps energy cannot account for it.
TEST(Verdict, AnOpenBalanceOfAConservingSchemeIsSeen) {
  Ledger ledger;
  ledger.open(1, {1, 0, 0});
  StepEnergy step;
  step.potentials = {1.5, 0, 0};
  step.kinetic = 0.5 + 1e-5;
  ledger.add(step.kinetic, step);
  const Model model = example("duffing", {});
  const System system(model);
  const State start = initial_state(model, system);
  State moved = start;
  moved.q[0] += 0.1;
  const auto unstable = [&](const char* scheme, const NewtonOptions& newton, const State& now) {
    return Verdict(make_scheme(scheme), newton, start).unstable(ledger, 1, system, now);
  };
  EXPECT_TRUE(unstable("energy-momentum-exact", {}, moved));
  EXPECT_FALSE(unstable("energy-momentum-exact", {}, start));  // of what has not moved nothing is said
  EXPECT_FALSE(unstable("energy-momentum-exact", {.tolerance = 1e-4}, moved));
  EXPECT_FALSE(unstable("trapezoidal", {}, moved));
}

// Where the origin lies says nothing: a body at rest far away has potential energy and rounding, and no motion.
TEST(Verdict, RoundingOfAFarOriginIsNoInstability) {
  for (const char* scheme : {"trapezoidal", "energy-momentum-exact", "rk4"}) {
    Model model = example("elastic_pendulum", {std::string("time.scheme=\"") + scheme + "\"", "time.end=1"});
    for (NodeInput& n : model.nodes) {
      n.position.y() += 1e7;
      if (n.reference) n.reference->y() += 1e7;
      n.velocity.setZero();
    }
    EXPECT_EQ(run(model).status, Status::done) << scheme;
  }
}

// A damper that stops the mass within a step: ends alternate in their rates. The trapezoidal rule and rows of the interval turn
// no more into heat than came in; a scheme that does is unstable.
TEST(Verdict, HeatIsBoundedByWhatCameIn) {
  const std::string text = R"toml([[node]]
name = "a"
position = [0, 0, 0]
fixed = true
[[node]]
name = "m"
position = [1, 0, 0]
velocity = [1, 0, 0]
mass = 1
[[spring]]
name = "s"
nodes = ["a", "m"]
stiffness = 100
damping = 1e4
[time]
step = 0.01
end = 0.2
scheme = "SCHEME"
)toml";
  for (const Row& row : general_rows()) {
    std::string model = text;
    model.replace(model.find("SCHEME"), 6, row.name);
    const RunResult result = run(parse_model(model, "damper.toml", {}));
    if (row.balance == Balance::interval || row.name == "trapezoidal") {
      EXPECT_EQ(result.status, Status::done) << row.name;
    }
    EXPECT_GE(result.ledger.heat(), 0) << row.name;
    if (result.status == Status::done) {
      EXPECT_LE(result.ledger.heat(), 0.5) << row.name;
    }
  }
}

// 18 schemes x 6 models x 4 steps, the longest far beyond stability. The peak of a whole run, whatever its verdict, beside that
// of the smallest step by a conserving scheme: a thousand times as much is never "done", and what is called unstable has grown.
TEST(LongVerdict, NoRunIsDoneWithAThousandTimesItsEnergyAndNoStableOneIsUnstable) {
  struct Case {
    const char* name;
    double step, end;
  };
  const std::vector<Case> cases{{"elastic_pendulum", 0.02, 6}, {"bead_on_wire", 0.005, 4},     {"four_bar", 0.005, 4},
                                {"swinging_chain", 0.01, 4},   {"damped_oscillator", 0.02, 8}, {"flying_rod", 0.01, 1.5}};
  const std::vector<std::string> schemes{"trapezoidal",
                                         "midpoint",
                                         "newmark",
                                         "bossak",
                                         "hht-1",
                                         "hht-2",
                                         "generalized-alpha-1",
                                         "generalized-alpha-2",
                                         "bathe",
                                         "energy-momentum",
                                         "energy-momentum+xi",
                                         "gem",
                                         "energy-momentum-exact",
                                         "krenk",
                                         "krenk-newmark",
                                         "rk4",
                                         "central-difference",
                                         "hamming"};
  int runs = 0, unstable = 0, refused = 0, stopped = 0;
  for (const Case& c : long_run<int>(1, 0) == 1 ? cases : std::vector<Case>(cases.begin(), cases.begin() + 2)) {
    const auto with = [&c](const std::string& scheme, double step) {
      return example(c.name,
                     {"time.scheme=\"" + scheme + "\"", fmt::format("time.step={}", step), fmt::format("time.end={}", c.end)});
    };
    const RunResult fine = run_on(with("energy-momentum-exact", c.step / 4));
    ASSERT_EQ(fine.status, Status::done) << c.name;
    for (const std::string& scheme : schemes)
      for (const double factor : {1, 4, 16, 64}) {
        SCOPED_TRACE(fmt::format("{}, {}, step {}", c.name, scheme, factor * c.step));
        const Model model = with(scheme, factor * c.step);
        const System system(model);
        if (!refusal(*scheme_of(model).row, system).empty()) {
          ++refused;
          continue;
        }
        const RunResult r = run_on(model);
        ++runs;
        unstable += r.status == Status::unstable;
        stopped += r.status == Status::not_converged;
        if (r.ledger.scale() > 1e3 * fine.ledger.scale()) {
          EXPECT_NE(r.status, Status::done);
        }
        if (r.status == Status::unstable) {  // more is in motion than there should be, or more in all
          EXPECT_TRUE(r.ledger.turnover() > 1.2 * fine.ledger.turnover() ||
                      r.total.max > fine.total.max + 0.2 * fine.ledger.turnover())
              << r.ledger.turnover() << " of " << fine.ledger.turnover() << ", " << r.total.max << " of " << fine.total.max;
        }
      }
  }
  RecordProperty("runs", runs);
  fmt::print("{} runs, {} unstable, {} not converged, {} refused\n", runs, unstable, stopped, refused);
}

}  // namespace run_verdict
}  // namespace trompo
