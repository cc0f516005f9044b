#include "trompo/run/segment.hpp"

#include <algorithm>
#include <utility>

#include "trompo/model/event.hpp"

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

void Segments::next() {
  const double now = model_.events[done_].at;
  for (; due(now); ++done_) apply(model_.events[done_], model_);
  model_.time.initial_acceleration = "consistent";  // what was given was for the start of the run
  auto changed = std::make_unique<System>(model_);
  before_ = std::exchange(own_, std::move(changed));
  system_ = own_.get();
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
