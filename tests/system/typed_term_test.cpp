// Typed energies as terms: over invariants they do what the bar written by hand does, and keep what it keeps.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/typed_measures.hpp"
#include "trompo/law/linear.hpp"
#include "trompo/law/potential.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/system/rule.hpp"

namespace trompo {
namespace {

using Kind = Rule::Kind;
constexpr double EA = 100, L = 1.7;

Formula formula(std::string_view text, std::span<const std::string_view> names) {
  return Formula(text, names, {{"EA", EA}, {"L", L}});
}
const ComposedMeasure<6, 1> typed_bar(formula("EA*L/2*((sqrt(s) - L)/L)^2", property::one_name),
                                      {formula(property::squared_length, property::two_points)});

template <int N, class Check>
void over_steps(const Check& check) {
  std::srand(11);
  for (int i = 0; i < 100; ++i) {
    Vec<N> c0 = Vec<N>::Random();
    c0.template tail<3>() += Vec3(1.5, 1, 0.3);
    check(c0, Vec<N>(c0 + 0.2 * Vec<N>::Random()));
  }
}

TEST(TypedTerm, OverTheSquaredLengthIsTheBarWrittenByHand) {
  const EngineeringStrain strain(L);
  const LinearLaw law(EA * L);
  for (const Kind kind : {Kind::secant, Kind::midpoint, Kind::quartic, Kind::gonzalez, Kind::mean_value, Kind::itoh_abe})
    over_steps<6>([&](const Vec<6>& c0, const Vec<6>& c1) {
      const Rule rule{.kind = kind, .old_weight = 0.5};
      // quotients of differences: in s, and coordinate by coordinate
      const double allowed = (kind == Kind::itoh_abe || kind == Kind::secant ? 1e-9 : 1e-11) * EA;
      EXPECT_LE((force_between(rule, typed_bar, PotentialLaw{}, c0, c1) - force_between(rule, strain, law, c0, c1)).norm(),
                1e-12 * EA)
          << static_cast<int>(kind);
      EXPECT_LE((tangent_between(rule, typed_bar, PotentialLaw{}, c0, c1) - tangent_between(rule, strain, law, c0, c1)).norm(),
                allowed)
          << static_cast<int>(kind);
    });
}

// A bar that turns and keeps its length: the difference quotient in s has nothing to divide by.
TEST(TypedTerm, TurnsWithoutChangeOfLength) {
  const EngineeringStrain strain(L);
  const LinearLaw law(EA * L);
  for (const double l : {L, L * (1 + 1e-14), 1.001 * L})
    for (const double angle : {1e-8, 1e-3, 0.1, 1.0}) {
      const Vec3 r0 = l * Vec3(1, 2, -0.5).normalized();
      const Mat3 turn = Eigen::AngleAxisd(angle, Vec3(0.3, -0.2, 1).normalized()).toRotationMatrix();
      Vec<6> c0, c1;
      c0 << Vec3(0.1, 0.2, 0.3), Vec3(0.1, 0.2, 0.3) + r0;
      c1 << Vec3(0.4, 0.2, 0.1), Vec3(0.4, 0.2, 0.1) + turn * r0;
      const Rule rule{.kind = Kind::secant, .old_weight = 0.5};
      EXPECT_LE((force_between(rule, typed_bar, PotentialLaw{}, c0, c1) - force_between(rule, strain, law, c0, c1)).norm(),
                1e-11 * EA);
      EXPECT_LE((tangent_between(rule, typed_bar, PotentialLaw{}, c0, c1) - tangent_between(rule, strain, law, c0, c1)).norm(),
                1e-9 * EA);
    }
}

// Work of the change of energy, no resultant, no moment about the mid configuration.
template <int N, class M>
void keeps_all(const M& measure) {
  over_steps<N>([&](const Vec<N>& c0, const Vec<N>& c1) {
    const Rule rule{.kind = Kind::secant, .old_weight = 0.5};
    const Vec<N> f = force_between(rule, measure, PotentialLaw{}, c0, c1), middle = 0.5 * (c0 + c1);
    Vec3 resultant = Vec3::Zero(), moment = Vec3::Zero();
    for (int i = 0; i < N; i += 3) {
      resultant += f.template segment<3>(i);
      moment += Vec3(middle.template segment<3>(i)).cross(Vec3(f.template segment<3>(i)));
    }
    const double w0 = measure.value(c0)[0], w1 = measure.value(c1)[0], size = 1e-15 * (1 + f.norm()) * (1 + middle.norm());
    EXPECT_LE(std::abs(f.dot(c1 - c0) - (w1 - w0)), 16 * size + 1e-15 * (w0 + w1));
    EXPECT_LE(resultant.norm(), 16 * size);
    EXPECT_LE(moment.norm(), 16 * size);
  });
}
TEST(TypedTerm, OverInvariantsKeepsEnergyAndMomenta) {
  keeps_all<6>(typed_bar);
  keeps_all<12>(property::TypedHinge());
}

// Over raw coordinates only the energy is kept; this is what invariants are for.
TEST(TypedTerm, OverRawCoordinatesKeepsEnergyOnly) {
  const FormulaMeasure<6> raw(std::make_shared<const Formula>(
      formula("EA*L/2*((sqrt((b.x-a.x)^2 + (b.y-a.y)^2 + (b.z-a.z)^2) - L)/L)^2", property::two_points)));
  double worst = 0;
  over_steps<6>([&](const Vec<6>& c0, const Vec<6>& c1) {
    const Vec<6> f = force_between({.kind = Kind::secant}, raw, PotentialLaw{}, c0, c1);
    EXPECT_NEAR(f.dot(c1 - c0), (raw.value(c1) - raw.value(c0))[0], 1e-12);
    worst = std::max(worst, (f.head<3>() + f.tail<3>()).norm());
  });
  EXPECT_GT(worst, 1e-3);
}

// An anchor far from the origin does not cost digits.
TEST(TypedTerm, SquaredDistanceToAFarAnchorKeepsItsDigits) {
  constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
  const Formula distance("(x - 3000)^2 + (y + 4000)^2 + z^2", names);
  ASSERT_EQ(distance.degree(), 2);
  const QuadraticForm<3> form(distance);
  const Vec3 c(3000.25, -4000.5, 0.125);
  double value = 0;
  Vec3 gradient;
  form.expand(c, value, gradient);
  EXPECT_NEAR(value, 0.25 * 0.25 + 0.5 * 0.5 + 0.125 * 0.125, 1e-11);
  EXPECT_LE((gradient - Vec3(0.5, -1, 0.25)).norm(), 1e-11);
  const QuadraticForm<3> line(Formula("2*x - y + 1", names));
  line.expand(c, value, gradient);
  EXPECT_EQ(value, 2 * c[0] - c[1] + 1);
  EXPECT_EQ(gradient, Vec3(2, -1, 0));
}

}  // namespace
}  // namespace trompo
