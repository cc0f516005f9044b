// Joints that say what other joints say already.
#pragma once

#include <set>
#include <string>

#include "trompo/system/system.hpp"

namespace trompo {

// Rows of joints in closed loops that depend on the others, both at the start and at a configuration near it: a start that
// happens to be singular, such as a linkage folded flat, is not a reason to drop anything. Names as constraint_name gives them.
[[nodiscard]] std::set<std::string> repeated_rows(const Model& model, const System& system);

}  // namespace trompo
