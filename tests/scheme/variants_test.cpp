// Schemes by other names and variants of published ones: each is what its author wrote, and claims what it has.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tests/reference_cases.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/scheme/spectrum.hpp"

namespace trompo {
namespace scheme_variants {

using reference_cases::pendulum;

Model read(const std::string& text) { return parse_model(text, "variants"); }

RunResult by(Model model, const char* scheme, const std::map<std::string, std::string>& options = {}) {
  model.time.scheme = scheme;
  model.time.options = options;
  return run(model);
}

Model free_bar(const std::string& strain) {
  Model model = read(
      "node = [{ name = \"a\", position = [0, 0, 0], velocity = [-1, 0.3, 0.2], mass = 10 },\n"
      "        { name = \"b\", position = [0, -3.0443, 0], velocity = [7.72, -0.5, 1.1], mass = 6 }]\n"
      "bar = [{ name = \"bar\", nodes = [\"a\", \"b\"], EA = 1e4 }]\n"
      "time = { step = 0.05, steps = 400, scheme = \"simo-tarnow\" }\n");
  model.bars[0].strain = strain;
  return model;
}

TEST(SimoTarnow, IsKrenksGeometricFormForQuadraticStrainsAlone) {
  const RunResult green = by(free_bar("green"), "simo-tarnow"), krenk = by(free_bar("green"), "krenk-geometric");
  EXPECT_LT((green.state.q - krenk.state.q).norm(), 1e-9);
  EXPECT_LT(green.total.max - green.total.min, 1e-11 * green.ledger.scale());
  for (const char* strain : {"engineering", "logarithmic"}) {
    const RunResult ours = by(free_bar(strain), "simo-tarnow"), other = by(free_bar(strain), "krenk-geometric");
    EXPECT_LE(ours.angular_drift, 1e-11 * ours.angular_scale) << strain;
    EXPECT_GT(other.angular_drift, 1e-6 * other.angular_scale) << strain;
  }
}

// --- formulas of one coordinate ---

constexpr double omega = 3, h = 0.1;
Model oscillator(const char* load) {
  return read("coordinate = [{ name = \"u\", inertia = 2, value = 0.7, rate = -0.4, potential = \"9*u^2\" }]\n" +
              std::string("load = [{ name = \"push\", coordinate = \"u\", force = \"") + load + "\" }]\n" +
              "time = { step = 0.1, steps = 1, scheme = \"rk4\" }\n");
}

TEST(BackwardEuler, TakesForceLoadAndVelocityOfTheEnd) {
  const State end = by(oscillator("5 + 40*t"), "backward-euler").state;
  const double q1 = (0.7 + h * -0.4 + h * h * (5 + 40 * h) / 2) / (1 + h * h * omega * omega);
  EXPECT_NEAR(end.q[0], q1, 1e-14);
  EXPECT_NEAR(end.v[0], (q1 - 0.7) / h, 1e-13);
}

TEST(ForwardEuler, TakesRatesOfTheBeginning) {
  const State end = by(oscillator("5 + 40*t"), "forward-euler").state;
  EXPECT_NEAR(end.q[0], 0.7 + h * -0.4, 1e-15);
  EXPECT_NEAR(end.v[0], -0.4 + h * (2.5 - omega * omega * 0.7), 1e-14);
}

TEST(Houbolt, BalancesTheEndByACubicThroughFourPlaces) {
  Model model = oscillator("0");
  std::array<double, 8> q{0.7};
  for (long n = 1; n < 8; ++n) {
    model.time.steps = n;
    const State end = by(model, "houbolt").state;
    q[static_cast<std::size_t>(n)] = end.q[0];
    if (n < 3) continue;
    const double *x = q.data() + n, a = (2 * x[0] - 5 * x[-1] + 4 * x[-2] - x[-3]) / (h * h);
    EXPECT_NEAR(a + omega * omega * x[0], 0, 1e-12) << n;
    EXPECT_NEAR(end.v[0], (11 * x[0] - 18 * x[-1] + 9 * x[-2] - 2 * x[-3]) / (6 * h), 1e-13) << n;
  }
}

TEST(StabilityLimit, IsWhereTheRadiusLeavesOne) {
  int rows = 0;
  for (const Row& row : catalogue()) {
    if (!row.claims.stable_to) continue;
    ++rows;
    const auto radius = [&](double omega_h) {
      return spectral_point(make_scheme(row.name), omega_h / (2 * std::numbers::pi)).radius;
    };
    const double limit = *row.claims.stable_to;
    for (const double share : {0.1, 0.5, 0.9, 0.999})
      if (limit > 0) {
        EXPECT_LE(radius(share * limit), 1 + 1e-9) << row.name << ' ' << share;
      }
    EXPECT_GT(radius(limit > 0 ? 1.001 * limit : 1e-2), 1 + 1e-5) << row.name;
    EXPECT_TRUE(std::ranges::none_of(general_rows(), [&](const Row& other) { return other.name == row.name; }));
  }
  EXPECT_EQ(rows, 4);
}

TEST(StabilityLimit, IsBelowWhatConstraintsAsk) {
  const std::string bead =
      "node = [{ name = \"bead\", position = [1, 1, 0], mass = 1 }]\n"
      "constraint = [{ name = \"wire\", constraint = \"bead.x - bead.y\" }]\n"
      "time = { step = 0.01, steps = 1, scheme = \"";
  for (const char* scheme : {"fox-goodwin", "linear-acceleration"}) try {
      (void)run(read(bead + scheme + "\" }\n"));
      ADD_FAILURE() << scheme;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("infinite frequency"), std::string::npos) << error.what();
    }
}

TEST(FoxGoodwin, HasAPeriodErrorOfFourthOrder) {
  const auto ratio = [](const char* name) {
    const Scheme s = make_scheme(name);
    return spectral_point(s, 0.08).period_error / spectral_point(s, 0.04).period_error;
  };
  EXPECT_NEAR(ratio("fox-goodwin"), 16, 1);
  EXPECT_NEAR(ratio("linear-acceleration"), 4, 0.2);
}

// --- the direction of Silva's equation (75) ---

// E1 - E0 = (U1 - U0) sin^2(turn/2): the mean of the cosines is not the secant. The largest errors are those of two programs.
TEST(MeanCosines, GainByTheirFormulaInEveryStep) {
  for (const double gravity : {9.8, 0.0}) {
    const Model model = pendulum(1e4, gravity, 0.05, 600);
    const System system(model);
    const Scheme scheme = make_scheme("energy-momentum", {}, {{"direction", "mean"}});
    const auto stepper = make_stepper(scheme, system, newton_options(model));
    State state = initial_state(model, system);
    stepper->start(state, initial_acceleration(model, system, state));
    const auto energy = [&] { return system.kinetic(state.v) + system.potentials(state.q).sum(); };
    const double start = system.potentials(state.q).gravity, first = energy() - start;
    double most = 0;
    for (long k = 1; k <= 600; ++k) {
      const Vec3 r0 = state.q.tail<3>();
      const double U0 = system.potentials(state.q).elastic, E0 = energy();
      const StepReport report = stepper->step(state, 0.05 * static_cast<double>(k));
      ASSERT_TRUE(report.done());
      const Vec3 r1 = state.q.tail<3>();
      const double turn = std::atan2(r0.cross(r1).norm(), r0.dot(r1)), U1 = system.potentials(state.q).elastic;
      EXPECT_NEAR(energy() - E0, (U1 - U0) * std::pow(std::sin(0.5 * turn), 2), 1e-10) << k;
      EXPECT_NEAR(report.energy.numerical, E0 - energy(), 1e-10) << k;
      most = std::max(most, std::abs(energy() - start - first));
    }
    EXPECT_NEAR(most / first, gravity > 0 ? 5.8e-4 : 2.6e-4, 0.1e-4);
  }
  const RunResult free = by(free_bar("engineering"), "energy-momentum", {{"direction", "mean"}});
  EXPECT_GT(free.angular_drift, 1e-6 * free.angular_scale);  // the claim is that of the first word
}

// --- the share of a projection ---

TEST(ProjectionShare, LeavesTheRestOfTheError) {
  const auto error = [](const std::string& stabilisation) {
    Model model = read(
        "gravity = [0, -9.8, 0]\n"
        "node = [{ name = \"pivot\", position = [0, 0, 0], fixed = true },\n"
        "        { name = \"bob\", position = [1, 0, 0], velocity = [0, 1, 0], mass = 1 }]\n"
        "constraint = [{ name = \"rod\", constraint = \"bob.x^2 + bob.y^2 + bob.z^2 - 1\" }]\n"
        "time = { step = 0.01, steps = 1, scheme = \"forward-euler\", stabilisation = " +
        stabilisation + " }\n");
    const State end = run(model).state;
    return end.q.tail<3>().squaredNorm() - 1;
  };
  const double open = error("{ projection = \"none\" }");
  ASSERT_GT(open, 5e-5);
  for (const double gamma : {0.5, 1.0, 1.5})
    EXPECT_NEAR(error("{ projection = \"s-pos\", times = 1, gamma = " + std::to_string(gamma) + " }"), (1 - gamma) * open,
                1e-4 * open);
  EXPECT_LT(std::abs(error("{ projection = \"s-pos\", times = 30, gamma = 0.5 }")), 1e-12);
  for (const char* gamma : {"2", "7"})
    EXPECT_THROW((void)error(std::string("{ projection = \"s-both\", gamma = ") + gamma + " }"), std::exception) << gamma;
}

// --- projection and return of bodies ---

const std::string chain = R"(
[[body]]
name = "upper"
mass = 2
inertia = [0.2, 0.3, 0.15]
position = [0.5, 0, 0]
[[body]]
name = "lower"
mass = 1
inertia = [0.1, 0.15, 0.12]
position = [1.5, 0, 0]
velocity = [0, 0.4, 0]
angular_velocity = [0, 0, 0.8]
[[joint]]
name = "hinge"
bodies = ["ground", "upper"]
hinge = { at = [0, 0, 0], axis = [0, 1, 0] }
[[joint]]
name = "ball"
bodies = ["upper", "lower"]
ball = { at = [1, 0, 0] }
)";

