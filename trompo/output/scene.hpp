// What a picture of a model needs: bodies with the shapes they are, bars, springs, joints, in the frames that move with the
// run. web/src/data.ts says what each entry means.
#pragma once

#include <string>

#include "trompo/model/model.hpp"

namespace trompo {

// As JSON. A pendulum in its angle has no frame of its own: its bob is drawn as one more node, behind those of the model, and
// the entry `pendulums` says where it is for a value of its coordinate: origin + length (cos down + sin side).
[[nodiscard]] std::string scene_json(const Model& model);

}  // namespace trompo
