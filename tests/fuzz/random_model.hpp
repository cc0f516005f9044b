// Models drawn by a seed, each of them valid: points, bars, springs and dampers, bodies with joints of every kind in trees and
// closed loops, rods, generalised coordinates, typed energies, loads, motions, events, sensors.
#pragma once

#include <cstdint>
#include <string>

namespace trompo {

// As a model file, with one of the schemes that can integrate it.
[[nodiscard]] std::string random_model(std::uint64_t seed);

}  // namespace trompo