TEST(ProjectionReturn, EndsWhereNewtonEndsOnBodies) {
  for (const char* formulation : {"directors", "rotation"}) {
    const Model model = read("gravity = [0, 0, -9.81]\nformulation = \"" + std::string(formulation) + "\"\n" + chain +
                             "[time]\nstep = 0.01\nsteps = 100\nscheme = \"projection-return\"\ninitial_projection = true\n");
    const RunResult whole = by(model, "energy-momentum-exact"), reduced = by(model, "projection-return");
    ASSERT_EQ(reduced.status, Status::done) << formulation;
    EXPECT_LT((whole.state.q - reduced.state.q).norm(), 1e-9) << formulation;
    EXPECT_LT((whole.state.v - reduced.state.v).norm(), 1e-8) << formulation;
    EXPECT_LT(reduced.total.max - reduced.total.min, 1e-11 * reduced.ledger.scale()) << formulation;
  }
}

TEST(ProjectionReturn, EndsWhereNewtonEndsOnARod) {
  const Model model = read(R"(
gravity = [0, 0, -9.81]
[[rod]]
name = "beam"
from = [0, 0, 0]
to = [1, 0, 0]
clamped = "from"
orientation = [0, 1, 0]
elements = 3
EA = 2e4
GA = 1e4
EI = 5
GJ = 4
density = 1
rotary_inertia = 1e-3
[[body]]
name = "weight"
mass = 0.5
inertia = [0.01, 0.01, 0.01]
position = [1.1, 0, 0]
[[joint]]
name = "link"
bodies = ["beam.3", "weight"]
ball = { at = [1, 0, 0] }
[time]
step = 0.005
steps = 60
scheme = "projection-return"
)");
  const RunResult whole = by(model, "energy-momentum-exact"), reduced = by(model, "projection-return");
  ASSERT_EQ(reduced.status, Status::done) << reduced.failure.dossier();
  EXPECT_LT((whole.state.q - reduced.state.q).norm(), 1e-9);
}

