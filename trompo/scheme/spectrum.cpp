#include "trompo/scheme/spectrum.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "trompo/math/dense.hpp"
#include "trompo/measure/coordinate.hpp"

namespace trompo {

namespace {

// (q, v, a) after one unit step, as a matrix on (q, v, a) before it.
Eigen::Matrix3d amplification(const Scheme& scheme, double omega) {
  System oscillator;
  const int q = oscillator.add_scalar("q", 1);
  oscillator.add_elastic(CoordinateMeasure{}, linear_law, Where::at({q}), omega * omega);
  oscillator.finish();
  const auto stepper = make_stepper(scheme, oscillator, {});
  Eigen::Matrix3d A;
  for (int i = 0; i < 3; ++i) {
    State state{0, VecX::Constant(1, i == 0), VecX::Constant(1, i == 1)};
    stepper->start(state, VecX::Constant(1, i == 2));
    if (!stepper->step(state, 1).done()) return Eigen::Matrix3d::Constant(std::numeric_limits<double>::quiet_NaN());
    A.col(i) << state.q[0], state.v[0], stepper->acceleration()[0];
  }
  return A;
}

// A scheme of several steps has more roots than one step shows, and one with steps of its own has none.
void refuse_where_a_step_is_not_all(const Scheme& scheme) {
  const auto& kind = scheme.row->explicit_scheme;
  if (scheme.row->balance == Balance::multistep)
    throw SchemeError("scheme", "scheme '" + std::string(scheme.row->name) + "' has no spectrum: it is no map of one step",
                      "bathe has one");
  const bool velocity = scheme.explicit_settings.central_difference == DifferenceForm::velocity;
  if (!kind || kind == ExplicitScheme::runge_kutta || kind == ExplicitScheme::forward_euler ||
      (kind == ExplicitScheme::central_difference && velocity))
    return;
  throw SchemeError("scheme", "scheme '" + std::string(scheme.row->name) + "' has no spectrum: it is no map of one step",
                    "rk4 and central-difference:form=velocity have one");
}

}  // namespace

SpectralPoint spectral_point(const Scheme& scheme, double step_over_period) {
  refuse_where_a_step_is_not_all(scheme);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double omega = 2 * std::numbers::pi * step_over_period;
  const Eigen::Matrix3d A = amplification(scheme, omega);
  if (!A.allFinite()) return {step_over_period, nan, nan, nan};

  // An acceleration that never acts back on q and v is a record, not a part of the solution: its root does not count.
  const bool acceleration_acts = A.block<2, 1>(0, 2).norm() > 1e-12;
  Eigen::VectorXcd roots;
  if (acceleration_acts)
    roots = eigenvalues(A);
  else
    roots = eigenvalues(A.topLeftCorner<2, 2>());

  SpectralPoint point{step_over_period, roots.cwiseAbs().maxCoeff(), nan, nan};
  for (const std::complex<double>& root : roots) {
    if (root.imag() <= 1e-9 * std::abs(root)) continue;  // of the pair that oscillates, the one turning forwards
    const double angle = std::arg(root);
    point.period_error = omega / angle - 1;
    point.damping = -std::log(std::abs(root)) / angle;
  }
  return point;
}

std::vector<SpectralPoint> spectrum(const Scheme& scheme, double from, double to, int points) {
  std::vector<SpectralPoint> result;
  for (int i = 0; i < points; ++i)
    result.push_back(
        spectral_point(scheme, from * std::pow(to / from, points > 1 ? static_cast<double>(i) / (points - 1) : 0.0)));
  return result;
}

}  // namespace trompo
