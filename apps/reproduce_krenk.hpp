// What the statements and the figures of Krenk (2014), section 5, have in common.
#pragma once

#include <string>

#include "trompo/model/model.hpp"
#include "trompo/run/period.hpp"

namespace trompo {

struct Pendulum {
  explicit Pendulum(const Model& model);
  double length = 0;                        // of the bar, unstretched
  double weight = 0;                        // m g l, the unit of energy
  double swing_period = 0, bar_period = 0;  // of small motions, each by itself
};

[[nodiscard]] double energy_range(const Model& model);  // (max E - min E) / E0 over the run
[[nodiscard]] FreeOscillation exact_oscillation(const Model& oscillator);
[[nodiscard]] double linear_frequency(const System& oscillator);  // of small motions, w0

[[nodiscard]] std::vector<Figure> krenk_figures();

}  // namespace trompo
