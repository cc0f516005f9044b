// W = k r^2 / 2. A bar has k = EA L, so that s = EA L eps is conjugate to the strain; a rod one k for each of its six strains.
#include "trompo/law/uncoupled.hpp"

namespace trompo {

namespace {

struct Linear {
  static double energy(double k, double r) { return 0.5 * k * r * r; }
  static double stress(double k, double r) { return k * r; }
  static double stiffness(double k, double /*r*/) { return k; }
  static double secant_stress(double k, double r0, double r1) { return 0.5 * k * (r0 + r1); }
  static double secant_stiffness(double k, double /*r0*/, double /*r1*/) { return 0.5 * k; }
};

}  // namespace

constinit const Law linear_law = uncoupled<Linear>();

}  // namespace trompo
