// One target of targets.hpp as libFuzzer wants it; TROMPO_FUZZ_TARGET is its function.
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/targets.hpp"

namespace {

constexpr int patience = 10;  // seconds of computing, however busy the machine is; libFuzzer's -timeout goes by the clock

void say_hanging(int) {
  static constexpr std::string_view text = "takes more than 10 s\n";
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  std::abort();  // libFuzzer keeps the input
}

void wind_up(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  [[maybe_unused]] static const auto before = std::signal(SIGPROF, say_hanging);
  wind_up(patience);
  trompo::TROMPO_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  wind_up(0);
  return 0;
}
