// Every input that is stored, through the target it is stored for: seeds, and findings that were mended.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/trial.hpp"
#include "tests/places.hpp"

namespace trompo {

namespace fs = std::filesystem;

std::string input_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

class CorpusTest : public testing::TestWithParam<FuzzTarget> {};

TEST_P(CorpusTest, every_stored_input_is_answered) {
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::directory_iterator(places::source("tests/fuzz/corpus/" + std::string(GetParam().name))))
    inputs.push_back(entry.path());
  ASSERT_FALSE(inputs.empty());
  std::sort(inputs.begin(), inputs.end());
  for (const fs::path& path : inputs) {
    SCOPED_TRACE(path.filename().string());
    EXPECT_NO_THROW(GetParam().run(input_of(path)));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, CorpusTest, testing::ValuesIn(fuzz_targets),
                         [](const auto& target) { return std::string(target.param.name); });

// What mutated models have found in runs. Not in the corpus, of whose models mutated ones are made: their seeds keep their
// meaning.
TEST(FoundModels, run) {
  for (const auto& entry : fs::directory_iterator(places::source("tests/fuzz/found"))) {
    SCOPED_TRACE(entry.path().filename().string());
    EXPECT_NO_THROW((void)try_run(input_of(entry.path())));
  }
}

}  // namespace trompo
