// The state of a recorded sample as the start of another model, by the names of nodes, bodies and coordinates.
#pragma once

#include <string>
#include <vector>

#include "trompo/output/results.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

// The sample at that time. FileError with its neighbours where there is none.
[[nodiscard]] std::size_t sample_at(const ResultsFile& file, double time);

struct CarriedState {
  State state;                        // not yet held, projected or settled: as_start
  std::vector<std::string> left_out;  // what could not be carried over, in words
};
[[nodiscard]] CarriedState carried_state(const ResultsFile& file, std::size_t sample, const Model& model, const System& system);

}  // namespace trompo
