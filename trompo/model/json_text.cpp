#include "trompo/model/json_text.hpp"

#include <nlohmann/json.hpp>

namespace trompo {

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace trompo
