// Rods in motion: what is kept over many steps, in every formulation; joined to bodies; large bending at rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/long_run.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/system/rod_element.hpp"

namespace trompo {
namespace run_rod_run {

using std::numbers::pi;

std::string time_text(const std::string& scheme, double step, long steps) {
  return fmt::format("[time]\nscheme = \"{}\"\nstep = {}\nsteps = {}\n", scheme, step, steps);
}

const std::string section = "EA = 1e4\nGA = 1e4\nGJ = 50\nEI = [50, 80]\ndensity = 1\nrotary_inertia = [0.02, 0.03]\n";

std::string rod_text(int elements, const std::string& more) {
  return fmt::format("[[rod]]\nname = \"rod\"\nfrom = [0, 0, 0]\nto = [3, 0, 4]\nelements = {}\n{}{}", elements, section, more);
}

// Turning, with a wave along it, so that it bends, twists and stretches; and drifting slowly: a rod that flies kilometres away
// would lose the digits of its strains, eps |x| each, whatever the scheme.
Model thrown(const std::string& formulation, const std::string& scheme, double step, long steps, const std::string& more = "",
             int elements = 8) {
  Model m = parse_model("formulation = \"" + formulation + "\"\n" +
                            rod_text(elements, "angular_velocity = [0.5, 1, -1]\n" + more) + time_text(scheme, step, steps),
                        "thrown");
  Vec3 momentum = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(m.bodies.size() - 1);
    *m.bodies[i].velocity += Vec3(0, 3 * std::sin(2 * pi * s), std::cos(pi * s));
    m.bodies[i].angular_velocity += Vec3(0, 0, 2 * std::cos(pi * s));
    momentum += *m.bodies[i].mass * *m.bodies[i].velocity;
    mass += *m.bodies[i].mass;
  }
  for (BodyInput& b : m.bodies) *b.velocity += Vec3(0.01, 0, 0.005) - momentum / mass;
  return m;
}

void keeps_everything(const Model& m) {
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  EXPECT_GT(r.potential.max, 0.05 * r.ledger.scale());  // it does bend
  EXPECT_LE((r.total.max - r.total.min) / r.ledger.scale(), 1e-11);
  EXPECT_LE(r.linear_drift / r.linear_scale, 1e-11);
  EXPECT_LE(r.angular_drift / r.angular_scale, 1e-11);
}

TEST(RodRun, AThrownRodKeepsEnergyAndMomenta) {
  for (const char* formulation : {"directors", "rotation"}) {
    SCOPED_TRACE(formulation);
    keeps_everything(thrown(formulation, "energy-momentum-exact", 0.02, brief_run(10000)));
  }
}

TEST(RodRun, QuadraticStrainsKeepThemToo) {
  for (const char* formulation : {"directors", "rotation"}) {
    SCOPED_TRACE(formulation);
    keeps_everything(thrown(formulation, "energy-momentum-exact", 0.02, brief_run(10000), "strain = \"quadratic\"\n"));
  }
}

TEST(RodRun, AConsistentMassKeepsThemToo) {
  keeps_everything(thrown("directors", "energy-momentum-exact", 0.02, brief_run(10000), "mass = \"consistent\"\n"));
}

TEST(RodRun, ElementsOfThreeNodesKeepThemToo) {
  for (const char* mass : {"lumped", "consistent"}) {
    SCOPED_TRACE(mass);
    keeps_everything(thrown("directors", "energy-momentum-exact", 0.02, brief_run(10000),
                            std::string("nodes_per_element = 3\nmass = \"") + mass + "\"\n", 4));
  }
}

// A straight rod that turns as one, against the integrals over its length: exact with a consistent mass, whose interpolation
// contains rigid motion; lumps have more inertia.
TEST(RodRun, AConsistentMassTurnsAsTheContinuum) {
  const Vec3 v(1, 0, 0.5), w(0.5, 1, -1), half(1.5, 0, 2);  // of length 5, density 1; from the centre to an end
  const Vec3 vc = v + w.cross(half), t = half.normalized();
  for (const char* nodes : {"2", "3"}) {
    const Model m =
        parse_model(rod_text(3, std::string("orientation = [0, 1, 0]\nmass = \"consistent\"\nvelocity = [1, 0, 0.5]\n"
                                            "angular_velocity = [0.5, 1, -1]\nnodes_per_element = ") +
                                    nodes + "\n") +
                        time_text("energy-momentum-exact", 0.01, 1),
                    "turning");
    const System system(m);
    const State state = initial_state(m, system);
    // rotary inertia 0.02 about d1 = y and 0.03 about d2 = t x y, both per length; the polar one is their sum
    const Vec3 d2 = t.cross(Vec3::UnitY());
    const Mat3 J = 5 * (25. / 12 * (Mat3::Identity() - t * t.transpose()) + 0.02 * Vec3::UnitY() * Vec3::UnitY().transpose() +
                        0.03 * d2 * d2.transpose() + 0.05 * t * t.transpose());
    EXPECT_NEAR(system.kinetic(state.v), 0.5 * 5 * vc.squaredNorm() + 0.5 * w.dot(J * w), 1e-13);
    const Momentum p = system.momentum(state, half);
    EXPECT_LT((p.linear - 5 * vc).norm(), 1e-13);
    EXPECT_LT((p.angular - J * w).norm(), 1e-13);
  }
}

// Accelerations, explicit steps over Euler parameters and implicit ones over directors: one mass matrix.
TEST(RodRun, ExplicitSchemesHaveTheSameConsistentMass) {
  const auto end = [](const char* formulation, const char* scheme, double h) {
    const RunResult r = run(thrown(formulation, scheme, h, std::lround(0.02 / h), "mass = \"consistent\"\n", 4));
    EXPECT_EQ(r.status, Status::done) << r.failure.dossier();
    EXPECT_LE(std::abs(r.ledger.residual()), 1e-9 * r.ledger.scale());
    return r.state.q;
  };
  const VecX fourth = end("euler-parameters", "rk4", 1e-5);
  const VecX coarse = end("directors", "energy-momentum-exact", 1e-4), fine = end("directors", "energy-momentum-exact", 5e-5);
  EXPECT_LT(((4 * fine - coarse) / 3 - fourth).norm(), 2e-8);
  EXPECT_GT((fine - fourth).norm(), 1e-6);
}

TEST(RodRun, AConsistentMassWantsDirectors) {
  for (const auto& [formulation, scheme] :
       {std::pair{"rotation", "energy-momentum-exact"}, std::pair{"euler-parameters", "newmark"}}) {
    try {
      (void)run(thrown(formulation, scheme, 0.01, 1, "mass = \"consistent\"\n"));
      ADD_FAILURE() << formulation;
    } catch (const ModelError& error) {
      EXPECT_NE(error.diagnostics.front().message.find("consistent mass"), std::string::npos)
          << error.diagnostics.front().text();
      EXPECT_NE(error.diagnostics.front().remedy.find("directors"), std::string::npos);
    }
  }
}

TEST(RodRun, LongAThrownRodKeepsEnergyAndMomentaOverManySteps) {
  keeps_everything(thrown("directors", "energy-momentum-exact", 0.02, long_run(100000L, 5000L)));
}

// Two schemes that have nothing in common but the model.
TEST(RodRun, SchemesAgreeWithOrderTwo) {
  const auto tip = [](const char* scheme, double h) {
    const RunResult r = run(thrown("directors", scheme, h, std::lround(0.05 / h)));
    EXPECT_EQ(r.status, Status::done);
    return Vec3(r.state.q.segment<3>(12 * 8));
  };
  const Vec3 exact = tip("energy-momentum-exact", 0.05 / 3200);
  for (const char* scheme : {"energy-momentum-exact", "generalized-alpha-1"}) {
    const double coarse = (tip(scheme, 0.0005) - exact).norm(), fine = (tip(scheme, 0.00025) - exact).norm();
    EXPECT_LT(fine, 1e-4);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15) << scheme << " " << coarse << " " << fine;
  }
}

