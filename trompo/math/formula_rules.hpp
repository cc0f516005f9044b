// What each operation of a tape computes, with its derivatives. A machine runs it: it has a value for each place and decides
// how many derivatives to carry along. What it must offer:
//
//   value(place)
//   constant(out, f)                    no derivatives
//   pick(out, from)                     one of several places, as it is
//   line(out, a, f, df)                 linear in one place, or in two: line(out, a, b, f, da, db)
//   curve(out, a, f(x), slopes(x, f))   any function of one place; the slopes may use the value, and are not asked for in vain
//   product(out, a, b)
//   surface(out, a, b, f, slopes())     any function of two places
#pragma once

#include <cmath>

#include "trompo/math/formula_op.hpp"

namespace trompo {

struct Slopes {
  double a, aa;  // first and second derivative
};
struct Slopes2 {
  double a, b, aa, ab, bb;
};

namespace formula_rules {

// cosh from sinh and back, for the price of a root.
inline double cosh_of(double sinh) { return std::abs(sinh) > 1e8 ? std::abs(sinh) : std::sqrt(1 + sinh * sinh); }
inline double sinh_of(double x, double cosh) {
  if (std::abs(x) < 1) return std::sinh(x);  // cosh - 1 has lost its digits there
  return std::copysign(cosh > 1e8 ? cosh : std::sqrt((cosh - 1) * (cosh + 1)), x);
}
// n x^(n-1) and its slope; the value spares two powers unless it is zero, or has left the range of numbers.
inline Slopes power_slopes(double x, double n, double f) {
  if (std::abs(f) > 1e-280 && std::abs(f) < 1e280 && x != 0) {
    const double df = n * f / x;
    return {df, (n - 1) * df / x};
  }
  return {n * std::pow(x, n - 1), n * (n - 1) * std::pow(x, n - 2)};
}
inline Slopes2 general_power_slopes(double x, double n, double f) {
  const Slopes in_x = power_slopes(x, n, f);
  const double log = std::log(x);
  return {in_x.a, f * log, in_x.aa, std::pow(x, n - 1) * (1 + n * log), f * log * log};
}
inline Slopes2 quotient_slopes(double f, double y) {
  const double i = 1 / y, q = f * i;
  return {i, -q, 0, -i * i, 2 * q * i};
}
inline Slopes2 angle_slopes(double y, double x) {
  const double i = 1 / (x * x + y * y), s = y * i, c = x * i;
  return {c, -s, -2 * s * c, (s - c) * (s + c), 2 * s * c};
}

}  // namespace formula_rules

template <class Machine>
inline void Formula::step(const Instruction& i, int out, Machine& m) {
  using namespace formula_rules;
  const auto compare = [&](const auto& holds) { m.constant(out, holds(m.value(i.a), m.value(i.b)) ? 1.0 : 0.0); };
  const double n = i.number;
  switch (i.op) {
    case Op::number: return m.constant(out, n);
    case Op::variable: return;  // never on a tape
    case Op::add: return m.line(out, i.a, i.b, m.value(i.a) + m.value(i.b), 1, 1);
    case Op::subtract: return m.line(out, i.a, i.b, m.value(i.a) - m.value(i.b), 1, -1);
    case Op::multiply: return m.product(out, i.a, i.b);
    case Op::divide: {
      const double y = m.value(i.b), f = m.value(i.a) / y;
      return m.surface(out, i.a, i.b, f, [=] { return quotient_slopes(f, y); });
    }
    case Op::power: {
      const double x = m.value(i.a), y = m.value(i.b), f = std::pow(x, y);
      return m.surface(out, i.a, i.b, f, [=] { return general_power_slopes(x, y, f); });
    }
    case Op::atan2: {
      const double y = m.value(i.a), x = m.value(i.b);
      return m.surface(out, i.a, i.b, std::atan2(y, x), [=] { return angle_slopes(y, x); });
    }
    case Op::negate: return m.line(out, i.a, -m.value(i.a), -1);
    case Op::add_number: return m.line(out, i.a, m.value(i.a) + n, 1);
    case Op::number_minus: return m.line(out, i.a, n - m.value(i.a), -1);
    case Op::times_number: return m.line(out, i.a, m.value(i.a) * n, n);
    case Op::over_number: return m.line(out, i.a, m.value(i.a) / n, 1 / n);
    case Op::number_over:
      return m.curve(
          out, i.a, [n](double x) { return n / x; },
          [](double x, double f) {
            const double q = f / x;
            return Slopes{-q, 2 * q / x};
          });
    case Op::to_number:
      return m.curve(
          out, i.a, [n](double x) { return std::pow(x, n); }, [n](double x, double f) { return power_slopes(x, n, f); });
    case Op::number_to:
      return m.curve(
          out, i.a, [n](double x) { return std::pow(n, x); },
          [n](double, double f) {
            const double log = std::log(n);
            return Slopes{f * log, f * log * log};
          });
    case Op::square:
      return m.curve(
          out, i.a, [](double x) { return x * x; },
          [](double x, double) {
            return Slopes{2 * x, 2};
          });
    case Op::cube:
      return m.curve(
          out, i.a, [](double x) { return x * x * x; },
          [](double x, double) {
            return Slopes{3 * x * x, 6 * x};
          });
    case Op::less: return compare([](double a, double b) { return a < b; });
    case Op::less_equal: return compare([](double a, double b) { return a <= b; });
    case Op::greater: return compare([](double a, double b) { return a > b; });
    case Op::greater_equal: return compare([](double a, double b) { return a >= b; });
    case Op::equal: return compare([](double a, double b) { return a == b; });
    case Op::not_equal: return compare([](double a, double b) { return a != b; });
    case Op::sin:
      return m.curve(
          out, i.a, [](double x) { return std::sin(x); },
          [](double x, double f) {
            return Slopes{std::cos(x), -f};
          });
    case Op::cos:
      return m.curve(
          out, i.a, [](double x) { return std::cos(x); },
          [](double x, double f) {
            return Slopes{-std::sin(x), -f};
          });
    case Op::tan:
      return m.curve(
          out, i.a, [](double x) { return std::tan(x); },
          [](double, double f) {
            const double d = 1 + f * f;
            return Slopes{d, 2 * f * d};
          });
    case Op::asin:
      return m.curve(
          out, i.a, [](double x) { return std::asin(x); },
          [](double x, double) {
            const double w = 1 / std::sqrt(1 - x * x);
            return Slopes{w, x * w * w * w};
          });
    case Op::acos:
      return m.curve(
          out, i.a, [](double x) { return std::acos(x); },
          [](double x, double) {
            const double w = 1 / std::sqrt(1 - x * x);
            return Slopes{-w, -x * w * w * w};
          });
    case Op::atan:
      return m.curve(
          out, i.a, [](double x) { return std::atan(x); },
          [](double x, double) {
            const double d = 1 / (1 + x * x);
            return Slopes{d, -2 * x * d * d};
          });
    case Op::sinh:
      return m.curve(
          out, i.a, [](double x) { return std::sinh(x); },
          [](double, double f) {
            return Slopes{cosh_of(f), f};
          });
    case Op::cosh:
      return m.curve(
          out, i.a, [](double x) { return std::cosh(x); },
          [](double x, double f) {
            return Slopes{sinh_of(x, f), f};
          });
    case Op::tanh:
      return m.curve(
          out, i.a, [](double x) { return std::tanh(x); },
          [](double, double f) {
            const double d = (1 - f) * (1 + f);
            return Slopes{d, -2 * f * d};
          });
    case Op::exp:
      return m.curve(
          out, i.a, [](double x) { return std::exp(x); },
          [](double, double f) {
            return Slopes{f, f};
          });
    case Op::log:
      return m.curve(
          out, i.a, [](double x) { return std::log(x); },
          [](double x, double) {
            const double d = 1 / x;
            return Slopes{d, -d * d};
          });
    case Op::sqrt:
      return m.curve(
          out, i.a, [](double x) { return std::sqrt(x); },
          [](double, double f) {
            const double d = 0.5 / f;
            return Slopes{d, -0.5 * d / (f * f)};
          });
    case Op::abs:
      return m.curve(
          out, i.a, [](double x) { return std::abs(x); },
          [](double x, double) {
            return Slopes{x < 0 ? -1.0 : 1.0, 0};
          });
    case Op::sign: return m.constant(out, static_cast<double>((m.value(i.a) > 0) - (m.value(i.a) < 0)));
    case Op::min: return m.pick(out, m.value(i.b) < m.value(i.a) ? i.b : i.a);
    case Op::max: return m.pick(out, m.value(i.a) < m.value(i.b) ? i.b : i.a);
    case Op::select: return m.pick(out, m.value(i.a) != 0 ? i.b : i.c);
  }
}

}  // namespace trompo
