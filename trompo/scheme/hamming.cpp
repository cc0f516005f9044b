#include "trompo/scheme/explicit_schemes.hpp"

#include <algorithm>
#include <limits>

namespace trompo {

Hamming::Hamming(const System& system, const Stabilisation& stabilisation, const NewtonOptions& options, HammingStart start)
    : ExplicitStepper(system, stabilisation, options), start_(start) {
  for (auto& x : old_z_) x = z_;
  for (auto& x : old_f_) x = z_;
  for (VecX* x : {&error_, &new_error_, &predicted_, &base_}) *x = z_;
}

// Moves z1_, a prediction, to the solution of z = base + weight f(z).
NewtonEnd Hamming::correct(double t, double weight) {
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most; ++i) {
    if (const NewtonEnd end = evaluate(t, z1_, f1_); end != NewtonEnd::converged) return end;
    f1_ = base_ + weight * f1_;
    const double change = (f1_ - z1_).head(2 * n_).cwiseAbs().maxCoeff();
    const double size = std::max(1.0, f1_.head(2 * n_).cwiseAbs().maxCoeff());
    z1_.swap(f1_);
    const bool stalled = change >= 0.5 * last && change <= 1e3 * tolerance * size;  // as near as rounding allows
    if (change <= tolerance * size || stalled) return NewtonEnd::converged;
    last = change;
  }
  return NewtonEnd::too_many_iterations;
}

NewtonEnd Hamming::begin(double t0, double h, int known) {
  if (start_ == HammingStart::runge_kutta) return runge_kutta(t0, h);
  double weight = h / 2;
  if (known == 1) {
    base_ = z_ + h / 2 * f_;
    z1_ = z_ + h * f_;
  } else if (known == 2) {
    weight = 5 * h / 12;
    base_ = z_ + h / 12 * (8 * f_ - old_f_[0]);
    z1_ = z_ + h / 2 * (3 * f_ - old_f_[0]);
  } else {
    weight = 9 * h / 24;
    base_ = z_ + h / 24 * (19 * f_ - 5 * old_f_[0] + old_f_[1]);
    z1_ = z_ + h / 12 * (23 * f_ - 16 * old_f_[0] + 5 * old_f_[1]);
  }
  const NewtonEnd end = correct(t0 + h, weight);
  return end == NewtonEnd::converged ? settle(t0 + h, z1_, f1_) : end;
}

// The errors of predictor and corrector are as 112 to -9: their difference tells both.
NewtonEnd Hamming::advance(double t0, double t1) {
  const double h = t1 - t0;
  new_error_.setZero();
  if (const int points = known(); points < 4) return begin(t0, h, points);
  predicted_ = old_z_[2] + 4 * h / 3 * (2 * f_ - old_f_[0] + 2 * old_f_[1]);
  z1_ = predicted_ + 112.0 / 9 * error_;
  base_ = (9 * z_ - old_z_[1] + 3 * h * (2 * f_ - old_f_[0])) / 8;
  if (const NewtonEnd end = correct(t1, 3 * h / 8); end != NewtonEnd::converged) return end;
  new_error_ = 9.0 / 121 * (z1_ - predicted_);
  z1_ -= new_error_;
  return settle(t1, z1_, f1_);
}

void Hamming::memory(const Memory& memory) {
  ExplicitStepper::memory(memory);
  memory.number("points", known_);
  for (std::size_t k = 0; k < old_z_.size(); ++k) memory("earlier " + std::to_string(k + 1), old_z_[k]);
  for (std::size_t k = 0; k < old_f_.size(); ++k) memory("earlier rates " + std::to_string(k + 1), old_f_[k]);
  memory("error", error_);
}

// old_z_[k] is what lies k + 1 steps before the new present.
void Hamming::remember() {
  known_ = std::min(known() + 1, 4);
  std::rotate(old_z_.begin(), old_z_.end() - 1, old_z_.end());
  std::rotate(old_f_.begin(), old_f_.end() - 1, old_f_.end());
  old_z_[0] = z_;
  old_f_[0] = f_;
  error_.swap(new_error_);
}

}  // namespace trompo
