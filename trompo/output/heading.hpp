// What a results file says of a run before it moves (run_heading) may come from anywhere: what is drawn by index or counted must fit
// together before it is used.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "trompo/output/channels.hpp"

namespace trompo {

// Throws std::invalid_argument that names the place and what is wrong with it.
void check_heading(const nlohmann::ordered_json& heading, const Channels& channels);

}  // namespace trompo