// With the gradient of the new end it is as published: equations are asked in the tangent space there, P = T.
TEST(ProjectionReturn, AsPublishedHasTheTangentOfTheEnd) {
  const Model model = read(
      "gravity = [0, -9.8, 0]\n"
      "node = [{ name = \"bead\", position = [0.5, 0.125, 0], velocity = [1, 0.75, 0], mass = 2, fixed_axes = [\"z\"] }]\n"
      "constraint = [{ name = \"wire\", constraint = \"bead.y - bead.x^3\" }]\n"
      "time = { step = 0.02, steps = 1, scheme = \"projection-return\" }\n");
  const State end = by(model, "projection-return", {{"constraint_gradient", "end"}}).state;
  // T at the new end is (1, 3 x^2): along it the momentum's change is the impulse of gravity.
  const double slope = 3 * end.q[0] * end.q[0], v_before[] = {1, 0.75};
  const double along = 2 * (end.v[0] - v_before[0]) + slope * (2 * (end.v[1] - v_before[1]) + 0.02 * 2 * 9.8);
  EXPECT_NEAR(along, 0, 1e-9);
  const State secant = by(model, "projection-return").state;
  EXPECT_GT((secant.q - end.q).norm(), 1e-9);
}

TEST(ProjectionReturn, RefusesLoopsByName) {
  const Model model = read(
      "body = [{ name = \"a\", mass = 1, inertia = [0.1, 0.1, 0.1], position = [0.5, 0, 0] }]\n"
      "joint = [{ name = \"one\", bodies = [\"ground\", \"a\"], hinge = { at = [0, 0, 0], axis = [1, 0, 0] } },\n"
      "         { name = \"two\", bodies = [\"ground\", \"a\"], hinge = { at = [1, 0, 0], axis = [1, 0, 0] } }]\n"
      "time = { step = 0.01, steps = 1, scheme = \"projection-return\" }\n");
  try {
    (void)run(model);
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("closed loops"), std::string::npos) << error.what();
  }
}

}  // namespace scheme_variants
}  // namespace trompo
