// What the tables and the statements of the aircraft have in common.
#pragma once

#include <string>
#include <vector>

#include "apps/reproduce.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

// A run with its sensors, step by step in memory. No step is halved: a scheme reaches the end by its own steps or it does not.
class Flight final : public Observer {
 public:
  explicit Flight(const Model& model);
  void begin(const RunPlan& plan) override { names_ = plan.sensor_names; }
  void sample(const Sample& now) override;
  [[nodiscard]] bool arrived() const { return result.reached_end; }
  [[nodiscard]] double reached() const { return result.state.time; }

  [[nodiscard]] const std::vector<double>& sensor(const std::string& name) const;
  [[nodiscard]] std::vector<const std::vector<double>*> hinges() const;  // relative angles, from -y to +y
  [[nodiscard]] double energy_percent() const;                           // gain from the start to the end
  [[nodiscard]] double lateral() const;                                  // the largest |x| or |y| of the fuselage
  [[nodiscard]] double asymmetry() const;                                // of hinge angles, left against right
  [[nodiscard]] double largest_angle() const;                            // of the hinges [degrees]

  RunResult result;
  std::vector<double> times, energies;
  double drift = 0, drift_rate = 0;  // of the first hinge, the largest row of the run: [m] or cosine, and its rate

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;  // of each sensor over time
};

// The flight of a model. Many statements, tables and figures look at the same one: they are kept.
[[nodiscard]] const Flight& flown(const Model& model);

// The largest difference of a hinge angle between two runs, at the times of the first [rad].
[[nodiscard]] double distance(const Flight& a, const Flight& b);

[[nodiscard]] std::vector<Table> xhale_tables();

}  // namespace trompo
