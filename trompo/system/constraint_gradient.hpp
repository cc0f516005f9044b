// The gradient G of a scalar constraint phi over a step c0 -> c1, whose force is G^T lambda. With d = c1 - c0, m the midpoint:
//
//   secant       J* of the measure: no work, and over invariants no momentum either        Gonzalez, Physica D 132 (1999)
//   mean_value   J(c0 + beta d), beta such that J.d = phi1 - phi0: no work                  Ferreira, Doblare
//   gonzalez     J(m) + (phi1 - phi0 - J(m).d)/(d.d) d over the measure's own coordinates   Gonzalez, J. Nonlinear Sci. 6
//   (1996) midpoint     J(m): its work lambda J(m).d is of third order, not zero
//
// beta is a root of Psi(beta) = J(c0 + beta d).d - (phi1 - phi0), with Psi' = d.H.d. The mean value theorem says that there is
// one, not that it is the only one: the one nearest to `point` is taken, which is 1/2 when a step begins and the last beta
// afterwards, so that an iteration does not jump between two solutions.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include "trompo/math/chord_root.hpp"
#include "trompo/measure/measure.hpp"
#include "trompo/system/rule_kind.hpp"

namespace trompo {

template <Measure M>
class ConstraintGradient {
 public:
  static_assert(M::components == 1);
  static constexpr int n = M::coordinates;
  using C = Vec<n>;
  using J = Mat<1, n>;
  using K = Mat<n, n>;

  // In place of beta where phi has a kink and Psi jumps over zero: there the secant stands in, till the step is over.
  static constexpr double no_point = std::numeric_limits<double>::infinity();

  ConstraintGradient(Rule::ConstraintGradient kind, const M& phi, const C& c0, const C& c1)
      : kind_(kind), phi_(phi), c0_(c0), c1_(c1), d_(c1 - c0) {}

  // Takes the place on the chord from the iteration before and leaves its own.
  [[nodiscard]] J gradient(double& point) const {
    using enum Rule::ConstraintGradient;
    switch (kind_) {
      case secant: return phi_.secant(c0_, c1_);
      case mean_value: return mean_value_gradient(point);
      case gonzalez: return corrected(nullptr).transpose();
      case midpoint: return phi_.jacobian(on_chord(0.5));
    }
    return J::Zero();
  }
  // d(G^T lambda)/dc1; `point` is what gradient() left
  [[nodiscard]] K curvature(const Vec<1>& lambda, double point) const {
    using enum Rule::ConstraintGradient;
    switch (kind_) {
      case secant: return phi_.secant_curvature(c0_, c1_, lambda);
      case mean_value: return mean_value_curvature(lambda, point);
      case gonzalez: {
        K slope;
        (void)corrected(&slope);
        return lambda[0] * slope;
      }
      case midpoint: return 0.5 * phi_.curvature(on_chord(0.5), lambda);
    }
    return K::Zero();
  }

 private:
  [[nodiscard]] C on_chord(double beta) const { return c0_ + beta * d_; }
  [[nodiscard]] double change() const { return phi_.value(c1_)[0] - phi_.value(c0_)[0]; }
  // Rounding of J.d and of the two values.
  [[nodiscard]] double noise(const J& j) const {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    return 8 * eps * j.norm() * d_.norm() + 2 * eps * j.cwiseAbs().dot(c0_.cwiseAbs());
  }

  [[nodiscard]] J mean_value_gradient(double& point) const {
    if (point == no_point) return phi_.secant(c0_, c1_);
    // A linear constraint has no Psi' to divide by; a quadratic one may have none. Both are content with the middle.
    const J start = phi_.jacobian(on_chord(point));
    const double mean = change(), tolerance = noise(start);
    if (point == 0.5 && std::abs(start.dot(d_) - mean) <= tolerance) return start;
    const auto psi = [&](double beta) { return phi_.jacobian(on_chord(beta)).dot(d_) - mean; };
    const auto slope = [&](double beta) { return d_.dot(phi_.curvature(on_chord(beta), Vec<1>(1.0)) * d_); };
    const std::optional<double> root = chord_root(psi, slope, point, tolerance);
    point = root.value_or(no_point);
    return root ? J(phi_.jacobian(on_chord(point))) : J(phi_.secant(c0_, c1_));
  }
  // With dbeta/dc1 = -(J_beta + beta H d - J_1)/Psi', without which the iteration is not Newton's.
  [[nodiscard]] K mean_value_curvature(const Vec<1>& lambda, double beta) const {
    if (beta == no_point) return phi_.secant_curvature(c0_, c1_, lambda);
    const C c = on_chord(beta);
    const K H = phi_.curvature(c, Vec<1>(1.0));
    K out = beta * H;
    if (const C Hd = H * d_; beta != 0.5)
      out -= Hd * (phi_.jacobian(c) + beta * Hd.transpose() - phi_.jacobian(c1_)) / d_.dot(Hd);
    return lambda[0] * out;
  }
  [[nodiscard]] C corrected(K* slope) const {
    const C m = on_chord(0.5);
    C g = phi_.jacobian(m).transpose();
    if (slope != nullptr) *slope = 0.5 * phi_.curvature(m, Vec<1>(1.0));
    const double rounding = noise(g.transpose());
    trompo::gonzalez<n>(
        d_, phi_.value(c0_)[0], phi_.value(c1_)[0], [rounding](double) { return rounding; },
        [&] { return C(phi_.jacobian(c1_).transpose()); }, g, slope);
    return g;
  }

  Rule::ConstraintGradient kind_;
  const M& phi_;
  const C &c0_, &c1_;
  C d_;
};

}  // namespace trompo
