// What modes of a model at rest leave out, and what is not at rest.
#pragma once

#include "trompo/run/statics.hpp"
#include "trompo/scheme/static_balance.hpp"

namespace trompo {

// Remarks about what the modes of a model at rest do not show: velocities of the start, motions that are given.
[[nodiscard]] std::vector<std::string> left_out_of_modes(const Model& model, const State& start);

// What goes on turning, by name: bodies, and joints that are driven round. The start of a
// vibration does not: with K and M of `balance`, which has a tangent, velocities v would swing by sqrt(v.Mv/v.Kv) v, and what
// is not back within half a turn goes on. What flies on without turning needs no more than a remark.
[[nodiscard]] std::vector<std::string> going_round(const Model& model, const StaticBalance& balance, const State& start);

// Do nodes alone, as one? Where they are not drawn in balance the stiffness says little of it.
[[nodiscard]] bool nodes_go_round(const Model& model, const StaticBalance& balance, const State& start);

// ModelError: these turn, and there are no modes since ...
[[noreturn]] void refuse_turning(const Model& model, const std::vector<std::string>& who, const std::string& why,
                                 const std::string& remedy);

}  // namespace trompo
