#include "apps/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace trompo {

using Clock_ = std::chrono::steady_clock;

namespace {
double seconds_between(Clock_::time_point a, Clock_::time_point b) { return std::chrono::duration<double>(b - a).count(); }
std::string duration(double seconds) {
  const long s = std::lround(seconds);
  return s < 60 ? fmt::format("{} s", s) : s < 3600 ? fmt::format("{}:{:02} min", s / 60, s % 60) : fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}
}  // namespace

Progress::Progress(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) != 0) {}

void Progress::begin(const RunPlan& plan) {
  steps_ = plan.steps;
  begin_ = last_ = Clock_::now();
}

void Progress::step(long done) {
  if (!shown_ || done < look_at_) return;
  const auto now = Clock_::now();
  const double rate = static_cast<double>(done) / std::max(seconds_between(begin_, now), 1e-9);
  look_at_ = done + std::max(1L, static_cast<long>(rate / 20));  // look at the clock about twenty times a second
  if (seconds_between(last_, now) < 0.1) return;
  last_ = now;
  draw(done, seconds_between(begin_, now));
  drawn_ = true;
}

void Progress::draw(long done, double seconds) const {
  constexpr int width = 32;
  const double share = static_cast<double>(done) / static_cast<double>(steps_);
  const int filled = static_cast<int>(share * width);
  const double rate = static_cast<double>(done) / seconds;
  fmt::print(stderr, "\r[{:=<{}}{: <{}}] {:3.0f} %  {}/{} steps  {:.3g} steps/s  {} left \033[K", "", filled, "", width - filled, 100 * share, done,
             steps_, rate, duration(static_cast<double>(steps_ - done) / rate));
  std::fflush(stderr);
}

void Progress::end(const RunResult& /*result*/) {
  if (drawn_) fmt::print(stderr, "\r\033[K");
}

}  // namespace trompo
