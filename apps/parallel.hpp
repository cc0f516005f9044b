// Pieces of work that do not need each other, by as many threads as there are processors.
#pragma once

#include <cstddef>
#include <functional>

namespace trompo {

// Calls work(0), work(1), ... work(count - 1), begun in this order. `done` is called after each, by one thread at a time, with
// how many are done; no more are begun once it says false. What one of them throws is thrown here when all that were begun have
// ended.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work, const std::function<bool(std::size_t)>& done);

}  // namespace trompo
