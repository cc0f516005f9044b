#include "apps/parallel.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace trompo {

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                 const std::function<bool(std::size_t)>& done) {
  std::mutex mutex;
  std::size_t next = 0, ended = 0;
  bool go_on = true;
  std::exception_ptr failure;
  const auto loop = [&] {
    for (;;) {
      std::size_t mine = 0;
      {
        const std::lock_guard lock(mutex);
        if (!go_on || next == count) return;
        mine = next++;
      }
      std::exception_ptr thrown;
      try {
        work(mine);
      } catch (...) {
        thrown = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      if (thrown && !failure) failure = thrown;
      go_on = go_on && !thrown && done(++ended);
    }
  };
  std::vector<std::jthread> threads;
  const std::size_t size = std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  for (std::size_t i = 1; i < size; ++i) threads.emplace_back(loop);
  loop();
  threads.clear();  // waits for them
  if (failure) std::rethrow_exception(failure);
}

}  // namespace trompo
