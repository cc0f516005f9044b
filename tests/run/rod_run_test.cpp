// Rods in motion: what is kept over many steps, in every formulation; joined to bodies; large bending at rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/system/rod_element.hpp"

namespace trompo {
namespace {

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
Model thrown(const std::string& formulation, const std::string& scheme, double step, long steps) {
  Model m = parse_model("formulation = \"" + formulation + "\"\n" + rod_text(8, "angular_velocity = [0.5, 1, -1]\n") +
                            time_text(scheme, step, steps),
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
    keeps_everything(thrown(formulation, "energy-momentum-exact", 0.02, 10000));
  }
}

TEST(RodRun, LongAThrownRodKeepsEnergyAndMomentaOverManySteps) {
  keeps_everything(thrown("directors", "energy-momentum-exact", 0.02, 100000));
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
  EXPECT_LE(r.gap_max, 1e-12);
  EXPECT_LE((r.total.max - r.total.min) / r.ledger.scale(), 1e-11);
  EXPECT_LE(r.linear_drift / r.linear_scale, 1e-11);
  EXPECT_LE(r.angular_drift / r.angular_scale, 1e-11);
  EXPECT_GT(r.potential.max, 1e-3 * r.ledger.scale());
}

// An end moment bends a cantilever into the arc that its elements allow: EI sin(2 a)/(2 h) = M for the angle a of each. It
// comes to rest by rayleigh.stiffness, whose heat closes the books, and the section carries the moment.
TEST(RodRun, ComesToRestAsAnArc) {
  constexpr int n = 8;
  constexpr double EI = 50, L = 2, M = EI * 1.2 / L;
  const std::string text =
      "[rayleigh]\nstiffness = 0.05\n[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\norientation = [0, 0, 1]\n"
      "clamped = \"from\"\nelements = 8\n" +
      section + fmt::format("[[load]]\nname = \"end\"\nbody = \"r.8\"\ntorque = [{}, 0, 0]\n", M) +
      time_text("energy-momentum-exact", 0.02, 1500);
  const Model m = parse_model(text, "arc");
  const System system(m);
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  const double angle = 0.5 * std::asin(2 * (L / n) * M / EI);
  const Vec3 d1_end(0, 0, 1), d3 = r.state.q.segment<3>(system.bodies()[n].first + 9);
  EXPECT_NEAR((r.state.q.segment<3>(system.bodies()[n].first + 3) - d1_end).norm(), 0, 1e-9);
  EXPECT_NEAR(std::atan2(d3.y(), d3.x()), n * angle, 1e-7);
  EXPECT_NEAR(n * angle, 1.2, 0.03);  // and of the rod itself
  for (const RodElement& e : rod_elements(m, system.bodies())) {
    const SectionState s = e.state(r.state.q);
    EXPECT_NEAR(s.moment.x(), M / std::cos(angle), 1e-5 * M);
    EXPECT_LT(s.force.norm(), 1e-4 * M);
  }
  EXPECT_GT(r.ledger.heat(), 0.1 * r.ledger.load_work());
  EXPECT_LT(std::abs(r.ledger.residual()), 1e-11 * r.ledger.scale());
}

// As drawn it is unstrained: an arc that nothing pulls at stays what it is.
TEST(RodRun, AnArcAtRestStaysAtRest) {
  const std::string text = "[[rod]]\nname = \"r\"\nfrom = [1, 0, 0]\nvia = [0, 1, 0]\nto = [-1, 0, 0]\nelements = 6\n" +
                           section + time_text("energy-momentum-exact", 0.1, 20);
  const Model m = parse_model(text, "arc");
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done);
  EXPECT_LT(r.total.max, 1e-20);
}

}  // namespace
}  // namespace trompo
