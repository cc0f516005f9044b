// How often a run keeps what it would need to go on: the words of `checkpoint` in [output].
#pragma once

#include <optional>
#include <string_view>

#include "trompo/model/model.hpp"

namespace trompo {

struct CheckpointRule {
  double seconds = 0;         // of wall time; 0: not by the clock
  long steps = 0;             // 0: not by steps
  bool wanted = true;         // "never" is neither
  long barrier_steps = 1000;  // what only affects rounding is dropped so often: fixed by the model, never by the clock
};
// "10 min", "30 s", "2 h", "500 steps", "never"; nothing for what is none of them.
[[nodiscard]] std::optional<CheckpointRule> checkpoint_rule(std::string_view text);
[[nodiscard]] CheckpointRule checkpoint_rule(const Model& model);  // throws ModelError

}  // namespace trompo
