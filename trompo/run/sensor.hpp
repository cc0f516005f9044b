// Sensors: measures that are only recorded.
#pragma once

#include <string>
#include <vector>

#include "trompo/model/model.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

class Sensors {
 public:
  Sensors(const Model& model, const System& system);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] bool want_reactions() const { return want_reactions_; }
  void read(const State& state, const VecX& reaction, std::vector<double>& values) const;

 private:
  enum class Kind { position, velocity, reaction, distance, force, strain };
  struct Sensor {
    Kind kind;
    int a, b;  // coordinate, first coordinates of two points, or bar
  };
  const System* system_;
  std::vector<std::string> names_;
  std::vector<Sensor> sensors_;
  bool want_reactions_ = false;
};

}  // namespace trompo
