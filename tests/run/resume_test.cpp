// A run that goes on from a barrier comes to the same numbers as one that never ended, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "tests/places.hpp"
#include "trompo/model/checkpoint_rule.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_resume {

// Every number that an observer sees.
class Samples final : public Observer {
 public:
  struct One {
    long step;
    std::vector<double> numbers;
    bool operator==(const One& other) const {
      return step == other.step && numbers.size() == other.numbers.size() &&
             std::memcmp(numbers.data(), other.numbers.data(), numbers.size() * sizeof(double)) == 0;
    }
  };
  void sample(const Sample& now) override {
    One one{now.step, {now.time, now.error_largest, now.error_rate_largest, static_cast<double>(now.iterations)}};
    const auto add = [&one](const VecX& x) { one.numbers.insert(one.numbers.end(), x.begin(), x.end()); };
    for (const VecX* x : {&now.state.q, &now.state.v, &now.acceleration, &now.reaction, &now.multiplier, &now.end_multiplier,
                          &now.constraint_error, &now.error_rate, &now.gradient_point})
      add(*x);
    add(now.momentum.linear), add(now.momentum.angular);
    const Ledger& l = now.ledger;
    for (const double x : {l.kinetic(), l.total(), l.load_work(), l.support_work(), l.heat(), l.numerical(), l.events(),
                           l.uncorrected(), l.worst_uncorrected(), l.residual(), l.worst_residual(), l.scale(), l.turnover()})
      one.numbers.push_back(x);
    one.numbers.insert(one.numbers.end(), now.sensors.begin(), now.sensors.end());
    all.push_back(std::move(one));
  }
  void resume(const Checkpoint& at) override { resumed = at.samples; }
  std::vector<One> all;
  long resumed = 0;
};

struct Done {
  Samples samples;
  RunResult result;
  Checkpoint last;
};

void run_through(const Model& model, const Scheme& scheme, Done& done, const Checkpoint* from = nullptr) {
  const System system(model);
  Observer* observers[] = {&done.samples};
  done.result = run(model, system, scheme, observers, {.keep_going = true, .from = from, .last = &done.last});
}

History all_of(RunResult& result) {
  History history;
  result.memory(Memory(history));
  return history;
}
bool same(const History& a, const History& b) {
  return std::ranges::equal(a.arrays, b.arrays, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.size() == y.second.size() &&
           std::memcmp(x.second.data(), y.second.data(), static_cast<std::size_t>(x.second.size()) * sizeof(double)) == 0;
  });
}

// False where nothing could be compared: a run that ends before its first barrier.
bool comes_to_the_same(const Model& model, const Scheme& scheme) {
  Done whole, rest;
  run_through(model, scheme, whole);
  if (whole.last.steps == 0) return false;
  run_through(model, scheme, rest, &whole.last);
  EXPECT_EQ(rest.samples.resumed, whole.last.samples);
  EXPECT_EQ(static_cast<std::size_t>(rest.samples.resumed) + rest.samples.all.size(), whole.samples.all.size());
  const auto begin = whole.samples.all.begin() + rest.samples.resumed;
  EXPECT_TRUE(std::equal(begin, whole.samples.all.end(), rest.samples.all.begin(), rest.samples.all.end()));
  EXPECT_TRUE(same(all_of(whole.result), all_of(rest.result)));
  EXPECT_EQ(whole.result.warnings.size(), rest.result.warnings.size());
  EXPECT_EQ(whole.result.status, rest.result.status);
  EXPECT_EQ(whole.result.failure.dossier(), rest.result.failure.dossier());
  EXPECT_TRUE(same(whole.last.run, rest.last.run));
  EXPECT_TRUE(same(whole.last.scheme, rest.last.scheme));
  return true;
}

struct Tried {
  const char* file;
  std::vector<std::string> changes;
  bool every_row = false;
};
const std::vector<Tried>& all_tried() {
  static const std::vector<Tried> all{
      {"tests/benchmarks/models/points.toml", {"time.step=0.002", "time.end=0.09"}, true},
      {"tests/benchmarks/models/bodies.toml", {"time.step=0.002", "time.end=0.09"}, true},
      {"tests/benchmarks/models/bodies.toml", {"time.step=0.002", "time.end=0.09", "formulation=\"rotation\""}, true},
      {"tests/benchmarks/models/bodies.toml", {"time.step=0.002", "time.end=0.09", "formulation=\"euler-parameters\""}, true},
      {"tests/benchmarks/models/rods.toml", {"time.step=0.001", "time.end=0.05"}, true},
      {"examples/top.toml", {"time.end=0.9"}, true},
      {"examples/elastic_pendulum.toml", {"time.step=0.2", "time.end=20"}, true},
      {"examples/duffing.toml", {}, true},
      {"examples/damaged_chain.toml", {}, false},
      {"examples/four_bar.toml", {}, false},
      {"examples/slider_crank.toml", {}, false},
      {"examples/xhale.toml", {"time.end=1"}, false},
  };
  return all;
}

class ResumedRun : public testing::TestWithParam<Tried> {};

TEST_P(ResumedRun, ComesToTheSame) {
  const Tried& tried = GetParam();
  std::vector<std::string> changes = tried.changes;
  changes.emplace_back("output.checkpoint=\"20 steps\"");
  const Model model = read_model(places::source(tried.file), changes);
  if (!tried.every_row) {
    EXPECT_TRUE(comes_to_the_same(model, scheme_of(model)));
    return;
  }
  const System system(model);
  int rows = 0;
  for (const Row& row : catalogue()) {
    if (!refusal(row, system).empty()) continue;
    SCOPED_TRACE(std::string(row.name));
    rows += comes_to_the_same(model, make_scheme(row.name)) ? 1 : 0;
  }
  EXPECT_GE(rows, 5);
}

INSTANTIATE_TEST_SUITE_P(Models, ResumedRun, testing::ValuesIn(all_tried()), [](const auto& tried) {
  std::string name = tried.param.file;
  for (const std::string& change : tried.param.changes) name += " " + change;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(ResumedRuns, OfAnotherModelAreRefused) {
  const auto model_of = [](const char* file) {
    return read_model(places::source(file), std::vector<std::string>{"output.checkpoint=\"20 steps\""});
  };
  const Model points = model_of("tests/benchmarks/models/points.toml"), pendulum = model_of("examples/elastic_pendulum.toml");
  Done whole, rest;
  run_through(pendulum, scheme_of(pendulum), whole);
  ASSERT_GT(whole.last.steps, 0);
  EXPECT_THROW(run_through(points, scheme_of(points), rest, &whole.last), std::invalid_argument);
}

TEST(CheckpointRules, AreReadFromTheirWords) {
  EXPECT_EQ(checkpoint_rule("10 min")->seconds, 600);
  EXPECT_EQ(checkpoint_rule("1.5h")->seconds, 5400);
  EXPECT_EQ(checkpoint_rule("30 s")->barrier_steps, 1000);
  EXPECT_EQ(checkpoint_rule("500 steps")->steps, 500);
  EXPECT_EQ(checkpoint_rule("500 steps")->barrier_steps, 500);
  EXPECT_EQ(checkpoint_rule("5000 steps")->barrier_steps, 1000);
  EXPECT_FALSE(checkpoint_rule("never")->wanted);
  for (const char* text : {"", "10", "min", "-1 s", "0 s", "nan s", "inf h", "1e300 h", "1.5 steps", "10 minutes", "never "})
    EXPECT_FALSE(checkpoint_rule(text)) << text;
}

}  // namespace run_resume
}  // namespace trompo
