// The forms of the discrete gradient: what each keeps, and that it does not keep what it does not claim.
#include <gtest/gtest.h>

#include "tests/reference_cases.hpp"

namespace trompo {
namespace scheme_discrete_gradient {

RunResult free_bar(const std::map<std::string, std::string>& options, const std::map<std::string, double>& parameters = {}) {
  Model model;
  NodeInput a, b;
  a.name = "a";
  a.velocity = {-1, 0.3, 0.2};
  a.mass = 10;
  b.name = "b";
  b.position = {0, -3.0443, 0};
  b.velocity = {7.72, -0.5, 1.1};
  b.mass = 6;
  BarInput bar;
  bar.name = "bar";
  bar.nodes = {"a", "b"};
  bar.EA = 1e4;
  model.nodes = {a, b};
  model.bars = {bar};
  model.time.scheme = "discrete-gradient";
  model.time.options = options;
  model.time.parameters = parameters;
  model.time.step = 0.05;
  model.time.steps = 400;
  return run(model);
}

double energy_error(const RunResult& r) { return (r.total.max - r.total.min) / r.ledger.scale(); }

TEST(DiscreteGradient, EquivariantKeepsEverything) {
  const RunResult r = free_bar({{"form", "equivariant"}});
  EXPECT_LE(energy_error(r), 1e-12);
  EXPECT_LE(r.angular_drift, 1e-11 * r.angular_scale);
}

TEST(DiscreteGradient, GonzalezInRawCoordinatesKeepsEnergyButNotMomenta) {
  const RunResult r = free_bar({{"form", "gonzalez"}});
  EXPECT_LE(energy_error(r), 1e-12);
  EXPECT_GT(r.angular_drift, 1e-9 * r.angular_scale);
}

TEST(DiscreteGradient, MeanValueIsExactToItsQuadrature) {
  double last = 1;
  for (const double points : {1.0, 2.0, 3.0, 4.0, 5.0}) {
    const double error = energy_error(free_bar({{"form", "mean-value"}}, {{"points", points}}));
    EXPECT_LT(error, 0.3 * last) << points;
    last = error;
  }
  EXPECT_LT(last, 1e-9);
}

TEST(DiscreteGradient, ItohAbeKeepsEnergyAndIsOfFirstOrder) {
  EXPECT_LE(energy_error(free_bar({{"form", "itoh-abe"}})), 1e-11);
  const auto end = [](double step) {
    Model model = reference_cases::pendulum(1e4, 9.8, step, std::lround(1 / step));
    model.time.scheme = "discrete-gradient";
    model.time.options = {{"form", "itoh-abe"}};
    return run(model).state.q;
  };
  const VecX fine = end(1. / 25600);
  const double order = std::log2((end(1. / 800) - fine).norm() / (end(1. / 1600) - fine).norm());
  EXPECT_NEAR(order, 1, 0.1);
  EXPECT_EQ(claimed_order(make_scheme("discrete-gradient", {}, {{"form", "itoh-abe"}})), 1);
}

TEST(DiscreteGradient, RefusesAnUnknownFormAndAFormWhereThereIsNone) {
  try {
    (void)make_scheme("discrete-gradient", {}, {{"form", "gonzales"}});
    FAIL();
  } catch (const SchemeError& error) {
    EXPECT_EQ(error.key, "form");
    EXPECT_NE(error.remedy.find("'gonzalez'"), std::string::npos) << error.remedy;
  }
  EXPECT_THROW((void)make_scheme("midpoint", {}, {{"form", "gonzalez"}}), SchemeError);
  EXPECT_THROW((void)make_scheme("discrete-gradient", {{"points", 2.5}}), SchemeError);
}

}  // namespace scheme_discrete_gradient
}  // namespace trompo
