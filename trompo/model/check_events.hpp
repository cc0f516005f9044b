// Events: whom they name, what they may change of it, and whether they fit what earlier ones have left.
#pragma once

#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

[[nodiscard]] std::vector<Diagnostic> check_events(const Model&);

}  // namespace trompo
