#include "trompo/scheme/secant_correction.hpp"

#include <cmath>
#include <limits>

namespace trompo {

namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
}

SecantCorrector::SecantCorrector(const System& system, const FrameReduction& unknowns, const SecantCorrection& correction,
                                 bool exact_tangent)
    : system_(&system), unknowns_(&unknowns), correction_(correction), exact_tangent_(exact_tangent) {
  for (VecX* v : {&force0_, &du_, &dg_, &d_, &new_end_.force, &new_end_.size}) v->setZero(system.coordinates());
  stiffness_.setZero(unknowns.pattern().nonzeros());
  for (VecX* v : {&free_du_, &stiffness_du_, &slope_du_, &column_, &row_, &image_}) v->setZero(unknowns.unknowns());
}

void SecantCorrector::restart(const VecX& q0) {
  system_->force_at(q0, force0_);
  energy0_ = system_->potentials(q0);
}

void SecantCorrector::close() {
  force0_.swap(new_end_.force);
  energy0_ = energy1_;
}

void SecantCorrector::apply(const VecX& q0, const VecX& q1, double damping, Assembly& assembly) {
  const bool tangent = exact_tangent_ && assembly.tangent != nullptr;
  if (tangent) {
    stiffness_.setZero();
    unknowns_->direct(stiffness_.data(), new_end_);
    system_->force_between(Rule{}, q1, q1, force0_, new_end_);  // at the end: force and stiffness together
    rank_one_ = false;
  } else {
    system_->force_at(q1, new_end_.force);
  }
  energy1_ = system_->potentials(q1);
  du_ = q1 - q0;
  dg_ = new_end_.force - force0_;
  exact_ = true;
  noise_ = 0;
  damping_work_ = 0;
  uncorrected_ = 0;
  const double du_dg = du_.dot(dg_), size = du_.norm(), energies = energy0_.size() + energy1_.size();
  if (size == 0) return;
  noise_ = 16 * eps * energies / size;
  damping_work_ = 0.5 * damping * du_dg;
  const double quartic_work = du_.dot(assembly.force) - damping_work_;
  uncorrected_ = (energy1_.sum() - energy0_.sum()) - quartic_work;
  const double defect = uncorrected_ + aim_;

  double du_d = 0;
  if (correction_.mode == SecantCorrection::Mode::published) {
    along_force_ = correction_.direction == SecantCorrection::Direction::force;
    if (!along_force_) d_ = du_;
    du_d = along_force_ ? du_dg : du_.dot(d_);
    if (std::abs(du_d) <= correction_.threshold * size * (along_force_ ? dg_ : d_).norm()) {  // as printed: small, so left out
      exact_ = false;
      return;
    }
  } else {
    if (std::abs(defect) <= 4 * eps * (energies + std::abs(quartic_work))) return;
    // The choice of direction is frozen after some iterations, or it may flip for ever.
    if (++evaluations_ <= 8)
      along_force_ = correction_.direction == SecantCorrection::Direction::force && std::abs(du_dg) >= 0.1 * size * dg_.norm();
    if (!along_force_) {
      d_ = du_;
      system_->remove_mean_translation(d_);
    }
    du_d = along_force_ ? du_dg : du_.dot(d_);
    if (du_d == 0) {
      exact_ = false;
      return;
    }
  }
  const double eta = defect / du_d;
  if (tangent) linearise(eta, du_d, damping, assembly);
  assembly.force += eta * (along_force_ ? dg_ : d_);
}

// d(eta)/dq1 = (g1 - g_q - (dg_q/dq1)^T du - eta d(du.d)/dq1) / (du.d), over the free coordinates. Held coordinates that move
// add rows to (dg_q/dq1)^T du that the matrix does not have; leaving them out changes the way, not the solution.
void SecantCorrector::linearise(double eta, double du_d, double damping, Assembly& assembly) {
  const std::vector<int>& free = system_->free();
  const VecX& d = along_force_ ? dg_ : d_;
  for (std::size_t e = 0; e < free.size(); ++e) free_du_[static_cast<Eigen::Index>(e)] = du_[free[e]];
  const Pattern& pattern = unknowns_->pattern();
  pattern.transposed_product(stiffness_.data(), free_du_, stiffness_du_);  // symmetric
  pattern.transposed_product(assembly.tangent, free_du_, slope_du_);
  for (std::size_t e = 0; e < free.size(); ++e) {
    const auto i = static_cast<Eigen::Index>(e);
    const int c = free[e];
    const double numerator = new_end_.force[c] - assembly.force[c] - slope_du_[i] + 0.5 * damping * (dg_[c] + stiffness_du_[i]);
    const double denominator = along_force_ ? dg_[c] + stiffness_du_[i] : 2 * d[c];
    row_[i] = (numerator - eta * denominator) / du_d;
    column_[i] = d[c];
    if (!along_force_) assembly.tangent[unknowns_->diagonal()[e]] += eta;
  }
  if (along_force_) Eigen::Map<VecX>(assembly.tangent, stiffness_.size()) += eta * stiffness_;
  rank_one_ = true;
}

void SecantCorrector::correct_increment(LinearSolver& solver, VecX& increment) {
  if (!rank_one_) return;
  image_ = column_;
  solver.solve(image_);
  const double share = 1 + row_.dot(image_);
  if (std::abs(share) > 1e-6) increment -= row_.dot(increment) / share * image_;
}

}  // namespace trompo
