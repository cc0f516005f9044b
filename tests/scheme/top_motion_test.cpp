// The motion of the top as a whole: nutation and precession, by elliptic functions and by the linear theory of each scheme.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "tests/top_cases.hpp"

namespace trompo {
namespace scheme_top_motion {

using namespace top_case;

// Mean time between the passages of cos(tilt) through its mean, falling, and the azimuth of E won in between.
struct Nutation {
  double period, advance;
};
Nutation nutation(const Top& top, Rotation state, double h, double level, int wanted) {
  double before = to_space(state.orientation, Vec3::UnitZ()).z(), first = 0, last = 0, azimuth = 0, first_azimuth = 0;
  Vec3 axis = to_space(state.orientation, Vec3::UnitZ());
  int seen = 0;
  for (int i = 1; seen < wanted && i < 1000000; ++i) {
    EXPECT_TRUE(top.step(state, h).done());
    const Vec3 next = to_space(state.orientation, Vec3::UnitZ());
    const double turn = std::atan2(axis.x() * next.y() - axis.y() * next.x(), axis.x() * next.x() + axis.y() * next.y());
    if (before > level && next.z() <= level) {
      const double share = (before - level) / (before - next.z());
      last = (i - 1 + share) * h;
      if (++seen == 1) {
        first = last;
        first_azimuth = azimuth + share * turn;
      }
      if (seen == wanted) return {(last - first) / (wanted - 1), (azimuth + share * turn - first_azimuth) / (wanted - 1)};
    }
    azimuth += turn;
    before = next.z();
    axis = next;
  }
  ADD_FAILURE() << "too few nutations";
  return {0, 0};
}

// Richardson's step of two runs takes the error of second order away.
TEST(TopMotion, ConvergeToTheNutationAndPrecessionOfTheElliptic) {
  for (const auto& [name, h, tolerance] : {std::tuple{"fast", 4e-4, 2e-4}, std::tuple{"slow", 2e-3, 2e-4}}) {
    const Json& problem = reference()[name];
    const double level = 0.5 * (problem["cos_theta_range"][0].get<double>() + problem["cos_theta_range"][1].get<double>());
    for (const TopScheme scheme : {TopScheme::simo_projection, TopScheme::geradin_bauchau_momentum}) {
      const Top top = body(problem["data"], scheme);
      const Nutation coarse = nutation(top, beginning(problem["data"]), 2 * h, level, 4);
      const Nutation fine = nutation(top, beginning(problem["data"]), h, level, 4);
      const double T = problem["nutation_period"], advance = problem["precession_advance_per_nutation"];
      EXPECT_NEAR((4 * fine.period - coarse.period) / 3, T, tolerance * T) << name;
      EXPECT_NEAR((4 * fine.advance - coarse.advance) / 3, advance, tolerance * advance) << name;
    }
  }
}

// A nearly upright fast top: the phase of its nutation in one step, by the formulas of the linear theory.
TEST(TopMotion, NutateNearTheVerticalByTheLinearFormulas) {
  const double J1 = 5, J3 = 1, spin = 50, h = 0.02, s = spin * h, r = 1 - J3 / J1, q = 2 * std::asin(s / 2);
  const std::map<TopScheme, double> phase{
      {TopScheme::simo_wong, s - 2 * std::atan(r * std::tan(s / 2))},
      {TopScheme::simo_collocation, s - 2 * std::atan(r * std::tan(s / 2))},
      {TopScheme::simo_projection, s - 2 * std::atan(r * std::tan(s / 2))},
      {TopScheme::geradin_bauchau_momentum, q - 2 * std::atan(r * std::tan(q / 2))},
      {TopScheme::geradin_bauchau, q - 2 * std::atan(r * s / 2)},
      {TopScheme::euler_poisson_midpoint, 2 * std::atan(s / 2) - 2 * std::atan(r * s / 2)},
  };
  // Without weight the transverse velocity, seen from space, turns by just this angle.
  for (const TopScheme scheme : all) {
    const Top top(Vec3(J1, J1, J3).asDiagonal().toDenseMatrix(), {.weight = 1e-9}, scheme);
    Rotation state{Quaternion::Identity(), {1e-6, 0, spin}};
    double turned = 0;
    const int steps = 20;
    for (int i = 0; i < steps; ++i) {
      const Vec3 old = to_space(state.orientation, Vec3(state.angular_velocity.x(), state.angular_velocity.y(), 0));
      ASSERT_TRUE(top.step(state, h).done());
      const Vec3 now = to_space(state.orientation, Vec3(state.angular_velocity.x(), state.angular_velocity.y(), 0));
      turned += std::atan2(old.x() * now.y() - old.y() * now.x(), old.x() * now.x() + old.y() * now.y());
    }
    EXPECT_NEAR(turned / steps, phase.at(scheme), 1e-6) << claims(scheme).code;
  }
}

// A very fast top precesses at Mgl/(J3 Om3) times a factor that is the scheme's own. The axis is where steady precession would
// have it; what is left of nutation is small.
TEST(TopMotion, PrecedeByTheLinearFormulas) {
  const double spin = 5000, s = 1, h = s / spin, weight = 20, r = weight / spin, c = std::sqrt(1 - s * s / 4);
  const std::map<TopScheme, double> factor{
      {TopScheme::simo_wong, 1},
      {TopScheme::simo_collocation, 1},
      {TopScheme::simo_projection, std::sin(s / 2) / (s / 2)},
      {TopScheme::geradin_bauchau_momentum, 1},
      {TopScheme::geradin_bauchau, c * 1 / (5 - 4 * c)},
      {TopScheme::euler_poisson_midpoint, 1 / (1 + s * s / 4)},
  };
  for (const TopScheme scheme : all) {
    const Top top(Vec3(5, 5, 1).asDiagonal().toDenseMatrix(), {.weight = weight}, scheme);
    Rotation state{exponential_quaternion({0.3, 0, 0}), {0, r * std::sin(0.3), spin}};
    const int steps = 20000;
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(top.step(state, h).done());
    const Vec3 axis = to_space(state.orientation, Vec3::UnitZ());
    EXPECT_NEAR(std::atan2(axis.x(), -axis.y()) / (steps * h * r), factor.at(scheme), 1e-3) << claims(scheme).code;
  }
}

TEST(TopMotion, PrecedeSteadilyAtTheRateOfTheSteadyTop) {
  const Json& problem = reference()["steady_precession"];
  for (const TopScheme scheme : {TopScheme::simo_projection, TopScheme::geradin_bauchau_momentum}) {
    const Top top = body(problem["data"], scheme);
    std::array<double, 2> rate{};
    for (const std::size_t i : {0U, 1U}) {
      const int steps = i == 0 ? 2000 : 4000;
      Rotation state = beginning(problem["data"]);
      for (int k = 0; k < steps; ++k) ASSERT_TRUE(top.step(state, 2.0 / steps).done());
      const Vec3 axis = to_space(state.orientation, Vec3::UnitZ());
      rate[i] = std::atan2(axis.x(), -axis.y()) / 2;
    }
    EXPECT_NEAR((4 * rate[1] - rate[0]) / 3, problem["precession_rate"].get<double>(), 1e-7);
  }
}

}  // namespace scheme_top_motion
}  // namespace trompo
