// Runs of random valid models end in a state that can be believed, or stop and say so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fuzz/random_model.hpp"
#include "tests/fuzz/trial.hpp"
#include "tests/long_run.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace fuzz_random_model {

// A drive across a loop that cannot move: no motion does what both say, and the model is refused for that.
bool contradicts_itself(const std::string& text) {
  try {
    const Model model = parse_model(text, "drawn", {});
    const System system(model);
    (void)initial_balance(model, system, initial_state(model, system));
  } catch (const ModelError& error) {
    return std::ranges::all_of(error.diagnostics,
                               [](const Diagnostic& d) { return d.message.find(" contradicts ") != std::string::npos; });
  }
  return false;
}

TEST(LongRandomModelTest, runs_end_in_a_true_state_or_say_why_not) {
  const int count = long_run(2000, 60);
  int done = 0, refused = 0;
  for (int seed = 1; seed <= count; ++seed) {
    std::string text;
    ASSERT_NO_THROW(text = random_model(static_cast<std::uint64_t>(seed))) << "seed " << seed;
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    Answer answer = Answer::refused;
    EXPECT_NO_THROW(answer = try_run(text, {}, {.steps = 30, .energy_balance = 1e-9}));
    if (answer == Answer::refused) {
      ++refused;
      EXPECT_TRUE(contradicts_itself(text));
    }
    if (answer == Answer::done) ++done;
  }
  EXPECT_GE(done, 9 * count / 10);  // the others have a scheme that is not stable there
  EXPECT_LE(refused, count / 100);
}

}  // namespace fuzz_random_model
}  // namespace trompo
