#include "trompo/scheme/steppers.hpp"

#include "trompo/scheme/verdict.hpp"

namespace trompo {

namespace {

Rule with_old_weight(Rule rule, double weight) {
  rule.old_weight = weight;
  return rule;
}

}  // namespace

EndBalance::EndBalance(const System& system, const Rule& rule, const NewmarkWeights& weights, const NewtonOptions& options,
                       Blend blend)
    : af_(rule.old_weight),
      blend_(blend),
      problem_(system, with_old_weight(rule, blend == Blend::all ? af_ : 0), options),
      weights_(weights) {
  for (VecX* v : {&a0_, &a1_, &b0_, &b1_, &da_, &inertia_}) v->setZero(system.coordinates());
  for (const int c : system.free())
    if (problem_.moves(c)) moved_.push_back(c);
}

void EndBalance::start(const State& state, const VecX& acceleration, const VecX& multipliers) {
  problem_.restart(state, acceleration, multipliers);
  a0_ = acceleration;
  b0_ = acceleration;
  failed_step_ = -1;
}

void EndBalance::memory(const Memory& memory) {
  problem_.memory(memory);
  memory("acceleration", a0_);
  if (blend_ == Blend::recursion) memory("second acceleration", b0_);
}

void EndBalance::take(const State& state) {
  problem_.take(state);
  failed_step_ = -1;
}

// Undamped, the part of accelerations that keeps frames no frames changes its sign from step to step and grows. As long as h
// stays what it is, places and velocities hardly see it; a shorter step takes it for a force and makes velocity of it. In good
// order it is a few hundredths of the whole, and where steps fail for it two thirds and more. With the weights of the mid-point
// rule it is harmless: the mean of both ends is all that enters.
StepReport EndBalance::failed(StepReport report, const State& state, double h) {
  const auto& [am, beta, gamma] = weights_;
  if (am == 0.5 && beta == 0.25 && gamma == 0.5) return report;
  const OffRotation off = off_rotation(problem_.system(), state.q, state.v, acceleration());
  if (off.share < 0.5) return report;
  if (report.culprit.empty()) {
    report.newton.end = NewtonEnd::unstable;
    report.culprit = named(problem_.system(), off.body);
  }
  failure_ = report;
  failed_step_ = h;
  return report;
}

// Newmark: y1 = y* + beta h^2 a1, y1' = y*' + gamma h a1; the search starts at y*, where a1 = 0.
Recursion EndBalance::recursion(double h) const {
  const auto& [am, beta, gamma] = weights_;
  Recursion r{
      .lead = (0.5 - beta) * h * h, .slope = gamma / (beta * h), .rate = (1 - gamma) * h, .per_acceleration = beta * h * h};
  if (blend_ == Blend::all) {
    r.bend = 1 / r.per_acceleration;
    r.new_inertia = 1 - am;
    r.old_inertia = am;
  } else {
    r.bend = (1 - am) / ((1 - af_) * r.per_acceleration);
    r.blend_a = am / (1 - af_);
    r.blend_b = -af_ / (1 - af_);
  }
  return r;
}

void EndBalance::open(const State& state, double t1) {
  const double h = t1 - state.time;
  const Recursion r = recursion(h);
  problem_.open(state, t1, problem_.rule().old_weight);
  for (const int c : moved_) {
    problem_.lead()[c] = h * state.v[c] + r.lead * a0_[c];
    problem_.rest()[c] = (r.blend_a + r.old_inertia) * a0_[c] + r.blend_b * b0_[c];
    problem_.velocity_rest()[c] = state.v[c] + r.rate * a0_[c];
    problem_.shift[c] = 0;
    problem_.q1[c] = state.q[c] + problem_.lead()[c];
  }
  problem_.inertia(blend_ == Blend::all ? r.new_inertia / r.per_acceleration : r.bend);
  problem_.rates(r.slope);
  problem_.open_bodies(state, t1, {.recursion = r});
}

void EndBalance::find_accelerations(double t1, double h) {
  const Recursion r = recursion(h);
  for (const int c : moved_) a1_[c] = problem_.shift[c] / r.per_acceleration;
  if (blend_ == Blend::recursion)
    for (const int c : moved_) b1_[c] = r.bend * problem_.shift[c] + r.blend_a * a0_[c] + r.blend_b * b0_[c];
  VecX& of_equations = blend_ == Blend::all ? a1_ : b1_;
  problem_.system().prescribe_acceleration(t1, of_equations);
  if (problem_.bodies() != nullptr) problem_.bodies()->write_accelerations(of_equations);
}

// Work of the inertia less the change of the kinetic energy. With accelerations that are the equations' own it follows from the
// weights alone (zero for 1/2, 1/4, 1/2), and rounds less.
double EndBalance::kinematic_dissipation(const State& state, double h) {
  const auto& [am, beta, gamma] = weights_;
  double sum = 0;
  if (blend_ == Blend::recursion) {
    problem_.system().multiply_mass(b1_, inertia_);
    for (const int c : moved_) sum += inertia_[c] * (problem_.q1[c] - state.q[c]);
    return sum - (problem_.kinetic(problem_.v1) - problem_.kinetic(state.v));
  }
  da_ = a1_ - a0_;
  problem_.system().multiply_mass(da_, inertia_);
  for (const int c : moved_) {
    const double mean_v = 0.5 * (state.v[c] + problem_.v1[c]), mean_a = 0.5 * (a0_[c] + a1_[c]);
    sum += inertia_[c] * (h * (1 - am - gamma) * mean_v + h * h * (beta - 0.5 * gamma) * (mean_a + (0.5 - am) * da_[c]));
  }
  return sum;
}

// The equations of bodies with an inertia of their own may close where there is no motion behind them: has the scheme fed in
// more than half of all the energy there is at both ends?
bool EndBalance::gained_energy(const StepEnergy& energy, const State& state) const {
  const System& system = problem_.system();
  if (moved_.size() == system.free().size()) return false;
  const double gained = -energy.numerical - 0.5 * (std::abs(energy.load_work) + std::abs(energy.support_work));
  double half = 0.5 * (system.free_kinetic(problem_.v1, true) + energy.potentials.size());
  if (gained <= half) return false;
  half += 0.5 * (system.free_kinetic(state.v, true) + system.potentials(state.q).size());
  return gained > half;
}

StepReport EndBalance::step(State& state, double t1) {
  const double h = t1 - state.time;
  const System& system = problem_.system();
  if (h < failed_step_) return failure_;
  // A large system keeps its factors, which can fail where there is a solution.
  StepReport report;
  for (const bool plain : {false, true}) {
    open(state, t1);
    report = problem_.solve(plain);
    if (report.done() || !problem_.large()) break;
  }
  if (!report.done()) return failed(report, state, h);

  find_accelerations(t1, h);
  report.energy = problem_.energy();
  report.energy.numerical += kinematic_dissipation(state, h);
  if (!accepted(report, system, state.q, problem_.q1, state.v, h)) return failed(report, state, h);
  if (gained_energy(report.energy, state)) {
    report.newton.end = NewtonEnd::unstable;
    return failed(report, state, h);
  }
  failed_step_ = -1;

  problem_.write_state(t1, state);
  a0_.swap(a1_);
  b0_.swap(b1_);
  problem_.close();
  return report;
}

}  // namespace trompo
