// Numbers that other programs computed, of tests/data. A file is read once by each process.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trompo {

[[nodiscard]] const nlohmann::json& stored(const std::string& file);

}  // namespace trompo
