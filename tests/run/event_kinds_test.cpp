// Events on loads, motions, masses and joints: closed forms before and after, the energy balance through each, what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/channels.hpp"
#include "trompo/run/reference.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_event_kinds {

constexpr double closed = 1e-12;  // of the energy balance, relative to the scale

std::string time(const std::string& scheme, double step, double end) {
  return fmt::format("[time]\nscheme = \"{}\"\nstep = {}\nend = {}\n{}", scheme, step, end,
                     scheme == "dormand-prince" ? "tolerance = 1e-12\n" : "");
}
std::string event(double at, const std::string& set) { return fmt::format("[[event]]\nat = {}\nset = {{ {} }}\n", at, set); }
std::string sensor(const std::string& name, const std::string& of, const char* axis) {
  return fmt::format("[[sensor]]\nname = \"{}\"\n{}\naxis = \"{}\"\n", name, of, axis);
}

RunResult moved(const std::string& text) {
  const Model model = parse_model(text, "m");
  for (const Diagnostic& d : check(model)) EXPECT_NE(d.severity, Diagnostic::Severity::error) << d.message;
  RunResult result = run(model);
  EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
  return result;
}
void expect_closed(const RunResult& r) { EXPECT_LT(r.ledger.worst_residual(), closed * r.ledger.scale()); }

// ---- loads ----

// 2 kg on a spring of 50 N/m along x, pulled by 10 N.
std::string pulled(const std::string& load, const std::string& rest) {
  return R"toml(
[[node]]
name = "wall"
position = [0, 0, 0]
fixed = true
[[node]]
name = "mass"
position = [1, 0, 0]
mass = 2
fixed_axes = ["y", "z"]
[[spring]]
name = "spring"
nodes = ["wall", "mass"]
stiffness = 50
[[load]]
name = "pull"
node = "mass"
)toml" + load +
         rest;
}

TEST(EventKinds, ALoadSwitchedOffAndOnAgainAgainstItsClosedForm) {
  const double w = 5, at = 10.0 / 50, off = 0.37, on = 0.8, end = 1.5;  // on again with half of it
  double x = at * (1 - std::cos(w * off)), v = at * w * std::sin(w * off);
  const auto oscillate = [&](double about, double t) {
    const double d = x - about, old = v;
    x = about + d * std::cos(w * t) + old / w * std::sin(w * t);
    v = -d * w * std::sin(w * t) + old * std::cos(w * t);
  };
  oscillate(0, on - off);
  oscillate(0.5 * at, end - on);
  const std::string events = event(off, "load = \"pull\", scale = 0") + event(on, "load = \"pull\", scale = 0.5");
  for (const char* force : {"force = [10, 0, 0]\n", "force = [\"10 + 0*t\", 0, 0]\n", "force = [\"10 + 0*mass.x\", 0, 0]\n",
                            "force = [\"10 + 0*mass.vx\", 0, 0]\n", "force = [10, 0, 0]\npotential = true\n"}) {
    SCOPED_TRACE(force);
    const RunResult exact = moved(pulled(force, events + time("dormand-prince", 0.02, end)));
    EXPECT_NEAR(exact.state.q[3] - 1, x, 1e-9);
    EXPECT_NEAR(exact.state.v[3], v, 1e-8);
    double error[2];
    for (const int halved : {0, 1}) {
      const RunResult r = moved(pulled(force, events + time("energy-momentum-exact", halved == 0 ? 0.02 : 0.01, end)));
      error[halved] = std::abs(r.state.q[3] - 1 - x);
      expect_closed(r);
      // A load without a potential adds nothing in an instant; one with a potential takes it along.
      EXPECT_EQ(r.ledger.events() == 0, std::string_view(force).find("potential") == std::string_view::npos);
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.1);
  }
}

