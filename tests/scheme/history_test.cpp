// A state and the history of its scheme are all that the next step depends on: whoever has both goes on to the same bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace scheme_history {

struct Going {
  const Model& model;
  const System& system;
  Scheme scheme;
  std::unique_ptr<Stepper> stepper = make_stepper(scheme, system, newton_options(model));
  State state = initial_state(model, system);

  void start() {
    const InitialBalance balance = initial_balance(model, system, state);
    stepper->start(state, balance.acceleration, balance.multipliers);
  }
  // False if a step fails.
  [[nodiscard]] bool go(int steps, double h) {
    for (int i = 0; i < steps; ++i)
      if (!stepper->step(state, state.time + h).done()) return false;
    return true;
  }
};

bool same(const VecX& a, const VecX& b) { return a.size() == b.size() && (a.size() == 0 || (a.array() == b.array()).all()); }
bool same(const State& a, const State& b) {
  bool all = a.time == b.time && same(a.q, b.q) && same(a.v, b.v);
  for (std::size_t i = 0; i < a.rotations.size(); ++i)
    all = all && a.rotations[i].orientation.coeffs() == b.rotations[i].orientation.coeffs() &&
          a.rotations[i].angular_velocity == b.rotations[i].angular_velocity;
  return all;
}
bool same(const History& a, const History& b) {
  return std::ranges::equal(a.arrays, b.arrays,
                            [](const auto& x, const auto& y) { return x.first == y.first && same(x.second, y.second); });
}

struct Tried {
  const char* file;
  double h;
  const char* formulation;
};
const std::vector<Tried>& all_tried() {
  static const std::vector<Tried> all{{"tests/benchmarks/models/points.toml", 0.002, "directors"},
                                      {"tests/benchmarks/models/bodies.toml", 0.002, "directors"},
                                      {"tests/benchmarks/models/bodies.toml", 0.002, "rotation"},
                                      {"tests/benchmarks/models/bodies.toml", 0.002, "euler-parameters"},
                                      {"tests/benchmarks/models/rods.toml", 0.001, "directors"},
                                      {"examples/top.toml", 0.01, "rotation"}};
  return all;
}

Model model_of(const Tried& tried) {
  const std::vector<std::string> changes{std::string("formulation=\"") + tried.formulation + "\""};
  return read_model(places::source(tried.file), changes);
}

class HistoryOf : public testing::TestWithParam<Tried> {};

TEST_P(HistoryOf, EveryRowGoesOnToTheSameBytes) {
  const Tried& tried = GetParam();
  const Model model = model_of(tried);
  const System system(model);
  int rows = 0;
  for (const Row& row : catalogue()) {
    if (!refusal(make_scheme(row.name), system).empty()) continue;
    SCOPED_TRACE(std::string(row.name));
    Going first{model, system, make_scheme(row.name)};
    first.start();
    if (!first.go(10, tried.h)) continue;  // some rows are not for such steps
    const History history = first.stepper->history();
    Going second{model, system, make_scheme(row.name)};
    second.state = first.state;
    second.stepper->resume(second.state, history);
    first.stepper->forget_pivots();
    EXPECT_TRUE(same(history, first.stepper->history()));
    EXPECT_TRUE(same(history, second.stepper->history()));
    ASSERT_EQ(first.go(10, tried.h), second.go(10, tried.h));
    EXPECT_TRUE(same(first.state, second.state)) << (first.state.q - second.state.q).cwiseAbs().maxCoeff();
    EXPECT_TRUE(same(first.stepper->acceleration(), second.stepper->acceleration()));
    EXPECT_TRUE(same(first.stepper->multipliers(), second.stepper->multipliers()));
    EXPECT_TRUE(same(first.stepper->history(), second.stepper->history()));
    ++rows;
  }
  EXPECT_GE(rows, 5);
}

// A step far too long for Newton.
TEST_P(HistoryOf, AFailedStepLeavesItAsItWas) {
  const Tried& tried = GetParam();
  const Model model = model_of(tried);
  const System system(model);
  int failed = 0;
  for (const Row& row : catalogue()) {
    if (!refusal(make_scheme(row.name), system).empty()) continue;
    SCOPED_TRACE(std::string(row.name));
    Going going{model, system, make_scheme(row.name)};
    going.start();
    if (!going.go(3, tried.h)) continue;
    const History history = going.stepper->history();
    const State state = going.state;
    if (going.stepper->step(going.state, going.state.time + 1e3).done()) continue;
    ++failed;
    EXPECT_TRUE(same(state, going.state));
    EXPECT_TRUE(same(history, going.stepper->history()));
  }
  EXPECT_GT(failed, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, HistoryOf, testing::ValuesIn(all_tried()), [](const auto& tried) {
  std::string name = std::string(tried.param.file) + " " + tried.param.formulation;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

TEST(History, OfAnotherModelIsRefused) {
  const Model points = read_model(places::source("tests/benchmarks/models/points.toml")),
              bodies = read_model(places::source("tests/benchmarks/models/bodies.toml"));
  const System of_points(points), of_bodies(bodies);
  Going one{points, of_points, make_scheme("energy-momentum-exact")},
      other{bodies, of_bodies, make_scheme("energy-momentum-exact")};
  one.start();
  other.start();
  EXPECT_THROW(one.stepper->resume(one.state, other.stepper->history()), std::invalid_argument);
}

}  // namespace scheme_history
}  // namespace trompo
