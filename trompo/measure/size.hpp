// Sizes of a measure: n coordinates, m components. They are known when the program runs; for the two that most models are made
// of, strains of bars and functions of one coordinate, code over sizes is compiled a second time with the numbers written in:
// loops over six or one take longer to count than to do.
#pragma once

#include "trompo/measure/kernel.hpp"

namespace trompo {

struct AnySize {
  int n, m;
  explicit AnySize(const MeasureView& measure) : n(measure.n), m(measure.m) {}
};

template <int coordinates>
struct ScalarOf {
  static constexpr int n = coordinates, m = 1;
  explicit ScalarOf(const MeasureView& /*measure*/) {}
};

// use.operator()<Size>()
template <class Use>
void by_size(const MeasureView& measure, const Use& use) {
  if (measure.m == 1 && measure.n == 6)
    use.template operator()<ScalarOf<6>>();
  else if (measure.m == 1 && measure.n == 1)
    use.template operator()<ScalarOf<1>>();
  else
    use.template operator()<AnySize>();
}

}  // namespace trompo