TEST(EventKinds, OfABodyEveryPartOfALoadIsScaled) {
  const auto text = [](const std::string& more, const std::string& loads, const std::string& scheme) {
    return "[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 1.2, 1.5]\n[[load]]\nname = \"l\"\nbody = \"b\"\n" + loads + more +
           time(scheme, 0.01, 1);
  };
  for (const char* scheme : {"energy-momentum-exact", "generalized-alpha-1"})
    for (const auto& [one, three] :
         {std::pair{"force = [1, 2, 0]\npoint = [0.3, 0, 0.1]\n", "force = [3, 6, 0]\npoint = [0.3, 0, 0.1]\n"},
          {"force = [1, 2, 0]\nfollower = true\n", "force = [3, 6, 0]\nfollower = true\n"},
          {"torque = [0.1, 0, \"t\"]\n", "torque = [0.3, 0, \"3*t\"]\n"},
          {"moment = [0.1, 0, \"t\"]\n", "moment = [0.3, 0, \"3*t\"]\n"},
          {"moment = [0.1, 0, \"b.x+1\"]\n", "moment = [0.3, 0, \"3*(b.x+1)\"]\n"},
          {"force = [1, 0, \"b.vx\"]\n", "force = [3, 0, \"3*b.vx\"]\n"}}) {
      SCOPED_TRACE(std::string(scheme) + one);
      const RunResult a = moved(text("", std::string(one) + "scale = 3\n", scheme)), b = moved(text("", three, scheme)),
                      c = moved(text(event(0, "load = \"l\", scale = 3"), one, scheme));
      const Eigen::Index n = 12;
      EXPECT_LT((a.state.q.head(n) - b.state.q.head(n)).norm(), 1e-10);
      EXPECT_LT((a.state.q.head(n) - c.state.q.head(n)).norm(), 1e-10);
      EXPECT_GT((a.state.q.head(n) - moved(text("", one, scheme)).state.q.head(n)).norm(), 1e-3);
    }
}

// ---- masses ----

TEST(EventKinds, ANodeThatGetsHeavierKeepsItsVelocity) {
  for (const double at : {0.0, 0.333}) {
    const double m0 = 2, m1 = 5, g = 10, end = 1;
    const RunResult r =
        moved(fmt::format("gravity = [0, 0, -10]\n[[node]]\nname = \"n\"\nposition = [0, 0, 3]\nvelocity = [4, 0, 1]"
                          "\nmass = {}\n",
                          m0) +
              event(at, "node = \"n\", mass = 5") + time("energy-momentum-exact", 0.01, end));
    EXPECT_NEAR(r.state.q[0], 4 * end, 1e-12);
    EXPECT_NEAR(r.state.q[2], 3 + end - 0.5 * g * end * end, 1e-12);
    const double vz = 1 - g * at, z = 3 + at - 0.5 * g * at * at;
    EXPECT_NEAR(r.ledger.events(), (m1 - m0) * (0.5 * (16 + vz * vz) + g * z), 1e-11);
    EXPECT_NEAR(r.total.final, 0.5 * m1 * 17 + m1 * g * 3, 1e-11);
    expect_closed(r);
  }
}

TEST(EventKinds, ABodyThatGetsHeavierSpinsOn) {
  const double w = 3;
  for (const char* formulation : {"directors", "rotation", "euler-parameters"})
    for (const char* of : {"mass = 2\ninertia = [1, 1, 2]\n", "mass = 2\nshape = { box = [1, 1, 2] }\n",
                           "parts = [{ mass = 2, shape = { box = [1, 1, 2] } }]\n"}) {
      SCOPED_TRACE(std::string(formulation) + of);
      const bool ends = std::string_view(formulation) == "euler-parameters";
      const RunResult r =
          moved(fmt::format("formulation = \"{}\"\n[[body]]\nname = \"b\"\nvelocity = [1, 0, 0]\n"
                            "angular_velocity = [0, 0, 3]\n{}",
                            formulation, of) +
                event(0.5, "body = \"b\", mass = 3") + time(ends ? "newmark" : "energy-momentum-exact", 0.01, 1));
      EXPECT_NEAR(r.state.rotations[0].angular_velocity.z(), w, 1e-12);
      EXPECT_NEAR(r.state.q[0], 1, 1e-12);
      EXPECT_NEAR(r.total.final, 1.5 * r.total.initial, 1e-10 * r.total.initial);
      EXPECT_NEAR(r.ledger.events(), 0.5 * r.total.initial, 1e-10 * r.total.initial);
      if (!ends) expect_closed(r);
    }
}