// A hub with a rod welded on, at the end of which a paddle hangs in a hinge.
TEST(RodRun, JoinedToBodiesByWeldAndHinge) {
  const std::string text =
      "[[body]]\nname = \"hub\"\nmass = 2\ninertia = [0.5, 0.6, 0.7]\nposition = [-0.2, 0, 0]\nangular_velocity = [0, 1, 2]\n"
      "[[rod]]\nname = \"boom\"\nfrom = { body = \"hub\", point = [0.2, 0, 0] }\nto = [1.8, 0, 0]\nelements = 5\n" +
      section +
      "[[body]]\nname = \"paddle\"\nmass = 1\ninertia = [0.1, 0.2, 0.3]\nposition = [2.1, 0, 0]\nvelocity = [0, 4.6, -2.3]\n"
      "angular_velocity = [0, 1, 2]\n"
      "[[joint]]\nname = \"hinge\"\nbodies = [\"boom.5\", \"paddle\"]\nhinge = { axis = [0, 1, 0], at = [1.8, 0, 0] }\n" +
      time_text("energy-momentum-exact", 0.01, 1000);
  Model m = parse_model(text, "boom");
  // the hub's spin carries everything along at t = 0
  for (const BodyInput& b : m.bodies) {
    const Vec3 carried = Vec3(0, 1, 2).cross(Vec3(*b.position - Vec3(-0.2, 0, 0)));
    EXPECT_LT((b.velocity.value_or(Vec3::Zero()) - carried).norm(), 1e-14) << b.name;
  }
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  EXPECT_LE(r.constraint_error_max, 1e-12);
  EXPECT_LE((r.total.max - r.total.min) / r.ledger.scale(), 1e-11);
  EXPECT_LE(r.linear_drift / r.linear_scale, 1e-11);
  EXPECT_LE(r.angular_drift / r.angular_scale, 1e-11);
  EXPECT_GT(r.potential.max, 1e-3 * r.ledger.scale());
}

