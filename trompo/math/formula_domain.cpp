#include "trompo/math/formula_domain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "trompo/math/formula_op.hpp"
#include "trompo/math/interval.hpp"

namespace trompo {

namespace {

// What is known of a place of the tape in a cell of the chord.
enum Doubt : unsigned {
  none = 0,
  edge = 1,    // an operand may leave a domain at whose edge the operation is still defined, as sqrt is at 0
  pole = 2,    // an operand may reach a place where the operation is infinite
  outside = 4  // an operand is outside its domain in the whole cell
};

constexpr double right_angle = 0.5 * std::numbers::pi;
bool whole(double n) { return std::floor(n) == n; }

// Of an operation whose operand must be at least zero, or more than zero if that is a pole.
unsigned below_zero(const Interval& a, bool open) {
  if (open ? a.hi <= 0 : a.hi < 0) return outside;
  if (open) return a.lo <= 0 ? pole : none;
  return a.lo < 0 ? edge : none;
}
Interval not_negative(const Interval& a) { return {std::max(a.lo, 0.0), std::max(a.hi, 0.0)}; }

Interval logarithm(const Interval& a) {
  return interval::rising(not_negative(a), [](double x) { return std::log(x); });
}
Interval exponential(const Interval& a) {
  return interval::rising(a, [](double x) { return std::exp(x); });
}
// a^n where a is in its domain.
Interval to_power(const Interval& a, double n) {
  if (n < 0) return interval::reciprocal(to_power(a, -n));
  if (n == 0) return Interval::number(1);
  return whole(n) ? interval::whole_power(a, n) : interval::power(not_negative(a), n);
}
// On one branch; anything where a pole may be inside.
bool on_one_branch(const Interval& a) {
  return a.finite() && std::floor(a.lo / std::numbers::pi + 0.5) == std::floor(a.hi / std::numbers::pi + 0.5) &&
         std::abs(a.lo) < 1e8;
}

}  // namespace

// The tape over one cell of the chord after the other.
class FormulaDomain::Chord {
 public:
  using Op = Formula::Op;
  struct Place {
    Interval value;   // in the cell
    Interval middle;  // at the middle of the cell: a number and its rounding
    Interval rate;    // d value / ds in the cell
    unsigned doubt;
  };
  Chord(const Formula& formula, const std::vector<int>& where, const double* x0, const double* x1, Place* places)
      : formula_(formula), where_(where), x0_(x0), x1_(x1), places_(places) {}

  // Values alone decide most chords.
  [[nodiscard]] bool plainly_regular() { return evaluate(0, 1, false).doubt == none; }
  [[nodiscard]] bool regular(double from, double to, int depth) {
    constexpr int deep = 40, shallow = 8, most = 4096;
    const unsigned doubt = evaluate(from, to).doubt;
    if (doubt == none) return true;
    if ((doubt & outside) != 0) return false;
    const bool at_pole = (doubt & pole) != 0;
    if (depth >= (at_pole ? deep : shallow)) return !at_pole || removable(0.5 * (from + to));
    if (++cells_ > most) return false;
    const double middle = 0.5 * (from + to);
    return regular(from, middle, depth + 1) && regular(middle, to, depth + 1);
  }

 private:
  const Place& evaluate(double from, double to, bool by_mean_value = true);
  [[nodiscard]] bool removable(double s);
  [[nodiscard]] static Interval operation(const Formula::Instruction& i, const Interval& a, const Interval& b,
                                          const Interval& c);
  [[nodiscard]] static unsigned doubt(const Formula::Instruction& i, const Place& a, const Place& b, const Place& c);
  [[nodiscard]] static Interval rate(const Formula::Instruction& i, const Place& a, const Place& b, const Place& c,
                                     const Interval& f);

