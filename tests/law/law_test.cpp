// Every law over random strains: stress and stiffness as derivatives, the secant stress and its derivative.
#include "trompo/law/law.hpp"

#include "tests/random_states.hpp"

namespace trompo {
namespace law_law {

using namespace property;

struct LawKind {
  const char* name;
  const Law* law;
};
class LawTest : public testing::TestWithParam<LawKind> {};
INSTANTIATE_TEST_SUITE_P(All, LawTest,
                         testing::Values(LawKind{"Linear", &linear_law}, LawKind{"TensionOnly", &tension_only_law},
                                         LawKind{"Weight", &weight_law}, LawKind{"Potential", &potential_law}),
                         [](const auto& kind) { return kind.param.name; });

constexpr double width = 3;    // strains are drawn from -width to width
constexpr double kink = 1e-2;  // and kept this far from zero where a finite difference would meet the cable's corner
constexpr double h = 1e-3;

// A law of one component.
struct One {
  const Law& law;
  double modulus = magnitude(1e-2, 1e10);

  [[nodiscard]] double energy(double r) const { return law.energy(&modulus, 1, &r); }
  [[nodiscard]] double stress(double r) const {
    double s = std::nan("");
    law.stress(&modulus, 1, {&r}, &s, nullptr, nullptr);
    return s;
  }
  [[nodiscard]] double stiffness(double r) const {
    double s = std::nan(""), d = s, of_rate = s;
    law.stress(&modulus, 1, {&r}, &s, &d, &of_rate);
    RC_ASSERT(s == stress(r));
    RC_ASSERT(of_rate == 0);
    return d;
  }
  [[nodiscard]] double secant_stress(double r0, double r1) const {
    double s = std::nan("");
    law.secant(&modulus, 1, &r0, &r1, &s, nullptr);
    return s;
  }
  [[nodiscard]] double secant_stiffness(double r0, double r1) const {
    double s = std::nan(""), d = s;
    law.secant(&modulus, 1, &r0, &r1, &s, &d);
    RC_ASSERT(s == secant_stress(r0, r1));
    return d;
  }
};

double any_strain() { return between(-width, width); }
template <class F>
double slope_of(const F& f, double r, double step) {
  return difference([&](const VecX& x) { return VecX(VecX::Constant(1, f(x[0]))); }, VecX::Constant(1, r), step)(0, 0);
}
bool same_side(double a, double b) { return std::min(std::abs(a), std::abs(b)) > kink && (a > 0) == (b > 0); }

TEST_P(LawTest, StressIsTheDerivativeOfTheEnergy) {
  rc::detail::checkGTest([] {
    const One l{*GetParam().law};
    const double r = any_strain();
    RC_PRE(std::abs(r) > kink);
    within(std::abs(l.stress(r) - slope_of([&](double x) { return l.energy(x); }, r, h)), 1e-9 * l.modulus);
  });
}

TEST_P(LawTest, StiffnessIsTheDerivativeOfTheStress) {
  rc::detail::checkGTest([] {
    const One l{*GetParam().law};
    const double r = any_strain();
    RC_PRE(std::abs(r) > kink);
    within(std::abs(l.stiffness(r) - slope_of([&](double x) { return l.stress(x); }, r, h)), 1e-9 * l.modulus);
  });
}

TEST_P(LawTest, SecantStressDoesTheWorkOfTheEnergy) {
  rc::detail::checkGTest([] {
    const One l{*GetParam().law};
    const double r0 = any_strain(), r1 = any_strain();
    const double W0 = l.energy(r0), W1 = l.energy(r1);
    // energies are rounded, and so is the difference of the strains
    within(std::abs(l.secant_stress(r0, r1) * (r1 - r0) - (W1 - W0)),
           4 * epsilon * (std::abs(W0) + std::abs(W1) + l.modulus * (std::abs(r0) + std::abs(r1))));
  });
}

// The difference of energies has no digits left here; the mean of the stress along the way has all of them.
TEST_P(LawTest, SecantStressIsTheMeanStressOfATinyStep) {
  rc::detail::checkGTest([] {
    const One l{*GetParam().law};
    const double r0 = any_strain(), r1 = r0 + either_sign(magnitude(1e-12, 1e-1));
    RC_PRE(same_side(r0, r1));
    const VecX along = mean([&](double t) { return VecX(VecX::Constant(1, l.stress(r0 + t * (r1 - r0)))); });
    within(std::abs(l.secant_stress(r0, r1) - along[0]), 8 * epsilon * l.modulus * (1 + std::abs(r0)));
  });
}

TEST_P(LawTest, SecantOfNothingIsTheLawItself) {
  rc::detail::checkGTest([] {
    const One l{*GetParam().law};
    const double r = any_strain();
    RC_PRE(std::abs(r) > kink);
    within(std::abs(l.secant_stress(r, r) - l.stress(r)), 2 * epsilon * l.modulus * (1 + std::abs(r)));
    within(std::abs(l.secant_stiffness(r, r) - 0.5 * l.stiffness(r)), 2 * epsilon * l.modulus);
  });
}

TEST_P(LawTest, SecantStressDoesNotCareWhichEndIsFirst) {
  rc::detail::checkGTest([] {
    const One l{*GetParam().law};
    const double r0 = any_strain(), r1 = any_strain();
    within(std::abs(l.secant_stress(r0, r1) - l.secant_stress(r1, r0)), 4 * epsilon * l.modulus * (1 + width));
  });
}

TEST_P(LawTest, SecantStiffnessIsTheDerivativeOfTheSecantStress) {
  rc::detail::checkGTest([] {
    const One l{*GetParam().law};
    const double r0 = any_strain();
    const double r1 = *rc::gen::arbitrary<bool>() ? any_strain() : r0 + either_sign(magnitude(1e-12, 1e-1));
    RC_PRE(std::min(std::abs(r0), std::abs(r1)) > kink);
    // across the corner the cable's secant bends within the distance of the two ends from it
    const double step = 1e-2 * std::min({std::abs(r0), std::abs(r1), 0.1});
    within(std::abs(l.secant_stiffness(r0, r1) - slope_of([&](double x) { return l.secant_stress(r0, x); }, r1, step)),
           1e-8 * l.modulus);
  });
}

// Components do not feel each other: each is a law of its own, with a parameter of its own.
TEST_P(LawTest, OfSeveralComponentsIsThatOfEach) {
  rc::detail::checkGTest([] {
    const Law& law = *GetParam().law;
    constexpr int m = 6;
    std::vector<One> each;
    for (int a = 0; a < m; ++a) each.push_back({law});
    const VecX r0 = box(m, width), r1 = box(m, width);
    VecX p(m), s(m), of_strain(m), of_rate(m), s_star(m), of_end(m);
    for (int a = 0; a < m; ++a) p[a] = each[static_cast<std::size_t>(a)].modulus;
    law.stress(p.data(), m, {r1.data()}, s.data(), of_strain.data(), of_rate.data());
    law.secant(p.data(), m, r0.data(), r1.data(), s_star.data(), of_end.data());
    double sum = 0;
    for (int a = 0; a < m; ++a) {
      const One& l = each[static_cast<std::size_t>(a)];
      RC_ASSERT(s[a] == l.stress(r1[a]));
      RC_ASSERT(of_strain[a] == l.stiffness(r1[a]));
      RC_ASSERT(of_rate[a] == 0);
      RC_ASSERT(s_star[a] == l.secant_stress(r0[a], r1[a]));
      RC_ASSERT(of_end[a] == l.secant_stiffness(r0[a], r1[a]));
      sum += l.energy(r1[a]);
    }
    RC_ASSERT(law.energy(p.data(), m, r1.data()) == sum);
  });
}

// One end slack: the energy of the taut end is exact, so the identity holds to the last digits however short the taut part.
TEST(TensionOnlyLaw, CrossesTheCornerExactly) {
  rc::detail::checkGTest([] {
    const One l{tension_only_law};
    const double taut = magnitude(1e-12, 1), slack = -magnitude(1e-12, 1);
    const double W = l.energy(taut);
    RC_ASSERT(l.energy(slack) == 0);
    RC_ASSERT(l.stress(slack) == 0);
    within(std::abs(l.secant_stress(slack, taut) * (taut - slack) - W), 4 * epsilon * W);
    within(std::abs(l.secant_stress(taut, slack) * (slack - taut) + W), 4 * epsilon * W);
  });
}

TEST(TensionOnlyLaw, IsTheLinearLawWhileTaut) {
  rc::detail::checkGTest([] {
    const One cable{tension_only_law}, bar{linear_law, cable.modulus};
    const double r0 = magnitude(1e-9, 1), r1 = magnitude(1e-9, 1);
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
    const One l{weight_law};
    const double r = either_sign(magnitude(1e-9, 1e-3));
    const double parabola = 0.5 * l.modulus * r * r;
    within(std::abs(l.energy(r) - parabola), parabola * (r * r / 10 + 4 * epsilon));
  });
}

// s = c r' in every component: slopes by finite differences in strains, rates and time, and nothing at rest.
TEST(ViscousStress, HasItsSlopes) {
  rc::detail::checkGTest([] {
    constexpr int m = 3;
    VecX p(m), s(m), of_strain(m), of_rate(m);
    for (double& c : p) c = magnitude(1e-2, 1e4);
    const VecX r = box(m, width), rate = box(m, width);
    const double t = between(-5, 5);
    viscous_stress(p.data(), m, {r.data(), rate.data(), t}, s.data(), of_strain.data(), of_rate.data());
    const auto stress = [&](const VecX& strain, const VecX& of, double time) {
      VecX out = VecX::Constant(m, std::nan(""));
      viscous_stress(p.data(), m, {strain.data(), of.data(), time}, out.data(), nullptr, nullptr);
      return out;
    };
    RC_ASSERT(s == p.cwiseProduct(rate));
    RC_ASSERT(s == stress(r, rate, t + 1));
    const auto by_strain = difference([&](const VecX& x) { return stress(x, rate, t); }, r, h);
    const auto by_rate = difference([&](const VecX& x) { return stress(r, x, t); }, rate, h);
    within((by_strain - of_strain.asDiagonal().toDenseMatrix()).norm(), 1e-9 * p.norm());
    within((by_rate - of_rate.asDiagonal().toDenseMatrix()).norm(), 1e-9 * p.norm());
    viscous_stress(p.data(), m, {r.data()}, s.data(), of_strain.data(), of_rate.data());
    RC_ASSERT(s == VecX::Zero(m));
    RC_ASSERT(of_rate == p);
  });
}

}  // namespace law_law
}  // namespace trompo
