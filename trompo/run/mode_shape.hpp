// Modes as the model shows them: from unknowns to coordinates, with words for what moves.
#pragma once

#include "trompo/math/constrained_modes.hpp"
#include "trompo/math/quadratic_modes.hpp"
#include "trompo/run/modes.hpp"
#include "trompo/scheme/static_balance.hpp"

namespace trompo {

// About the place of the balance, whose unknowns the shapes are over.
[[nodiscard]] Mode mode_of(const StaticBalance& balance, const EigenPair& pair);
[[nodiscard]] Mode mode_of(const StaticBalance& balance, const ComplexMotion& motion);
// The sense in which points and bodies go round an axis of unit length, or none.
[[nodiscard]] std::string whirl_of(const System& system, const Mode& mode, const Vec3& axis);

}  // namespace trompo
