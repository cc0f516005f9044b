#include <cmath>

#include "trompo/scheme/steppers.hpp"
#include "trompo/scheme/verdict.hpp"

namespace trompo {

void IntervalBalance::start(const State& state, const VecX& acceleration, const VecX& multipliers) {
  problem_.restart(state, acceleration, multipliers);
  a_ = acceleration;
  trend_.restart(acceleration.size());
  defect_ = 0;
}

void IntervalBalance::memory(const Memory& memory) {
  problem_.memory(memory);
  memory("acceleration", a_);
  trend_.memory("velocities", memory);
  memory.number("energy gained", defect_);
}

// A large system begins along the trend and keeps its factors, which saves solves where the motion is smooth. A step that is
// long for the highest frequencies can fail in that way and yet have a solution: it is looked for plainly before the step is
// halved.
StepReport IntervalBalance::search(const State& state, double t1) {
  if (!problem_.large()) return search(state, t1, Search::by_velocity);
  StepReport report = search(state, t1, Search::by_trend);
  for (const Search other : {Search::by_velocity, Search::from_rest})
    if (!report.done() && report.newton.end != NewtonEnd::beyond_reach) report = search(state, t1, other);
  return report;
}

StepReport IntervalBalance::search(const State& state, double t1, Search search) {
  // One k = 2/(kappa h) everywhere: 4/h^2, 4/h and 2/h rounded apart make energy drift linearly (1.5e-12 in 60 000 steps, not
  // 2e-13).
  const double h = t1 - state.time, alpha = problem_.rule().damping, kappa = 1 + alpha;
  const double k = 2 / (kappa * h);
  const System& system = problem_.system();
  problem_.open(state, t1, problem_.rule().old_load);
  if (keep_initial_energy_) problem_.corrector()->aim(defect_);

  // M (v1 - v0)/h = M k/2 (kappa k (q1 - q0) - 2 v0)
  const double along = search == Search::from_rest ? 0 : h, reach = search == Search::by_trend ? 0.5 * h * h : 0;
  for (const int c : system.free()) {
    problem_.rest()[c] = -k * state.v[c];
    problem_.velocity_rest()[c] = (1 - 2 / kappa) * state.v[c];
    problem_.shift[c] = along * state.v[c] + reach * trend_.ahead()[c];
    problem_.q1[c] = state.q[c] + problem_.shift[c];
  }
  problem_.inertia(0.5 * kappa * k * k);
  problem_.rates(k);  // kappa dv = 2/h dq - 2 v0
  problem_.open_bodies(state, t1, {.search = search, .rate = k, .kappa = kappa});
  return problem_.solve(search != Search::by_trend);
}

// Where a loop is singular in the middle of a step, no force of its joints acts along a motion that they forbid at the end: its
// multipliers grow until what is left open is rounding beside them, and the energy balance is not. Halves of the step pass.
bool IntervalBalance::opens_balance(const StepEnergy& energy, const State& state, double h) const {
  const System& system = problem_.system();
  if (system.rows_in_loops().empty()) return false;
  const Potentials before = system.potentials(state.q);
  const double kinetic = system.kinetic(state.v);
  const double open = energy.kinetic - kinetic + energy.potentials.sum() - before.sum() - energy.load_work -
                      energy.support_work + energy.heat + energy.numerical;
  // At rest energies are rounding themselves: of moves by this share of the model.
  // Rows that contradict each other a little, as drawn by hand, do work of that size: another matter, and another judge's.
  constexpr double closed = 1e-10, rounding = 1e-10;
  const double share = system.largest_error_in_loops(problem_.q1) > closed ? 1e-6 : 1e-8;
  double size = energy.kinetic + kinetic + energy.potentials.size() + before.size() + std::abs(energy.load_work) +
                std::abs(energy.support_work) + std::abs(energy.heat) + std::abs(energy.numerical);
  for (const int c : system.free()) size += system.mass()[c] * std::pow(rounding * system.coordinate_scale(c) / h, 2) / share;
  return std::abs(open) > share * size;
}

StepReport IntervalBalance::step(State& state, double t1) {
  const double h = t1 - state.time, alpha = problem_.rule().damping;
  const System& system = problem_.system();
  double damped = 0;
  const auto solve = [&] {
    StepReport report = search(state, t1);
    if (!report.done()) return report;
    // The part of the inertia that damping takes is alpha/2 dv.M dv.
    damped = 0;
    if (alpha != 0) {
      VecX& dv = problem_.rest();  // what stood there has been used
      dv = problem_.v1 - state.v;
      damped = alpha * problem_.kinetic(dv);
    }
    if (problem_.bodies() != nullptr) damped += problem_.bodies()->damped(alpha);
    report.energy = problem_.energy();
    report.energy.numerical += damped;
    (void)accepted(report, system, state.q, problem_.q1);
    return report;
  };
  StepReport report = solve();
  if (report.done() && opens_balance(report.energy, state, h)) {
    // Near such a place dependent rows let Newton contract slowly, and what it may leave open is more than the balance does.
    constexpr double share = 1e-3;
    problem_.tighten(share);
    report = solve();
    problem_.tighten(1);
    if (report.done() && opens_balance(report.energy, state, h)) report.newton.end = NewtonEnd::singular;
  }
  if (!report.done()) return report;
  if (problem_.corrector() != nullptr) report.energy.uncorrected = problem_.corrector()->uncorrected_defect();
  if (keep_initial_energy_) {
    // What this step has added to the energy beyond its work, and beyond the damping that was asked for.
    const StepEnergy& b = report.energy;
    const double kinetic = system.kinetic(problem_.v1) - system.kinetic(state.v);  // held masses move too
    const double asked = damped + problem_.corrector()->damping_work() + b.heat;
    defect_ += kinetic + (b.potentials.sum() - problem_.corrector()->old_energy()) - b.load_work - b.support_work + asked;
  }
  a_ = 2 / h * (problem_.v1 - state.v) - a_;
  system.prescribe_acceleration(t1, a_);

  if (problem_.large()) trend_.note(state.v, problem_.v1, h);
  problem_.write_state(t1, state);
  problem_.close();
  return report;
}

}  // namespace trompo
