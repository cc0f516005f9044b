// How much memory a run takes: it does not grow with its steps, whatever is written of them.
#include "tests/apps/tool.hpp"
#include "tests/long_run.hpp"

namespace trompo::test {
namespace apps_memory {

class LongMemory : public ToolTest {
 protected:
  // Resident at most [kB], with results.h5 and the page, and results.csv where it does not fill the disk.
  [[nodiscard]] long run(long steps, long every) {
    const Outcome outcome =
        start({"run", example("elastic_pendulum"), "-o", "results", "--force", "--quiet", "--set",
               "time.end=" + std::to_string(0.05 * static_cast<double>(steps)), "--set",
               "output.every=" + std::to_string(every), "--set", every == 1 ? "output.csv=false" : "output.csv=true"})
            .finish(1800s);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(json_of(file("results/summary.json"))["steps"], steps);
    return outcome.memory;
  }
};

// The file of 10^7 rows has 3.8 GB, and a copy for readers lies beside it.
TEST_F(LongMemory, OfARunDoesNotGrowWithItsSteps) {
  const long all = fs::space(directory()).available > 12'000'000'000U ? 10'000'000 : 1'000'000;
  for (const auto& [every, many] :
       {std::pair{1L, long_run(all, 400'000L)}, std::pair{1000L, long_run(10'000'000L, 400'000L)}}) {
    const long early = run(100'000, every), late = run(many, every);
    RecordProperty("kB_100000_every_" + std::to_string(every), static_cast<int>(early));
    RecordProperty("kB_" + std::to_string(many) + "_every_" + std::to_string(every), static_cast<int>(late));
    EXPECT_LT(late, early + 5000) << many << " steps, every " << every;
    fs::remove_all(directory() / "results");
  }
}

}  // namespace apps_memory
}  // namespace trompo::test
