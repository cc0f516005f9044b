// Where velocities are heading: the rate of their last change, or that carried on along its own change where this would have
// predicted the last one better. A first guess only: a smooth motion is met more closely, a rough one no worse.
#pragma once

#include "trompo/scheme/history.hpp"

namespace trompo {

class Trend {
 public:
  void restart(Eigen::Index size) {
    for (VecX* v : {&last_, &bend_, &ahead_}) v->setZero(size);
    known_ = 0;
  }
  void note(const VecX& v0, const VecX& v1, double h) {
    double straight = 0, bent = 0;  // what each would have missed
    for (Eigen::Index i = 0; i < last_.size(); ++i) {
      const double now = (v1[i] - v0[i]) / h, change = now - last_[i];
      straight += change * change;
      bent += (change - bend_[i]) * (change - bend_[i]);
      last_[i] = now;
      bend_[i] = change;
    }
    if (known_++ == 0) bend_.setZero();
    const bool carry_on = known_ > 2 && bent < straight;
    ahead_ = last_;
    if (carry_on) ahead_ += bend_;
  }
  [[nodiscard]] const VecX& ahead() const { return ahead_; }
  void memory(const std::string& name, const Memory& memory) {
    memory(name + " rate", last_);
    memory(name + " bend", bend_);
    memory(name + " ahead", ahead_);
    memory.number(name + " known", known_);
  }

 private:
  VecX last_, bend_, ahead_;
  int known_ = 0;
};

}  // namespace trompo
