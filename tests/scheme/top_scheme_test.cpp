// Six schemes for a body with a fixed point: stored states, order, what each keeps, where each ends.
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

#include "tests/long_run.hpp"
#include "tests/top_cases.hpp"

namespace trompo {
namespace scheme_top_scheme {

using namespace top_case;

class TopReference : public testing::TestWithParam<const char*> {};

TEST_P(TopReference, StoredStatesAreMet) {
  const Json &problem = reference()[GetParam()], &data = problem["data"];
  for (const TopScheme scheme : all) {
    const TopClaims claim = claims(scheme);
    if (!problem["runs"].contains(claim.code)) continue;
    const Json& run = problem["runs"][claim.code];
    const Top top = body(data, scheme);
    Rotation state = beginning(data);
    const double energy = top.energy(state), momentum = top.momentum(state).z(), spin = state.angular_velocity.z();
    std::size_t stored = 0;
    for (int step = 1; step <= data["steps"].get<int>(); ++step) {
      const TopStep done = top.step(state, data["dt"]);
      ASSERT_TRUE(done.done()) << claim.code << " step " << step;
      if (scheme == TopScheme::simo_collocation) {
        EXPECT_NEAR(done.alpha, run["alpha"][static_cast<std::size_t>(step - 1)].get<double>(), 1e-9) << "step " << step;
      }
      if (scheme == TopScheme::simo_projection) {
        EXPECT_NEAR(top.energy(state), energy, 1e-12 * energy);
      }
      if (run["states"][stored]["step"] != step) continue;
      const Json& expected = run["states"][stored++];
      const Vec3 Om = vector(expected["Om"]);
      EXPECT_LE((to_matrix(state.orientation) - matrix(expected["Lam"])).cwiseAbs().maxCoeff(), 1e-9)
          << claim.code << " step " << step;
      EXPECT_LE((state.angular_velocity - Om).norm(), 1e-9 * Om.norm()) << claim.code << " step " << step;
      EXPECT_NEAR(top.energy(state), expected["H"].get<double>(), 1e-9 * energy);
      EXPECT_NEAR(top.momentum(state).z(), expected["gamma_dot_pi"].get<double>(), 1e-9 * momentum);
      if (claim.energy) {
        EXPECT_NEAR(top.energy(state), energy, 1e-13 * energy) << claim.code;
      }
      if (claim.momentum) {
        EXPECT_NEAR(top.momentum(state).z(), momentum, 1e-13 * momentum) << claim.code;
      }
      if (claim.spin) {
        EXPECT_NEAR(state.angular_velocity.z(), spin, 1e-13 * spin) << claim.code;
      }
    }
    EXPECT_EQ(stored, run["states"].size());
  }
}
INSTANTIATE_TEST_SUITE_P(Top, TopReference, testing::Values("fast", "fast_large_step", "slow", "steady_precession"));

// --- what every scheme is asked for, with any body and any potential ---

// The exact equations, by the classical method of fourth order on the quaternion.
Rotation exact(const Top& top, Rotation state, double time, int steps) {
  const double h = time / steps;
  using Y = Vec<7>;
  const auto rate = [&](const Y& y) {
    const Rotation s{Quaternion(Vec<4>(y.head<4>())).normalized(), y.tail<3>()};
    const Vec3 half = 0.5 * s.angular_velocity;
    Y d;
    d << (Quaternion(Vec<4>(y.head<4>())) * Quaternion(0, half.x(), half.y(), half.z())).coeffs(), top.acceleration(s);
    return d;
  };
  Y y;
  y << state.orientation.coeffs(), state.angular_velocity;
  for (int i = 0; i < steps; ++i) {
    const Y a = rate(y), b = rate(y + 0.5 * h * a), c = rate(y + 0.5 * h * b), d = rate(y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return {Quaternion(Vec<4>(y.head<4>())).normalized(), y.tail<3>()};
}

double error_after_one_second(TopScheme scheme, int steps, const Rotation& truth) {
  const Top top(skewed_inertia(), tilted_wave(), scheme);
  Rotation state = thrown();
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(top.step(state, 1.0 / steps).done());
  return (to_matrix(state.orientation) - to_matrix(truth.orientation)).norm() +
         (state.angular_velocity - truth.angular_velocity).norm();
}

TEST(TopSchemes, AreOfSecondOrder) {
  const Rotation truth = exact(Top(skewed_inertia(), tilted_wave(), all[0]), thrown(), 1, 4000);
  for (const TopScheme scheme : all) {
    const double coarse = error_after_one_second(scheme, 200, truth), fine = error_after_one_second(scheme, 800, truth);
    EXPECT_NEAR(0.5 * std::log2(coarse / fine), 2, scheme == TopScheme::simo_collocation ? 0.3 : 0.06) << claims(scheme).code;
  }
  // Away from its middle the torque is of first order.
  const Top end(skewed_inertia(), tilted_wave(), TopScheme::simo_wong, {}, 1.0);
  std::array<double, 2> error{};
  for (const std::size_t i : {0U, 1U}) {
    Rotation state = thrown();
    const int steps = i == 0 ? 200 : 800;
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(end.step(state, 1.0 / steps).done());
    error[i] = (state.angular_velocity - truth.angular_velocity).norm();
  }
  EXPECT_NEAR(0.5 * std::log2(error[0] / error[1]), 1, 0.1);
}

// The largest relative change over a run of the energy, of the momentum about gamma (or as a vector, of a free body) and of the
// spin about E.
struct Drift {
  double energy = 0, momentum = 0, spin = 0, iterations = 0;
  int failures = 0;
};
Drift drift(const Mat3& J, const AxialPotential& V, TopScheme scheme, Rotation state, double h, int steps) {
  const Top top(J, V, scheme);
  const bool free = V.weight == 0 && V.curve == nullptr;
  const double energy = top.energy(state), spin = V.E.dot(J * state.angular_velocity);
  const Vec3 momentum = top.momentum(state);
  Drift drift;
  for (int i = 0; i < steps; ++i) {
    const TopStep step = top.step(state, h);
    if (!step.done()) ++drift.failures;
    drift.iterations += step.newton.iterations / static_cast<double>(steps);
    const Vec3 change = top.momentum(state) - momentum;
    drift.energy = std::max(drift.energy, std::abs(top.energy(state) - energy) / std::abs(energy));
    drift.momentum = std::max(drift.momentum, (free ? change.norm() : std::abs(V.gamma.dot(change))) / momentum.norm());
    drift.spin = std::max(drift.spin, std::abs(V.E.dot(J * state.angular_velocity) - spin) / std::abs(spin));
  }
  return drift;
}

// What is claimed is there, what is not claimed is not.
void holds(bool claimed, double drift, const char* what, TopScheme scheme) {
  if (claimed)
    EXPECT_LE(drift, 2e-13) << what << ' ' << claims(scheme).code;
  else
    EXPECT_GE(drift, 1e-9) << what << ' ' << claims(scheme).code;
}

TEST(TopSchemes, KeepWhatTheyClaimOfAnyBodyInAnyPotential) {
  for (const TopScheme scheme : all) {
    const Drift d = drift(skewed_inertia(), tilted_wave(), scheme, thrown(), 0.05, 2000);
    EXPECT_EQ(d.failures, 0) << claims(scheme).code;
    holds(claims(scheme).energy, d.energy, "energy", scheme);
    holds(claims(scheme).momentum, d.momentum, "momentum", scheme);
  }
}

TEST(TopSchemes, KeepWhatTheyClaimOfTheSymmetricTop) {
  const Vec3 n = Vec3(2, 1, 2).normalized();
  const Mat3 J = 5 * Mat3::Identity() - 4 * n * n.transpose();
  for (const TopScheme scheme : all) {
    const Drift d = drift(J, tilted_wave(), scheme, thrown(), 0.05, 2000);
    EXPECT_EQ(d.failures, 0) << claims(scheme).code;
    holds(claims(scheme).energy, d.energy, "energy", scheme);
    holds(claims(scheme).momentum, d.momentum, "momentum", scheme);
    holds(claims(scheme).spin, d.spin, "spin", scheme);
  }
}

// Without a torque all keep the energy, and all but one the momentum as a vector of space.
TEST(TopSchemes, KeepEnergyAndMomentumOfTheFreeAsymmetricBody) {
  for (const TopScheme scheme : all) {
    const Drift d = drift(skewed_inertia(), {}, scheme, thrown(), 0.1, 2000);
    EXPECT_EQ(d.failures, 0) << claims(scheme).code;
    holds(true, d.energy, "energy", scheme);
    holds(claims(scheme).momentum, d.momentum, "momentum", scheme);
  }
}

TEST(TopSchemes, SimoWongMissesTheEnergyByItsFormula) {
  const Json& data = reference()["slow"]["data"];
  const Top top = body(data, TopScheme::simo_wong);
  Rotation state = beginning(data);
  const AxialPotential V = gravity(data);
  const auto height = [&](const Rotation& s) { return to_space(s.orientation, V.E).dot(V.gamma); };
  for (int i = 0; i < 200; ++i) {
    const Rotation old = state;
    const TopStep step = top.step(state, data["dt"]);
    ASSERT_TRUE(step.done());
    const double dV = V.weight * (height(state) - height(old));
    EXPECT_NEAR(top.energy(state) - top.energy(old), dV * (1 - 1 / step.kappa), 1e-12 * top.energy(state));
  }
}

// One step and the same step back: none of them knows the direction of time.
TEST(TopSchemes, ComeBackWithTheTimeReversed) {
  for (const TopScheme scheme : all) {
    const Top top(skewed_inertia(), tilted_wave(), scheme);
    Rotation state = thrown();
    for (const double h : {0.05, -0.05}) ASSERT_TRUE(top.step(state, h).done());
    EXPECT_LE((state.angular_velocity - thrown().angular_velocity).norm(), 1e-14) << claims(scheme).code;
    EXPECT_LE((state.orientation.coeffs() - thrown().orientation.coeffs()).norm(), 1e-15) << claims(scheme).code;
  }
}

TEST(TopSchemes, TakeTheSameStepWithTheTangentKept) {
  NewtonOptions kept;
  kept.modified = true;
  for (const TopScheme scheme : all) {
    Rotation exact = thrown(), modified = thrown();
    ASSERT_TRUE(Top(skewed_inertia(), tilted_wave(), scheme).step(exact, 0.05).done());
    const TopStep step = Top(skewed_inertia(), tilted_wave(), scheme, kept).step(modified, 0.05);
    ASSERT_TRUE(step.done()) << claims(scheme).code;
    EXPECT_LE((modified.angular_velocity - exact.angular_velocity).norm(), 1e-10) << claims(scheme).code;
  }
}

// --- ends ---

TEST(TopSchemes, HalfRotationsEndBeyondTheirReachAndLeaveTheState) {
  for (const TopScheme scheme : all) {
    const bool half = scheme == TopScheme::geradin_bauchau || scheme == TopScheme::geradin_bauchau_momentum;
    for (const double turn : {1.8, 2.02, 2.5, 3.5, 5.0, 40.0}) {
      const Top top(Vec3(5, 5, 1).asDiagonal().toDenseMatrix(), {.weight = 20}, scheme);
      const Rotation before{exponential_quaternion({0.3, 0, 0}), {0, 0, 50}};
      Rotation state = before;
      const TopStep step = top.step(state, turn / 50);
      if (half && turn > 2) {
        EXPECT_EQ(step.end, TopStepEnd::beyond_reach) << claims(scheme).code << ' ' << turn;
      } else if (turn <= 5) {
        EXPECT_TRUE(step.done()) << claims(scheme).code << ' ' << turn;
      }
      if (!step.done()) {
        EXPECT_EQ(state.orientation.coeffs(), before.orientation.coeffs());
        EXPECT_EQ(state.angular_velocity, before.angular_velocity);
      }
      EXPECT_TRUE(state.angular_velocity.allFinite() && state.orientation.coeffs().allFinite());
    }
  }
}

TEST(TopSchemes, RefuseWhatIsNoBody) {
  const AxialPotential V;
  EXPECT_THROW(Top(Vec3(1, -1, 1).asDiagonal().toDenseMatrix(), V, all[0]), std::invalid_argument);
  Mat3 lopsided = Mat3::Identity();
  lopsided(0, 1) = 0.1;
  EXPECT_THROW(Top(lopsided, V, all[0]), std::invalid_argument);
  EXPECT_THROW(Top(Mat3::Identity(), V, all[0], {}, 1.5), std::invalid_argument);
}

TEST(TopSchemes, RestAndNoTimeAtAll) {
  for (const TopScheme scheme : all) {
    const Top top(skewed_inertia(), {}, scheme);
    Rotation still{exponential_quaternion({0.1, 0.2, 0.3}), Vec3::Zero()};
    ASSERT_TRUE(top.step(still, 0.1).done()) << claims(scheme).code;
    EXPECT_EQ(still.angular_velocity, Vec3::Zero());
    Rotation moving = thrown();
    EXPECT_FALSE(top.step(moving, 0).done());
    EXPECT_EQ(moving.angular_velocity, thrown().angular_velocity);
  }
}

// --- a million steps ---

class LongTop : public testing::TestWithParam<TopScheme> {};

TEST_P(LongTop, KeepsItsIntegralsOverAMillionSteps) {
  const TopScheme scheme = GetParam();
  const Json& data = reference()["slow"]["data"];
  const Mat3 J = vector(data["J"]).asDiagonal();
  const Drift d = drift(J, gravity(data), scheme, beginning(data), 0.02, long_run(1000000, 50000));
  const TopClaims claim = claims(scheme);
  EXPECT_EQ(d.failures, 0);
  EXPECT_LE(d.iterations, 3.2);
  if (claim.energy) {
    EXPECT_LE(d.energy, 1e-11);
  }
  if (claim.momentum) {
    EXPECT_LE(d.momentum, 1e-11);
  }
  if (claim.spin) {
    EXPECT_LE(d.spin, 1e-11);
  }
}
INSTANTIATE_TEST_SUITE_P(LongTop, LongTop, testing::ValuesIn(all),
                         [](const auto& test) { return std::string(claims(test.param).code); });

}  // namespace scheme_top_scheme
}  // namespace trompo
