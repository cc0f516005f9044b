// A whole run, step by step, in memory.
#pragma once

#include "trompo/run/run.hpp"

namespace trompo {

class RecordedRun final : public Observer {
 public:
  // Runs the model by its own scheme. Throws if the end is not reached: half a run would be compared as a whole one.
  explicit RecordedRun(Model model) {
    model.output.every = 1;
    Observer* observers[] = {this};
    result = run(model, System(model), scheme_of(model), observers, {.keep_going = true});
    if (!result.reached_end) throw std::runtime_error(model.title + ": " + result.failure.dossier());
  }
  void sample(const Sample& now) override {
    times.push_back(now.time);
    q.push_back(now.state.q);
    v.push_back(now.state.v);
    energies.push_back(now.ledger.total());
    potentials.push_back(now.ledger.potentials().sum());
    spins.push_back(now.momentum.angular.norm());
  }

  RunResult result;
  std::vector<double> times, energies, potentials, spins;  // a spin is the size of the angular momentum
  std::vector<VecX> q, v;
};

}  // namespace trompo
