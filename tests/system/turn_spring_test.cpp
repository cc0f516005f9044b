// Springs and dampers on turns: bushings, ball, universal and cylindrical joints, against closed forms; what they keep, where
// they end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trompo/math/rotation_chord.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/measure/rotation_vector.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {
namespace system_turn_spring {

RunResult result_of(const std::string& text, const std::string& scheme, double step, double end) {
  const std::string time = fmt::format("[time]\nstep = {}\nend = {}\nscheme = \"{}\"\n", step, end, scheme);
  return run(parse_model(text + time, "turn"));
}
double final(const RunResult& r, std::size_t sensor) { return r.sensors.at(sensor).final; }

// A body of 2 kg at the origin, which turns at 10 rad/s about z.
std::string spinning(const std::string& spin, const std::string& more = "") {
  return "[[body]]\nname = \"p\"\nmass = 2\ninertia = [0.1, 0.2, 0.3]\nangular_velocity = " + spin + "\n" + more +
         "[[joint]]\nname = \"h\"\nbodies = [\"ground\", \"p\"]\n";
}
const std::string bushing = "bushing = { at = [0, 0, 0] }\nstiffness_along = [100, 100, 100]\n";
std::string sensor(const char* name, const std::string& what, const char* axis = nullptr) {
  return fmt::format("[[sensor]]\nname = \"{}\"\n{}\n", name, what) + (axis ? fmt::format("axis = \"{}\"\n", axis) : "");
}

// --- the rotation vector itself ---

TEST(RotationVectorTest, IsThatOfTheRotation) {
  for (const double angle : {0.0, 1e-9, 1e-3, 1.0, 2.5, 3.1, 3.14159}) {
    const Vec3 theta = angle * Vec3(0.48, -0.6, 0.64);
    TurnedAxes::C c;
    const Mat3 A = exponential(Vec3(0.3, 1, -2)), B = A * exponential(theta);
    c << A.reshaped(), B.reshaped();
    EXPECT_LT((RotationVector{}.value(c) - theta).norm(), 4e-15) << angle;
    // d theta = T^-1 of the turn in the axes of the second body
    const Vec3 turn(0.2, -0.7, 0.4);
    TurnedAxes::C rate;
    rate << Mat3::Zero().reshaped(), (B * skew(turn)).reshaped();
    EXPECT_LT((RotationVector{}.jacobian(c) * rate - rotation_tangent_inverse(theta) * turn).norm(), 4e-15) << angle;
    EXPECT_LT((RelativeSpin{}.jacobian(c) * rate - exponential(theta) * turn).norm(), 4e-15) << angle;
  }
}

// A step of any size goes from one vector to the other, up to half a turn and over frames that are none.
TEST(RotationVectorTest, SecantIsExactForLargeSteps) {
  std::srand(3);
  for (int k = 0; k < 200; ++k) {
    const auto drawn = [] {
      const Vec3 theta = (1.5 + 1.5 * Vec3::Random()[0]) * Vec3(Vec3::Random()).normalized();
      TurnedAxes::C c;
      c << exponential(Vec3::Random()).reshaped(), Mat3::Zero().reshaped();
      Eigen::Map<Mat3>{c.data() + 9} = Eigen::Map<const Mat3>(c.data()) * exponential(theta);
      return TurnedAxes::C(c + 0.02 * TurnedAxes::C::Random());
    };
    const TurnedAxes::C c0 = drawn(), c1 = drawn();
    if (RotationVector::jumps(c0, c1)) continue;
    const RotationVector phi;
    EXPECT_LT((phi.secant(c0, c1) * (c1 - c0) - (phi.value(c1) - phi.value(c0))).norm(), 1e-13);
  }
}

TEST(RelativeSpinTest, CurvatureIsTheSlopeOfTheForce) {
  std::srand(5);
  const TurnedAxes::C c = TurnedAxes::C::Random();
  const Vec3 s(0.7, -1.2, 0.4);
  const TurnedAxes::K K = RelativeSpin{}.curvature(c, s);
  for (int i = 0; i < 18; ++i) {
    const TurnedAxes::C d = 1e-6 * TurnedAxes::C::Unit(i);
    const TurnedAxes::C slope = (RelativeSpin{}.jacobian(c + d) - RelativeSpin{}.jacobian(c - d)).transpose() * s / 2e-6;
    EXPECT_LT((K.col(i) - slope).norm(), 1e-8);
  }
}

// --- bushings ---

// About one axis the bushing is a linear torsion spring: theta = w0/W sin W t up to 1.58 rad, where sines would let go at pi/2.
TEST(Bushing, IsATorsionSpringAtAnyAngle) {
  const std::string text = spinning("[0, 0, 10]") + bushing + "stiffness_about = [12, 12, 12]\n" +
                           sensor("w", "angular_velocity = \"p\"", "z") + sensor("t", "torque = \"h\"", "z") +
                           sensor("tilt", "tilt = \"p\"", "x") + sensor("e", "energy = \"h\"");
  const double W = std::sqrt(12 / 0.3), end = 1.6;
  for (const char* scheme : {"energy-momentum-exact", "midpoint", "krenk", "generalized-alpha-1", "bathe"}) {
    SCOPED_TRACE(scheme);
    const auto error = [&](double h) { return std::abs(final(result_of(text, scheme, h, end), 0) - 10 * std::cos(W * end)); };
    const double one = error(0.005), two = error(0.0025);
    EXPECT_NEAR(std::log2(one / two), 2, 0.15);
    const RunResult fine = result_of(text, scheme, 0.0025, end);
    EXPECT_NEAR(fine.sensors[0].min, -10, 2e-3);
    const double theta = 10 / W * std::sin(W * end);
    EXPECT_NEAR(final(fine, 1), -12 * theta, 2e-2);
    EXPECT_NEAR(fine.sensors[2].max, 10 / W, 1e-3);
    EXPECT_NEAR(final(fine, 3), 6 * theta * theta, 2e-2);
  }
}

// Two free bodies that turn against each other by more than a right angle about changing axes.
const std::string two_free = R"toml(
[[body]]
name = "a"
mass = 1
inertia = [[0.3, 0.02, 0.01], [0.02, 0.4, 0.03], [0.01, 0.03, 0.5]]
orientation = { axis = [1, 2, 3], degrees = 40 }
angular_velocity = [1, 2, 3]
[[body]]
name = "b"
mass = 2
inertia = [0.5, 0.3, 0.6]
position = [0.5, 0.1, 0]
angular_velocity = [-3, 1, -6]
[[joint]]
name = "h"
bodies = ["a", "b"]
bushing = { at = [0.2, 0.1, 0] }
stiffness_along = [100, 150, 120]
stiffness_about = [5, 9, 7]
)toml";

