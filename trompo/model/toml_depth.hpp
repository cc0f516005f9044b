// How deep the tables and lists of a TOML text nest. Reading and taking down what is nested are recursive, so that a text of
// 40 000 dots would end in a full stack: it is measured before anything is read.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trompo {

struct TomlDepth {
  // Brackets within brackets, and dots of one key: more than any model needs, and together far from the end of a stack.
  static constexpr int most = 32;
  int line;             // of the first place that is deeper
  std::string message;  // what is too deep there
};

[[nodiscard]] std::optional<TomlDepth> too_deep(std::string_view toml);

}  // namespace trompo
