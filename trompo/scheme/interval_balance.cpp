#include "trompo/scheme/steppers.hpp"

namespace trompo {

void IntervalBalance::start(const State& state, const VecX& acceleration) {
  problem_.restart(state);
  a_ = acceleration;
}

StepReport IntervalBalance::step(State& state, double t1) {
  // One k = 2/h everywhere: 4/h^2, 4/h and 2/h rounded apart make energy drift linearly (1.5e-12 in 60 000 steps, not 2e-13).
  const double h = t1 - state.time;
  const double k = 2 / h;
  const System& system = problem_.system();
  problem_.open(state, t1);

  // M (v1 - v0)/h = M k/2 (k (q1 - q0) - 2 v0); the search starts where the old velocity leads.
  for (const int c : system.free()) {
    problem_.origin()[c] = state.q[c];
    problem_.rest()[c] = -k * state.v[c];
    problem_.shift[c] = h * state.v[c];
    problem_.q1[c] = state.q[c] + problem_.shift[c];
  }
  problem_.inertia(0.5 * k * k);

  StepReport report = problem_.solve();
  if (!report.done()) return report;

  for (const int c : system.free()) problem_.v1[c] = k * problem_.shift[c] - state.v[c];
  report.books = problem_.books(state.v);
  if (!report.books.finite()) return refused(report);
  a_ = k * (problem_.v1 - state.v) - a_;
  system.prescribe_acceleration(t1, a_);

  state.time = t1;
  state.q = problem_.q1;
  state.v = problem_.v1;
  problem_.close();
  return report;
}

}  // namespace trompo
