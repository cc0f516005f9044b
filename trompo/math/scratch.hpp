// Memory for the arithmetic of one term, whose sizes are known when the program runs: on the stack, unless a term is very wide.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>

namespace trompo {

// Passed on by value: what a function takes is free again when it returns.
class Scratch {
 public:
  Scratch(double* first, std::size_t size) : next_(first), end_(first + size) {}
  [[nodiscard]] double* take(int count) {
    double* const taken = next_;
    next_ += count;
    if (next_ > end_) throw std::logic_error("a term needs more scratch memory than was asked for");
    return taken;
  }

 private:
  double *next_, *end_;
};

// Left as it comes: nobody reads what he has not written.
template <std::size_t on_stack = 32768>
class ScratchRoom {
 public:
  explicit ScratchRoom(std::size_t size) : size_(size) {  // NOLINT(cppcoreguidelines-pro-type-member-init)
    if (size > on_stack) heap_.reset(new double[size]);
  }
  [[nodiscard]] Scratch scratch() { return {heap_ ? heap_.get() : stack_, size_}; }

 private:
  std::size_t size_;
  std::unique_ptr<double[]> heap_;
  double stack_[on_stack];
};

}  // namespace trompo
