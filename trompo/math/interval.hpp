// Intervals of numbers: what a function of any number in [lo, hi] can be. Ends are rounded outwards; an end that is no number
// means that nothing is known there.
//   R. E. Moore, Interval Analysis, Prentice-Hall 1966
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace trompo {

struct Interval {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  double lo, hi;

  [[nodiscard]] static constexpr Interval anything() { return {-infinity, infinity}; }
  [[nodiscard]] static constexpr Interval number(double x) { return {x, x}; }
  // With what the operation, and the library behind it, may have rounded.
  [[nodiscard]] static Interval around(double lo, double hi) {
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
    const auto away = [](double x) { return std::isfinite(x) ? rounding * std::abs(x) : 0.0; };
    return {std::isnan(lo) ? -infinity : lo - away(lo), std::isnan(hi) ? infinity : hi + away(hi)};
  }
  [[nodiscard]] bool contains(double x) const { return lo <= x && x <= hi; }
  [[nodiscard]] bool finite() const { return std::isfinite(lo) && std::isfinite(hi); }
  [[nodiscard]] double middle() const { return 0.5 * lo + 0.5 * hi; }
  [[nodiscard]] double width() const { return hi - lo; }
  [[nodiscard]] Interval within(double least, double most) const {
    return {std::clamp(lo, least, most), std::clamp(hi, least, most)};
  }
  [[nodiscard]] Interval hull(const Interval& b) const { return {std::min(lo, b.lo), std::max(hi, b.hi)}; }
};

inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }
inline Interval operator+(const Interval& a, const Interval& b) { return Interval::around(a.lo + b.lo, a.hi + b.hi); }
inline Interval operator-(const Interval& a, const Interval& b) { return a + -b; }
inline Interval operator*(const Interval& a, const Interval& b) {
  const auto times = [](double x, double y) { return x == 0 || y == 0 ? 0.0 : x * y; };  // an end may be infinite
  const auto [least, most] = std::minmax({times(a.lo, b.lo), times(a.lo, b.hi), times(a.hi, b.lo), times(a.hi, b.hi)});
  return Interval::around(least, most);
}

namespace interval {

template <class F>
Interval rising(const Interval& a, const F& f) {
  return Interval::around(f(a.lo), f(a.hi));
}
template <class F>
Interval falling(const Interval& a, const F& f) {
  return Interval::around(f(a.hi), f(a.lo));
}
inline Interval abs(const Interval& a) {
  if (a.lo >= 0) return a;
  if (a.hi <= 0) return -a;
  return {0, std::max(-a.lo, a.hi)};
}
// Where zero is inside, both ends are infinite.
inline Interval reciprocal(const Interval& a) {
  if (a.lo < 0 && a.hi > 0) return Interval::anything();
  return Interval::around(a.hi == 0 ? -Interval::infinity : 1 / a.hi, a.lo == 0 ? Interval::infinity : 1 / a.lo);
}
// a^n with a >= 0 and n > 0
inline Interval power(const Interval& a, double n) {
  return rising(a, [n](double x) { return std::pow(x, n); });
}
// a^n with a whole number n > 0
inline Interval whole_power(const Interval& a, double n) {
  const bool even = std::fmod(n, 2) == 0;
  return power(even ? abs(a) : a, n);
}
inline Interval cos(const Interval& a) {
  constexpr double pi = std::numbers::pi;
  // Beyond that the ends, or multiples of pi, are not known to a part of a turn.
  if (!(a.width() < 2 * pi && std::abs(a.lo) < 1e8)) return {-1, 1};
  const double slack = 1e-15 * (1 + std::abs(a.lo) + std::abs(a.hi));
  const double first = std::ceil(a.lo / pi - slack), last = std::floor(a.hi / pi + slack);  // extrema inside
  Interval out = Interval::around(std::min(std::cos(a.lo), std::cos(a.hi)), std::max(std::cos(a.lo), std::cos(a.hi)));
  for (double k = first; k <= last; ++k) (std::fmod(k, 2) == 0 ? out.hi : out.lo) = std::fmod(k, 2) == 0 ? 1 : -1;
  return out.within(-1, 1);
}
inline Interval sin(const Interval& a) {
  constexpr double right_angle = 0.5 * std::numbers::pi;
  // With all its digits where it is small.
  if (a.lo > -right_angle && a.hi < right_angle) return rising(a, [](double x) { return std::sin(x); });
  return cos(a - Interval::number(right_angle));
}

}  // namespace interval

}  // namespace trompo
