// Builds a tape operation by operation: folds numbers, and finds what is there already.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "trompo/math/formula_op.hpp"

namespace trompo {

// A number, or a place of the tape.
struct FormulaOperand {
  double number = 0;
  int place = -1;
  [[nodiscard]] bool is_number() const { return place < 0; }
};

class FormulaBuilder {
 public:
  using Op = Formula::Op;
  using Operand = FormulaOperand;

  [[nodiscard]] Operand variable(int index) { return put({Op::variable, index, 0, 0, 0}); }
  [[nodiscard]] Operand apply(Op op, Operand a, Operand b = {}, Operand c = {});
  [[nodiscard]] Operand inlined(const Formula& definition);
  [[nodiscard]] int length() const { return static_cast<int>(nodes_.size()); }
  void finish(Operand result, Formula& out);

 private:
  Operand put(const Formula::Instruction& node);
  Operand with_number(Op op, Operand a, double number) { return put({op, a.place, 0, 0, number}); }
  Operand power(Operand base, double exponent);
  int place(Operand a) { return a.is_number() ? put({Op::number, 0, 0, 0, a.number}).place : a.place; }

  std::vector<Formula::Instruction> nodes_;  // a variable's number stands in `a`
  std::map<std::tuple<Op, int, int, int, std::uint64_t>, int> known_;
};

}  // namespace trompo
