// The resolved model as a page shows it: JSON whose long lists are cut, so that a table of a million rows does not make the page
// unreadable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trompo {

struct ModelText {
  std::string json;
  std::size_t shown = 0, longest = 0;  // entries of the longest list that was cut; 0: none was
};

// Lists keep their first entries, a thousand of them or as many as make the whole no longer than `bytes`; a text in their last
// place says how many more there are. `json` must be valid.
[[nodiscard]] ModelText model_text(std::string_view json, std::size_t bytes = 1 << 20);

}  // namespace trompo
