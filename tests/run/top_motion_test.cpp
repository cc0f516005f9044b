// The exact motions of tops, and those of the schemes from the model file on.
#include "trompo/run/top_motion.hpp"
#include "tests/long_run.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/top_cases.hpp"
#include "trompo/model/reader.hpp"

namespace trompo {
namespace run_top_motion {

Model published(const std::string& name) { return read_model(places::source("verification/top/" + name + ".toml")); }
Rotation start_of(const Model& model) { return initial_state(model, System(model)).rotations.front(); }

// --- exact ---

TEST(TopExact, NutationAndPrecessionAreThoseOfOtherPrograms) {
  for (const char* name : {"fast", "slow"}) {
    SCOPED_TRACE(name);
    const top_case::Json& known = top_case::reference()[name];
    const Model model = published(name);
    const Nutation exact = exact_nutation(HeavyTop(System(model)), start_of(model));
    EXPECT_NEAR(exact.period / known["nutation_period"].get<double>(), 1, 1e-11);
    EXPECT_NEAR(exact.advance / known["precession_advance_per_nutation"].get<double>(), 1, 1e-11);
    EXPECT_NEAR(exact.lowest, known["cos_theta_range"][0].get<double>(), 1e-11);
    EXPECT_NEAR(exact.highest, known["cos_theta_range"][1].get<double>(), 1e-11);
  }
}

// A hanging top without spin is a pendulum: small swings, there and back twice in a period of the pendulum.
TEST(TopExact, WithoutSpinItIsAPendulum) {
  Model model = published("slow");
  model.bodies[0].angular_velocity.setZero();
  model.bodies[0].orientation.degrees = 180 - 0.1;
  const HeavyTop top{System(model)};
  EXPECT_NEAR(exact_nutation(top, start_of(model)).period / (std::numbers::pi * std::sqrt(5. / 20)), 1, 1e-6);
}

// Near the axis of largest or least inertia the angular velocity goes round a small ellipse with a known frequency.
TEST(TopExact, TumblingNearAStableAxisHasTheFrequencyOfSmallMotions) {
  const Mat3 J = Vec3(5, 7, 6).asDiagonal();
  const double largest = 10 * std::sqrt((7. - 5) * (7 - 6) / (5 * 6)), least = 10 * std::sqrt((7. - 5) * (6 - 5) / (7 * 6));
  EXPECT_NEAR(exact_tumbling_period(J, {1e-5, 10, 0}), 2 * std::numbers::pi / largest, 1e-9);
  EXPECT_NEAR(exact_tumbling_period(J, {10, 1e-5, 0}), 2 * std::numbers::pi / least, 1e-9);
}

TEST(TopExact, SleepsAboveTheCriticalSpinOnly) {
  const HeavyTop top{System(published("sleeping"))};
  EXPECT_NEAR(SleepingTop(top, 1).critical_spin, 20, 1e-12);
  const SleepingTop above(top, 25), below(top, 16);
  EXPECT_NEAR(above.swing, 5. / 3, 1e-12);
  EXPECT_EQ(above.growth, 0);
  EXPECT_NEAR(below.growth, 1.2, 1e-12);
  EXPECT_NEAR(std::cos(below.limit), 0.28, 1e-12);
}

// --- measured ---

struct Path final : Observer {
  void sample(const Sample& now) override {
    times.push_back(now.time);
    states.push_back(now.state.rotations.front());
  }
  std::vector<double> times;
  std::vector<Rotation> states;
};

// Errors of the periods in percent, as other programs have them: to half of the last digit, or to 2 %. What is left out has
// none: collocation drifts on the slow top, so that its period depends on how long one looks.
struct Errors {
  const char *model, *scheme;
  double turn, nutation, precession, last_digits[2];
};
constexpr Errors known[] = {
    {"fast", "SW", 0.25, 0.84, 0.05, {0.01, 0.01}},
    {"fast", "SW", 1, 15, 0.91, {1, 0.01}},
    {"fast", "COL", 0.25, 0.84, 0.052, {0.01, 0.001}},
    {"fast", "COL", 1, 15, 0.93, {1, 0.01}},
    {"fast", "PROJ", 0.25, 0.82, -0.22, {0.01, 0.01}},
    {"fast", "PROJ", 1, 15, -3.5, {1, 0.1}},
    {"fast", "PROJ", 5, 320, -78, {10, 1}},
    {"fast", "GB", 0.25, -3.1, -4, {0.1, 1}},
    {"fast", "GB", 1, -34, -45, {1, 1}},
    {"fast", "GBM", 0.25, 0.56, 0.039, {0.01, 0.001}},
    {"fast", "GBM", 1, 11, 0.76, {1, 0.01}},
    {"fast", "CAY", 0.25, 1.3, -1.5, {0.1, 0.1}},
    {"fast", "CAY", 1, 20, -20, {1, 1}},
    {"fast", "CAY", 5, 500, -86, {10, 1}},
    {"slow", "SW", 0.1, 0.034, 0, {0.001, 0}},
    {"slow", "SW", 0.5, 0.85, 0, {0.01, 0}},
    {"slow", "SW", 1, 3.3, 0, {0.1, 0}},
    {"slow", "PROJ", 0.1, 0.057, 0, {0.001, 0}},
    {"slow", "PROJ", 0.5, 1.4, 0, {0.1, 0}},
    {"slow", "PROJ", 1, 5.7, 0, {0.1, 0}},
    {"slow", "GB", 0.1, 0.078, 0, {0.001, 0}},
    {"slow", "GB", 0.5, 2, 0, {1, 0}},
    {"slow", "GB", 1, 8.3, 0, {0.1, 0}},
    {"slow", "GBM", 0.1, 0.0081, 0, {0.0001, 0}},
    {"slow", "GBM", 0.5, 0.23, 0, {0.01, 0}},
    {"slow", "GBM", 1, 1.2, 0, {0.1, 0}},
    {"slow", "CAY", 0.1, 0.21, 0, {0.01, 0}},
    {"slow", "CAY", 0.5, 5.3, 0, {0.1, 0}},
    {"slow", "CAY", 1, 21, 0, {1, 0}},
};

TEST(TopMeasured, PeriodsErrAsInOtherPrograms) {
  for (const Errors& e : known) {
    SCOPED_TRACE(std::string(e.model) + " " + e.scheme + " " + std::to_string(e.turn));
    Model model = published(e.model);
    const HeavyTop top{System(model)};
    const Rotation start = start_of(model);
    const Nutation exact = exact_nutation(top, start);
    model.time.scheme = e.scheme;
    model.time.step = e.turn / start.angular_velocity.norm();
    model.time.end.reset();
    model.time.steps = std::lround(std::max(20 * exact.period / model.time.step, 2000.0));
    model.output.every = 1;
    Path path;
    Observer* observers[] = {&path};
    ASSERT_EQ(run(model, System(model), scheme_of(model), observers).status, Status::done);
    const Nutation n = measured_nutation(top, path.times, path.states);
    const auto meets = [](double ours, double theirs, double last_digit) {
      EXPECT_NEAR(ours, theirs, std::max(0.5 * last_digit, 0.02 * std::abs(theirs)));
    };
    meets(100 * (n.period / exact.period - 1), e.nutation, e.last_digits[0]);
    if (e.precession != 0) meets(100 * (n.precession() / exact.precession() - 1), e.precession, e.last_digits[1]);
  }
}

// --- a million steps, from the model file on ---

class Records final : public Observer {
 public:
  void sample(const Sample& now) override {
    if (now.step == 0) vertical_ = now.momentum.angular.z();
    momentum_error = std::max(momentum_error, std::abs(now.momentum.angular.z() / vertical_ - 1));
    off_unit = std::max(off_unit, std::abs(now.state.rotations.front().orientation.norm() - 1));
    ++records;
  }
  double momentum_error = 0, off_unit = 0;
  int records = 0;

 private:
  double vertical_ = 0;
};

class LongTopRun : public testing::TestWithParam<const char*> {};

TEST_P(LongTopRun, KeepsEnergyMomentumAndLengthOverAMillionSteps) {
  Model model = published("slow");
  model.time.scheme = GetParam();
  model.time.step = 0.02;
  model.time.end.reset();
  model.time.steps = long_run(1000000L, 50000L);
  model.output.every = *model.time.steps / 10;
  Records records;
  Observer* observers[] = {&records};
  const RunResult result = run(model, System(model), scheme_of(model), observers);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_EQ(records.records, 11);
  EXPECT_EQ(result.retries, 0);
  const double drift = std::max(result.total.max - result.total.initial, result.total.initial - result.total.min);
  EXPECT_LE(drift, 1e-11 * result.ledger.scale());
  EXPECT_LE(records.momentum_error, 1e-11);
  EXPECT_LE(records.off_unit, 1e-15);
}
INSTANTIATE_TEST_SUITE_P(LongTopRun, LongTopRun, testing::Values("COL", "PROJ", "GBM", "CAY"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace run_top_motion
}  // namespace trompo
