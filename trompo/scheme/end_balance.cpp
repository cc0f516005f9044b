#include "trompo/scheme/steppers.hpp"

#include "trompo/scheme/verdict.hpp"

namespace trompo {

void EndBalance::start(const State& state, const VecX& acceleration, const VecX& multipliers) {
  problem_.restart(state, multipliers);
  a0_ = acceleration;
  failed_step_ = -1;
}

void EndBalance::memory(const Memory& memory) {
  problem_.memory(memory);
  memory("acceleration", a0_);
}

void EndBalance::take(const State& state) {
  problem_.take(state);
  failed_step_ = -1;
}

// Undamped, the part of the axes' accelerations that the inner constraints forbid changes its sign from step to step and grows.
// As long as h stays what it is, places and velocities hardly see it; a shorter step takes it for a force and makes velocity of
// it. In good order it is a few hundredths of the whole, and where steps fail for it two thirds and more. With the weights of
// the mid-point rule it is harmless: the mean of both ends is all that enters.
StepReport EndBalance::failed(StepReport report, const State& state, double h) {
  const auto& [am, beta, gamma] = weights_;
  if (am == 0.5 && beta == 0.25 && gamma == 0.5) return report;
  const OffRotation off = off_rotation(problem_.system(), state.q, state.v, a0_);
  if (off.share < 0.5) return report;
  if (report.culprit.empty()) {
    report.newton.end = NewtonEnd::unstable;
    report.culprit = named(problem_.system(), off.body);
  }
  failure_ = report;
  failed_step_ = h;
  return report;
}

StepReport EndBalance::step(State& state, double t1) {
  const auto& [am, beta, gamma] = weights_;
  const double h = t1 - state.time;
  const System& system = problem_.system();
  if (h < failed_step_) return failure_;
  problem_.open(state, t1, problem_.rule().old_weight);

  // Newmark: q1 = q* + beta h^2 a1, v1 = v* + gamma h a1; the search starts at q*, where a1 = 0.
  VecX& lead = problem_.lead();
  for (const int c : system.free()) {
    lead[c] = h * state.v[c] + (0.5 - beta) * h * h * a0_[c];
    problem_.rest()[c] = am * a0_[c];
    problem_.velocity_rest()[c] = state.v[c] + h * (1 - gamma) * a0_[c];
    problem_.shift[c] = 0;
    problem_.q1[c] = state.q[c] + lead[c];
  }
  problem_.inertia((1 - am) / (beta * h * h));
  problem_.rates(gamma / (beta * h));
  problem_.open_rotations(state, t1);

  StepReport report = problem_.solve();
  if (!report.done()) return failed(report, state, h);

  system.prescribe_acceleration(t1, a1_);
  for (const int c : system.free()) a1_[c] = problem_.shift[c] / (beta * h * h);

  // dq.M a_m - dK in terms of the kinematics alone: what the weights take away (zero for 1/2, 1/4, 1/2).
  report.energy = problem_.energy();
  da_ = a1_ - a0_;
  system.multiply_mass(da_, inertia_);
  double kinematic = 0;
  for (const int c : system.free()) {
    const double mean_v = 0.5 * (state.v[c] + problem_.v1[c]), mean_a = 0.5 * (a0_[c] + a1_[c]);
    kinematic += inertia_[c] * (h * (1 - am - gamma) * mean_v + h * h * (beta - 0.5 * gamma) * (mean_a + (0.5 - am) * da_[c]));
  }
  report.energy.numerical += kinematic;
  if (!accepted(report, system, state.q, problem_.q1, state.v, h)) return failed(report, state, h);
  failed_step_ = -1;

  problem_.write_state(t1, state);
  a0_.swap(a1_);
  problem_.close();
  return report;
}

}  // namespace trompo
