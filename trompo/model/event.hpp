// What an event does to a model, and when one happens.
#pragma once

#include <cstddef>

#include "trompo/model/model.hpp"

namespace trompo {

// The part that the event is about, as its number in the list of its kind. Throws ModelError if there is none.
std::size_t part_of(const EventInput& event, const Model& model);
// That part gets its new numbers.
void apply(const EventInput& event, Model& model);

[[nodiscard]] double end_time(const Model& model);  // of a run
// Times that differ by less are the same, as far as the rounding of sums and products of steps lets us tell.
[[nodiscard]] double time_rounding(const Model& model);
[[nodiscard]] bool before_end(const EventInput& event, const Model& model);  // does it happen at all?

}  // namespace trompo
