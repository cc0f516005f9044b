// A wing that is a rod: what it is made of, that hinged panels approach it, its energy balance in a gust with damage, what is
// refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/places.hpp"
#include "trompo/model/aircraft.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/modes.hpp"
#include "trompo/system/rod_element.hpp"

namespace trompo {
namespace run_rod_wing {

const std::string time = "\n[time]\nstep = 0.01\nend = 1\nscheme = \"energy-momentum-exact\"\n";
Model aircraft(const std::string& words, const std::string& rest = "") {
  return parse_model("[aircraft]\n" + words + rest + time, "test.toml");
}

TEST(RodWing, WeighsAndStandsAsItsPanels) {
  const std::string words =
      "wings = 5\ndihedral_degrees = 0\nwing = { span = [1, 2, 1, 2, 1], mass = [1, 3, 2, 3, 1], chord = 0.8";
  const Model rod = aircraft(words + ", kind = \"rod\", elements = 6 }\n"), panels = aircraft(words + " }\n");
  const auto whole = [](const Model& m) {  // mass, its first moment, and the inertia about the fuselage
    double mass = 0;
    Vec3 moment = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (const BodyInput& b : m.bodies) {
      const ResolvedBody body = resolve_body(b);
      const Mat3 R = to_matrix(body.orientation);
      const Vec3& x = body.position;
      mass += body.mass;
      moment += body.mass * x;
      inertia += R * body.inertia * R.transpose() + body.mass * (x.dot(x) * Mat3::Identity() - x * x.transpose());
    }
    return std::tuple{mass, moment, inertia};
  };
  const auto [mass, moment, inertia] = whole(rod);
  const auto [mass0, moment0, inertia0] = whole(panels);
  EXPECT_NEAR(mass, mass0, 1e-13);
  EXPECT_LT((moment - moment0).norm(), 1e-12);
  EXPECT_LT((inertia - inertia0).norm(), 5e-3 * inertia0.norm());  // lumps
  EXPECT_NEAR(inertia(1, 1), inertia0(1, 1), 1e-12);               // about the span nothing is lumped

  ASSERT_EQ(rod.rod_elements.size(), 30u);
  EXPECT_EQ(rod.rod_elements[0].name, "wing.0-1");
  const auto EI = [&](std::size_t e) { return rod.rod_elements[e].stiffness.EI->back(); };
  EXPECT_NEAR(EI(0), 200 * 1.5, 1e-10);  // the outer half of a tip goes on as the inner one
  EXPECT_NEAR(EI(14), 200 * 1.5, 1e-10);
  EXPECT_NEAR(*rod.rod_elements[0].length, 1.0 / 6, 1e-15);
  EXPECT_NEAR(*rod.rod_elements[0].stiffness.GJ, 1000 * 300, 1e-7);
  EXPECT_NEAR(*rod.rod_elements[0].stiffness.EA, 1000 * 300 / 2.25, 1e-7);
}

// As bent as the hinges, by curvature alone: neither stretched nor sheared, and straight at rest.
TEST(RodWing, StartsBentAsItsHinges) {
  const Model m = aircraft(
      "wings = 5\ndihedral_degrees = [2, 4, -3, 1]\nwing = { kind = \"rod\", elements = 4 }\n"
      "orientation = { axis = [1, 1, 0], degrees = 20 }\nposition = [1, 2, 3]\n");
  const System system(m);
  const State state = initial_state(m, system);
  double energy = 0;
  for (const RodElement& e : rod_elements(m, system.bodies())) {
    const SectionState s = e.state(state.q);
    EXPECT_LT(s.strain.norm(), 1e-14);
    EXPECT_LT(std::abs(s.curvature[0]) + std::abs(s.curvature[2]), 1e-14);
    energy += 0.5 * 0.25 * s.moment.dot(s.curvature);
  }
  double hinged = 0;
  for (const double degrees : {2, 4, -3, 1}) hinged += 0.5 * 200 * std::pow(degrees * std::numbers::pi / 180, 2);
  EXPECT_NEAR(energy, hinged, 1e-3 * hinged);
  Model still = m;
  still.time.end = 0.01;
  const RunResult r = run(still);
  for (std::size_t i = 0; i < r.sensor_names.size(); ++i) {
    if (r.sensor_names[i] == "angle 2-3") {
      EXPECT_NEAR(r.sensors[i].initial, 4 * std::numbers::pi / 180, 1e-12);
    }
    if (r.sensor_names[i] == "angle 3-4") {
      EXPECT_NEAR(r.sensors[i].initial, -3 * std::numbers::pi / 180, 1e-12);
    }
    if (r.sensor_names[i] == "tip right") {
      EXPECT_GT(r.sensors[i].initial, 0.1);
    }
  }
}

// ---- modes ----

// Of the model as drawn, without strain.
VecX frequencies(const Model& m) {
  const System system(m);
  const ModesResult found = find_modes(m, system, 6, About::start);
  VecX all(static_cast<Eigen::Index>(found.modes.size()));
  for (std::size_t i = 0; i < found.modes.size(); ++i) all[static_cast<Eigen::Index>(i)] = found.modes[i].frequency;
  return all;
}

// A wing of span 7, EI = 200, 1 kg/m, held in the middle: two cantilevers.
Model held(int panels, const std::string& kind) {
  return parse_model(fmt::format("gravity = [0, 0, 0]\n[aircraft]\nwings = {0}\nwing = {{ span = {1}, mass = {1}{2} "
                                 "}}\nhinge_stiffness = {3}\ndihedral_degrees = 0\n"
                                 "gear = {{ on = [] }}\nmotor = {{ on = [] }}\nmount = {{ kind = \"rigid\" }}\n",
                                 panels, 7.0 / panels, kind, 200.0 * panels / 7) +
                         time,
                     "held.toml");
}

TEST(RodWing, HingedPanelsApproachIt) {
  const VecX rod = frequencies(held(7, ", kind = \"rod\", elements = 8, stiffening = 1e5"));
  const auto exact = [](double root) { return root * root / (3.5 * 3.5) * std::sqrt(200.0); };
  EXPECT_NEAR(rod[0], exact(1.875104069), 2e-3 * rod[0]);  // two alike
  EXPECT_NEAR(rod[1], exact(1.875104069), 2e-3 * rod[1]);
  EXPECT_NEAR(rod[2], exact(4.694091133), 5e-3 * rod[2]);
  const VecX coarse = frequencies(held(7, "")), fine = frequencies(held(15, ""));
  for (const int mode : {0, 2}) {
    const double far = std::abs(coarse[mode] - exact(mode == 0 ? 1.875104069 : 4.694091133)),
                 near = std::abs(fine[mode] - exact(mode == 0 ? 1.875104069 : 4.694091133));
    EXPECT_LT(near, 0.02 * rod[mode]);
    EXPECT_NEAR(std::log(far / near) / std::log(15.0 / 7), 2, 0.4) << mode << " " << far << " " << near;
  }
}

// ---- in flight ----

TEST(RodWing, BooksCloseInAGustWithDamage) {
  const std::string overrides[] = {"time.end=5"};
  const Model m = read_model(places::source("examples/flexible_wing.toml"), overrides);
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  EXPECT_LT(r.ledger.worst_residual(), 1e-11 * r.ledger.scale());
  EXPECT_LT(r.ledger.events(), -0.1);
  EXPECT_GT(r.ledger.heat(), 0);
  EXPECT_NE(r.ledger.support_work(), 0);
  EXPECT_LT(r.constraint_error_max, 1e-12);
}

// Nothing damped, nothing damaged: symmetric, and the energy balance still closes.
TEST(RodWing, FliesSymmetricallyThroughAGust) {
  const Model m = aircraft("wing = { kind = \"rod\" }\ndihedral_degrees = 0\nmount = { damping = 0 }\n",
                           "[[aircraft.gust]]\namplitude = 0.3\nstart = 0.1\nend = 0.7\n");
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  EXPECT_LT(r.ledger.worst_residual(), 1e-11 * r.ledger.scale());
  double right = 0, left = 0;
  for (std::size_t i = 0; i < r.sensor_names.size(); ++i) {
    if (r.sensor_names[i] == "tip right") right = r.sensors[i].final;
    if (r.sensor_names[i] == "tip left") left = r.sensors[i].final;
  }
  EXPECT_LT(left, -0.1);  // it sags
  EXPECT_NEAR(left, right, 1e-9);
}

// What is lost is the energy of the stretch, half of it where half of the stiffness goes.
TEST(RodWing, DamageTakesItsShare) {
  Model m = aircraft("wings = 3\nwing = { kind = \"rod\" }\ndihedral_degrees = 3\nmount = { kind = \"rigid\" }\n",
                     "[[aircraft.damage]]\nhinge = \"1-2\"\nat = 0.005\nstiffness = 100\n");
  EXPECT_EQ(m.events.size(), 6u);  // the outer half of the tip too
  m.gravity.setZero();
  m.time.step = 0.005;
  m.time.end = 0.01;
  const RunResult r = run(m);
  const double stretch = 0.5 * 200 * std::pow(3 * std::numbers::pi / 180, 2);
  EXPECT_NEAR(r.ledger.events(), -0.5 * stretch, 0.05 * stretch);
  EXPECT_LT(r.ledger.worst_residual(), 1e-12 * r.ledger.scale());
}

TEST(RodWing, ExpandsIntoAFileThatReadsAsTheSameModel) {
  const Model m = aircraft("wing = { kind = \"rod\" }\n", "[[aircraft.damage]]\nhinge = \"1-2\"\nat = 0.5\nstiffness = 100\n");
  EXPECT_EQ(model_json(parse_model(model_toml(m), "again.toml")), model_json(m));
}

struct Saying {
  const char *words, *message;
};

TEST(RodWing, RefusalsNameLineReasonAndRemedy) {
  static constexpr Saying bad[] = {
      {"wing = { kind = \"rod\", elements = 3 }",
       "test.toml:2: error: the rod has 3 elements in each panel; give an even number"},
      {"hinge_damping = 1\nwing = { kind = \"rod\" }",
       "test.toml:2: error: a wing that is a rod has no hinges to damp; damp by its strain rate: [rayleigh] with stiffness = "
       "0.005"},
      {"wing = { kind = \"rod\" }\nhinge_stiffness = 0", "test.toml:3: error: a stretch of the rod has no stiffness"},
      {"wing = { kind = \"rope\" }", "test.toml:2: error: 'kind'"},
      {"wings = 0\ngear = { on = [] }\nmotor = { on = [] }\nwing = { kind = \"rod\" }",
       "test.toml:5: error: the wing is a rod, but there are no panels"},
      {"wing = { kind = \"rod\" }\n[[aircraft.damage]]\nhinge = \"1-2\"\nat = 0.5\nstiffness = 0",
       "test.toml:6: error: the damage at t = 0.5 cuts the rod"},
      {"wing = { kind = \"rod\" }\n[[event]]\nat = 0.5\nset = { rod_element = \"wing.0-9\", EI = 1 }",
       "there is no rod element 'wing.0-9'"},
      {"wing = { kind = \"rod\" }\n[[event]]\nat = 0.5\nset = { rod_element = \"wing.0-1\" }",
       "gives rod element 'wing.0-1' nothing new; add EA or EI"},
      {"[[event]]\nat = 0.5\nset = { joint = \"hinge 1-2\", EI = 3, stiffness = 2 }", "a joint has no `EI`"}};
  for (const Saying& s : bad) {
    std::string all;
    try {
      (void)aircraft(s.words);
    } catch (const ModelError& error) {
      for (const Diagnostic& d : error.diagnostics) all += d.text() + "\n";
    }
    EXPECT_NE(all.find(s.message), std::string::npos) << s.words << "\n" << all;
  }
  std::string warned;
  for (const Diagnostic& d : check(aircraft("wing = { stiffening = 10 }\n"))) warned += d.text();
  EXPECT_NE(warned.find("`stiffening` of the wing is not used"), std::string::npos);
}

}  // namespace run_rod_wing
}  // namespace trompo
