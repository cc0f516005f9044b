// JSON as text. A name from C++ or Python may be no UTF-8: it loses what is none, and must not cost a finished run its results.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace trompo {

[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json, int indent = -1);  // -1: on one line

}  // namespace trompo
