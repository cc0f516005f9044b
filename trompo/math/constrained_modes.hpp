// The lowest eigenvalues of K x + J^T l = w^2 M x with J x = 0, for matrices on one pattern.
//
// What is iterated is (K - s M)^-1 M with a small negative shift s, on the subspace J x = 0: lowest ones come out best, what
// has no mass drops out, and what moves freely is a plain w^2 = 0. Large systems by the Lanczos and Arnoldi methods of Spectra,
// small ones by dense factors.
#pragma once

#include <complex>
#include <vector>

#include "trompo/math/linear_solver.hpp"

namespace trompo {

struct EigenPair {
  std::complex<double> square;  // w^2: negative where x grows, complex where it flutters
  VecX shape;                   // real part, with x.M x = 1 where that is positive
};

// The first `moving` unknowns move, the others are multipliers. `stiffness` holds K with rows and columns of J, `mass` M, both
// on the pattern. At most `count` pairs, by the size of w^2; w^2 that rounding cannot tell from zero are zero.
[[nodiscard]] std::vector<EigenPair> lowest_modes(const Pattern& pattern, const double* stiffness, const double* mass,
                                                  int moving, int count, bool symmetric);

}  // namespace trompo
