// W = p r: for a measure that is an energy itself, such as a potential typed by the user.
#include "trompo/law/uncoupled.hpp"

namespace trompo {

namespace {

struct Potential {
  static double energy(double p, double r) { return p * r; }
  static double stress(double p, double /*r*/) { return p; }
  static double stiffness(double /*p*/, double /*r*/) { return 0; }
  static double secant_stress(double p, double /*r0*/, double /*r1*/) { return p; }
  static double secant_stiffness(double /*p*/, double /*r0*/, double /*r1*/) { return 0; }
};

}  // namespace

constinit const Law potential_law = uncoupled<Potential>();

}  // namespace trompo
