// Runs that were killed go on to the same bytes: checkpoints, --resume, --until, and what damages them.
#include <random>

#include "tests/apps/tool.hpp"
#include "tests/long_run.hpp"
#include "tests/results_checks.hpp"
#include "trompo/output/results.hpp"

namespace trompo::test {
namespace apps_resume {

struct Tried {
  const char* name;
  const char* file;
  std::vector<std::string> changes;
  int steps = 1000;  // from checkpoint to checkpoint
};
void PrintTo(const Tried& tried, std::ostream* out) { *out << tried.name; }

// Long enough for checkpoints and kills in between, short enough for many of them.
const std::vector<Tried> all_tried{
    {"ExplicitMultistep", "elastic_pendulum", {"time.end=400", "time.scheme=\"hamming\"", "time.step=0.01"}, 4000},
    {"KrenksCorrection", "duffing", {"time.end=3000", "time.scheme=\"krenk\""}, 3000},
    {"HalvedSteps", "elastic_pendulum", {"time.end=1500", "newton.max_iterations=3"}, 3000},
    {"Rods", "flying_rod", {"time.end=20"}, 40},
    {"Loops", "four_bar", {"time.end=40"}, 400},
    {"EulerParameters",
     "tennis_racket",
     {"time.end=40", "formulation=\"euler-parameters\"", "time.scheme=\"generalized-alpha-1\""},
     400},
    {"BodyOnSO3", "top", {"time.end=100"}, 1000},
    {"RotationsWithEvents", "damaged_chain", {"time.end=20", "formulation=\"rotation\""}, 400},
    {"Axes", "swinging_chain", {"time.end=20"}, 400},
    {"AircraftInAGust", "xhale", {"time.end=4"}, 200},
};

std::string without_wall_time(std::string text) {
  const std::string key = "\"wall_seconds\":";
  for (auto at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    const auto begin = at + key.size();
    text.erase(begin, text.find_first_of(",}\n", begin) - begin);
  }
  return text;
}

class ResumeTest : public ToolTest {
 protected:
  [[nodiscard]] std::vector<std::string> run_of(const Tried& tried, const std::string& folder) const {
    std::vector<std::string> all{"run",   example(tried.file),
                                 "-q",    "--csv",
                                 "-o",    folder,
                                 "--set", "output.checkpoint=\"" + std::to_string(tried.steps) + " steps\""};
    for (const std::string& change : tried.changes) {
      all.emplace_back("--set");
      all.push_back(change);
    }
    return all;
  }
  // Files of a run as they are compared: all bytes but the wall time.
  [[nodiscard]] std::map<std::string, std::string> results(const std::string& folder) const {
    std::map<std::string, std::string> all;
    for (const char* name : {"results.h5", "results.csv", "summary.json", "report.html"})
      all[name] = without_wall_time(file(folder + "/" + name));
    return all;
  }
  void expect_same(const std::map<std::string, std::string>& whole, const std::string& folder) const {
    for (const auto& [name, text] : results(folder)) EXPECT_TRUE(text == whole.at(name)) << name;
  }
  [[nodiscard]] static bool has_checkpoint(const fs::path& folder) { return fs::exists(folder / ".trompo/checkpoint"); }
};

class Killed : public ResumeTest, public testing::WithParamInterface<Tried> {};

// At random instants, once or more in a run: what is there can be read, and what goes on comes to the same bytes.
TEST_P(Killed, LongRunsGoOnToTheSameBytes) {
  const Tried& tried = GetParam();
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(trompo(run_of(tried, "whole")).code, 0);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  const auto whole = results("whole");
  std::mt19937 random(static_cast<unsigned>(std::hash<std::string>()(tried.name)));
  const int kills = std::getenv("TROMPO_SOAK") == nullptr ? 2 : 50;  // of ten models; 50 by `make soak`
  int resumed = 0, anew = 0;
  for (int i = 0; i < kills;) {
    const std::string folder = "killed" + std::to_string(i);
    std::vector<std::string> arguments = run_of(tried, folder);
    for (int in_one = 0; in_one < 4 && i < kills; ++in_one, ++i) {
      Process process = start(arguments);
      std::this_thread::sleep_for(time * std::uniform_real_distribution(0.0, 0.8)(random));
      process.send(in_one % 2 == 0 ? SIGKILL : SIGTERM);
      const int code = process.finish().code;
      EXPECT_TRUE(code == 0 || code == 128 + SIGKILL || code == 130 || code == 128 + SIGTERM) << code;
      for (const char* name : {"results.h5", "results.partial.h5"})
        if (fs::exists(directory() / folder / name)) {
          EXPECT_EQ(sound_results(directory() / folder / name).trouble, "") << name;
        }
      const bool goes_on = has_checkpoint(directory() / folder);
      goes_on ? ++resumed : ++anew;
      arguments = goes_on ? std::vector<std::string>{"run", "--resume", folder, "-q"} : run_of(tried, folder);
    }
    const Outcome outcome = trompo(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    expect_same(whole, folder);
    fs::remove_all(directory() / folder);
    if (HasFailure()) break;
  }
  RecordProperty("resumed", resumed);
  RecordProperty("started_anew", anew);
}

INSTANTIATE_TEST_SUITE_P(Models, Killed, testing::ValuesIn(all_tried), [](const auto& each) { return each.param.name; });

class Resumed : public ResumeTest {
 protected:
  const Tried pendulum{"", "elastic_pendulum", {"time.end=1000"}, 2000};
  // A run killed after its second checkpoint.
  void leave_a_killed_run(const std::string& folder) const {
    std::vector<std::string> arguments = run_of(pendulum, folder);
    arguments.insert(arguments.end(), {"--set", "time.end=1e9"});
    Process process = start(arguments);
    for (int i = 0; i < 20000 && !fs::exists(directory() / folder / ".trompo/checkpoint.before"); ++i)
      std::this_thread::sleep_for(1ms);
    process.send(SIGKILL);
    (void)process.finish();
    ASSERT_TRUE(fs::exists(directory() / folder / ".trompo/checkpoint.before"));
  }
  void flip(const std::string& name, std::size_t at) const {
    std::string bytes = file(name);
    ASSERT_LT(at, bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    write(name, bytes);
  }
};

TEST_F(Resumed, BeyondTheEnd) {
  ASSERT_EQ(trompo(run_of(pendulum, "short")).code, 0);
  Tried longer = pendulum;
  longer.changes = {"time.end=1234.56"};
  ASSERT_EQ(trompo(run_of(longer, "whole")).code, 0);
  const Outcome outcome = trompo({"run", "--resume", "short", "--until", "1234.56", "-q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_same(results("whole"), "short");
  for (const char* until : {"1", "-1", "x"}) EXPECT_EQ(trompo({"run", "--resume", "short", "--until", until}).code, 2) << until;
}

TEST_F(Resumed, AfterEverySignal) {
  Tried endless = pendulum;
  endless.changes = {"time.end=1e9"};
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string folder = "out" + std::to_string(signal);
    Process process = start(run_of(endless, folder));
    for (int i = 0; i < 20000 && !has_checkpoint(directory() / folder); ++i) std::this_thread::sleep_for(1ms);
    process.send(signal);
    const Outcome outcome = process.finish();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_TRUE(says(outcome.err, "to go on: trompo run --resume " + folder));
    EXPECT_EQ(json_of(file(folder + "/summary.json"))["status"], "interrupted");
    const auto samples = sound_results(directory() / folder / "results.h5").times.size();
    const double until = 0.05 * static_cast<double>(samples) + 20;
    Tried whole = pendulum;
    whole.changes = {"time.end=" + std::to_string(until)};
    ASSERT_EQ(trompo(run_of(whole, "whole")).code, 0);
    EXPECT_EQ(trompo({"run", "--resume", folder, "--until", std::to_string(until), "-q"}).code, 0);
    expect_same(results("whole"), folder);
    fs::remove_all(directory() / "whole");
  }
}

// By the default no checkpoint is due in so short a run: interrupted, it goes on from its last barrier or its start.
TEST_F(Resumed, WithoutAskingForCheckpoints) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-q", "-o", "whole"}).code, 0);
  EXPECT_EQ(trompo({"run", "--resume", "whole", "--until", "60", "-q"}).code, 0);
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-q", "-o", "longer", "--set", "time.end=60"}).code, 0);
  for (const char* name : {"results.h5", "summary.json", "report.html"})
    EXPECT_TRUE(without_wall_time(file(std::string("whole/") + name)) == without_wall_time(file(std::string("longer/") + name)))
        << name;
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-q", "-o", "none", "--set", "output.checkpoint=\"never\""}).code, 0);
  EXPECT_FALSE(has_checkpoint(directory() / "none"));
  const Outcome outcome = trompo({"run", "--resume", "none"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_TRUE(says(outcome.err, "it has no checkpoint"));
}

// Any flipped byte of a checkpoint is found; the one before it serves, and where that is damaged too nothing is changed.
TEST_F(Resumed, NotFromADamagedCheckpoint) {
  leave_a_killed_run("out");
  const std::string good = file("out/.trompo/checkpoint");
  std::mt19937 random(7);
  for (int i = 0; i < long_run(200, 10); ++i) {
    flip("out/.trompo/checkpoint", std::uniform_int_distribution<std::size_t>(0, good.size() - 1)(random));
    fs::rename(directory() / "out/.trompo/checkpoint.before", directory() / "before");
    const auto before = contents("out");
    const Outcome outcome = trompo({"run", "--resume", "out"});
    EXPECT_EQ(outcome.code, 6);
    EXPECT_TRUE(says(outcome.err, "out/.trompo/checkpoint: "));
    EXPECT_TRUE(contents("out") == before);
    fs::rename(directory() / "before", directory() / "out/.trompo/checkpoint.before");
    write("out/.trompo/checkpoint", good);
  }
  write("out/.trompo/checkpoint", good.substr(0, good.size() / 2));
  const Outcome outcome = trompo({"run", "--resume", "out", "--until", "1000", "-q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "going on from the checkpoint before"));
  ASSERT_EQ(trompo(run_of(pendulum, "whole")).code, 0);
  expect_same(results("whole"), "out");
}

TEST_F(Resumed, NotWithAnotherModel) {
  write("model.toml", text_of(example("elastic_pendulum")));
  ASSERT_EQ(trompo({"run", "model.toml", "-q"}).code, 0);
  const auto before = contents("model.out");
  write("model.toml", replaced(text_of(example("elastic_pendulum")), "EA = 1e4", "EA = 2e4"));
  Outcome outcome = trompo({"run", "--resume", "model.out", "--until", "60"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(says(outcome.err, "is not the model of the run in 'model.out' any more: bar."));
  EXPECT_TRUE(says(outcome.err, "EA is 20000.0 and was 10000.0"));
  EXPECT_TRUE(contents("model.out") == before);
  fs::remove(directory() / "model.toml");
  EXPECT_EQ(trompo({"run", "--resume", "model.out"}).code, 6);
  write("moved.toml", text_of(example("elastic_pendulum")));
  outcome = trompo({"run", "moved.toml", "--resume", "model.out", "-q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  fs::remove(directory() / "model.out/results.h5");
  EXPECT_EQ(trompo({"run", "moved.toml", "--resume", "model.out", "-q"}).code, 0);  // from the start: no samples are needed
}

TEST_F(Resumed, NotWithoutItsSamples) {
  leave_a_killed_run("out");
  fs::remove(directory() / "out/results.partial.h5");
  Outcome outcome = trompo({"run", "--resume", "out"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_TRUE(says(outcome.err, "no results of the run that the checkpoint belongs to"));
  outcome = trompo({"run", "--resume", "nowhere"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_FALSE(fs::exists(directory() / "nowhere"));
}

// A checkpoint that cannot be written ends no run: a directory stands in its place.
TEST_F(Resumed, WhatCannotBeKeptEndsNoRun) {
  fs::create_directories(directory() / "out/.trompo/checkpoint.new/in the way");
  std::vector<std::string> arguments = run_of(pendulum, "out");
  const Outcome outcome = trompo(arguments);
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.err, "cannot be resumed"));
  EXPECT_EQ(json_of(file("out/summary.json"))["status"], "done");
}

// A folder, and a file where a folder should be, that cannot be written; and a disk that fills up later.
TEST_F(Resumed, FromADiskThatIsFull) {
  leave_a_killed_run("out");
  const std::string rows = file("out/results.partial.h5"), checkpoint = file("out/.trompo/checkpoint");
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit limit{rlim_t(100'000), old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  Process process = start({"run", "--resume", "out", "--until", "1000", "-q"});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  const Outcome full = process.finish();
  EXPECT_EQ(full.code, 6) << full.err;
  EXPECT_TRUE(says(full.err, "File too large"));
  const Outcome outcome = trompo({"run", "--resume", "out", "--until", "1000", "-q"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  ASSERT_EQ(trompo(run_of(pendulum, "whole")).code, 0);
  expect_same(results("whole"), "out");
}

// ---- --from ----

class From : public ResumeTest {};

TEST_F(From, ASampleStartsAnotherSchemeAndGoesOnAlike) {
  const std::string model = example("swinging_chain");
  ASSERT_EQ(trompo({"run", model, "-q", "-o", "first", "--set", "time.end=2"}).code, 0);
  const Outcome outcome = trompo({"run", model, "-q", "-o", "second", "--from", "first@1", "--set", "time.end=1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.err, "not carried over: time"));
  const auto end = [this](const std::string& folder) { return json_of(file(folder + "/summary.json"))["final"]; };
  const auto a = end("first"), b = end("second");
  for (const auto& [name, item] : a.items())
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(item["position"][i].get<double>(), b[name]["position"][i].get<double>(), 1e-7) << name;
  EXPECT_EQ(
      trompo({"run", model, "-q", "-o", "third", "--from", "first/results.h5@1", "--set", "time.scheme=\"trapezoidal\""}).code,
      0);
}

// A run that began in a sample is resumed and run again from that state, whatever has become of the sample.
TEST_F(From, IsResumedToTheSameBytes) {
  const std::string model = example("elastic_pendulum");
  ASSERT_EQ(trompo({"run", model, "-q", "-o", "first"}).code, 0);
  std::vector<std::string> arguments{"run",       model, "-q",    "--csv", "--from",
                                     "first@7.5", "-o",  "whole", "--set", "time.end=200"};
  ASSERT_EQ(trompo(arguments).code, 0);
  arguments[7] = "short";
  arguments.back() = "time.end=20";
  ASSERT_EQ(trompo(arguments).code, 0);
  fs::remove_all(directory() / "first");
  EXPECT_EQ(trompo({"run", "--resume", "short", "--until", "200", "-q"}).code, 0);
  expect_same(results("whole"), "short");
  const Outcome again = trompo({"rerun", "whole"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(says(again.out, "the same: "));
}

// Schemes over the interval leave velocities open to the constraints by the second order of the step. An event lets the joint
// go.
TEST_F(From, AJointedBodyGoesOnAndWhatLetsGoIsResumed) {
  write("jump.toml", R"toml(gravity = [0, 0, -9.81]
[[body]]
name = "bob"
mass = 2
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0]
[[joint]]
name = "pivot"
bodies = ["ground", "bob"]
hinge = { axis = [0, 1, 0], at = [0, 0, 0] }
[[event]]
at = 0.5
set = { joint = "pivot", release = true }
[time]
step = 0.01
end = 1.2
scheme = "energy-momentum-exact"
[output]
checkpoint = "20 steps"
)toml");
  ASSERT_EQ(trompo({"run", "jump.toml", "-q", "-o", "first"}).code, 0);
  const auto summary = json_of(file("first/summary.json"));
  ASSERT_EQ(trompo({"run", "--resume", "first", "--until", "2", "-q"}).code, 0);
  const Outcome again = trompo({"rerun", "first"});
  EXPECT_EQ(again.code, 0) << again.out;
  const ResultsFile first((directory() / "first/results.h5").string());
  EXPECT_EQ(first.read("/constraints/largest_error").back(), 0);

  write("earlier.toml", replaced(replaced(file("jump.toml"), "at = 0.5", "at = 0.2"), "end = 1.2", "end = 0.9"));
  const Outcome from = trompo({"run", "earlier.toml", "-q", "-o", "second", "--from", "first@0.3"});
  ASSERT_EQ(from.code, 0) << from.err;
  const auto there = json_of(file("second/summary.json"))["final"]["bob"]["position"],
             here = summary["final"]["bob"]["position"];
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(there[i].get<double>(), here[i].get<double>(), 1e-3);
}

TEST_F(From, NamesNeighboursAndWhatIsMissing) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-q", "-o", "first"}).code, 0);
  const auto from = [this](const std::string& sample, const std::string& model) {
    return trompo({"run", example(model), "-q", "-o", "second", "--from", sample});
  };
  Outcome outcome = from("first@0.07", "elastic_pendulum");
  EXPECT_EQ(outcome.code, 6);
  EXPECT_TRUE(says(outcome.err, "its neighbours are at 0.05 and 0.1 s"));
  EXPECT_TRUE(says(from("first@99", "elastic_pendulum").err, "the last is at 30 s"));
  for (const char* sample : {"first", "first@", "first@x", "@"}) EXPECT_EQ(from(sample, "elastic_pendulum").code, 2) << sample;
  EXPECT_EQ(from("nowhere@1", "elastic_pendulum").code, 6);
  EXPECT_FALSE(fs::exists(directory() / "second"));
  outcome = from("first@1", "duffing");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.err, "coordinates 'u' of the model: not in the results"));
}

// ---- info, diff, rerun ----

class Compared : public ResumeTest {};

TEST_F(Compared, AreTheSameOrPart) {
  const std::string model = example("elastic_pendulum");
  for (const char* folder : {"a", "b"}) ASSERT_EQ(trompo({"run", model, "-q", "-o", folder}).code, 0);
  ASSERT_EQ(trompo({"run", model, "-q", "-o", "c", "--set", "bar.rod.EA=1.000001e4"}).code, 0);
  ASSERT_EQ(trompo({"run", model, "-q", "-o", "d", "--set", "time.end=29"}).code, 0);
  Outcome outcome = trompo({"diff", "a", "b/results.h5"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(says(outcome.out, "the same: 601 samples"));
  outcome = trompo({"diff", "a", "c"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_TRUE(says(outcome.out, "/nodes/position"));
  EXPECT_TRUE(says(outcome.out, "they part at 0"));
  outcome = trompo({"diff", "a", "c", "--relative", "1e-2", "--absolute", "1e-6"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(says(outcome.out, "within the tolerances"));
  outcome = trompo({"diff", "a", "d"});
  EXPECT_EQ(outcome.code, 5);
  EXPECT_TRUE(says(outcome.out, "samples: 601 in the first, 581 in the second"));
  const auto json = json_of(trompo({"diff", "a", "c", "--json"}).out);
  EXPECT_EQ(json["same"], false);
  EXPECT_FALSE(json["channels"].empty());
  EXPECT_EQ(trompo({"diff", "a", "nowhere"}).code, 6);
  EXPECT_EQ(trompo({"diff", "a"}).code, 2);
}

TEST_F(Compared, AreRunAgain) {
  write("model.toml", text_of(example("elastic_pendulum")));
  ASSERT_EQ(trompo({"run", "model.toml", "-q", "--set", "time.end=5"}).code, 0);
  Outcome outcome = trompo({"rerun", "model.out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "the same: 101 samples"));
  EXPECT_TRUE(file("model.out/results.h5") == file("model.out.rerun/results.h5"));
  write("model.toml", replaced(text_of(example("elastic_pendulum")), "EA = 1e4", "EA = 2e4"));
  outcome = trompo({"rerun", "model.out"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(says(outcome.err, "EA is 20000.0 and was 10000.0"));
}

TEST_F(Compared, SayWhatTheyAre) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-q", "-o", "out", "--set", "time.end=200"}).code, 0);
  Outcome outcome = trompo({"info", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* part : {"out/results.h5: Elastic pendulum", "scheme      energy-momentum-exact", "status      done",
                           "step 4000, t [s] = 200 of 200; 4001 samples", "trompo run --resume out (from t = 150 s)"})
    EXPECT_TRUE(says(outcome.out, part));
  outcome = trompo({"info", "out/results.h5", "--json"});
  EXPECT_EQ(json_of(outcome.out)["samples"], 4001);
  EXPECT_EQ(json_of(outcome.out)["resume"], nullptr);
  EXPECT_EQ(json_of(trompo({"info", "out", "--json"}).out)["resume"]["time"], 150);
  fs::remove(directory() / "out/.trompo/checkpoint");
  EXPECT_TRUE(says(trompo({"info", "out"}).out, "it has no checkpoint"));
  write("out/results.h5", "damaged");
  EXPECT_EQ(trompo({"info", "out"}).code, 6);
}

}  // namespace apps_resume
}  // namespace trompo::test
