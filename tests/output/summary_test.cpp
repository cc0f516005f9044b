#include "trompo/output/summary.hpp"

#include <cmath>
#include <limits>

#include "tests/output/recording.hpp"
#include "trompo/output/version.hpp"

namespace trompo::test {
namespace output_summary {

using Json = nlohmann::ordered_json;

Json summary(const Model& model, const RunResult& result) {
  return Json::parse(summary_json(model, System(model), scheme_of(model), result));
}

TEST(Summary, HasEveryKey) {
  Model model = observed_pendulum(100);
  CoordinateInput theta;
  theta.name = "theta";
  theta.inertia = 1;
  theta.rate = 2;
  model.coordinates = {theta};
  const RunResult result = run(model);
  const Json all = summary(model, result);
  const auto at = [&](const std::string& pointer) {
    const Json::json_pointer where(pointer);
    EXPECT_TRUE(all.contains(where)) << pointer;
    return all.contains(where) ? all[where] : Json();
  };

  EXPECT_EQ(at("/status"), "done");
  EXPECT_EQ(at("/trompo_version"), version());
  EXPECT_EQ(at("/model/title"), "Elastic pendulum");
  EXPECT_EQ(at("/model/file"), "pendulum.toml");
  EXPECT_EQ(at("/steps"), 100);
  EXPECT_EQ(at("/time/end"), result.state.time);
  EXPECT_GE(at("/time/wall_seconds"), 0);
  EXPECT_EQ(at("/scheme/name"), "energy-momentum-exact");
  const Scheme scheme = scheme_of(model);
  EXPECT_EQ(at("/scheme/parameters").size(), scheme.parameters.size() + scheme.options.size());
  EXPECT_EQ(at("/energy/scale"), result.ledger.scale());
  for (const std::string part : {"/energy/total", "/energy/kinetic", "/energy/potential", "/sensors/length", "/sensors/pull"})
    for (const std::string which : {"/initial", "/final", "/min", "/max"}) EXPECT_TRUE(at(part + which).is_number());
  EXPECT_EQ(at("/energy/total/final"), result.total.final);
  EXPECT_EQ(at("/energy/balance_residual_max"), result.ledger.worst_residual());
  EXPECT_EQ(at("/energy/balance_residual_relative"), result.ledger.worst_residual() / result.ledger.scale());
  for (const std::string account : {"load_work", "support_work", "numerical"})
    EXPECT_TRUE(at("/energy/accounts/" + account).is_number());
  for (const std::string part : {"/momentum/linear", "/momentum/angular"}) {
    EXPECT_EQ(at(part + "/initial").size(), 3U);
    EXPECT_EQ(at(part + "/final").size(), 3U);
    EXPECT_TRUE(at(part + "/drift_max").is_number());
    EXPECT_TRUE(at(part + "/scale").is_number());
  }
  EXPECT_EQ(at("/newton/iterations_mean"), static_cast<double>(result.iterations) / static_cast<double>(result.solves));
  EXPECT_EQ(at("/newton/iterations_max"), result.iterations_max);
  EXPECT_EQ(at("/newton/retries"), 0);
  EXPECT_EQ(at("/constraints/position_max"), 0);
  EXPECT_EQ(at("/constraints/velocity_max"), 0);
  EXPECT_EQ(at("/final/bob/position/0"), result.state.q[3]);
  EXPECT_EQ(at("/final/bob/velocity/1"), result.state.v[4]);
  EXPECT_EQ(at("/final/bob/acceleration/1"), result.acceleration[4]);
  EXPECT_EQ(at("/final/theta/value"), result.state.q[6]);
  EXPECT_EQ(at("/final/theta/rate"), 2);
  EXPECT_EQ(at("/final/theta/acceleration"), 0);
  EXPECT_FALSE(all.contains("failure"));
}

TEST(Summary, SameRunSameText) {
  const Model model = observed_pendulum(50);
  Json one = summary(model, run(model)), two = summary(model, run(model));
  one["time"].erase("wall_seconds");
  two["time"].erase("wall_seconds");
  EXPECT_EQ(one.dump(), two.dump());
}

TEST(Summary, TakesAnyName) {
  Model model = observed_pendulum(1);
  model.nodes[1].name = model.bars[0].nodes[1] = model.sensors[0].of[1] = "bob \"the/big\" 🪀";
  const Json all = summary(model, run(model));
  EXPECT_TRUE(all["final"].contains(model.nodes[1].name));
}

TEST(Summary, TellsOfAFailureAndNeverSaysNaN) {
  Model model = observed_pendulum(100);
  model.newton.max_iterations = 1;  // nothing converges
  RunResult result = run(model);
  ASSERT_EQ(result.status, Status::not_converged);
  result.acceleration[3] = std::numeric_limits<double>::quiet_NaN();
  result.failure.step_size = std::numeric_limits<double>::infinity();
  const std::string text = summary_json(model, System(model), scheme_of(model), result);
  for (const char* bad : {"nan", "NaN", "inf,", "Infinity"}) EXPECT_EQ(text.find(bad), std::string::npos) << bad;
  const Json all = Json::parse(text);
  EXPECT_EQ(all["status"], "not converged");
  EXPECT_EQ(all["failure"]["step"], result.failure.step);
  EXPECT_EQ(all["failure"]["time"], result.failure.time);
  EXPECT_TRUE(all["failure"]["step_size"].is_null());
  ASSERT_EQ(all["failure"]["worst"].size(), result.failure.worst.size());
  EXPECT_EQ(all["failure"]["worst"][0]["name"], result.failure.worst[0].name);
  EXPECT_EQ(all["failure"]["dossier"], result.failure.dossier());
  EXPECT_TRUE(all["final"]["bob"]["acceleration"][0].is_null());
}

}  // namespace output_summary
}  // namespace trompo::test
