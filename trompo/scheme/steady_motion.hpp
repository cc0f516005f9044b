// A motion whose forces do not change in time: all turns and travels with one frame, in which round bodies may spin about their
// own axes. Seen from the frame it is rest: so its vibrations have constant matrices (steady_balance.hpp), if nothing that acts
// on the model tells one time from another.
#pragma once

#include <string>
#include <vector>

#include "trompo/system/system.hpp"

namespace trompo {

struct SteadyMotion {
  Vec3 turn = Vec3::Zero();      // of the frame, rad/s
  Vec3 velocity = Vec3::Zero();  // of the frame where the origin of space is at t = 0
  struct Spin {
    Vec3 axis = Vec3::UnitZ();  // of symmetry, body axes
    double rate = 0;            // about it, within the frame
  };
  std::vector<Spin> spins;  // of the bodies

  [[nodiscard]] bool frame_turns() const { return !turn.isZero(0); }
  [[nodiscard]] double fastest() const;                                               // rad/s, of frame and spins
  [[nodiscard]] Vec3 spin_of(std::size_t body, const Quaternion& orientation) const;  // within the frame, in space
  // Velocities at t = 0 of a model that stands there.
  void write_velocities(const System& system, State& state) const;
  // Where the model is at t, with its velocities.
  [[nodiscard]] State at(const System& system, const State& start, double t) const;
};

// The steady motions that the velocities of the state may be: where nothing but round bodies turns, seen from space itself,
// first. None: `why` says what is in the way.
[[nodiscard]] std::vector<SteadyMotion> steady_motions(const System& system, const State& state, std::string& why);

}  // namespace trompo
