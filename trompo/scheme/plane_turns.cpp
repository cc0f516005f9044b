#include "trompo/scheme/plane_turns.hpp"

#include <cmath>

namespace trompo {

int normal_axis(const System& system, int body, PlaneTurns::Axes axes) {
  const int d = system.bodies()[static_cast<std::size_t>(body)].first + 3;
  for (int k = 0; k < 3; ++k) {
    bool held = true;
    for (int i = 0; i < 3; ++i)
      held = held &&
             system.equation()[static_cast<std::size_t>(axes == PlaneTurns::Axes::body ? d + 3 * k + i : d + 3 * i + k)] < 0;
    if (held) return k;
  }
  return -1;
}

PlaneTurns::PlaneTurns(const System& system, const FrameReduction& unknowns, Axes axes) {
  for (int b = 0; b < static_cast<int>(system.bodies().size()); ++b) {
    const int normal = normal_axis(system, b, axes), first = unknowns.of_body(b);
    normal_.push_back(normal);
    if (normal < 0) continue;
    Block block{{}, normal};
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        block.place[static_cast<std::size_t>(3 * j + i)] = unknowns.pattern().slot(first + i, first + j);
    blocks_.push_back(block);
    for (int i = 0; i < 3; ++i)
      if (i != normal) held_.push_back(first + i);
  }
}

void PlaneTurns::write(double* values, bool identity) const {
  for (const Block& block : blocks_) {
    const double size = std::abs(values[block.place[static_cast<std::size_t>(4 * block.normal)]]);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        if (i != block.normal || j != block.normal)
          values[block.place[static_cast<std::size_t>(3 * j + i)]] = i == j && identity ? (size > 0 ? size : 1) : 0;
  }
}

}  // namespace trompo
