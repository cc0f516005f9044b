// Bodies with joints: the stored problems of the aircraft by the conserving scheme, invariants, formulations against each
// other.
#include <gtest/gtest.h>

#include "tests/xhale_cases.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace {

using xhale::Json;

State run_to_end(const Model& model) {
  const RunResult result = run(model);
  EXPECT_EQ(result.status, Status::done);
  EXPECT_LT(result.gap_max, 1e-12);
  return result.state;
}

// Frames after fifty steps of the stored director scheme, in the order x, d1, d2, d3 of each body.
TEST(MultibodyReferenceTest, DirectorStatesOfTheStoredSteps) {
  for (const char* name : {"four_body_3d", "sixteen_body"}) {
    SCOPED_TRACE(name);
    const Json& stored = xhale::data()["algorithms"][name];
    const Json& problem =
        stored["problem"].is_string() ? xhale::case_named("16 energy (wings 5 deg down)")["problem"] : stored["problem"];
    const Json& em = stored["em"];
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

}  // namespace
}  // namespace trompo
