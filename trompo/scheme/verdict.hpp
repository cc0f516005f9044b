// Is a solution of a step's equations a motion of the model? The one place where every stepper asks.
#pragma once

#include "trompo/scheme/stepper.hpp"

namespace trompo {

// If it is none, the report says why and who is to blame. q0 and q1 are the places of all coordinates at the ends of the step.
[[nodiscard]] bool accepted(StepReport& report, const System& system, const VecX& q0, const VecX& q1);
// The same for equations at the ends of a step, which have other solutions far away, where bodies turned elsewhere. What is
// wanted is the one to which the old velocities v0 lead within h: less than a right angle away from there. Equations over the
// interval may turn a body as far as they like.
[[nodiscard]] bool accepted(StepReport& report, const System& system, const VecX& q0, const VecX& q1, const VecX& v0, double h);

[[nodiscard]] std::string named(const System& system, int body);  // as a culprit

// How much of the accelerations of frames is none of a body that turns: d_k''.d_l + 2 d_k'.d_l' + d_k.d_l'' over the sizes of
// its terms, for all axes of all bodies together. 0 in nature, and without bodies.
struct OffRotation {
  double share = 0;
  int body = -1;  // with the largest part in it
};
[[nodiscard]] OffRotation off_rotation(const System& system, const VecX& q, const VecX& v, const VecX& a);

}  // namespace trompo
