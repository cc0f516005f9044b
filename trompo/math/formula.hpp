// A formula as a user types it, parsed once into a flat tape and evaluated without allocation.
//
//   expression: + - * / ^ and unary -, comparisons < <= > >= == !=, brackets, numbers, names, functions
//   functions:  sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max if(condition, then, else)
//   constants:  pi, e
//
// Each operation of the tape writes one place and reads earlier ones; the first places are the variables. What consists of
// numbers only is computed while parsing, and what is written twice is on the tape once.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/math/expansion.hpp"
#include "trompo/math/scratch.hpp"

namespace trompo {

struct FormulaError : std::runtime_error {
  FormulaError(std::size_t at, const std::string& what) : std::runtime_error(what), column(at + 1) {}
  std::size_t column;  // 1-based column in the text
};

// Value with first and second derivative in one variable (a truncated Taylor series).
struct Jet {
  double value = 0, rate = 0, curvature = 0;
};

class Formula {
 public:
  static constexpr int length_limit = 8192;  // places of the tape; 10 000 characters fit
  static constexpr int nesting_limit = 200;

  Formula() = default;
  // `variables` are the names the formula may use, in the order of their values; `constants` are names for numbers, and
  // `definitions` names for other formulas of the same variables.
  Formula(std::string_view text, std::span<const std::string_view> variables,
          const std::map<std::string, double>& constants = {},
          const std::map<std::string, Formula>& definitions = {});  // throws FormulaError
  // Renumbers the variables that occur as 0, 1, 2 ... and tells which ones they were.
  [[nodiscard]] std::vector<int> compact();
  [[nodiscard]] static std::vector<int> compact(std::span<Formula> formulas);  // of several at once

  [[nodiscard]] double evaluate(std::span<const double> variables) const;
  [[nodiscard]] Jet jet(double variable) const;  // a formula of one variable, with its derivatives
  // With gradient and Hessian in any number n of variables, into the caller's memory: n numbers and n columns of n. A null
  // pointer is not wanted, and a Hessian comes with its gradient only.
  struct Value {
    double value;
    double rounding;  // about how much of the value is rounding; comes with the gradient
  };
  Value expand(const double* x, int n, double* gradient, double* hessian) const;
  // Between two points, by Gonzalez' discrete gradient: one run at each end and one in the middle. `slope`, d secant/dx1, not
  // symmetric, and `gradient1`, the ordinary gradient at x1, are wanted together or not at all. Needs 3n of scratch.
  struct Ends {
    double value0, value1;
  };
  Ends chord(const double* x0, const double* x1, int n, double* secant, double* slope, double* gradient1,
             Scratch scratch) const;
  // The same for a number of variables that is known beforehand.
  template <int N>
  [[nodiscard]] Expansion<N> derivatives(const Vec<N>& x, Order order = Order::hessian) const {
    Expansion<N> out;
    const Value v = expand(x.data(), N, order != Order::value ? out.gradient.data() : nullptr,
                           order == Order::hessian ? out.hessian.data() : nullptr);
    out.value = v.value;
    out.rounding = v.rounding;
    return out;
  }
  [[nodiscard]] bool constant() const { return inputs_.empty(); }  // no variable occurs in it
  // Degree as a polynomial, as far as the way it is written shows it; 3 stands for more than two, or for no polynomial.
  [[nodiscard]] int degree() const;
  [[nodiscard]] int length() const { return static_cast<int>(inputs_.size() + tape_.size()); }  // places of the tape
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class FormulaBuilder;
  friend class FormulaDomain;
  friend class FormulaParser;
  enum class Op : unsigned char;
  struct Instruction {
    Op op;
    int a, b, c;  // places of the operands
    double number;
  };
  template <class Machine>
  static void step(const Instruction& i, int out, Machine& machine);
  template <class Machine>
  void run(Machine& machine) const;
  template <int room>
  [[nodiscard]] double value_within(std::span<const double> variables) const;
  template <int room>
  [[nodiscard]] Value jet_within(double variable, double& rate, double& curvature) const;
  template <bool second, std::size_t room>
  Value sweep_within(const double* x, int n, double* gradient, double* hessian) const;
  // An operation on numbers alone.
  [[nodiscard]] static double fold(const Instruction& i, double a, double b, double c);

  std::string text_;
  std::vector<int> inputs_;        // the variables that occur, in the order of the text
  std::vector<Instruction> tape_;  // the last place is the result
};

}  // namespace trompo
