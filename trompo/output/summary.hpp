// summary.json: what a run came to, in one page. The same run gives the same text but for time.wall_seconds.
#pragma once

#include <string>

#include "trompo/run/statics.hpp"

namespace trompo {

// Numbers have as many digits as it takes to read the same double back; one that is not finite becomes null.
[[nodiscard]] std::string summary_json(const Model& model, const System& system, const Scheme& scheme, const RunResult& result);
[[nodiscard]] std::string summary_json(const Model& model, const System& system, const StaticResult& result);

}  // namespace trompo
