// The numbers of a scheme that loses energy: rho_infinity = (1 - 2c)/(1 + 2c), and where the loss sets in, omega h = 1/|beta|.
#pragma once

namespace trompo {

struct DecayNumbers {
  double c = 0, beta = -1. / 6;
  bool constraint_rates = true;  // the rates of constraints lose theirs too
};

}  // namespace trompo
