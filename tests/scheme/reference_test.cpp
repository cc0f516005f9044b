// Every case and every long run of the reference file, within the tolerances stated there.
#include <gtest/gtest.h>

#include "tests/reference_cases.hpp"

namespace trompo {
namespace scheme_reference {

using namespace reference_cases;

class ShortCase : public testing::TestWithParam<int> {};

TEST_P(ShortCase, MeetsItsTolerance) {
  const Json& c = pendulum_bars()["cases"][GetParam()];
  const Json& expected = c["expected"];
  const Json& tolerance = c["check_tolerance"];
  if (c["kind"] == "theta") {
    const RunResult result = run(angle(c));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_NEAR(result.state.q[0], number(expected["theta"]), number(tolerance["theta"]));
    EXPECT_NEAR(result.state.v[0], number(expected["theta_dot"]), number(tolerance["theta_dot"]));
    EXPECT_NEAR(result.acceleration[0], number(expected["theta_ddot"]), number(tolerance["theta_ddot"]));
    EXPECT_NEAR(result.total.final, number(expected["E_final"]), number(tolerance["E"]));
    EXPECT_NEAR(result.total.max, number(expected["E_max"]), number(tolerance["E"]));
    return;
  }
  const Model model = truss(c);
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  double reference_potential = 0;  // there V is zero in the reference configuration, here at the origin
  for (const NodeInput& node : model.nodes) reference_potential -= node.mass * model.gravity.dot(*node.reference);
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(3 * i);
    EXPECT_LE((result.state.q.segment<3>(at) - vector(expected["x_final"][i])).norm(), number(tolerance["x"]));
    EXPECT_LE((result.state.v.segment<3>(at) - vector(expected["v_final"][i])).norm(), number(tolerance["v"]));
    EXPECT_LE((result.acceleration.segment<3>(at) - vector(expected["a_final"][i])).norm(), number(tolerance["a"]));
  }
  EXPECT_NEAR(result.total.final - reference_potential, number(expected["E_final"]), number(tolerance["E"]));
  EXPECT_NEAR(result.total.min - reference_potential, number(expected["E_min"]), number(tolerance["E"]));
  EXPECT_NEAR(result.total.max - reference_potential, number(expected["E_max"]), number(tolerance["E"]));
  for (std::size_t i = 0; i < model.bars.size(); ++i)
    EXPECT_NEAR(largest_change(result.sensors[i]), number(expected["max_abs_dl"][i]), number(tolerance["x"]));
  EXPECT_LE((result.momentum.linear - vector(expected["P_final"])).norm(), 10 * number(tolerance["v"]) * 10);
  const Vec3 angular =
      expected["J_final"].size() == 1 ? Vec3(0, 0, number(expected["J_final"][0])) : vector(expected["J_final"]);
  EXPECT_LE((result.momentum.angular - angular).norm(), 1e3 * number(tolerance["v"]));
}
INSTANTIATE_TEST_SUITE_P(PendulumBars, ShortCase, testing::Range(0, 20), [](const auto& which) {
  return pendulum_bars()["cases"][which.param]["id"].template get<std::string>();
});

class LongRun : public testing::TestWithParam<int> {};

TEST_P(LongRun, MeetsItsTolerance) {
  const Json& c = pendulum_bars()["long_runs"]["cases"][GetParam()];
  const Model model = long_run(c);
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  const double reference_potential = -model.nodes[1].mass * model.gravity.dot(model.nodes[1].position);
  const double tolerance = number(c["rel_tol"]);
  const auto near = [&](double ours, const char* key) {
    EXPECT_NEAR(ours - reference_potential, number(c[key]), tolerance * std::abs(number(c[key]))) << key;
  };
  near(result.total.final, "E_end");
  near(result.total.min, "E_min");
  near(result.total.max, "E_max");
  EXPECT_LE((result.state.q.segment<3>(3) - vector(c["x_end"])).norm(), tolerance * 3.0443);
  // a change of length is known to the rounding of lengths only: 6e-8 m in the rigid pendulum
  EXPECT_NEAR(largest_change(result.sensors[0]), number(c["max_abs_dl"]), tolerance * number(c["max_abs_dl"]) + 1e-14);
}
INSTANTIATE_TEST_SUITE_P(PendulumBars, LongRun, testing::Range(0, 104), [](const auto& which) {
  const Json& c = pendulum_bars()["long_runs"]["cases"][which.param];
  std::string name = std::to_string(which.param) + "_" + c["problem"].template get<std::string>() + "_" +
                     c["config"].template get<std::string>() + "_" + c["scheme"].template get<std::string>();
  return name;
});

}  // namespace scheme_reference
}  // namespace trompo