// Every row that can integrate it keeps what it claims to keep.
TEST(Bushing, KeepsEnergyAndMomenta) {
  int energies = 0, momenta = 0;
  for (const char* formulation : {"directors", "rotation"}) {
    const std::string text = fmt::format("formulation = \"{}\"\n", formulation) + two_free;
    for (const Row& row : catalogue()) {
      Model model = parse_model(text + "[time]\nstep = 0.01\nend = 3\nscheme = \"krenk\"\n", "turn");
      model.time.scheme = row.name;
      const System system(model);
      if (!refusal(row, system).empty()) continue;
      SCOPED_TRACE(std::string(row.name) + " " + formulation);
      const RunResult r = run(model, system, scheme_of(model));
      ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
      EXPECT_LT(r.linear_drift, 1e-11 * r.linear_scale);
      if (row.claims.energy) {
        ++energies;
        EXPECT_LT(r.total.max - r.total.min, 1e-11 * r.ledger.scale());
      }
      if (row.claims.angular_momentum) {
        ++momenta;
        EXPECT_LT(r.angular_drift, 1e-11 * r.angular_scale);
      }
      if (row.balance == Balance::interval) {
        EXPECT_LT(r.ledger.worst_residual(), 1e-11 * r.ledger.scale());
      }
    }
  }
  EXPECT_GE(energies, 2);
  EXPECT_GE(momenta, 2);
}

