// Published motions of rods, from verification/rods: what is kept once the loads are gone, closed forms, orders in time and in
// space, and steps at which the trapezoidal rule is long lost.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/long_run.hpp"
#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_rod_benchmark {

using std::numbers::pi;

Model published(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return read_model(places::source("verification/rods/" + name + ".toml"), overrides);
}

// Sensors by name, and how far energy and momenta go from where they are at a given time.
class Watch final : public Observer {
 public:
  explicit Watch(const Model& model, double free_from = 0) : from_(free_from) {
    Observer* observers[] = {this};
    result = run(model, System(model), scheme_of(model), observers);
    EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
  }
  void begin(const RunPlan& plan) override { names_ = plan.sensor_names; }
  void sample(const Sample& now) override {
    times.push_back(now.time);
    values_.emplace_back(now.sensors.begin(), now.sensors.end());
    if (now.time < from_ - 1e-9) return;
    if (!started_) energy_ = now.ledger.total(), first = now.momentum, started_ = true;
    energy_drift = std::max(energy_drift, std::abs(now.ledger.total() - energy_));
    linear_drift = std::max(linear_drift, (now.momentum.linear - first.linear).norm());
    angular_drift = std::max(angular_drift, (now.momentum.angular - first.angular).norm());
  }
  [[nodiscard]] std::vector<double> sensor(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    EXPECT_NE(found, names_.end()) << name;
    std::vector<double> all;
    for (const auto& row : values_) all.push_back(row[static_cast<std::size_t>(found - names_.begin())]);
    return all;
  }
  RunResult result;
  std::vector<double> times;
  double energy_drift = 0, linear_drift = 0, angular_drift = 0;
  Momentum first;

 private:
  double from_, energy_ = 0;
  bool started_ = false;
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;
};

// Peaks read off the figures of Simo and Vu-Quoc (1988): amplitudes of the size of the legs.
TEST(RodBenchmark, RightAngleCantileverSwingsAsPublished) {
  const Watch w(published("right_angle"), 2);
  const auto elbow = w.sensor("elbow"), tip = w.sensor("tip");
  EXPECT_NEAR(*std::max_element(tip.begin(), tip.end()), 8.3, 0.2);
  EXPECT_NEAR(*std::min_element(tip.begin(), tip.end()), -9.7, 0.2);
  EXPECT_NEAR(*std::max_element(elbow.begin(), elbow.begin() + 100), 5.5, 0.1);
  EXPECT_NEAR(w.times[static_cast<std::size_t>(std::max_element(tip.begin(), tip.end()) - tip.begin())], 7.5, 0.3);
  EXPECT_LT(w.energy_drift, 1e-11 * w.result.ledger.scale());
  EXPECT_LT(w.result.ledger.worst_residual(), 1e-12 * w.result.ledger.scale());
}

// The impulse of the force is the momentum; what the rod does besides is its own affair.
TEST(RodBenchmark, FlyingRodsKeepEnergyAndMomentaOnceTheyAreFree) {
  for (const auto& [name, free_from, impulse] : {std::tuple{"flying_2d", 2.55, 20.0}, {"flying_3d", 5.0, 50.0}}) {
    SCOPED_TRACE(name);
    const Watch w(published(name), free_from);
    EXPECT_LT((w.first.linear - Vec3(impulse, 0, 0)).norm(), 1e-11 * impulse);
    EXPECT_LT(w.energy_drift, 1e-11 * w.result.ledger.scale());
    EXPECT_LT(w.linear_drift, 1e-11 * w.result.linear_scale);
    EXPECT_LT(w.angular_drift, 1e-11 * w.result.angular_scale);
    EXPECT_GT(w.result.potential.max, 0.05 * w.result.ledger.scale());  // it does bend
  }
}

// A moment of fixed direction on a free body: L = M t, with second order, whatever the formulation.
TEST(RodBenchmark, AMomentOfFixedDirection) {
  const auto lost = [](const char* formulation, double step) {
    const Model m = parse_model(
        fmt::format(
            "formulation = \"{}\"\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 2, 2.5]\nangular_velocity = [0.3, 0, 1]\n"
            "[[load]]\nname = \"m\"\nbody = \"b\"\nmoment = [0.4, \"0.2*t\", -0.7]\n"
            "[time]\nstep = {}\nend = 2\nscheme = \"energy-momentum-exact\"\n",
            formulation, step),
        "moment");
    const RunResult r = run(m);
    EXPECT_EQ(r.status, Status::done);
    EXPECT_LT(std::abs(r.ledger.residual()), 1e-12 * r.ledger.scale());
    return (r.momentum.angular - r.momentum_initial.angular - Vec3(0.8, 0.4, -1.4)).norm();
  };
  for (const char* formulation : {"directors", "rotation"}) {
    const double coarse = lost(formulation, 0.04), fine = lost(formulation, 0.02);
    EXPECT_LT(fine, 1e-3) << formulation;
    EXPECT_TRUE(coarse < 1e-12 || std::abs(std::log2(coarse / fine) - 2) < 0.1) << formulation << " " << coarse << " " << fine;
  }
}

