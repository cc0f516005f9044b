// Rigid bodies and what holds on to them: formulation, loads, sensors and the ends of springs.
#pragma once

#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

[[nodiscard]] std::vector<Diagnostic> check_bodies(const Model&);

// Whether check_bodies is the one to judge this.
[[nodiscard]] bool concerns_body(const LoadInput&, const Model&);
[[nodiscard]] bool concerns_body(const SensorInput&, const Model&);

}  // namespace trompo
