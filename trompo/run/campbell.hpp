// Modes over spin: Campbell's diagram. All velocities of the start, and the rates of joints that are driven round, are taken in
// one ratio, so that what turns fastest turns at the speed asked for.
#pragma once

#include "trompo/run/modes.hpp"

namespace trompo {

struct SpinRange {
  double from = 0, to = 0, step = 0;  // rad/s
  static constexpr int most = 10000;  // speeds
  [[nodiscard]] int speeds() const;
};

struct Campbell {
  struct Speed {
    double spin = 0;
    std::vector<Mode> modes;  // by frequency
  };
  std::vector<Speed> speeds;
  struct Critical {  // where a mode has the frequency of the spin: what is out of balance is in resonance
    double spin = 0;
    std::string whirl, moves;
  };
  std::vector<Critical> critical;  // as seen from axes that do not turn; none from those that do
  bool frame_turns = false;
  std::vector<std::string> remarks;  // of the last speed
  double wall_seconds = 0;
};

// Throws ModelError where nothing turns at the start, and where one of the speeds has no modes (find_modes).
[[nodiscard]] Campbell campbell(const Model& model, int count, About about, const SpinRange& range);

}  // namespace trompo
