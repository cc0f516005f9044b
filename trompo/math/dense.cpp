#include "trompo/math/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace trompo {

namespace {

template <class Permutation>
std::vector<int> order_of(const Permutation& permutation) {
  return {permutation.indices().data(), permutation.indices().data() + permutation.indices().size()};
}

}  // namespace

VecX lu_solve(const MatX& a, const VecX& b) { return a.partialPivLu().solve(b); }
MatX lu_solve(const MatX& a, const MatX& b) { return a.partialPivLu().solve(b); }

VecX least_squares(const MatX& a, const VecX& b) { return a.completeOrthogonalDecomposition().solve(b); }

Elimination eliminate(const MatX& a) {
  const Eigen::FullPivLU<MatX> lu(a);
  return {static_cast<int>(lu.rank()), order_of(lu.permutationQ())};
}

PivotedQr pivoted_qr(const MatX& a, double threshold) {
  Eigen::ColPivHouseholderQR<MatX> qr(a);
  qr.setThreshold(threshold);
  return {static_cast<int>(qr.rank()), order_of(qr.colsPermutation())};
}

MatX complement(const MatX& a, double threshold) {
  Eigen::ColPivHouseholderQR<MatX> qr(a);
  qr.setThreshold(threshold);
  return MatX(qr.householderQ()).rightCols(a.rows() - qr.rank());
}

PrincipalAxes principal_axes(const Mat3& a) {
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vec3 symmetric_eigenvalues(const Mat3& a) {
  return Eigen::SelfAdjointEigenSolver<Mat3>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

bool positive_definite(const Mat3& a) { return a.llt().info() == Eigen::Success; }

Eigen::VectorXcd eigenvalues(const MatX& a) { return a.eigenvalues(); }

ComplexEigen eigenpairs(const MatX& a) {
  const Eigen::EigenSolver<MatX> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors().real()};
}

ComplexEigenvectors complex_eigenpairs(const MatX& a) {
  const Eigen::EigenSolver<MatX> solver(a);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

// L^-1 M L^-T with L L^T = A
std::optional<RealEigen> eigenpairs(const MatX& m, const MatX& a) {
  const Eigen::LLT<MatX> factors(a);
  if (factors.info() != Eigen::Success) return std::nullopt;
  const MatX half = factors.matrixL().solve(m);
  const MatX both = factors.matrixL().solve(half.transpose());
  const Eigen::SelfAdjointEigenSolver<MatX> solver(0.5 * (both + both.transpose()));
  RealEigen pairs{solver.eigenvalues(), MatX(a.rows(), a.rows())};
  for (Eigen::Index e = 0; e < a.rows(); ++e) pairs.vectors.col(e) = factors.matrixU().solve(solver.eigenvectors().col(e));
  return pairs;
}

}  // namespace trompo
