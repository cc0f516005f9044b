// Is a solution of a step's equations a motion of the model? The one place where every stepper asks.
#pragma once

#include "trompo/scheme/stepper.hpp"

namespace trompo {

// If it is none, the report says why and who is to blame. q0 and q1 are the places of all coordinates at the ends of the step.
[[nodiscard]] bool accepted(StepReport& report, const System& system, const VecX& q0, const VecX& q1);

}  // namespace trompo