// ---- joints ----

// A rod of 1 m that swings about its end, let go level.
std::string pendulum(const char* formulation, const std::string& rest) {
  return fmt::format(R"toml(
formulation = "{}"
gravity = [0, -9.81, 0]
[[body]]
name = "rod"
mass = 2
shape = {{ box = [1, 0.05, 0.05] }}
position = [0.5, 0, 0]
[[joint]]
name = "hinge"
bodies = ["ground", "rod"]
hinge = {{ axis = [0, 0, 1], at = [0, 0, 0] }}
stiffness = 3
)toml",
                     formulation) +
         sensor("force", "reaction = \"hinge\"", "y") + "[[sensor]]\nname = \"angle\"\nangle = \"hinge\"\n" + rest;
}

struct Last : Observer {
  Channels all;
  std::vector<double> multipliers, joint_forces;
  const System* system = nullptr;
  void begin(const RunPlan& plan) override { all = channels(plan); }
  void sample(const Sample& now) override {
    for (const Channel& c : all.all) {
      std::vector<double> row(c.columns.size());
      c.read(now, row.data());
      if (c.group == "constraints" && c.name == "multiplier") multipliers = row;
      if (c.group == "joints" && c.name == "force") joint_forces = row;
    }
  }
};

TEST(EventKinds, AReleasedPendulumFliesOnAParabola) {
  struct Way {
    const char *formulation, *scheme;
  };
  for (const Way& way : {Way{"directors", "energy-momentum-exact"},
                         {"rotation", "energy-momentum-exact"},
                         {"directors", "generalized-alpha-1"},
                         {"directors", "bathe"},
                         {"euler-parameters", "newmark"},
                         {"euler-parameters", "rk4"},
                         {"euler-parameters", "dormand-prince"},
                         {"directors", "energy-decay"}}) {
    SCOPED_TRACE(std::string(way.formulation) + " " + way.scheme);
    const double at = 0.4, end = 1;
    const RunResult before = moved(pendulum(way.formulation, time(way.scheme, 0.005, at)));
    const Model model = parse_model(
        pendulum(way.formulation, event(at, "joint = \"hinge\", release = true") + time(way.scheme, 0.005, end)), "m");
    const System system(model);
    Last last;
    Observer* const observers[] = {&last};
    const RunResult r = run(model, system, scheme_of(model), observers);
    ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
    const double t = end - at;
    const Vec3 x = before.state.q.head<3>(), v = before.state.v.head<3>();
    const Vec3 expected = x + t * v + 0.5 * t * t * Vec3(0, -9.81, 0);
    EXPECT_GT(v.norm(), 0.5);
    EXPECT_LT((r.state.q.head<3>() - expected).norm(), 1e-9);
    // It turns on as it did, and its angle is counted on.
    const double spin = before.state.rotations[0].angular_velocity.z();
    const bool keeps = std::string_view(way.scheme).starts_with("energy") || std::string_view(way.scheme) == "dormand-prince";
    EXPECT_NEAR(r.state.rotations[0].angular_velocity.z(), spin, (keeps ? 1e-9 : 2e-5) * std::abs(spin));
    EXPECT_NEAR(r.sensors[1].final, before.sensors[1].final + t * spin, 2e-4);  // of Cayley's map
    // Nothing is held any more.
    EXPECT_GT(std::abs(before.sensors[0].final), 1);
    EXPECT_EQ(r.sensors[0].final, 0);
    ASSERT_EQ(last.multipliers.size(), 5U);
    for (const double multiplier : last.multipliers) EXPECT_EQ(multiplier, 0);
    for (const double force : last.joint_forces) EXPECT_EQ(force, 0);
    // The energy of the spring in it goes.
    EXPECT_NEAR(r.ledger.events(), -1.5 * std::pow(before.sensors[1].final, 2), 1e-6);
    if (std::string_view(way.scheme) == "energy-momentum-exact") expect_closed(r);
  }
}

