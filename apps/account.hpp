// The end of what `run` and `statics` tell: Newton's counts, and where everything lies.
#pragma once

#include <string>

#include "trompo/run/run.hpp"

namespace trompo {

// The model's title in one line, or its file.
[[nodiscard]] std::string shown_title(const Model& model);
void print_ending(const Model& model, const RunResult& result, const std::string& directory, bool report);

}  // namespace trompo
