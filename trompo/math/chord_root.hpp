// The root of a function on [0, 1] that is nearest to a given place: sign changes are looked for outwards from it, first on
// the side where Newton's step points; the interval found is then closed by Newton, and by halving where Newton leaves it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace trompo {

// A place where psi is within the tolerance gets one more step of Newton: a root accepted always from the same side would let a
// long run drift.
template <class Slope>
[[nodiscard]] double polished(double x, double value, const Slope& slope) {
  const double change = value / slope(x);
  return std::abs(change) < 1e-3 ? std::clamp(x - change, 0.0, 1.0) : x;  // more is noise over nothing
}

// psi(a) and psi(b) differ in sign. Ends where |psi| is within the tolerance or the interval has no inside; nothing if psi
// jumps over zero there.
template <class Psi, class Slope>
[[nodiscard]] std::optional<double> bracketed_root(const Psi& psi, const Slope& slope, double a, double b, double tolerance) {
  double at_a = psi(a);
  const double size = std::abs(at_a) + std::abs(psi(b));
  double x = 0.5 * (a + b);
  for (int i = 0; i < 200; ++i) {
    const double value = psi(x);
    if (std::abs(value) <= tolerance) return polished(x, value, slope);
    if ((value < 0) == (at_a < 0)) {
      a = x;
      at_a = value;
    } else {
      b = x;
    }
    double next = x - value / slope(x);
    if (!(next > std::min(a, b) && next < std::max(a, b))) next = 0.5 * (a + b);
    if (std::abs(next - x) <= std::numeric_limits<double>::epsilon())
      return std::abs(value) <= 1e-6 * size ? std::optional(x) : std::nullopt;
    x = next;
  }
  return std::nullopt;
}

template <class Psi, class Slope>
[[nodiscard]] std::optional<double> chord_root(const Psi& psi, const Slope& slope, double start, double tolerance) {
  constexpr double stride = 1. / 16;
  const double at_start = psi(start);
  if (!std::isfinite(at_start)) return std::nullopt;
  if (std::abs(at_start) <= tolerance) return polished(start, at_start, slope);
  const double towards = (at_start > 0) == (slope(start) > 0) ? -1 : 1;
  double last[] = {start, start};
  for (int k = 1; k * stride < 1 + stride; ++k)
    for (int side = 0; side < 2; ++side) {
      const double next = std::clamp(start + (side == 0 ? towards : -towards) * k * stride, 0.0, 1.0);
      if (next == last[side]) continue;
      if ((psi(next) > 0) != (at_start > 0)) return bracketed_root(psi, slope, last[side], next, tolerance);
      last[side] = next;
    }
  return std::nullopt;
}

}  // namespace trompo
