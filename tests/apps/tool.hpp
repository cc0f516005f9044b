// The tool as a user meets it: started in an empty directory, with what it prints, its exit code and what it leaves behind.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/places.hpp"

namespace trompo::test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

inline std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

inline void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

inline testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected: " << part << "\n  in: " << text;
}

inline nlohmann::json json_of(const std::string& text) {
  auto parsed = nlohmann::json::parse(text, nullptr, false);
  EXPECT_FALSE(parsed.is_discarded()) << "no JSON: " << text;
  return parsed;
}

struct Outcome {
  int code = -1;  // of the shell: 128 + signal if one ended it
  std::string out, err;
  long memory = 0;  // resident at most, kB
};

// Where standard output and standard error go: a file, or nowhere, since the stream is closed.
struct Streams {
  std::optional<std::string> out, err;
};

// A running tool. It is ended after a minute at the latest.
class Process {
 public:
  Process(const std::vector<std::string>& arguments, const fs::path& directory, const fs::path& capture)
      : Process(arguments, directory, capture, {(capture / "out").string(), (capture / "err").string()}) {}
  Process(const std::vector<std::string>& arguments, const fs::path& directory, const fs::path& capture, const Streams& streams)
      : capture_(capture) {
    std::vector<std::string> words{places::tool()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    for (const auto& [stream, path] : {std::pair{1, &streams.out}, std::pair{2, &streams.err}}) {
      if (*path)
        posix_spawn_file_actions_addopen(&actions, stream, (*path)->c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      else
        posix_spawn_file_actions_addclose(&actions, stream);
    }
    posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
    posix_spawnattr_t attributes;  // signals as a shell has them, also where the tests themselves run under nohup
    posix_spawnattr_init(&attributes);
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int trouble = posix_spawn(&pid_, words[0].c_str(), &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (trouble != 0) throw std::runtime_error("cannot start " + words[0]);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (pid_ > 0) (void)finish(0s);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }
  void send(int signal) const { ::kill(pid_, signal); }

  Outcome finish(std::chrono::seconds patience = 60s) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    int status = 0;
    rusage used{};
    while (::wait4(pid_, &status, WNOHANG, &used) == 0) {
      if (std::chrono::steady_clock::now() > deadline) send(SIGKILL);
      std::this_thread::sleep_for(1ms);
    }
    pid_ = 0;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), text_of(capture_ / "out"),
            text_of(capture_ / "err"), used.ru_maxrss};
  }

 private:
  fs::path capture_;
  pid_t pid_ = 0;
};

// Every test has a directory of its own, empty at the start and gone at the end.
class ToolTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "trompo-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    fs::create_directory(directory());
    fs::create_directory(root_ / "capture");
  }
  void TearDown() override { fs::remove_all(root_); }

  [[nodiscard]] fs::path directory() const { return root_ / "work"; }
  [[nodiscard]] Process start(const std::vector<std::string>& arguments) const {
    return {arguments, directory(), root_ / "capture"};
  }
  [[nodiscard]] Process start(const std::vector<std::string>& arguments, const Streams& streams) const {
    return {arguments, directory(), root_ / "capture", streams};
  }
  [[nodiscard]] Outcome trompo(const std::vector<std::string>& arguments) const { return start(arguments).finish(); }
  [[nodiscard]] std::string file(const std::string& name) const { return text_of(directory() / name); }
  void write(const std::string& name, const std::string& text) const { test::write(directory() / name, text); }
  [[nodiscard]] std::set<std::string> listing() const {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(directory()))
      names.insert(fs::relative(entry.path(), directory()).string());
    return names;
  }
  // Every file with its bytes, but for what a run keeps out of sight.
  [[nodiscard]] std::map<std::string, std::string> contents(const std::string& folder) const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(directory() / folder))
      if (entry.is_regular_file()) all[entry.path().filename().string()] = text_of(entry.path());
    return all;
  }
  [[nodiscard]] static std::string example(const std::string& name) { return places::source("examples/" + name + ".toml"); }

 private:
  fs::path root_;
};

}  // namespace trompo::test
