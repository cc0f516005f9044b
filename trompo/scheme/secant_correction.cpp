#include "trompo/scheme/secant_correction.hpp"

#include <cmath>
#include <limits>

namespace trompo {

namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
}

SecantCorrector::SecantCorrector(const System& system, const SecantCorrection& correction)
    : system_(&system), correction_(correction) {
  for (VecX* v : {&force0_, &force1_, &du_, &d_}) v->setZero(system.coordinates());
}

void SecantCorrector::restart(const VecX& q0) {
  system_->force_at(q0, force0_);
  energy0_ = system_->potentials(q0);
}

void SecantCorrector::close() {
  force0_.swap(force1_);
  energy0_ = energy1_;
}

void SecantCorrector::apply(const VecX& q0, const VecX& q1, double damping, VecX& force) {
  system_->force_at(q1, force1_);
  energy1_ = system_->potentials(q1);
  du_ = q1 - q0;
  d_ = force1_ - force0_;
  exact_ = true;
  noise_ = 0;
  damping_work_ = 0;
  const double du_dg = du_.dot(d_), size = du_.norm(), energies = energy0_.size() + energy1_.size();
  if (size == 0) return;
  noise_ = 16 * eps * energies / size;
  damping_work_ = 0.5 * damping * du_dg;
  const double quartic_work = du_.dot(force) - damping_work_;
  const double defect = (energy1_.sum() - energy0_.sum()) - quartic_work + aim_;

  if (correction_.mode == SecantCorrection::Mode::published) {
    if (correction_.direction == SecantCorrection::Direction::displacement) d_ = du_;
    if (std::abs(du_.dot(d_)) <= 1e-14 * size * d_.norm()) {  // as printed: small, so left out
      exact_ = false;
      return;
    }
  } else {
    if (std::abs(defect) <= 4 * eps * (energies + std::abs(quartic_work))) return;
    // The choice of direction is frozen after some iterations, or it may flip for ever.
    if (++evaluations_ <= 8)
      along_force_ = correction_.direction == SecantCorrection::Direction::force && std::abs(du_dg) >= 0.1 * size * d_.norm();
    if (!along_force_) {
      d_ = du_;
      system_->remove_mean_translation(d_);
    }
    if (du_.dot(d_) == 0) {
      exact_ = false;
      return;
    }
  }
  force += defect / du_.dot(d_) * d_;
}

}  // namespace trompo
