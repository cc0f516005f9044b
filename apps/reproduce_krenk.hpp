// What the statements and the figures of Krenk (2014) have in common.
#pragma once

#include <string>
#include <vector>

#include "apps/reproduce.hpp"
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

// The force of an oscillator along a step from u0 to u0 + du, and what stands for it.
struct ForceAlongStep {
  ForceAlongStep(const Model& oscillator, double start, double length);
  [[nodiscard]] double force(double u) const;
  [[nodiscard]] double energy(double u) const;
  [[nodiscard]] double mean() const { return (energy(u0 + du) - energy(u0)) / du; }  // over the way
  [[nodiscard]] double middle() const { return force(u0 + 0.5 * du); }
  [[nodiscard]] double ends() const { return 0.5 * (force(u0) + force(u0 + du)); }
  [[nodiscard]] double stiffness_increment() const;                                                 // dK
  [[nodiscard]] double quartic() const { return ends() - stiffness_increment() * du / 12; }         // g_q
  [[nodiscard]] double over_increment(double f) const { return f / (stiffness_increment() * du); }  // over dK du
  System system;
  double u0, du;
};

// A run of the model, by krenk but for one step by krenk-quartic, which is krenk without its correction.
inline constexpr long one_step_left_out = 3;
struct SkippedCorrection {
  std::vector<double> times, errors;  // of energy, relative
};
[[nodiscard]] SkippedCorrection one_correction_left_out(Model oscillator);

[[nodiscard]] double order_by_doubling(Quantity error, const Model& model);  // from the steps h and 2h
[[nodiscard]] Quantities krenk_theory();
[[nodiscard]] std::vector<Figure> krenk_figures();

}  // namespace trompo
