#include "trompo/math/formula_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace trompo {

namespace {

int operands_of(auto op) {
  using Op = decltype(op);
  switch (op) {
    case Op::number:
    case Op::variable: return 0;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::power:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
    case Op::equal:
    case Op::not_equal:
    case Op::atan2:
    case Op::min:
    case Op::max: return 2;
    case Op::select: return 3;
    default: return 1;
  }
}

// Dividing by such a number is multiplying by its reciprocal, to the last bit.
bool is_power_of_two(double x) {
  int exponent = 0;
  return std::abs(std::frexp(x, &exponent)) == 0.5 && std::abs(exponent) < 1000;
}

}  // namespace

FormulaBuilder::Operand FormulaBuilder::put(const Formula::Instruction& node) {
  const auto [found, is_new] =
      known_.try_emplace({node.op, node.a, node.b, node.c, std::bit_cast<std::uint64_t>(node.number)}, length());
  if (is_new) nodes_.push_back(node);
  return {0, found->second};
}

FormulaBuilder::Operand FormulaBuilder::power(Operand base, double exponent) {
  if (exponent == 0) return {1};
  if (exponent == 1) return base;
  if (exponent == 2) return with_number(Op::square, base, 0);
  if (exponent == 3) return with_number(Op::cube, base, 0);
  if (exponent == 4) return with_number(Op::square, with_number(Op::square, base, 0), 0);
  if (exponent == 0.5) return with_number(Op::sqrt, base, 0);
  if (exponent == -1) return with_number(Op::number_over, base, 1);
  return with_number(Op::to_number, base, exponent);
}

FormulaBuilder::Operand FormulaBuilder::apply(Op op, Operand a, Operand b, Operand c) {
  const int count = operands_of(op);
  if (a.is_number() && (count < 2 || b.is_number()) && (count < 3 || c.is_number()))
    return {Formula::fold({op, 0, 1, 2, 0}, a.number, b.number, c.number)};
  switch (op) {
    case Op::add:
      if (a.is_number()) std::swap(a, b);
      if (b.is_number()) return b.number == 0 ? a : with_number(Op::add_number, a, b.number);
      break;
    case Op::subtract:
      if (b.is_number()) return b.number == 0 ? a : with_number(Op::add_number, a, -b.number);
      if (a.is_number()) return with_number(Op::number_minus, b, a.number);
      break;
    case Op::multiply:
      if (a.is_number()) std::swap(a, b);
      if (b.is_number()) {
        if (b.number == 1) return a;
        if (b.number == -1) return apply(Op::negate, a);
        return with_number(Op::times_number, a, b.number);
      }
      if (a.place == b.place) return power(a, 2);
      break;
    case Op::divide:
      if (b.is_number() && is_power_of_two(b.number)) return apply(Op::multiply, a, {1 / b.number});
      if (b.is_number()) return with_number(Op::over_number, a, b.number);
      if (a.is_number()) return with_number(Op::number_over, b, a.number);
      break;
    case Op::power:
      if (b.is_number()) return power(a, b.number);
      if (a.is_number()) return with_number(Op::number_to, b, a.number);
      break;
    case Op::negate:
      if (nodes_[static_cast<std::size_t>(a.place)].op == Op::negate) return {0, nodes_[static_cast<std::size_t>(a.place)].a};
      break;
    case Op::select:
      if (a.is_number()) return a.number != 0 ? b : c;
      break;
    default: break;
  }
  Formula::Instruction node{op, place(a), count > 1 ? place(b) : 0, count > 2 ? place(c) : 0, 0};
  if ((op == Op::add || op == Op::multiply) && node.a > node.b) std::swap(node.a, node.b);  // so that a + b is b + a
  return put(node);
}

FormulaBuilder::Operand FormulaBuilder::inlined(const Formula& definition) {
  if (definition.constant()) return {definition.evaluate({})};
  std::vector<int> at;
  for (const int index : definition.inputs_) at.push_back(variable(index).place);
  for (Formula::Instruction i : definition.tape_) {
    const int count = operands_of(i.op);
    for (int k = 0; int* operand : {&i.a, &i.b, &i.c})
      if (k++ < count) *operand = at[static_cast<std::size_t>(*operand)];
    if ((i.op == Op::add || i.op == Op::multiply) && i.a > i.b) std::swap(i.a, i.b);
    at.push_back(put(i).place);
  }
  return {0, at.back()};
}

// Only what the result needs goes on the tape: variables first, then operations, in the order in which they were met.
void FormulaBuilder::finish(Operand result, Formula& out) {
  const int root = place(result);
  std::vector<bool> needed(nodes_.size(), false);
  needed[static_cast<std::size_t>(root)] = true;
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    const Formula::Instruction& i = nodes_[k];
    const int count = operands_of(i.op);
    for (int o = 0; const int operand : {i.a, i.b, i.c})
      if (needed[k] && o++ < count) needed[static_cast<std::size_t>(operand)] = true;
  }
  std::vector<int> where(nodes_.size(), 0);
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    if (needed[k] && nodes_[k].op == Op::variable) {
      where[k] = static_cast<int>(out.inputs_.size());
      out.inputs_.push_back(nodes_[k].a);
    }
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (!needed[k] || nodes_[k].op == Op::variable) continue;
    where[k] = out.length();
    Formula::Instruction i = nodes_[k];
    const int count = operands_of(i.op);
    for (int o = 0; int* operand : {&i.a, &i.b, &i.c})
      if (o++ < count) *operand = where[static_cast<std::size_t>(*operand)];
    out.tape_.push_back(i);
  }
}

}  // namespace trompo
