// What the statements, tables and figures of the rods have in common.
#pragma once

#include <string>
#include <vector>

#include "apps/reproduce.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {

// A run with its sensors, its energy balance and the places of its bodies, step by step in memory.
class RodMotion final : public Observer {
 public:
  explicit RodMotion(const Model& model);
  void begin(const RunPlan& plan) override { names_ = plan.sensor_names; }
  void sample(const Sample& now) override;

  [[nodiscard]] std::vector<double> sensor(const std::string& name) const;
  [[nodiscard]] std::size_t at(double time) const;  // the first sample from there on
  // How far a value goes from what it is at a time.
  [[nodiscard]] double energy_drift(double from) const;
  [[nodiscard]] double linear_drift(double from) const;
  [[nodiscard]] double angular_drift(double from) const;

  RunResult result;
  std::vector<double> times, energies;
  std::vector<Momentum> momenta;
  std::vector<std::vector<Vec3>> places;  // of the bodies

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;  // of each sensor over time
};

// Equilibria under a growing load, with factors and sensors on the way.
class RodPath final : public Observer {
 public:
  explicit RodPath(const Model& model);
  void begin(const RunPlan& plan) override { names_ = plan.sensor_names; }
  void sample(const Sample& now) override;
  [[nodiscard]] std::vector<double> sensor(const std::string& name) const;

  StaticResult result;
  std::vector<double> factors;
  std::vector<std::vector<Vec3>> places;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<double>> values_;
};

// Many statements and figures look at the same one.
[[nodiscard]] const RodMotion& rod_motion(const Model& model);
[[nodiscard]] const RodPath& rod_path(const Model& model);

[[nodiscard]] std::vector<Table> rods_tables();
[[nodiscard]] std::vector<Figure> rods_figures();

}  // namespace trompo
