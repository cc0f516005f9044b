// Runs of a million steps and published studies, in full with TROMPO_LONG=1 (as .ci/run has it) and shortened without: the same
// properties to the same tolerances over fewer steps.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <string_view>

namespace trompo {

[[nodiscard]] inline bool in_full() {
  const char* asked = std::getenv("TROMPO_LONG");
  return asked != nullptr && std::string_view(asked) == "1";
}

// Steps, seconds, cases: how far this run goes. What was shortened is said in the report of the test.
template <class Length>
[[nodiscard]] Length long_run(Length full, Length shortened) {
  if (in_full() || full == shortened) return full;
  testing::Test::RecordProperty("shortened", "to " + std::to_string(shortened) + " of " + std::to_string(full));
  return shortened;
}

}  // namespace trompo