// An end moment bends a cantilever into an arc: that of the rod itself, or with quadratic strains the one that its elements
// allow, EI sin(2 a)/(2 h) = M for the angle a of each. It comes to rest by rayleigh.stiffness, whose heat closes the energy
// balance, and the section carries the moment.
void comes_to_rest_as_an_arc(bool helix) {
  constexpr int n = 8;
  constexpr double EI = 50, L = 2, M = EI * 1.2 / L;
  const std::string text =
      "[rayleigh]\nstiffness = 0.05\n[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\norientation = [0, 0, 1]\n"
      "clamped = \"from\"\nelements = 8\nstrain = \"" +
      std::string(helix ? "helix" : "quadratic") + "\"\n" + section +
      fmt::format("[[load]]\nname = \"end\"\nbody = \"r.8\"\ntorque = [{}, 0, 0]\n", M) +
      time_text("energy-momentum-exact", 0.02, 1500);
  const Model m = parse_model(text, "arc");
  const System system(m);
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  const double angle = helix ? 1.2 / n : 0.5 * std::asin(2 * (L / n) * M / EI), seen = helix ? M : M / std::cos(angle);
  const Vec3 d1_end(0, 0, 1), d3 = r.state.q.segment<3>(system.bodies()[n].first + 9);
  EXPECT_NEAR((r.state.q.segment<3>(system.bodies()[n].first + 3) - d1_end).norm(), 0, 1e-9);
  EXPECT_NEAR(std::atan2(d3.y(), d3.x()), n * angle, 1e-7);
  EXPECT_NEAR(n * angle, 1.2, 0.03);  // and of the rod itself
  for (const RodElement& e : rod_elements(m, system.bodies())) {
    const SectionState s = e.state(r.state.q);
    EXPECT_NEAR(s.moment.x(), seen, 1e-5 * M);
    EXPECT_LT(s.force.norm(), 1e-4 * M);
  }
  EXPECT_GT(r.ledger.heat(), 0.1 * r.ledger.load_work());
  EXPECT_LT(std::abs(r.ledger.residual()), 1e-11 * r.ledger.scale());
}

TEST(RodRun, ComesToRestAsAnArc) {
  comes_to_rest_as_an_arc(true);
  comes_to_rest_as_an_arc(false);
}

