// Values from the command line: "time.step=0.01", "gravity=[0,0,0]", "bar.rod.EA=2e4". Private to the reader.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "trompo/model/toml_fields.hpp"

namespace trompo {

// Puts the value into the tree, or a diagnostic into the reading if there is no such place.
void apply_override(toml::table& root, const std::string& text, const nlohmann::ordered_json& schema, TomlReading& reading);

}  // namespace trompo
