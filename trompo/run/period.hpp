// The period of a free oscillation in one coordinate: measured on a run, and exact from the integral of energy.
#pragma once

#include <array>
#include <limits>

#include "trompo/run/run.hpp"

namespace trompo {

// Finds the moments at which the first free coordinate passes zero upwards, on the polynomial through the six nearest samples.
// Velocities are left out: those of a scheme are not quite the slope of its displacements.
class PeriodWatch final : public Observer {
 public:
  void begin(const RunPlan& plan) override { coordinate_ = plan.system.free().front(); }
  void sample(const Sample& now) override;
  [[nodiscard]] long cycles() const { return cycles_; }
  [[nodiscard]] double period() const;  // mean of the full cycles; NaN if there was none

 private:
  static constexpr std::size_t points = 6;
  std::array<double, points> times_{}, values_{};
  std::size_t seen_ = 0;
  int coordinate_ = 0;
  long cycles_ = -1;  // upward crossings less one
  double first_ = 0, last_ = 0;
};

// One coordinate let go at rest from `amplitude`, in a potential that is even. Exact up to round-off for smooth potentials.
struct FreeOscillation {
  double period = 0;
  double mean_stiffness = 0;  // of the tangent, over time
};
[[nodiscard]] FreeOscillation free_oscillation(const System& system, double amplitude);
[[nodiscard]] double tangent_stiffness(const System& system, double u);  // of the only coordinate

// (T' - T) / T of a model with one coordinate, by its own scheme and step. NaN if the run fails. The error of a crossing is
// shared by all cycles, so large steps are run for longer than the ten cycles that small ones need.
[[nodiscard]] double period_error(Model model);

}  // namespace trompo
