// Gradients of a constraint over a step: their work, their derivatives, and where the mean-value one is found.
#include "trompo/system/constraint_gradient.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/terms.hpp"
#include "tests/typed_measures.hpp"

namespace trompo {
namespace system_constraint_gradient {

using Kind = Rule::ConstraintGradient;
constexpr Kind kinds[] = {Kind::secant, Kind::mean_value, Kind::gonzalez, Kind::midpoint, Kind::end};
using property::MatX;
using property::three_names;
using property::value;

FormulaMeasure formula(std::string_view text) {
  return {std::make_shared<const Formula>(property::typed(text, three_names)), 3};
}

// The gradient of a step, with the place it takes and leaves.
VecX gradient(Kind kind, const MeasureView& phi, const VecX& c0, const VecX& c1, double& point) {
  property::TightRoom room(phi);
  VecX G = property::unset(phi.n);
  ConstraintGradient(kind, phi, c0.data(), c1.data(), room.scratch()).gradient(point, G.data());
  return G;
}
MatX curvature(Kind kind, const MeasureView& phi, const VecX& c0, const VecX& c1, double lambda, double point) {
  property::TightRoom room(phi);
  MatX K = MatX::Zero(phi.n, phi.n);
  ConstraintGradient(kind, phi, c0.data(), c1.data(), room.scratch()).add_curvature(lambda, point, false, K.data());
  return K;
}

template <class M>
void works_and_derives(const M& measure, double reach) {
  const MeasureView phi = view(measure);
  const int n = phi.n;
  std::srand(11);
  for (int trial = 0; trial < 40; ++trial) {
    const VecX c0 = VecX::Random(n), c1 = c0 + reach * VecX::Random(n);
    const double change = value(phi, c1)[0] - value(phi, c0)[0];
    for (const Kind kind : kinds) {
      SCOPED_TRACE(static_cast<int>(kind));
      double point = 0.5;
      const VecX G = gradient(kind, phi, c0, c1, point);
      if (kind != Kind::midpoint && kind != Kind::end) {
        EXPECT_NEAR(G.dot(c1 - c0), change, 2e-15);
      }
      ASSERT_TRUE(std::isfinite(point));
      const double lambda = -1.7;
      const MatX slope = curvature(kind, phi, c0, c1, lambda, point);
      constexpr double e = 1e-6;
      for (int j = 0; j < n; ++j) {
        double up = point, down = point;
        const VecX c_up = c1 + e * VecX::Unit(n, j), c_down = c1 - e * VecX::Unit(n, j);
        const VecX column = lambda * (gradient(kind, phi, c0, c_up, up) - gradient(kind, phi, c0, c_down, down)) / (2 * e);
        EXPECT_LE((slope.col(j) - column).norm(), 1e-6 * (1 + slope.norm())) << "beta " << point;
      }
    }
  }
}

TEST(ConstraintGradientTest, WorkIsExactAndTangentsAreDerivatives) {
  works_and_derives(formula("u^2*cos(v) - w^3"), 0.5);
  works_and_derives(property::typed_raw(), 0.5);
  works_and_derives(property::typed_mixture(), 0.5);
  works_and_derives(property::typed_hinge(), 0.3);
}

// Neither has anything to divide by: along the ruling of a saddle its curvature is zero, and any beta would do.
TEST(ConstraintGradientTest, LinearAndQuadraticConstraintsTakeTheMiddle) {
  std::srand(3);
  for (const char* text : {"u - 2*v + 0.3*w - 0.1", "u^2 + v^2 + w^2 - 1", "w - u*v"})
    for (int trial = 0; trial < 50; ++trial) {
      const FormulaMeasure measure = formula(text);
      const MeasureView phi = view(measure);
      const Vec3 c0 = Vec3::Random();
      for (const Vec3& d : {Vec3(0.1 * Vec3::Random()), Vec3(0.2, 0, 0.2 * c0[1])}) {  // the second: a ruling of the saddle
        double point = 0.5;
        const VecX G = gradient(Kind::mean_value, phi, c0, c0 + d, point);
        EXPECT_NEAR(point, 0.5, 1e-12) << text;
        EXPECT_LT((G - property::jacobian(phi, c0 + 0.5 * d).transpose()).norm(), 1e-12);
      }
    }
}

// A cubic through its point of no curvature: beta = 1/2 -+ 1/sqrt(12), and the one of the last iteration is kept.
TEST(ConstraintGradientTest, TwoRootsAreToldApartByTheLastOne) {
  const FormulaMeasure measure = formula("w - u^3");
  const MeasureView phi = view(measure);
  const Vec3 c0(-0.2, 0, 0), c1(0.2, 0, 0);
  for (const double side : {-1.0, 1.0}) {
    double point = 0.5 + 0.25 * side;
    (void)gradient(Kind::mean_value, phi, c0, c1, point);
    EXPECT_NEAR(point, 0.5 + side / std::sqrt(12), 1e-14);
    (void)gradient(Kind::mean_value, phi, c0, Vec3(0.19, 0, 0), point);
    EXPECT_NEAR(point, 0.5 + side / std::sqrt(12), 0.02);
  }
}

TEST(ConstraintGradientTest, AKinkIsLeftToTheSecantTillTheStepIsOver) {
  const FormulaMeasure measure = formula("abs(u) + v");
  const MeasureView phi = view(measure);
  const Vec3 c0(-0.2, 0, 0), c1(0.3, 0.1, 0);
  double point = 0.5;
  const VecX G = gradient(Kind::mean_value, phi, c0, c1, point);
  EXPECT_EQ(point, ConstraintGradient::no_point);
  EXPECT_EQ(G, property::secant(phi, c0, c1).transpose());
  EXPECT_NEAR(G.dot(c1 - c0), 0.2, 1e-15);
  const Vec3 smooth(-0.1, 0.1, 0);
  EXPECT_EQ(gradient(Kind::mean_value, phi, c0, smooth, point), property::secant(phi, c0, smooth).transpose());
}

}  // namespace system_constraint_gradient
}  // namespace trompo
