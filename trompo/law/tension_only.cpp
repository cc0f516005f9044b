// W = k <r>^2 / 2 with <r> = max(r, 0): a cable carries no pressure.
#include <algorithm>

#include "trompo/law/uncoupled.hpp"

namespace trompo {

namespace {

struct TensionOnly {
  static double energy(double k, double r) {
    const double e = std::max(r, 0.0);
    return 0.5 * k * e * e;
  }
  static double stress(double k, double r) { return k * std::max(r, 0.0); }
  static double stiffness(double k, double r) { return r > 0 ? k : 0.0; }
  // (<r1>^2 - <r0>^2) / (r1 - r0): a mean where both are taut, and well conditioned where only one is, since r1 - r0 then
  // is at least as large as the positive one.
  static double secant_stress(double k, double r0, double r1) {
    const double taut = std::max(r0, r1), slack = std::min(r0, r1);
    if (taut <= 0) return 0;
    if (slack >= 0) return 0.5 * k * (taut + slack);
    return 0.5 * k * taut * (taut / (taut - slack));
  }
  static double secant_stiffness(double k, double r0, double r1) {
    if (r0 <= 0 && r1 <= 0) return 0;
    if (r0 >= 0 && r1 >= 0) return 0.5 * k;
    const double share = std::max(r0, r1) / (std::max(r0, r1) - std::min(r0, r1));  // taut part of the change, in (0, 1)
    return r1 > r0 ? 0.5 * k * share * (2 - share) : 0.5 * k * share * share;
  }
};

}  // namespace

constinit const Law tension_only_law = uncoupled<TensionOnly>();

}  // namespace trompo
