// A tight reference solution beside which schemes are measured: Dormand-Prince at 1e-12 where the model allows it, otherwise
// Richardson extrapolation of two fine runs. Conservation is not accuracy; this is accuracy.
#pragma once

#include <string>

#include "trompo/model/event.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

struct ReferenceSolution {
  std::string method;
  VecX q, v;                // at the end
  double error = 0;         // its own estimate, in the largest coordinate
  double energy_scale = 0;  // max of K + |U| + |V| along it
};

[[nodiscard]] ReferenceSolution reference_solution(const Model& model, const System& system);

}  // namespace trompo
