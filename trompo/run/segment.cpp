#include "trompo/run/segment.hpp"

#include <algorithm>
#include <utility>

#include "trompo/model/event.hpp"
#include "trompo/scheme/consistent_start.hpp"

namespace trompo {

Segments::Segments(const Model& model, const System& first)
    : model_(model), end_(end_time(model)), rounding_(time_rounding(model)), system_(&first) {
  std::stable_sort(model_.events.begin(), model_.events.end(),
                   [](const EventInput& a, const EventInput& b) { return a.at < b.at; });
}

bool Segments::happens(std::size_t event) const {
  return event < model_.events.size() && before_end(model_.events[event], model_);
}

bool Segments::last() const { return !happens(done_); }

bool Segments::due(double t) const { return happens(done_) && model_.events[done_].at <= t + rounding_; }

bool Segments::enter() {
  const double now = model_.events[done_].at;
  bool motions = false;
  for (; due(now); ++done_) {
    apply(model_.events[done_], model_);
    const EventInput& event = model_.events[done_];
    motions = motions || event.stop || event.drive || moves(event.motion);
  }
  model_.time.initial_acceleration = "consistent";  // what was given was for the start of the run
  before_ = std::exchange(own_, std::make_unique<System>(model_));
  system_ = own_.get();
  return motions;
}

void Segments::next(State& state) {
  if (!enter()) return;
  State moved = state;
  system_->stop(moved.v);
  system_->prescribe_at(moved.time, moved.q, moved.v);
  if (ConsistentStart(*system_).solve_tangential(moved)) state = std::move(moved);
}

void Segments::pass(std::size_t events) {
  while (done_ < events) (void)enter();
}

Clock Segments::clock(double begin) const {
  if (model_.events.empty() && model_.time.steps) return {model_.time.step, *model_.time.steps};
  return {model_.time.step, last() ? end_ : model_.events[done_].at, begin};
}

long Segments::planned_steps() const {
  long sum = 0;
  double begin = 0;
  for (std::size_t i = 0; happens(i); ++i) {
    const double at = model_.events[i].at;
    if (at <= begin + rounding_) continue;
    sum += Clock(model_.time.step, at, begin).steps();
    begin = at;
  }
  return model_.events.empty() ? clock(0).steps() : sum + Clock(model_.time.step, end_, begin).steps();
}

}  // namespace trompo
