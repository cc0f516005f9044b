// Projection and return on the example of Ferreira and Doblare's Appendix A, number by number; and roots on a chord.
#include "trompo/math/projection_return.hpp"
#include "tests/stored.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "trompo/math/chord_root.hpp"

namespace trompo {
namespace math_projection_return {

using Json = nlohmann::json;
using Matrix = Eigen::MatrixXd;

// theta = u1^2/2 + u2^2/2 + u3^2 + 4 is to be least on f = 0.
VecX f(const VecX& u) {
  return Vec<2>(u[0] * u[0] - u[0] * u[1] + u[1] * u[1] - u[2] * u[2] - 1, u[0] * u[0] + u[1] * u[1] - 3);
}
Matrix jacobian(const VecX& u) {
  Matrix A(2, 3);
  A << 2 * u[0] - u[1], 2 * u[1] - u[0], -2 * u[2], 2 * u[0], 2 * u[1], 0;
  return A;
}
double theta(const VecX& u) { return 0.5 * u[0] * u[0] + 0.5 * u[1] * u[1] + u[2] * u[2] + 4; }
VecX theta_gradient(const VecX& u) { return Vec3(u[0], u[1], 2 * u[2]); }
Matrix theta_hessian() { return Vec3(1, 1, 2).asDiagonal(); }

void expect_near(const VecX& x, const Json& stored, double tolerance) {
  ASSERT_EQ(static_cast<std::size_t>(x.size()), stored.size());
  for (Eigen::Index i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], stored[static_cast<std::size_t>(i)].get<double>(), tolerance) << i;
}
void expect_near(const Matrix& A, const Json& stored, double tolerance) {
  ASSERT_EQ(static_cast<std::size_t>(A.rows()), stored.size());
  for (Eigen::Index i = 0; i < A.rows(); ++i) expect_near(VecX(A.row(i)), stored[static_cast<std::size_t>(i)], tolerance);
}
const Json& appendix() { return stored("conserving.json")["c_constraints"]["appendix_A"]; }

// The start to all its digits: it lies on both surfaces.
VecX start() {
  const double root = std::sqrt(2);
  return Vec3(root, 1, std::sqrt(2 - root));
}

TEST(ProjectionReturn, OneIterationOfThePublishedExample) {
  const VecX u = start();
  expect_near(u, appendix()["u0"], 1e-13);
  EXPECT_LT(f(u).norm(), 1e-15);
  const Matrix A = jacobian(u);
  expect_near(A, appendix()["A"], 1e-13);
  const TangentSpace space = tangent_space(A);
  ASSERT_TRUE(space.regular);
  EXPECT_EQ(space.independent, std::vector<int>{1});
  expect_near(VecX(space.basis.col(0)), appendix()["tangent"], 1e-14);

  const VecX du = tangent_step(space.basis, space.basis, theta_hessian(), theta_gradient(u));
  EXPECT_NEAR(du[1], appendix()["du2"].get<double>(), 1e-14);
  expect_near(du, appendix()["du"], 1e-14);
  NormalReturn back(u + du, jacobian(u + du));
  expect_near(back.place(), appendix()["uPR"], 1e-13);
  expect_near(f(back.place()), appendix()["f_uPR"], 1e-13);
  EXPECT_NEAR(theta(back.place()), appendix()["theta_uPR"].get<double>(), 1e-13);
  expect_near(back.matrix(jacobian(back.place())), appendix()["J0"], 1e-13);

  for (const Json& stored : appendix()["newton"]) {
    expect_near(back.alpha(), stored["alpha"], 1e-13);
    expect_near(back.place(), stored["u"], 1e-13);
    EXPECT_NEAR(theta(back.place()), stored["theta"].get<double>(), 1e-13);
    const VecX error = f(back.place());
    for (int i = 0; i < 2; ++i) {  // stored to four digits
      const double known = stored["f"][static_cast<std::size_t>(i)].get<double>();
      EXPECT_NEAR(error[i], known, 5e-4 * std::abs(known) + 3e-16);
    }
    back.step(error, jacobian(back.place()));
  }
  EXPECT_NEAR(theta(back.place()), 6.0132495647, 1e-10);
}

// The Hessian of theta alone leaves the iteration at the margin; with the curvature of the constraints it is Newton's.
TEST(ProjectionReturn, OuterIterationNeedsTheCurvatureOfTheConstraints) {
  const Vec3 minimum(std::sqrt(1.5), std::sqrt(1.5), std::sqrt(0.5));
  const auto errors = [&](bool curved) {
    std::vector<double> out;
    VecX u = start();
    for (int k = 0; k < 4; ++k) {
      out.push_back((u - minimum).norm());
      const Matrix A = jacobian(u), T = tangent_space(A).basis;
      const VecX g = theta_gradient(u), lambda = -(A * A.transpose()).ldlt().solve(A * g);
      Matrix K = theta_hessian();
      if (curved) {
        Matrix H1(3, 3), H2(3, 3);
        H1 << 2, -1, 0, -1, 2, 0, 0, 0, -2;
        H2 << 2, 0, 0, 0, 2, 0, 0, 0, 0;
        K += lambda[0] * H1 + lambda[1] * H2;
      }
      u += tangent_step(T, T, K, g);
      NormalReturn back(u, jacobian(u));
      for (int i = 0; i < 8; ++i) back.step(f(back.place()), jacobian(back.place()));
      u = back.place();
    }
    return out;
  };
  const auto plain = errors(false), exact = errors(true);
  EXPECT_NEAR(plain[1], 0.116, 1e-3);
  EXPECT_NEAR(plain[3], 0.086, 1e-3);  // hardly less
  EXPECT_NEAR(exact[1], 3.9e-2, 1e-3);
  EXPECT_NEAR(exact[2], 1.3e-4, 1e-5);
  EXPECT_LT(exact[3], 1e-11);
}

TEST(ProjectionReturn, RepeatedConstraintsAreSeenAndAnOpenOneIsClosed) {
  Matrix A(2, 3);
  A << 1, 2, 3, 2, 4, 6;
  EXPECT_FALSE(tangent_space(A).regular);
  A(1, 2) = -1;
  const TangentSpace space = tangent_space(A);
  EXPECT_TRUE(space.regular);
  EXPECT_LT((A * space.basis).norm(), 1e-14);
  const VecX error = Vec<2>(0.3, -0.7);
  EXPECT_LT((A * closing_step(A, error) + error).norm(), 1e-14);
}

TEST(ChordRoot, TakesTheNearestAndKnowsAJump) {
  // roots at 0.2, 0.6 and 0.95
  const auto psi = [](double x) { return (x - 0.2) * (x - 0.6) * (x - 0.95); };
  const auto slope = [](double x) { return (x - 0.6) * (x - 0.95) + (x - 0.2) * (x - 0.95) + (x - 0.2) * (x - 0.6); };
  EXPECT_NEAR(*chord_root(psi, slope, 0.5, 1e-16), 0.6, 1e-15);
  EXPECT_NEAR(*chord_root(psi, slope, 0.3, 1e-16), 0.2, 1e-15);
  EXPECT_NEAR(*chord_root(psi, slope, 0.82, 1e-16), 0.95, 1e-15);
  const auto jump = [](double x) { return x < 0.7 ? -1.0 : 1.0; };
  const auto flat = [](double) { return 0.0; };
  EXPECT_FALSE(chord_root(jump, flat, 0.5, 1e-16));
  EXPECT_FALSE(chord_root([](double) { return 1.0; }, flat, 0.5, 1e-16));
}

}  // namespace math_projection_return
}  // namespace trompo
