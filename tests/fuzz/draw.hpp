// Random numbers that a seed determines; the distributions of the standard library differ from one to the other. Calls within
// one expression are drawn in the order of the compiler, so a seed belongs to a compiler.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace trompo {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  [[nodiscard]] int between(int least, int most) {
    return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1)));
  }
  [[nodiscard]] double between(double least, double most) {
    return least + (most - least) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  [[nodiscard]] bool chance(double share) { return between(0.0, 1.0) < share; }
  template <class List>
  [[nodiscard]] const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }
  [[nodiscard]] std::string_view word(std::initializer_list<std::string_view> words) {
    return words.begin()[below(words.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace trompo
