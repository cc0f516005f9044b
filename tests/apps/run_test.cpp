// trompo run: what it leaves behind, when all goes well, when Newton gives up and when the user has had enough.
#include <hdf5.h>

#include <cmath>
#include <regex>

#include "tests/apps/tool.hpp"
#include "tests/places.hpp"
#include "trompo/output/page.hpp"

namespace trompo::test {
namespace apps_run {

// Every number of a results file: how many datasets there are, and which hold something that is not finite.
struct Numbers {
  int datasets = 0;
  std::vector<std::string> not_finite;
};

herr_t look_at(hid_t file, const char* name, const H5L_info_t* /*info*/, void* data) {
  auto& numbers = *static_cast<Numbers*>(data);
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (H5Iget_type(object) == H5I_DATASET) {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    if (H5Tget_class(type) == H5T_FLOAT) {
      std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
      const bool read = H5Dread(object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
      const bool finite = std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
      if (!read || !finite) numbers.not_finite.emplace_back(name);
    }
    ++numbers.datasets;
    H5Sclose(space);
    H5Tclose(type);
  }
  H5Oclose(object);
  return 0;
}

Numbers numbers_in(const fs::path& path) {
  Numbers numbers;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GE(file, 0) << path << " cannot be opened";
  if (file < 0) return numbers;
  EXPECT_GE(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at, &numbers), 0);
  H5Fclose(file);
  return numbers;
}

std::string without_wall_time(const std::string& summary) {
  return std::regex_replace(summary, std::regex("\"wall_seconds\": [^\\n,}]*"), "");
}

bool has_word(const std::string& text, const std::string& word) {
  return std::regex_search(text, std::regex("\\b" + word + "\\b", std::regex::icase));
}

class RunCommand : public ToolTest {
 protected:
  // Readable, without holes: results.h5 and summary.json of whatever end a run came to.
  nlohmann::json sound_results(const std::string& name, const std::string& status) const {
    const Numbers numbers = numbers_in(directory() / name / "results.h5");
    EXPECT_GT(numbers.datasets, 5);
    EXPECT_EQ(numbers.not_finite, std::vector<std::string>{});
    const std::string text = file(name + "/summary.json");
    for (const char* word : {"nan", "inf", "infinity"}) EXPECT_FALSE(has_word(text, word)) << word << " in " << text;
    const auto summary = json_of(text);
    auto numbers_only = summary;
    numbers_only.erase("failure");  // a residual there may be what was not finite, and then is null
    EXPECT_FALSE(has_word(numbers_only.dump(), "null")) << text;
    EXPECT_EQ(summary["status"], status);
    return summary;
  }
};

TEST_F(RunCommand, EveryExample) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(places::source("examples"))) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path());
    const Outcome outcome = trompo({"run", entry.path().string()});
    EXPECT_EQ(outcome.code, 0);
    if (entry.path().stem() == "four_bar") {
      EXPECT_NE(outcome.err.find("joints 'A', 'B', 'C' and 'D' repeat what others say: their reactions are not unique"),
                std::string::npos);
    } else {
      EXPECT_EQ(outcome.err, "");
    }
    const auto summary = sound_results(entry.path().stem().string() + ".out", "done");
    EXPECT_LT(summary["energy"]["balance_residual_relative"].get<double>(), 1e-9);
    ++count;
  }
  EXPECT_GE(count, 4);
}

TEST_F(RunCommand, SummaryHasWhatItPromises) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum")}).code, 0);
  const auto summary = sound_results("elastic_pendulum.out", "done");
  EXPECT_EQ(summary["steps"], 600);
  EXPECT_DOUBLE_EQ(summary["time"]["end"], 30);
  EXPECT_EQ(summary["scheme"]["name"], "energy-momentum-exact");
  for (const char* path :
       {"/time/wall_seconds", "/scheme/parameters", "/energy/scale", "/energy/total/initial", "/energy/kinetic/min",
        "/energy/potential/max", "/energy/balance_residual_max", "/momentum/linear/initial", "/momentum/angular/final",
        "/newton/iterations_mean", "/newton/iterations_max", "/newton/retries", "/constraints/position_max",
        "/constraints/velocity_max", "/final/bob/position", "/final/bob/velocity", "/sensors/tension/final"})
    EXPECT_TRUE(summary.contains(nlohmann::json::json_pointer(path))) << path;
}

TEST_F(RunCommand, OverridesBeforeAndAfterTheFile) {
  const Outcome outcome = trompo({"run", "--set", "time.end=1", "--set", "time.step=0.1", example("elastic_pendulum"), "--set",
                                  "time.scheme=gem", "--set", "bar.rod.EA=2e4", "--set", "gravity=[0,0]", "-o", "here"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "here/summary.json"));
  const auto summary = sound_results("here", "done");
  EXPECT_EQ(summary["steps"], 10);
  EXPECT_EQ(summary["scheme"]["name"], "gem");
  EXPECT_DOUBLE_EQ(summary["energy"]["total"]["initial"], 5 * 7.72 * 7.72);
}