  const Formula& formula_;
  const std::vector<int>& where_;
  const double *x0_, *x1_;
  Place* places_;
  int cells_ = 0;
};

// Does the result go to one and the same number from both sides of a pole in it? Its changes on the way there must fade, which
// those of a logarithm do not, and the two sides must meet. Changes that are little more than rounding say nothing.
bool FormulaDomain::Chord::removable(double s) {
  struct Side {
    int seen = 0;
    double last = 0, change = 0, most = 0, noise = 0;  // `most` is the largest change
    bool fades = true;
  };
  std::array<Side, 2> sides;
  for (std::size_t k = 0; k < 2; ++k) {
    Side& side = sides[k];
    for (int exponent = 6; exponent <= 38; exponent += 4) {
      const double at = s + std::ldexp(k == 0 ? -1.0 : 1.0, -exponent);
      if (!(at >= 0 && at <= 1)) continue;
      const Place& result = evaluate(at, at);
      if (result.doubt >= pole || !result.value.finite()) return false;
      const double now = result.value.middle();
      side.noise = result.value.width();
      if (side.seen > 0) {
        side.change = std::abs(now - side.last);
        if (side.seen > 1 && side.change > 10 * side.noise) side.fades = side.change < 0.9 * side.most;
        side.most = std::max(side.most, side.change);
      }
      side.last = now;
      ++side.seen;
    }
    if (!side.fades) return false;
  }
  const auto& [left, right] = sides;
  if (left.seen < 2 || right.seen < 2) return true;
  return std::abs(right.last - left.last) <= 10 * (left.change + right.change + left.noise + right.noise);
}

const FormulaDomain::Chord::Place& FormulaDomain::Chord::evaluate(double from, double to, bool by_mean_value) {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  Place* out = places_;
  for (const int variable : formula_.inputs_) {
    const int c = where_[static_cast<std::size_t>(variable)];
    const double d = x1_[c] - x0_[c];
    const auto at = [&](double s) { return s == 1 ? x1_[c] : x0_[c] + s * d; };
    // x0 is a number as it stands; what is added to it is rounded.
    const auto round = [&](double low, double high) { return d == 0 ? Interval{low, high} : Interval::around(low, high); };
    const double a = at(from), b = at(to), m = at(middle);
    *out++ = {round(std::min(a, b), std::max(a, b)), round(m, m), Interval::around(d, d), none};
  }
  for (const Formula::Instruction& i : formula_.tape_) {
    const Place &a = places_[i.a], &b = places_[i.b], &c = places_[i.c];
    Place& f = *out++;
    f.doubt = doubt(i, a, b, c);
    f.value = operation(i, a.value, b.value, c.value);
    if (!by_mean_value) continue;
    f.middle = operation(i, a.middle, b.middle, c.middle);
    f.rate = f.doubt == none ? rate(i, a, b, c, f.value) : Interval::anything();
    if (!f.rate.finite() || !f.middle.finite()) continue;
    const Interval mean = f.middle + f.rate * Interval{-half, half};
    const Interval both{std::max(f.value.lo, mean.lo), std::min(f.value.hi, mean.hi)};
    if (both.lo <= both.hi) f.value = both;
  }
  return *(out - 1);
}

unsigned FormulaDomain::Chord::doubt(const Formula::Instruction& i, const Place& a, const Place& b, const Place& c) {
  const Interval &x = a.value, &y = b.value;
  const auto zero = [](const Interval& divisor) -> unsigned {
    if (divisor.lo == 0 && divisor.hi == 0) return outside;
    return divisor.contains(0) ? pole : none;
  };
  const auto beyond_one = [&]() -> unsigned {
    if (x.hi < -1 || x.lo > 1) return outside;
    return x.lo < -1 || x.hi > 1 ? edge : none;
  };
  switch (i.op) {
    case Op::number: return none;
    case Op::divide: return a.doubt | b.doubt | zero(y);
    case Op::number_over: return a.doubt | zero(x);
    case Op::power: return a.doubt | b.doubt | below_zero(x, true);
    case Op::to_number:
      if (whole(i.number)) return a.doubt | (i.number < 0 ? zero(x) : static_cast<unsigned>(none));
      return a.doubt | below_zero(x, i.number < 0);
    case Op::number_to: return a.doubt | (i.number < 0 ? outside : i.number == 0 ? below_zero(x, true) : none);
    case Op::log: return a.doubt | below_zero(x, true);
    case Op::sqrt: return a.doubt | below_zero(x, false);
    case Op::tan: return a.doubt | (on_one_branch(x) ? none : pole);
    case Op::asin:
    case Op::acos: return a.doubt | beyond_one();
    case Op::select: {
      if (!x.contains(0)) return a.doubt | b.doubt;
      if (x.lo == 0 && x.hi == 0) return a.doubt | c.doubt;
      // Which one is taken is seen in smaller cells.
      const unsigned either = b.doubt | c.doubt;
      return a.doubt | (either & ~static_cast<unsigned>(outside)) | ((either & outside) != 0 ? edge : none);
    }
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::atan2:
    case Op::min:
    case Op::max: return a.doubt | b.doubt;
    default: return a.doubt;
  }
}

Interval FormulaDomain::Chord::operation(const Formula::Instruction& i, const Interval& a, const Interval& b,
                                         const Interval& c) {
  using namespace interval;
  const Interval n = Interval::number(i.number);
  const auto truth = [](bool always, bool never) { return Interval{always ? 1.0 : 0.0, never ? 0.0 : 1.0}; };
  switch (i.op) {
    case Op::number: return n;
    case Op::variable: return Interval::anything();  // never on a tape
    case Op::add: return a + b;
    case Op::subtract: return a - b;
    case Op::multiply: return a * b;
    case Op::divide: return a * reciprocal(b);
    case Op::power: return exponential(b * logarithm(a));
    case Op::negate: return -a;
    case Op::add_number: return a + n;
    case Op::number_minus: return n - a;
    case Op::times_number: return a * n;
    case Op::over_number: return a * reciprocal(n);
    case Op::number_over: return n * reciprocal(a);
    case Op::to_number: return to_power(a, i.number);
    case Op::number_to: return i.number > 0 ? exponential(a * logarithm(n)) : Interval::anything();
    case Op::square: return whole_power(a, 2);
    case Op::cube: return whole_power(a, 3);
    case Op::less: return truth(a.hi < b.lo, a.lo >= b.hi);
    case Op::less_equal: return truth(a.hi <= b.lo, a.lo > b.hi);
    case Op::greater: return truth(a.lo > b.hi, a.hi <= b.lo);
    case Op::greater_equal: return truth(a.lo >= b.hi, a.hi < b.lo);
    case Op::equal: return truth(a.lo == b.hi && a.hi == b.lo, a.hi < b.lo || a.lo > b.hi);
    case Op::not_equal: return truth(a.hi < b.lo || a.lo > b.hi, a.lo == b.hi && a.hi == b.lo);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return on_one_branch(a) ? rising(a, [](double x) { return std::tan(x); }) : Interval::anything();
    case Op::asin: return rising(a.within(-1, 1), [](double x) { return std::asin(x); });
    case Op::acos: return falling(a.within(-1, 1), [](double x) { return std::acos(x); });
    case Op::atan: return rising(a, [](double x) { return std::atan(x); });
    case Op::atan2: {
      if (b.lo <= 0 && a.contains(0)) return {-2 * right_angle, 2 * right_angle};
      const auto [least, most] =
          std::minmax({std::atan2(a.lo, b.lo), std::atan2(a.lo, b.hi), std::atan2(a.hi, b.lo), std::atan2(a.hi, b.hi)});
      return Interval::around(least, most);
    }
    case Op::sinh: return rising(a, [](double x) { return std::sinh(x); });
    case Op::cosh: return rising(interval::abs(a), [](double x) { return std::cosh(x); });
    case Op::tanh: return rising(a, [](double x) { return std::tanh(x); });
    case Op::exp: return exponential(a);
    case Op::log: return logarithm(a);
    case Op::sqrt: return rising(not_negative(a), [](double x) { return std::sqrt(x); });
    case Op::abs: return interval::abs(a);
    case Op::sign:
      return {a.lo > 0 ? 1.0 : a.lo == 0 && a.hi == 0 ? 0.0 : -1.0, a.hi < 0 ? -1.0 : a.lo == 0 && a.hi == 0 ? 0.0 : 1.0};
    case Op::min: return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case Op::max: return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case Op::select: return !a.contains(0) ? b : a.lo == 0 && a.hi == 0 ? c : b.hull(c);
  }
  return Interval::anything();
}

// Of an operation f that is defined in the whole cell. Anything where it may jump.
Interval FormulaDomain::Chord::rate(const Formula::Instruction& i, const Place& a, const Place& b, const Place& c,
                                    const Interval& f) {
  using namespace interval;
  const Interval n = Interval::number(i.number), one = Interval::number(1), two = Interval::number(2),
                 still = Interval::number(0);
  const Interval &x = a.value, &y = b.value;
  const auto unless_it_jumps = [&] { return f.lo == f.hi ? still : Interval::anything(); };
  switch (i.op) {
    case Op::number: return still;
    case Op::variable: return Interval::anything();
    case Op::add: return a.rate + b.rate;
    case Op::subtract: return a.rate - b.rate;
    case Op::multiply: return a.rate * y + x * b.rate;
    case Op::divide: return (a.rate - f * b.rate) * reciprocal(y);
    case Op::power: return f * (b.rate * logarithm(x) + y * a.rate * reciprocal(x));
    case Op::negate:
    case Op::number_minus: return -a.rate;
    case Op::add_number: return a.rate;
    case Op::times_number: return a.rate * n;
    case Op::over_number: return a.rate * reciprocal(n);
    case Op::number_over: return -(f * reciprocal(x) * a.rate);
    case Op::to_number: return n * to_power(x, i.number - 1) * a.rate;
    case Op::number_to: return f * logarithm(n) * a.rate;
    case Op::square: return two * x * a.rate;
    case Op::cube: return Interval::number(3) * whole_power(x, 2) * a.rate;
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::sign: return unless_it_jumps();
    case Op::sin: return cos(x) * a.rate;
    case Op::cos: return -(sin(x) * a.rate);
    case Op::tan: return (one + whole_power(f, 2)) * a.rate;
    case Op::asin:
    case Op::acos: {
      const Interval slope = reciprocal(to_power(one - whole_power(x, 2), 0.5)) * a.rate;
      return i.op == Op::asin ? slope : -slope;
    }
    case Op::atan: return a.rate * reciprocal(one + whole_power(x, 2));
    case Op::atan2:
      if (y.lo <= 0 && x.contains(0)) return Interval::anything();
      return (a.rate * y - x * b.rate) * reciprocal(whole_power(x, 2) + whole_power(y, 2));
    case Op::sinh: return rising(interval::abs(x), [](double u) { return std::cosh(u); }) * a.rate;
    case Op::cosh: return rising(x, [](double u) { return std::sinh(u); }) * a.rate;
    case Op::tanh: return (one - whole_power(f, 2)) * a.rate;
    case Op::exp: return f * a.rate;
    case Op::log: return a.rate * reciprocal(x);
    case Op::sqrt: return a.rate * reciprocal(two * f);
    case Op::abs: return x.lo >= 0 ? a.rate : x.hi <= 0 ? -a.rate : a.rate.hull(-a.rate);
    case Op::min: return x.hi < y.lo ? a.rate : y.hi < x.lo ? b.rate : a.rate.hull(b.rate);
    case Op::max: return x.lo > y.hi ? a.rate : y.lo > x.hi ? b.rate : a.rate.hull(b.rate);
    case Op::select: return !x.contains(0) ? b.rate : x.lo == 0 && x.hi == 0 ? c.rate : Interval::anything();
  }
  return Interval::anything();
}

bool FormulaDomain::everywhere(const Formula& formula) {
  using Op = Formula::Op;
  return std::none_of(formula.tape_.begin(), formula.tape_.end(), [](const Formula::Instruction& i) {
    switch (i.op) {
      case Op::divide:
      case Op::power:
      case Op::number_over:
      case Op::log:
      case Op::sqrt:
      case Op::tan:
      case Op::asin:
      case Op::acos: return true;
      case Op::to_number: return !whole(i.number) || i.number < 0;
      case Op::number_to: return i.number <= 0;
      default: return false;
    }
  });
}

template <int room>
[[gnu::noinline]] bool FormulaDomain::holds_within(const double* x0, const double* x1) const {
  std::array<Chord::Place, room> places;
  Chord chord(formula_, where_, x0, x1, places.data());
  return chord.plainly_regular() || chord.regular(0, 1, 0);
}
bool FormulaDomain::holds_between(const double* x0, const double* x1) const {
  if (formula_.length() == 0) return true;
  return formula_.length() <= 64 ? holds_within<64>(x0, x1) : holds_within<Formula::length_limit>(x0, x1);
}

}  // namespace trompo
