#include <algorithm>
#include <cmath>

#include "trompo/scheme/steppers.hpp"
#include "trompo/scheme/verdict.hpp"

namespace trompo {

void Houbolt::start(const State& state, const VecX& acceleration, const VecX& multipliers) {
  problem_.restart(state, acceleration, multipliers);
  a_ = acceleration;
  known_ = 0;
}

void Houbolt::memory(const Memory& memory) {
  problem_.memory(memory);
  memory("acceleration", a_);
  memory("way", way_);
  memory("way before", way_before_);
  memory.number("ways known", known_);
  memory.number("step", h_);
}

// With the ways d1 = q0 - q-1 and d2 = q-1 - q-2 of the steps before:
//   a1 = 2/h^2 shift,  v1 = 11/(6h) shift + (19 d1 - 7 d2)/(12h),  q1 = q0 + (3 d1 - d2)/2 + shift
StepReport Houbolt::step(State& state, double t1) {
  const double h = t1 - state.time;
  const System& system = problem_.system();
  constexpr double same = 1e-9;  // times are rounded
  const int known = std::abs(h - h_) > same * h ? 0 : known_;
  const bool cubic = known == 2;
  problem_.open(state, t1, 0);
  for (const int c : system.free()) {
    if (cubic) {
      problem_.velocity_rest()[c] = (19 * way_[c] - 7 * way_before_[c]) / (12 * h);
      problem_.lead()[c] = 0.5 * (3 * way_[c] - way_before_[c]);
    } else {
      problem_.velocity_rest()[c] = state.v[c] + 0.5 * h * a_[c];
      problem_.lead()[c] = h * (state.v[c] + 0.25 * h * a_[c]);
    }
    problem_.shift[c] = 0;
    problem_.q1[c] = state.q[c] + problem_.lead()[c];
  }
  const double bend = (cubic ? 2 : 4) / (h * h);
  problem_.inertia(bend);
  problem_.rates(cubic ? 11 / (6 * h) : 2 / h);
  problem_.open_bodies(state, t1);
  StepReport report = problem_.solve();
  if (!report.done()) return report;

  // Work of inertia less the change of kinetic energy: what the kinematics take away.
  report.energy = problem_.energy();
  for (const int c : system.free()) next_a_[c] = bend * problem_.shift[c];
  system.multiply_mass(next_a_, inertia_);
  for (const int c : system.free()) report.energy.numerical += inertia_[c] * (problem_.q1[c] - state.q[c]);
  report.energy.numerical -= problem_.kinetic(problem_.v1) - problem_.kinetic(problem_.v0);
  if (!accepted(report, system, state.q, problem_.q1, state.v, h)) return report;

  a_.swap(next_a_);
  system.prescribe_acceleration(t1, a_);
  way_before_.swap(way_);
  way_ = problem_.lead() + problem_.shift;
  known_ = std::min(known + 1, 2);
  h_ = h;
  problem_.write_state(t1, state);
  problem_.close();
  return report;
}

}  // namespace trompo
