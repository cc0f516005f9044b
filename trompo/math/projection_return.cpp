#include "trompo/math/projection_return.hpp"

#include <algorithm>
#include <utility>

#include "trompo/math/dense.hpp"

namespace trompo {

TangentSpace tangent_space(const Eigen::MatrixXd& A) {
  const Eigen::Index m = A.rows(), n = A.cols();
  const auto [rank, order] = eliminate(A);
  const std::vector<int> dependent(order.begin(), order.begin() + m);
  TangentSpace space;
  space.regular = rank == m;
  space.independent.assign(order.begin() + m, order.end());
  std::sort(space.independent.begin(), space.independent.end());
  space.basis.setZero(n, n - m);
  if (!space.regular) return space;
  const MatX follow = lu_solve(MatX(A(Eigen::all, dependent)), MatX(A(Eigen::all, space.independent)));
  for (Eigen::Index j = 0; j < n - m; ++j) {
    space.basis(space.independent[static_cast<std::size_t>(j)], j) = 1;
    for (Eigen::Index i = 0; i < m; ++i) space.basis(dependent[static_cast<std::size_t>(i)], j) = -follow(i, j);
  }
  return space;
}

VecX tangent_step(const Eigen::MatrixXd& T, const Eigen::MatrixXd& P, const Eigen::MatrixXd& K, const VecX& r) {
  if (T.cols() == 0) return VecX::Zero(r.size());
  const Eigen::MatrixXd reduced = P.transpose() * K * T;
  return -(T * lu_solve(reduced, VecX(P.transpose() * r)));
}

VecX closing_step(const Eigen::MatrixXd& A, const VecX& f) { return -(A.transpose() * lu_solve(A * A.transpose(), f)); }

NormalReturn::NormalReturn(VecX start, Eigen::MatrixXd normals)
    : start_(std::move(start)), u_(start_), alpha_(VecX::Zero(normals.rows())), normals_(std::move(normals)) {}

Eigen::MatrixXd NormalReturn::matrix(const Eigen::MatrixXd& A) const { return A * normals_.transpose(); }

void NormalReturn::step(const VecX& f, const Eigen::MatrixXd& A) {
  alpha_ -= lu_solve(matrix(A), f);
  u_ = start_ + normals_.transpose() * alpha_;
}

}  // namespace trompo
