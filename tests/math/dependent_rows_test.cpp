// Saddle points whose rows depend on each other, dense and sparse.
#include "trompo/math/dependent_rows.hpp"

#include <gtest/gtest.h>

#include <random>

#include "trompo/math/linear_solver.hpp"

namespace trompo {
namespace math_dependent_rows {

// K of masses that differ, J with `repeated` rows that are sums of others; G is J, or near it.
struct Saddle {
  Eigen::MatrixXd K, J, G;
  Saddle(int n, int rows, int repeated, bool symmetric, unsigned seed) : K(Eigen::MatrixXd::Zero(n, n)), J(rows, n) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    for (int i = 0; i < n; ++i) K(i, i) = std::pow(10, 2 * any(random));
    for (int i = 0; i < rows - repeated; ++i)
      for (int j = 0; j < n; ++j) J(i, j) = (j >= i && j < i + 4) || j == n - 1 ? any(random) : 0;
    G = J;
    for (int j = 0; !symmetric && j < n; ++j) G.col(j) *= 1 + 0.1 * any(random);
    for (int k = rows - repeated; k < rows; ++k) {
      const int a = k % (rows - repeated), b = (k + 3) % (rows - repeated);
      J.row(k) = 0.7 * J.row(a) - 0.4 * J.row(b);
      G.row(k) = 0.7 * G.row(a) - 0.4 * G.row(b);
    }
  }
  [[nodiscard]] int n() const { return static_cast<int>(K.rows()); }
  [[nodiscard]] int rows() const { return static_cast<int>(J.rows()); }
  [[nodiscard]] Eigen::MatrixXd whole() const {
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(n() + rows(), n() + rows());
    all << K, G.transpose(), J, Eigen::MatrixXd::Zero(rows(), rows());
    return all;
  }
  // Solved for b, with what of it cannot be reached.
  [[nodiscard]] std::pair<VecX, VecX> solved(const VecX& b) const {
    const Eigen::MatrixXd all = whole();
    std::vector<std::pair<int, int>> entries;
    for (int i = 0; i < all.rows(); ++i)
      for (int j = 0; j < all.cols(); ++j)
        if (all(i, j) != 0 || all(j, i) != 0) entries.emplace_back(i, j);
    Pattern pattern(static_cast<int>(all.rows()), entries);
    std::vector<int> dependent;
    for (int k = 0; k < rows(); ++k) dependent.push_back(n() + k);
    pattern.let_depend(dependent);
    LinearSolver solver(pattern);
    pattern.each([&](int i, int j, int place) { solver.values()[place] = all(i, j); });
    EXPECT_TRUE(solver.factorise());
    VecX x = b;
    solver.solve(x);
    return {x, solver.unreachable()};
  }
};

TEST(DependentRows, WhatCanBeMetIsMet) {
  for (const int n : {12, 70})
    for (const bool symmetric : {true, false})
      for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(testing::Message() << n << (symmetric ? " symmetric " : " ") << seed);
        const Saddle saddle(n, n / 2 + 3, 3, symmetric, seed);
        VecX x = VecX::Random(n), lambda = VecX::Random(saddle.rows()), b(n + saddle.rows());
        b << saddle.K * x + saddle.G.transpose() * lambda, saddle.J * x;
        const auto [found, unreachable] = saddle.solved(b);
        EXPECT_LT((found.head(n) - x).norm(), 1e-8 * x.norm());
        EXPECT_LT((saddle.whole() * found - b).norm(), 1e-9 * b.norm());
        EXPECT_LT(unreachable.norm(), 1e-9 * b.norm());
      }
}

// Of all that fit, sum of D lambda^2 is least: lambda has no part along what makes no force, in the metric D.
TEST(DependentRows, MultipliersAreLeastByTheMasses) {
  for (const int n : {12, 70}) {
    const Saddle saddle(n, n / 2 + 3, 3, true, 7);
    VecX b = VecX::Random(n + saddle.rows());
    b.tail(saddle.rows()) = saddle.J * VecX::Random(n);
    const VecX lambda = saddle.solved(b).first.tail(saddle.rows());
    const VecX weight = (saddle.J * saddle.K.inverse() * saddle.J.transpose()).diagonal();
    Eigen::FullPivLU<Eigen::MatrixXd> lu(saddle.J.transpose());
    lu.setThreshold(1e-10);
    const Eigen::MatrixXd kernel = lu.kernel();
    ASSERT_EQ(kernel.cols(), 3);
    EXPECT_LT((kernel.transpose() * weight.cwiseProduct(lambda)).norm(), 1e-5 * weight.cwiseProduct(lambda).norm());
  }
}

TEST(DependentRows, WhatCannotBeMetIsSaidAndMovesNothing) {
  for (const int n : {12, 70}) {
    const Saddle saddle(n, n / 2 + 3, 3, true, 11);
    VecX b = VecX::Zero(n + saddle.rows());
    b.tail(saddle.rows()) = saddle.J * VecX::Random(n) + 1e-3 * VecX::Random(saddle.rows());
    const auto [found, unreachable] = saddle.solved(b);
    // What is left of it when it is taken away can be met.
    const VecX rest = b - unreachable;
    EXPECT_LT((saddle.J * found.head(n) - rest.tail(saddle.rows())).norm(), 1e-6 * b.norm());
    EXPECT_GT(unreachable.norm(), 1e-5 * b.norm());
    EXPECT_LT((found - saddle.solved(rest).first).norm(), 1e-4 * found.norm());
  }
}

// Rows that come near to each other are told apart down to the root of rounding.
TEST(DependentRows, NearlyDependentRowsAreBothKept) {
  for (const double angle : {1e-1, 1e-2, 1e-3}) {
    Saddle saddle(6, 2, 0, true, 3);
    saddle.K.setIdentity();
    saddle.J.setZero();
    saddle.J(0, 0) = 1;
    saddle.J(1, 0) = std::cos(angle);
    saddle.J(1, 1) = std::sin(angle);
    saddle.G = saddle.J;
    VecX x = VecX::Random(6), lambda = VecX::Random(2), b(8);
    b << x + saddle.J.transpose() * lambda, saddle.J * x;
    const double left = 1e-9 / (angle * angle / 2);
    EXPECT_LT((saddle.solved(b).first.head(6) - x).norm(), 10 * left * left + 1e-9);
  }
}

}  // namespace math_dependent_rows
}  // namespace trompo
