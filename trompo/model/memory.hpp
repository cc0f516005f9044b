// What a model will take of the machine's memory, judged by its counts before they become parts.
#pragma once

#include <string>
#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

// Bytes that this process can still get: what the system, its control group and its own limit leave. Infinite if nobody says.
[[nodiscard]] double available_memory();

// The rods and the aircraft of a model that is not expanded yet, for a run of it [bytes].
[[nodiscard]] double memory_of(const RodInput& rod);
[[nodiscard]] double memory_of(const AircraftInput& aircraft);

// What asks for most, if all of it is more than there is. `available` in bytes.
[[nodiscard]] std::vector<Diagnostic> check_memory(const Model& model, double available);

}  // namespace trompo