// As drawn it is unstrained: what nothing pulls at stays what it is, an arc, a pretwisted rod, a curve through points; and an
// arc whose natural curvature is its own.
TEST(RodRun, WhatIsDrawnStaysAtRest) {
  for (const char* shape :
       {"from = [1, 0, 0]\nvia = [0, 1, 0]\nto = [-1, 0, 0]\n", "from = [0, 0, 0]\nto = [2, 0, 0]\ntwist = 2\n",
        "points = [[0, 0, 0], [1, 0, 0.2], [2, 0.5, 0.3], [3, 1, 0]]\n",
        "from = [1, 0, 0]\nvia = [0, 1, 0]\nto = [-1, 0, 0]\nprecurvature = [1, 0, 0]\n"})
    for (const char* nodes : {"2", "3"}) {
      SCOPED_TRACE(shape);
      const std::string text = std::string("[[rod]]\nname = \"r\"\nelements = 6\nnodes_per_element = ") + nodes + "\n" + shape +
                               section + time_text("energy-momentum-exact", 0.1, 20);
      const RunResult r = run(parse_model(text, "drawn"));
      ASSERT_EQ(r.status, Status::done);
      EXPECT_LT(r.total.max, 1e-20);
    }
}

// Drawn straight, but bent by nature: it starts with the energy of that, and comes to rest as an arc without any.
void precurvature_bends_into_its_arc(bool helix) {
  const std::string text =
      "[rayleigh]\nstiffness = 0.05\n[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\norientation = [0, 0, 1]\n"
      "clamped = \"from\"\nelements = 8\nprecurvature = [0.6, 0, 0]\nstrain = \"" +
      std::string(helix ? "helix" : "quadratic") + "\"\n" + section + time_text("energy-momentum-exact", 0.02, 1500);
  const Model m = parse_model(text, "bent");
  const System system(m);
  const double k = helix ? 0.6 : std::sin(0.6 * 0.25) / 0.25;
  EXPECT_NEAR(system.potentials(initial_state(m, system).q).elastic, 0.5 * 50 * k * k * 2, 1e-12);
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  const Vec3 d3 = r.state.q.segment<3>(system.bodies()[8].first + 9);
  EXPECT_NEAR(std::atan2(d3.y(), d3.x()), 1.2, 1e-7);
  EXPECT_LT(system.potentials(r.state.q).elastic, 1e-10);
}

TEST(RodRun, PrecurvatureBendsIntoItsArc) {
  precurvature_bends_into_its_arc(true);
  precurvature_bends_into_its_arc(false);
}

// Two rods at a right angle, the second welded to the last node of the first, though the file says it before: a force along y
// at the corner of both bends and twists the first. Small, at rest, by linear theory.
TEST(RodRun, ARightAngleOfTwoRodsComesToRestAsBeamTheorySays) {
  constexpr double F = 0.01, L = 1, EI = 50, GJ = 30, GA = 1e4;
  const std::string stiff = "EA = 1e4\nGA = 1e4\nGJ = 30\nEI = 50\ndensity = 1\nrotary_inertia = 0.02\nnodes_per_element = 3\n";
  const std::string text =
      "[rayleigh]\nstiffness = 0.02\nmass = 3\n[[rod]]\nname = \"b\"\nfrom = { body = \"a.4\" }\nto = [1, 0, 1]\nelements = "
      "2\n" +
      stiff + "[[rod]]\nname = \"a\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 2\nclamped = \"from\"\n" + stiff +
      "[[load]]\nname = \"end\"\nbody = \"b.4\"\nforce = [0, 0.01, 0]\n" + time_text("energy-momentum-exact", 0.05, 2000);
  const Model m = parse_model(text, "corner");
  const System system(m);
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  std::size_t tip = 0;
  while (m.bodies[tip].name != "b.4") ++tip;
  const double y = r.state.q[system.bodies()[tip].first + 1];
  // two cantilevers, shear of both, and the twist of the first over the length of the second
  EXPECT_NEAR(y, 2 * F * L * L * L / (3 * EI) + 2 * F * L / GA + F * L * L * L / GJ, 1e-6 * y);
}

