#include "trompo/scheme/steppers.hpp"

#include "trompo/scheme/verdict.hpp"

namespace trompo {

// The splitting at which both parts have the same iteration matrix, and the weights of the second part: second order, and
// the radius at infinity that was asked for.
CompositeWeights composite_weights(double rho_infinity) {
  const double r = rho_infinity;
  const double split = r < 1 ? (2 - std::sqrt(2 + 2 * r)) / (1 - r) : 0.5;
  const double q1 = (r + 1) / (2 * split * (r - 1) + 4);
  return {split, (split - 1) * q1 + 0.5, q1, 0.5 - split * q1};
}

void CompositeBalance::start(const State& state, const VecX& acceleration, const VecX& multipliers) {
  problem_.restart(state, acceleration, multipliers);
  a0_ = acceleration;
}

void CompositeBalance::memory(const Memory& memory) {
  problem_.memory(memory);
  memory("acceleration", a0_);
}

// One part of the step: equilibrium at its end, q1 = q0 + lead + part^2 a1, v1 = rest + part a1.
StepReport CompositeBalance::solve_part(double part, double h) {
  problem_.inertia(1 / (part * part));
  problem_.rates(1 / part);
  StepReport report = problem_.solve();
  if (!report.done()) return report;
  const System& system = problem_.system();
  report.energy = problem_.energy();
  for (const int c : system.free()) a1_[c] = problem_.shift[c] / (part * part);
  system.multiply_mass(a1_, inertia_);
  // Work of inertia over the part less the change of kinetic energy: what the kinematics take away.
  for (const int c : system.free()) report.energy.numerical += inertia_[c] * (problem_.q1[c] - problem_.q0[c]);
  report.energy.numerical -= problem_.kinetic(problem_.v1) - problem_.kinetic(problem_.v0);
  (void)accepted(report, system, problem_.q0, problem_.q1, problem_.v0, h);
  return report;
}

StepReport CompositeBalance::step(State& state, double t1) {
  const auto& [split, w0, w_split, w1] = weights_;
  const double h = t1 - state.time, t_split = state.time + split * h;
  const System& system = problem_.system();

  // To the split by the trapezoidal rule.
  problem_.open(state, t_split, 0);
  const double part = 0.5 * split * h;
  for (const int c : system.free()) {
    problem_.velocity_rest()[c] = state.v[c] + part * a0_[c];
    problem_.lead()[c] = part * (2 * state.v[c] + part * a0_[c]);
    problem_.shift[c] = 0;
    problem_.q1[c] = state.q[c] + problem_.lead()[c];
  }
  problem_.open_bodies(state, t_split);
  const StepReport first = solve_part(part, split * h);
  if (!first.done()) return first;
  return from_split(state, t1, first);
}

StepReport CompositeBalance::from_split(State& state, double t1, const StepReport& first) {
  const auto& [split, w0, w_split, w1] = weights_;
  const double h = t1 - state.time, t_split = state.time + split * h;
  const System& system = problem_.system();
  system.prescribe_acceleration(t_split, a1_);
  problem_.write_state(t_split, middle_);
  a_split_ = a1_;
  way_ = problem_.lead() + problem_.shift;

  // From there to the end, by the three points.
  problem_.open(middle_, t1, 0, true);
  const double part = w1 * h;
  for (const int c : system.free()) {
    const double v_star = state.v[c] + h * (w0 * a0_[c] + w_split * a_split_[c]);
    problem_.velocity_rest()[c] = v_star;
    problem_.lead()[c] = h * (w0 * state.v[c] + w_split * middle_.v[c]) + part * v_star - way_[c];
    problem_.shift[c] = 0;
    problem_.q1[c] = middle_.q[c] + problem_.lead()[c];
  }
  problem_.open_bodies(middle_, t1);
  StepReport second = solve_part(part, t1 - t_split);
  second.newton.iterations += first.newton.iterations;
  if (!second.done()) return second;
  system.prescribe_acceleration(t1, a1_);
  second.energy.load_work += first.energy.load_work;
  second.energy.support_work += first.energy.support_work;
  second.energy.heat += first.energy.heat;
  second.energy.numerical += first.energy.numerical;

  problem_.write_state(t1, state);
  a0_ = a1_;
  problem_.close();
  return second;
}

}  // namespace trompo
