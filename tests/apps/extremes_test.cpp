// Numbers and sizes beyond reason, as a user of the tool meets them: exit codes, messages, and nothing in results that is no
// number.
#include <sys/stat.h>

#include "tests/apps/tool.hpp"

namespace trompo::test {
namespace apps_extremes {

class Extremes : public ToolTest {};

TEST_F(Extremes, ModelsAreRegularFilesOfSomeSize) {
  ASSERT_EQ(::mkfifo((directory() / "pipe").c_str(), 0600), 0);
  for (const char* file : {"pipe", "/dev/zero"}) {
    const Outcome o = trompo({"check", file});
    EXPECT_EQ(o.code, 6) << file;
    EXPECT_TRUE(says(o.err, "it is no regular file"));
  }
  write("large.toml", "");
  fs::resize_file(directory() / "large.toml", std::uintmax_t{257} << 20);
  const Outcome o = trompo({"check", "large.toml"});
  EXPECT_EQ(o.code, 6);
  EXPECT_TRUE(says(o.err, "it has 257 MB, and a model has at most 256"));
}

TEST_F(Extremes, DeepKeysAreAMessage) {
  std::string key = "a";
  for (int i = 0; i < 40000; ++i) key += ".a";
  write("deep.toml", "\n" + key + " = 1\n");
  const Outcome o = trompo({"check", "deep.toml"});
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(says(o.err, "deep.toml:2: error: the dots of a key nest tables more than 32 deep"));
}

TEST_F(Extremes, RangesAreJudgedBeforeTheRun) {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"bar.rod.EA=1e150", "'EA' of bar 'rod' is 1e+150, but must be between 1e-50 and 1e+50"},
      {"node.bob.mass=1e-310", "'mass' of node 'bob' is 1e-310"},
      {"newton.max_iterations=2147483648", "'max_iterations' in [newton] is 2147483648, but must be between 1 and 10000"}};
  for (const auto& [set, message] : refused) {
    const Outcome o = trompo({"run", "-q", example("elastic_pendulum"), "--set", set});
    EXPECT_EQ(o.code, 3) << set;
    EXPECT_TRUE(says(o.err, message));
  }
  EXPECT_TRUE(listing().empty());
}

TEST_F(Extremes, WhatOverflowsInTheRunIsNotConverged) {
  write("blast.toml",
        "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nmass = 1\n[[load]]\nname = \"l\"\nnode = \"a\"\nforce = "
        "[\"exp(200*t)\", 0, "
        "0]\n[time]\nstep = 0.05\nend = 5\nscheme = \"trapezoidal\"\n");
  const Outcome o = trompo({"run", "--no-report", "--csv", "--json", "blast.toml"});
  EXPECT_EQ(o.code, 4);
  EXPECT_TRUE(says(o.err, "stopped in step"));
  const auto summary = json_of(o.out);
  EXPECT_EQ(summary["status"], "not converged");
  EXPECT_TRUE(summary["energy"]["total"]["max"].is_number()) << summary["energy"].dump();
  for (const char* word : {"nan", "inf"}) EXPECT_EQ(file("blast.out/results.csv").find(word), std::string::npos) << word;
}

}  // namespace apps_extremes
}  // namespace trompo::test
