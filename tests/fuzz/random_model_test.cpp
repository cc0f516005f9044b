// Runs of random valid models end in a state that can be believed, or stop and say so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/fuzz/random_model.hpp"
#include "tests/fuzz/trial.hpp"
#include "tests/long_run.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {

// Rows that claim to keep energy, with what they are claimed for: their first words.
bool conserves(const Scheme& scheme) {
  for (const Option& option : scheme.row->options)
    if (const auto given = scheme.options.find(std::string(option.name));
        given != scheme.options.end() && given->second != option.words.front().word)
      return false;
  return scheme.row->claims.energy;
}

}  // namespace

TEST(LongRandomModelTest, runs_end_in_a_true_state_or_say_why_not) {
  std::map<std::string_view, int> answers;
  const int count = long_run(2000, 60);
  for (int seed = 1; seed <= count; ++seed) {
    std::string text;
    ASSERT_NO_THROW(text = random_model(static_cast<std::uint64_t>(seed))) << "seed " << seed;
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    Answer answer = Answer::refused;
    ASSERT_NO_THROW(answer = try_run(text, {}, {.steps = 30}));
    ++answers[word(answer)];
    if (answer != Answer::done) continue;
    const Model model = parse_model(text, "drawn.toml");
    const Scheme scheme = scheme_of(model);
    const RunResult result = run(model, System(model), scheme);
    if (result.status == Status::done && conserves(scheme))
      EXPECT_LE(result.ledger.worst_residual(), 1e-9 * result.ledger.scale()) << scheme.row->name;
  }
  for (const auto& [answer, times] : answers) fmt::print("{} {}\n", times, answer);
}

}  // namespace trompo
