// How much memory a run takes: it does not grow with its steps, whatever is written of them.
#include "tests/apps/tool.hpp"
#include "tests/long_run.hpp"

namespace trompo::test {
namespace apps_memory {

class LongMemory : public ToolTest {
 protected:
  // Resident at most [kB], with results.h5, results.csv and the page.
  [[nodiscard]] long run(long steps, long every) {
    const Outcome outcome = start({"run", example("elastic_pendulum"), "-o", "results", "--force", "--quiet", "--csv", "--set",
                                   "time.end=" + std::to_string(0.05 * static_cast<double>(steps)), "--set",
                                   "output.every=" + std::to_string(every)})
                                .finish(1800s);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(json_of(file("results/summary.json"))["steps"], steps);
    return outcome.memory;
  }
};

TEST_F(LongMemory, OfARunDoesNotGrowWithItsSteps) {
  for (const auto& [every, few, many] : {std::tuple{1L, 50'000L, long_run(1'000'000L, 200'000L)},
                                         std::tuple{1000L, 100'000L, long_run(10'000'000L, 400'000L)}}) {
    const long early = run(few, every), late = run(many, every);
    RecordProperty("kB_" + std::to_string(few) + "_every_" + std::to_string(every), static_cast<int>(early));
    RecordProperty("kB_" + std::to_string(many) + "_every_" + std::to_string(every), static_cast<int>(late));
    EXPECT_LT(late, early + 8000) << few << " and " << many << " steps, every " << every;
  }
}

}  // namespace apps_memory
}  // namespace trompo::test
