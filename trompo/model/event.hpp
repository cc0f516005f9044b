// What an event does to a model.
#pragma once

#include "trompo/model/model.hpp"

namespace trompo {

// The parts that the event names get their new numbers.
void apply(const EventInput& event, Model& model);

}  // namespace trompo
