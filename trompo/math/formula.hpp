// A formula as a user types it, parsed once into a flat postfix tape and evaluated without allocation.
//
//   expression: + - * / ^ and unary -, comparisons < <= > >= == !=, brackets, numbers, names, functions
//   functions:  sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max if(condition, then, else)
//   constants:  pi, e
//
// The tape runs on any number type: double for values, Jet for values with first and second derivative in one variable.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/math/hyper_dual.hpp"

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
  static constexpr int stack_limit = 64;
  static constexpr int nesting_limit = 200;

  Formula() = default;
  // `variables` are the names the formula may use, in the order of their values; `constants` are names for numbers.
  Formula(std::string_view text, std::span<const std::string_view> variables,
          const std::map<std::string, double>& constants = {});  // throws FormulaError
  // Renumbers the variables that occur as 0, 1, 2 ... and tells which ones they were.
  [[nodiscard]] std::vector<int> compact();

  [[nodiscard]] double evaluate(std::span<const double> variables) const;
  [[nodiscard]] Jet jet(double variable) const;  // a formula of one variable, with its derivatives
  // With gradient and Hessian in N variables (1, 2, 3, 6 or 12).
  template <int N>
  [[nodiscard]] HyperDual<N> derivatives(const Vec<N>& values) const;
  [[nodiscard]] bool constant() const;  // no variable occurs in it
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class FormulaParser;
  enum class Op : unsigned char;
  struct Instruction {
    Op op;
    int variable;
    double number;
  };
  template <class T>
  [[nodiscard]] T run(std::span<const T> variables) const;
  std::string text_;
  std::vector<Instruction> tape_;
};

}  // namespace trompo
