// The reference solution and what is measured against it: turns, events, distances, the verdict on an order.
#include "trompo/run/study.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "trompo/math/so3.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/convergence.hpp"

namespace trompo {
namespace run_study {

// A wheel on a hinge with a torsion spring: theta = omega/Omega sin(Omega t), Omega^2 = stiffness/0.3.
std::string wheel(double omega, double stiffness, const std::string& more = "") {
  return "[[body]]\nname = \"wheel\"\nmass = 2\ninertia = [0.1, 0.2, 0.3]\nangular_velocity = [0, 0, " + std::to_string(omega) +
         "]\n[[joint]]\nname = \"hinge\"\nbodies = [\"ground\", \"wheel\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, 0] }\n"
         "stiffness = " +
         std::to_string(stiffness) + "\n" + more + "[time]\nstep = 0.01\nend = 2\nscheme = \"energy-momentum-exact\"\n";
}
Model model_of(const std::string& text, const std::vector<std::string>& set = {}) { return parse_model(text, "m", set); }

double turned(const System& system, const VecX& q) { return q[system.joints().front().angle]; }

TEST(Reference, CountsTurns) {
  for (const char* formulation : {"directors", "rotation", "euler-parameters"})
    for (const double omega : {30.0, -55.0, 3.0}) {
      SCOPED_TRACE(formulation);
      const Model model = model_of(wheel(omega, 1.2), {std::string("formulation=\"") + formulation + "\""});
      const System system(model);
      const ReferenceSolution reference = reference_solution(model, system);
      const double exact = omega / 2 * std::sin(4.0);
      EXPECT_EQ(reference.method, "Dormand-Prince at 1e-12");
      EXPECT_NEAR(turned(system, reference.q), exact, 1e-8);
      EXPECT_LT(reference.error, 1e-8);
      const int first = system.bodies().front().first;
      EXPECT_NEAR(reference.q[first + 3], std::cos(exact), 1e-8);
      EXPECT_NEAR(reference.q[first + 4], std::sin(exact), 1e-8);
    }
}

// At t1 the spring becomes another: the solution is two sines, joined with place and rate.
TEST(Reference, PassesEvents) {
  for (const double t1 : {0.0, 0.5, 0.765432, 2.0}) {
    const Model model =
        model_of(wheel(30, 1.2, "[[event]]\nat = " + std::to_string(t1) + "\nset = { joint = \"hinge\", stiffness = 4.8 }\n"));
    const System system(model);
    const double at = 15 * std::sin(2 * t1), rate = 30 * std::cos(2 * t1), rest = 4 * (2 - t1);
    const ReferenceSolution reference = reference_solution(model, system);
    EXPECT_NEAR(turned(system, reference.q), at * std::cos(rest) + rate / 4 * std::sin(rest), 1e-8) << t1;
    EXPECT_NEAR(reference.energy_scale, t1 < 2 ? std::max(135.0, 0.15 * rate * rate + 2.4 * at * at) : 135, 1e-3) << t1;
  }
}

TEST(Distance, IsOfWhatMovesAndOfNothingElse) {
  const Model model = model_of(wheel(30, 1.2, R"toml(
[[node]]
name = "held"
position = [5, 0, 0]
fixed = true
[[node]]
name = "on rails"
position = [1, 1, 1]
fixed_axes = ["x"]
mass = 1
[[coordinate]]
name = "u"
inertia = 1
potential = "u^2"
[[load]]
name = "push"
coordinate = "u"
force = "u*t"
)toml"));
  const System system(model);
  const State start = initial_state(model, system);
  VecX q = start.q;
  EXPECT_EQ(distance(system, start.q, q), 0);
  q[system.joints().front().angle] += 7;  // remembered
  q[system.nodes()[0]] += 7;              // held
  q[system.nodes()[1]] += 7;
  for (int c = 0; c < system.coordinates(); ++c)
    if (system.coordinate_name(c) == "t") q[c] += 7;
  EXPECT_EQ(distance(system, start.q, q), 0);
  q[system.nodes()[1] + 1] += 0.03;
  q[system.nodes()[1] + 2] += 0.04;
  EXPECT_NEAR(distance(system, start.q, q), 0.05, 1e-14);
  q[system.scalars()[0]] = -0.06;
  EXPECT_NEAR(distance(system, start.q, q), 0.06, 1e-14);
  State other = start;
  for (const double angle : {0.07, 1.0, 3.0, -3.0}) {
    other.q = q;
    other.rotations[0].orientation = exponential_quaternion(Vec3(angle * Vec3(0.6, 0, 0.8)));
    system.write_frames(other);
    EXPECT_NEAR(distance(system, start.q, other.q), std::abs(angle), 1e-14);
  }
  q[system.bodies()[0].first] += 0.5;
  EXPECT_NEAR(distance(system, start.q, q), 0.5, 1e-14);
  q[system.scalars()[0]] = std::nan("");
  EXPECT_TRUE(std::isnan(distance(system, start.q, q)));
}

Convergence convergence_of(const Model& model, const std::string& scheme, int halvings = 4) {
  const System system(model);
  return converge(model, system, contender(scheme), reference_solution(model, system), halvings);
}

TEST(ConvergenceTest, SaysWhyAnOrderCannotBeSeen) {
  using enum Convergence::Verdict;
  const std::string oscillator =
      "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 1\npotential = \"u^2/2 + u^4/4\"\n"
      "[time]\nstep = 0.05\nend = 2\nscheme = \"energy-momentum-exact\"\n";
  const auto of = [&](const std::string& scheme, const std::vector<std::string>& set, int halvings = 4) {
    return convergence_of(model_of(oscillator, set), scheme, halvings);
  };
  const auto says = [](const Convergence& c, Convergence::Verdict verdict, const std::string& part) {
    EXPECT_EQ(c.verdict, verdict) << word(c.verdict) << ": " << c.reason;
    EXPECT_NE(c.reason.find(part), std::string::npos) << c.reason;
  };
  for (const char* scheme : {"energy-momentum-exact", "trapezoidal", "newmark:rho_infinity=0.6", "bathe"}) {
    const Convergence good = of(scheme, {});
    EXPECT_EQ(good.verdict, confirmed) << scheme << ": " << good.reason;
    EXPECT_EQ(good.reason, "");
    EXPECT_NEAR(good.order.value_or(0), *good.claim, 0.1) << scheme;
  }
  says(of("dormand-prince", {}), no_claim, "claims no order");
  says(of("simo-projection", {}), not_judged, "the model has no body");
  EXPECT_TRUE(of("simo-projection", {}).points.empty());
  says(of("trapezoidal", {"time.step=1", "time.end=100"}, 2), not_judged, "too coarse");
  says(of("trapezoidal", {"newton.max_iterations=1"}, 2), not_judged, "does not reach the end: not converged");
  says(of("trapezoidal", {"coordinate.u.potential=\"abs(u - 0.3)*u\""}, 3), not_judged, "coordinate 'u' has kinks");
  says(of("rk4", {"time.step=0.0002", "time.end=0.02"}), not_judged, "as small as those of the reference");
}

// A run that energy-momentum-exact cannot finish either: the formula ends at u = 0.
TEST(Reference, SaysThatThereIsNone) {
  const Model model = model_of(
      "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 1\nrate = -1\npotential = \"0.1*sqrt(u)\"\n"
      "[time]\nstep = 0.05\nend = 2\nscheme = \"trapezoidal\"\n");
  const System system(model);
  const ReferenceSolution reference = reference_solution(model, system);
  EXPECT_FALSE(reference.found());
  EXPECT_NE(reference.method.find("none: "), std::string::npos) << reference.method;
  const Convergence c = converge(model, system, contender("trapezoidal"), reference, 1);
  EXPECT_EQ(c.verdict, Convergence::Verdict::not_judged);
  EXPECT_NE(c.reason.find("no reference"), std::string::npos) << c.reason;
}

// Where Dormand-Prince costs too much: fine runs, in a formulation that the scheme of the reference has a form for.
TEST(Reference, IsExtrapolatedWhereTheMotionIsStiff) {
  const Model model = model_of(wheel(3, 1.2,
                                     "[[node]]\nname = \"a\"\nmass = 1e-9\nposition = [1.001, 0, 0]\n[[node]]\nname = \"b\"\n"
                                     "fixed = true\nposition = [0, 0, 0]\n[[bar]]\nname = \"stiff\"\nnodes = [\"b\", \"a\"]\n"
                                     "length = 1\nEA = 1e6\n"),
                               {"formulation=\"euler-parameters\"", "time.scheme=trapezoidal"});
  const System system(model);
  const ReferenceSolution reference = reference_solution(model, system);
  EXPECT_NE(reference.method.find("Richardson"), std::string::npos) << reference.method;
}

}  // namespace run_study
}  // namespace trompo
