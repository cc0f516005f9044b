// Modes as summary.json and as a page, where each moves through a period of its own.
#pragma once

#include <string>

#include "trompo/output/page_data.hpp"
#include "trompo/run/modes.hpp"

namespace trompo {

[[nodiscard]] std::string modes_json(const Model& model, const System& system, const ModesResult& result);
[[nodiscard]] PageTable modes_table(const ModesResult& result);
[[nodiscard]] PageData modes_page(const Model& model, const System& system, const ModesResult& result);
[[nodiscard]] std::string mode_label(const ModesResult& result, std::size_t mode);  // "mode 3: 1.25 Hz"

}  // namespace trompo
