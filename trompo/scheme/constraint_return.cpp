#include "trompo/scheme/constraint_return.hpp"

#include <limits>

#include "trompo/math/dense.hpp"
#include "trompo/scheme/step_problem.hpp"

namespace trompo {

ConstraintReturn::ConstraintReturn(const Pattern& pattern, int multipliers) : pattern_(&pattern), m_(multipliers) {
  all_.setZero(pattern.size(), pattern.size());
}

bool ConstraintReturn::read(const double* values) {
  const Pattern& pattern = *pattern_;
  const int size = pattern.size();
  if (pattern.dense()) {
    all_ = Eigen::Map<const Eigen::MatrixXd>(values, size, size);
  } else {
    for (int column = 0; column < size; ++column)
      for (int k = pattern.column_start()[column]; k < pattern.column_start()[column + 1]; ++k)
        all_(pattern.rows()[k], column) = values[k];
  }
  return all_.allFinite();
}

bool ConstraintReturn::take(const double* values) {
  if (!read(values)) return false;
  const Eigen::Index n = all_.rows() - m_;
  tangent_ = tangent_space(all_.bottomLeftCorner(m_, n));
  forces_ = tangent_space(all_.topRightCorner(n, m_).transpose());
  return tangent_.regular && forces_.regular;
}

void ConstraintReturn::solve(VecX& x) const {
  const Eigen::Index n = all_.rows() - m_;
  const auto K = all_.topLeftCorner(n, n);
  const auto G = all_.topRightCorner(n, m_).transpose();
  VecX dq = -closing_step(all_.bottomLeftCorner(m_, n), x.tail(m_));
  dq -= tangent_step(tangent_.basis, forces_.basis, K, x.head(n) - K * dq);
  const VecX left = x.head(n) - K * dq;  // what only constraint forces can balance
  x.tail(m_) = lu_solve(G * G.transpose(), VecX(G * left));
  x.head(n) = dq;
}

void ConstraintReturn::begin(const double* values) {
  (void)read(values);
  const Eigen::Index n = all_.rows() - m_;
  back_.emplace(VecX::Zero(n), all_.bottomLeftCorner(m_, n));
}

void ConstraintReturn::step(const VecX& errors, const double* values, VecX& decrement) {
  (void)read(values);
  const Eigen::Index n = all_.rows() - m_;
  const VecX before = back_->place();
  back_->step(errors, all_.bottomLeftCorner(m_, n));
  decrement.head(n) = before - back_->place();
  decrement.tail(m_).setZero();
}

void StepProblem::return_to_constraints() {
  if (system_->multipliers() > 0) return_.emplace(unknowns_.pattern(), system_->multipliers());
}

// Onto the constraints, along the normals of where the iteration has led.
bool StepProblem::close_constraints() {
  constexpr int most = 20;
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most; ++i) {
    evaluate(true);
    if (i == 0) return_->begin(solver_.values());
    const double worst =
        (assembly_.constraint_error.array().abs() / assembly_.constraint_size.array().max(std::numeric_limits<double>::min()))
            .maxCoeff();
    // The last digits may never vanish.
    if (worst <= 4e-16 || (worst <= 1e-14 && worst >= 0.5 * last)) return true;
    last = worst;
    return_->step(rows_.residual.segment(rows_.moving(), multiplier.size()), solver_.values(), increment_);
    if (std::isnan(shift_unknowns(increment_))) return false;
  }
  return false;
}

}  // namespace trompo