// T^-T K theta on the second body, along its axes, and the opposite on the first.
TEST(Bushing, TorqueIsThatOfTheRotationVector) {
  const RunResult r = result_of(
      two_free + sensor("x", "torque = \"h\"", "x") + sensor("y", "torque = \"h\"", "y") + sensor("z", "torque = \"h\"", "z"),
      "energy-momentum-exact", 0.01, 0.3);
  const auto matrix = [&](std::size_t b) { return to_matrix(r.state.rotations[b].orientation); };
  const Mat3 start = to_matrix(axis_angle(Vec3(1, 2, 3).normalized(), 40 * std::numbers::pi / 180));
  const Mat3 second = matrix(1) * start;  // its axes that were those of the first as drawn
  const Vec3 theta = logarithm(Mat3(matrix(0).transpose() * second));
  const Vec3 torque = -second * rotation_tangent_inverse(theta).transpose() * Vec3(5, 9, 7).cwiseProduct(theta);
  EXPECT_GT(theta.norm(), 1);
  EXPECT_LT((Vec3(final(r, 0), final(r, 1), final(r, 2)) - torque).norm(), 1e-11 * torque.norm());
}

// Half a turn is as far as a rotation vector goes: the step that passes it fails and names the joint, in every row.
TEST(Bushing, BeyondHalfATurnTheStepFailsByName) {
  const std::string weak = bushing + "stiffness_about = [3, 3, 3]\n";
  struct Case {
    const char *scheme, *formulation;
  };
  for (const Case& c : {Case{"energy-momentum-exact", "directors"}, Case{"energy-momentum-exact", "rotation"},
                        Case{"trapezoidal", "directors"}, Case{"krenk", "directors"}, Case{"generalized-alpha-1", "directors"},
                        Case{"midpoint", "directors"}, Case{"rk4", "euler-parameters"}}) {
    SCOPED_TRACE(std::string(c.scheme) + " " + c.formulation);
    const RunResult r =
        result_of(fmt::format("formulation = \"{}\"\n", c.formulation) + spinning("[0, 0, 12]") + weak, c.scheme, 0.01, 2);
    ASSERT_EQ(r.status, Status::not_converged);
    EXPECT_EQ(r.failure.culprit, "joint 'h'");
    EXPECT_EQ(r.failure.newton.end, NewtonEnd::outside_domain);
    // theta = w0/W sin W t = pi
    const double W = std::sqrt(3 / 0.3);
    EXPECT_NEAR(r.failure.time, std::asin(std::numbers::pi * W / 12) / W, 0.01);
  }
}

TEST(Bushing, TheSineLawIsStillThere) {
  const RunResult r = result_of(spinning("[0, 0, 10]") + bushing + "stiffness_about = [12, 12, 12]\nlaw = \"sine\"\n" +
                                    sensor("w", "angular_velocity = \"p\"", "z") + sensor("tilt", "tilt = \"p\"", "x"),
                                "energy-momentum-exact", 0.005, 0.6);
  const double w = final(r, 0), sine = std::sin(final(r, 1));
  EXPECT_NEAR(0.15 * w * w + 6 * sine * sine, 15, 1e-6);  // the frame's energy, but for the square of what a step turns
  EXPECT_GT(w, 7);                                        // it goes round
}

// Said once in a file, and not where the law is.
TEST(Bushing, FilesWithoutALawGetANote) {
  const std::string second =
      "[[body]]\nname = \"q\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [2, 0, 0]\n[[joint]]\nname = \"i\"\nbodies = [\"p\", "
      "\"q\"]\n";
  const auto notes = [&](const std::string& law, const std::string& keys) {
    const Model model = parse_model(spinning("[0, 0, 10]") + bushing + keys + law + second + bushing + keys + law +
                                        "[time]\nstep = 0.01\nend = 1\nscheme = \"krenk\"\n",
                                    "turn.toml");
    int count = 0;
    for (const Diagnostic& d : check(model)) count += d.message.find("rotation vector") != std::string::npos ? 1 : 0;
    return count;
  };
  EXPECT_EQ(notes("", "stiffness_about = [1, 2, 3]\n"), 1);
  EXPECT_EQ(notes("", "damping_about = [1, 2, 3]\n"), 1);
  EXPECT_EQ(notes("", ""), 0);
  EXPECT_EQ(notes("law = \"rotation-vector\"\n", "stiffness_about = [1, 2, 3]\n"), 0);
  EXPECT_EQ(notes("law = \"sine\"\n", "stiffness_about = [1, 2, 3]\n"), 0);
}

