#include "trompo/scheme/explicit_schemes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trompo {

DormandPrince::DormandPrince(const System& system, const Stabilisation& stabilisation, const NewtonOptions& options,
                             double tolerance)
    : ExplicitStepper(system, stabilisation, options), tolerance_(tolerance) {
  for (VecX& k : k_) k = z_;
  for (VecX* x : {&here_, &there_, &fault_}) *x = z_;
}

// From here_ with k_[0] to there_ with k_[6].
double DormandPrince::attempt(double t, double h) {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  static constexpr std::array<double, 6> place{0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
  static constexpr double weights[6][6] = {
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
  };
  static constexpr std::array<double, 7> error{71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                               -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  for (std::size_t i = 0; i < 6; ++i) {
    there_ = here_;
    for (std::size_t j = 0; j <= i; ++j) there_ += h * weights[i][j] * k_[j];
    if (evaluate(t + place[i] * h, there_, k_[i + 1]) != NewtonEnd::converged) return infinity;
  }
  fault_.setZero();
  for (std::size_t i = 0; i < 7; ++i) fault_ += h * error[i] * k_[i];
  if (!fault_.head(2 * n_).allFinite()) return infinity;
  double worst = 0;
  for (int i = 0; i < 2 * n_; ++i) {
    const double size = std::abs(fault_[i]) / (tolerance_ + tolerance_ * std::max(std::abs(here_[i]), std::abs(there_[i])));
    if (size <= worst) continue;
    worst = size;
    worst_ = i % n_;
  }
  return worst;
}

// A step that is cut to land on the end says nothing about the next one.
NewtonEnd DormandPrince::advance(double t0, double t1) {
  here_ = z_;
  worst_ = -1;
  k_[0] = f_;
  double t = t0, h = fresh_ ? t1 - t0 : trial_, error = 0;
  for (int i = 0; i < most; ++i) {
    const bool last = h >= (t1 - t) * (1 - 1e-12);
    const double taken = last ? t1 - t : h;
    if (!(taken > 1e-15 * std::max(std::abs(t1), t1 - t0)))
      return std::isfinite(error) ? NewtonEnd::stalled : NewtonEnd::not_finite;
    error = attempt(t, taken);
    const double proposed = taken * std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
    if (error > 1) {
      h = proposed;
      continue;
    }
    h = last ? std::max(h, proposed) : proposed;
    t = last ? t1 : t + taken;
    here_.swap(there_);
    if (!equations_.stabilisation().projects())
      k_[0].swap(k_[6]);  // the last stage is the first of the next step
    else if (const NewtonEnd end = settle(t, here_, k_[0]); end != NewtonEnd::converged)
      return end;
    if (!last) continue;
    next_trial_ = h;
    z1_ = here_;
    f1_ = k_[0];
    return NewtonEnd::converged;
  }
  return NewtonEnd::stalled;
}

}  // namespace trompo
