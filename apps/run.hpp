// A run as other commands ask for it.
#pragma once

#include <string>

namespace trompo {

// The run whose results stand in a folder, from its start, into another one. Its exit code.
[[nodiscard]] int run_again(const std::string& directory, const std::string& into);

}  // namespace trompo
