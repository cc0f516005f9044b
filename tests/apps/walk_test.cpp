// A walk over every command that takes a model, every example and every scheme: exit code, status and what is said agree,
// whatever they are.
// Short runs; without TROMPO_LONG=1 a third of the schemes, another one for each example, and no studies of large models.
#include "tests/apps/tool.hpp"
#include "tests/long_run.hpp"
#include "tests/page_checks.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo::test {
namespace apps_walk {

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(places::source("examples")))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// What a command may end with, and what its status is then; 3 is a refusal, which has no status.
int code_of(const std::string& status) {
  return status == "done" ? 0 : status == "not converged" || status == "unstable" ? 4 : -1;
}

class LongWalk : public ToolTest, public testing::WithParamInterface<std::string> {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    file_ = example(GetParam());
    model_ = read_model(file_);
    large_ = model_.bodies.size() > 10;
    const long steps = large_ ? 2 : 8;
    set_ = {"--set", model_.time.steps ? "time.steps=" + std::to_string(steps)
                                       : "time.end=" + nlohmann::json(static_cast<double>(steps) * model_.time.step).dump()};
  }
  // Those that this walk tries: every third, so that three examples try all of them, or all.
  [[nodiscard]] static std::vector<std::string> tried() {
    const auto names = examples();
    const auto mine = static_cast<std::size_t>(std::find(names.begin(), names.end(), GetParam()) - names.begin());
    const auto every = static_cast<std::size_t>(long_run(1, 3));
    std::vector<std::string> schemes;
    for (std::size_t i = 0; i < catalogue().size(); ++i)
      if ((i + mine) % every == 0) schemes.emplace_back(catalogue()[i].name);
    return schemes;
  }
  [[nodiscard]] Outcome walk(std::vector<std::string> words, const std::vector<std::string>& more = {}) const {
    words.insert(words.begin() + 1, file_);
    words.insert(words.end(), set_.begin(), set_.end());
    words.insert(words.end(), more.begin(), more.end());
    return trompo(words);
  }
  // The rows that can integrate a model.
  [[nodiscard]] static std::vector<std::string> fitting(const Model& model) {
    const System system(model);
    std::vector<std::string> names;
    for (const Row& row : catalogue())
      if (refusal(make_scheme(row.name), system).empty()) names.emplace_back(row.name);
    return names;
  }
  static std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
    return text;
  }

  // One verdict in exit code, summary and on the terminal.
  void expect_agreement(const Outcome& outcome, const std::string& folder, const std::string& place) const {
    const auto printed = json_of(outcome.out);
    const std::string status = printed["status"];
    EXPECT_EQ(outcome.code, code_of(status)) << status << outcome.err;
    EXPECT_EQ(file(folder + "/summary.json"), outcome.out);
    if (outcome.code == 0) {
      EXPECT_EQ(outcome.err.find("stopped"), std::string::npos) << outcome.err;
      EXPECT_EQ(outcome.err.find("unstable"), std::string::npos) << outcome.err;
    } else {
      EXPECT_TRUE(says(outcome.err, place));  // where it ended
    }
  }

  std::string file_;
  Model model_;
  std::vector<std::string> set_;
  bool large_ = false;
};

// In every formulation, where there are bodies and time for it.
TEST_P(LongWalk, RunWithEverySchemeSaysOneThing) {
  std::vector<std::string> formulations{model_.formulation.empty() ? "directors" : model_.formulation};
  if (in_full() && !model_.bodies.empty() && !large_) formulations = {"directors", "rotation", "euler-parameters"};
  for (const std::string& formulation : formulations) {
    Model model = model_;
    model.formulation = formulation;
    const auto fit = fitting(model);
    for (const std::string& name : tried()) {
      SCOPED_TRACE(formulation + " " + name);
      const std::string folder = formulation + "." + name;
      std::vector<std::string> words{"--json", "--no-report", "-o", folder, "--set", "time.scheme=\"" + name + "\""};
      if (!model_.bodies.empty()) words.insert(words.end(), {"--set", "formulation=\"" + formulation + "\""});
      const Outcome outcome = walk({"run"}, words);
      const bool fits = std::find(fit.begin(), fit.end(), name) != fit.end();
      if (outcome.code == 3) {  // a word of [time] may be strange to a scheme that fits
        EXPECT_TRUE(!fits || !model_.time.options.empty() || !model_.time.parameters.empty()) << outcome.err;
        EXPECT_EQ(outcome.out, "");
        EXPECT_TRUE(says(outcome.err, "error: "));
        EXPECT_FALSE(fs::exists(directory() / folder));
        continue;
      }
      EXPECT_TRUE(fits);
      expect_agreement(outcome, folder, "t = ");
    }
  }
}

