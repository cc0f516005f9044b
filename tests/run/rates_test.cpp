// Loads that feel velocities: states that another program stored, what they take and what they do not, slopes, the order of
// every row on bodies, the same bytes after a resumption, refusals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/stored.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/scheme/consistent_start.hpp"
#include "trompo/scheme/steppers.hpp"

namespace trompo {
namespace run_rates {

using Json = nlohmann::json;

const Json& stored_case(const char* name) { return stored("forces.json")["cases"][name]; }

std::string time_of(const Json& c, const std::string& scheme, long steps) {
  return fmt::format("[time]\nstep = {}\nsteps = {}\n{}\n[newton]\ntolerance = 1e-14\nincrement = 1e-14\n", c["step"].dump(),
                     steps, scheme);
}
std::string time_of(const Json& c, long steps) { return time_of(c, fmt::format("scheme = {}", c["scheme"].dump()), steps); }

RunResult moved(const std::string& text) {
  const Model model = parse_model(text, "rates");
  const std::vector<Diagnostic> found = check(model);
  for (const Diagnostic& d : found) EXPECT_NE(d.severity, Diagnostic::Severity::error) << d.message;
  RunResult result = run(model);
  EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
  return result;
}

double relative(double x, double expected) { return std::abs(x - expected) / std::max(1.0, std::abs(expected)); }

std::string falling(double mass, const Json& data, const std::string& velocity, const std::string& force) {
  return fmt::format(
      "gravity = [0, 0, -{}]\n[parameters]\nc = {}\n[[node]]\nname = \"bob\"\nposition = [0, 0, 0]\nmass = {}\nvelocity = {}\n"
      "[[load]]\nname = \"drag\"\nnode = \"bob\"\nforce = {}\n",
      data.value("g", 0.0), data.value("c", data.value("b", data.value("k", 0.0))), mass, velocity, force);
}

TEST(Rates, FallWithDragIsTheStoredOne) {
  const Json& c = stored_case("drag_fall");
  for (const auto& [steps, expected] : c["discrete"].items()) {
    const RunResult r =
        moved(falling(2, c["data"], "[0, 0, 0]", "[0, 0, \"-c*abs(bob.vz)*bob.vz\"]") + time_of(c, std::stol(steps)));
    EXPECT_LT(relative(r.state.q[2], expected["q"][0]), 1e-10);
    EXPECT_LT(relative(r.state.v[2], expected["v"][0]), 1e-10);
    EXPECT_LT(relative(-r.ledger.load_work(), expected["heat"]), 1e-10);
    EXPECT_LT(r.ledger.worst_residual(), 1e-13 * r.ledger.scale());
  }
}

TEST(Rates, FallWithDragByOtherBalancesIsTheStoredOne) {
  const Json& c = stored_case("drag_other_balances");
  for (const auto& [name, runs] : c["discrete"].items()) {
    const std::size_t space = name.find(' ');
    std::string scheme = "scheme = \"" + name.substr(0, space) + "\"";
    if (space != std::string::npos) scheme += "\nrho_infinity = " + name.substr(name.find('=') + 1);
    for (const auto& [steps, expected] : runs.items()) {
      const RunResult r =
          moved(falling(2, c["data"], "[0, 0, 0]", "[0, 0, \"-c*abs(bob.vz)*bob.vz\"]") + time_of(c, scheme, std::stol(steps)));
      EXPECT_LT(relative(r.state.q[2], expected["q"]), 1e-10) << name;
      EXPECT_LT(relative(r.state.v[2], expected["v"]), 1e-10) << name;
      if (expected.contains("a")) {
        EXPECT_LT(relative(r.acceleration[2], expected["a"]), 1e-9) << name;
      }
    }
  }
}

void expect_in_plane(const char* name, const std::string& model, double tolerance, double drift) {
  const Json& c = stored_case(name);
  for (const auto& [steps, expected] : c["discrete"].items()) {
    const RunResult r = moved(model + time_of(c, std::stol(steps)));
    for (int i = 0; i < 2; ++i) {
      EXPECT_LT(relative(r.state.q[2 * i], expected["q"][i]), tolerance) << name;
      EXPECT_LT(relative(r.state.v[2 * i], expected["v"][i]), tolerance) << name;
    }
    EXPECT_LT(r.ledger.worst_residual(), 1e-13 * r.ledger.scale());
    if (drift > 0) {
      EXPECT_LT(std::abs(r.ledger.load_work()), drift * r.ledger.scale());
    }
  }
}

TEST(Rates, ProjectileInWindIsTheStoredOne) {
  const Json& data = stored_case("drag_2d_wind")["data"];
  expect_in_plane(
      "drag_2d_wind",
      falling(2, data, "[20, 0, 25]",
              fmt::format("[\"-c*sqrt((bob.vx-{0})^2+bob.vz^2)*(bob.vx-{0})\", 0, \"-c*sqrt((bob.vx-{0})^2+bob.vz^2)*bob.vz\"]",
                          data["wind"].dump())),
      1e-10, 0);
}

// A force across the velocity does no work.
TEST(Rates, ForcesAcrossTheVelocityDoNoWork) {
  expect_in_plane("force_across_velocity",
                  falling(2, stored_case("force_across_velocity")["data"], "[1, 0, 0.5]", "[\"c*bob.vz\", 0, \"-c*bob.vx\"]"),
                  1e-12, 1e-13);
  expect_in_plane("phugoid",
                  falling(0.5, stored_case("phugoid")["data"], "[12, 0, 3]",
                          "[\"-c*sqrt(bob.vx^2+bob.vz^2)*bob.vz\", 0, \"c*sqrt(bob.vx^2+bob.vz^2)*bob.vx\"]"),
                  1e-10, 1e-12);
}

TEST(Rates, ControlledPendulumIsTheStoredOne) {
  const Json& c = stored_case("pd_pendulum");
  const Json& d = c["data"];
  for (const auto& [steps, expected] : c["discrete"].items()) {
    const RunResult r =
        moved(fmt::format("gravity = [0, -{}, 0]\n[[coordinate]]\nname = \"th\"\nvalue = {}\nrate = {}\n[[pendulum]]\n"
                          "name = \"p\"\ncoordinate = \"th\"\nmass = {}\nlength = {}\n[[load]]\nname = \"u\"\n"
                          "coordinate = \"th\"\nforce = \"-{}*(th-{}) - {}*rate(th)\"\n",
                          d["g"].dump(), d["th0"].dump(), d["rate0"].dump(), d["mass"].dump(), d["length"].dump(),
                          d["kp"].dump(), d["ref"].dump(), d["kd"].dump()) +
              time_of(c, std::stol(steps)));
    EXPECT_LT(relative(r.state.q[0], expected["q"][0]), 1e-10);
    EXPECT_LT(relative(r.state.v[0], expected["v"][0]), 1e-10);
  }
}

TEST(Rates, CartPoleIsTheStoredOne) {
  const Json& c = stored_case("cart_pole");
  const Json& d = c["data"];
  const Json& K = c["linear"]["K_lqr"];
  const std::string turning = "((bob.vx-cart.vx)*bob.z-(bob.x-cart.x)*bob.vz)/((bob.x-cart.x)^2+bob.z^2)";
  const double l = d["l"], start = d["theta0"];
  for (const auto& [steps, expected] : c["discrete"].items()) {
    const RunResult r = moved(
        fmt::format(
            "gravity = [0, 0, -{}]\n[[node]]\nname = \"cart\"\nposition = [0, 0, 0]\nmass = {}\nfixed_axes = [\"y\", \"z\"]\n"
            "[[node]]\nname = \"bob\"\nposition = [{:.17g}, 0, {:.17g}]\nmass = {}\nfixed_axes = [\"y\"]\n[[constraint]]\n"
            "name = \"pole\"\nconstraint = \"((bob.x-cart.x)^2+bob.z^2-{}^2)/2\"\n[[load]]\nname = \"u\"\nnode = \"cart\"\n"
            "force = [\"-({}*cart.x + {}*atan2(bob.x-cart.x, bob.z) + {}*cart.vx + {}*{})\", 0, 0]\n",
            d["g"].dump(), d["M"].dump(), l * std::sin(start), l * std::cos(start), d["m"].dump(), d["l"].dump(), K[0].dump(),
            K[1].dump(), K[2].dump(), K[3].dump(), turning) +
        time_of(c, std::stol(steps)));
    EXPECT_LT(relative(r.state.q[0], expected["cart_x"]), 1e-10);
    EXPECT_LT(relative(r.state.q[3], expected["bob_x"]), 1e-10);
    EXPECT_LT(relative(r.state.q[5], expected["bob_z"]), 1e-10);
    EXPECT_LT(relative(r.ledger.load_work(), expected["work_of_control"]), 1e-10);
  }
}

// A body that feels everything there is: drag at a point, thrust in its axes, torques and moments, an invariant.
const std::string felt = R"toml(
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 2
inertia = [[0.2, 0.01, 0], [0.01, 0.3, 0.02], [0, 0.02, 0.25]]
position = [0.5, 0, 0]
angular_velocity = [1, 2, -1]
[[body]]
name = "hand"
mass = 1
shape = { box = [0.4, 0.3, 0.2] }
position = [1.2, 0.1, 0]
angular_velocity = [1, -4, -1]
[[joint]]
name = "shoulder"
bodies = ["ground", "arm"]
ball = { at = [0, 0, 0] }
[[joint]]
name = "elbow"
bodies = ["arm", "hand"]
hinge = { axis = [0, 1, 0], at = [1, 0, 0] }
stiffness = 5
[[invariant]]
name = "apart"
formula = "(hand.x-arm.x)^2 + (hand.y-arm.y)^2 + (hand.z-arm.z)^2"
[[load]]
name = "drag"
body = "hand"
force = ["-0.3*hand.vx - 0.1*t", "-0.3*hand.vy*sqrt(0.5 + hand.vy^2)", "-0.2*rate(apart)"]
point = [0.1, 0, 0.2]
[[load]]
name = "thrust"
body = "hand"
force = ["2 - 0.5*hand.v1", 0, "0.3*hand.w2"]
follower = true
[[load]]
name = "friction"
body = "arm"
torque = ["-0.2*arm.w1", "-0.3*arm.w2 + 0.1*hand.z", "-0.1*arm.w3"]
moment = ["-0.1*arm.wx", "0.2*arm.wz*arm.x", "-0.2*arm.wz"]
[time]
step = 0.01
end = 0.4
scheme = "energy-momentum-exact"
initial_projection = true
)toml";

Model felt_model(const std::string& formulation) {
  Model model = parse_model(felt, "felt");
  model.formulation = formulation;
  return model;
}

// Against differences over raw frames, at an instant and over an interval.
TEST(Rates, SlopesAreThoseOfTheForces) {
  const Model model = felt_model("directors");
  const System system(model);
  State state = initial_state(model, system);
  FrameReduction raw(system, 0);
  VecX q0 = state.q, q1 = state.q, v = state.v;
  for (Eigen::Index c = 0; c < v.size(); ++c) {
    q1[c] += 0.05 * std::sin(static_cast<double>(3 * c + 1));
    v[c] += 0.3 * std::cos(static_cast<double>(2 * c + 1));
  }
  const double h = 0.1;
  const auto at_instant = [&](const VecX& q, const VecX& rates) {
    VecX load = VecX::Zero(q.size());
    system.rate_loads().at(q, {rates}, load);
    return load;
  };
  const auto over_interval = [&](const VecX& end, bool old_end) {
    const VecX rho = (end - q0) / h;
    VecX load = VecX::Zero(end.size());
    system.rate_loads().at(old_end ? q0 : end, {rho, &q0, &end, h}, load);
    return load;
  };
  const auto slopes = [&](const VecX& q, const Rates& rates, const RateLoads::Slopes& wanted) {
    std::vector<double> values(static_cast<std::size_t>(raw.pattern().nonzeros()), 0.0);
    Assembly out;
    raw.direct(values.data(), out);
    system.add_rate_load_tangent(q, rates, wanted, out);
    Eigen::MatrixXd full = Eigen::MatrixXd::Zero(raw.unknowns(), raw.unknowns());
    raw.pattern().each([&](int row, int column, int place) { full(row, column) = values[static_cast<std::size_t>(place)]; });
    return full;
  };
  const Eigen::MatrixXd by_place = slopes(q1, {v}, {.factor = 1}), by_rate = slopes(q1, {v}, {.factor = 0, .rate_factor = 1});
  constexpr double step = 1e-6;
  double largest = 0;
  for (int u = 0; u < raw.of_multiplier(0); ++u) {
    const VecX one = step * VecX::Unit(q1.size(), raw.coordinate(u));
    const VecX of_place = (at_instant(q1 + one, v) - at_instant(q1 - one, v)) / (2 * step);
    const VecX of_rate = (at_instant(q1, v + one) - at_instant(q1, v - one)) / (2 * step);
    for (int row = 0; row < raw.of_multiplier(0); ++row) {
      EXPECT_NEAR(by_place(row, u), of_place[raw.coordinate(row)], 1e-8) << raw.name(row) << " by " << raw.name(u);
      EXPECT_NEAR(by_rate(row, u), of_rate[raw.coordinate(row)], 1e-8) << raw.name(row) << " by " << raw.name(u);
      largest = std::max(largest, std::abs(by_place(row, u)));
    }
  }
  EXPECT_GT(largest, 0.1);

  // Over an interval torques and moments go to the rotation: rows of the body that has none.
  const VecX rho = (q1 - q0) / h;
  const std::vector<Mat3> back(system.bodies().size(), Mat3::Identity());
  const int first = system.bodies()[1].first, last = first + 12;
  for (const bool old_end : {true, false}) {
    const Eigen::MatrixXd slope =
        slopes(old_end ? q0 : q1, {rho, &q0, &q1, h}, {.factor = 1, .old_end = old_end, .back = &back});
    for (int u = 0; u < raw.of_multiplier(0); ++u) {
      const VecX one = step * VecX::Unit(q1.size(), raw.coordinate(u));
      const VecX of_place = (over_interval(q1 + one, old_end) - over_interval(q1 - one, old_end)) / (2 * step);
      for (int row = 0; row < raw.of_multiplier(0); ++row)
        if (raw.coordinate(row) >= first && raw.coordinate(row) < last) {
          EXPECT_NEAR(slope(row, u), of_place[raw.coordinate(row)], 1e-7) << raw.name(row) << " by " << raw.name(u);
        }
    }
  }
}

// Newton in the interval converges as it should only with the whole tangent, torques and moments among it.
TEST(Rates, NewtonConvergesQuadratically) {
  for (const char* formulation : {"directors", "rotation"}) {
    Model model = felt_model(formulation);
    model.time.step = 0.1;
    const System system(model);
    State state = initial_state(model, system);
    IntervalBalance balance(system, {.kind = Rule::Kind::secant}, NewtonOptions{.tolerance = 1e-13, .increment = 1e-13});
    ConsistentStart start(system);
    ASSERT_TRUE(start.project(state) && start.solve(state));
    balance.start(state, start.acceleration(), start.multipliers());
    for (int k = 1; k <= 3; ++k) {
      const StepReport report = balance.step(state, 0.1 * k);
      ASSERT_TRUE(report.done());
      EXPECT_LE(report.newton.iterations, 6) << formulation;
      for (int i = 1; i < report.newton.iterations; ++i) {
        const double before = report.newton.increment[static_cast<std::size_t>(i - 1)];
        const double now = report.newton.increment[static_cast<std::size_t>(i)];
        if (before < 1e-3 && now > 1e-12) {
          EXPECT_LT(now, 1e-1 * before) << formulation << ", iteration " << i;
        }
      }
    }
  }
}

TEST(Rates, EnergyIsBalancedInEveryFormulation) {
  for (const char* formulation : {"directors", "rotation"}) {
    Model model = felt_model(formulation);
    model.time.step = 0.05;
    model.time.end = 20;
    const RunResult r = run(model);
    ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
    EXPECT_LT(r.ledger.worst_residual(), 1e-12 * r.ledger.scale()) << formulation;
    EXPECT_LT(std::abs(r.ledger.numerical()), 1e-12 * r.ledger.scale()) << formulation;
  }
}

// Torques and moments against the spin of a free body take energy in every step, however long it is.
TEST(Rates, FrictionTakesEnergyInEveryStep) {
  const std::string text =
      "[[body]]\nname = \"p\"\nmass = 1\ninertia = [0.1, 0.2, 0.25]\nangular_velocity = [5, 9, -7]\n[[load]]\nname = \"f\"\n"
      "body = \"p\"\ntorque = [\"-0.3*p.w1\", \"-3*p.w2\", \"-0.5*p.w3\"]\nmoment = [0, \"-0.5*p.wy*abs(p.wy)\", "
      "0]\n[time]\nstep = "
      "0.2\nsteps = 1\n"
      "scheme = \"energy-momentum-exact\"\n";
  for (const char* formulation : {"directors", "rotation"}) {
    Model model = parse_model(text, "f");
    model.formulation = formulation;
    double before = 0;
    for (long steps = 1; steps < 20; ++steps) {
      model.time.steps = steps;
      const RunResult r = run(model);
      ASSERT_EQ(r.status, Status::done);
      if (r.ledger.kinetic() > 1e-12 * r.ledger.scale()) {
        EXPECT_LT(r.ledger.load_work(), before) << formulation;
      }
      EXPECT_LT(r.ledger.worst_residual(), 1e-12 * r.ledger.scale());
      before = r.ledger.load_work();
    }
  }
}

struct Case {
  std::string scheme, formulation;
};
class OrderWithRates : public testing::TestWithParam<Case> {};

const VecX& exact_frames() {
  static const VecX q = [] {
    Model model = felt_model("euler-parameters");
    model.time.scheme = "dormand-prince";
    model.time.parameters["tolerance"] = 1e-12;
    model.time.step = 0.1;
    const RunResult result = run(model);
    EXPECT_EQ(result.status, Status::done);
    return VecX(result.state.q.head<24>());
  }();
  return q;
}

TEST_P(OrderWithRates, IsTheClaimedOne) {
  const Case& c = GetParam();
  Model model = felt_model(c.formulation);
  model.time.scheme = c.scheme;
  const System system(model);
  const Scheme scheme = scheme_of(model);
  const auto error = [&](double h) {
    model.time.step = h;
    const RunResult result = run(model, system, scheme);
    EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
    return (result.state.q.head<24>() - exact_frames()).norm();
  };
  const std::optional<int> claim = claimed_order(scheme, system.formulation());
  ASSERT_TRUE(claim.has_value());
  const double coarse = error(0.005), fine = error(0.0025);
  EXPECT_NEAR(std::log2(coarse / fine), *claim, 0.15) << coarse << ", " << fine;
}
INSTANTIATE_TEST_SUITE_P(Rows, OrderWithRates,
                         testing::Values(Case{"energy-momentum-exact", "directors"}, Case{"energy-momentum-exact", "rotation"},
                                         Case{"krenk", "directors"}, Case{"discrete-gradient", "rotation"},
                                         Case{"trapezoidal", "directors"}, Case{"generalized-alpha-1", "directors"},
                                         Case{"generalized-alpha-2", "directors"}, Case{"bathe", "directors"},
                                         Case{"rk4", "euler-parameters"}, Case{"central-difference", "euler-parameters"}),
                         [](const auto& which) {
                           std::string name = which.param.scheme + "_" + which.param.formulation;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Rates, ResumedRunsHaveTheSameBytes) {
  for (const auto& [scheme, formulation] : {std::pair{"energy-momentum-exact", "rotation"},
                                            std::pair{"generalized-alpha-1", "directors"}, std::pair{"krenk", "directors"}}) {
    Model model = felt_model(formulation);
    model.time.scheme = scheme;
    const System system(model);
    const auto made = [&] { return make_stepper(scheme_of(model), system, NewtonOptions{}); };
    State state = initial_state(model, system);
    ConsistentStart start(system);
    ASSERT_TRUE(start.project(state) && start.solve(state));
    auto first = made(), second = made();
    first->start(state, start.acceleration(), start.multipliers());
    for (int k = 1; k <= 3; ++k) ASSERT_TRUE(first->step(state, 0.01 * k).done());
    State again = state;
    second->resume(again, first->history());
    first->forget_pivots();
    second->forget_pivots();
    for (int k = 4; k <= 6; ++k) {
      ASSERT_TRUE(first->step(state, 0.01 * k).done());
      ASSERT_TRUE(second->step(again, 0.01 * k).done());
    }
    EXPECT_EQ(state.q, again.q) << scheme;
    EXPECT_EQ(state.v, again.v) << scheme;
  }
}

std::string refusal(const std::string& text) {
  try {
    (void)parse_model(text, "m");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Rates, SensorsKnowTheRateOfAnInvariantOfTime) {
  const RunResult r = moved(
      "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 1\nrate = 2\n[[invariant]]\nname = \"I\"\nformula = \"u^2 + 3*t\"\n"
      "[[sensor]]\nname = \"s\"\nformula = \"rate(I)\"\n[time]\nstep = 0.1\nend = 1\nscheme = \"midpoint\"\n");
  EXPECT_NEAR(r.sensors[0].initial, 7, 1e-12);  // 2 u u' + 3
  EXPECT_NEAR(r.sensors[0].final, 15, 1e-12);
}

TEST(Rates, ASchemeThatDoesNotKnowThemSaysSo) {
  Model model = felt_model("directors");
  model.time.scheme = "energy-decay";
  try {
    (void)run(model);
    FAIL() << "it ran";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("its loads feel velocities"), std::string::npos) << error.what();
  }
}

TEST(Rates, StandOnlyWhereTheyHaveAMeaning) {
  const std::string base = "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 1\n",
                    time = "[time]\nstep = 0.1\nend = 1\nscheme = \"trapezoidal\"\n";
  const auto part = [&](const std::string& text) { return refusal(base + text + time); };
  EXPECT_NE(part("[[potential]]\nname = \"V\"\npotential = \"rate(u)^2\"\n").find("depends on a velocity"), std::string::npos);
  EXPECT_NE(part("[[constraint]]\nname = \"V\"\nconstraint = \"u - 1 + rate(u)\"\n").find("not holonomic"), std::string::npos);
  EXPECT_NE(part("[[invariant]]\nname = \"V\"\nformula = \"u*rate(u)\"\n").find("depends on a velocity"), std::string::npos);
  EXPECT_NE(part("[[load]]\nname = \"F\"\ncoordinate = \"u\"\nforce = \"rate(w)\"\n").find("no rate of 'w' is known here"),
            std::string::npos);
  EXPECT_NE(part("[[load]]\nname = \"F\"\ncoordinate = \"u\"\nforce = \"rate(u^2)\"\n").find("not an expression"),
            std::string::npos);
  EXPECT_NE(part("[[load]]\nname = \"F\"\ncoordinate = \"u\"\nforce = \"sqrt(rate(u))\"\n").find("its slope is not finite"),
            std::string::npos);
  EXPECT_NE(part("[[load]]\nname = \"F\"\ncoordinate = \"u\"\nforce = \"-rate(u)\"\npotential = true\n").find("no potential"),
            std::string::npos);
}

// However a moment of fixed direction is written, the angular momentum gains it times the time, and the same motion comes out.
TEST(Rates, AMomentGivesTheAngularMomentumOfItsTime) {
  for (const char* formulation : {"directors", "rotation"})
    for (const char* scheme : {"energy-momentum-exact", "discrete-gradient", "krenk"}) {
      SCOPED_TRACE(std::string(formulation) + " " + scheme);
      const auto turned = [&](const char* more) {
        return moved(
            fmt::format("formulation = \"{0}\"\n[[body]]\nname = \"b\"\nmass = 2\ninertia = [1, 1.2, 1.5]\n"
                        "angular_velocity = [1, 2, 0.5]\n[[load]]\nname = \"l\"\nbody = \"b\"\nmoment = [\"0.4 {1}\", "
                        "\"-0.2 {1}\", \"0.7 {1}\"]\n[time]\nscheme = \"{2}\"\nstep = 0.05\nend = 1\n",
                        formulation, more, scheme));
      };
      const RunResult plain = turned("");
      const Vec3 gained = plain.momentum.angular - plain.momentum_initial.angular;
      EXPECT_LT((gained - Vec3(0.4, -0.2, 0.7)).norm(), 1e-13);
      EXPECT_LT(plain.ledger.worst_residual(), 1e-12 * plain.ledger.scale());
      for (const char* more : {"+ 0*t", "+ 0*b.x", "+ 0*b.wx"})
        EXPECT_LT((turned(more).state.q.head(12) - plain.state.q.head(12)).norm(), 1e-11) << more;
    }
}

}  // namespace run_rates
}  // namespace trompo
