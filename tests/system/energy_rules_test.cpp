// Rules that know a term by W, dW and ddW alone: tangents against finite differences, and the work each of them does.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/terms.hpp"
#include "trompo/measure/bar_strain.hpp"

namespace trompo {
namespace system_energy_rules {

using namespace property;
using C = Vec<6>;
using Kind = Rule::Kind;

// States of a bar of about unit length, deterministic but of no special position.
template <class Check>
void over_states(const Check& check) {
  std::srand(7);
  for (int i = 0; i < 50; ++i) {
    C c0 = C::Random(), d = 0.3 * C::Random();
    c0.tail<3>() += Vec3(1, 0.5, -0.3).normalized() * 1.5;
    check(c0, C(c0 + d));
  }
}

// Bars of three strains.
struct Bars {
  EngineeringStrain engineering_strain{1.2};
  GreenStrain green_strain{1.2};
  LogarithmicStrain logarithmic_strain{1.2};
  Term engineering{view(engineering_strain), linear_law, 3}, green{view(green_strain), linear_law, 3},
      logarithmic{view(logarithmic_strain), linear_law, 3};
};
const Bars bars;

TEST(EnergyRules, TangentsAreDerivatives) {
  for (const Term* term : {&bars.engineering, &bars.green, &bars.logarithmic})
    for (const Kind kind : {Kind::quartic, Kind::geometric, Kind::gonzalez, Kind::mean_value, Kind::itoh_abe})
      over_states([&](const C& c0, const C& c1) {
        const Rule rule{.kind = kind, .damping = 0.1, .points = 3};
        const MatX tangent = tangent_between(rule, *term, c0, c1);
        constexpr double e = 1e-5;
        for (int j = 0; j < 6; ++j) {
          const C up = c1 + e * C::Unit(j), down = c1 - e * C::Unit(j);
          const C column = (force_between(rule, *term, c0, up) - force_between(rule, *term, c0, down)) / (2 * e);
          EXPECT_LE((tangent.col(j) - column).norm(), 1e-7 * (1 + tangent.norm())) << static_cast<int>(kind);
        }
      });
}

TEST(EnergyRules, DoTheWorkTheyClaim) {
  const auto defect = [&](const Rule& rule, const Term& term, const C& c0, const C& c1) {
    const double change = energy(term, c1) - energy(term, c0);
    return std::abs(force_between(rule, term, c0, c1).dot(c1 - c0) - change);
  };
  double worst_quartic = 0;
  over_states([&](const C& c0, const C& c1) {
    for (const Kind kind : {Kind::quartic, Kind::geometric, Kind::gonzalez, Kind::mean_value, Kind::itoh_abe})
      EXPECT_LE(defect({.kind = kind}, bars.green, c0, c1), 1e-13) << static_cast<int>(kind);  // a quartic energy
    EXPECT_LE(defect({.kind = Kind::gonzalez}, bars.engineering, c0, c1), 1e-13);
    EXPECT_LE(defect({.kind = Kind::itoh_abe}, bars.engineering, c0, c1), 1e-13);
    worst_quartic = std::max(worst_quartic, defect({.kind = Kind::quartic}, bars.engineering, c0, c1));
  });
  EXPECT_GT(worst_quartic, 1e-6);  // not quartic: this is what the secant correction is for
}

// The damping of Krenk's rules takes alpha/2 df.dc out of the term, and nothing else.
TEST(EnergyRules, BookTheirDamping) {
  over_states([&](const C& c0, const C& c1) {
    const auto force = [&](const C& c) {
      return VecX(jacobian(bars.green.measure, c).transpose() * bars.green.stress(value(bars.green.measure, c)));
    };
    const double asked = 0.05 * (force(c1) - force(c0)).dot(c1 - c0);
    EXPECT_NEAR(dissipation_between({.kind = Kind::quartic, .damping = 0.1}, bars.green, c0, c1), asked, 1e-13);
    EXPECT_NEAR(dissipation_between({.kind = Kind::geometric, .damping = 0.1}, bars.green, c0, c1), asked, 1e-13);
  });
}

}  // namespace system_energy_rules
}  // namespace trompo
