// The operations of a formula's tape, shared by those who write it and the evaluation that runs it.
#pragma once

#include "trompo/math/formula.hpp"

namespace trompo {

enum class Formula::Op : unsigned char {
  number,
  variable,  // in the builder only; on a tape the variables are the first places
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  // with a number as one operand
  add_number,
  number_minus,
  times_number,
  over_number,
  number_over,
  to_number,  // a^number
  number_to,  // number^a
  square,
  cube,
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