// A follower load turns with the rod: a free one under it alone is pushed along its own axis and gains its work.
TEST(RodRun, DistributedLoadsPushAndAreBooked) {
  const Model m =
      parse_model(rod_text(6, "follower_load = [0, 0, \"2 * t\"]\nload = [1, 2, 0]\nangular_velocity = [0, 1, 0]\n") +
                      time_text("energy-momentum-exact", 0.01, 100),
                  "pushed");
  ASSERT_EQ(m.loads.size(), 14U);
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  EXPECT_LE(std::abs(r.ledger.residual()), 1e-12 * r.ledger.scale());
  EXPECT_NEAR(r.momentum.linear.y(), 5 * 2 * 1, 1e-12);  // 2 N/m over 5 m for a second; the follower stays in x, z
  EXPECT_GT(r.ledger.load_work(), 1);
}

TEST(RodRun, SensorsReadSectionsAndStresses) {
  constexpr double F = 100, R = 0.02, L = 2;
  const std::string text =
      "[rayleigh]\nstiffness = 0.02\n[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\norientation = [0, 0, 1]\nclamped "
      "= "
      "\"from\"\nelements = 10\nmaterial = { E = 2e11, nu = 0.3, density = 7800 }\nsection = { circle = 0.02 }\n"
      "[[load]]\nname = \"end\"\nbody = \"r.10\"\nforce = [0, 100, 0]\ntorque = [0, 0, 30]\n"
      "[[sensor]]\nname = \"moment\"\nsection_moment = \"r\"\nat = 0.05\naxis = \"x\"\n"
      "[[sensor]]\nname = \"shear\"\nsection_force = \"r.4-5\"\naxis = \"y\"\n"
      "[[sensor]]\nname = \"twist\"\nsection_curvature = \"r\"\naxis = \"z\"\n"
      "[[sensor]]\nname = \"shearing\"\nsection_strain = \"r\"\naxis = \"y\"\n"
      "[[sensor]]\nname = \"mises\"\nstress = \"r\"\nat = 0\n" +
      time_text("energy-momentum-exact", 0.02, 400);
  const Model m = parse_model(text, "sensors");
  EXPECT_EQ(m.sensors[0].of[0], "r.0-1");
  EXPECT_EQ(m.sensors[2].of[0], "r.5-6");
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  const double M = F * (L - 0.1), I = pi / 4 * std::pow(R, 4), A = pi * R * R, G = 2e11 / 2.6;
  const auto near = [&](std::size_t i, double expected) {
    EXPECT_NEAR(r.sensors[i].final, expected, 2e-3 * std::abs(expected));
  };
  near(0, M);
  near(1, -F);  // d2 is -y
  near(2, 30 / (G * 2 * I));
  near(3, -F / (G * A * 7.8 / 8.8));  // Cowper's 6 (1 + nu)/(7 + 6 nu)
  const double bending = M * R / I, shear = 30 * R / (2 * I) + F / A;
  near(4, std::sqrt(bending * bending + 3 * shear * shear));
}

// Bent by nature so far that its elements come near their limit: the warnings and the dossier name one.
TEST(RodRun, SaysWhichElementBendsTooFar) {
  const std::string text =
      "[rayleigh]\nstiffness = 0.5\n[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\norientation = [0, 0, 1]\n"
      "clamped = \"from\"\nelements = 2\nstrain = \"quadratic\"\nprecurvature = [0.6, 0, 0]\n" +
      section + time_text("energy-momentum-exact", 0.02, 1000);
  const RunResult r = run(parse_model(text, "bent"));
  ASSERT_EQ(r.status, Status::done);
  ASSERT_EQ(r.warnings.size(), 1U);
  EXPECT_NE(r.warnings[0].message.find("rod 'r': element r."), std::string::npos) << r.warnings[0].message;
  EXPECT_NE(r.warnings[0].message.find("bends by 34.4 degrees; beyond 45"), std::string::npos) << r.warnings[0].message;
  Failure failure;
  failure.warnings = r.warnings;
  EXPECT_NE(failure.dossier().find("bends by 34.4 degrees"), std::string::npos);
}

}  // namespace run_rod_run
}  // namespace trompo
