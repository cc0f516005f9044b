#include "apps/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "apps/print.hpp"
#include "trompo/model/printable.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {
using Moment = std::chrono::steady_clock::time_point;
double seconds_between(Moment a, Moment b) { return std::chrono::duration<double>(b - a).count(); }
std::string duration(double seconds) {
  const long s = std::lround(seconds);
  return s < 60     ? fmt::format("{} s", s)
         : s < 3600 ? fmt::format("{}:{:02} min", s / 60, s % 60)
                    : fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}
std::string count(double x) {
  return x < 1e4 ? fmt::format("{:.0f}", x) : x < 1e6 ? fmt::format("{:.0f}k", x / 1e3) : fmt::format("{:.2f}M", x / 1e6);
}
int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}
}  // namespace

Progress::Progress(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) != 0) {}

void Progress::restart() { begin_ = last_ = Clock::now(); }

void Progress::expect(long steps) {
  together_ = true;
  steps_ = std::max(steps, 1L);
  before_ = planned_ = 0;
  look_at_ = 1;
  restart();
}

// A run that ended early has done what was planned for it.
void Progress::begin(const RunPlan& plan) {
  if (together_) {
    before_ += planned_;
    planned_ = plan.steps;
  } else {
    steps_ = plan.steps;
    restart();
  }
}

void Progress::resume(const Checkpoint& at) { resumed_ = at.steps; }

void Progress::step(long done) {
  done += before_;
  if (!shown_ || done < look_at_) return;
  const auto now = Clock::now();
  const double seconds = seconds_between(begin_, now), rate = static_cast<double>(done - resumed_) / std::max(seconds, 1e-9);
  look_at_ = done + std::max(1L, static_cast<long>(rate / 20));  // look at the clock about twenty times a second
  if (seconds_between(last_, now) < 0.1) return;
  last_ = now;
  // As if the steps before it was resumed had been as fast.
  const double all_along = seconds * static_cast<double>(done) / static_cast<double>(std::max(1L, done - resumed_));
  draw(static_cast<double>(done) / static_cast<double>(steps_), all_along,
       fmt::format("{}/{} steps  {} steps/s  ", done, steps_, count(rate)));
}

void Progress::share(double done) {
  if (!shown_) return;
  if (done < share_) restart();
  share_ = done;
  const auto now = Clock::now();
  if (seconds_between(last_, now) < 0.1) return;
  last_ = now;
  draw(done, seconds_between(begin_, now), "");
}

// One line, whatever the width of the window: a line that wraps cannot be drawn over.
void Progress::draw(double share, double seconds, const std::string& pace) {
  const int columns = terminal_width() - 3;  // room for the ^C of who has had enough
  const std::string left = duration(seconds * (1 - share) / std::max(share, 1e-9)),
                    title = name_.empty() ? "" : printable(name_, false) + "  ";
  const auto fits = [columns](const std::string& text) { return static_cast<int>(text.size()) <= columns; };
  std::string text = fmt::format("{}{:3.0f} %  {}{} left", title, 100 * share, pace, left);
  if (!fits(text)) text = fmt::format("{:3.0f} %  {} left", 100 * share, left);
  if (!fits(text)) text = fmt::format("{:3.0f} %", 100 * share);
  if (const int width = std::min(32, columns - static_cast<int>(text.size()) - 3); width >= 8) {
    const int filled = static_cast<int>(share * width);
    text = fmt::format("[{:=<{}}{: <{}}] {}", "", filled, "", width - filled, text);
  }
  draw_text(fmt::format("\r{}\033[K", text));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) draw_text("\r\033[K");
  drawn_ = false;
}

void Progress::end(const RunResult& /*result*/) { clear(); }

}  // namespace trompo