TEST(EventKinds, WhatIsReleasedAtTheStartFalls) {
  const RunResult r =
      moved(pendulum("directors", event(0, "joint = \"hinge\", release = true") + time("energy-momentum-exact", 0.01, 1)));
  EXPECT_NEAR(r.state.q[1], -0.5 * 9.81, 1e-10);
  EXPECT_NEAR(r.state.q[0], 0.5, 1e-12);
  expect_closed(r);
}

// Two rods in a row: the second joint lets go, and the first one's rows are still recorded under their names.
TEST(EventKinds, OfSeveralJointsTheOthersHoldOn) {
  const std::string two = pendulum("directors", "") + R"toml(
[[body]]
name = "second"
mass = 1
shape = { box = [1, 0.05, 0.05] }
position = [1.5, 0, 0]
[[joint]]
name = "A"
bodies = ["rod", "second"]
ball = { at = [1, 0, 0] }
)toml";
  const Model model =
      parse_model(two + event(0.3, "joint = \"A\", release = true") + time("energy-momentum-exact", 0.005, 0.8), "m");
  const System system(model);
  Last last;
  Observer* const observers[] = {&last};
  const RunResult r = run(model, system, scheme_of(model), observers);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  ASSERT_EQ(last.multipliers.size(), 8U);
  double held = 0;
  for (int k = 0; k < system.multipliers(); ++k) {
    const double multiplier = last.multipliers[static_cast<std::size_t>(k)];
    if (system.constraint_name(k).starts_with("A"))
      EXPECT_EQ(multiplier, 0);
    else
      held = std::max(held, std::abs(multiplier));
  }
  EXPECT_GT(held, 0.1);
  EXPECT_LT(r.constraint_error_max, 1e-12);
  expect_closed(r);
}

// ---- motions ----

TEST(EventKinds, AMotionStopsOrEndsAtOnce) {
  const std::string shaken = R"toml(
[[node]]
name = "hand"
position = [0, 0, 0]
mass = 0.5
fixed_axes = ["y", "z"]
motion = { x = "0.3*t" }
[[node]]
name = "mass"
position = [1, 0, 0]
mass = 2
fixed_axes = ["y", "z"]
[[spring]]
name = "spring"
nodes = ["hand", "mass"]
stiffness = 50
)toml";
  const double w = 5, at = 0.5, end = 1.2, x = 1 + 0.3 * (at - std::sin(w * at) / w), v = 0.3 * (1 - std::cos(w * at));
  {
    const std::string events = event(at, "node = \"hand\", stop = true");
    const RunResult exact = moved(shaken + events + time("dormand-prince", 0.02, end));
    const double rest = 1 + 0.3 * at, t = end - at;
    EXPECT_NEAR(exact.state.q[3], rest + (x - rest) * std::cos(w * t) + v / w * std::sin(w * t), 1e-9);
    EXPECT_NEAR(exact.state.q[0], 0.3 * at, 1e-12);
    EXPECT_EQ(exact.state.v[0], 0);
    const RunResult r = moved(shaken + events + time("energy-momentum-exact", 0.02, end));
    EXPECT_NEAR(r.ledger.events(), -0.5 * 0.5 * 0.09, 1e-14);  // the hand's own
    expect_closed(r);
  }
  {
    const RunResult r = moved(shaken + event(at, "node = \"hand\", free = true") + time("energy-momentum-exact", 0.02, end));
    EXPECT_EQ(r.ledger.events(), 0);
    expect_closed(r);
    const RunResult exact = moved(shaken + event(at, "node = \"hand\", free = true") + time("dormand-prince", 0.02, end));
    // Their centre goes on as it went.
    EXPECT_NEAR((0.5 * exact.state.q[0] + 2 * exact.state.q[3]) / 2.5,
                (0.5 * 0.3 * at + 2 * x + (0.5 * 0.3 + 2 * v) * (end - at)) / 2.5, 1e-9);
  }
  {  // another motion, and then a halt
    const RunResult r = moved(shaken + event(at, "node = \"hand\", motion = { x = \"0.15 - 0.1*(t - 0.5)\" }") +
                              event(0.8, "node = \"hand\", stop = true") + time("energy-momentum-exact", 0.02, end));
    EXPECT_NEAR(r.state.q[0], 0.15 - 0.1 * 0.3, 1e-12);
    EXPECT_NEAR(r.ledger.events(), 0.25 * (0.01 - 0.09) - 0.25 * 0.01, 1e-14);
    expect_closed(r);
  }
}