// A damper on the spin: J w' = -c w through many turns, and about all axes c w.w is what becomes heat.
TEST(Bushing, DampsTheSpinAtAnyAngle) {
  const std::string text =
      spinning("[0, 0, 10]") + bushing + "damping_about = [0.06, 0.06, 0.06]\n" + sensor("w", "angular_velocity = \"p\"", "z");
  for (const char* scheme : {"energy-momentum-exact", "krenk", "generalized-alpha-1"}) {
    SCOPED_TRACE(scheme);
    const auto error = [&](double h) {
      return std::abs(final(result_of(text, scheme, h, 2), 0) - 10 * std::exp(-0.06 / 0.3 * 2));
    };
    const double one = error(0.01), two = error(0.005);
    EXPECT_LT(two, 4e-3);
    EXPECT_NEAR(std::log2(one / two), 2, 0.2);
  }
  const RunResult free = result_of(two_free + "damping_about = [0.1, 0.3, 0.2]\n", "energy-momentum-exact", 0.01, 3);
  EXPECT_LT(free.angular_drift, 1e-11 * free.angular_scale);
  EXPECT_GT(free.ledger.heat(), 0.1 * free.ledger.scale());
  EXPECT_LT(free.ledger.worst_residual(), 1e-11 * free.ledger.scale());
  EXPECT_LE(static_cast<double>(free.iterations) / static_cast<double>(free.solves), 6);  // the tangent is exact
}

// A constant torque holds it at M/k, at any angle and for any number of load steps.
TEST(Bushing, RestsWhereTheTorqueHoldsIt) {
  const std::string text = spinning("[0, 0, 0]") + bushing + "stiffness_about = [12, 12, 12]\n" +
                           "[[load]]\nname = \"m\"\nbody = \"p\"\nmoment = [0, 0, 30]\n" + sensor("tilt", "tilt = \"p\"", "x");
  const StaticResult r = solve_statics(parse_model(text + "[statics]\nsteps = 7\n", "turn"));
  ASSERT_TRUE(r.done()) << r.run.failure.account;
  EXPECT_NEAR(r.run.sensors[0].final, 2.5, 1e-9);
}

// More than half a turn does not hold: no path leads beyond, neither by load nor along the arc.
TEST(Bushing, RestsNowhereBeyondHalfATurn) {
  const std::string text = spinning("[0, 0, 0]") + bushing + "stiffness_about = [12, 12, 12]\n" +
                           "[[load]]\nname = \"m\"\nbody = \"p\"\nmoment = [0, 0, 40]\n";
  for (const char* method : {"load", "arc-length"}) {
    SCOPED_TRACE(method);
    const StaticResult r = solve_statics(parse_model(text + "[statics]\nsteps = 10\nmethod = \"" + method + "\"\n", "turn"));
    EXPECT_EQ(r.run.status, Status::not_converged);
    EXPECT_NEAR(r.factor, 12 * std::numbers::pi / 40, 1e-3);
    if (std::string(method) == "arc-length") {
      EXPECT_NE(r.run.failure.account.find("joint 'h': not defined"), std::string::npos) << r.run.failure.account;
    }
  }
}

// --- ball, universal and cylindrical joints ---

TEST(SprungJoint, BallTurnsAgainstItsRotationVector) {
  const std::string ball = "ball = { at = [0, 0, 0] }\nstiffness = 12\n";
  const std::string w = sensor("w", "angular_velocity = \"p\"", "z");
  const double W = std::sqrt(12 / 0.3);
  EXPECT_NEAR(final(result_of(spinning("[0, 0, 10]") + ball + w, "energy-momentum-exact", 0.001, 1), 0), 10 * std::cos(W),
              2e-3);
  // At rest where the axes of both bodies are parallel, or as drawn.
  const std::string turned = "orientation = { axis = [0, 0, 1], degrees = 60 }\n";
  const double angle = std::numbers::pi / 3;
  EXPECT_NEAR(final(result_of(spinning("[0, 0, 0]", turned) + ball + w, "energy-momentum-exact", 0.001, 0.2), 0),
              -angle * W * std::sin(0.2 * W), 1e-3);
  EXPECT_NEAR(
      final(result_of(spinning("[0, 0, 0]", turned) + ball + "rest = \"as drawn\"\n" + w, "energy-momentum-exact", 0.01, 0.2),
            0),
      0, 1e-12);
  const RunResult damped =
      result_of(spinning("[0, 0, 10]") + "ball = { at = [0, 0, 0] }\ndamping = 0.06\n" + w, "energy-momentum-exact", 0.002, 2);
  EXPECT_NEAR(final(damped, 0), 10 * std::exp(-0.4), 1e-3);
}

