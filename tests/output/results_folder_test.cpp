#include "trompo/output/results_folder.hpp"

#include "tests/output/recording.hpp"
#include "trompo/output/files.hpp"

namespace trompo::test {
namespace output_results_folder {

namespace fs = std::filesystem;

void draft(const ResultsFolder& folder, const std::string& name, const std::string& text) {
  write_text_file(folder.drafts() + "/" + name, text);
}

std::string refusal(const std::string& directory, const std::string& model, bool force = false) {
  try {
    const ResultsFolder folder({directory, model, force});
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(ResultsFolder, IsLeftAsItWasFoundIfNothingIsPutThere) {
  const Directory directory;
  { const ResultsFolder folder({directory / "new", "model.toml"}); }
  EXPECT_FALSE(fs::exists(directory / "new"));
  fs::create_directory(directory / "old");
  { const ResultsFolder folder({directory / "old", "model.toml"}); }
  EXPECT_TRUE(fs::is_empty(directory / "old"));
}

TEST(ResultsFolder, IsLockedWhileItLives) {
  const Directory directory;
  const std::string path = directory / "out";
  EXPECT_FALSE(run_under_way(path));
  {
    const ResultsFolder folder({path, "model.toml"});
    EXPECT_TRUE(run_under_way(path));
    EXPECT_NE(refusal(path, "model.toml").find("a run is writing here: process"), std::string::npos);
  }
  EXPECT_FALSE(run_under_way(path));
  EXPECT_EQ(refusal(path, "model.toml"), "");
}

TEST(ResultsFolder, KeepsOneGeneration) {
  const Directory directory;
  const std::string path = directory / "out";
  const auto run = [&](const std::string& text, bool csv) {
    ResultsFolder folder({path, "model.toml"});
    draft(folder, "results.partial.h5", text + " so far");
    folder.put_partial();
    EXPECT_EQ(read_text(path + "/results.partial.h5"), text + " so far");
    draft(folder, "results.h5", text);
    draft(folder, "summary.json", text);
    if (csv) draft(folder, "results.csv", text);
    folder.publish();
  };
  run("one", true);
  run("two", false);
  EXPECT_EQ(read_text(path + "/results.h5") + read_text(path + "/results.h5.1"), "twoone");
  EXPECT_FALSE(fs::exists(path + "/results.csv"));
  EXPECT_EQ(read_text(path + "/results.csv.1"), "one");
  run("three", false);
  EXPECT_EQ(read_text(path + "/summary.json") + read_text(path + "/summary.json.1"), "threetwo");
  EXPECT_FALSE(fs::exists(path + "/results.csv.1"));
  EXPECT_FALSE(fs::exists(path + "/results.partial.h5"));
}

// A file that somebody saves there during the run is not lost, and neither is the run.
TEST(ResultsFolder, WhatAppearsDuringTheRunIsNotReplaced) {
  const Directory directory;
  const std::string path = directory / "out";
  {
    ResultsFolder folder({path, "model.toml"});
    draft(folder, "results.h5", "ours");
    draft(folder, "summary.json", "ours");
    std::ofstream(path + "/summary.json") << "mine";
    EXPECT_THROW(folder.publish(), FileError);
  }
  EXPECT_EQ(read_text(path + "/summary.json"), "mine");
  EXPECT_EQ(read_text(path + "/results.partial.h5"), "ours");
}

// A kill between any two of the steps by which results are put in place: who comes next finishes them.
TEST(ResultsFolder, FinishesWhatAKillHasInterrupted) {
  for (int done = 0; done <= 5; ++done) {
    SCOPED_TRACE(done);
    const Directory directory;
    const std::string path = directory / "out", hidden = hidden_folder(path);
    {
      ResultsFolder folder({path, "model.toml"});
      for (const char* name : {"results.h5", "results.csv", "summary.json"}) draft(folder, name, "one");
      folder.publish();
    }
    FolderRecord record = read_record(hidden);
    ASSERT_EQ(record.files.size(), 3U);
    for (const std::string name : {"results.h5", "summary.json"}) {
      write_text_file(hidden + "/" + name, "second");
      record.files.push_back({name, record.files.front().model, *mark_of(hidden + "/" + name)});
    }
    record.incoming = {"results.h5", "summary.json"};
    record.outgoing = {"results.h5", "results.csv", "summary.json"};
    write_record(record, hidden);
    const auto in = [&path](const std::string& name) { return path + "/" + name; };
    if (done > 0) fs::create_hard_link(in("results.h5"), in("results.h5.1"));
    if (done > 1) fs::rename(hidden + "/results.h5", in("results.h5"));
    if (done > 2) fs::rename(in("results.csv"), in("results.csv.1"));
    if (done > 3) fs::create_hard_link(in("summary.json"), in("summary.json.1"));
    if (done > 4) fs::rename(hidden + "/summary.json", in("summary.json"));

    EXPECT_EQ(refusal(path, "model.toml"), "");
    for (const char* name : {"results.h5", "summary.json"}) EXPECT_EQ(read_text(in(name)), "second") << name;
    for (const char* name : {"results.h5.1", "results.csv.1", "summary.json.1"}) EXPECT_EQ(read_text(in(name)), "one") << name;
    EXPECT_FALSE(fs::exists(in("results.csv")));
    EXPECT_TRUE(read_record(hidden).incoming.empty());
  }
}

TEST(FolderRecord, TakesNoPathsFromAFile) {
  const Directory directory;
  fs::create_directories(hidden_folder(directory.path()));
  for (const std::string text : {"", "[]", "{\"format\":1}", "{\"format\":\"trompo folder\",\"files\":[{\"name\":3}]}"}) {
    write_text_file(hidden_folder(directory.path()) + "/record.json", text);
    EXPECT_TRUE(read_record(hidden_folder(directory.path())).files.empty()) << text;
  }
  write_record({{}, {"../../etc/passwd", "results.h5"}, {"/etc/passwd"}}, hidden_folder(directory.path()));
  const FolderRecord record = read_record(hidden_folder(directory.path()));
  EXPECT_EQ(record.incoming, std::vector<std::string>{"results.h5"});
  EXPECT_TRUE(record.outgoing.empty());
}

TEST(ResultsFolder, AnyNameOfAModelIsItsOwn) {
  const Directory directory;
  const std::string path = directory / "out", model = directory / "m\xff\xfe\n.toml";
  for (int i = 0; i < 2; ++i) {
    ResultsFolder folder({path, model});
    draft(folder, "summary.json", "ours");
    folder.publish();
  }
  EXPECT_TRUE(fs::exists(path + "/summary.json.1"));
  EXPECT_NE(refusal(path, directory / "n.toml").find("another model"), std::string::npos);
  EXPECT_EQ(refusal(path, directory / "n.toml", true), "");
}

}  // namespace output_results_folder
}  // namespace trompo::test
