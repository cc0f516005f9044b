// Forces and stiffness of your own, moved by five rows: an electromechanical system as section 3.3 of Krenk (2014) names it. A
// plate on a hardening spring, x, is one side of a capacitor with charge Q, in a circuit with an inductance that a second
// circuit with charge P shares: W = cosh x - 1 + Q^2 (1 - x)/2 + P^2/2.
#include <cmath>
#include <cstdio>

#include <trompo/run/run.hpp>
#include <trompo/scheme/catalogue.hpp>

int main() {
  using namespace trompo;
  OwnForceInput own;
  own.name = "transducer";
  own.coordinates = {"x", "Q", "P"};
  own.force = [](const double* q, double* g) {
    g[0] = std::sinh(q[0]) - q[1] * q[1] / 2;
    g[1] = q[1] * (1 - q[0]);
    g[2] = q[2];
  };
  own.stiffness = [](const double* q, double* K) {  // column by column
    K[0] = std::cosh(q[0]), K[1] = -q[1], K[2] = 0;
    K[3] = -q[1], K[4] = 1 - q[0], K[5] = 0;
    K[6] = 0, K[7] = 0, K[8] = 1;
  };
  own.energy = [](const double* q) { return std::cosh(q[0]) - 1 + q[1] * q[1] * (1 - q[0]) / 2 + q[2] * q[2] / 2; };
  own.mass.setZero(3, 3);
  own.mass << 1, 0, 0, 0, 0.5, 0.3, 0, 0.3, 0.4;  // the mass, and inductances that couple both circuits

  Model model;
  for (const std::string& name : own.coordinates) {
    CoordinateInput coordinate;
    coordinate.name = name;
    coordinate.rate = name == "Q" ? 0.5 : 0;
    model.coordinates.push_back(coordinate);
  }
  model.own_forces = {own};
  model.time.step = 0.05;
  model.time.steps = 2000;
  bool right = true;
  for (const char* scheme : {"energy-momentum-exact", "krenk", "discrete-gradient", "krenk-quartic", "trapezoidal"}) {
    model.time.scheme = scheme;
    const RunResult result = run(model);
    const double change = (result.total.max - result.total.min) / result.ledger.scale();
    const bool keeps = find_scheme(scheme)->claims.energy;
    std::printf("%-22s energy kept to %.1e, claimed: %s\n", scheme, change, keeps ? "exactly" : "no");
    right = right && result.status == Status::done && change < (keeps ? 1e-12 : 1e-3);
  }
  return right ? 0 : 1;
}
