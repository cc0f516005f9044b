// What the HDF5 library takes while a file grows.
#include "trompo/output/hdf5.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include "tests/output/recording.hpp"

namespace trompo::test {
namespace output_hdf5 {

std::size_t in_use() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Twenty tables of small chunks: 30 000 of them, twice as many as a run of 10^7 rows has. Where each lies is kept in nodes of
// 18 kB, 64 chunks a node.
TEST(Hdf5File, MemoryDoesNotGrowWithTheRows) {
  const Directory directory;
  h5::File file(directory / "long.h5");
  std::vector<h5::Dataset> tables;
  for (int i = 0; i < 20; ++i) tables.push_back(file.dataset("/" + std::to_string(i), h5::Number::real, {}, 4));
  const std::vector<double> rows(4, 1.5);
  const auto write = [&](int times) {
    for (int i = 0; i < times; ++i) {
      for (h5::Dataset& table : tables) table.append(rows);
      file.flush();
    }
  };
  write(150);
  const std::size_t early = in_use();
  if (early == 0) GTEST_SKIP() << "sanitizers allocate by themselves";
  write(1350);
  const std::size_t late = in_use();
  RecordProperty("bytes_early", static_cast<int>(early));
  RecordProperty("bytes_late", static_cast<int>(late));
  EXPECT_LT(late, early + 100'000);
}

}  // namespace output_hdf5
}  // namespace trompo::test
