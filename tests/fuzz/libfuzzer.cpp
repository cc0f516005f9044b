// One target of targets.hpp as libFuzzer wants it; TROMPO_FUZZ_TARGET is its function.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trompo::TROMPO_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
