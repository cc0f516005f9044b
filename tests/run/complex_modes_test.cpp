// Complex modes against closed forms: dampers, spin, frames that turn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "trompo/model/reader.hpp"
#include "trompo/run/campbell.hpp"
#include "trompo/run/modes.hpp"

namespace trompo {
namespace run_complex_modes {

using Complex = std::complex<double>;

ModesResult modes(const std::string& text, int count = 12, About about = About::start) {
  const Model model = parse_model(text + "[statics]\nsteps = 4\n", "modes");
  return find_modes(model, System(model), count, about);
}
Complex exponent(const Mode& m) { return {m.growth, m.frequency}; }
std::string refusal(const std::string& text, About about = About::start) {
  try {
    (void)modes(text, 6, about);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
// The nearest mode, as a distance relative to w.
double missed(const ModesResult& r, double w, const std::string& whirl = "any") {
  double nearest = 1;
  for (const Mode& m : r.modes)
    if (whirl == "any" || m.whirl == whirl) nearest = std::min(nearest, std::abs(m.frequency - w) / w);
  return nearest;
}

// ---- dampers ----

TEST(ComplexModes, OneDampedOscillator) {
  const auto found = [](double c) {
    return modes(fmt::format("[[coordinate]]\nname = \"u\"\ninertia = 2\npotential = \"9*u^2\"\ndamping = {}\n", c)).modes;
  };
  // 2 s^2 + c s + 18 = 0
  for (const double c : {1e-6, 0.1, 4.0, 11.9}) {
    const std::vector<Mode> m = found(c);
    ASSERT_EQ(m.size(), 1U) << c;
    EXPECT_NEAR(m[0].growth, -c / 4, 1e-12 * (1 + c)) << c;
    EXPECT_NEAR(m[0].frequency, std::sqrt(9 - c * c / 16), 1e-9) << c;
    EXPECT_NEAR(m[0].damping_ratio(), c / 12, 1e-11) << c;
  }
  for (const double c : {12.1, 40.0, 4000.0}) {
    const std::vector<Mode> m = found(c);
    ASSERT_EQ(m.size(), 2U) << c;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(m[i].frequency, 0);
      EXPECT_EQ(m[i].damping_ratio(), 1);
      const double s = -c / 4 + (i == 0 ? 1 : -1) * std::sqrt(c * c / 16 - 9);
      EXPECT_NEAR(m[i].growth / s, 1, 1e-7) << c << " " << i;
    }
  }
}

TEST(ComplexModes, AMassAgainstADamperAloneDriftsAndStops) {
  const std::vector<Mode> m = modes("[[coordinate]]\nname = \"u\"\ninertia = 2\ndamping = 3\n").modes;
  ASSERT_EQ(m.size(), 2U);
  EXPECT_TRUE(m[0].free());
  EXPECT_NEAR(m[1].growth, -1.5, 1e-12);
}

// Two masses, one damper to the ground and none between: what moves does not move in step.
TEST(ComplexModes, TwoMassesWithOneDamper) {
  const double m1 = 1, m2 = 2, k1 = 3, k2 = 4, c = 1.3;
  const std::string text =
      "[[node]]\nname = \"o\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"a\"\nposition = [1, 0, 0]\nmass = 1\n"
      "fixed_axes = [\"y\", \"z\"]\n[[node]]\nname = \"b\"\nposition = [2, 0, 0]\nmass = 2\nfixed_axes = [\"y\", \"z\"]\n"
      "[[spring]]\nname = \"s\"\nnodes = [\"o\", \"a\"]\nstiffness = 3\ndamping = 1.3\n"
      "[[spring]]\nname = \"t\"\nnodes = [\"a\", \"b\"]\nstiffness = 4\n";
  const ModesResult r = modes(text);
  ASSERT_EQ(r.modes.size(), 2U);
  double sum = 0, product = 1;
  for (const Mode& mode : r.modes) {
    const Complex s = exponent(mode);
    const Complex a = m1 * s * s + c * s + k1 + k2, b = m2 * s * s + k2;
    EXPECT_LT(std::abs(a * b - k2 * k2) / std::abs(a * b), 1e-10);
    // The shape solves the second equation: b xb = k2 xa.
    const auto x = [&](int c0) { return Complex(mode.shape[c0], mode.ahead[c0]); };
    EXPECT_LT(std::abs(b * x(6) - k2 * x(3)), 1e-10);
    sum += 2 * s.real(), product *= std::norm(s);
  }
  EXPECT_NEAR(sum, -c / m1, 1e-10);
  EXPECT_NEAR(product, k1 * k2 / (m1 * m2), 1e-9);
  EXPECT_TRUE(r.complex);
}

std::string beam(int elements, const std::string& more) {
  return fmt::format(
      "[[rod]]\nname = \"rod\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\nelements = {}\nEA = 1e8\nGA = 1e8\nGJ = 1e4\nEI = [100, "
      "400]\ndensity = 1\nrotary_inertia = 1e-6\n{}",
      elements, more);
}

// zeta = (alpha / w + beta w) / 2, with dense and with sparse factors (60 elements).
TEST(ComplexModes, RayleighDampingHasItsRatios) {
  for (const int elements : {8, 60}) {
    const std::string clamped = beam(elements, "clamped = \"from\"\n");
    const std::vector<Mode> plain = modes(clamped, 4).modes;
    const std::vector<Mode> damped = modes("[rayleigh]\nmass = 0.4\nstiffness = 2e-4\n" + clamped, 4).modes;
    ASSERT_EQ(damped.size(), 4U);
    for (int i = 0; i < 4; ++i) {
      const double w = plain[i].frequency, zeta = 0.5 * (0.4 / w + 2e-4 * w);
      EXPECT_NEAR(damped[i].damping_ratio() / zeta, 1, 1e-4) << elements << " " << i;
      EXPECT_NEAR(std::abs(exponent(damped[i])) / w, 1, 1e-6) << elements << " " << i;
    }
  }
}

TEST(ComplexModes, DampersThatDoNothingChangeNothing) {
  const std::string pair =
      "[[node]]\nname = \"o\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"a\"\nposition = [1, 0, 0]\nmass = 1\n"
      "[[spring]]\nname = \"s\"\nnodes = [\"o\", \"a\"]\nstiffness = 3\n";
  const ModesResult r = modes(pair);
  EXPECT_FALSE(r.complex);
  EXPECT_EQ(r.modes[0].ahead.size(), 0);
}

// Ziegler's pendulum: masses 2 m and m, two equal hinges, a follower force P at the end. Undamped it flutters from
// P l / k = 7/2 - sqrt 2 on, with next to no damping, the same in both hinges, from 41/28.
std::string ziegler(double load, double damping) {
  const std::string arm = "inertia = [1e-9, 1e-9, 1e-9]\n";
  return fmt::format(
      "[[body]]\nname = \"a\"\nmass = 2\n{0}position = [1, 0, 0]\n[[body]]\nname = \"b\"\nmass = 1\n{0}position = [2, 0, 0]\n"
      "[[joint]]\nname = \"h\"\nbodies = [\"ground\", \"a\"]\nhinge = {{ at = [0, 0, 0], axis = [0, 0, 1] }}\nstiffness = 1\n"
      "damping = {1}\n[[joint]]\nname = \"i\"\nbodies = [\"a\", \"b\"]\nhinge = {{ at = [1, 0, 0], axis = [0, 0, 1] }}\n"
      "stiffness = 1\ndamping = {1}\n[[load]]\nname = \"p\"\nbody = \"b\"\nforce = [-{2}, 0, 0]\nfollower = true\n",
      arm, damping, load);
}
TEST(ComplexModes, DampingUnsettlesZieglersPendulum) {
  const auto growth = [](double load, double damping) {
    double most = -1;
    for (const Mode& m : modes(ziegler(load, damping)).modes) most = std::max(most, m.growth);
    return most;
  };
  const double undamped = 3.5 - std::sqrt(2.0), damped = 41.0 / 28;
  EXPECT_EQ(growth(0.995 * undamped, 0), 0);
  EXPECT_GT(growth(1.005 * undamped, 0), 0.01);
  EXPECT_LT(growth(0.995 * damped, 1e-3), 0);
  EXPECT_GT(growth(1.005 * damped, 1e-3), 0);
}

// Beck's column: with a little internal damping it flutters at half of its load, 10.94 EI / L^2 for 20.05.
TEST(ComplexModes, DampingUnsettlesBecksColumn) {
  const auto growth = [](double p, double stiffness) {
    const std::string text =
        fmt::format("[rayleigh]\nstiffness = {}\n", stiffness) + beam(16, "clamped = \"from\"\n") +
        fmt::format("[[load]]\nname = \"push\"\nbody = \"rod.16\"\nforce = [0, 0, -{}]\nfollower = true\n", p * 100 / 4);
    double most = -1e9;
    for (const Mode& m : modes(text, 6, About::equilibrium).modes) most = std::max(most, m.growth);
    return most;
  };
  EXPECT_LT(growth(10.7, 1e-5), 0);
  EXPECT_GT(growth(11.2, 1e-5), 0);
  EXPECT_GT(growth(16, 1e-5), 0);  // undamped it still stands
}

// ---- spin ----

const char* const rotor =
    "[[body]]\nname = \"rotor\"\nmass = 5\ninertia = [0.6, 0.6, 0.25]\nangular_velocity = [0, 0, {0}]\n"
    "[[spring]]\nname = \"xl\"\nfrom = {{ body = \"rotor\", point = [0, 0, -0.5] }}\nto = {{ ground = [1, 0, -0.5] }}\n"
    "stiffness = 200\n{1}"
    "[[spring]]\nname = \"yl\"\nfrom = {{ body = \"rotor\", point = [0, 0, -0.5] }}\nto = {{ ground = [0, 1, -0.5] }}\n"
    "stiffness = {2}\n{1}"
    "[[spring]]\nname = \"xr\"\nfrom = {{ body = \"rotor\", point = [0, 0, 0.5] }}\nto = {{ ground = [1, 0, 0.5] }}\n"
    "stiffness = 200\n{1}"
    "[[spring]]\nname = \"yr\"\nfrom = {{ body = \"rotor\", point = [0, 0, 0.5] }}\nto = {{ ground = [0, 1, 0.5] }}\n"
    "stiffness = {2}\n{1}";
std::string on_springs(double spin, const std::string& more = "", double across = 200) {
  return fmt::format(fmt::runtime(rotor), spin, more, across);
}

// Tilts: A w^2 -+ C s w - 2 k a^2 = 0.
TEST(ComplexModes, ARigidRotorWhirlsForwardsAndBackwards) {
  constexpr double A = 0.6, C = 0.25, k = 200, a = 0.5, m = 5;
  for (const double s : {0.3, 20.0, 60.0, 900.0}) {
    const ModesResult r = modes(on_springs(s));
    const double root = std::sqrt(C * C * s * s + 8 * A * k * a * a);
    EXPECT_LT(missed(r, (root + C * s) / (2 * A), "forward"), 1e-8) << s;
    EXPECT_LT(missed(r, (root - C * s) / (2 * A), "backward"), 1e-8) << s;
    EXPECT_LT(missed(r, std::sqrt(2 * k / m)), 1e-8) << s;
    for (const Mode& mode : r.modes) EXPECT_NEAR(mode.growth, 0, 1e-7) << s << " " << mode.moves;
    EXPECT_EQ(std::count_if(r.modes.begin(), r.modes.end(), [](const Mode& mode) { return mode.free(); }), 2);
    EXPECT_TRUE(says(r.remarks.at(0), "do not turn"));
  }
}

// Springs of two stiffnesses: the plane of each is told from the other, and the round rotor still has constant matrices.
TEST(ComplexModes, BearingsNeedNotBeRound) {
  constexpr double A = 0.6, C = 0.25, a = 0.5, s = 40;
  const ModesResult r = modes(on_springs(s, "", 500));
  // (kx - A w^2)(ky - A w^2) = (C s w)^2 with k = 2 k a^2 each
  const double kx = 2 * 200 * a * a, ky = 2 * 500 * a * a, b = A * (kx + ky) + C * C * s * s;
  for (const double sign : {-1.0, 1.0})
    EXPECT_LT(missed(r, std::sqrt((b + sign * std::sqrt(b * b - 4 * A * A * kx * ky)) / (2 * A * A))), 1e-8);
  EXPECT_LT(missed(r, std::sqrt(2 * 500 / 5.0)), 1e-8);
}

TEST(ComplexModes, ADampedRotor) {
  constexpr double A = 0.6, C = 0.25, k = 200, a = 0.5, c = 3, s = 30;
  const ModesResult r = modes(on_springs(s, "damping = 3\n"));
  // z = x + i y: A z'' + (2 c a^2 - i C s) z' + 2 k a^2 z = 0
  const Complex p(2 * c * a * a, -C * s), root = std::sqrt(p * p - 8 * A * k * a * a);
  for (const double sign : {-1.0, 1.0}) {
    const Complex e = (-p + sign * root) / (2 * A);
    double nearest = 1;
    for (const Mode& m : r.modes) nearest = std::min(nearest, std::abs(exponent(m) - Complex(e.real(), std::abs(e.imag()))));
    EXPECT_LT(nearest, 1e-7);
  }
}

TEST(ComplexModes, AFreeTopNutates) {
  const std::string top = "[[body]]\nname = \"t\"\nmass = 2\ninertia = [0.5, 0.5, 0.8]\nangular_velocity = [0, 0, 7]\n";
  const ModesResult r = modes(top);
  EXPECT_LT(missed(r, 0.8 / 0.5 * 7, "forward"), 1e-8);
  EXPECT_EQ(std::count_if(r.modes.begin(), r.modes.end(), [](const Mode& m) { return m.free(); }), 6);
  EXPECT_EQ(r.modes.size(), 7U);
  // It flies: the same.
  EXPECT_LT(missed(modes(top + "velocity = [3, 0, 1]\n"), 0.8 / 0.5 * 7, "forward"), 1e-8);
}

// A body of three inertias spins about the first or the third and not about the second (Euler): in its own frame.
TEST(ComplexModes, AnOblongBodySpinsAboutTwoOfItsAxes) {
  const auto spinning = [](const char* w) {
    return modes(std::string("[[body]]\nname = \"t\"\nmass = 2\ninertia = [0.5, 0.7, 0.9]\nangular_velocity = ") + w + "\n");
  };
  const double s = 7;
  EXPECT_LT(missed(spinning("[0, 0, 7]"), s * std::sqrt((0.9 - 0.5) * (0.9 - 0.7) / (0.5 * 0.7))), 1e-7);
  EXPECT_LT(missed(spinning("[7, 0, 0]"), s * std::sqrt((0.5 - 0.7) * (0.5 - 0.9) / (0.7 * 0.9))), 1e-7);
  EXPECT_NEAR(spinning("[0, 7, 0]").modes.at(0).growth, s * std::sqrt((0.7 - 0.5) * (0.9 - 0.7) / (0.5 * 0.9)), 1e-7);
  EXPECT_TRUE(says(spinning("[0, 0, 7]").remarks.at(0), "turn with it"));
  EXPECT_TRUE(says(refusal("[[body]]\nname = \"t\"\nmass = 2\ninertia = [0.5, 0.7, 0.9]\nangular_velocity = [1, 7, 0]\n"),
                   "not steady"));
}

// A w^2 - C s w + m g l = 0: the sleeping top wakes below s = 2 sqrt(A m g l) / C.
TEST(ComplexModes, TheSleepingTop) {
  constexpr double A = 0.3, C = 0.1, mgl = 9.81 * 0.5;
  const auto upright = [](double s) {
    return modes(
        fmt::format("gravity = [0, 0, -9.81]\n[[body]]\nname = \"top\"\nmass = 1\ninertia = [0.3, 0.3, 0.1]\n"
                    "fixed_point = [0, 0, 0]\ncentre = [0, 0, 0.5]\nangular_velocity = [0, 0, {}]\n",
                    s));
  };
  const double critical = 2 * std::sqrt(A * mgl) / C;
  for (const double s : {1.2 * critical, 3 * critical}) {
    const double root = std::sqrt(C * C * s * s - 4 * A * mgl);
    const ModesResult r = upright(s);
    EXPECT_LT(missed(r, (C * s + root) / (2 * A), "forward"), 1e-8);
    EXPECT_LT(missed(r, (C * s - root) / (2 * A), "forward"), 1e-8);
  }
  const double s = 0.8 * critical;
  const Mode falling = upright(s).modes.at(0);
  EXPECT_NEAR(falling.growth, std::sqrt(4 * A * mgl - C * C * s * s) / (2 * A), 1e-8);
  EXPECT_NEAR(falling.frequency, C * s / (2 * A), 1e-8);
  EXPECT_LT(upright(1.0001 * critical).modes.at(0).growth, 1e-6);
  EXPECT_GT(upright(0.9999 * critical).modes.at(0).growth, 1e-3);
}

// A disc on a thin round shaft that turns with it: the disc tilts as on a spring of 12 EI / L, and whirls on one of 48 EI /
// L^3. As drawn, and where its weight makes it sag.
TEST(ComplexModes, ADiscOnATurningShaft) {
  const std::string shaft =
      "[[rod]]\nname = \"s\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 16\nEA = 1e8\nGA = 1e8\nGJ = 1000\nEI = 1650\n"
      "density = 1e-3\nrotary_inertia = 1e-8\nangular_velocity = [100, 0, 0]\n"
      "[[body]]\nname = \"disc\"\nmass = 8\nposition = [0.5, 0, 0]\ninertia = [0.09, 0.046, 0.046]\n"
      "angular_velocity = [100, 0, 0]\n"
      "[[joint]]\nname = \"seat\"\nbodies = [\"s.8\", \"disc\"]\nweld = { at = [0.5, 0, 0] }\n"
      "[[joint]]\nname = \"l\"\nbodies = [\"ground\", \"s.0\"]\nball = { at = [0, 0, 0] }\n"
      "[[joint]]\nname = \"r\"\nbodies = [\"ground\", \"s.16\"]\nline = { at = [1, 0, 0], axis = [1, 0, 0] }\n";
  constexpr double A = 0.046, C = 0.09, k = 12 * 1650, s = 100;
  const double root = std::sqrt(C * C * s * s + 4 * A * k);
  for (const ModesResult& r : {modes(shaft), modes("gravity = [0, 0, -9.81]\n" + shaft, 12, About::equilibrium)}) {
    EXPECT_LT(missed(r, std::sqrt(48 * 1650 / 8.0)), 5e-3);
    EXPECT_LT(missed(r, (root + C * s) / (2 * A), "forward"), 1e-2);
    EXPECT_LT(missed(r, (root - C * s) / (2 * A), "backward"), 1e-2);
  }
  // Damping that turns with the shaft: forward zeta = beta (w - s) / 2, backward beta (w + s) / 2. Beyond its frequency it
  // drives.
  const ModesResult damped = modes("[rayleigh]\nstiffness = 1e-5\n" + shaft);
  for (const Mode& m : damped.modes) {
    if (m.frequency < 90 || m.frequency > 110 || m.growth < -1) continue;  // what creeps within the shaft turns with it
    EXPECT_NEAR(m.damping_ratio(), 0.5e-5 * (m.frequency + (m.whirl == "forward" ? -s : s)), 1e-9) << m.whirl;
  }
  EXPECT_GT(damped.modes[0].growth, 0);
}

// ---- all in one frame that turns ----

// Two masses on a spring that turn about each other: w^2 = 3 W^2 + 2 k / m along it, W across the plane.
TEST(ComplexModes, ATurningPair) {
  constexpr double W = 2, k = 30, m = 1.5;
  const std::string pair =
      "[[node]]\nname = \"a\"\nposition = [-0.5, 0, 0]\nmass = 1.5\nvelocity = [0, -1, 0]\n"
      "[[node]]\nname = \"b\"\nposition = [0.5, 0, 0]\nmass = 1.5\nvelocity = [0, 1, 0]\n"
      "[[spring]]\nname = \"s\"\nnodes = [\"a\", \"b\"]\nstiffness = 30\n";
  const ModesResult r = modes(pair, 12, About::equilibrium);
  EXPECT_LT(missed(r, std::sqrt(3 * W * W + 2 * k / m)), 1e-8);
  EXPECT_LT(missed(r, W), 1e-6);
  // m W^2 r = k (2 r - l)
  EXPECT_NEAR(r.state.q[3], k / (2 * k - m * W * W), 1e-9);
}

// A blade on a hinge at e from the axis of a hub that is driven: flapping and lagging.
TEST(ComplexModes, ABladeOnADrivenHub) {
  constexpr double W = 12, e = 0.3, l = 0.8, m = 2, Ix = 0.01, Iy = 0.2, Iz = 0.205;
  const auto found = [](const char* axis) {
    return modes(std::string("[[body]]\nname = \"hub\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nangular_velocity = [0, 0, 12]\n"
                             "[[body]]\nname = \"blade\"\nmass = 2\ninertia = [0.01, 0.2, 0.205]\nposition = [1.1, 0, 0]\n"
                             "velocity = [0, 13.2, 0]\nangular_velocity = [0, 0, 12]\n"
                             "[[joint]]\nname = \"axle\"\nbodies = [\"ground\", \"hub\"]\n"
                             "hinge = { at = [0, 0, 0], axis = [0, 0, 1] }\nmotion = \"12*t\"\n"
                             "[[joint]]\nname = \"root\"\nbodies = [\"hub\", \"blade\"]\nhinge = { at = [0.3, 0, 0], axis = ") +
                 axis + " }\n");
  };
  const ModesResult flap = found("[0, 1, 0]"), lag = found("[0, 0, 1]");
  ASSERT_EQ(flap.modes.size(), 1U);
  ASSERT_EQ(lag.modes.size(), 1U);
  EXPECT_NEAR(flap.modes[0].frequency, W * std::sqrt((m * l * (e + l) + Iz - Ix) / (Iy + m * l * l)), 1e-8);
  EXPECT_NEAR(lag.modes[0].frequency, W * std::sqrt(m * e * l / (Iz + m * l * l)), 1e-8);
}

// A thin rod that turns about its end: w^2 = W^2 n (2 n - 1) across the plane, with Legendre's polynomials as shapes, less W^2
// within it. Bending adds EI / (rho L^4) int P'' ^2 / int P^2 = 525 EI / (rho L^4) to P3.
TEST(ComplexModes, ATurningRod) {
  const auto found = [](int elements) {
    return modes(fmt::format("[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\nelements = {}\nEA = 1e6\nGA = 1e6\n"
                             "GJ = 1\nEI = 0.01\ndensity = 1\nrotary_inertia = 1e-6\nangular_velocity = [0, 0, 3]\n"
                             "[[joint]]\nname = \"pin\"\nbodies = [\"ground\", \"r.0\"]\nball = {{ at = [0, 0, 0] }}\n",
                             elements),
                 8, About::equilibrium);
  };
  const ModesResult coarse = found(16), fine = found(32);
  const double bending = 525 * 0.01 / 16;
  for (const double square : {9.0, 9 * 6.0 + bending, 9 * 5.0 + bending}) {
    const double before = missed(coarse, std::sqrt(square)), after = missed(fine, std::sqrt(square));
    EXPECT_LT(after, 0.01) << square;
    EXPECT_TRUE(after < 0.4 * before || after < 1e-4) << square << " " << before << " " << after;
  }
}

// ---- refused ----

TEST(ComplexModes, WhatChangesInTimeIsRefused) {
  // A body that is not round, on bearings that are: its own frame will do. On bearings that are not, none will.
  const std::string oblong = "[[body]]\nname = \"rotor\"\nmass = 5\ninertia = [0.6, 0.7, 0.25]";
  const auto with_oblong = [&](std::string text) {
    const std::string round = "[[body]]\nname = \"rotor\"\nmass = 5\ninertia = [0.6, 0.6, 0.25]";
    return text.replace(text.find(round), round.size(), oblong);
  };
  EXPECT_TRUE(says(refusal(with_oblong(on_springs(20, "", 300))), "change"));
  EXPECT_TRUE(says(refusal(with_oblong(on_springs(20, "", 300))), "body 'rotor' turns"));
  // A tilted top falls.
  EXPECT_TRUE(says(refusal("gravity = [0, 0, -9.81]\n[[body]]\nname = \"top\"\nmass = 1\ninertia = [0.3, 0.3, 0.1]\n"
                           "fixed_point = [0, 0, 0]\ncentre = [0, 0, 0.5]\nangular_velocity = [0, 0, 50]\n"
                           "orientation = { axis = [1, 0, 0], degrees = 17 }\n"),
                   "not steady"));
}

// ---- over spin ----

TEST(Campbell, CriticalSpeedsOfARigidRotor) {
  constexpr double A = 0.6, C = 0.25, k = 200, a = 0.5, m = 5;
  const Model model = parse_model(on_springs(1) + "[statics]\nsteps = 4\n", "modes");
  const Campbell diagram = campbell(model, 10, About::start, {0, 40, 2.5});
  ASSERT_EQ(diagram.speeds.size(), 17U);
  const auto near = [&](double spin, const std::string& whirl) {
    return std::any_of(diagram.critical.begin(), diagram.critical.end(), [&](const Campbell::Critical& c) {
      return std::abs(c.spin / spin - 1) < 1e-8 && (whirl == "any" || c.whirl == whirl);
    });
  };
  EXPECT_TRUE(near(a * std::sqrt(2 * k / (A - C)), "forward"));
  EXPECT_TRUE(near(a * std::sqrt(2 * k / (A + C)), "backward"));
  EXPECT_TRUE(near(std::sqrt(2 * k / m), "any"));
  const double s = diagram.speeds[8].spin, root = std::sqrt(C * C * s * s + 8 * A * k * a * a);
  EXPECT_TRUE(std::any_of(diagram.speeds[8].modes.begin(), diagram.speeds[8].modes.end(),
                          [&](const Mode& mode) { return std::abs(mode.frequency - (root + C * s) / (2 * A)) < 1e-7; }));
}

TEST(Campbell, NothingThatTurnsIsRefused) {
  const Model model = parse_model(on_springs(0) + "[statics]\nsteps = 4\n", "modes");
  EXPECT_THROW((void)campbell(model, 4, About::start, {0, 1, 1}), ModelError);
}

}  // namespace run_complex_modes
}  // namespace trompo
