// A progress bar on a terminal: share done, steps per second, time left. Silent when stderr is no terminal.
#pragma once

#include <chrono>

#include "trompo/run/observer.hpp"

namespace trompo {

class Progress final : public Observer {
 public:
  explicit Progress(bool wanted);
  void begin(const RunPlan& plan) override;
  void step(long done) override;
  void end(const RunResult& result) override;

 private:
  void draw(long done, double seconds) const;
  bool shown_;
  bool drawn_ = false;
  long steps_ = 0, look_at_ = 64;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace trompo