TEST_F(RunCommand, ShortenedLastStepIsNoted) {
  const Outcome outcome = trompo({"run", example("elastic_pendulum"), "--set", "time.end=1.03"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.err, "note: "));
  EXPECT_DOUBLE_EQ(sound_results("elastic_pendulum.out", "done")["time"]["end"], 1.03);
}

TEST_F(RunCommand, CsvHasARowForEveryRecordedStep) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "--csv"}).code, 0);
  const std::string csv = file("elastic_pendulum.out/results.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 602);  // heading, start, 600 steps
  for (const char* word : {"nan", "inf"}) EXPECT_FALSE(has_word(csv, word));
  const auto before = contents("elastic_pendulum.out");
  // Without --csv: an old one must not stay beside new results.
  ASSERT_EQ(trompo({"run", example("elastic_pendulum")}).code, 0);
  std::set<std::string> left{"results.h5", "summary.json", "results.h5.1", "summary.json.1", "results.csv.1"}, found;
  if (has_page()) left.insert({"report.html", "report.html.1"});
  for (const auto& [name, bytes] : contents("elastic_pendulum.out")) {
    found.insert(name);
    if (name.ends_with(".1")) {
      EXPECT_TRUE(bytes == before.at(name.substr(0, name.size() - 2))) << name;
    }
  }
  EXPECT_EQ(found, left);
}

