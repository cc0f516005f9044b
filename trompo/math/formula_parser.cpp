// From text to tape.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "trompo/math/formula_builder.hpp"

namespace trompo {

// Recursive descent; precedence from loose to tight: comparison, sum, product, sign, power, atom.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, std::span<const std::string_view> variables,
                const std::map<std::string, double>& constants, const std::map<std::string, Formula>& definitions)
      : text_(text), variables_(variables), constants_(constants), definitions_(definitions) {}

  void parse(Formula& out) {
    const Operand result = comparison();
    skip();
    if (at_ < text_.size()) fail(std::string("unexpected '") + text_[at_] + "'");
    builder_.finish(result, out);
  }

 private:
  using Op = Formula::Op;
  using Operand = FormulaBuilder::Operand;

  [[noreturn]] void fail(const std::string& what) const { fail(what, at_); }
  [[noreturn]] static void fail(const std::string& what, std::size_t at) { throw FormulaError(at, what); }
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
  Operand fits(Operand a) const {
    if (builder_.length() > Formula::length_limit)
      fail("the formula is too long: more than " + std::to_string(Formula::length_limit) + " operations; split it");
    return a;
  }
  // `at` is where the operation stands. What is computed here, of numbers alone, must be a number again.
  Operand apply(std::size_t at, Op op, Operand a, Operand b = {}, Operand c = {}) {
    const Operand result = fits(builder_.apply(op, a, b, c));
    if (result.is_number() && !std::isfinite(result.number))
      fail(std::isnan(result.number) ? "this is not a number" : "this is too large for a number", at);
    return result;
  }
  [[nodiscard]] std::size_t here() {
    skip();
    return at_;
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

  Operand comparison() {
    const Nesting guard(*this);
    const Operand left = sum();
    const std::size_t at = here();
    static constexpr std::array<std::pair<std::string_view, Op>, 6> operators{{{"<=", Op::less_equal},
                                                                               {">=", Op::greater_equal},
                                                                               {"==", Op::equal},
                                                                               {"!=", Op::not_equal},
                                                                               {"<", Op::less},
                                                                               {">", Op::greater}}};
    for (const auto& [token, op] : operators)
      if (accept(token)) return apply(at, op, left, sum());
    return left;
  }
  Operand sum() {
    Operand left = product();
    while (true) {
      const std::size_t at = here();
      if (accept("+"))
        left = apply(at, Op::add, left, product());
      else if (accept("-"))
        left = apply(at, Op::subtract, left, product());
      else
        return left;
    }
  }
  Operand product() {
    Operand left = sign();
    while (true) {
      const std::size_t at = here();
      if (accept("*"))
        left = apply(at, Op::multiply, left, sign());
      else if (accept("/"))
        left = apply(at, Op::divide, left, sign());
      else
        return left;
    }
  }
  Operand sign() {
    const Nesting guard(*this);
    const std::size_t begin = here();
    if (accept("-")) return apply(begin, Op::negate, sign());
    if (accept("+")) return sign();
    const Operand base = atom();
    const std::size_t at = here();
    return accept("^") ? apply(at, Op::power, base, sign()) : base;  // right-associative and tighter: -2^2 = -4, 2^-1 = 0.5
  }
  Operand atom() {
    const char next = peek();
    if (next == '(') {
      ++at_;
      const Operand inside = comparison();
      if (!accept(")")) fail("a closing bracket ')' is missing");
      return inside;
    }
    if ((next >= '0' && next <= '9') || next == '.') {
      double number = 0;
      const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
      if (error == std::errc::result_out_of_range) fail("a number that is too large or too small for a double");
      if (error != std::errc{}) fail("not a number");
      at_ = static_cast<std::size_t>(end - text_.data());
      return {number};
    }
    if (next == '`' || is_letter(next)) return name();
    if (next == '\0') fail("the formula ends where a value is expected");
    fail(std::string("unexpected '") + next + "'");
  }
  static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  [[nodiscard]] int variable(std::string_view word) const {
    const auto found = std::find(variables_.begin(), variables_.end(), word);
    return found == variables_.end() ? -1 : static_cast<int>(found - variables_.begin());
  }
  // bob.vx is rate(bob.x)
  [[nodiscard]] int velocity(std::string_view word) const {
    const std::size_t n = word.size();
    if (n < 4 || word.substr(n - 3, 2) != ".v" || word[n - 1] < 'x' || word[n - 1] > 'z') return -1;
    return variable("rate(" + std::string(word.substr(0, n - 2)) + word[n - 1] + ")");
  }
  // A name, quoted or not, without backticks; `quoted` may hold it.
  std::string_view word_at_hand(std::string& quoted) {
    const std::size_t begin = at_;
    if (text_[at_] == '`') {  // a name with spaces or dots is quoted with backticks
      const std::size_t close = text_.find('`', at_ + 1);
      if (close == std::string_view::npos) fail("a closing backtick is missing");
      quoted = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
      const std::size_t tail = at_;  // `left bob`.x, `left top`.d1.x
      while (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.' || is_digit(text_[at_]))) ++at_;
      quoted += text_.substr(tail, at_ - tail);
      return quoted;
    }
    while (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.' || is_digit(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  Operand name() {
    const std::size_t begin = at_;
    std::string quoted;
    const std::string_view word = word_at_hand(quoted);
    if (word == "rate" && peek() == '(') return rate(begin);
    if (const int i = variable(word); i >= 0) return fits(builder_.variable(i));
    if (const int i = velocity(word); i >= 0) return fits(builder_.variable(i));
    if (const auto definition = definitions_.find(std::string(word)); definition != definitions_.end())
      return fits(builder_.inlined(definition->second));
    if (const auto constant = constants_.find(std::string(word)); constant != constants_.end()) return {constant->second};
    if (word == "pi") return {std::numbers::pi};
    if (word == "e") return {std::numbers::e};
    return call(word, begin);
  }
  // rate(u), of a name: where formulas may know rates they are variables.
  Operand rate(std::size_t begin) {
    const auto begins_name = [this] { return peek() == '`' || is_letter(peek()); };
    std::string quoted;
    (void)accept("(");
    if (!begins_name()) fail("'rate' takes one name in brackets, such as rate(u)");
    const std::string_view of = word_at_hand(quoted);
    if (!accept(")")) fail("'rate' takes one name in brackets, not an expression");
    if (const int i = variable("rate(" + std::string(of) + ")"); i >= 0) return fits(builder_.variable(i));
    at_ = begin;
    fail("no rate of '" + std::string(of) + "' is known here");
  }
  Operand call(std::string_view word, std::size_t begin) {
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
      for (const auto& [name, formula] : definitions_) known += name + ", ";
      for (const auto& [name, value] : constants_) known += name + ", ";
      fail("unknown name '" + std::string(word) + "'; known here: " + known +
           "pi, e and the functions sin, cos, exp, sqrt, if ...");
    }
    if (!accept("(")) fail("'" + std::string(word) + "' needs its argument in brackets");
    std::array<Operand, 3> arguments;
    for (int i = 0; i < found->arguments; ++i) {
      if (i > 0 && !accept(","))
        fail("'" + std::string(word) + "' takes " + std::to_string(found->arguments) + " arguments, separated by commas");
      arguments[static_cast<std::size_t>(i)] = comparison();
    }
    if (!accept(")")) fail("a closing bracket ')' is missing");
    return apply(begin, found->op, arguments[0], arguments[1], arguments[2]);
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  const std::map<std::string, double>& constants_;
  const std::map<std::string, Formula>& definitions_;
  FormulaBuilder builder_;
  std::size_t at_ = 0;
  int nesting_ = 0;
};

Formula::Formula(std::string_view text, std::span<const std::string_view> variables,
                 const std::map<std::string, double>& constants, const std::map<std::string, Formula>& definitions)
    : text_(text) {
  FormulaParser(text, variables, constants, definitions).parse(*this);
}

}  // namespace trompo
