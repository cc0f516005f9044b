#include "trompo/math/formula.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

namespace trompo {

enum class Formula::Op : unsigned char {
  number,
  variable,
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  min,
  max,
  select
};

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

// Recursive descent; precedence from loose to tight: comparison, sum, product, sign, power, atom.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, std::span<const std::string_view> variables,
                const std::map<std::string, double>& constants, Formula& out)
      : text_(text), variables_(variables), constants_(constants), out_(out) {}

  void parse() {
    comparison();
    skip();
    if (at_ < text_.size()) fail(std::string("unexpected '") + text_[at_] + "'");
  }

 private:
  using Op = Formula::Op;

  [[noreturn]] void fail(const std::string& what) const { throw FormulaError(at_, what); }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  [[nodiscard]] char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void push(Op op, int pops, double number = 0, int variable = 0) {
    depth_ += 1 - pops;
    if (depth_ > Formula::stack_limit) fail("the formula is nested too deeply; split it into named parts");
    out_.tape_.push_back({op, variable, number});
  }

  struct Nesting {
    explicit Nesting(FormulaParser& p) : parser(p) {
      if (++parser.nesting_ > Formula::nesting_limit) parser.fail("the formula is nested too deeply");
    }
    ~Nesting() { --parser.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    FormulaParser& parser;
  };

  void comparison() {
    const Nesting guard(*this);
    sum();
    static constexpr std::array<std::pair<std::string_view, Op>, 6> operators{{{"<=", Op::less_equal},
                                                                               {">=", Op::greater_equal},
                                                                               {"==", Op::equal},
                                                                               {"!=", Op::not_equal},
                                                                               {"<", Op::less},
                                                                               {">", Op::greater}}};
    for (const auto& [token, op] : operators) {
      if (!accept(token)) continue;
      sum();
      push(op, 2);
      return;
    }
  }
  void sum() {
    product();
    while (true) {
      if (accept("+")) {
        product();
        push(Op::add, 2);
      } else if (accept("-")) {
        product();
        push(Op::subtract, 2);
      } else {
        return;
      }
    }
  }
  void product() {
    sign();
    while (true) {
      if (accept("*")) {
        sign();
        push(Op::multiply, 2);
      } else if (accept("/")) {
        sign();
        push(Op::divide, 2);
      } else {
        return;
      }
    }
  }
  void sign() {
    const Nesting guard(*this);
    if (accept("-")) {
      sign();
      push(Op::negate, 1);
    } else if (accept("+")) {
      sign();
    } else {
      atom();
      if (accept("^")) {  // right-associative, binds tighter than the sign: -2^2 = -4, 2^-1 = 0.5
        sign();
        push(Op::power, 2);
      }
    }
  }
  void atom() {
    const char next = peek();
    if (next == '(') {
      ++at_;
      comparison();
      if (!accept(")")) fail("a closing bracket ')' is missing");
    } else if ((next >= '0' && next <= '9') || next == '.') {
      double number = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (error != std::errc{}) fail("not a number");
      at_ = static_cast<std::size_t>(end - text_.data());
      push(Op::number, 0, number);
    } else if (next == '`' || is_letter(next)) {
      name();
    } else if (next == '\0') {
      fail("the formula ends where a value is expected");
    } else {
      fail(std::string("unexpected '") + next + "'");
    }
  }
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  }
  void name() {
    const std::size_t begin = at_;
    std::string quoted;
    std::string_view word;
    if (text_[at_] == '`') {  // a name with spaces or dots is quoted with backticks
      const std::size_t close = text_.find('`', at_ + 1);
      if (close == std::string_view::npos) fail("a closing backtick is missing");
      quoted = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
      const std::size_t tail = at_;  // `left bob`.x
      while (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.')) ++at_;
      quoted += text_.substr(tail, at_ - tail);
      word = quoted;
    } else {
      while (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.' || (text_[at_] >= '0' && text_[at_] <= '9')))
        ++at_;
      word = text_.substr(begin, at_ - begin);
    }
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (variables_[i] == word) return push(Op::variable, 0, 0, static_cast<int>(i));
    if (const auto constant = constants_.find(std::string(word)); constant != constants_.end())
      return push(Op::number, 0, constant->second);
    if (word == "pi") return push(Op::number, 0, std::numbers::pi);
    if (word == "e") return push(Op::number, 0, std::numbers::e);
    call(word, begin);
  }
  void call(std::string_view word, std::size_t begin) {
    struct Function {
      std::string_view name;
      Op op;
      int arguments;
    };
    static constexpr std::array<Function, 20> functions{
        {{"sin", Op::sin, 1},   {"cos", Op::cos, 1},     {"tan", Op::tan, 1},   {"asin", Op::asin, 1}, {"acos", Op::acos, 1},
         {"atan", Op::atan, 1}, {"atan2", Op::atan2, 2}, {"sinh", Op::sinh, 1}, {"cosh", Op::cosh, 1}, {"tanh", Op::tanh, 1},
         {"exp", Op::exp, 1},   {"log", Op::log, 1},     {"ln", Op::log, 1},    {"sqrt", Op::sqrt, 1}, {"abs", Op::abs, 1},
         {"sign", Op::sign, 1}, {"min", Op::min, 2},     {"max", Op::max, 2},   {"if", Op::select, 3}, {"pow", Op::power, 2}}};
    const auto* found = std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == word; });
    if (found == functions.end()) {
      at_ = begin;
      std::string known;
      for (std::size_t i = 0; i < std::min<std::size_t>(variables_.size(), 12); ++i) known += std::string(variables_[i]) + ", ";
      for (const auto& [name, value] : constants_) known += name + ", ";
      fail("unknown name '" + std::string(word) + "'; known here: " + known +
           "pi, e and the functions sin, cos, exp, sqrt, if ...");
    }
    if (!accept("(")) fail("'" + std::string(word) + "' needs its argument in brackets");
    for (int i = 0; i < found->arguments; ++i) {
      if (i > 0 && !accept(","))
        fail("'" + std::string(word) + "' takes " + std::to_string(found->arguments) + " arguments, separated by commas");
      comparison();
    }
    if (!accept(")")) fail("a closing bracket ')' is missing");
    push(found->op, found->arguments);
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  const std::map<std::string, double>& constants_;
  Formula& out_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int nesting_ = 0;
};

Formula::Formula(std::string_view text, std::span<const std::string_view> variables,
                 const std::map<std::string, double>& constants)
    : text_(text) {
  FormulaParser(text, variables, constants, *this).parse();
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
