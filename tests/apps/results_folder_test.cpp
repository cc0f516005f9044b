// The folder of results: what a run may replace in it, who may write there, and what is left of a run that was killed.
#include <sys/stat.h>

#include <random>

#include "tests/apps/tool.hpp"
#include "tests/long_run.hpp"
#include "tests/results_checks.hpp"
#include "trompo/output/page.hpp"

namespace trompo::test {
namespace apps_results_folder {

class Folder : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    write("model.toml", text_of(example("elastic_pendulum")));
    write("other.toml", text_of(example("duffing")));
  }
  [[nodiscard]] Outcome run(const std::vector<std::string>& more) const {
    std::vector<std::string> all{"run", "model.toml", "-q"};
    all.insert(all.end(), more.begin(), more.end());
    return trompo(all);
  }
  // Without a word to the user nothing is done, and nothing is different.
  void refused(const std::vector<std::string>& more, const std::string& folder, const std::vector<std::string>& parts) const {
    const auto before = contents(folder);
    const auto names = listing();
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.code, 6) << outcome.err;
    for (const std::string& part : parts) EXPECT_TRUE(says(outcome.err, part));
    EXPECT_TRUE(contents(folder) == before);
    EXPECT_EQ(listing(), names);
  }
  void wait_for(const std::string& name) const {
    for (int i = 0; i < 20000 && !fs::exists(directory() / name); ++i) std::this_thread::sleep_for(1ms);
    EXPECT_TRUE(fs::exists(directory() / name)) << name;
  }
  static inline const std::vector<std::string> endless{"run", "model.toml", "-q", "--set", "time.end=1e9", "-o", "out"};
};

TEST_F(Folder, FilesOfTheUserAreNotTouched) {
  for (const char* name :
       {"summary.json", "results.csv", "report.html", "results.h5", "results.partial.h5", "summary.json.1"}) {
    SCOPED_TRACE(name);
    write(name, "mine");
    refused({"-o", "."}, ".", {name, "was not written by trompo", "-o"});
    EXPECT_EQ(file(name), "mine");
    fs::remove(directory() / name);
  }
}

TEST_F(Folder, AModelIsNotItsOwnResults) {
  for (const char* name : {"results.csv", "summary.json", "report.html"}) {
    fs::rename(directory() / "model.toml", directory() / name);
    EXPECT_EQ(trompo({"run", name, "--csv", "-o", "."}).code, 6);
    EXPECT_EQ(file(name), text_of(example("elastic_pendulum")));
    fs::rename(directory() / name, directory() / "model.toml");
  }
}

TEST_F(Folder, WhatTheUserHasChangedIsTheUsers) {
  ASSERT_EQ(run({}).code, 0);
  write("model.out/summary.json", "my notes on this run");
  refused({}, "model.out", {"model.out/summary.json", "changed since"});
  refused({"--force"}, "model.out", {"model.out/summary.json", "changed since"});
}

TEST_F(Folder, OnlyRegularFilesAreReplaced) {
  fs::create_directory(directory() / "out");
  write("precious", "mine");
  for (const char* name : {"results.h5", "summary.json", "report.html", "results.partial.h5", "results.h5.1"}) {
    SCOPED_TRACE(name);
    const fs::path path = directory() / "out" / name;
    fs::create_symlink("../precious", path);
    refused({"-o", "out"}, "out", {name, "a link"});
    fs::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    refused({"-o", "out"}, "out", {name, "a FIFO"});
    fs::remove(path);
    fs::create_directory(path);
    refused({"-o", "out"}, "out", {name, "a directory"});
    fs::remove(path);
  }
  fs::create_directory(directory() / "elsewhere");
  fs::create_directory_symlink("../elsewhere", directory() / "out/.trompo");
  refused({"-o", "out"}, "out", {".trompo"});
  EXPECT_TRUE(fs::is_empty(directory() / "elsewhere"));
  EXPECT_EQ(file("precious"), "mine");
}

// --svg, --html: a name that the user gives is replaced, unless it is no file.
TEST_F(Folder, ADeviceIsNotReplacedByAPicture) {
  fs::create_symlink("model.toml", directory() / "picture.svg");
  const Outcome outcome = trompo({"spectrum", "--scheme", "gem", "--svg", "picture.svg"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_TRUE(says(outcome.err, "picture.svg: is a link"));
  EXPECT_TRUE(fs::is_symlink(directory() / "picture.svg"));
}

TEST_F(Folder, AModelIsNotReplacedByItsPicture) {
  const std::string model = file("model.toml");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"compare", "model.toml", "--svg", "./model.toml"},
                                                    {"compare", "model.toml", "--html", "model.toml"},
                                                    {"check", "model.toml", "--html", "model.toml"}}) {
    EXPECT_EQ(trompo(arguments).code, 6);
    EXPECT_EQ(file("model.toml"), model);
  }
}

