// Curves with fewer points: of each bucket the smallest and the largest value, in the order they stand in.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace trompo {

// Of `count` values the smallest and the largest, in the order they stand in.
template <class T>
std::pair<T, T> extremes_in_order(const T* x, std::size_t count) {
  std::size_t low = count, high = count;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(x[i])) continue;
    if (low == count || x[i] < x[low]) low = i;
    if (high == count || x[i] >= x[high]) high = i;
  }
  if (low == count) return {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::quiet_NaN()};
  return {x[std::min(low, high)], x[std::max(low, high)]};
}

// Two buckets of two points become one.
template <class T>
void merge_values(std::vector<T>& x) {
  std::size_t to = 0;
  for (std::size_t i = 0; i + 4 <= x.size(); i += 4, to += 2) std::tie(x[to], x[to + 1]) = extremes_in_order(&x[i], 4);
  for (std::size_t i = x.size() / 4 * 4; i < x.size(); ++i) x[to++] = x[i];
  x.resize(to);
}
template <class T>
void merge_times(std::vector<T>& t) {
  std::size_t to = 0;
  for (std::size_t i = 0; i + 4 <= t.size(); i += 4) {
    t[to++] = t[i];
    t[to++] = t[i + 3];
  }
  for (std::size_t i = t.size() / 4 * 4; i < t.size(); ++i) t[to++] = t[i];
  t.resize(to);
}

// Every other one of rows of `width` numbers.
template <class T>
void keep_every_other(std::vector<T>& x, std::size_t width) {
  if (width == 0) return;
  const std::size_t rows = x.size() / width;
  for (std::size_t i = 1; 2 * i < rows; ++i)
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(2 * i * width), width,
                x.begin() + static_cast<std::ptrdiff_t>(i * width));
  x.resize((rows + 1) / 2 * width);
}

// Base64 of float32, little endian; what is not finite is NaN.
[[nodiscard]] std::string packed(const std::vector<float>& numbers);
// Of four points in a row the smallest and the largest, in their order; the ends of four times. Until there are few enough.
void thin(std::vector<double>& xs, std::vector<double>& ys, std::size_t points);

}  // namespace trompo
