// What an event does to a model, and when one happens.
#pragma once

#include "trompo/model/model.hpp"

namespace trompo {

// The parts that the event names get their new numbers.
void apply(const EventInput& event, Model& model);

[[nodiscard]] double end_time(const Model& model);  // of a run
// Times that differ by less are the same, as far as the rounding of sums and products of steps lets us tell.
[[nodiscard]] double time_rounding(const Model& model);
[[nodiscard]] bool before_end(const EventInput& event, const Model& model);  // does it happen at all?

}  // namespace trompo
