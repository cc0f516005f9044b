// Closed loops of joints: only there can what joints say depend on each other.
#pragma once

#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

// For each joint of the model: is it left when everything that hangs on one joint alone is taken away? The ground, and a body's
// fixed point, are parts of loops like any other body and joint.
[[nodiscard]] std::vector<bool> joints_in_loops(const Model& model);

}  // namespace trompo
