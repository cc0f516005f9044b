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

// Under sanitizers (TROMPO_BRIEF=1, as ctest sets it there) memory is looked at, and a tenth of the steps shows all there is of
// it.
[[nodiscard]] inline long brief_run(long steps) {
  const char* asked = std::getenv("TROMPO_BRIEF");
  return asked != nullptr && std::string_view(asked) == "1" ? steps / 10 : steps;
}

// Steps, seconds, cases: how far this run goes. What was shortened is said in the report of the test.
template <class Length>
[[nodiscard]] Length long_run(Length full, Length shortened) {
  if (in_full() || full == shortened) return full;
  testing::Test::RecordProperty("shortened", "to " + std::to_string(shortened) + " of " + std::to_string(full));
  return shortened;
}

}  // namespace trompo
