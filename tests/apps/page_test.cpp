// Pages as a user meets them: what each command writes. What `trompo view` serves is in view_test.cpp.
#include "trompo/output/page.hpp"
#include "tests/apps/tool.hpp"
#include "tests/page_checks.hpp"
#include "tests/places.hpp"
#include "tests/xhale_cases.hpp"

namespace trompo::test {
namespace apps_page {

class Pages : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    if (!has_page()) GTEST_SKIP() << "built without the page";
  }
  [[nodiscard]] Json page(const std::string& name) const {
    Json data = data_of_page(file(name));
    expect_page(data);
    return data;
  }
};

TEST_F(Pages, EveryExampleLeavesOne) {
  for (const auto& entry : fs::directory_iterator(places::source("examples"))) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path());
    ASSERT_EQ(trompo({"run", entry.path().string(), "-o", "out", "--force"}).code, 0);
    const Json data = page("out/report.html");
    EXPECT_EQ(data["kind"], "run");
    EXPECT_EQ(data["live"], false);
    // Doubles to the last digit.
    EXPECT_EQ(data["runs"][0]["summary"], Json::parse(file("out/summary.json")));
    EXPECT_FALSE(fs::exists(directory() / "out/.trompo/live.json"));
  }
}

// A run, modes, an equilibrium, a model, a comparison: what a rod carries is there wherever it is drawn moved.
TEST_F(Pages, OfRodsFromEveryCommand) {
  write("model.toml", R"toml([[rod]]
name = "beam"
from = [0, 0, 0]
to = [2, 0, 0]
elements = 3
orientation = [0, 1, 0]
material = { E = 2e9, nu = 0.3, density = 2000 }
section = { rectangle = [0.1, 0.05] }
[[joint]]
name = "clamp"
bodies = ["ground", "beam.0"]
weld = { at = [0, 0, 0] }
[[load]]
name = "tip"
body = "beam.3"
force = [0, 0, -30]
[time]
step = 0.01
end = 0.03
scheme = "energy-momentum-exact"
)toml");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run", "-o", "out"},
                                             {"modes", "-o", "out", "--force", "--set", "load.tip.force=[0,0,0]"},
                                             {"statics", "-o", "out", "--force"},
                                             {"check", "--html", "out/report.html"},
                                             {"compare", "--schemes", "krenk,bathe", "--html", "out/report.html"}}) {
    SCOPED_TRACE(command[0]);
    std::vector<std::string> words = command;
    words.insert(words.begin() + 1, "model.toml");
    const Outcome outcome = trompo(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json run = page("out/report.html")["runs"][0];
    const std::vector<float> moment = unpacked(run["frames"]["rod_moment"]);
    const bool bent = std::any_of(moment.begin(), moment.end(), [](float m) { return std::abs(m) > 0.1F; });
    EXPECT_EQ(bent, command[0] != "check");
  }
}

TEST_F(Pages, ResultsAreTheSameWithoutAReport) {
  const std::string chain = example("damaged_chain");
  ASSERT_EQ(trompo({"run", chain, "-o", "with"}).code, 0);
  ASSERT_EQ(trompo({"run", chain, "-o", "without", "--no-report"}).code, 0);
  EXPECT_TRUE(file("with/results.h5") == file("without/results.h5"));
  EXPECT_FALSE(fs::exists(directory() / "without/report.html"));
  const Json events = page("with/report.html")["runs"][0]["events"];
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["time"], 2.0);
  EXPECT_EQ(events[0]["text"], "root: stiffness 100");
}

TEST_F(Pages, WarningsAndFailuresAreRemarks) {
  const Outcome noted = trompo({"run", example("elastic_pendulum"), "-o", "noted", "--set", "time.end=1.03"});
  ASSERT_EQ(noted.code, 0);
  const std::string remark = page("noted/report.html")["remarks"][0]["text"];
  EXPECT_EQ(noted.err, remark + "\n");
  ASSERT_EQ(trompo({"run", example("four_bar"), "-o", "repeated", "--set", "time.end=0.1"}).code, 0);
  const std::string repeated = page("repeated/report.html")["remarks"][0]["text"];
  EXPECT_EQ(repeated.find("four_bar.toml:27: warning"), 0U) << repeated;  // no folder of this machine goes with the page
  const Outcome failed = trompo({"run", example("elastic_pendulum"), "-o", "failed", "--set", "newton.max_iterations=1"});
  ASSERT_EQ(failed.code, 4);
  const Json remarks = page("failed/report.html")["remarks"];
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks.back()["severity"], "error");
  EXPECT_TRUE(says(failed.err, remarks.back()["text"]));
}

TEST_F(Pages, OfAModelBeforeItMoves) {
  ASSERT_EQ(trompo({"check", example("four_bar"), "--html", "model.html"}).code, 0);
  const Json data = page("model.html"), run = data["runs"][0];
  EXPECT_EQ(data["kind"], "model");
  EXPECT_TRUE(run["summary"].is_null());
  EXPECT_EQ(run["frames"]["count"], 1);
  EXPECT_EQ(run["scene"]["joints"].size(), 4U);
  EXPECT_EQ(trompo({"check", example("four_bar"), "--html", "missing/model.html"}).code, 6);
}

