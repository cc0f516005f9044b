// Decompositions of dense matrices. All are compiled in dense.cpp and nowhere else: each is a large template that takes the
// compiler seconds, wherever it is named.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "trompo/math/vector.hpp"

namespace trompo {

using MatX = Eigen::MatrixXd;

// a x = b, by LU with partial pivoting; a is square and regular.
[[nodiscard]] VecX lu_solve(const MatX& a, const VecX& b);
[[nodiscard]] MatX lu_solve(const MatX& a, const MatX& b);

// The least x of those for which |a x - b| is least, by a complete orthogonal decomposition.
[[nodiscard]] VecX least_squares(const MatX& a, const VecX& b);

// Gauss elimination with full pivoting.
struct Elimination {
  int rank;
  std::vector<int> columns;  // in the order in which they were eliminated
};
[[nodiscard]] Elimination eliminate(const MatX& a);

// QR with column pivoting; pivots below `threshold` of the largest count as zero.
struct PivotedQr {
  int rank;
  std::vector<int> columns;  // the first `rank` are independent, the others follow from them
};
[[nodiscard]] PivotedQr pivoted_qr(const MatX& a, double threshold);
// Columns span what is orthogonal to all columns of a.
[[nodiscard]] MatX complement(const MatX& a, double threshold);

// a x = e x for a symmetric a, e rising.
struct PrincipalAxes {
  Vec3 values;
  Mat3 axes;
};
[[nodiscard]] PrincipalAxes principal_axes(const Mat3& a);
[[nodiscard]] Vec3 symmetric_eigenvalues(const Mat3& a);
[[nodiscard]] bool positive_definite(const Mat3& a);

// a x = e x for any a.
[[nodiscard]] Eigen::VectorXcd eigenvalues(const MatX& a);

struct RealEigen {
  VecX values;
  MatX vectors;
};
struct ComplexEigen {
  Eigen::VectorXcd values;
  MatX vectors;  // real parts
};
[[nodiscard]] ComplexEigen eigenpairs(const MatX& a);
struct ComplexEigenvectors {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
[[nodiscard]] ComplexEigenvectors complex_eigenpairs(const MatX& a);
// m x = e a x with both symmetric, e rising; nothing if a is not positive definite.
[[nodiscard]] std::optional<RealEigen> eigenpairs(const MatX& m, const MatX& a);

}  // namespace trompo
