// Projection and return: a step on a surface f(u) = 0 without multipliers (C. Ferreira, M. Doblare, Comparacion de dos
// formulaciones conservativas en energia y momento para la integracion de sistemas multicuerpo no lineales complejos,
// Appendix A). With A = df/du:
//
//   projection   Gauss elimination with full pivoting of A du = 0 says which coordinates depend on which: du = T dz
//   prediction   u' = u + T dz, from P^T (r + K T dz) = 0, P the directions that the equation r = 0 is asked in
//   return       u = u' + A(u')^T alpha with f(u) = 0: along the normals of the place where it starts
//
// The right-hand side of a linearised constraint that is not closed is -f: closing_step.
#pragma once

#include <vector>

#include "trompo/math/vector.hpp"

namespace trompo {

struct TangentSpace {
  Eigen::MatrixXd basis;         // T: a column for each independent coordinate, which is 1 there
  std::vector<int> independent;  // coordinates, in the order of the columns
  bool regular = true;           // the rows of A are independent of each other
};
[[nodiscard]] TangentSpace tangent_space(const Eigen::MatrixXd& A);

// T dz with P^T (r + K T dz) = 0. To minimise theta on the tangent: r its gradient, K its Hessian, P = T.
[[nodiscard]] VecX tangent_step(const Eigen::MatrixXd& T, const Eigen::MatrixXd& P, const Eigen::MatrixXd& K, const VecX& r);

// The least du with A du = -f.
[[nodiscard]] VecX closing_step(const Eigen::MatrixXd& A, const VecX& f);

// The return, one step of Newton at a time: whoever asks knows f and A.
class NormalReturn {
 public:
  NormalReturn(VecX start, Eigen::MatrixXd normals);  // A(start), a row for each constraint
  [[nodiscard]] const VecX& place() const { return u_; }
  [[nodiscard]] const VecX& alpha() const { return alpha_; }
  [[nodiscard]] Eigen::MatrixXd matrix(const Eigen::MatrixXd& A) const;  // df/dalpha
  void step(const VecX& f, const Eigen::MatrixXd& A);                    // both at place()

 private:
  VecX start_, u_, alpha_;
  Eigen::MatrixXd normals_;
};

}  // namespace trompo
