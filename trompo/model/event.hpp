// What an event does to a model.
#pragma once

#include <cstddef>

#include "trompo/model/model.hpp"

namespace trompo {

// The part that the event is about, as its number in the list of its kind. Throws ModelError if there is none.
std::size_t part_of(const EventInput& event, const Model& model);
// That part gets its new numbers.
void apply(const EventInput& event, Model& model);

}  // namespace trompo
