// What the user typed as formulas: can they be read, are they finite at the start, are constraints met there?
#pragma once

#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

[[nodiscard]] std::vector<Diagnostic> check_formulas(const Model&);

}  // namespace trompo
