// Does the model make sense? What the reader cannot see key by key: names, references, masses, lengths.
#pragma once

#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

[[nodiscard]] std::vector<Diagnostic> check(const Model&);  // errors and warnings, in the order of the file

}  // namespace trompo
