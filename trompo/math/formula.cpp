#include "trompo/math/formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "trompo/math/formula_op.hpp"

namespace trompo {

namespace {

// Chain rule for one argument: f, f', f'' at a.value.
Jet chain(const Jet& a, double f, double df, double ddf) {
  if (a.rate == 0 && a.curvature == 0) return {f, 0, 0};  // asin(1) is a number although its slope is infinite
  return {f, df * a.rate, ddf * a.rate * a.rate + df * a.curvature};
}
Jet operator+(const Jet& a, const Jet& b) { return {a.value + b.value, a.rate + b.rate, a.curvature + b.curvature}; }
Jet operator-(const Jet& a, const Jet& b) { return {a.value - b.value, a.rate - b.rate, a.curvature - b.curvature}; }
Jet operator-(const Jet& a) { return {-a.value, -a.rate, -a.curvature}; }
Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.curvature * b.value + 2 * a.rate * b.rate + a.value * b.curvature};
}
Jet operator/(const Jet& a, const Jet& b) {
  const double i = 1 / b.value;
  return a * chain(b, i, -i * i, 2 * i * i * i);
}

template <int N>
HyperDual<N> chain(const HyperDual<N>& a, double f, double df, double ddf) {
  return a.chain(f, df, ddf);
}

double value_of(double a) { return a; }
double value_of(const auto& a) { return a.value; }
bool varies(const Jet& a) { return a.rate != 0 || a.curvature != 0; }
template <int N>
bool varies(const HyperDual<N>& a) {
  return a.varies;
}
double constant_of(double a, double) { return a; }
Jet constant_of(double a, const Jet&) { return {a, 0, 0}; }
template <int N>
HyperDual<N> constant_of(double a, const HyperDual<N>&) {
  return HyperDual<N>::constant(a);
}

// One-argument functions: value, first and second derivative side by side.
struct Taylor {
  double f, df, ddf;
};
double apply(double a, const auto& taylor) { return taylor(a).f; }
template <class T>
T apply(const T& a, const auto& taylor) {
  const Taylor t = taylor(a.value);
  return chain(a, t.f, t.df, t.ddf);
}

double power(double a, double b) { return std::pow(a, b); }
template <class T>
T power(const T& a, const T& b) {
  if (!varies(b)) {
    const double n = b.value;
    return chain(a, std::pow(a.value, n), n == 0 ? 0 : n * std::pow(a.value, n - 1),
                 n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(a.value, n - 2));
  }
  const T exponent = b * chain(a, std::log(a.value), 1 / a.value, -1 / (a.value * a.value));
  const double f = std::pow(a.value, b.value);  // not exp(exponent): the value must be the one of evaluate()
  return chain(exponent, f, f, f);
}

double arc2(double y, double x) { return std::atan2(y, x); }
// The derivatives are those of atan(y/x), or of -atan(x/y) where that quotient is the smaller one.
template <class T>
T arc2(const T& y, const T& x) {
  const double angle = std::atan2(value_of(y), value_of(x));
  const bool steep = std::abs(value_of(y)) > std::abs(value_of(x));
  const T t = steep ? x / y : y / x;
  const double d = (steep ? -1 : 1) / (1 + value_of(t) * value_of(t));
  return chain(t, angle, d, -2 * value_of(t) * d / (1 + value_of(t) * value_of(t)));
}

}  // namespace

