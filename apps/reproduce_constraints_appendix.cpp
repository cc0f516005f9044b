// The first example of Ferreira and Doblare, Appendix A: a minimum under two constraints by projection and return. Functional
// and constraints are quadratic and stand in verification/constraints/appendix.toml: differences of their gradients are exact.
#include "apps/reproduce_constraints.hpp"

#include "trompo/math/projection_return.hpp"

namespace trompo {

namespace {
using Matrix = Eigen::MatrixXd;
constexpr int return_iterations = 6;
constexpr double constant = 4;  // of theta
}  // namespace

Appendix::Appendix(const Model& model) : start(given_state(model, System(model)).q), system_(model) {
  A = jacobian(start);
  const TangentSpace space = tangent_space(A);
  tangent = space.basis;
  independent = space.independent.at(0);
  step = tangent_step(tangent, tangent, hessian(start), gradient(start));
  predicted = start + step;
  NormalReturn back(predicted, jacobian(predicted));
  J = back.matrix(jacobian(predicted));
  for (int k = 0; k <= return_iterations; ++k) {
    const VecX error = f(back.place());
    returned.push_back({back.alpha(), back.place(), error});
    back.step(error, jacobian(back.place()));
  }
}

double Appendix::theta(const VecX& u) const { return system_.potentials(u).sum() + constant; }
VecX Appendix::f(const VecX& u) const {
  VecX error = VecX::Zero(system_.multipliers()), size = error;
  system_.constraint_errors(u, error, size);
  return error;
}
Matrix Appendix::jacobian(const VecX& u) const { return Matrix(system_.jacobian(u)); }
VecX Appendix::gradient(const VecX& u) const {
  VecX g = VecX::Zero(u.size());
  system_.force_at(u, g);
  return g;
}
Matrix Appendix::hessian(const VecX& u) const {
  Matrix H(u.size(), u.size());
  for (int j = 0; j < u.size(); ++j) H.col(j) = gradient(u + VecX::Unit(u.size(), j)) - gradient(u);
  return H;
}
Matrix Appendix::curvature(const VecX& u, const VecX& lambda) const {
  Matrix H(u.size(), u.size());
  for (int j = 0; j < u.size(); ++j) H.col(j) = (jacobian(u + VecX::Unit(u.size(), j)) - jacobian(u)).transpose() * lambda;
  return H;
}
VecX Appendix::multipliers(const VecX& u) const {
  const Matrix normals = jacobian(u);
  return -(normals * normals.transpose()).ldlt().solve(normals * gradient(u));
}

VecX Appendix::iterated(const VecX& u, bool curved) const {
  const Matrix T = tangent_space(jacobian(u)).basis;
  Matrix K = hessian(u);
  if (curved) K += curvature(u, multipliers(u));
  const VecX place = u + tangent_step(T, T, K, gradient(u));
  NormalReturn back(place, jacobian(place));
  for (int i = 0; i < return_iterations; ++i) back.step(f(back.place()), jacobian(back.place()));
  return back.place();
}

VecX Appendix::minimum_from(VecX u) const {
  for (int k = 0; k < 8; ++k) u = iterated(u, true);
  return u;
}

std::vector<double> Appendix::outer_errors(bool curved, int iterations) const {
  const VecX end = minimum();
  std::vector<double> errors;
  VecX u = start;
  for (int k = 0; k <= iterations; ++k, u = iterated(u, curved)) errors.push_back((u - end).norm());
  return errors;
}

Matrix Appendix::whole_matrix() const {
  const VecX u = minimum();
  const Matrix G = jacobian(u);
  const auto n = G.cols(), m = G.rows();
  Matrix K = Matrix::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = hessian(u) + curvature(u, multipliers(u));
  K.topRightCorner(n, m) = G.transpose();
  K.bottomLeftCorner(m, n) = G;
  return K;
}

// The problem does not change if u1 and u2 change sign together, nor if u3 does.
int Appendix::minima() const {
  std::vector<VecX> found;
  for (const Vec3& mirror : {Vec3(1, 1, 1), Vec3(1, 1, -1), Vec3(-1, -1, 1), Vec3(-1, -1, -1)}) {
    const VecX u = minimum_from(mirror.cwiseProduct(Vec3(start)));
    if (f(u).norm() > 1e-12 || std::abs(theta(u) - theta(minimum())) > 1e-12) continue;
    bool known = false;
    for (const VecX& other : found) known = known || (u - other).norm() < 1e-6;
    if (!known) found.push_back(u);
  }
  return static_cast<int>(found.size());
}

}  // namespace trompo
