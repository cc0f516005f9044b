#include "trompo/scheme/decay_balance.hpp"

#include "trompo/scheme/verdict.hpp"

namespace trompo {

namespace {

Rule in_the_interval(Rule rule) {
  rule.tense = Rule::Tense::interval;
  return rule;
}

}  // namespace

DecayBalance::DecayBalance(const System& system, Rule rule, const DecayNumbers& numbers, const NewtonOptions& options)
    : problem_(system, in_the_interval(rule), numbers, options) {
  a_.setZero(system.coordinates());
}

void DecayBalance::start(const State& /*state*/, const VecX& acceleration, const VecX& multipliers) {
  problem_.start(multipliers);
  a_ = acceleration;
}

void DecayBalance::memory(const Memory& memory) {
  problem_.memory(memory);
  memory("acceleration", a_);
}

// A step that is long for the highest frequencies may have a solution near where it began, and none along the velocity.
StepReport DecayBalance::step(State& state, double t1) {
  const double h = t1 - state.time;
  StepReport report;
  for (const double along : {h, 0.0}) {
    problem_.open(state, t1, along);
    report = problem_.solve();
    if (report.done()) break;
  }
  if (!report.done()) return report;
  const System& system = problem_.system();
  report.energy = problem_.energy();
  if (!accepted(report, system, state.q, problem_.q1, state.v, h)) return report;
  a_ = 2 / h * (problem_.v1 - state.v) - a_;
  system.prescribe_acceleration(t1, a_);
  problem_.write_state(state);
  problem_.close();
  return report;
}

}  // namespace trompo
