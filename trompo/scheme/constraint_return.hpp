// Newton's iteration of a constrained step by projection and return (math/projection_return.hpp): the equations are solved in
// independent unknowns, and every iterate is brought back onto the constraints.
//
//   [ K  G^T ] [ dq      ]   [ r   ]      dq = closing step + T dz,  A T = 0,  P^T (r - K dq) = 0,  G P = 0
//   [ A   0  ] [ dlambda ] = [ error ]      q1 <- q1 - dq, then along its normals A^T until the constraints are closed
//
// T is the tangent at the new end, where q1 must stay; P that of the gradient G of the step, along which the constraint forces
// go. Where the iteration ends is where Newton's on the whole matrix ends: G, not the way, decides what is kept. With G = A in
// place of the secant, as published (P = T), energy is kept to first order only. K has the curvature of the constraints in it:
// without it the published example contracts by a factor of -1, which is not at all. Unknowns are those of the step, rotations
// of bodies among them: A is what Newton's matrix has in the rows of the constraints. Matrices are dense: for small models.
#pragma once

#include <optional>

#include "trompo/math/linear_solver.hpp"
#include "trompo/math/projection_return.hpp"

namespace trompo {

class ConstraintReturn {
 public:
  ConstraintReturn(const Pattern& pattern, int multipliers);
  // Takes the matrix of the iteration, on this pattern. False if the constraints depend on each other.
  [[nodiscard]] bool take(const double* values);
  void solve(VecX& x) const;  // in place, for all unknowns
  // The return: along the normals of the matrix at its beginning, with errors and matrix of the place reached. The decrement
  // of the unknowns, and none of the multipliers.
  void begin(const double* values);
  void step(const VecX& errors, const double* values, VecX& decrement);

 private:
  [[nodiscard]] bool read(const double* values);
  const Pattern* pattern_;
  int m_;
  Eigen::MatrixXd all_;  // the whole matrix
  TangentSpace tangent_, forces_;
  std::optional<NormalReturn> back_;
};

}  // namespace trompo
