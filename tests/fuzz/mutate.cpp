// Mutated models, many in one process:  trompo_mutate check|run|print FIRST COUNT FOLDER...
// Seeds are FIRST, FIRST + 1 and so on; a finding prints its seed, with which it is seen again and printed. Built with
// sanitizers it looks at memory too. Ends with 1 where there was a finding.
#include <fmt/format.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "tests/fuzz/mutation.hpp"
#include "tests/fuzz/trial.hpp"

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace trompo {

namespace {

constexpr int patience = 10;  // seconds of computing, however busy the machine is

volatile std::uint64_t seed_under_way = 0;  // for who cannot be asked any more

void say(std::string_view what) {
  char text[96];
  const auto end = fmt::format_to_n(text, sizeof text, "seed {}: {}\n", seed_under_way, what).out;
  (void)!::write(STDERR_FILENO, text, static_cast<std::size_t>(end - text));
}
void say_dying() { say("crashed"); }
void say_crashed(int) {
  say("crashed");
  ::_exit(1);
}
void say_hanging(int) {
  say("takes more than 10 s");
  ::_exit(1);
}

void watch() {
  std::signal(SIGPROF, say_hanging);
  if (__sanitizer_set_death_callback != nullptr)
    __sanitizer_set_death_callback(say_dying);
  else
    for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGILL, SIGBUS}) std::signal(signal, say_crashed);
}
void wind_up(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

std::vector<std::string> models_in(std::span<char*> folders) {
  std::vector<std::filesystem::path> paths;
  for (const char* folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".toml") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end(), [](const auto& a, const auto& b) { return a.filename() < b.filename(); });
  std::vector<std::string> models;
  for (const auto& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (try_check(text, {}) == Answer::valid) models.push_back(std::move(text));
  }
  return models;
}

int mutate(std::string_view mode, std::uint64_t first, std::uint64_t count, std::span<char*> folders) {
  const std::vector<std::string> models = models_in(folders);
  if (models.empty()) {
    fmt::print(stderr, "no valid model in these folders\n");
    return 2;
  }
  watch();
  std::map<std::string_view, long> answers;
  long findings = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    seed_under_way = seed;
    Draw draw(seed);
    const std::string text = mutated(models, draw);
    if (mode == "print") {
      fmt::print("{}\n", text);
      continue;
    }
    wind_up(patience);
    try {
      ++answers[word(mode == "run" ? try_run(text) : try_check(text))];
    } catch (const std::exception& finding) {
      ++findings;
      fmt::print(stderr, "seed {}: {}\n", seed, finding.what());
    }
  }
  wind_up(0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (mode == "print") return 0;
  fmt::print("{} of {} models, seeds from {}, in {:.1f} s:", mode, count, first, seconds);
  for (const auto& [answer, times] : answers) fmt::print(" {} {},", times, answer);
  fmt::print(" {} findings\n", findings);
  return findings == 0 ? 0 : 1;
}

}  // namespace

}  // namespace trompo

int main(int count, char** words) {
  const std::string_view mode = count > 4 ? words[1] : "";
  if (mode != "check" && mode != "run" && mode != "print") {
    fmt::print(stderr, "usage: trompo_mutate check|run|print FIRST COUNT FOLDER...\n");
    return 2;
  }
  return trompo::mutate(mode, std::strtoull(words[2], nullptr, 10), std::strtoull(words[3], nullptr, 10),
                        {words + 4, static_cast<std::size_t>(count - 4)});
}
