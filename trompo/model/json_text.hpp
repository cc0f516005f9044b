// JSON as text. A name from C++ or Python may be no UTF-8: it loses what is none, and must not cost a finished run its results.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace trompo {

[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json, int indent = -1);  // -1: on one line
// Of one value and nothing after it. (The parser alone takes a zero byte for the end of the text, whatever follows.)
[[nodiscard]] bool is_json(std::string_view text);

}  // namespace trompo
