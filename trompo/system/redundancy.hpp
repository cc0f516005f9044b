// Joints that say what other joints say already.
#pragma once

#include "trompo/system/system.hpp"

namespace trompo {

// Rows of joints in closed loops that depend on the others, both at the start and at a configuration near it: a start that
// happens to be singular, such as a linkage folded flat, is not a reason to drop anything. Rows that depend on others at the
// start and contradict them there, so that there is no place that keeps all of them, are among them too: whoever starts will
// find them open. Names as constraint_name gives them.
[[nodiscard]] RepeatedRows repeated_rows(const Model& model, const System& system);

}  // namespace trompo
