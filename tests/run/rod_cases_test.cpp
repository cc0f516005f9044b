// Rods with a sphere: motions, energies, constraint errors and places of gradients that another program has stored, from the
// examples.
#include <gtest/gtest.h>

#include "tests/constraint_cases.hpp"
#include "tests/places.hpp"
#include "trompo/output/channels.hpp"
#include "trompo/output/run_data.hpp"

namespace trompo {
namespace run_rod_cases {

using constraint_cases::Json;
using constraint_cases::Watch;

Model example(const std::string& name) { return read_model(places::source("examples/" + name + ".toml")); }

// The example has the data of the stored case.
void expect_data(const Model& m, const Json& data) {
  ASSERT_EQ(static_cast<int>(m.rod_elements.size()), data["ne"].get<int>());
  const double element = data["L"].get<double>() / data["ne"].get<double>();
  for (const RodElementInput& e : m.rod_elements) {
    EXPECT_EQ(*e.stiffness.EA, data["EA"].get<double>());
    EXPECT_EQ(e.stiffness.GA->front(), data["GA1"].get<double>());
    EXPECT_EQ(e.stiffness.EI->front(), data["EI1"].get<double>());
    EXPECT_EQ(*e.stiffness.GJ, data["GJ"].get<double>());
    EXPECT_NEAR(*e.length, element, 1e-15);
  }
  for (const BodyInput& b : m.bodies) {
    if (b.name != "rod.1") continue;
    EXPECT_NEAR(*b.mass, element * data["A_rho"].get<double>(), 1e-15);
    const double d1 = element * data["I_rho_d1"].get<double>();  // of the axis itself: the body turns with two of them
    EXPECT_LT((b.inertia->diagonal() - Vec3(d1, d1, 2 * d1)).norm(), 1e-15);
  }
  EXPECT_EQ(m.time.step, data["dt"].get<double>());
}

RunResult expect_stored(const Model& m, const Json& stored, Watch& watch) {
  expect_data(m, stored["data"]);
  const System system(m);
  Observer* observers[] = {&watch};
  RunResult r = run(m, system, scheme_of(m), observers);
  EXPECT_EQ(r.status, Status::done) << r.failure.dossier();
  EXPECT_EQ(r.retries, 0);  // a halved step is another motion
  int sphere = 0;
  for (std::size_t b = 0; b < m.bodies.size(); ++b)
    if (m.bodies[b].name == "sphere") sphere = system.bodies()[b].first;
  for (const auto& [step, place] : stored["sphere_position"].items())
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(watch.at.at(std::stol(step)).state.q[sphere + i], place[static_cast<std::size_t>(i)].get<double>(), 1e-9)
          << step;
  EXPECT_NEAR(r.total.initial, stored["E0"].get<double>(), 1e-13);
  EXPECT_LT(watch.energy_drift, 1e-12);
  EXPECT_LT(r.constraint_error_max, 1e-14);
  return r;
}

const Json& stored(const char* name) { return constraint_cases::constraints()[name]; }

TEST(RodCases, ASphereOnABallJoint) {
  Watch watch;
  (void)expect_stored(example("rod_and_sphere"), stored("rod_example1_ball"), watch);
}

TEST(RodCases, ASphereAtAFixedDistance) {
  Model m = example("rod_and_sphere");
  JointInput& link = m.joints.front();
  ASSERT_EQ(link.name, "link");
  link.kind = "distance";
  link.form.from = Vec3(3, 0, 0);
  link.form.at = Vec3(3.25, 0, 0);
  Watch watch;
  (void)expect_stored(m, stored("rod_example1_distance"), watch);
}

TEST(RodCases, ATrigonometricConstraintWithItsBetas) {
  const Model m = example("rod_trigonometric");
  const Json& expected = stored("rod_example2_trig");
  Watch watch;
  (void)expect_stored(m, expected, watch);
  const System system(m);
  int tie = 0;
  while (system.constraint_name(tie) != "tie") ++tie;
  const auto& betas = expected["beta"];
  ASSERT_EQ(betas.size(), 20u);
  for (std::size_t k = 0; k < betas.size(); ++k)
    EXPECT_NEAR(watch.at.at(static_cast<long>(k) + 1).gradient_point[tie], betas[k].get<double>(), 1e-9) << k;
}

// The page draws it for what was typed; joints have their gradient in the middle always.
TEST(RodCases, ThePageShowsBeta) {
  for (const char* gradient : {"mean-value", "secant"}) {
    Model m = example("rod_trigonometric");
    m.time.options["constraint_gradient"] = gradient;
    const System system(m);
    const Scheme scheme = scheme_of(m);
    const std::vector<std::string> none;
    const RunData data(run_heading(m, scheme), "{}", channels({m, system, scheme, none, 1}), {});
    const std::string plot = data.plot_json("beta");
    if (gradient == std::string("secant")) {
      EXPECT_EQ(plot.find("tie"), std::string::npos);
      continue;
    }
    const Json curves = Json::parse(plot)["curves"];
    ASSERT_EQ(curves.size(), 1u);
    EXPECT_EQ(curves[0]["name"], "tie");
  }
}

// A formula of s is the velocity of a rigid turn if it says so, beside the other two ways to say it.
TEST(RodCases, VelocitiesAlongTheRod) {
  const auto rod = [](const std::string& words) {
    return parse_model(
        "[parameters]\nw = 2\n[[rod]]\nname = \"r\"\nfrom = [1, 0, 0]\nto = [1, 3, 0]\nelements = 4\nEA = 1\nGA = 1\nGJ = 1\n"
        "EI = 1\ndensity = 1\n" +
            words + "[time]\nstep = 1\nsteps = 1\nscheme = \"midpoint\"\n",
        "test.toml");
  };
  const Model turned = rod("velocity = [0, 0, 1]\nangular_velocity = [0, 0, 2]\n"),
              same = rod("velocity_along = [\"-w*s\", 0, 1]\nangular_velocity_along = [0, 0, \"w\"]\n");
  for (std::size_t i = 0; i < turned.bodies.size(); ++i) {
    EXPECT_LT((*turned.bodies[i].velocity - *same.bodies[i].velocity).norm(), 1e-14);
    EXPECT_LT((turned.bodies[i].angular_velocity - same.bodies[i].angular_velocity).norm(), 1e-14);
  }
  const auto refusal = [&](const std::string& words) -> std::string {
    try {
      (void)rod(words);
    } catch (const ModelError& error) {
      return error.diagnostics.front().text();
    }
    return "";
  };
  EXPECT_NE(
      refusal("velocity_along = [0, \"2*t\", 0]\n").find("test.toml:13: error: rod 'r': `velocity_along` is a formula of t"),
      std::string::npos);
  EXPECT_NE(
      refusal("angular_velocity_along = [0, \"2*x\", 0]\n").find("test.toml:13: error: rod 'r': `angular_velocity_along`:"),
      std::string::npos);
  EXPECT_NE(refusal("velocity_along = [0, \"1/s\", 0]\n").find("is not finite"), std::string::npos);
}

}  // namespace run_rod_cases
}  // namespace trompo
