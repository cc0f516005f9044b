// Bodies with joints: the stored problems of the aircraft by the conserving scheme, invariants, formulations against each
// other.
#include <gtest/gtest.h>

#include "tests/long_run.hpp"
#include "tests/xhale_cases.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace scheme_multibody {

using xhale::Json;

State run_to_end(const Model& model) {
  const RunResult result = run(model);
  EXPECT_EQ(result.status, Status::done);
  EXPECT_LT(result.constraint_error_max, 1e-12);
  return result.state;
}

// Frames after fifty steps of the stored director scheme, in the order x, d1, d2, d3 of each body.
TEST(MultibodyReferenceTest, DirectorStatesOfTheStoredSteps) {
  for (const char* name : {"four_body_3d", "sixteen_body"}) {
    SCOPED_TRACE(name);
    const Json& problem = xhale::stored_problem(name);
    const Json& em = xhale::data()["algorithms"][name]["em"];
    const std::string time = fmt::format("step = {}\nsteps = {}\nscheme = \"energy-momentum-exact\"\n", em["h"].get<double>(),
                                         em["steps"].get<int>());
    const State state = run_to_end(xhale::model(problem, "directors", time));
    ASSERT_EQ(em["q12"].size(), 12 * problem["bodies"].size());
    for (std::size_t c = 0; c < em["q12"].size(); ++c) {
      EXPECT_NEAR(state.q[static_cast<int>(c)], em["q12"][c].get<double>(), 1e-9) << c;
      EXPECT_NEAR(state.v[static_cast<int>(c)], em["v12"][c].get<double>(), 1e-7) << c;
    }
  }
}

// The largest difference from the stored solution, which a minimal-coordinate model has found, up to t = 1 s.
double distance_from_stored(const Json& problem_case, const std::string& formulation, double h, const std::string& scheme) {
  const Json& problem = problem_case["problem"];
  double worst = 0;
  for (const Json& e : problem_case["expect"]) {
    const double t = e["t"];
    if (t == 0 || t > 1.001) continue;
    const RunResult result = run(xhale::model(problem, formulation, fmt::format("step = {}\nend = {}\n{}", h, t, scheme)));
    EXPECT_EQ(result.status, Status::done);
    EXPECT_LT(result.constraint_error_max, 1e-12);
    const Vec3 R = xhale::vector(e["fuselage_R"]);
    const System system(xhale::model(problem, formulation, "step = 1\nsteps = 1\nscheme = \"midpoint\"\n"));
    worst = std::max(worst, (result.state.q.segment<3>(system.bodies()[0].first) - R).cwiseAbs().maxCoeff());
    std::size_t hinge = 0;
    for (const Joint& joint : system.joints())
      if (joint.angle >= 0)
        worst = std::max(worst, std::abs(result.state.q[joint.angle] - e["hinge_angle_rad"][hinge++].get<double>()));
  }
  return worst;
}

struct Way {
  const char *formulation, *scheme;
};

TEST(MultibodyReferenceTest, LongCasesOneToSixConvergeToTheStoredSolution) {
  const Way ways[] = {{"directors", "scheme = \"energy-momentum-exact\"\n"},
                      {"rotation", "scheme = \"energy-momentum-exact\"\n"},
                      {"directors", "scheme = \"generalized-alpha-1\"\nrho_infinity = 0.9\n"},
                      {"directors", "scheme = \"bathe\"\n"}};
  std::vector<std::string> names{"I harmonic oscillator",
                                 "VI three bars, asymmetric (10,-6)",
                                 "II stiff dampers",
                                 "II soft",
                                 "III config 1",
                                 "III config 2",
                                 "IV physical pendulum",
                                 "V sym",
                                 "V antisym",
                                 "VI three bars"};
  names.resize(long_run(names.size(), std::size_t{3}));
  for (const std::string& name : names)
    for (const Way& way : ways) {
      SCOPED_TRACE(name + " " + way.formulation + " " + way.scheme);
      const Json& c = xhale::case_named(name);
      const double coarse = distance_from_stored(c, way.formulation, 0.004, way.scheme);
      const double fine = distance_from_stored(c, way.formulation, 0.002, way.scheme);
      EXPECT_LT(fine, 5e-3);  // the step is 2 ms, the fastest hinge mode 60 rad/s: the order is what counts
      if (coarse > 1e-10) {
        EXPECT_NEAR(coarse / fine, 4, 0.8) << coarse << " " << fine;
      }
    }
}

TEST(MultibodyTest, EnergyOfSixteenBodiesOverManySteps) {
  const Json& c = xhale::case_named("16 energy (wings 5 deg up)");
  const RunResult result =
      run(xhale::model(c["problem"], "directors", "step = 0.01\nend = 30\nscheme = \"energy-momentum-exact\"\n"));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT(result.total.max - result.total.min, 1e-11 * result.ledger.scale());
  EXPECT_LT(result.constraint_error_max, 1e-12);
}

}  // namespace scheme_multibody
}  // namespace trompo
