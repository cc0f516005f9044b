// Vibration modes about a state at rest: K x + J^T l = w^2 M x, J x = 0, with the geometric part of loads and joint forces in
// K. With dampers, and about a motion that is steady, the complex ones of M x'' + C x' + K x + J^T l = 0.
#pragma once

#include "trompo/run/statics.hpp"

namespace trompo {

struct Mode {
  double frequency = 0;     // rad/s; 0 for what moves freely or only grows
  double growth = 0;        // 1/s: the motion grows as exp(growth t); less than 0: it decays
  VecX shape;               // of all coordinates; of frames of bodies as they begin to turn
  std::vector<Vec3> turns;  // of each body, about the axes of space
  // Of a complex mode: the motion is exp(growth t) Re((shape + i ahead) exp(i frequency t)). Empty where all moves in step.
  VecX ahead;  // by a quarter of a period
  std::vector<Vec3> turns_ahead;
  std::string moves;  // most, in words
  std::string whirl;  // forward, backward: about the axis and in the sense of what spins fastest; empty: along a line

  [[nodiscard]] double hertz() const;
  [[nodiscard]] double damping_ratio() const;  // -growth / |exponent|: 1 does not swing any more
  [[nodiscard]] bool free() const { return frequency == 0 && growth == 0; }
};

enum class About { start, equilibrium };

struct ModesResult {
  State state;              // the modes are about
  std::vector<Mode> modes;  // lowest first, unstable ones at the head
  std::vector<std::string> remarks;
  bool complex = false;      // damped, or about a steady motion
  bool frame_turns = false;  // shapes and frequencies are seen from axes that turn
  double spin = 0;           // rad/s, of what turns fastest
  double wall_seconds = 0;
};

// Where bodies go on turning, the modes are those about that motion, which has to be steady (scheme/steady_motion.hpp): about
// the start if forces and inertia balance there, about the equilibrium seen from the frame that turns otherwise. About a start
// at rest forces need not be in balance: what is left of them is said in a remark. Throws ModelError where there is no
// equilibrium, and where what turns makes the matrices change in time.
[[nodiscard]] ModesResult find_modes(const Model& model, const System& system, int count, About about);

// The state with a mode added to it, at a phase of its period [rad]: nothing at 0 of one that is not complex.
[[nodiscard]] State displaced(const System& system, const State& state, const Mode& mode, double amplitude, double phase);
// An amplitude that the eye sees: a tenth of the size of the model, or half a radian.
[[nodiscard]] double visible_amplitude(const System& system, const Mode& mode);

}  // namespace trompo
