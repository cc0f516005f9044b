// Typed energies as terms: over invariants they do what the bar written by hand does, and keep what it keeps.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/terms.hpp"
#include "tests/typed_measures.hpp"
#include "trompo/measure/bar_strain.hpp"

namespace trompo {
namespace system_typed_term {

using property::force_between;
using property::tangent_between;
using property::Term;
using Kind = Rule::Kind;
constexpr double EA = 100, L = 1.7;

Formula formula(std::string_view text, std::span<const std::string_view> names) {
  return Formula(text, names, {{"EA", EA}, {"L", L}});
}
const ComposedMeasure typed_energy(formula("EA*L/2*((sqrt(s) - L)/L)^2", property::one_name),
                                   {formula(property::squared_length, property::two_points)}, 6);
const EngineeringStrain strain(L);
const Term typed_bar(view(typed_energy), potential_law, 1), bar_by_hand(view(strain), linear_law, EA*L);

template <class Check>
void over_steps(int n, const Check& check) {
  std::srand(11);
  for (int i = 0; i < 100; ++i) {
    VecX c0 = VecX::Random(n);
    c0.tail<3>() += Vec3(1.5, 1, 0.3);
    check(c0, VecX(c0 + 0.2 * VecX::Random(n)));
  }
}

TEST(TypedTerm, OverTheSquaredLengthIsTheBarWrittenByHand) {
  for (const Kind kind : {Kind::secant, Kind::midpoint, Kind::quartic, Kind::gonzalez, Kind::mean_value, Kind::itoh_abe})
    over_steps(6, [&](const VecX& c0, const VecX& c1) {
      const Rule rule{.kind = kind, .old_weight = 0.5};
      // quotients of differences: in s, and coordinate by coordinate
      const double allowed = (kind == Kind::itoh_abe || kind == Kind::secant ? 1e-9 : 1e-11) * EA;
      EXPECT_LE((force_between(rule, typed_bar, c0, c1) - force_between(rule, bar_by_hand, c0, c1)).norm(), 1e-12 * EA)
          << static_cast<int>(kind);
      EXPECT_LE((tangent_between(rule, typed_bar, c0, c1) - tangent_between(rule, bar_by_hand, c0, c1)).norm(), allowed)
          << static_cast<int>(kind);
    });
}

// A bar that turns and keeps its length: the difference quotient in s has nothing to divide by.
TEST(TypedTerm, TurnsWithoutChangeOfLength) {
  for (const double l : {L, L * (1 + 1e-14), 1.001 * L})
    for (const double angle : {1e-8, 1e-3, 0.1, 1.0}) {
      const Vec3 r0 = l * Vec3(1, 2, -0.5).normalized();
      const Mat3 turn = Eigen::AngleAxisd(angle, Vec3(0.3, -0.2, 1).normalized()).toRotationMatrix();
      Vec<6> c0, c1;
      c0 << Vec3(0.1, 0.2, 0.3), Vec3(0.1, 0.2, 0.3) + r0;
      c1 << Vec3(0.4, 0.2, 0.1), Vec3(0.4, 0.2, 0.1) + turn * r0;
      const Rule rule{.kind = Kind::secant, .old_weight = 0.5};
      EXPECT_LE((force_between(rule, typed_bar, c0, c1) - force_between(rule, bar_by_hand, c0, c1)).norm(), 1e-11 * EA);
      EXPECT_LE((tangent_between(rule, typed_bar, c0, c1) - tangent_between(rule, bar_by_hand, c0, c1)).norm(), 1e-9 * EA);
    }
}

// Work of the change of energy, no resultant, no moment about the mid configuration.
void keeps_all(const MeasureView& measure) {
  const int n = measure.n;
  const Term term(measure, potential_law, 1);
  over_steps(n, [&](const VecX& c0, const VecX& c1) {
    const Rule rule{.kind = Kind::secant, .old_weight = 0.5};
    const VecX f = force_between(rule, term, c0, c1), middle = 0.5 * (c0 + c1);
    Vec3 resultant = Vec3::Zero(), moment = Vec3::Zero();
    for (int i = 0; i < n; i += 3) {
      resultant += f.segment<3>(i);
      moment += Vec3(middle.segment<3>(i)).cross(Vec3(f.segment<3>(i)));
    }
    const double w0 = property::value(measure, c0)[0], w1 = property::value(measure, c1)[0];
    const double size = 1e-15 * (1 + f.norm()) * (1 + middle.norm());
    EXPECT_LE(std::abs(f.dot(c1 - c0) - (w1 - w0)), 16 * size + 1e-15 * (w0 + w1));
    EXPECT_LE(resultant.norm(), 16 * size);
    EXPECT_LE(moment.norm(), 16 * size);
  });
}
TEST(TypedTerm, OverInvariantsKeepsEnergyAndMomenta) {
  keeps_all(typed_bar.measure);
  const ComposedMeasure hinge = property::typed_hinge();
  keeps_all(view(hinge));
}

// Over raw coordinates only the energy is kept; this is what invariants are for.
TEST(TypedTerm, OverRawCoordinatesKeepsEnergyOnly) {
  const FormulaMeasure measure(std::make_shared<const Formula>(formula(
                                   "EA*L/2*((sqrt((b.x-a.x)^2 + (b.y-a.y)^2 + (b.z-a.z)^2) - L)/L)^2", property::two_points)),
                               6);
  const Term raw(view(measure), potential_law, 1);
  double worst = 0;
  over_steps(6, [&](const VecX& c0, const VecX& c1) {
    const VecX f = force_between({.kind = Kind::secant}, raw, c0, c1);
    EXPECT_NEAR(f.dot(c1 - c0), (property::value(raw.measure, c1) - property::value(raw.measure, c0))[0], 1e-12);
    worst = std::max(worst, (f.head<3>() + f.tail<3>()).norm());
  });
  EXPECT_GT(worst, 1e-3);
}

// An anchor far from the origin does not cost digits.
TEST(TypedTerm, SquaredDistanceToAFarAnchorKeepsItsDigits) {
  constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
  const Formula distance("(x - 3000)^2 + (y + 4000)^2 + z^2", names);
  ASSERT_EQ(distance.degree(), 2);
  const QuadraticForm form(distance, 3);
  const Vec3 c(3000.25, -4000.5, 0.125);
  ScratchRoom room(3);
  Vec3 gradient;
  double value = form.expand(c.data(), gradient.data(), room.scratch());
  EXPECT_NEAR(value, 0.25 * 0.25 + 0.5 * 0.5 + 0.125 * 0.125, 1e-11);
  EXPECT_LE((gradient - Vec3(0.5, -1, 0.25)).norm(), 1e-11);
  const QuadraticForm line(Formula("2*x - y + 1", names), 3);
  value = line.expand(c.data(), gradient.data(), room.scratch());
  EXPECT_EQ(value, 2 * c[0] - c[1] + 1);
  EXPECT_EQ(gradient, Vec3(2, -1, 0));
}

}  // namespace system_typed_term
}  // namespace trompo
