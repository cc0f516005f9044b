// Joints: whom they name, what they need, and whether they fit the model as drawn.
#pragma once

#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

[[nodiscard]] std::vector<Diagnostic> check_joints(const Model&);

}  // namespace trompo
