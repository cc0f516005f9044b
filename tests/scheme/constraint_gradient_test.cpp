// The gradients that constraint forces may go along: stored states, order, what each keeps over long runs; projection-return.
#include <gtest/gtest.h>

#include "tests/constraint_cases.hpp"
#include "tests/long_run.hpp"
#include "tests/places.hpp"
#include "trompo/output/channels.hpp"

namespace trompo {
namespace scheme_constraint_gradient {

using namespace constraint_cases;

Model with(const char* text, const std::string& gradient, std::vector<std::string> overrides = {}) {
  overrides.push_back("time.constraint_gradient=" + gradient);
  return parse_model(text, "model", overrides);
}
Model bead_with(const std::string& gradient, double step, long steps) {
  const std::string overrides[] = {"time.constraint_gradient=" + gradient, "time.step=" + std::to_string(step),
                                   "time.end=" + std::to_string(step * static_cast<double>(steps))};
  return read_model(places::source("examples/bead_on_wire.toml"), overrides);
}
double energy_error(const RunResult& r) { return (r.total.max - r.total.min) / r.ledger.scale(); }

TEST(ConstraintGradientSchemes, StoredStatesMultipliersAndBetas) {
  const Case cases[] = {{"trig_two_masses", "beta", with(trig, "mean-value"), {2, 3}},
                        {"trig_two_masses", "gonz", with(trig, "gonzalez"), {2, 3}},
                        {"trig_two_masses", "mid", with(trig, "midpoint"), {2, 3}},
                        {"spherical_pendulum", "beta", with(spherical, "mean-value"), {0}},
                        {"cubic_bead", "beta", bead_with("mean-value", 0.02, 60), {1}},
                        {"cubic_bead", "gonz", bead_with("gonzalez", 0.02, 60), {1}}};
  for (const Case& c : cases) {
    Watch watch;
    const RunResult result = expect_stored(c, watch);
    EXPECT_LT(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
    if (std::string(c.kind) == "mid")
      EXPECT_NEAR(energy_error(result), 1e-3, 2e-4);  // and the balance has it as numerical
    else
      EXPECT_LT(energy_error(result), 1e-12);
  }
}

TEST(ConstraintGradientSchemes, AllAreOfSecondOrder) {
  for (const char* gradient : {"secant", "mean-value", "gonzalez", "midpoint"}) {
    const auto end = [&](long parts) {
      return run(with(trig, gradient,
                      {"time.step=" + std::to_string(0.04 / static_cast<double>(parts)),
                       "time.steps=" + std::to_string(25 * parts)}))
          .state;
    };
    const State a = end(1), b = end(2), c = end(4);
    EXPECT_NEAR(std::log2((a.q - b.q).norm() / (b.q - c.q).norm()), 2, 0.1) << gradient;
    EXPECT_NEAR(std::log2((a.v - b.v).norm() / (b.v - c.v).norm()), 2, 0.1) << gradient;
  }
}

TEST(ConstraintGradientSchemes, LongRunOfATrigonometricConstraintKeepsEnergy) {
  const std::string steps = "time.steps=" + std::to_string(long_run(100000, 5000));
  for (const char* gradient : {"secant", "mean-value", "gonzalez"}) {
    const RunResult result = run(with(trig, gradient, {steps}));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_LT(energy_error(result), 1e-11) << gradient;
    EXPECT_LT(result.constraint_error_max, 1e-12);
    EXPECT_EQ(result.retries, 0);
  }
}

// dL = -h lambda (1/2 - beta) sum dx_a x grad_a phi in each step: second order in all. Gonzalez' correction over raw
// coordinates loses linear momentum too; the midpoint loses none, but energy.
TEST(ConstraintGradientSchemes, MomentaOfThreeFreeMasses) {
  struct Drift {
    double angular, linear, energy;
  };
  const auto drift = [](const std::string& gradient, const char* step, const char* steps) {
    const RunResult r =
        run(with(free_masses, gradient, {std::string("time.step=") + step, std::string("time.steps=") + steps}));
    EXPECT_EQ(r.status, Status::done);
    const double L = r.momentum_initial.angular.norm(), P = r.momentum_initial.linear.norm();
    return Drift{r.angular_drift / L, r.linear_drift / P, energy_error(r)};
  };
  const Drift secant = drift("secant", "0.1", "200");
  EXPECT_LT(secant.angular, 1e-12);
  EXPECT_LT(secant.linear, 1e-12);
  const Drift coarse = drift("mean-value", "0.1", "200"), fine = drift("mean-value", "0.025", "800");
  EXPECT_GT(coarse.angular, 1e-3);
  EXPECT_LT(fine.angular, 0.2 * coarse.angular);
  EXPECT_GT(fine.angular, 1e-5);
  EXPECT_LT(coarse.linear, 1e-12);
  EXPECT_LT(coarse.energy, 1e-12);
  const Drift raw = drift("gonzalez", "0.1", "200");
  EXPECT_GT(raw.angular, 1e-4);
  EXPECT_GT(raw.linear, 1e-4);
  EXPECT_LT(raw.energy, 1e-12);
  const Drift middle = drift("midpoint", "0.1", "200");
  EXPECT_LT(middle.angular, 1e-12);
  EXPECT_LT(middle.linear, 1e-12);
  EXPECT_GT(middle.energy, 1e-5);
}

// At this step two roots are valid from step 152 on, and an iteration that may choose anew each time flips between them. With
// the last one kept the run goes through without a halved step.
TEST(ConstraintGradientSchemes, BeadWithTwoRootsGoesThrough) {
  const RunResult result = run(bead_with("mean-value", 0.05, 1000));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_EQ(result.retries, 0);
  EXPECT_LT(energy_error(result), 1e-12);
}

// The force at the end, as projection and return is published: it does work, of first order in all, and the order is one. Which
// way an iteration goes there does not matter.
TEST(ConstraintGradientSchemes, GradientAtTheEndIsOfFirstOrder) {
  const auto end = [](const std::string& scheme, long parts) {
    return run(with(trig, "end",
                    {"time.scheme=" + scheme, "time.step=" + std::to_string(0.01 / static_cast<double>(parts)),
                     "time.steps=" + std::to_string(100 * parts)}));
  };
  const RunResult a = end("energy-momentum-exact", 1), b = end("energy-momentum-exact", 2), c = end("energy-momentum-exact", 4);
  EXPECT_NEAR(std::log2((a.state.q - b.state.q).norm() / (b.state.q - c.state.q).norm()), 1, 0.1);
  EXPECT_GT(energy_error(c), 1e-4);
  EXPECT_NEAR(energy_error(b) / energy_error(c), 2, 0.2);
  EXPECT_LT(c.ledger.worst_residual(), 1e-12 * c.ledger.scale());
  EXPECT_LT((end("projection-return", 2).state.q - b.state.q).norm(), 1e-10);
}

// The printed tangent holds beta fast: the same motion, by more iterations.
TEST(ConstraintGradientSchemes, PublishedTangentTakesMoreIterations) {
  const RunResult whole = run(with(trig, "mean-value", {"time.step=0.2", "time.steps=50"})),
                  printed = run(with(trig, "mean-value", {"time.step=0.2", "time.steps=50", "newton.tangent=published"}));
  EXPECT_LT((whole.state.q - printed.state.q).norm(), 1e-10);
  EXPECT_GT(printed.iterations, whole.iterations + whole.iterations / 10);
}

// Whatever the row does besides.
TEST(ConstraintGradientSchemes, BooksCloseInEveryRowThatHasTheOption) {
  int rows = 0;
  for (const Row& row : catalogue()) {
    if (row.balance != Balance::interval) continue;
    ++rows;
    for (const char* gradient : {"mean-value", "gonzalez", "midpoint", "end"}) {
      SCOPED_TRACE(std::string(row.name) + " " + gradient);
      const RunResult result = run(with(trig, gradient, {"time.scheme=" + std::string(row.name), "time.steps=50"}));
      ASSERT_EQ(result.status, Status::done);
      EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
    }
  }
  EXPECT_GE(rows, 8);
  const std::string refused[] = {"time.scheme=trapezoidal", "time.constraint_gradient=midpoint"};
  EXPECT_THROW((void)run(parse_model(trig, "trig", refused)), std::exception);
}

// A rod whose length is driven: time is one of the coordinates of the chord.
TEST(ConstraintGradientSchemes, BooksCloseWhereTheConstraintIsDriven) {
  for (const char* gradient : {"mean-value", "gonzalez", "midpoint"}) {
    const RunResult result =
        run(with(spherical, gradient,
                 {"constraint.rod.constraint=sqrt(bob.x^2 + bob.y^2 + bob.z^2) - 1 - 0.1*(1-cos(3*t))", "time.step=0.02"}));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_GT(std::abs(result.ledger.support_work()), 1e-3 * result.ledger.scale());
    EXPECT_LT(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
    EXPECT_EQ(result.ledger.numerical() != 0, gradient == std::string("midpoint"));
  }
}

// The chord runs through frames that are no rotations, and the moment is taken with the mean frame: the work is exact.
TEST(ConstraintGradientSchemes, MeanValueIsExactOnABodyToo) {
  constexpr const char* tied = R"toml(
formulation = "rotation"
gravity = [0, 0, -9.81]
[[body]]
name = "top"
mass = 3
inertia = [2, 2.5, 1]
fixed_point = [0, 0, 0]
centre = [0, 0, 0.4]
angular_velocity = [0.5, 0, 6]
[[node]]
name = "bob"
position = [1, 0.2, 0]
mass = 1
[[spring]]
name = "rope"
from = { body = "top", point = [0, 0, 0.8] }
to = { node = "bob" }
stiffness = 200
[[constraint]]
name = "tie"
constraint = "bob.z - sin(2*top.d3.x)*cos(bob.x) + top.d1.z*bob.y^2"
[time]
step = 0.02
steps = 1000
scheme = "energy-momentum-exact"
)toml";
  const RunResult result = run(with(tied, "mean-value"));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT(energy_error(result), 1e-11);
  EXPECT_GT(energy_error(run(with(tied, "midpoint"))), 1e-5);
}

TEST(ConstraintGradientSchemes, BetaIsRecordedWhereItIsLookedFor) {
  for (const char* gradient : {"secant", "mean-value"}) {
    const Model model = with(trig, gradient);
    const System system(model);
    const Scheme scheme = scheme_of(model);
    const std::vector<std::string> none;
    int betas = 0;
    for (const Channel& c : channels({model, system, scheme, none, 1}).all) betas += c.path() == "/constraints/beta" ? 1 : 0;
    EXPECT_EQ(betas, gradient == std::string("secant") ? 0 : 1);
  }
}

// Projection and return goes another way to the same step.
TEST(ProjectionReturnScheme, EndsWhereEnergyMomentumEnds) {
  const auto by = [](const char* text, const std::string& scheme) {
    const std::string overrides[] = {"time.scheme=" + scheme};
    return run(parse_model(text, "model", overrides));
  };
  for (const char* text : {trig, spherical, free_masses}) {
    const RunResult whole = by(text, "energy-momentum-exact"), reduced = by(text, "projection-return");
    ASSERT_EQ(reduced.status, Status::done);
    EXPECT_EQ(reduced.retries, 0);
    EXPECT_LT((reduced.state.q - whole.state.q).norm(), 1e-10 * whole.state.q.norm());
    EXPECT_LT((reduced.state.v - whole.state.v).norm(), 1e-10 * (1 + whole.state.v.norm()));
    EXPECT_LT(energy_error(reduced), 1e-12);
    EXPECT_LT(reduced.constraint_error_max, 1e-14);
    EXPECT_LE(reduced.iterations, whole.iterations + whole.iterations / 4);
  }
}

}  // namespace scheme_constraint_gradient
}  // namespace trompo
