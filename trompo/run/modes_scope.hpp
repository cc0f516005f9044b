// What modes leave out: velocities and dampers, for the matrices are those of the model at rest.
#pragma once

#include "trompo/run/statics.hpp"
#include "trompo/scheme/static_balance.hpp"

namespace trompo {

// Remarks about what the modes do not show: dampers, velocities of the start, motions that are given.
[[nodiscard]] std::vector<std::string> left_out_of_modes(const Model& model, const State& start);

// A body that goes on turning brings gyroscopic and centrifugal forces, without which the modes would be wrong. The start of a
// vibration does not: with K and M of `balance`, which has a tangent, velocities v would swing by sqrt(v.Mv/v.Kv) v, and where
// a body is not back within half a turn ModelError names it. Nodes have no such forces of their own: a remark is enough for
// them, and for what flies on without turning.
void refuse_steady_motion(const Model& model, const StaticBalance& balance, const State& start);

}  // namespace trompo
