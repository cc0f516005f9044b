// Solutions of a step's equations that are no motion: bodies turned elsewhere.
#include "trompo/scheme/verdict.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "trompo/math/so3.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace scheme_verdict {

constexpr const char* spinning = R"toml(
[[body]]
name = "p"
mass = 2
inertia = [0.3, 0.2, 0.25]
angular_velocity = [50, 50, 0]
)toml";
// Of the frame: 1, and -1 of its mirror image.
constexpr const char* handedness = R"toml(
[[sensor]]
name = "det"
formula = "p.d1.x*(p.d2.y*p.d3.z-p.d2.z*p.d3.y) - p.d1.y*(p.d2.x*p.d3.z-p.d2.z*p.d3.x) + p.d1.z*(p.d2.x*p.d3.y-p.d2.y*p.d3.x)"
)toml";

std::string time_text(const std::string& scheme, double step) {
  return fmt::format("[time]\nscheme = \"{}\"\nstep = {}\nend = 1\ninitial_projection = true\n", scheme, step);
}

struct Frames {
  VecX q0, q1, v0;
};
// A frame that turned by `turn` about z in a step, with the velocity that leads to `predicted` within a second.
Frames turned(double turn, double predicted) {
  Frames f{VecX::Zero(12), VecX::Zero(12), VecX::Zero(12)};
  Eigen::Map<Mat3>(f.q0.data() + 3).setIdentity();
  Eigen::Map<Mat3>(f.q1.data() + 3) = exponential(Vec3(0, 0, turn));
  Eigen::Map<Mat3>(f.v0.data() + 3) = skew(Vec3(0, 0, predicted));
  return f;
}

NewtonEnd end_of(const System& system, const Frames& f) {
  StepReport report;
  report.newton.end = NewtonEnd::converged;
  if (!accepted(report, system, f.q0, f.q1, f.v0, 1)) {
    EXPECT_EQ(report.culprit, "body 'p'");
  }
  return report.newton.end;
}

TEST(VerdictTest, FramesAreJudgedByWhereTheVelocityLeads) {
  const System system(parse_model(spinning + time_text("trapezoidal", 0.01), "p"));
  const double right = std::numbers::pi / 2;
  for (const double predicted : {0.0, 0.3, 1.0, 2.5}) {
    EXPECT_EQ(end_of(system, turned(predicted, predicted)), NewtonEnd::converged);
    EXPECT_EQ(end_of(system, turned(predicted + right - 0.01, predicted)), NewtonEnd::converged);
    EXPECT_EQ(end_of(system, turned(predicted + right + 0.01, predicted)), NewtonEnd::turned_away);
    EXPECT_EQ(end_of(system, turned(predicted - right - 0.01, predicted)), NewtonEnd::turned_away);
  }
}

// Accelerations of the end balances swing about the constraints of the axes more and more. Solved for axes, a frame once found
// its mirror image in the end, and the run was done with 2652 J of 625 J; rotations have no such solution.
TEST(VerdictTest, NoRunGoesOnWithAMirrorImage) {
  const char* ways[] = {"",
                        "[[joint]]\nname = \"h\"\nbodies = [\"ground\", \"p\"]\nhinge = { axis = [1, 1, 0], at = [0, 0, 0] }\n",
                        "[[body]]\nname = \"tail\"\nmass = 1\ninertia = [0.1, 0.2, 0.2]\nposition = [0.5, 0, 0]\n"
                        "[[joint]]\nname = \"w\"\nbodies = [\"p\", \"tail\"]\nweld = { at = [0.3, 0, 0] }\n"};
  int stopped = 0;
  for (const char* scheme :
       {"generalized-alpha-1", "generalized-alpha-2", "trapezoidal", "newmark", "hht-1", "bossak", "bathe"})
    for (const char* held : ways)
      for (const double step : {0.005, 0.02}) {
        const std::string text = std::string(spinning) + held + handedness + time_text(scheme, step);
        SCOPED_TRACE(text);
        const RunResult result = run(parse_model(text, "p"));
        EXPECT_GT(result.sensors[0].min, 0.9);
        if (result.status == Status::done) continue;
        ++stopped;
        if (result.failure.newton.end == NewtonEnd::turned_away) {
          EXPECT_NE(result.failure.dossier().find("body '"), std::string::npos);
        }
      }
  EXPECT_GT(stopped, 0);
}

// A body that is hit turns by more than a right angle in a step: half of the step is in order.
TEST(VerdictTest, AStepThatTurnsTooFarIsHalved) {
  const std::string text =
      "[[body]]\nname = \"p\"\nmass = 1\ninertia = [1, 1, 1]\n[[load]]\nname = \"hit\"\nbody = \"p\"\ntorque = [0, 0, 400]\n" +
      std::string(handedness);
  for (const char* scheme : {"trapezoidal", "generalized-alpha-1"}) {
    const RunResult result =
        run(parse_model(text + fmt::format("[time]\nscheme = \"{}\"\nstep = 0.1\nend = 0.1\n", scheme), "p"));
    EXPECT_GT(result.retries, 0);
    EXPECT_GT(result.sensors[0].min, 0.9);
  }
}

}  // namespace scheme_verdict
}  // namespace trompo
