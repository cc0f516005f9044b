// The vocabulary as a JSON Schema, and a model as JSON. Private to the reader.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "trompo/model/model.hpp"

namespace trompo {

[[nodiscard]] nlohmann::ordered_json schema_tree();
[[nodiscard]] nlohmann::ordered_json model_tree(const Model&);  // defaults written out
[[nodiscard]] nlohmann::ordered_json plain_tree(const Model&);  // defaults left out

}  // namespace trompo
