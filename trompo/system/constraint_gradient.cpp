#include "trompo/system/constraint_gradient.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "trompo/math/chord_root.hpp"
#include "trompo/math/gonzalez.hpp"
#include "trompo/math/small.hpp"

namespace trompo {

ConstraintGradient::ConstraintGradient(Rule::ConstraintGradient kind, const MeasureView& phi, const double* c0,
                                       const double* c1, Scratch scratch)
    : kind_(kind), phi_(phi), c0_(c0), c1_(c1), d_(scratch.take(phi.n)), scratch_(scratch) {
  subtract(phi_.n, c1_, c0_, d_);
}

void ConstraintGradient::gradient(double& point, double* G) const {
  using enum Rule::ConstraintGradient;
  switch (kind_) {
    case secant: return this->secant(Order::gradient, G, nullptr, nullptr, scratch_);
    case mean_value: return mean_value_gradient(point, G, scratch_);
    case gonzalez: return corrected(G, nullptr, scratch_);
    case midpoint: return jacobian(0.5, G, scratch_);
    case end: return jacobian(1, G, scratch_);
  }
}

void ConstraintGradient::add_curvature(double lambda, double point, bool fixed_point, double* K) const {
  using enum Rule::ConstraintGradient;
  const int n = phi_.n;
  Scratch scratch = scratch_;
  double* const J = scratch.take(n);
  const bool kink = kind_ == mean_value && point == no_point;
  if (kind_ == secant || kink) {
    double *const J1 = scratch.take(n), *const H = scratch.take(phi_.expansion());
    this->secant(Order::hessian, J, J1, H, scratch);
    phi_.add_secant_curvature(c0_, c1_, &lambda, H, K);
  } else if (kind_ == mean_value) {
    add_mean_value_curvature(lambda, point, fixed_point, K, scratch);
  } else if (kind_ == gonzalez) {
    double* const slope = scratch.take(n * n);
    corrected(J, slope, scratch);
    add(n * n, lambda, slope, K);
  } else {
    const double at = kind_ == end ? 1 : 0.5;
    add_hessian(at, at * lambda, J, K, scratch);
  }
}

void ConstraintGradient::secant(Order order, double* J, double* J1, double* H, Scratch scratch) const {
  double r0 = 0, r1 = 0;
  phi_.kernel->between(phi_.phi, c0_, c1_, order, &r0, &r1, J, J1, H, scratch);
}

void ConstraintGradient::on_chord(double beta, double* c) const { blend(phi_.n, 1, c0_, beta, d_, c); }

void ConstraintGradient::jacobian(double beta, double* J, Scratch scratch) const {
  double* const c = scratch.take(phi_.n);
  on_chord(beta, c);
  phi_.gradient(c, J, scratch);
}

void ConstraintGradient::add_hessian(double beta, double by, double* J, double* K, Scratch scratch) const {
  double *const c = scratch.take(phi_.n), *const H = scratch.take(phi_.expansion());
  double r = 0;
  on_chord(beta, c);
  phi_.kernel->at(phi_.phi, {c}, Order::hessian, &r, J, nullptr, H, scratch);
  phi_.add_curvature(c, &by, H, K);
}

double ConstraintGradient::change(Scratch scratch) const { return phi_.value(c1_, scratch) - phi_.value(c0_, scratch); }

// Rounding of J.d and of the two values.
double ConstraintGradient::noise(const double* J) const {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  double at = 0;
  for (int i = 0; i < phi_.n; ++i) at += std::abs(J[i] * c0_[i]);
  return 8 * eps * std::sqrt(dot(phi_.n, J, J) * dot(phi_.n, d_, d_)) + 2 * eps * at;
}

void ConstraintGradient::mean_value_gradient(double& point, double* G, Scratch scratch) const {
  if (point == no_point) return secant(Order::gradient, G, nullptr, nullptr, scratch);
  const int n = phi_.n;
  // A linear constraint has no Psi' to divide by; a quadratic one may have none. Both are content with the middle.
  jacobian(point, G, scratch);
  const double mean = change(scratch), tolerance = noise(G);
  if (point == 0.5 && std::abs(dot(n, G, d_) - mean) <= tolerance) return;
  double *const J = scratch.take(n), *const H = scratch.take(n * n), *const Hd = scratch.take(n);
  const auto psi = [&](double beta) {
    jacobian(beta, J, scratch);
    return dot(n, J, d_) - mean;
  };
  const auto slope = [&](double beta) {
    std::fill_n(H, n * n, 0.0);
    add_hessian(beta, 1, J, H, scratch);
    multiply(n, H, d_, Hd);
    return dot(n, d_, Hd);
  };
  const std::optional<double> root = chord_root(psi, slope, point, tolerance);
  point = root.value_or(no_point);
  if (root)
    jacobian(point, G, scratch);
  else
    secant(Order::gradient, G, nullptr, nullptr, scratch);
}

// With dbeta/dc1 = -(J_beta + beta H d - J_1)/Psi', without which the iteration is not Newton's.
void ConstraintGradient::add_mean_value_curvature(double lambda, double beta, bool fixed, double* K, Scratch scratch) const {
  const int n = phi_.n;
  double *const J = scratch.take(n), *const H = scratch.take(n * n);
  std::fill_n(H, n * n, 0.0);
  add_hessian(beta, 1, J, H, scratch);
  add(n * n, lambda * beta, H, K);
  if (fixed || beta == 0.5) return;
  double *const Hd = scratch.take(n), *const J1 = scratch.take(n), *const rate = scratch.take(n);
  multiply(n, H, d_, Hd);
  phi_.gradient(c1_, J1, scratch);
  const double psi_slope = dot(n, d_, Hd);
  for (int i = 0; i < n; ++i) rate[i] = -lambda * (J[i] + beta * Hd[i] - J1[i]) / psi_slope;
  add_outer(n, Hd, rate, K);
}

void ConstraintGradient::corrected(double* G, double* slope, Scratch scratch) const {
  const int n = phi_.n;
  double* const J1 = scratch.take(n);
  if (slope != nullptr) {
    std::fill_n(slope, n * n, 0.0);
    add_hessian(0.5, 0.5, G, slope, scratch);
    phi_.gradient(c1_, J1, scratch);
  } else {
    jacobian(0.5, G, scratch);
  }
  trompo::gonzalez(n, d_, phi_.value(c0_, scratch), phi_.value(c1_, scratch), noise(G), J1, G, slope, scratch);
}

}  // namespace trompo
