// Joints in a plane problem: of their rows those that the plane has not taken already.
#pragma once

#include "trompo/model/joint_kinds.hpp"
#include "trompo/system/joint.hpp"

namespace trompo {

// Of the joint that the builder has placed. Its axes are along the normal or in the plane.
void add_rows_in_plane(JointBuilder& builder, const JointInput& input, const JointKind& kind, int normal);

}  // namespace trompo
