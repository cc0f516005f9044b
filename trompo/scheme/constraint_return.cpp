#include "trompo/scheme/constraint_return.hpp"

#include <limits>

#include "trompo/math/dense.hpp"

namespace trompo {

ConstraintReturn::ConstraintReturn(const System& system, const Pattern& pattern) : system_(&system), pattern_(&pattern) {
  all_.setZero(pattern.size(), pattern.size());
  for (VecX* v : {&gap_, &size_}) v->setZero(system.multipliers());
}

bool ConstraintReturn::take(const double* values) {
  const Pattern& pattern = *pattern_;
  const int size = pattern.size(), m = system_->multipliers(), n = size - m;
  if (pattern.dense()) {
    all_ = Eigen::Map<const Eigen::MatrixXd>(values, size, size);
  } else {
    for (int column = 0; column < size; ++column)
      for (int k = pattern.column_start()[column]; k < pattern.column_start()[column + 1]; ++k)
        all_(pattern.rows()[k], column) = values[k];
  }
  if (!all_.allFinite()) return false;
  tangent_ = tangent_space(all_.bottomLeftCorner(m, n));
  forces_ = tangent_space(all_.topRightCorner(n, m).transpose());
  return tangent_.regular && forces_.regular;
}

void ConstraintReturn::solve(VecX& x) const {
  const int m = system_->multipliers(), n = system_->equations();
  const auto K = all_.topLeftCorner(n, n);
  const auto G = all_.topRightCorner(n, m).transpose();
  VecX dq = -closing_step(all_.bottomLeftCorner(m, n), x.tail(m));
  dq -= tangent_step(tangent_.basis, forces_.basis, K, x.head(n) - K * dq);
  const VecX left = x.head(n) - K * dq;  // what only constraint forces can balance
  x.tail(m) = lu_solve(G * G.transpose(), VecX(G * left));
  x.head(n) = dq;
}

bool ConstraintReturn::close(const VecX& origin, VecX& shift, VecX& q) {
  constexpr int most = 20;
  const std::vector<int>& free = system_->free();
  const VecX start = shift;
  NormalReturn back(VecX::Zero(system_->equations()), Eigen::MatrixXd(system_->jacobian(q)));
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most; ++i) {
    system_->constraint_errors(q, gap_, size_);
    const double worst = (gap_.array().abs() / size_.array().max(std::numeric_limits<double>::min())).maxCoeff();
    // The last digits may never vanish.
    if (worst <= 4e-16 || (worst <= 1e-14 && worst >= 0.5 * last)) return true;
    last = worst;
    back.step(gap_, Eigen::MatrixXd(system_->jacobian(q)));
    if (!back.place().allFinite()) return false;
    for (std::size_t e = 0; e < free.size(); ++e) {
      const int c = free[e];
      shift[c] = start[c] + back.place()[static_cast<Eigen::Index>(e)];
      q[c] = origin[c] + shift[c];
    }
  }
  return false;
}

}  // namespace trompo
