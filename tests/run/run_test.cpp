// The loop: halved steps, failure with a dossier, interruption, observers, reactions, sensors, prescribed motion, cables.
#include "trompo/run/run.hpp"

#include <gtest/gtest.h>

#include "tests/reference_cases.hpp"

namespace trompo {
namespace run_run {

using reference_cases::pendulum;

SensorInput sensor(const char* name, const char* kind, const char* of, const char* axis = "", const char* and_of = "") {
  SensorInput input;
  input.name = name;
  input.kind = kind;
  input.of = {of, and_of};
  input.axis = axis;
  return input;
}
bool finite(const RunResult& r) {
  return r.state.q.allFinite() && r.state.v.allFinite() && r.acceleration.allFinite() && std::isfinite(r.ledger.total()) &&
         std::isfinite(r.ledger.worst_residual()) && std::isfinite(r.total.max) && std::isfinite(r.total.min);
}
double energy_drift(const RunResult& r) {
  return std::max(r.total.max - r.total.initial, r.total.initial - r.total.min) / r.ledger.scale();
}

// --- halving and failure ---

TEST(Run, HalvesAStepThatFailsAndGoesOn) {
  Model model = pendulum(1e10, 9.8, 0.1, 50);
  model.time.scheme = "energy-momentum-exact";
  const RunResult unhindered = run(model);
  EXPECT_EQ(unhindered.retries, 0);
  model.newton.max_iterations = 5;
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_GT(result.retries, 0);
  EXPECT_GT(result.solves, result.steps);  // halves are solves, but no steps
  EXPECT_EQ(result.steps, 50);
  EXPECT_EQ(result.state.time, 50 * 0.1);
  EXPECT_LE(result.iterations_max, 5);
  EXPECT_LE(energy_drift(result), 1e-12);
}

TEST(Run, HalvesAStepThatIsFarTooLarge) {
  Model model = pendulum(1e4, 9.8, 2.0, 5);  // a third of the swing, six periods of the rod
  model.nodes[1].position = {0, -3.3, 0};
  model.nodes[1].reference = Vec3(0, -3.0443, 0);
  model.newton.max_iterations = 3;
  for (const char* scheme : {"energy-momentum-exact", "trapezoidal", "generalized-alpha-1"}) {
    model.time.scheme = scheme;
    const RunResult result = run(model);
    EXPECT_EQ(result.status, Status::done) << scheme;
    EXPECT_GT(result.retries, 0) << scheme;
    EXPECT_EQ(result.state.time, 10.0) << scheme;
    EXPECT_TRUE(finite(result)) << scheme;
  }
}

TEST(Run, GivesUpWithADossierThatNamesACoordinate) {
  for (const Row& row : general_rows()) {
    Model model = pendulum(1e4, 9.8, 0.05, 20);
    model.time.scheme = row.name;
    model.newton.max_iterations = 1;  // hopeless: the first increment is never small
    const RunResult result = run(model);
    ASSERT_EQ(result.status, Status::not_converged) << row.name;
    EXPECT_EQ(word(result.status), "not converged");
    EXPECT_EQ(result.retries, RunOptions{}.max_halvings);
    EXPECT_EQ(result.steps, 0);
    EXPECT_EQ(result.state.time, 0);
    EXPECT_EQ(result.state.q[4], -3.0443) << "a failed step leaves the state untouched";
    EXPECT_EQ(result.failure.newton.end, NewtonEnd::too_many_iterations);
    EXPECT_NEAR(result.failure.step_size, 0.05 / 1024, 1e-15);
    const std::string dossier = result.failure.dossier();
    EXPECT_NE(dossier.find("bob."), std::string::npos) << dossier;
    EXPECT_NE(dossier.find("step 1"), std::string::npos) << dossier;
    EXPECT_NE(dossier.find("used up its iterations"), std::string::npos) << dossier;
    EXPECT_NE(dossier.find("try:"), std::string::npos) << dossier;
    EXPECT_EQ(dossier.find("nan"), std::string::npos) << dossier;
    EXPECT_TRUE(finite(result)) << row.name;
  }
}

// A force that becomes infinite, or stops being a number, in the middle of a run: the results so far stay, none of them NaN.
TEST(Run, KeepsFiniteResultsWhenAForceDoesNot) {
  for (const Row& row : general_rows())
    for (const char* formula : {"1/(0.5 - t)", "100*sqrt(0.5 - t)"}) {
      Model model = pendulum(1e4, 9.8, 0.1, 20);
      model.time.scheme = row.name;
      LoadInput load;
      load.name = "load";
      load.on = "bob";
      load.force[0] = TimeFunction::parse(formula);
      model.loads = {load};
      const RunResult result = run(model);
      ASSERT_EQ(result.status, Status::not_converged) << row.name << ' ' << formula;
      EXPECT_GE(result.steps, 4);
      EXPECT_GE(result.state.time, 0.4);
      EXPECT_LE(result.state.time, 0.5);
      EXPECT_TRUE(finite(result)) << row.name << ' ' << formula;
      EXPECT_EQ(result.failure.newton.end, NewtonEnd::not_finite);
      ASSERT_FALSE(result.failure.worst.empty());
      EXPECT_EQ(result.failure.worst[0].name, "bob.x") << row.name << ' ' << formula;
    }
}

TEST(Run, FailedStepCanBeRepeatedFromTheSameState) {
  const Model model = pendulum(1e4, 9.8, 0.05, 20);
  const System system(model);
  for (const Row& row : general_rows()) {
    const Scheme scheme = make_scheme(row.name);
    const auto stepper = make_stepper(scheme, system, newton_options(model)),
               other = make_stepper(scheme, system, newton_options(model));
    State state = initial_state(model, system), expected = state;
    const VecX a = initial_acceleration(model, system, state);
    stepper->start(state, a);
    other->start(expected, a);
    for (int k = 1; k <= 10; ++k) {
      const State before = state;
      const VecX a_before = stepper->acceleration();
      ASSERT_FALSE(stepper->step(state, std::nan("")).done());  // no such time
      ASSERT_EQ(state.q, before.q);
      ASSERT_EQ(state.v, before.v);
      ASSERT_EQ(state.time, before.time);
      ASSERT_EQ(stepper->acceleration(), a_before);
      ASSERT_TRUE(stepper->step(state, 0.05 * k).done());
      ASSERT_TRUE(other->step(expected, 0.05 * k).done());
      ASSERT_EQ(state.q, expected.q) << row.name;
      ASSERT_EQ(state.v, expected.v) << row.name;
    }
  }
}

// --- interruption and observers ---

struct Recorder : Observer {
  std::atomic<bool> stop = false;
  long stop_after = -1;
  long begun = 0, planned = 0, steps = 0, ended = 0;
  std::vector<long> sampled;
  std::vector<double> times;
  void begin(const RunPlan& plan) override {
    ++begun;
    planned = plan.steps;
  }
  void step(long done) override {
    steps = done;
    if (done == stop_after) stop = true;
  }
  void sample(const Sample& now) override {
    sampled.push_back(now.step);
    times.push_back(now.time);
  }
  void end(const RunResult&) override { ++ended; }
};

RunResult watch(const Model& model, Recorder& recorder) {
  const System system(model);
  Observer* const observers[] = {&recorder};
  return run(model, system, scheme_of(model), observers, {&recorder.stop, 10});
}

TEST(Run, StopsCleanlyWhenAsked) {
  Model model = pendulum(1e4, 9.8, 0.05, 100);
  model.time.scheme = "energy-momentum-exact";
  Recorder recorder;
  recorder.stop_after = 7;
  const RunResult result = watch(model, recorder);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.steps, 7);
  EXPECT_EQ(result.state.time, 7 * 0.05);
  EXPECT_EQ(recorder.ended, 1);
  EXPECT_EQ(recorder.sampled.back(), 7);
  EXPECT_TRUE(finite(result));
  model.time.steps = 7;  // what was done is what a shorter run does
  EXPECT_EQ(run(model).state.q, result.state.q);
}

TEST(Run, StopsBeforeTheFirstStepWhenAsked) {
  Model model = pendulum(1e4, 9.8, 0.05, 100);
  model.time.scheme = "trapezoidal";
  Recorder recorder;
  recorder.stop = true;
  const RunResult result = watch(model, recorder);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(result.steps, 0);
  EXPECT_TRUE(finite(result));
}

TEST(Run, ShowsTheStartEveryNthStepAndTheLast) {
  Model model = pendulum(1e4, 9.8, 0.05, 23);
  model.time.scheme = "midpoint";
  model.output.every = 5;
  Recorder recorder;
  ASSERT_EQ(watch(model, recorder).status, Status::done);
  EXPECT_EQ(recorder.sampled, (std::vector<long>{0, 5, 10, 15, 20, 23}));
  EXPECT_EQ(recorder.begun, 1);
  EXPECT_EQ(recorder.ended, 1);
  EXPECT_EQ(recorder.planned, 23);
  EXPECT_EQ(recorder.steps, 23);
  for (std::size_t i = 0; i < recorder.times.size(); ++i)
    EXPECT_EQ(recorder.times[i], static_cast<double>(recorder.sampled[i]) * 0.05);
}

TEST(Run, EndsAtTheEndWithAShorterLastStep) {
  Model model = pendulum(1e4, 9.8, 0.05, 1);
  model.time.scheme = "energy-momentum-exact";
  model.time.steps.reset();
  model.time.end = 0.33;
  const RunResult result = run(model);
  EXPECT_EQ(result.steps, 7);
  EXPECT_EQ(result.state.time, 0.33);
  EXPECT_LE(energy_drift(result), 1e-12);
}

TEST(Run, IsTheSameTwice) {
  Model model = pendulum(1e10, 9.8, 0.1, 200);
  model.time.scheme = "generalized-alpha-1";
  model.time.parameters["rho_infinity"] = 0.6;
  const RunResult one = run(model), two = run(model);
  EXPECT_EQ(one.state.q, two.state.q);
  EXPECT_EQ(one.ledger.worst_residual(), two.ledger.worst_residual());
}

// --- reactions, sensors, motion ---

// A mass at rest on a stretched rod: the support carries its weight, and keeps doing so.
TEST(Run, SupportCarriesTheWeightOfAHangingMass) {
  for (const char* strain : {"engineering", "green", "logarithmic", "almansi"}) {
    Model model;
    model.gravity = {0, 0, -9.81};
    NodeInput hook, mass;
    hook.name = "hook";
    hook.position = {1, 2, 3};
    hook.fixed = true;
    mass.name = "mass";
    mass.mass = 12;
    const double L = 1.5, EA = 2e4, weight = 12 * 9.81;
    // force along the rod: EA eps deps/dl L = weight
    double l = L;
    for (int i = 0; i < 100; ++i) {
      const std::string_view s = strain;
      l = s == "engineering" ? L * (1 + weight / EA)
          : s == "green"     ? L * std::sqrt(1 + 2 * weight / EA * L / l)
          : s == "almansi"   ? L / std::sqrt(1 - 2 * weight / EA * l * l * l / (L * L * L))
                             : L * std::exp(weight / EA * l / L);
    }
    mass.position = {1, 2, 3 - l};
    mass.reference = Vec3(1, 2, 3 - L);
    model.nodes = {hook, mass};
    BarInput rod;
    rod.name = "rod";
    rod.nodes = {"hook", "mass"};
    rod.EA = EA;
    rod.strain = strain;
    model.bars = {rod};
    model.sensors = {sensor("up", "reaction", "hook", "z"),
                     sensor("aside", "reaction", "hook", "x"),
                     sensor("pull", "force", "rod"),
                     sensor("strain", "strain", "rod"),
                     sensor("length", "distance", "hook", "", "mass"),
                     sensor("height", "position", "mass", "z"),
                     sensor("speed", "velocity", "mass", "z")};
    model.time.step = 0.01;
    model.time.steps = 50;
    for (const char* scheme : {"energy-momentum-exact", "trapezoidal", "generalized-alpha-2"}) {
      model.time.scheme = scheme;
      const RunResult result = run(model);
      ASSERT_EQ(result.status, Status::done);
      const auto near = [&](int i, double expected, double allowed) {
        EXPECT_NEAR(result.sensors[i].min, expected, allowed) << result.sensor_names[i] << ' ' << strain << ' ' << scheme;
        EXPECT_NEAR(result.sensors[i].max, expected, allowed) << result.sensor_names[i] << ' ' << strain << ' ' << scheme;
      };
      near(0, weight, 1e-9);
      near(1, 0, 1e-12);
      near(2, weight, 1e-9);
      const double e = l / L - 1;
      near(3,
           std::string_view(strain) == "engineering" ? e
           : std::string_view(strain) == "green"     ? e + 0.5 * e * e
           : std::string_view(strain) == "almansi"   ? (e + 0.5 * e * e) / ((1 + e) * (1 + e))
                                                     : std::log1p(e),
           1e-13);
      near(4, l, 1e-13);
      near(5, 3 - l, 1e-13);
      near(6, 0, 1e-11);
    }
  }
}

// Newton's third law over the whole model: reactions balance weight and inertia at every instant.
TEST(Run, ReactionsBalanceWeightAndInertia) {
  Model model = pendulum(1e4, 9.8, 0.001, 200);
  model.time.scheme = "trapezoidal";  // a1 is exactly that of the balance at the end
  struct Check : Observer {
    void sample(const Sample& now) override {
      const Vec3 reaction = now.reaction.head<3>(), expected = 10 * (now.acceleration.tail<3>() + Vec3(0, 9.8, 0));
      EXPECT_LE((reaction - expected).norm(), 1e-8 * (1 + reaction.norm())) << "step " << now.step;
      EXPECT_EQ(now.reaction.segment<2>(3).norm(), 0);  // free coordinates have none
    }
  } check;
  const System system(model);
  Observer* const observers[] = {&check};
  ASSERT_EQ(run(model, system, scheme_of(model), observers).status, Status::done);
}

TEST(Run, PrescribedMotionFollowsItsFormula) {
  for (const Row& row : general_rows()) {
    Model model = pendulum(1e4, 9.8, 0.01, 200);
    model.nodes[0].fixed = false;
    model.nodes[0].mass = 2;
    model.nodes[0].motion = {TimeFunction::parse("0.1*sin(5*t)"), TimeFunction(0.25), TimeFunction(0.0)};
    model.time.scheme = row.name;
    model.sensors = {sensor("x", "position", "pivot", "x")};
    struct Check : Observer {
      void sample(const Sample& now) override {
        const double t = now.time;
        EXPECT_NEAR(now.state.q[0], 0.1 * std::sin(5 * t), 1e-16);
        EXPECT_NEAR(now.state.v[0], 0.5 * std::cos(5 * t), 1e-15);
        EXPECT_NEAR(now.acceleration[0], -2.5 * std::sin(5 * t), 1e-14);
        EXPECT_EQ(now.state.q[1], 0.25);
        EXPECT_EQ(now.state.v[1], 0);
      }
    } check;
    const System system(model);
    Observer* const observers[] = {&check};
    const RunResult result = run(model, system, scheme_of(model), observers);
    ASSERT_EQ(result.status, Status::done) << row.name;
    EXPECT_NEAR(result.sensors[0].max, 0.1, 1e-5);
    EXPECT_NEAR(result.sensors[0].final, 0.1 * std::sin(10), 1e-15);
  }
}

// A bar too stiff to stretch drags its mass along: x'' of the support arrives, against the exact solution of the spring.
TEST(Run, SupportMotionShakesAMassAsItShould) {
  Model model;
  NodeInput support, mass;
  support.name = "support";
  support.motion[0] = TimeFunction::parse("0.01*sin(8*t)");
  support.fixed = true;
  mass.name = "mass";
  mass.position = {2, 0, 0};
  mass.mass = 3;
  mass.fixed_axes = {false, true, true};
  model.nodes = {support, mass};
  BarInput bar;
  bar.name = "bar";
  bar.nodes = {"support", "mass"};
  bar.EA = 1200;  // k = 600 N/m, w = sqrt(200)
  model.bars = {bar};
  model.time.step = 1e-4;
  model.time.steps = 10000;
  model.time.scheme = "energy-momentum-exact";
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  // u'' + w^2 (u - s) = 0, s = a sin(p t), u = u' = 0: u = a w^2/(w^2 - p^2) (sin(p t) - p/w sin(w t))
  const double w = std::sqrt(200.0), p = 8, t = 1;
  EXPECT_NEAR(result.state.q[3] - 2, 0.01 * w * w / (w * w - p * p) * (std::sin(p * t) - p / w * std::sin(w * t)), 1e-8);
}

// --- the simple pendulum in its angle, by Newmark with h = 0.1 over 30 s ---

struct Swing {
  double rate_squared_by_g_over_l, energy_min, energy_max, angle, exact_angle;
};
TEST(Run, SimplePendulumInItsAngleGivesTheReferenceNumbers) {
  const double l = 3.0443, g = 9.8;
  for (const Swing& swing :
       {Swing{2, 298.341, 299.141, 1.5707400846, 1.5691349289}, Swing{6, 895.02, 901.47, 102.8421797095, 102.3451272518}}) {
    Model model;
    model.gravity = {0, -g, 0};
    CoordinateInput theta;
    theta.name = "theta";
    theta.rate = std::sqrt(swing.rate_squared_by_g_over_l * g / l);
    PendulumInput bob;
    bob.name = "bob";
    bob.coordinate = "theta";
    bob.mass = 10;
    bob.length = l;
    model.coordinates = {theta};
    model.pendulums = {bob};
    model.sensors = {sensor("angle", "value", "theta")};
    model.time.step = 0.1;
    model.time.steps = 300;
    model.time.scheme = "newmark";
    const RunResult result = run(model);
    ASSERT_EQ(result.status, Status::done);
    EXPECT_NEAR(result.sensors[0].final, swing.angle, 2e-10 * swing.angle);
    EXPECT_NEAR(result.total.min, swing.energy_min, 0.006);
    EXPECT_NEAR(result.total.max, swing.energy_max, 0.006);
    EXPECT_EQ(result.momentum.linear_scale, 0);  // an angle has no place

    model.time.scheme = "energy-momentum-exact";
    EXPECT_LE(energy_drift(run(model)), 1e-12);
    model.time.step = 1e-3;  // and the exact motion, by two fine runs
    model.time.steps = 30000;
    const double coarse = run(model).state.q[0];
    model.time.step = 5e-4;
    model.time.steps = 60000;
    const double fine = run(model).state.q[0];
    EXPECT_NEAR(fine + (fine - coarse) / 3, swing.exact_angle, 1e-9 * swing.exact_angle);
  }
}

// --- cables and prestress ---

TEST(Run, ShorterLengthIsPrestress) {
  Model model;
  NodeInput left, middle, right;
  left.name = "left";
  left.fixed = true;
  middle.name = "middle";
  middle.position = {1, 0, 0};
  middle.mass = 1;
  right.name = "right";
  right.position = {2, 0, 0};
  right.fixed = true;
  model.nodes = {left, middle, right};
  for (const char* name : {"a", "b"}) {
    BarInput bar;
    bar.name = name;
    bar.nodes = name[0] == 'a' ? std::array<std::string, 2>{"left", "middle"} : std::array<std::string, 2>{"middle", "right"};
    bar.EA = 1000;
    bar.length = 0.8;
    bar.tension_only = true;
    model.bars.push_back(bar);
  }
  model.sensors = {sensor("pull", "force", "a"), sensor("anchor", "reaction", "left", "x"),
                   sensor("y", "position", "middle", "y")};
  model.time.scheme = "energy-momentum-exact";
  model.time.step = 1e-4;
  model.time.steps = 4000;
  const RunResult still = run(model);
  EXPECT_NEAR(still.sensors[0].min, 250, 1e-10);  // EA (1 - 0.8)/0.8
  EXPECT_NEAR(still.sensors[0].max, 250, 1e-10);
  EXPECT_NEAR(still.sensors[1].final, -250, 1e-10);  // the anchor pulls to the left
  // plucked sideways a little it swings as a string: w^2 = 2 N / (m l) = 500, unknown to a bar without prestress
  model.nodes[1].velocity = {0, 1e-4, 0};
  const RunResult plucked = run(model);
  EXPECT_NEAR(plucked.sensors[2].final, 1e-4 / std::sqrt(500.0) * std::sin(std::sqrt(500.0) * 0.4), 1e-10);
}

// A mass dropped on a slack cable falls freely to the last digit until the cable catches it, and all its energy comes back.
TEST(Run, SlackCableIsNotThereUntilItIsTaut) {
  Model model;
  model.gravity = {0, -10, 0};
  NodeInput hook, mass;
  hook.name = "hook";
  hook.fixed = true;
  mass.name = "mass";
  mass.position = {0, -0.5, 0};
  mass.mass = 2;
  model.nodes = {hook, mass};
  BarInput cable;
  cable.name = "cable";
  cable.nodes = {"hook", "mass"};
  cable.EA = 2000;
  cable.length = 1;
  cable.tension_only = true;
  model.bars = {cable};
  model.sensors = {sensor("pull", "force", "cable"), sensor("y", "position", "mass", "y")};
  model.time.step = 1.0 / 256;
  model.time.steps = 80;  // sqrt(0.1) s = 80.95 steps to the end of the cable
  model.time.scheme = "energy-momentum-exact";
  const RunResult falling = run(model);
  EXPECT_EQ(falling.sensors[0].max, 0);
  EXPECT_NEAR(falling.state.q[4], -0.5 - 5 * falling.state.time * falling.state.time, 1e-14);
  model.time.steps = 2000;
  for (const char* strain : {"engineering", "green", "logarithmic", "almansi"}) {
    model.bars[0].strain = strain;
    const RunResult bouncing = run(model);
    ASSERT_EQ(bouncing.status, Status::done);
    EXPECT_EQ(bouncing.sensors[0].min, 0);
    EXPECT_GT(bouncing.sensors[0].max, 100);
    EXPECT_LE(bouncing.sensors[1].max, -0.5 + 1e-12);  // not higher than it was dropped from
    EXPECT_GT(bouncing.sensors[1].max, -0.5 - 1e-12);
    EXPECT_LE(energy_drift(bouncing), 1e-12) << strain;
  }
}

}  // namespace run_run
}  // namespace trompo