// Each axis of the cross has its spring; angles tell the orientation: about `axis` first, then about the turned `other_axis`.
TEST(SprungJoint, UniversalHasTwoAngles) {
  const std::string cross =
      "universal = { axis = [1, 0, 0], other_axis = [0, 2, 0], at = [0, 0, 0] }\nstiffness = 4\nother_stiffness = 9\n";
  const std::string angles = sensor("a", "angle = \"h\"") + sensor("b", "other_angle = \"h\"") + sensor("e", "energy = \"h\"");
  const auto at = [&](const std::string& spin, std::size_t i) {
    return final(result_of(spinning(spin) + cross + angles, "energy-momentum-exact", 0.001, 0.3), i);
  };
  const double first = std::sqrt(4 / 0.1), second = std::sqrt(9 / 0.2);
  EXPECT_NEAR(at("[8, 0, 0]", 0), 8 / first * std::sin(0.3 * first), 1e-4);
  EXPECT_NEAR(at("[8, 0, 0]", 1), 0, 1e-12);
  EXPECT_NEAR(at("[0, 8, 0]", 1), 8 / second * std::sin(0.3 * second), 1e-4);
  EXPECT_NEAR(at("[0, 8, 0]", 0), 0, 1e-12);
  const RunResult both = result_of(spinning("[6, -9, 0]") + cross + "damping = 0.01\nother_damping = 0.02\n" + angles,
                                   "energy-momentum-exact", 0.01, 3);
  const double a = final(both, 0), b = final(both, 1);
  const Quaternion q = composed(axis_angle(Vec3::UnitX(), a), axis_angle(Vec3::UnitY(), b));
  EXPECT_LT((to_matrix(q) - to_matrix(both.state.rotations[0].orientation)).norm(), 1e-10);
  EXPECT_NEAR(final(both, 2), 2 * a * a + 4.5 * b * b, 1e-10);
  EXPECT_LT(both.ledger.worst_residual(), 1e-11 * both.ledger.scale());
  EXPECT_GT(both.sensors[0].max - both.sensors[0].min, 1);
  // Free to go round: the angle counts its turns.
  const RunResult round =
      result_of(spinning("[20, 0, 0]") + "universal = { axis = [1, 0, 0], other_axis = [0, 1, 0], at = [0, 0, 0] }\n" + angles,
                "energy-momentum-exact", 0.01, 1);
  EXPECT_NEAR(final(round, 0), 20, 0.1);  // a tenth of a radian per step is cut short by a 300th
}

TEST(SprungJoint, CylindricalTurnsAndTravelsApart) {
  const std::string slider =
      spinning("[0, 0, 10]", "velocity = [0, 0, 3]\n") + "cylindrical = { axis = [0, 0, 1], at = [0, 0, 0] }\n";
  const std::string both = sensor("a", "angle = \"h\"") + sensor("s", "travel = \"h\"");
  const RunResult r = result_of(slider + "stiffness = 12\ntravel_stiffness = 50\n" + both, "energy-momentum-exact", 0.001, 1);
  const double turning = std::sqrt(12 / 0.3), sliding = std::sqrt(50 / 2.0);
  EXPECT_NEAR(final(r, 0), 10 / turning * std::sin(turning), 1e-3);
  EXPECT_NEAR(final(r, 1), 3 / sliding * std::sin(sliding), 1e-3);
  const RunResult damped = result_of(slider + "damping = 0.3\ntravel_damping = 4\n" +
                                         sensor("w", "angular_velocity = \"p\"", "z") + sensor("v", "velocity = \"p\"", "z"),
                                     "energy-momentum-exact", 0.001, 0.5);
  EXPECT_NEAR(final(damped, 0), 10 * std::exp(-0.5), 1e-5);
  EXPECT_NEAR(final(damped, 1), 3 * std::exp(-1.0), 1e-5);
}

