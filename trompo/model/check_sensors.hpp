// Sensors: whom they name, and whether that has what they measure.
#pragma once

#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

[[nodiscard]] std::vector<Diagnostic> check_sensors(const Model&);

}  // namespace trompo
