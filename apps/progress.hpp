// A progress bar on a terminal: share done, steps per second, time left. Silent when stderr is no terminal.
#pragma once

#include <chrono>
#include <string>

#include "trompo/run/observer.hpp"

namespace trompo {

class Progress final : public Observer {
 public:
  explicit Progress(bool wanted);
  void expect(long steps);                                  // the runs from here on are parts of one work of so many steps
  void name(std::string what) { name_ = std::move(what); }  // of the part under way, shown before the numbers
  void begin(const RunPlan& plan) override;
  void resume(const Checkpoint& at) override;
  void step(long done) override;
  void end(const RunResult& result) override;
  void share(double done);  // of what has no steps to count; it begins anew where the share falls back
  void clear();             // takes the bar off the terminal

 private:
  using Clock = std::chrono::steady_clock;
  void restart();
  void draw(double share, double seconds, const std::string& pace);
  bool shown_;
  bool drawn_ = false, together_ = false;
  long steps_ = 0, look_at_ = 64, before_ = 0, planned_ = 0, resumed_ = 0;
  double share_ = 2;
  std::string name_;
  Clock::time_point begin_, last_;
};

}  // namespace trompo
