// Constraints by formula that say again what joints, or formulas before them, say of bodies.
#pragma once

#include "trompo/system/system.hpp"

namespace trompo {

// Throws ModelError with their names and those of what they repeat. Without them, and beyond what is affordable, nothing is
// done.
void refuse_repeated_formulas(const Model& model, const System& system, const State& state);

}  // namespace trompo
