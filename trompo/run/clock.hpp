// Time as integers: step k of size h, cut into 2^level parts where a step has to be halved. No running sum anywhere.
#pragma once

#include <algorithm>
#include <cmath>

namespace trompo {

class Clock {
 public:
  // Steps of h from `begin` until `end`; the last one is shortened if they are no multiple of h apart.
  Clock(double h, double end, double begin = 0) : h_(h), begin_(begin), end_(end) {
    const double count = (end - begin) / h, whole = std::round(count);
    const bool multiple = std::abs(whole - count) <= 1e-9 * std::max(1.0, count);  // as far as rounding lets us tell
    steps_ = static_cast<long>(multiple ? whole : std::floor(count) + 1);
    if (steps_ < 1) steps_ = 1;
  }
  Clock(double h, long steps) : h_(h), end_(static_cast<double>(steps) * h), steps_(steps) {}

  [[nodiscard]] long steps() const { return steps_; }
  [[nodiscard]] long step() const { return step_; }  // steps completed
  [[nodiscard]] bool over() const { return step_ >= steps_; }
  [[nodiscard]] double next() const { return time_at(part_ + 1); }  // end of the part under way
  [[nodiscard]] double part_size() const { return next() - time_at(part_); }
  [[nodiscard]] int level() const { return level_; }
  [[nodiscard]] bool between_steps() const { return level_ == 0; }  // and not between the parts of one

  void go_to(long step) { step_ = step; }  // which has been completed before

  void halve() {
    ++level_;
    part_ *= 2;
  }
  // The part is done; returns true when that completes a full step. A coarser part is tried again as soon as it fits.
  bool advance() {
    ++part_;
    if (level_ > 0 && part_ % 2 == 0) {
      --level_;
      part_ /= 2;
    }
    while (level_ > 0 && part_ == (1L << level_)) {
      --level_;
      part_ /= 2;
    }
    if (level_ > 0 || part_ == 0) return false;
    part_ = 0;
    ++step_;
    return true;
  }

 private:
  [[nodiscard]] double start_of(long step) const { return step == steps_ ? end_ : begin_ + static_cast<double>(step) * h_; }
  [[nodiscard]] double time_at(long part) const {
    const long parts = 1L << level_;
    if (part == parts) return start_of(step_ + 1);
    if (part == 0) return start_of(step_);
    const double share = static_cast<double>(part) / static_cast<double>(parts);
    if (step_ + 1 == steps_) return start_of(step_) + share * (end_ - start_of(step_));
    return begin_ + (static_cast<double>(step_) + share) * h_;
  }
  double h_, begin_ = 0, end_;
  long steps_ = 1, step_ = 0, part_ = 0;
  int level_ = 0;
};

}  // namespace trompo
