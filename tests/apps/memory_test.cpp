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

// Two files of 3e6 rows have 2.4 GB in all. Where chunks lie took 1.4 bytes a row once. With fewer rows it is the page that
// fills what it may have.
TEST_F(LongMemory, OfARunDoesNotGrowWithItsSteps) {
  struct Kind {
    long every, steps, more;
  };
  for (const auto& [every, steps, more] :
       {Kind{1, long_run(3'000'000L, 400'000L), 2500}, Kind{1000, long_run(10'000'000L, 400'000L), 5000}}) {
    const long early = run(100'000, every), late = run(steps, every);
    RecordProperty("kB_100000_every_" + std::to_string(every), static_cast<int>(early));
    RecordProperty("kB_" + std::to_string(steps) + "_every_" + std::to_string(every), static_cast<int>(late));
    EXPECT_LT(late, early + more) << steps << " steps, every " << every;
    fs::remove_all(directory() / "results");
  }
}

}  // namespace apps_memory
}  // namespace trompo::test