TEST_F(Pages, OfAComparison) {
  const Outcome outcome = trompo(
      {"compare", example("elastic_pendulum"), "--schemes", "trapezoidal,energy-momentum-exact", "--html", "compare.html"});
  ASSERT_EQ(outcome.code, 0);
  const Json data = page("compare.html");
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["runs"][0]["label"], "trapezoidal");
  EXPECT_EQ(data["runs"][1]["label"], "energy-momentum-exact");
  EXPECT_EQ(data["runs"][1]["scheme"]["name"], "energy-momentum-exact");
  EXPECT_EQ(data["tables"][0]["rows"].size(), 2U);
  EXPECT_EQ(data["figures"][0]["curves"].size(), 2U);
}

TEST_F(Pages, OfAStudyAndOfASpectrum) {
  ASSERT_EQ(trompo({"reproduce", "krenk"}).code, 0);
  const Json krenk = page("krenk.out/report.html");
  EXPECT_EQ(krenk["kind"], "reproduce");
  EXPECT_FALSE(krenk["about"].empty());
  EXPECT_EQ(krenk["tables"][0]["title"], "Statements");
  EXPECT_EQ(krenk["tables"][0]["verdicts"].size(), krenk["tables"][0]["rows"].size());
  EXPECT_GE(krenk["figures"].size(), 10U);
  EXPECT_NE(file("krenk.out/figure_7.svg").find("Fig. 7"), std::string::npos);
  ASSERT_EQ(trompo({"reproduce", "pendulum"}).code, 0);
  EXPECT_EQ(page("pendulum.out/report.html")["figures"].size(),
            2 * 4U + 32 * 6U + 2 * 6U + 9U);  // Silva's 34 figures, forces at the midpoint, and what loses energy
  EXPECT_TRUE(krenk["runs"].empty());
  ASSERT_EQ(trompo({"spectrum", "--scheme", "gem,newmark", "--html", "spectrum.html"}).code, 0);
  EXPECT_EQ(page("spectrum.html")["figures"].size(), 3U);
}

TEST_F(Pages, OfOneFigureAndOfOneSection) {
  ASSERT_EQ(trompo({"reproduce", "krenk", "--figure", "8", "-o", "one"}).code, 0);
  EXPECT_EQ(page("one/report.html")["figures"].size(), 1U);
  EXPECT_TRUE(page("one/report.html")["tables"].empty());
  const Outcome outcome = trompo({"reproduce", "krenk", "--figure", "99"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("10"), std::string::npos) << "says which there are: " << outcome.err;
  EXPECT_EQ(trompo({"reproduce", "krenk", "--section", "5.1"}).code, 0);
  EXPECT_FALSE(fs::exists(directory() / "krenk.out")) << "statements alone are read on the terminal";
  // What is not ours stays.
  fs::create_directory(directory() / "mine");
  write("mine/figure_8.svg", "mine");
  EXPECT_EQ(trompo({"reproduce", "krenk", "--figure", "8", "-o", "mine"}).code, 6);
  EXPECT_EQ(file("mine/figure_8.svg"), "mine");
  EXPECT_EQ(trompo({"reproduce", "krenk", "--figure", "8", "-o", "one"}).code, 0) << "what is ours is replaced";
  EXPECT_EQ(trompo({"reproduce", "top", "--figure", "flip", "-o", "one"}).code, 6) << "that of another study is not";
}

// 30 s of sixteen bodies on hinges at 1 ms, every step recorded.
TEST_F(Pages, LongRunOfAnAircraftIsSmall) {
  const std::string model = xhale::model_text(xhale::stored_problem("sixteen_body"));
  write("aircraft.toml",
        "formulation = \"rotation\"\n" + model + "[time]\nstep = 1e-3\nend = 30\nscheme = \"energy-momentum-exact\"\n");
  ASSERT_EQ(trompo({"run", "aircraft.toml"}).code, 0);
  const Json data = page("aircraft.out/report.html");
  EXPECT_EQ(data["runs"][0]["scene"]["bodies"].size(), 16U);
  EXPECT_EQ(data["runs"][0]["summary"]["steps"], 30000);
  EXPECT_GE(data["runs"][0]["frames"]["count"], 700);
  const std::size_t size = file("aircraft.out/report.html").size();
  EXPECT_LT(size, 4'000'000U);
  RecordProperty("bytes", static_cast<int>(size));
}

// A load given by a long table: what the page repeats of the model is cut, and says so.
TEST_F(Pages, OfALongTableIsSmall) {
  std::string table;
  for (int i = 0; i < 60000; ++i) table += "[" + std::to_string(i) + "," + std::to_string(i % 7) + ".123456789,0],\n";
  write("table.toml",
        text_of(example("elastic_pendulum")) + "\n[[load]]\nname = \"push\"\nnode = \"bob\"\ntable = [\n" + table + "]\n");
  ASSERT_EQ(trompo({"run", "table.toml", "--set", "time.end=1"}).code, 0);
  const Json data = page("table.out/report.html");
  EXPECT_LT(file("table.out/report.html").size(), 3'000'000U);
  EXPECT_TRUE(says(data["remarks"].dump(), "60000 entries, 1000 are shown"));
  EXPECT_EQ(data["runs"][0]["model"]["load"][0]["table"].size(), 1001U);
}

}  // namespace apps_page
}  // namespace trompo::test
