// The period of a free oscillation in one coordinate: measured on a run, and exact from the integral of energy.
#pragma once

#include <array>
#include <limits>

#include "trompo/run/run.hpp"

namespace trompo {

// The moments at which something sampled passes zero upwards, on the polynomial through the six nearest samples, and how far
// something beside it has moved on by then. A mean over many cycles shares the error of the two outer crossings among them.
class Crossings {
 public:
  void add(double time, double value, double beside = 0);
  [[nodiscard]] long cycles() const { return cycles_; }
  [[nodiscard]] double period() const { return per_cycle(last_.time - first_.time); }  // NaN if there was no full cycle
  [[nodiscard]] double advance() const { return per_cycle(last_.beside - first_.beside); }

 private:
  static constexpr std::size_t points = 6;
  struct Moment {
    double time = 0, beside = 0;
  };
  [[nodiscard]] double per_cycle(double sum) const {
    return cycles_ > 0 ? sum / static_cast<double>(cycles_) : std::numeric_limits<double>::quiet_NaN();
  }
  std::array<double, points> times_{}, values_{}, besides_{};
  std::size_t seen_ = 0;
  long cycles_ = -1;  // upward crossings less one
  Moment first_, last_;
};

// Those of the first free coordinate. Velocities are left out: those of a scheme are not quite the slope of its displacements.
class PeriodWatch final : public Observer {
 public:
  void begin(const RunPlan& plan) override { coordinate_ = plan.system.free().front(); }
  void sample(const Sample& now) override { crossings_.add(now.time, now.state.q[coordinate_]); }
  [[nodiscard]] long cycles() const { return crossings_.cycles(); }
  [[nodiscard]] double period() const { return crossings_.period(); }

 private:
  Crossings crossings_;
  int coordinate_ = 0;
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
