#include "trompo/scheme/euler_balance.hpp"

#include <algorithm>

#include "trompo/scheme/verdict.hpp"

namespace trompo {

namespace {

EulerProblem::Shares shares(EulerBalance::Blend blend, double am, double af) {
  if (blend == EulerBalance::Blend::recursion) return {1, 0, 0};
  return {1 - am, am, af};
}

}  // namespace

EulerBalance::EulerBalance(const System& system, double old_force_weight, const NewmarkWeights& weights, Blend blend,
                           const NewtonOptions& options)
    : problem_(system, shares(blend, weights.alpha_m, old_force_weight), options),
      weights_(weights),
      af_(old_force_weight),
      blend_(blend) {
  a0_.setZero(problem_.coordinates().size());
  frame_acceleration_.setZero(system.coordinates());
}

void EulerBalance::start(const State& state, const VecX& acceleration, const VecX& multipliers) {
  problem_.restart(state, acceleration, multipliers);
  a0_ = problem_.old_end().acceleration;
  frame_acceleration_ = acceleration;
  last_step_ = 0;
}

void EulerBalance::memory(const Memory& memory) {
  problem_.memory(memory);
  memory("a", a0_);
  memory("acceleration", frame_acceleration_);
  memory.number("last step", last_step_);
  memory.number("last turn", last_turn_);
}

// y1 = y* + beta h^2 a1, y1' = y*' + gamma h a1: the search starts at y*, where a1 = 0.
void EulerBalance::open(const State& state, double t1) {
  const auto& [am, beta, gamma] = weights_;
  const double h = t1 - state.time;
  problem_.open(state, t1);
  const EulerProblem::End& old = problem_.old_end();
  EulerProblem::Kinematics& k = problem_.kinematics();
  k.origin = old.y + h * old.rate + (0.5 - beta) * h * h * a0_;
  k.rate_rest = old.rate + (1 - gamma) * h * a0_;
  k.rate_slope = gamma / (beta * h);
  k.acceleration_slope = 1 / (beta * h * h);
  k.acceleration_rest.setZero();
  if (blend_ == Blend::all) return;
  k.acceleration_slope *= (1 - am) / (1 - af_);
  k.acceleration_rest = (am * a0_ - af_ * old.acceleration) / (1 - af_);
}

// Without damping the part of y'' that the constraints forbid changes its sign from step to step and grows. Positions and
// velocities do not see it, as long as h stays what it is: a shorter step takes it for a force and makes velocity out of it.
bool EulerBalance::cannot_shorten(double h) const {
  const EulerProblem::End& old = problem_.old_end();
  if (h >= 0.75 * last_step_) return false;
  // Coarse steps have some of it in good order: measured up to 0.8 for each radian they turn.
  const double usual = std::min(0.1 + 0.8 * last_turn_, 0.8);
  return problem_.coordinates().off_sphere(old.y, old.rate, old.acceleration) > usual;
}

// What is refused without a try shows the iterations of the try before.
StepReport EulerBalance::failed(const StepReport& report, NewtonEnd end) {
  last_failure_ = report.newton;
  last_failure_.end = end;
  return {last_failure_, report.energy, report.culprit};
}

StepReport EulerBalance::step(State& state, double t1) {
  const double h = t1 - state.time;
  if (cannot_shorten(h)) return failed({last_failure_, {}}, NewtonEnd::unstable);
  open(state, t1);
  StepReport report = problem_.solve();
  if (!report.done()) return failed(report, report.newton.end);
  report.energy = problem_.energy();
  if (!accepted(report, problem_.system(), state.q, problem_.new_end().q, state.v, h)) return failed(report, report.newton.end);
  // The equations may close where there is no motion behind them.
  if (problem_.gained_energy(report.energy)) return failed(report, NewtonEnd::unstable);

  const EulerProblem::End& end = problem_.new_end();
  a0_ = problem_.shift() / (weights_.beta * h * h);
  problem_.system().prescribe_acceleration(t1, frame_acceleration_);
  problem_.coordinates().write_acceleration(end.y, end.rate, end.acceleration, frame_acceleration_);
  state.time = t1;
  state.q = end.q;
  state.v = end.v;
  problem_.coordinates().write_rotations(end.y, end.rate, state.rotations);
  last_step_ = h;
  last_turn_ = problem_.turn();
  problem_.close();
  return report;
}

}  // namespace trompo
