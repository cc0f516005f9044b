// trompo statics and trompo modes, as a user meets them.
#include <algorithm>

#include "tests/apps/tool.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/results.hpp"

namespace trompo::test {
namespace apps_statics {

const std::string cantilever = R"toml(title = "Cantilever"
[[rod]]
name = "rod"
from = [0, 0, 0]
to = [2, 0, 0]
elements = 8
EA = 1e5
GA = 1e5
GJ = 100
EI = 100
density = 1
clamped = "from"

[[load]]
name = "tip"
body = "rod.8"
force = [0, 0, -50]

[[sensor]]
name = "sag"
position = "rod.8"
axis = "z"

[statics]
steps = 5
)toml";

class StaticsTool : public ToolTest {};

TEST_F(StaticsTool, LeavesTheResultsOfARunOverTheLoadFactor) {
  write("model.toml", cantilever);
  const Outcome outcome = trompo({"statics", "model.toml", "--csv", "--no-report"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "5 load steps to load factor 1"));
  EXPECT_TRUE(says(outcome.out, "stability stable"));
  const auto summary = json_of(file("model.statics/summary.json"));
  EXPECT_EQ(summary["status"], "done");
  EXPECT_EQ(summary["statics"]["load_factor"], 1);
  EXPECT_EQ(summary["statics"]["stable"], true);
  EXPECT_LT(summary["sensors"]["sag"]["final"].get<double>(), -0.8);
  EXPECT_EQ(file("model.statics/results.csv").substr(0, 31), "load factor,step,newton.iterati");

  const ResultsFile results((directory() / "model.statics/results.h5").string());
  EXPECT_EQ(results.text("axis"), "load factor");
  const std::vector<double> factors = results.read("/time"), again = results.read("/statics/factor");
  ASSERT_EQ(factors.size(), 6U);
  EXPECT_EQ(factors, again);
  EXPECT_DOUBLE_EQ(factors[1], 0.2);
  EXPECT_EQ(results.read("/rods/moment").size(), 6U * 8 * 3);
  // The moment at the root is that of the load at its arm, and the page can be made from the file.
  EXPECT_TRUE(says(page_of_results((directory() / "model.statics").string()).json(), "\"axis\":\"load factor\""));
}

TEST_F(StaticsTool, FollowsAPathByItsSteps) {
  write("model.toml", cantilever);
  const Outcome outcome = trompo({"statics", "model.toml", "--set", "statics.method=\"arc-length\"", "--json", "--no-report"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json_of(outcome.out)["statics"]["load_factor"], 1);
  const ResultsFile results((directory() / "model.statics/results.h5").string());
  EXPECT_EQ(results.text("axis"), "path step");
  EXPECT_DOUBLE_EQ(results.read("/time")[2], 2);
}

TEST_F(StaticsTool, SaysWhatMovesFreely) {
  write("model.toml", replaced(cantilever, "clamped = \"from\"\n", ""));
  const Outcome outcome = trompo({"statics", "model.toml", "--no-report"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(says(outcome.err, "what moves freely is rod."));
  EXPECT_EQ(json_of(file("model.statics/summary.json"))["status"], "not converged");
}

// A column that load steps cannot bring round the corner, a path that is too long for its steps, a mechanism, a model without
// any equilibrium: exit 4, and not a word of what was not found.
TEST_F(StaticsTool, APathThatEndsEarlyIsNotDone) {
  const std::string column = replaced(cantilever, "force = [0, 0, -50]", "force = [-76, 0, -1e-6]");
  const std::string downhill =
      "[[coordinate]]\nname = \"q\"\ninertia = 1\npotential = \"exp(q)\"\n[[sensor]]\nname = \"s\"\nvalue = \"q\"\n[statics]\n";
  struct Case {
    const char* name;
    std::string text, says;
    bool loaded;
  };
  for (const Case& c : {Case{"corner", replaced(column, "steps = 5", "steps = 1"), "lies on another path", true},
                        Case{"short", replaced(cantilever, "steps = 5", "method = \"arc-length\"\nmax_steps = 3\narc = 0.01"),
                             "did not reach load factor 1 in max_steps = 3 steps", true},
                        Case{"loose", replaced(cantilever, "clamped = \"from\"\n", ""), "what moves freely is", false},
                        Case{"downhill", downhill, "without loads", false}}) {
    SCOPED_TRACE(c.name);
    write("model.toml", c.text);
    const Outcome outcome = trompo({"statics", "model.toml", "-o", c.name});
    EXPECT_EQ(outcome.code, 4);
    EXPECT_TRUE(says(outcome.err, c.says)) << outcome.err;
    EXPECT_FALSE(says(outcome.out, "stability")) << outcome.out;
    EXPECT_EQ(says(outcome.out, "sensor "), c.loaded) << outcome.out;
    EXPECT_EQ(says(outcome.out, "reached   load factor 0."), c.loaded) << outcome.out;
    const auto summary = json_of(file(std::string(c.name) + "/summary.json"));
    EXPECT_EQ(summary["status"], "not converged");
    EXPECT_TRUE(summary["statics"]["stable"].is_null());
    EXPECT_TRUE(summary["statics"]["unstable_directions"].is_null());
    EXPECT_EQ(summary["statics"]["load_factor_asked"], 1);
    EXPECT_EQ(summary["sensors"].empty(), !c.loaded);
    EXPECT_EQ(summary.contains("final"), c.loaded);
    EXPECT_EQ(summary.contains("energy"), c.loaded);
    if (c.loaded) {
      const double reached = summary["statics"]["load_factor"].get<double>();
      EXPECT_GT(reached, 0);
      EXPECT_LT(reached, 1);
      const ResultsFile results((directory() / c.name / "results.h5").string());
      EXPECT_EQ(results.read("/statics/factor").back(), reached);  // the results end with what the summary says
    }
  }
}

TEST_F(StaticsTool, AModelWithoutTimeCannotRun) {
  write("model.toml", cantilever);
  for (const char* command : {"run", "compare", "converge"}) {
    const Outcome outcome = trompo({command, "model.toml"});
    EXPECT_EQ(outcome.code, 3) << command;
    EXPECT_TRUE(says(outcome.err, "the model has no [time]; add a section [time]")) << command;
  }
  EXPECT_EQ(trompo({"check", "model.toml"}).code, 0);
  const Outcome expanded = trompo({"expand", "model.toml"});
  EXPECT_EQ(expanded.code, 0);
  write("plain.toml", expanded.out);
  EXPECT_EQ(trompo({"statics", "plain.toml", "--no-report"}).code, 0) << expanded.out;
}

TEST_F(StaticsTool, PrintsModes) {
  write("model.toml", replaced(cantilever, "force = [0, 0, -50]", "force = [0, 0, 0]"));
  const Outcome outcome = trompo({"modes", "model.toml", "-n", "3", "--json", "--no-report"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto summary = json_of(outcome.out);
  ASSERT_EQ(summary["modes"].size(), 3U);
  EXPECT_NEAR(summary["modes"][0]["angular_frequency"].get<double>(), 8.79, 0.2);
  EXPECT_EQ(summary["modes"][0]["shape"]["rod.0"]["displacement"].size(), 3U);
  EXPECT_EQ(trompo({"modes", "model.toml", "--about", "nothing"}).code, 2);
  EXPECT_TRUE(says(trompo({"modes", "model.toml", "--no-report"}).out, "dominant motion"));
}

TEST_F(StaticsTool, ACampbellDiagramGoesToEveryPlace) {
  write("model.toml", R"toml([[body]]
name = "rotor"
mass = 5
inertia = [0.6, 0.6, 0.25]
angular_velocity = [0, 0, 1]
[[joint]]
name = "mount"
bodies = ["ground", "rotor"]
bushing = { at = [0, 0, 0] }
stiffness_along = [2000, 2000, 2000]
[[spring]]
name = "x"
from = { body = "rotor", point = [0, 0, 0.5] }
to = { ground = [1, 0, 0.5] }
stiffness = 100
[[spring]]
name = "y"
from = { body = "rotor", point = [0, 0, 0.5] }
to = { ground = [0, 1, 0.5] }
stiffness = 100
[statics]
)toml");
  const Outcome outcome = trompo({"modes", "model.toml", "--campbell", "0:40:2", "--svg", "picture.svg"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "modes at 21 speeds"));
  EXPECT_TRUE(says(outcome.out, "critical"));
  const auto summary = json_of(file("model.modes/summary.json"));
  EXPECT_EQ(summary["speeds"].size(), 21U);
  EXPECT_GE(summary["critical_speeds"].size(), 2U);
  const std::string csv = file("model.modes/results.csv");
  EXPECT_EQ(csv.substr(0, 38), "spin [rad/s],mode,frequency [Hz],frequ");
  std::size_t lines = 0;
  for (const auto& speed : summary["speeds"]) lines += speed["modes"].size();
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), 1 + lines);
  EXPECT_TRUE(says(file("picture.svg"), "Campbell diagram"));
  for (const char* range : {"0:40", "40:0:1", "0:40:0", "0:40:1:2", "a:b:c", "0:1e9:1e-3", "0:inf:1", "-1:2:1"})
    EXPECT_EQ(trompo({"modes", "model.toml", "--campbell", range}).code, 2) << range;
  EXPECT_EQ(trompo({"modes", "model.toml", "--svg", "picture.svg"}).code, 2);
  EXPECT_EQ(trompo({"modes", "model.toml", "--campbell", "0:1:1", "--set", "body.rotor.angular_velocity=[0,0,0]"}).code, 3);
}

}  // namespace apps_statics
}  // namespace trompo::test
