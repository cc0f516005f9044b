// W = w (1 - cos r): the weight of a simple pendulum in its angle, w = m g l.
#include <cmath>

#include "trompo/law/uncoupled.hpp"

namespace trompo {

namespace {

struct Weight {
  // 1 - cos r = 2 sin^2(r/2) keeps the digits of small swings.
  static double energy(double w, double r) {
    const double half = std::sin(0.5 * r);
    return 2 * w * half * half;
  }
  static double stress(double w, double r) { return w * std::sin(r); }
  static double stiffness(double w, double r) { return w * std::cos(r); }
  // (cos r0 - cos r1) / (r1 - r0) = sin(mean) sin(d)/d with d = (r1 - r0)/2
  static double secant_stress(double w, double r0, double r1) { return w * std::sin(0.5 * (r0 + r1)) * sinc(0.5 * (r1 - r0)); }
  static double secant_stiffness(double w, double r0, double r1) {
    const double mean = 0.5 * (r0 + r1), d = 0.5 * (r1 - r0);
    return 0.5 * w * (std::cos(mean) * sinc(d) + std::sin(mean) * sinc_slope(d));
  }

 private:
  static double sinc(double x) { return std::abs(x) < 1e-4 ? 1 - x * x / 6 : std::sin(x) / x; }
  static double sinc_slope(double x) {
    return std::abs(x) < 1e-3 ? -x / 3 + x * x * x / 30 : (std::cos(x) - std::sin(x) / x) / x;
  }
};

}  // namespace

constinit const Law weight_law = uncoupled<Weight>();

}  // namespace trompo
