// Vibration modes about a state at rest: K x + J^T l = w^2 M x, J x = 0, with the geometric part of loads and joint forces in
// K.
#pragma once

#include "trompo/run/statics.hpp"

namespace trompo {

struct Mode {
  double frequency = 0;     // rad/s; 0 for what moves freely or only grows
  double growth = 0;        // 1/s: the motion grows as exp(growth t)
  VecX shape;               // of all coordinates; of frames of bodies as they begin to turn
  std::vector<Vec3> turns;  // of each body, about the axes of space
  std::string moves;        // most, in words

  [[nodiscard]] double hertz() const;
  [[nodiscard]] bool free() const { return frequency == 0 && growth == 0; }
};

enum class About { start, equilibrium };

struct ModesResult {
  State state;              // the modes are about
  std::vector<Mode> modes;  // lowest first, unstable ones at the head
  std::vector<std::string> remarks;
  double wall_seconds = 0;
};

// Velocities and dampers do not count, and remarks say so. About the start, forces need not be in balance: what is left of them
// is said in a remark. Throws ModelError where there is no equilibrium, and where the model goes on moving or turning
// (modes_scope.hpp).
[[nodiscard]] ModesResult find_modes(const Model& model, const System& system, int count, About about);

// The state with `amplitude` of a mode added to it.
[[nodiscard]] State displaced(const System& system, const State& state, const Mode& mode, double amplitude);
// An amplitude that the eye sees: a tenth of the size of the model, or half a radian.
[[nodiscard]] double visible_amplitude(const System& system, const Mode& mode);

}  // namespace trompo
