// The instructions of a formula's tape, shared by the parser that writes it and the evaluation that runs it.
#pragma once

#include "trompo/math/formula.hpp"

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

}  // namespace trompo
