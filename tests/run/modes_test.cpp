// Modes against closed forms.
#include "trompo/run/modes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trompo/math/constrained_modes.hpp"
#include "trompo/model/reader.hpp"

namespace trompo {
namespace run_modes {

using std::numbers::pi;

std::vector<Mode> modes(const std::string& text, int count, About about = About::start) {
  const Model model = parse_model(text + "[statics]\nsteps = 4\n", "modes");
  return find_modes(model, System(model), count, about).modes;
}

// Slender: Timoshenko's corrections are far below what is looked for. EI = 100 about d1, 400 about d2; length 2, 1 kg/m.
std::string beam(int elements, const std::string& more) {
  return fmt::format(
      "[[rod]]\nname = \"rod\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\nelements = {}\nEA = 1e8\nGA = 1e8\nGJ = 1e4\nEI = [100, "
      "400]\n"
      "density = 1\nrotary_inertia = 1e-6\n{}",
      elements, more);
}
double euler_bernoulli(double lambda, double EI = 100) { return lambda * lambda / 4 * std::sqrt(EI); }

TEST(Modes, CantileverGoesToEulerAndBernoulliWithOrderTwo) {
  const double lambdas[] = {1.875104068711961, 4.694091132974175};
  const auto error = [&](int n, double EI, double lambda) {
    double nearest = 1;
    for (const Mode& m : modes(beam(n, "clamped = \"from\"\n"), 6))
      nearest = std::min(nearest, std::abs(m.frequency / euler_bernoulli(lambda, EI) - 1));
    return nearest;
  };
  for (const double lambda : lambdas)
    for (const double EI : {100.0, 400.0}) {
      const double coarse = error(10, EI, lambda), fine = error(20, EI, lambda);
      EXPECT_LT(fine, 0.02);
      EXPECT_NEAR(std::log2(coarse / fine), 2, 0.12) << lambda << " " << EI << " " << coarse << " " << fine;
    }
}

TEST(Modes, SimplySupportedBeam) {
  const std::string supports =
      "[[joint]]\nname = \"pin\"\nbodies = [\"ground\", \"rod.0\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, 0] }\n"
      "[[joint]]\nname = \"roller\"\nbodies = [\"ground\", \"rod.40\"]\nplane = { axis = [0, 1, 0], at = [2, 0, 0] }\n";
  const std::vector<Mode> found = modes(beam(40, supports), 4);
  double nearest = 1;
  for (const Mode& m : found) nearest = std::min(nearest, std::abs(m.frequency / euler_bernoulli(pi) - 1));
  EXPECT_LT(nearest, 2e-3);
}

// 60 elements: the sparse solver.
TEST(Modes, FreeBeamHasSixRigidMotions) {
  const std::vector<Mode> found = modes(beam(60, ""), 10);
  ASSERT_EQ(found.size(), 10U);
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(found[i].free()) << i << " " << found[i].frequency << " " << found[i].growth;
  EXPECT_NEAR(found[6].frequency / euler_bernoulli(4.730040744862704), 1, 4e-3);
  EXPECT_EQ(found[6].growth, 0);
}

TEST(Modes, SparseAndDenseAgree) {
  const auto lowest = [](int n) {
    const Model model = parse_model(beam(n, "clamped = \"from\"\n") + "[statics]\nsteps = 1\n", "beam");
    return find_modes(model, System(model), 6, About::start).modes;
  };
  // 42 elements are 258 unknowns, dense; 43 are sparse. Their own order-two difference is a few parts in ten thousand.
  const auto dense = lowest(42), sparse = lowest(43);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(dense[i].frequency / sparse[i].frequency, 1, 1e-3) << i;
}

const std::string pendulum =
    "gravity = [0, 0, -9.81]\n[[body]]\nname = \"bob\"\nmass = 2\ninertia = [0.3, 0.4, 0.5]\nposition = [0, 0, {}]\n"
    "[[joint]]\nname = \"pivot\"\nbodies = [\"ground\", \"bob\"]\nhinge = {{ axis = [0, 1, 0], at = [0, 0, 0] }}\n";

TEST(Modes, PendulumAndItsInverse) {
  const double l = 1.5, w = std::sqrt(2 * 9.81 * l / (0.4 + 2 * l * l));
  const std::vector<Mode> hanging = modes(fmt::format(fmt::runtime(pendulum), -l), 3);
  ASSERT_EQ(hanging.size(), 1U);
  EXPECT_NEAR(hanging[0].frequency, w, 1e-10);
  EXPECT_EQ(hanging[0].growth, 0);
  const std::vector<Mode> standing = modes(fmt::format(fmt::runtime(pendulum), l), 3);
  ASSERT_EQ(standing.size(), 1U);
  EXPECT_NEAR(standing[0].growth, w, 1e-10);
  EXPECT_EQ(standing[0].frequency, 0);
}

TEST(Modes, DoublePendulumOfPointMasses) {
  // w^2 = g/l (2 -+ sqrt 2) for two equal masses on equal strings, here constraints.
  const std::string text =
      "plane = \"xz\"\ngravity = [0, -9.81]\n[[node]]\nname = \"o\"\nposition = [0, 0]\nfixed = true\n"
      "[[node]]\nname = \"a\"\nposition = [0, -1]\nmass = 1\n[[node]]\nname = \"b\"\nposition = [0, -2]\nmass = 1\n"
      "[[constraint]]\nname = \"upper\"\nconstraint = \"a.x^2+a.z^2-1\"\n"
      "[[constraint]]\nname = \"lower\"\nconstraint = \"(b.x-a.x)^2+(b.z-a.z)^2-1\"\n";
  const std::vector<Mode> found = modes(text, 5);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].frequency, std::sqrt(9.81 * (2 - std::sqrt(2))), 1e-10);
  EXPECT_NEAR(found[1].frequency, std::sqrt(9.81 * (2 + std::sqrt(2))), 1e-10);
  EXPECT_EQ(found[0].moves.substr(0, 9), "b along x");
}

