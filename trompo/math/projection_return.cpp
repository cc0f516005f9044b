#include "trompo/math/projection_return.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <utility>

namespace trompo {

TangentSpace tangent_space(const Eigen::MatrixXd& A) {
  const Eigen::Index m = A.rows(), n = A.cols();
  const Eigen::FullPivLU<Eigen::MatrixXd> elimination(A);
  const auto& order = elimination.permutationQ().indices();
  const std::vector<int> dependent(order.data(), order.data() + m);
  TangentSpace space;
  space.regular = elimination.rank() == m;
  space.independent.assign(order.data() + m, order.data() + n);
  std::sort(space.independent.begin(), space.independent.end());
  space.basis.setZero(n, n - m);
  if (!space.regular) return space;
  const Eigen::MatrixXd follow =
      Eigen::MatrixXd(A(Eigen::all, dependent)).partialPivLu().solve(A(Eigen::all, space.independent));
  for (Eigen::Index j = 0; j < n - m; ++j) {
    space.basis(space.independent[static_cast<std::size_t>(j)], j) = 1;
    for (Eigen::Index i = 0; i < m; ++i) space.basis(dependent[static_cast<std::size_t>(i)], j) = -follow(i, j);
  }
  return space;
}

VecX tangent_step(const Eigen::MatrixXd& T, const Eigen::MatrixXd& P, const Eigen::MatrixXd& K, const VecX& r) {
  if (T.cols() == 0) return VecX::Zero(r.size());
  const Eigen::MatrixXd reduced = P.transpose() * K * T;
  return -(T * reduced.partialPivLu().solve(P.transpose() * r));
}

VecX closing_step(const Eigen::MatrixXd& A, const VecX& f) {
  return -(A.transpose() * (A * A.transpose()).partialPivLu().solve(f));
}

NormalReturn::NormalReturn(VecX start, Eigen::MatrixXd normals)
    : start_(std::move(start)), u_(start_), alpha_(VecX::Zero(normals.rows())), normals_(std::move(normals)) {}

void NormalReturn::step(const VecX& f, const Eigen::MatrixXd& A) {
  alpha_ -= matrix(A).partialPivLu().solve(f);
  u_ = start_ + normals_.transpose() * alpha_;
}

}  // namespace trompo