template <class T>
T Formula::run(std::span<const T> variables) const {
  if (tape_.empty()) return constant_of(0, T{});
  std::array<T, stack_limit> stack;
  int top = -1;
  const auto unary = [&](const auto& taylor) { stack[top] = apply(stack[top], taylor); };
  const auto binary = [&](const auto& f) {
    stack[top - 1] = f(stack[top - 1], stack[top]);
    --top;
  };
  const auto compare = [&](const auto& holds) {
    stack[top - 1] = constant_of(holds(value_of(stack[top - 1]), value_of(stack[top])) ? 1.0 : 0.0, T{});
    --top;
  };
  for (const Instruction& i : tape_) {
    switch (i.op) {
      case Op::number: stack[++top] = constant_of(i.number, T{}); break;
      case Op::variable: stack[++top] = variables[static_cast<std::size_t>(i.variable)]; break;
      case Op::add: binary([](const T& a, const T& b) { return a + b; }); break;
      case Op::subtract: binary([](const T& a, const T& b) { return a - b; }); break;
      case Op::multiply: binary([](const T& a, const T& b) { return a * b; }); break;
      case Op::divide: binary([](const T& a, const T& b) { return a / b; }); break;
      case Op::power: binary([](const T& a, const T& b) { return power(a, b); }); break;
      case Op::atan2: binary([](const T& a, const T& b) { return arc2(a, b); }); break;
      case Op::min: binary([](const T& a, const T& b) { return value_of(b) < value_of(a) ? b : a; }); break;
      case Op::max: binary([](const T& a, const T& b) { return value_of(a) < value_of(b) ? b : a; }); break;
      case Op::negate: stack[top] = -stack[top]; break;
      case Op::less: compare([](double a, double b) { return a < b; }); break;
      case Op::less_equal: compare([](double a, double b) { return a <= b; }); break;
      case Op::greater: compare([](double a, double b) { return a > b; }); break;
      case Op::greater_equal: compare([](double a, double b) { return a >= b; }); break;
      case Op::equal: compare([](double a, double b) { return a == b; }); break;
      case Op::not_equal: compare([](double a, double b) { return a != b; }); break;
      case Op::sin: unary([](double x) { return Taylor{std::sin(x), std::cos(x), -std::sin(x)}; }); break;
      case Op::cos: unary([](double x) { return Taylor{std::cos(x), -std::sin(x), -std::cos(x)}; }); break;
      case Op::tan:
        unary([](double x) {
          const double f = std::tan(x), d = 1 + f * f;
          return Taylor{f, d, 2 * f * d};
        });
        break;
      case Op::asin:
        unary([](double x) {
          const double w = 1 / std::sqrt(1 - x * x);
          return Taylor{std::asin(x), w, x * w * w * w};
        });
        break;
      case Op::acos:
        unary([](double x) {
          const double w = 1 / std::sqrt(1 - x * x);
          return Taylor{std::acos(x), -w, -x * w * w * w};
        });
        break;
      case Op::atan:
        unary([](double x) {
          const double d = 1 / (1 + x * x);
          return Taylor{std::atan(x), d, -2 * x * d * d};
        });
        break;
      case Op::sinh: unary([](double x) { return Taylor{std::sinh(x), std::cosh(x), std::sinh(x)}; }); break;
      case Op::cosh: unary([](double x) { return Taylor{std::cosh(x), std::sinh(x), std::cosh(x)}; }); break;
      case Op::tanh:
        unary([](double x) {
          const double f = std::tanh(x), d = 1 - f * f;
          return Taylor{f, d, -2 * f * d};
        });
        break;
      case Op::exp: unary([](double x) { return Taylor{std::exp(x), std::exp(x), std::exp(x)}; }); break;
      case Op::log: unary([](double x) { return Taylor{std::log(x), 1 / x, -1 / (x * x)}; }); break;
      case Op::sqrt:
        unary([](double x) {
          const double f = std::sqrt(x);
          return Taylor{f, 0.5 / f, -0.25 / (f * x)};
        });
        break;
      case Op::abs: unary([](double x) { return Taylor{std::abs(x), x < 0 ? -1.0 : 1.0, 0}; }); break;
      case Op::sign: unary([](double x) { return Taylor{static_cast<double>((x > 0) - (x < 0)), 0, 0}; }); break;
      case Op::select:
        stack[top - 2] = value_of(stack[top - 2]) != 0 ? stack[top - 1] : stack[top];
        top -= 2;
        break;
    }
  }
  return stack[0];  // the parser has seen to it that one value is left
}

double Formula::evaluate(std::span<const double> variables) const { return run<double>(variables); }
Jet Formula::jet(double variable) const {
  const std::array<Jet, 1> x{Jet{variable, 1, 0}};
  return run<Jet>(x);
}
template <int N>
HyperDual<N> Formula::derivatives(const Vec<N>& values) const {
  std::array<HyperDual<N>, static_cast<std::size_t>(N)> x;
  for (int i = 0; i < N; ++i) x[static_cast<std::size_t>(i)] = HyperDual<N>::variable(values[i], i);
  return run<HyperDual<N>>(x);
}
template HyperDual<1> Formula::derivatives<1>(const Vec<1>&) const;
template HyperDual<2> Formula::derivatives<2>(const Vec<2>&) const;
template HyperDual<3> Formula::derivatives<3>(const Vec<3>&) const;
template HyperDual<6> Formula::derivatives<6>(const Vec<6>&) const;
template HyperDual<12> Formula::derivatives<12>(const Vec<12>&) const;

bool Formula::constant() const {
  return std::none_of(tape_.begin(), tape_.end(), [](const Instruction& i) { return i.op == Op::variable; });
}

std::vector<int> Formula::compact() {
  std::vector<int> used;
  for (Instruction& i : tape_) {
    if (i.op != Op::variable) continue;
    const auto found = std::find(used.begin(), used.end(), i.variable);
    const auto index = found - used.begin();
    if (found == used.end()) used.push_back(i.variable);
    i.variable = static_cast<int>(index);
  }
  return used;
}

}  // namespace trompo
