// Runs of random valid models end in a state that can be believed, or stop and say so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/fuzz/random_model.hpp"
#include "tests/fuzz/trial.hpp"
#include "tests/long_run.hpp"

namespace trompo {

TEST(LongRandomModelTest, runs_end_in_a_true_state_or_say_why_not) {
  const int count = long_run(2000, 60);
  int done = 0;
  for (int seed = 1; seed <= count; ++seed) {
    std::string text;
    ASSERT_NO_THROW(text = random_model(static_cast<std::uint64_t>(seed))) << "seed " << seed;
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    Answer answer = Answer::refused;
    EXPECT_NO_THROW(answer = try_run(text, {}, {.steps = 30, .energy_balance = 1e-9}));
    EXPECT_NE(answer, Answer::refused);
    if (answer == Answer::done) ++done;
  }
  EXPECT_GE(done, 9 * count / 10);  // the others have a scheme that is not stable there
}

}  // namespace trompo
