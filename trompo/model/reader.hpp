// Model file -> Model, with every error as file:line, name, reason and remedy.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

// Reads and checks a file. Overrides are "time.step=0.01" or "bar.rod.EA=2e4" (section, name, key).
// Throws FileError if the file cannot be read, ModelError with all reasons if it is no valid model.
[[nodiscard]] Model read_model(const std::string& file, std::span<const std::string> overrides = {});
// The same from text; `name` stands for the file in messages.
[[nodiscard]] Model parse_model(std::string_view text, const std::string& name, std::span<const std::string> overrides = {});

[[nodiscard]] std::string model_schema();            // JSON Schema of the file
[[nodiscard]] std::string model_json(const Model&);  // the resolved model, defaults written out
[[nodiscard]] std::string model_toml(const Model&);  // as a model file, which reads as the same model

}  // namespace trompo
