// Gradients of a constraint over a step: their work, their derivatives, and where the mean-value one is found.
#include "trompo/system/constraint_gradient.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/typed_measures.hpp"

namespace trompo {
namespace {

using Kind = Rule::ConstraintGradient;
constexpr Kind kinds[] = {Kind::secant, Kind::mean_value, Kind::gonzalez, Kind::midpoint};
using property::three_names;

FormulaMeasure<3> formula(std::string_view text) {
  return FormulaMeasure<3>(std::make_shared<const Formula>(property::typed(text, three_names)));
}

template <class M>
void works_and_derives(const M& phi, double reach) {
  constexpr int n = M::coordinates;
  using C = Vec<n>;
  std::srand(11);
  for (int trial = 0; trial < 40; ++trial) {
    const C c0 = C::Random(), c1 = c0 + reach * C::Random();
    const double change = phi.value(c1)[0] - phi.value(c0)[0];
    for (const Kind kind : kinds) {
      SCOPED_TRACE(static_cast<int>(kind));
      const ConstraintGradient<M> step(kind, phi, c0, c1);
      double point = 0.5;
      const auto G = step.gradient(point);
      if (kind != Kind::midpoint) {
        EXPECT_NEAR(G.dot(c1 - c0), change, 2e-15);
      }
      ASSERT_TRUE(std::isfinite(point));
      const Vec<1> lambda(-1.7);
      const Mat<n, n> slope = step.curvature(lambda, point);
      constexpr double e = 1e-6;
      for (int j = 0; j < n; ++j) {
        double up = point, down = point;
        const C c_up = c1 + e * C::Unit(j), c_down = c1 - e * C::Unit(j);
        const C column = lambda[0] *
                         (ConstraintGradient<M>(kind, phi, c0, c_up).gradient(up) -
                          ConstraintGradient<M>(kind, phi, c0, c_down).gradient(down))
                             .transpose() /
                         (2 * e);
        EXPECT_LE((slope.col(j) - column).norm(), 1e-6 * (1 + slope.norm())) << "beta " << point;
      }
    }
  }
}

TEST(ConstraintGradientTest, WorkIsExactAndTangentsAreDerivatives) {
  works_and_derives(formula("u^2*cos(v) - w^3"), 0.5);
  works_and_derives(property::TypedRaw(), 0.5);
  works_and_derives(property::TypedMixture(), 0.5);
  works_and_derives(property::TypedHinge(), 0.3);
}

// Neither has anything to divide by: along the ruling of a saddle its curvature is zero, and any beta would do.
TEST(ConstraintGradientTest, LinearAndQuadraticConstraintsTakeTheMiddle) {
  std::srand(3);
  for (const char* text : {"u - 2*v + 0.3*w - 0.1", "u^2 + v^2 + w^2 - 1", "w - u*v"})
    for (int trial = 0; trial < 50; ++trial) {
      const FormulaMeasure<3> phi = formula(text);
      const Vec3 c0 = Vec3::Random();
      for (const Vec3& d : {Vec3(0.1 * Vec3::Random()), Vec3(0.2, 0, 0.2 * c0[1])}) {  // the second: a ruling of the saddle
        double point = 0.5;
        const auto G = ConstraintGradient(Kind::mean_value, phi, c0, Vec3(c0 + d)).gradient(point);
        EXPECT_NEAR(point, 0.5, 1e-12) << text;
        EXPECT_LT((G - phi.jacobian(c0 + 0.5 * d)).norm(), 1e-12);
      }
    }
}

// A cubic through its point of no curvature: beta = 1/2 -+ 1/sqrt(12), and the one of the last iteration is kept.
TEST(ConstraintGradientTest, TwoRootsAreToldApartByTheLastOne) {
  const FormulaMeasure<3> phi = formula("w - u^3");
  const Vec3 c0(-0.2, 0, 0), c1(0.2, 0, 0);
  for (const double side : {-1.0, 1.0}) {
    double point = 0.5 + 0.25 * side;
    (void)ConstraintGradient(Kind::mean_value, phi, c0, c1).gradient(point);
    EXPECT_NEAR(point, 0.5 + side / std::sqrt(12), 1e-14);
    (void)ConstraintGradient(Kind::mean_value, phi, c0, Vec3(0.19, 0, 0)).gradient(point);
    EXPECT_NEAR(point, 0.5 + side / std::sqrt(12), 0.02);
  }
}

TEST(ConstraintGradientTest, AKinkIsLeftToTheSecantTillTheStepIsOver) {
  const FormulaMeasure<3> phi = formula("abs(u) + v");
  const Vec3 c0(-0.2, 0, 0), c1(0.3, 0.1, 0);
  double point = 0.5;
  const auto G = ConstraintGradient(Kind::mean_value, phi, c0, c1).gradient(point);
  EXPECT_EQ(point, ConstraintGradient<FormulaMeasure<3>>::no_point);
  EXPECT_EQ(G, phi.secant(c0, c1));
  EXPECT_NEAR(G.dot(c1 - c0), 0.2, 1e-15);
  const Vec3 smooth(-0.1, 0.1, 0);
  EXPECT_EQ(ConstraintGradient(Kind::mean_value, phi, c0, smooth).gradient(point), phi.secant(c0, smooth));
}

}  // namespace
}  // namespace trompo
