// Texts of models and names of files as a terminal may show them.
#pragma once

#include <string>
#include <string_view>

namespace trompo {

// Control characters, those that turn the direction of writing and bytes that are no UTF-8 become \u001b and the like, which JSON and
// TOML read as the same text. Ends of lines and tabs stay where there may be several `lines`.
[[nodiscard]] std::string printable(std::string_view text, bool lines = true);

}  // namespace trompo
