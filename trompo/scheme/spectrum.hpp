// Spectral analysis: what a scheme does to the linear oscillator q'' + w^2 q = 0 per step, found by letting the scheme itself
// take one step from each unit state. Nothing is derived twice, so the analysis cannot disagree with the code.
#pragma once

#include <vector>

#include "trompo/scheme/catalogue.hpp"

namespace trompo {

struct SpectralPoint {
  double step_over_period;  // h / T
  double radius;            // largest |eigenvalue| of the amplification matrix
  double period_error;      // (T_numerical - T) / T; NaN where the response no longer oscillates
  double damping;           // algorithmic damping ratio; NaN likewise
};

[[nodiscard]] SpectralPoint spectral_point(const Scheme& scheme, double step_over_period);
// Logarithmically spaced from `from` to `to`.
[[nodiscard]] std::vector<SpectralPoint> spectrum(const Scheme& scheme, double from, double to, int points);

}  // namespace trompo