// What a drive turns is stopped by an impulse, and goes on where the drive lets go.
TEST(EventKinds, ADrivenHingeStopsOrRunsFree) {
  const auto driven = [](const char* formulation, const std::string& rest) {
    return fmt::format(R"toml(
formulation = "{}"
[[body]]
name = "rod"
mass = 2
shape = {{ box = [1, 0.05, 0.05] }}
position = [0.5, 0, 0]
velocity = [0, 1, 0]
angular_velocity = [0, 0, 2]
[[joint]]
name = "motor"
bodies = ["ground", "rod"]
hinge = {{ axis = [0, 0, 1], at = [0, 0, 0] }}
motion = "2*t"
)toml",
                       formulation) +
           rest;
  };
  const double J = 2 * (1 + 0.0025) / 12 + 0.5, energy = 0.5 * J * 4;
  for (const auto& [formulation, scheme] : {std::pair{"directors", "energy-momentum-exact"},
                                            {"rotation", "energy-momentum-exact"},
                                            {"directors", "bathe"},
                                            {"euler-parameters", "newmark"},
                                            {"euler-parameters", "dormand-prince"}}) {
    SCOPED_TRACE(std::string(formulation) + " " + scheme);
    const auto result = [&](const std::string& set) {
      return moved(driven(formulation, event(0.3, "joint = \"motor\", " + set) + time(scheme, 0.01, 1)));
    };
    const auto angle = [](const RunResult& r) {
      return 2 * std::atan2(r.state.rotations[0].orientation.z(), r.state.rotations[0].orientation.w());
    };
    const RunResult stopped = result("stop = true");
    EXPECT_NEAR(angle(stopped), 0.6, 1e-9);
    EXPECT_NEAR(stopped.state.rotations[0].angular_velocity.norm(), 0, 1e-9);
    EXPECT_NEAR(stopped.ledger.events(), -energy, 1e-4 * energy);
    const RunResult free = result("free = true");
    EXPECT_NEAR(angle(free), 2, 1e-4);
    EXPECT_EQ(free.ledger.events(), 0);
    const RunResult back = result("drive = \"0.6 - (t - 0.3)\"");
    EXPECT_NEAR(angle(back), -0.1, 1e-9);
    EXPECT_NEAR(back.ledger.events(), -0.75 * energy, 1e-4 * energy);
    if (std::string_view(scheme) == "energy-momentum-exact")
      for (const RunResult* r : {&stopped, &free, &back}) expect_closed(*r);
  }
}

TEST(EventKinds, ACoordinateIsSetFree) {
  const std::string text = "[[coordinate]]\nname = \"u\"\ninertia = 2\nmotion = \"3*t\"\n";
  const RunResult r = moved(text + event(0.5, "coordinate = \"u\", free = true") + time("energy-momentum-exact", 0.01, 1));
  EXPECT_NEAR(r.state.q[0], 3, 1e-12);
  EXPECT_EQ(moved(text + event(0.5, "coordinate = \"u\", stop = true") + time("newmark", 0.01, 1)).state.q[0], 1.5);
}

// The reference goes through the same events.
TEST(EventKinds, TheReferencePassesThem) {
  const Model model = parse_model(
      pendulum("directors", event(0.2, "joint = \"hinge\", stiffness = 1") + event(0.4, "joint = \"hinge\", release = true") +
                                event(0.6, "body = \"rod\", mass = 1") + time("energy-momentum-exact", 0.01, 1)),
      "m");
  const System system(model);
  const ReferenceSolution exact = reference_solution(model, system);
  const RunResult fine = run(parse_model(
      pendulum("directors", event(0.2, "joint = \"hinge\", stiffness = 1") + event(0.4, "joint = \"hinge\", release = true") +
                                event(0.6, "body = \"rod\", mass = 1") + time("energy-momentum-exact", 0.0005, 1)),
      "m"));
  EXPECT_EQ(exact.method, "Dormand-Prince at 1e-12");
  EXPECT_LT(distance(system, exact.q, fine.state.q), 1e-5);
}