TEST(RodBenchmark, SpinUpEndsWithTheExtensionOfTheClosedForm) {
  const Watch w(published("spin_up"));
  const auto extension = w.sensor("extension"), deflection = w.sensor("deflection");
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < w.times.size(); ++i)
    if (w.times[i] >= 15) sum += extension[i], ++count;
  // of lumped masses, n elements: larger by 1/(2 n^2)
  const double k = std::sqrt(1.2 * 36 / 2.8e7), exact = std::tan(10 * k) / k - 10, lumped = exact * (1 + 0.5 / 400);
  EXPECT_NEAR(exact, 5.14e-4, 0.005e-4);
  EXPECT_NEAR(sum / count, lumped, 1e-3 * lumped);
  EXPECT_NEAR(*std::min_element(deflection.begin(), deflection.end()), -0.57, 0.01);
  EXPECT_LT(w.result.ledger.worst_residual(), 1e-11 * w.result.ledger.scale());
}

Vec3 lower_end(long elements, double step) {
  const Model m =
      published("flying_3d", {fmt::format("rod.rod.elements={}", elements), fmt::format("time.step={}", step), "time.end=2.5"});
  const RunResult r = run(m);
  EXPECT_EQ(r.status, Status::done);
  return r.state.q.head<3>();
}

// Of steps so long that waves along the rod, which no step here resolves, are small beside the error of the turn.
TEST(RodBenchmark, SecondOrderInTime) {
  const Vec3 a = lower_end(20, 0.05), b = lower_end(20, 0.025), c = lower_end(20, 0.0125);
  EXPECT_LT((b - c).norm(), 1e-3);
  EXPECT_NEAR(std::log2((a - b).norm() / (b - c).norm()), 2, 0.1);
}

TEST(RodBenchmark, SecondOrderInSpace) {
  const Vec3 a = lower_end(20, 0.01), b = lower_end(40, 0.01), c = lower_end(80, 0.01);
  EXPECT_LT((b - c).norm(), 2e-2);
  EXPECT_NEAR(std::log2((a - b).norm() / (b - c).norm()), 2, 0.15);
}

// ---- beyond the trapezoidal rule ----

// It turns, and a wave runs along it, about a centre that stays: a rod that flies far away loses digits of its coordinates.
Model waving(const std::string& scheme, double step, long steps) {
  Model m = published("waving", {"time.scheme=" + scheme, fmt::format("time.step={}", step)});
  m.time.end.reset();
  m.time.steps = steps;
  return m;
}

// Does it come through three seconds without halving a step, with its energy within a tenth?
bool survives(const std::string& scheme, double step) {
  const Model m = waving(scheme, step, std::lround(3 / step));
  const RunResult r = run(m, System(m), scheme_of(m), {}, {.max_halvings = 0});
  return r.status == Status::done && r.total.max < 1.1 * r.total.initial && r.total.min > 0.9 * r.total.initial;
}

double largest_step(const std::string& scheme) {
  double step = 0.02;
  while (step > 1e-4 && !survives(scheme, step)) step *= 0.5;
  return step;
}

void keeps_everything(const Model& m) {
  const RunResult r = run(m);
  ASSERT_EQ(r.status, Status::done) << r.failure.dossier();
  EXPECT_EQ(r.retries, 0);
  EXPECT_LT(r.momentum_initial.linear.norm(), 1e-3 * r.linear_scale);
  EXPECT_GT(r.potential.max, 0.05 * r.ledger.scale());
  EXPECT_LE((r.total.max - r.total.min) / r.ledger.scale(), 1e-11);
  EXPECT_LE(r.linear_drift / r.linear_scale, 1e-11);
  EXPECT_LE(r.angular_drift / r.angular_scale, 1e-11);
}

TEST(RodBenchmark, TenTimesTheStepThatNewmarkSurvives) {
  const double step = largest_step("newmark");
  EXPECT_GT(step, 1e-4);
  EXPECT_LT(step, 0.005);  // or the problem says nothing
  RecordProperty("newmark_step", std::to_string(step));
  keeps_everything(waving("energy-momentum-exact", 10 * step, brief_run(10000)));
}

TEST(RodBenchmark, LongTenTimesTheStepThatNewmarkSurvives) {
  keeps_everything(waving("energy-momentum-exact", 10 * largest_step("newmark"), long_run(100000L, 2000L)));
}

}  // namespace run_rod_benchmark
}  // namespace trompo
