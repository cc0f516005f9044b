// The verdict on a run, one for all who run: does its energy come from somewhere?
#pragma once

#include <string>

#include "trompo/run/ledger.hpp"
#include "trompo/scheme/catalogue.hpp"

namespace trompo {

class Verdict {
 public:
  Verdict(const Scheme& scheme, const NewtonOptions& newton, const State& start);
  // After a step, or a part of one, has been entered into the ledger; `steps` as often as that has happened. A run is unstable
  // from the step on in which the energy that nobody brought exceeds half of all that was ever there, or in which a scheme that
  // keeps energy cannot account for it.
  [[nodiscard]] bool unstable(const Ledger& ledger, long steps, const System& system, const State& state) const {
    return (created(ledger) || open(ledger, steps)) && moved(system, state);
  }
  // Why, for people; the state is the one in which it was found.
  [[nodiscard]] std::string reason(const Ledger& ledger, const System& system, const State& state) const;

 private:
  [[nodiscard]] bool created(const Ledger& ledger) const;
  [[nodiscard]] bool open(const Ledger& ledger, long steps) const;
  [[nodiscard]] bool moved(const System& system, const State& state) const;
  bool keeps_energy_;
  double tolerance_;  // of Newton
  VecX start_;
};

}  // namespace trompo
