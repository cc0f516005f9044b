// Losing energy by a theorem over many steps, beside generalised alpha and the secant: the stiff pendulum and a rod in flight.
// The stiff bar that turns is in decay_test.cpp.
#include <gtest/gtest.h>

#include "tests/long_run.hpp"
#include "tests/reference_cases.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace scheme_decay_long {

RunResult by(Model model, const char* scheme, double rho) {
  model.time.scheme = scheme;
  model.time.parameters = {{"rho_infinity", rho}};
  return run(model);
}

// Without weight its bar is pulled alike all the time: what the start vibrates is lost, 5.83e-6 J, and nothing after.
TEST(EnergyDecay, LongTheStiffPendulumLosesItsVibrationAlone) {
  const Model model = reference_cases::pendulum(1e10, 0, 0.1, long_run(100000L, 5000L));
  const RunResult decay = by(model, "energy-decay", 0.8), exact = by(model, "energy-momentum-exact", 1);
  ASSERT_EQ(decay.status, Status::done);
  ASSERT_EQ(exact.status, Status::done);
  EXPECT_EQ(decay.retries, 0);
  EXPECT_NEAR(decay.total.initial - decay.total.final, 5.83e-6, 0.01e-6);
  EXPECT_LE(decay.total.max, decay.total.initial + 1e-12 * decay.ledger.scale());
  EXPECT_LE(std::abs(decay.ledger.residual()), 1e-11 * decay.ledger.scale());
  EXPECT_LE(exact.total.max - exact.total.min, 1e-11 * exact.ledger.scale());
  EXPECT_NE(by(model, "generalized-alpha-1", 0.8).status, Status::done);  // it blows up after some 15 s
}

const char* const rod = R"(
[[rod]]
name = "rod"
from = [0, 0, 0]
to = [6, 0, 0]
elements = 4
orientation = [0, 1, 0]
EA = 1e4
GA = 1e4
GJ = 500
EI = 500
density = 1
rotary_inertia = 1
velocity_along = [0.5, "0.1*s", "0.05*s^2"]
angular_velocity_along = [0, "-0.1*s", 0.1]
[time]
step = 0.05
steps = 1
scheme = "energy-decay"
)";

TEST(EnergyDecay, LongARodFliesOn) {
  Model model = parse_model(rod, "rod");
  model.time.steps = long_run(100000L, 600L);
  const RunResult decay = by(model, "energy-decay", 0.8), exact = by(model, "energy-momentum-exact", 1);
  for (const RunResult* r : {&decay, &exact}) {
    ASSERT_EQ(r->status, Status::done) << r->failure.dossier();
    EXPECT_LE(r->linear_drift, 1e-9 * r->linear_scale);
    EXPECT_LE(r->angular_drift, 1e-9 * r->angular_scale);
    EXPECT_LE(std::abs(r->ledger.residual()), 1e-10 * r->ledger.scale());
    EXPECT_LE(r->total.max, r->total.initial + 1e-10 * r->ledger.scale());
  }
  EXPECT_GT(decay.ledger.numerical(), 1e-5 * decay.ledger.scale());
  EXPECT_LE(exact.total.max - exact.total.min, 1e-10 * exact.ledger.scale());
  const RunResult alpha = by(model, "generalized-alpha-1", 0.8);
  if (alpha.status == Status::done) {
    EXPECT_GT(alpha.angular_drift, 1e-7 * alpha.angular_scale);
  }
}

}  // namespace scheme_decay_long
}  // namespace trompo
