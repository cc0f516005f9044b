// Sensors: measures that are only recorded.
#pragma once

#include <string>
#include <vector>

#include "trompo/model/rate_scope.hpp"
#include "trompo/run/part_energy.hpp"
#include "trompo/system/rod_element.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

class Sensors {
 public:
  Sensors(const Model& model, const System& system);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool want_reactions() const { return want_reactions_; }
  [[nodiscard]] bool want_accelerations() const { return want_accelerations_; }
  struct Motion {
    const State& state;
    const VecX& reaction;
    const VecX& multiplier;                     // of the last step
    const VecX &end_multiplier, &acceleration;  // of the motion at its end
  };
  void read(const Motion& now, std::vector<double>& values);

 private:
  enum class Kind {
    position,
    velocity,
    acceleration,
    travel,
    spring_force,
    energy,
    joint_force,
    joint_torque,
    reaction,
    distance,
    force,
    strain,
    multiplier,
    formula,
    angular_velocity,
    tilt,
    section_force,
    section_moment,
    section_strain,
    section_curvature,
    stress
  };
  struct Sensor {
    Kind kind;
    int a, b;  // coordinate, first coordinates of two points, bar, rod element, multiplier or formula
    JointPart part = JointPart::all;
  };
  const System* system_;
  std::vector<std::string> names_;
  std::vector<Sensor> sensors_;
  std::vector<RateFormula> formulas_;
  std::vector<RodElement> rod_elements_;  // those that a sensor looks at
  std::vector<PartEnergy> energies_;
  VecX scratch_;
  std::vector<double> arguments_;  // of the formula at hand
  bool want_reactions_ = false, want_accelerations_ = false;
};

}  // namespace trompo