TEST_F(Folder, ResultsOfAnotherModelNeedForce) {
  ASSERT_EQ(run({"-o", "out", "--csv"}).code, 0);
  const auto before = contents("out");
  for (const char* command : {"run", "modes"}) {
    const Outcome outcome = trompo({command, "other.toml", "-o", "out"});
    EXPECT_EQ(outcome.code, 6) << command;
    EXPECT_TRUE(says(outcome.err, "another model"));
    EXPECT_TRUE(says(outcome.err, "model.toml"));
    EXPECT_TRUE(says(outcome.err, "--force"));
    EXPECT_TRUE(contents("out") == before);
  }
  ASSERT_EQ(trompo({"run", "other.toml", "-o", "out", "--force", "-q"}).code, 0);
  EXPECT_EQ(json_of(file("out/summary.json"))["model"]["file"], "other.toml");
  for (const auto& [name, bytes] : before) EXPECT_TRUE(file("out/" + name + ".1") == bytes) << name;
  EXPECT_FALSE(fs::exists(directory() / "out/results.csv"));
}

// A start that does not fit, no equilibrium: found when the folder is already locked.
TEST_F(Folder, AModelThatCannotStartLeavesTheOldResults) {
  const std::string body = "[[body]]\nname = \"a\"\nmass = 1\nshape = { box = [1, 1, 1] }\n";
  const std::string joint = "[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"a\"]\nball = { at = [1, 0, 0] }\n";
  const std::string time = "[time]\nstep = 0.01\nend = 0.1\nscheme = \"energy-momentum-exact\"\n";
  const std::string bad[] = {body + "velocity = [0, 1, 0]\n" + joint + time,
                             "gravity = [0, 0, -9.81]\n" + body + time + "initial_state = \"equilibrium\"\n"};
  for (const std::string& text : bad) {
    write("start.toml", text);
    EXPECT_EQ(trompo({"run", "start.toml", "-o", "fresh"}).code, 3);
    EXPECT_FALSE(fs::exists(directory() / "fresh"));
    write("start.toml", body + joint + time);
    ASSERT_EQ(trompo({"run", "start.toml", "--csv", "-q"}).code, 0);
    const auto before = contents("start.out");
    write("start.toml", text);
    EXPECT_EQ(trompo({"run", "start.toml", "--csv"}).code, 3);
    EXPECT_TRUE(contents("start.out") == before);
  }
}

TEST_F(Folder, OneRunAtATime) {
  Process first = start(endless);
  wait_for("out/results.partial.h5");
  fs::create_directory(directory() / "capture");
  for (const char* command : {"run", "modes"}) {
    const Outcome second = Process({command, "model.toml", "-o", "out"}, directory(), directory() / "capture").finish();
    EXPECT_EQ(second.code, 6) << command;
    for (const char* part : {"a run is writing here", "process ", "since 2", "model.toml", "-o"})
      EXPECT_TRUE(says(second.err, part)) << command;
  }
  first.send(SIGTERM);
  EXPECT_EQ(first.finish().code, 130);
  EXPECT_EQ(sound_results(directory() / "out/results.h5").trouble, "");
}

// Two that were to run at once and did one after the other, as they may on a busy machine, show nothing: once more, and longer.
TEST_F(Folder, LongTwoAtOnceOneFinishesOneIsRefused) {
  const int times = long_run(50, 3);
  fs::create_directory(directory() / "capture");
  for (int i = 0; i < times; ++i) {
    const std::string folder = "out" + std::to_string(i);
    std::set<int> codes;
    std::size_t end = 20000;
    for (int longer = 0; longer < 4; ++longer, end *= 3) {
      fs::remove_all(directory() / folder);
      const std::vector<std::string> arguments{
          "run",   "model.toml",      "-q", "--no-report", "--set", "time.end=" + std::to_string(end),
          "--set", "output.every=10", "-o", folder};
      Process one = start(arguments), two(arguments, directory(), directory() / "capture");
      codes = {one.finish().code, two.finish().code};
      if (codes != std::set{0}) break;
    }
    EXPECT_EQ(codes, std::set({0, 6}));
    EXPECT_EQ(sound_results(directory() / folder / "results.h5").times.size(), 2 * end + 1);
    EXPECT_EQ(json_of(file(folder + "/summary.json"))["status"], "done");
    EXPECT_EQ(contents(folder).size(), 2U);
    fs::remove_all(directory() / folder);
  }
}

