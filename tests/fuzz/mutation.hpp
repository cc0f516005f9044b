// Model files that are nearly right: what a slip of the hand, a bad merge or an enemy makes of a good one.
#pragma once

#include <span>
#include <string>

#include "tests/fuzz/draw.hpp"

namespace trompo {

// One of the models with one to four changes: bytes, numbers, words, names, lines and tables, some of them from the other
// models.
[[nodiscard]] std::string mutated(std::span<const std::string> models, Draw& draw);

}  // namespace trompo