// ---- what is refused ----

TEST(EventKinds, WhatCannotBeIsNamed) {
  const std::string model = pulled("force = [10, 0, 0]\n", "") + R"toml(
[[node]]
name = "hand"
position = [0, 1, 0]
fixed_axes = ["y", "z"]
motion = { x = "t" }
[[body]]
name = "rod"
mass = 2
inertia = [1, 1, 1]
position = [0, 5, 0]
[[joint]]
name = "hinge"
bodies = ["ground", "rod"]
hinge = { axis = [0, 0, 1], at = [0, 5, 0] }
)toml" + time("energy-momentum-exact", 0.01, 1);
  const auto said = [&](const std::string& events) {
    std::string all;
    try {
      for (const Diagnostic& d : check(parse_model(model + events, "m")))
        if (d.severity == Diagnostic::Severity::error) all += d.message + "; " + d.remedy + "\n";
    } catch (const ModelError& error) {
      for (const Diagnostic& d : error.diagnostics) all += d.message + "; " + d.remedy + "\n";
    }
    return all;
  };
  EXPECT_EQ(said(""), "");
  const struct {
    std::string events, part;
  } cases[] = {
      {event(0.1, "load = \"pul\", scale = 0"), "there is no load 'pul'; did you mean 'pull'"},
      {event(0.1, "load = \"pull\""), "gives load 'pull' nothing new; add scale"},
      {event(0.1, "load = \"pull\", scale = 1"), "changes nothing: load 'pull' has that `scale` already"},
      {event(0.1, "load = \"pull\", scale = 0") + event(0.2, "load = \"pull\", scale = 0"), "0.2 changes nothing: load 'pull'"},
      {event(0.1, "load = \"pull\", mass = 3"), "a load has no `mass`"},
      {event(0.1, "node = \"mass\", mass = 0"), "'mass' in set of event number 1 is 0, but must be positive"},
      {event(0.1, "node = \"mass\", mass = -1"), "'mass' in set of event number 1 is -1, but must be positive"},
      {event(0.1, "node = \"mass\", mass = 2"), "changes nothing: node 'mass' has that `mass` already"},
      {event(0.1, "body = \"rod\", mass = 2"), "changes nothing: body 'rod' has that `mass` already"},
      {event(0.1, "body = \"rod\", release = true"), "a body has no `release`"},
      {event(0.1, "joint = \"hinge\", release = true") + event(0.5, "joint = \"hinge\", release = true"),
       "the event at t = 0.5: joint 'hinge' was released before"},
      {event(0.1, "joint = \"hinge\", release = true") + event(0.5, "joint = \"hinge\", stiffness = 3"), "was released before"},
      {event(0.1, "joint = \"hinge\", release = true, stiffness = 2"), "releases joint 'hinge' and gives it something new"},
      {event(0.1, "joint = \"hinge\", stop = true"), "nothing is prescribed of joint 'hinge'"},
      {event(0.1, "node = \"mass\", stop = true"), "nothing is prescribed of node 'mass'"},
      {event(0.1, "node = \"hand\", stop = true, free = true"), "more than one thing of the motion of node 'hand'"},
      {event(0.1, "node = \"hand\", stop = true") + event(0.2, "node = \"hand\", stop = true"), "stands still already"},
      {event(0.1, "node = \"hand\", free = true"), "frees node 'hand', which has no mass"},
      {event(0.1, "node = \"hand\", motion = { x = \"2*t\" }"), "is at x = 0.1, but its new motion begins at 0.2"},
      {event(0.1, "node = \"hand\", motion = { y = \"1\" }"), "nothing is prescribed of node 'hand' along y then"},
  };
  for (const auto& [events, part] : cases) {
    const std::string all = said(events);
    EXPECT_NE(all.find(part), std::string::npos) << events << "said: " << all;
  }
}

}  // namespace run_event_kinds
}  // namespace trompo
