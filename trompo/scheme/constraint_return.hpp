// Newton's iteration of a constrained step by projection and return (math/projection_return.hpp): the equations are solved in
// independent coordinates, and every iterate is brought back onto the constraints.
//
//   [ K  G^T ] [ dq      ]   [ r   ]      dq = closing step + T dz,  A T = 0,  P^T (r - K dq) = 0,  G P = 0
//   [ A   0  ] [ dlambda ] = [ error ]      q1 <- q1 - dq, then along its normals A^T until the constraints are closed
//
// T is the tangent at the new end, where q1 must stay; P that of the gradient G of the step, along which the constraint forces
// go. Where the iteration ends is where Newton's on the whole matrix ends: G, not the way, decides what is kept. With G = A in
// place of the secant, as published, energy is kept to first order only. K has the curvature of the constraints in it:
// without it the published example contracts by a factor of -1, which is not at all. Matrices are dense: for small models.
#pragma once

#include "trompo/math/projection_return.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

class ConstraintReturn {
 public:
  ConstraintReturn(const System& system, const Pattern& pattern);
  // Takes the matrix of the iteration, on this pattern. False if the constraints depend on each other.
  [[nodiscard]] bool take(const double* values);
  void solve(VecX& x) const;  // in place, for all unknowns
  // Moves the free coordinates of q = origin + shift onto the constraints. False if that does not succeed.
  [[nodiscard]] bool close(const VecX& origin, VecX& shift, VecX& q);

 private:
  const System* system_;
  const Pattern* pattern_;
  Eigen::MatrixXd all_;  // the whole matrix
  TangentSpace tangent_, forces_;
  VecX gap_, size_;
};

}  // namespace trompo
