// From text to tape.
#include <algorithm>
#include <array>
#include <charconv>
#include <numbers>
#include <utility>

#include "trompo/math/formula_op.hpp"

namespace trompo {

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

}  // namespace trompo
