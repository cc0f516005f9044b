// Every law over random strains: stress and stiffness as derivatives, the secant stress and its derivative.
#include "tests/random_states.hpp"
#include "trompo/law/linear.hpp"
#include "trompo/law/tension_only.hpp"
#include "trompo/law/weight.hpp"

namespace trompo {
namespace {

using namespace property;

template <class L>
class LawTest : public testing::Test {};
using Laws = testing::Types<LinearLaw, TensionOnlyLaw, WeightLaw>;
TYPED_TEST_SUITE(LawTest, Laws);

using R = Vec<1>;
constexpr double width = 3;    // strains are drawn from -width to width
constexpr double kink = 1e-2;  // and kept this far from zero where a finite difference would meet the cable's corner
constexpr double h = 1e-3;

template <class L>
L law() {
  return L(magnitude(1e-2, 1e10));
}
template <class L>
double modulus(const L& l) {
  if constexpr (requires { l.k; })
    return l.k;
  else
    return l.w;
}
bool same_side(double a, double b) { return std::min(std::abs(a), std::abs(b)) > kink && (a > 0) == (b > 0); }

TYPED_TEST(LawTest, StressIsTheDerivativeOfTheEnergy) {
  rc::detail::checkGTest([] {
    const auto l = law<TypeParam>();
    const R r = box<1>(width);
    RC_PRE(std::abs(r[0]) > kink);
    within((l.stress(r) - difference<1>([&](const R& x) { return R(l.energy(x)); }, r, h)).norm(), 1e-9 * modulus(l));
  });
}

TYPED_TEST(LawTest, StiffnessIsTheDerivativeOfTheStress) {
  rc::detail::checkGTest([] {
    const auto l = law<TypeParam>();
    const R r = box<1>(width);
    RC_PRE(std::abs(r[0]) > kink);
    within((l.stiffness(r) - difference<1>([&](const R& x) { return R(l.stress(x)); }, r, h)).norm(), 1e-9 * modulus(l));
  });
}

TYPED_TEST(LawTest, SecantStressDoesTheWorkOfTheEnergy) {
  rc::detail::checkGTest([] {
    const auto l = law<TypeParam>();
    const R r0 = box<1>(width), r1 = box<1>(width);
    const double W0 = l.energy(r0), W1 = l.energy(r1);
    // energies are rounded, and so is the difference of the strains
    within(std::abs(l.secant_stress(r0, r1).dot(r1 - r0) - (W1 - W0)),
           4 * epsilon * (W0 + W1 + modulus(l) * (std::abs(r0[0]) + std::abs(r1[0]))));
  });
}

// The difference of energies has no digits left here; the mean of the stress along the way has all of them.
TYPED_TEST(LawTest, SecantStressIsTheMeanStressOfATinyStep) {
  rc::detail::checkGTest([] {
    const auto l = law<TypeParam>();
    const R r0 = box<1>(width);
    const R r1 = r0 + R(either_sign(magnitude(1e-12, 1e-1)));
    RC_PRE(same_side(r0[0], r1[0]));
    const R along = mean([&](double t) { return l.stress(r0 + t * (r1 - r0)); });
    within((l.secant_stress(r0, r1) - along).norm(), 8 * epsilon * modulus(l) * (1 + std::abs(r0[0])));
  });
}

TYPED_TEST(LawTest, SecantOfNothingIsTheLawItself) {
  rc::detail::checkGTest([] {
    const auto l = law<TypeParam>();
    const R r = box<1>(width);
    RC_PRE(std::abs(r[0]) > kink);
    within((l.secant_stress(r, r) - l.stress(r)).norm(), 2 * epsilon * modulus(l) * (1 + std::abs(r[0])));
    within((l.secant_stiffness(r, r) - 0.5 * l.stiffness(r)).norm(), 2 * epsilon * modulus(l));
  });
}

TYPED_TEST(LawTest, SecantStressDoesNotCareWhichEndIsFirst) {
  rc::detail::checkGTest([] {
    const auto l = law<TypeParam>();
    const R r0 = box<1>(width), r1 = box<1>(width);
    within((l.secant_stress(r0, r1) - l.secant_stress(r1, r0)).norm(), 4 * epsilon * modulus(l) * (1 + width));
  });
}

TYPED_TEST(LawTest, SecantStiffnessIsTheDerivativeOfTheSecantStress) {
  rc::detail::checkGTest([] {
    const auto l = law<TypeParam>();
    const R r0 = box<1>(width);
    const R r1 = *rc::gen::arbitrary<bool>() ? box<1>(width) : R(r0 + R(either_sign(magnitude(1e-12, 1e-1))));
    RC_PRE(std::min(std::abs(r0[0]), std::abs(r1[0])) > kink);
    // across the corner the cable's secant bends within the distance of the two ends from it
    const double step = 1e-2 * std::min({std::abs(r0[0]), std::abs(r1[0]), 0.1});
    within((l.secant_stiffness(r0, r1) - difference<1>([&](const R& x) { return R(l.secant_stress(r0, x)); }, r1, step)).norm(),
           1e-8 * modulus(l));
  });
}

// One end slack: the energy of the taut end is exact, so the identity holds to the last digits however short the taut part.
TEST(TensionOnlyLaw, CrossesTheCornerExactly) {
  rc::detail::checkGTest([] {
    const auto l = law<TensionOnlyLaw>();
    const R taut(magnitude(1e-12, 1)), slack(-magnitude(1e-12, 1));
    const double W = l.energy(taut);
    RC_ASSERT(l.energy(slack) == 0);
    RC_ASSERT(l.stress(slack)[0] == 0);
    within(std::abs(l.secant_stress(slack, taut).dot(taut - slack) - W), 4 * epsilon * W);
    within(std::abs(l.secant_stress(taut, slack).dot(slack - taut) + W), 4 * epsilon * W);
  });
}

TEST(TensionOnlyLaw, IsTheLinearLawWhileTaut) {
  rc::detail::checkGTest([] {
    const auto cable = law<TensionOnlyLaw>();
    const LinearLaw bar(cable.k);
    const R r0(magnitude(1e-9, 1)), r1(magnitude(1e-9, 1));
    RC_ASSERT(cable.energy(r0) == bar.energy(r0));
    RC_ASSERT(cable.stress(r0) == bar.stress(r0));
    RC_ASSERT(cable.stiffness(r0) == bar.stiffness(r0));
    RC_ASSERT(cable.secant_stress(r0, r1) == bar.secant_stress(r0, r1));
    RC_ASSERT(cable.secant_stiffness(r0, r1) == bar.secant_stiffness(r0, r1));
  });
}

// Small swings keep their digits: W = w r^2/2 to the order of r^4.
TEST(WeightLaw, KeepsTheDigitsOfSmallSwings) {
  rc::detail::checkGTest([] {
    const auto l = law<WeightLaw>();
    const R r(either_sign(magnitude(1e-9, 1e-3)));
    const double parabola = 0.5 * l.w * r[0] * r[0];
    within(std::abs(l.energy(r) - parabola), parabola * (r[0] * r[0] / 10 + 4 * epsilon));
  });
}

}  // namespace
}  // namespace trompo