// Whoever holds the files open, or locks them as HDF5 does, costs the run nothing and sees a whole file.
TEST_F(Folder, ReadersAndTheRunDoNotMeet) {
  ASSERT_EQ(run({"-o", "out"}).code, 0);
  const hid_t held = H5Fopen((directory() / "out/results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(held, 0);
  Process process = start(endless);
  wait_for("out/results.partial.h5");
  const hid_t partial = H5Fopen((directory() / "out/results.partial.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_GE(partial, 0);
  std::size_t rows = 0;
  for (int i = 0; i < 30; ++i) {
    const SoundResults found = sound_results(directory() / "out/results.partial.h5");
    EXPECT_EQ(found.trouble, "");
    EXPECT_GE(found.times.size(), rows);
    rows = found.times.size();
    std::this_thread::sleep_for(40ms);
  }
  EXPECT_GT(rows, 100U);
  process.send(SIGINT);
  EXPECT_EQ(process.finish().code, 130);
  H5Fclose(partial);
  H5Fclose(held);
  EXPECT_GT(sound_results(directory() / "out/results.h5").times.size(), rows);
  EXPECT_FALSE(fs::exists(directory() / "out/results.partial.h5"));
}

// What is recorded does not depend on when copies for readers were made.
TEST_F(Folder, PartialFilesDoNotChangeTheResults) {
  for (const char* folder : {"one", "two"}) ASSERT_EQ(run({"--set", "time.end=3e4", "--no-report", "-o", folder}).code, 0);
  EXPECT_TRUE(file("one/results.h5") == file("two/results.h5"));
}

TEST_F(Folder, WhatAKilledRunHadIsKept) {
  ASSERT_EQ(run({"-o", "out"}).code, 0);
  const auto before = contents("out");
  Process process = start(endless);
  wait_for("out/results.partial.h5");
  process.send(SIGKILL);
  EXPECT_EQ(process.finish().code, 128 + SIGKILL);
  for (const auto& [name, bytes] : before) EXPECT_TRUE(file("out/" + name) == bytes) << name;
  const std::string partial = file("out/results.partial.h5");
  EXPECT_EQ(sound_results(directory() / "out/results.partial.h5").trouble, "");
  ASSERT_EQ(run({"-o", "out"}).code, 0);
  EXPECT_TRUE(file("out/results.partial.h5.1") == partial);
  EXPECT_FALSE(fs::exists(directory() / "out/results.partial.h5"));
  EXPECT_EQ(listing().count("out/.trompo/results.h5"), 0U);
}

// A terminal that is closed ends a run, unless it was started to outlive it.
TEST_F(Folder, NohupIsHeard) {
  const std::string command = "cd '" + directory().string() + "' && trap '' HUP && exec '" + places::tool() +
                              "' run model.toml -q --no-report --set time.end=2e4 --set output.every=10 -o out";
  std::FILE* shell = ::popen(command.c_str(), "r");
  ASSERT_NE(shell, nullptr);
  wait_for("out/results.partial.h5");
  int process = 0;
  ASSERT_EQ(std::sscanf(file("out/.trompo/lock").c_str(), "process %d,", &process), 1);
  EXPECT_EQ(::kill(process, SIGHUP), 0);
  EXPECT_EQ(::pclose(shell), 0);
  EXPECT_EQ(json_of(file("out/summary.json"))["status"], "done");
}

// Kills at random instants: within the first 50 ms, when files are made, while a run goes its way, and where results are put in
// place. Whatever is there can be read, and results.h5 is that of a run that ended.
TEST_F(Folder, LongKillsLeaveEveryFileSound) {
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_EQ(run({"-o", "out", "--csv"}).code, 0);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  const std::string first = file("out/results.h5");
  std::mt19937 random(20261118);
  const int kills = long_run(1000, 24);
  int finished = 0, early = 0, partial = 0;
  fs::file_time_type last_partial;
  for (int i = 0; i < kills; ++i) {
    const bool ends = i % 3 == 0;
    const double most = ends ? 1.3 * whole.count() : i % 3 == 1 ? 0.05 : 0.3;
    const std::chrono::duration<double> wait(std::uniform_real_distribution(0.0, most)(random));
    Process process = start({"run", "model.toml", "-q", "--csv", "--set", ends ? "time.end=30" : "time.end=1e9", "-o", "out"});
    std::this_thread::sleep_for(wait);
    process.send(SIGKILL);
    finished += process.finish().code == 0;
    early += wait.count() < 0.05;
    double end = 0;
    for (const auto& entry : fs::directory_iterator(directory() / "out")) {
      const std::string name = entry.path().filename().string();
      if (name.find(".h5") == std::string::npos) continue;
      const SoundResults found = sound_results(entry.path());
      EXPECT_EQ(found.trouble, "") << name << " after kill " << i;
      if (name == "results.h5" && !found.times.empty()) end = found.times.back();
      if (name != "results.partial.h5") continue;
      const auto before = std::exchange(last_partial, entry.last_write_time());
      partial += before != last_partial;  // not one that an earlier kill has left
    }
    EXPECT_EQ(end, 30) << "after kill " << i;
    for (const std::string name : {"summary.json", "summary.json.1"})
      if (fs::exists(directory() / "out" / name)) {
        EXPECT_EQ(json_of(file("out/" + name))["status"], "done");
      }
    if (HasFailure()) break;
  }
  RecordProperty("finished", finished);
  RecordProperty("within_50_ms", early);
  RecordProperty("left_a_partial_file", partial);
  EXPECT_GT(partial, 0);
  ASSERT_EQ(run({"-o", "out", "--csv"}).code, 0);
  EXPECT_TRUE(file("out/results.h5") == first);
}

}  // namespace apps_results_folder
}  // namespace trompo::test