TEST(Modes, MassOnASpringAlongALine) {
  const std::string text =
      "[[node]]\nname = \"o\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"a\"\nposition = [1, 1, 0]\nmass = 3\n"
      "[[spring]]\nname = \"s\"\nnodes = [\"o\", \"a\"]\nstiffness = 50\n"
      "[[constraint]]\nname = \"line\"\nconstraint = \"a.x-a.y\"\n[[constraint]]\nname = \"floor\"\nconstraint = \"a.z\"\n";
  const std::vector<Mode> found = modes(text, 5);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0].frequency, std::sqrt(50.0 / 3), 1e-10);
}

// Tension stiffens: w = (pi/L)^2 sqrt(EI/m (1 + T L^2 / (pi^2 EI))). About the equilibrium, where a load stretches the beam.
TEST(Modes, ATautBeamSoundsHigher) {
  const std::string text = beam(40,
                                "[[joint]]\nname = \"pin\"\nbodies = [\"ground\", \"rod.0\"]\n"
                                "hinge = { axis = [0, 0, 1], at = [0, 0, 0] }\n"
                                "[[joint]]\nname = \"roller\"\nbodies = [\"ground\", \"rod.40\"]\n"
                                "plane = { axis = [0, 1, 0], at = [2, 0, 0] }\n"
                                "[[load]]\nname = \"pull\"\nbody = \"rod.40\"\nforce = [1e4, 0, 0]\n");
  const double known = euler_bernoulli(pi) * std::sqrt(1 + 1e4 * 4 / (pi * pi * 100));
  double nearest = 1;
  for (const Mode& m : modes(text, 4, About::equilibrium)) nearest = std::min(nearest, std::abs(m.frequency / known - 1));
  EXPECT_LT(nearest, 2e-3);
}

TEST(Modes, TheEnlargedShapeKeepsJointsClosedToFirstOrder) {
  const Model model = parse_model(beam(4, "clamped = \"from\"\n") + "[statics]\nsteps = 1\n", "beam");
  const System system(model);
  const ModesResult r = find_modes(model, system, 1, About::start);
  VecX error = VecX::Zero(system.multipliers()), size = error;
  const State moved = displaced(system, r.state, r.modes[0], visible_amplitude(system, r.modes[0]), pi / 2);
  system.constraint_errors(moved.q, error, size);
  EXPECT_LE(error.cwiseAbs().maxCoeff(), 1e-10);  // clamped: nothing moves there
  EXPECT_GT((moved.q - r.state.q).cwiseAbs().maxCoeff(), 0.05);
}

// A follower force at the tip of Beck's column flutters beyond 20.05 EI / L^2; a dead one of that size has long buckled it.
TEST(Modes, BecksColumnFlutters) {
  const auto growth = [](double p, const char* kind, int elements = 20) {
    const std::string text =
        beam(elements, "clamped = \"from\"\n") +
        fmt::format("[[load]]\nname = \"push\"\nbody = \"rod.{}\"\n{}\n", elements, fmt::format(fmt::runtime(kind), p));
    double most = 0;
    for (const Mode& m : modes(text, 6, About::equilibrium)) most = std::max(most, m.growth);
    return most;
  };
  const char* follower = "force = [0, 0, -{}]\nfollower = true";
  EXPECT_EQ(growth(18.0 * 100 / 4, follower), 0);
  EXPECT_GT(growth(22.0 * 100 / 4, follower), 1);
  EXPECT_GT(growth(3.0 * 100 / 4, "force = [-{}, 0, 0]"), 1);  // Euler: pi^2/4 = 2.47
  EXPECT_EQ(growth(2.3 * 100 / 4, "force = [-{}, 0, 0]"), 0);
  // The load at which two frequencies meet, of second order in the elements.
  const auto critical = [&](int elements) {
    double below = 18, beyond = 22;
    while (beyond - below > 1e-3) {
      const double p = 0.5 * (below + beyond);
      (growth(p * 100 / 4, follower, elements) > 1e-6 ? beyond : below) = p;
    }
    return below;
  };
  constexpr double beck = 20.05095;
  const double coarse = critical(10) - beck, fine = critical(20) - beck;
  EXPECT_LT(std::abs(fine), 0.004 * beck);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.12);
}

}  // namespace run_modes
}  // namespace trompo
