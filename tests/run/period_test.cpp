// Periods, exact and measured, and the rest of the numbers of Krenk (2014), section 5, against runs of other programs.
#include "trompo/run/period.hpp"
#include "tests/places.hpp"
#include "tests/stored.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "trompo/model/reader.hpp"

namespace trompo {
namespace run_period {

using Json = nlohmann::json;

const Json& krenk() { return stored("conserving.json")["a_krenk"]; }

Model model_of(const std::string& name) { return read_model(places::source("verification/krenk/" + name + ".toml")); }

const std::map<std::string, std::string> schemes{{"newmark", "krenk-newmark"}, {"dK", "krenk-quartic"}, {"secant", "krenk"}};

double error_of_period(const std::string& name, const std::string& scheme, double step) {
  Model model = model_of(name);
  model.time.scheme = scheme;
  model.time.step = step;
  return period_error(model);
}

class Oscillator : public testing::TestWithParam<const char*> {};

TEST_P(Oscillator, ExactPeriodAndMeanStiffnessAreThoseOnFile) {
  const Json& data = krenk()[GetParam()];
  const FreeOscillation exact = free_oscillation(System(model_of(GetParam())), data["data"]["u0"]);
  EXPECT_NEAR(exact.period, data["period_exact"].get<double>(), 1e-11);
  EXPECT_NEAR(exact.mean_stiffness, data["time_average_tangent_stiffness"].get<double>(), 1e-9);  // on file to nine digits
}

TEST(FreeOscillation, MeanStiffnessOfDuffingIsThatOfTheEllipticFunctions) {
  const double m = 0.25, k = std::sqrt(m);  // u = cn, <cn^2> = (E/K - (1 - m)) / m
  const double square = (std::comp_ellint_2(k) / std::comp_ellint_1(k) - (1 - m)) / m;
  EXPECT_NEAR(free_oscillation(System(model_of("duffing")), 1).mean_stiffness, 1 + 3 * square, 1e-12);
}

TEST_P(Oscillator, PeriodErrorsAreThoseOnFile) {
  const Json& data = krenk()[GetParam()];
  for (const auto& [form, table] : data[data.contains("period_error") ? "period_error" : "period_error_table"].items())
    for (const auto& [key, error] : table.items()) {
      const double step = std::stod(key), tolerance = step < 0.5 ? 1e-6 : 2e-5;  // ten points a period: the file is that rough
      EXPECT_NEAR(error_of_period(GetParam(), schemes.at(form), step), error.get<double>(), tolerance)
          << form << ", step " << key;
    }
}

// Rotation numbers of the two schemes, from smoothly weighted means of the phase over 20 000 steps.
TEST(PeriodError, OfALargeStepIsThatOfTheRotationNumber) {
  EXPECT_NEAR(error_of_period("duffing", "krenk-quartic", 0.5), 0.0477077728, 2e-7);
  EXPECT_NEAR(error_of_period("duffing", "krenk-newmark", 0.5), 0.0331305835, 2e-7);
  EXPECT_NEAR(error_of_period("sinh", "krenk-quartic", 0.5), 0.0437846086, 2e-7);
  EXPECT_NEAR(error_of_period("sinh", "krenk-newmark", 0.5), 0.0303315797, 2e-7);
}

TEST_P(Oscillator, PeriodErrorFollowsTheMeanTangentStiffnessAndNotTheLinearOscillator) {
  const double step = 0.01, linear = step * step / 12;
  const double law = linear * krenk()[GetParam()]["time_average_tangent_stiffness"].get<double>();
  for (const char* scheme : {"krenk-quartic", "krenk"}) EXPECT_NEAR(error_of_period(GetParam(), scheme, step) / law, 1, 1e-3);
  EXPECT_GT(error_of_period(GetParam(), "krenk-newmark", step), 1.4 * linear);
  EXPECT_LT(error_of_period(GetParam(), "krenk-newmark", step), 0.7 * law);
}

TEST_P(Oscillator, PeriodIsOfSecondOrder) {
  for (const char* scheme : {"krenk-newmark", "krenk-quartic", "krenk"})
    EXPECT_NEAR(std::log2(error_of_period(GetParam(), scheme, 0.02) / error_of_period(GetParam(), scheme, 0.01)), 2, 0.01);
}
INSTANTIATE_TEST_SUITE_P(Krenk, Oscillator, testing::Values("duffing", "sinh"));

TEST(PeriodWatch, NeedsAFullCycle) {
  Model model = model_of("duffing");
  const System system(model);
  for (const double cycles : {0.9, 1.9, 3.9}) {
    model.time.end = cycles * free_oscillation(system, 1).period;
    PeriodWatch watch;
    Observer* observers[] = {&watch};
    ASSERT_EQ(run(model, system, scheme_of(model), observers).status, Status::done);
    EXPECT_EQ(watch.cycles(), std::lround(cycles - 0.9));
    EXPECT_EQ(std::isfinite(watch.period()), cycles > 1);
  }
}

TEST(DuffingOscillator, EnergyOfNewmarkSwingsAsOnFile) {
  Model model = model_of("duffing");
  model.time.scheme = "krenk-newmark";
  model.time.end = 10 * krenk()["duffing"]["period_exact"].get<double>();
  for (const auto& [step, range] : krenk()["duffing"]["energy_range_newmark_10_periods"].items()) {
    model.time.step = std::stod(step);
    const RunResult result = run(model);
    EXPECT_NEAR((result.total.max - result.total.min) / result.total.initial, range.get<double>(), 0.02 * range.get<double>());
  }
}

TEST(ElasticPendulum, EnergyOfNewmarkSwingsAsOnFile) {
  const double weight = 10;  // m g l
  for (const auto& [key, step] :
       {std::pair{"table1_tolerances_h002_500steps", 0.02}, {"table1_tolerances_h003_333steps", 0.03}}) {
    Model model = model_of("pendulum_green");
    model.time.scheme = "krenk-newmark";
    model.time.step = step;
    model.time.end.reset();
    model.time.steps = step == 0.02 ? 500 : 333;
    const RunResult result = run(model);
    const Json& expected = krenk()["pendulum_green"][key];
    EXPECT_NEAR(result.total.min / weight, expected["newmark_E_over_mgl_min_max"][0].get<double>(), 1e-3);
    EXPECT_NEAR(result.total.max / weight, expected["newmark_E_over_mgl_min_max"][1].get<double>(), 1e-3);

    model.time.scheme = "krenk-quartic";
    for (const auto& [tangent, name] : {std::pair{"published", "third"}, {"sixth", "sixth"}}) {
      model.newton.tangent = tangent;
      EXPECT_EQ(run(model).iterations_max, expected[std::string("max_iterations_tangent_") + name].get<int>())
          << step << tangent;
    }
  }
}

class BelowZero final : public Observer {
 public:
  void sample(const Sample& now) override {
    if (now.ledger.total() >= 0) since = now.time;
  }
  double since = 0;  // the last moment at which energy was not negative
};

TEST(ElasticPendulum, DampedEnergyIsBelowZeroFromTheTimeOnFile) {
  Model model = model_of("pendulum_green");
  model.time.parameters = {{"damping", 0.02}};
  model.output.every = 1;
  BelowZero watch;
  Observer* observers[] = {&watch};
  ASSERT_EQ(run(model, System(model), scheme_of(model), observers).status, Status::done);
  EXPECT_NEAR(watch.since + model.time.step, krenk()["pendulum_green"]["damped_alpha002_time_E_below_zero"].get<double>(),
              0.02);
}

}  // namespace run_period
}  // namespace trompo
