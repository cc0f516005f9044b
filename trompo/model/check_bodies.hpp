// Rigid bodies and what holds on to them: formulation, loads, sensors and the ends of springs.
#pragma once

#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

[[nodiscard]] std::vector<Diagnostic> check_bodies(const Model&);

// Whether check_bodies is the one to judge this.
[[nodiscard]] bool concerns_body(const LoadInput&, const Model&);
[[nodiscard]] bool concerns_body(const SensorInput&, const Model&);

// The first axis along which a motion does not begin at a place.
[[nodiscard]] std::optional<int> starts_elsewhere(const Motions& motion, const Vec3& place);

}  // namespace trompo