TEST_P(LongWalk, CompareSaysOfEverySchemeWhatARunSays) {
  if (large_ && !in_full()) GTEST_SKIP() << "with TROMPO_LONG=1 only";
  const auto names = tried(), fit = fitting(model_);
  const Outcome outcome = walk({"compare"}, {"--json", "--schemes", joined(names)});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto report = json_of(outcome.out);
  ASSERT_EQ(report["schemes"].size(), names.size());
  Model plain = read_model(file_, std::vector<std::string>{set_[1]});
  plain.time.options.clear();
  plain.time.parameters.clear();
  const System system(plain);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& row = report["schemes"][i];
    EXPECT_EQ(row["scheme"], names[i]);
    if (std::find(fit.begin(), fit.end(), names[i]) == fit.end()) {
      EXPECT_EQ(row["status"], "refused") << row;
      EXPECT_NE(row["reason"], "") << row;
      continue;
    }
    const RunResult result = run(plain, system, make_scheme(names[i]));
    EXPECT_EQ(row["status"], word(result.status)) << row;
    EXPECT_EQ(row["status"] == "done", row["end_error"].is_number()) << row;
    EXPECT_TRUE(row["status"] == "done" || row["failed_at"].is_number()) << row;
  }
}

TEST_P(LongWalk, ConvergeFindsTheClaimedOrderOrSaysWhyNot) {
  if (large_ && !in_full()) GTEST_SKIP() << "with TROMPO_LONG=1 only";
  std::vector<std::string> names = tried();
  const auto fit = fitting(model_);
  std::erase_if(names, [&fit](const std::string& name) { return std::find(fit.begin(), fit.end(), name) == fit.end(); });
  if (names.empty()) names.push_back(model_.time.scheme);
  const Outcome outcome = walk({"converge"}, {"--json", "--schemes", joined(names), "--halvings", large_ ? "2" : "4"});
  const auto report = json_of(outcome.out);
  bool done = false;
  for (const auto& scheme : report["schemes"]) {
    SCOPED_TRACE(scheme.dump());
    for (const auto& point : scheme["points"]) done = done || point["status"] == "done";
    if (scheme["verdict"] == "confirmed") {
      EXPECT_NEAR(scheme["measured_order"].get<double>(), scheme["claimed_order"].get<double>(), 0.1);
      EXPECT_EQ(scheme["reason"], "");
    } else {
      EXPECT_TRUE(scheme["verdict"] == "not judged" || scheme["verdict"] == "no claim");
      EXPECT_NE(scheme["reason"], "");
    }
  }
  EXPECT_EQ(outcome.code, done && report["reference"]["error_estimate"].is_number() ? 0 : 4) << outcome.err;
}

// The commands that have no scheme, or one for the whole model.
TEST_P(LongWalk, EveryOtherCommandSaysOneThing) {
  const Outcome check = walk({"check"}, {"--json"});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_EQ(json_of(check.out)["valid"], true);
  const Outcome expand = walk({"expand"});
  EXPECT_EQ(expand.code, 0) << expand.err;
  write("plain.toml", expand.out);
  EXPECT_EQ(trompo({"check", "plain.toml"}).code, 0) << expand.out;

  const Outcome shown = walk({"run"}, {"-o", "shown"});
  const auto summary = json_of(file("shown/summary.json"));
  EXPECT_EQ(shown.code, code_of(summary["status"]));
  if (fs::exists(directory() / "shown/report.html")) {
    EXPECT_EQ(data_of_page(file("shown/report.html"))["runs"][0]["summary"]["status"], summary["status"]);
  }

  const Outcome statics = walk({"statics"}, {"--json", "--no-report", "-o", "statics"});
  if (statics.code == 3) {
    EXPECT_TRUE(says(statics.err, "error: "));
  } else {
    expect_agreement(statics, "statics", "load factor");
    // Found, or what would have to be held is named.
    EXPECT_TRUE(statics.code == 0 || says(statics.err, "what moves freely is")) << statics.err;
  }

  const Outcome modes = walk({"modes"}, {"--json", "--no-report", "-o", "modes"});
  EXPECT_TRUE(modes.code == 0 || modes.code == 3) << modes.err;
  EXPECT_EQ(modes.code == 0, !modes.out.empty());
  EXPECT_EQ(modes.code == 3, modes.err.find("error: ") != std::string::npos) << modes.err;
}

INSTANTIATE_TEST_SUITE_P(Examples, LongWalk, testing::ValuesIn(examples()), [](const auto& example) { return example.param; });

}  // namespace apps_walk
}  // namespace trompo::test
