#include "trompo/model/json_text.hpp"

#include <nlohmann/json.hpp>

namespace trompo {

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

bool is_json(std::string_view text) { return text.find('\0') == std::string_view::npos && nlohmann::json::accept(text); }

}  // namespace trompo
