// Motions x exp(s t) of M x'' + C x' + K x + J^T l = 0 with J x = 0, for any real matrices: damped, gyroscopic, with loads that
// follow. Those with the least |s|.
//
// With z = (x, x'/c) they are the eigenvalues of a matrix of twice the size, (A - p B)^-1 B, which has 1/(s - p): the shift p
// is real and positive, where what is stable has no s, so that free motions are plain zeros and what has no mass drops out. One
// solve with Q(p) = K + p C + p^2 M on the constraints is all that it takes. Small systems by dense factors, large ones by
// Arnoldi's method with sparse ones (F. Tisseur, K. Meerbergen, The quadratic eigenvalue problem, SIAM Rev. 43, 2001).
#pragma once

#include <Eigen/SparseCore>
#include <complex>
#include <vector>

#include "trompo/math/vector.hpp"

namespace trompo {

struct QuadraticPencil {
  Eigen::SparseMatrix<double> mass, damping, stiffness;  // M, C, K
  Eigen::SparseMatrix<double> jacobian;                  // J
  std::vector<int> dependent{};                          // rows of J that may depend on each other
};

struct ComplexMotion {
  std::complex<double> exponent;  // s
  Eigen::VectorXcd shape;         // x, with x^H M x = 1 where that is positive; its largest number is real
};

// At most `count`, by the size of s. Of a complex pair the one that turns forwards in time, Im s > 0. What rounding cannot tell
// from zero is zero, and of such there is one for each independent shape: a free mass has x = 1 and x = t.
[[nodiscard]] std::vector<ComplexMotion> lowest_motions(const QuadraticPencil& pencil, int count);

}  // namespace trompo
