// A run in segments: between two events nothing changes but the state. At an event the model gets its new numbers and becomes a
// new system over the same coordinates; who integrates starts anew on it.
#pragma once

#include <cstddef>
#include <memory>

#include "trompo/run/clock.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

class Segments {
 public:
  Segments(const Model& model, const System& first);
  // As the events so far have left them.
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const System& system() const { return *system_; }

  [[nodiscard]] bool last() const;         // no event ends it but the end of the run does
  [[nodiscard]] bool due(double t) const;  // is an event to happen at t, as far as rounding lets us tell?
  // Takes in all events of the time at which this segment ends. Velocities stay, but where a motion is stopped or replaced:
  // what it prescribes has its new rates, and what constraints tie to it follows by an impulse, the least change weighed by the
  // masses. Throws ModelError where there are no such equations, and leaves the state then. The system before lives on until
  // the next call: a stepper may still refer to it.
  void next(State& state);
  void pass(std::size_t events);  // that have happened to a state before: of the model alone
  [[nodiscard]] std::size_t events_passed() const { return done_; }

  [[nodiscard]] Clock clock(double begin) const;  // over the segment, in steps of the model
  [[nodiscard]] long planned_steps() const;       // of the whole run

 private:
  [[nodiscard]] bool happens(std::size_t event) const;
  [[nodiscard]] bool enter();  // the next segment; is a motion stopped or replaced?

  Model model_;
  double end_, rounding_;  // of times: events that are closer together are one
  std::size_t done_ = 0;   // events
  const System* system_;
  std::unique_ptr<System> own_, before_;
};

}  // namespace trompo
