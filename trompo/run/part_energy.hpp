// The energy of one part of a model: what moves with it, what is stored in it.
#pragma once

#include <utility>
#include <vector>

#include "trompo/model/lookup.hpp"
#include "trompo/system/rod_element.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

// Kinetic: of nodes and bodies, half m v^2 and of the axes half E_ij d_i'.d_j'; a consistent mass of rods, which stands between
// bodies, is no body's. Potential: their weight, zero at the origin, and what bars, springs, joints and rods store.
class PartEnergy {
 public:
  PartEnergy(const Model& model, const System& system, const SensorInput& input, const Lookup& ask);
  [[nodiscard]] double at(const System& system, const State& state) const;

 private:
  enum class Part { node, body, bar, spring, joint, rod };
  [[nodiscard]] double kinetic(const System& system, const State& state) const;
  [[nodiscard]] double potential(const System& system, const VecX& q) const;
  Part part_ = Part::node;
  int number_ = 0;                    // in its list
  std::vector<RodElement> elements_;  // of a rod
  bool kinetic_ = true, potential_ = true;
};

}  // namespace trompo
