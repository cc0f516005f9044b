// Work on what others have written, in a process of its own: whatever happens to it there is a message here.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

namespace trompo {

struct ChildLimits {
  std::chrono::seconds time{60};
  std::size_t memory = std::size_t{2} << 30;   // bytes beyond what this process has
  std::size_t answer = std::size_t{256} << 20;  // bytes
};

// What `work` returns, done by a child of this process. What it throws there is a FileError here with the same words; a child that
// crashes, hangs or asks for too much is one that begins with `about`. At `stop` the child ends and the result is empty. For a
// process of one thread: the child goes on with a copy of it.
[[nodiscard]] std::string in_child(const std::string& about, const std::function<std::string()>& work, const ChildLimits& limits,
                                   const std::atomic<bool>& stop);

}  // namespace trompo
