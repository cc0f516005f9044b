#pragma once

#include <string_view>

namespace trompo {

[[nodiscard]] std::string_view version();  // "0.1.0"

}  // namespace trompo