// An event gives a spring to what had none: its angle is known by then.
TEST(SprungJoint, EventsBringSprings) {
  const std::string event = "[[event]]\nat = 0.5\nset = { joint = \"h\", stiffness = 12 }\n";
  const std::string w = sensor("w", "angular_velocity = \"p\"", "z");
  const double W = std::sqrt(12 / 0.3);
  // Until then 2 rad/s, to 1 rad; the torsion spring of a cylindrical joint is at rest where it was drawn.
  const double expected = 2 * std::cos(0.3 * W) - W * std::sin(0.3 * W);
  for (const char* joint : {"cylindrical = { axis = [0, 0, 1], at = [0, 0, 0] }\n", "ball = { at = [0, 0, 0] }\n",
                            "universal = { axis = [0, 0, 1], other_axis = [1, 0, 0], at = [0, 0, 0] }\n"}) {
    const RunResult r = result_of(spinning("[0, 0, 2]") + joint + event + w, "energy-momentum-exact", 0.001, 0.8);
    ASSERT_EQ(r.status, Status::done) << joint;
    EXPECT_NEAR(final(r, 0), expected, 1e-3) << joint;
    EXPECT_NEAR(r.ledger.events(), 6, 1e-4) << joint;
  }
}

TEST(SprungJoint, CylindricalIsDrivenAlongAndAbout) {
  const std::string still = spinning("[0, 0, 0]") + "cylindrical = { axis = [0, 0, 1], at = [0, 0, 0] }\n";
  const std::string seen = sensor("a", "angle = \"h\"") + sensor("s", "travel = \"h\"") + sensor("m", "torque = \"h\"", "z") +
                           sensor("f", "reaction = \"h\"", "z");
  const RunResult r =
      result_of(still + "motion = \"0.5*t^2\"\ntravel_motion = \"0.2*t^2\"\n" + seen, "energy-momentum-exact", 0.01, 1);
  ASSERT_EQ(r.status, Status::done);
  EXPECT_NEAR(final(r, 0), 0.5, 1e-12);
  EXPECT_NEAR(final(r, 1), 0.2, 1e-12);
  EXPECT_NEAR(final(r, 2), 0.3, 1e-9);
  EXPECT_NEAR(final(r, 3), 0.8, 1e-9);
  // One alone leaves the other free.
  const std::string moving =
      spinning("[0, 0, 2]") + "cylindrical = { axis = [0, 0, 1], at = [0, 0, 0] }\ntravel_motion = \"0.2*t^2\"\n";
  const RunResult along = result_of(moving + seen, "energy-momentum-exact", 0.01, 1);
  EXPECT_NEAR(final(along, 0), 2, 1e-4);
  EXPECT_NEAR(final(along, 1), 0.2, 1e-12);
}

TEST(SprungJoint, WordsThatDoNotFitAreRefused) {
  const auto said = [](const std::string& joint) {
    try {
      (void)parse_model(spinning("[0, 0, 0]") + joint + "[time]\nstep = 0.01\nend = 1\nscheme = \"krenk\"\n", "turn.toml");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(said("hinge = { axis = [0, 0, 1], at = [0, 0, 0] }\ntravel_stiffness = 1\n").find("it belongs to cylindrical"),
            std::string::npos);
  EXPECT_NE(said("ball = { at = [0, 0, 0] }\nother_stiffness = 1\n").find("it belongs to universal"), std::string::npos);
  EXPECT_NE(said("ball = { at = [0, 0, 0] }\nmotion = \"t\"\n").find("it belongs to hinge, cylindrical, prismatic, distance"),
            std::string::npos);
  EXPECT_NE(said("ball = { at = [0, 0, 0] }\nstiffness = 1\nrest_angle = 1\n").find("it belongs to hinge, cylindrical"),
            std::string::npos);
  EXPECT_NE(said("cylindrical = { axis = [0, 0, 1], at = [0, 0, 0] }\ntravel_motion = \"1 + t\"\n").find("is driven from 1"),
            std::string::npos);
  EXPECT_NE(said("ball = { at = [0, 0, 0] }\nlaw = \"sine\"\n").find("it belongs to bushing"), std::string::npos);
}

}  // namespace system_turn_spring
}  // namespace trompo