TEST_F(RunCommand, JsonPrintsTheSummaryAndNothingElse) {
  const Outcome outcome = trompo({"run", example("elastic_pendulum"), "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(json_of(outcome.out), json_of(file("elastic_pendulum.out/summary.json")));
}

TEST_F(RunCommand, QuietSaysNothing) {
  const Outcome outcome = trompo({"run", example("elastic_pendulum"), "-q"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(RunCommand, SameFileSameBytes) {
  for (const char* name : {"cable_net", "swinging_chain"}) {
    const std::string one = std::string(name) + ".one", two = std::string(name) + ".two";
    for (const std::string& output : {one, two}) ASSERT_EQ(trompo({"run", example(name), "-o", output, "--csv"}).code, 0);
    EXPECT_TRUE(file(one + "/results.h5") == file(two + "/results.h5")) << name;
    EXPECT_TRUE(file(one + "/results.csv") == file(two + "/results.csv")) << name;
    EXPECT_EQ(without_wall_time(file(one + "/summary.json")), without_wall_time(file(two + "/summary.json")));
  }
}

// No terminal, no progress bar, however long it takes.
TEST_F(RunCommand, NoEscapeCodesInAFile) {
  const Outcome outcome = trompo({"run", example("elastic_pendulum"), "--set", "time.end=20000", "--set", "output.every=1000"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos);
  EXPECT_EQ(outcome.out.find('\r'), std::string::npos);
}

// ---- code 4 ----
TEST_F(RunCommand, GivesUpWithADossier) {
  const Outcome outcome =
      trompo({"run", example("elastic_pendulum"), "--set", "newton.max_iterations=1", "--set", "time.step=5"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(says(outcome.err, "elastic_pendulum.toml"));
  EXPECT_TRUE(says(outcome.err, "bob.x"));  // the coordinate by its name in the model
  EXPECT_TRUE(says(outcome.err, "stopped in step 1 at t = 0 s"));
  EXPECT_TRUE(says(outcome.err, "iterations"));
  EXPECT_TRUE(says(outcome.err, "try: "));
  const auto summary = sound_results("elastic_pendulum.out", "not converged");
  EXPECT_EQ(summary["steps"], 0);
  EXPECT_GT(summary["newton"]["retries"], 0);
}

// A bar squeezed to a point has a logarithmic strain without bounds; the way to there is kept.
TEST_F(RunCommand, BarDrivenThroughZeroLength) {
  write("ram.toml", R"toml(
[[node]]
name = "ram"
position = [1, 0, 0]
fixed_axes = ["y", "z"]
motion = { x = "1-t" }

[[node]]
name = "wall"
position = [0, 0, 0]
fixed = true

[[node]]
name = "bob"
position = [1, -1, 0]
mass = 1

[[bar]]
name = "buffer"
nodes = ["wall", "ram"]
EA = 1e3
strain = "logarithmic"

[[bar]]
name = "rod"
nodes = ["ram", "bob"]
EA = 1e3

[time]
step = 0.1
end = 3
scheme = "trapezoidal"
)toml");
  for (const char* scheme : {"trapezoidal", "midpoint", "energy-momentum-exact", "gem"}) {
    SCOPED_TRACE(scheme);
    const Outcome outcome = trompo({"run", "ram.toml", "--set", std::string("time.scheme=") + scheme});
    EXPECT_EQ(outcome.code, 4);
    EXPECT_TRUE(says(outcome.err, "ram"));
    const auto summary = sound_results("ram.out", "not converged");
    EXPECT_GE(summary["steps"], 8);
    // The other strains pass through the point.
    for (const char* strain : {"engineering", "green"}) {
      const auto set = {std::string("time.scheme=") + scheme, std::string("bar.buffer.strain=") + strain};
      EXPECT_EQ(trompo({"run", "ram.toml", "--set", *set.begin(), "--set", *(set.begin() + 1)}).code, 0) << strain;
      EXPECT_EQ(sound_results("ram.out", "done")["steps"], 30);
    }
  }
}

TEST_F(RunCommand, ForceThatBecomesInfinite) {
  std::string text = text_of(example("elastic_pendulum"));
  write("model.toml", text + "\n[[load]]\nname = \"push\"\nnode = \"bob\"\nforce = [\"log(0.5-t)\", 0]\n");
  const Outcome outcome = trompo({"run", "model.toml"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_TRUE(says(outcome.err, "bob.x"));
  const auto summary = sound_results("model.out", "not converged");
  EXPECT_EQ(summary["steps"], 9);
}

// Two constraints that all but coincide when an event asks for a new start: found in mid-run, with results that are worth
// keeping.
TEST_F(RunCommand, AnEventThatCannotGoOnIsTheEndOfARun) {
  write("event.toml", R"toml(
[[node]]
name = "pin"
position = [0, 0, 0]
mass = 1
motion = { x = "t" }

[[node]]
name = "wall"
position = [0, 5, 0]
fixed = true

[[bar]]
name = "rod"
nodes = ["wall", "pin"]
EA = 1

[[constraint]]
name = "A"
constraint = "pin.y"

[[constraint]]
name = "B"
constraint = "pin.y + (1 - pin.x + 1e-12)*pin.z"

[[event]]
at = 1
set = { bar = "rod", EA = 2 }

[time]
step = 0.1
end = 2
scheme = "energy-momentum-exact"
)toml");
  const Outcome outcome = trompo({"run", "event.toml"});
  EXPECT_EQ(outcome.code, 4);
  for (const char* part :
       {"event.toml: stopped after step 10 at t = 1 s", "event (bar 'rod')", "constraint 'B' repeats", "try: "})
    EXPECT_TRUE(says(outcome.err, part));
  const auto summary = sound_results("event.out", "not converged");
  EXPECT_EQ(summary["steps"], 10);
  EXPECT_EQ(summary["failure"]["time"], 1.0);
  EXPECT_TRUE(says(outcome.err, summary["failure"]["dossier"]));
}

// ---- code 130 ----
TEST_F(RunCommand, InterruptKeepsResults) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    fs::remove_all(directory() / "long");
    Process process =
        start({"run", example("elastic_pendulum"), "--set", "time.end=1e8", "--set", "output.every=100", "-o", "long"});
    const fs::path results = directory() / "long/results.partial.h5";
    for (int i = 0; i < 20000 && !fs::exists(results); ++i) std::this_thread::sleep_for(1ms);
    std::this_thread::sleep_for(300ms);
    process.send(signal);
    const Outcome outcome = process.finish();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_TRUE(says(outcome.err, "interrupted at t = "));
    const auto summary = sound_results("long", "interrupted");
    EXPECT_GT(summary["steps"], 0);
    EXPECT_GT(summary["time"]["end"], 0);
  }
}

// ---- what reaches the terminal ----
TEST_F(RunCommand, TextsCannotCommandTheTerminal) {
  const std::string escapes = "\\u001b]0;gotcha\\u0007\\u001b[2J \\u009b31m \\u202Egnp",
                    text = text_of(example("elastic_pendulum"));
  const auto title = text.find("title = ");
  ASSERT_NE(title, std::string::npos);
  write("escape.toml",
        text.substr(0, title) + "title = \"" + escapes + "\\nsecond line\"" + text.substr(text.find('\n', title)));
  const auto expect_plain = [](const Outcome& outcome) {
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const std::string& all : {outcome.out, outcome.err})
      for (const char* raw : {"\x1b", "\x07", "\u009b", "\u202E"}) EXPECT_EQ(all.find(raw), std::string::npos) << all;
  };
  const Outcome run = trompo({"run", "escape.toml"});
  expect_plain(run);
  EXPECT_TRUE(says(run.out, "\\u001b]0;gotcha\\u0007\\u001b[2J \\u009b31m \\u202egnp\\u000asecond line: 600 steps"));
  // As JSON and as TOML it is the same text as before.
  const Outcome json = trompo({"run", "escape.toml", "--json"}), expanded = trompo({"expand", "escape.toml"});
  expect_plain(json);
  expect_plain(expanded);
  const std::string meant = "\x1b]0;gotcha\x07\x1b[2J \u009b31m \u202Egnp\nsecond line";
  EXPECT_EQ(json_of(json.out)["model"]["title"], meant);
  write("expanded.toml", expanded.out);
  const Outcome again = trompo({"run", "expanded.toml", "--json"});
  EXPECT_EQ(json_of(again.out)["model"]["title"], meant);
}

}  // namespace apps_run
}  // namespace trompo::test
