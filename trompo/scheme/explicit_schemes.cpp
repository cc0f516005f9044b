#include "trompo/scheme/explicit_schemes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trompo/scheme/verdict.hpp"

namespace trompo {

ExplicitStepper::ExplicitStepper(const System& system, const Stabilisation& stabilisation, const NewtonOptions& options)
    : equations_(system, stabilisation), n_(equations_.size()), system_(&system), max_rotation_(options.max_rotation) {
  for (VecX* x : {&z_, &f_, &z1_, &f1_, &stage_, &stage_rate_}) x->setZero(2 * n_ + accounts);
  for (VecX* x : {&a_, &next_a_}) x->setZero(system.coordinates());
  multipliers_.setZero(system.multipliers());
}

// Accelerations and multipliers are those of the equations, with the stabilisation in them, whatever was given.
void ExplicitStepper::start(const State& state, const VecX& acceleration, const VecX& /*multipliers*/) {
  next_ = state;
  equations_.take(state);
  equations_.read(state, z_.head(n_), z_.segment(n_, n_));
  z_.tail<accounts>().setZero();
  a_ = acceleration;
  begun_ = evaluate(state.time, z_, f_);
  if (begun_ == NewtonEnd::converged) {
    equations_.write_accelerations(state.time, z_.head(n_), z_.segment(n_, n_), f_.segment(n_, n_), a_);
    multipliers_ = equations_.multipliers();
  }
  h_ = 0;
}

void ExplicitStepper::memory(const Memory& memory) {
  memory("place, rate, work", z_);
  memory("their rates", f_);
  memory("acceleration", a_);
  memory("multipliers", multipliers_);
  memory.number("step", h_);
  memory.number("begun", begun_);
}

void ExplicitStepper::take(const State& state) {
  next_ = state;
  equations_.take(state);
}

NewtonEnd ExplicitStepper::evaluate(double t, const VecX& z, VecX& f) {
  if (!z.allFinite()) return NewtonEnd::not_finite;
  ++evaluations_;
  f.head(n_) = z.segment(n_, n_);
  const NewtonEnd end = equations_.solve(t, z.head(n_), z.segment(n_, n_), f.segment(n_, n_));
  const IndexOne::Powers& p = equations_.powers();
  f.tail<accounts>() << p.loads, p.supports, p.heat;
  return end;
}

NewtonEnd ExplicitStepper::settle(double t, VecX& z, VecX& f) {
  const NewtonEnd end = project(t, z);
  return end == NewtonEnd::converged ? evaluate(t, z, f) : end;
}

StepReport ExplicitStepper::step(State& state, double t1) {
  StepReport report;
  const double h = t1 - state.time;
  if (!(h > 0)) return refused(report);
  report.newton.end = begun_;
  if (!report.done()) return report;
  constexpr double same = 1e-9;  // times are rounded
  fresh_ = std::abs(h - h_) > same * h;
  evaluations_ = 0;
  equations_.take(state);
  report.newton.end = advance(state.time, t1);
  report.newton.iterations = evaluations_;
  if (!report.done()) {
    report.culprit = culprit();
    return report;
  }
  if (!z1_.allFinite()) return refused(report);
  if (equations_.largest_turn(z_.head(n_), z1_.head(n_)) > max_rotation_) {
    report.newton.end = NewtonEnd::beyond_reach;
    return report;
  }
  equations_.write_accelerations(t1, z1_.head(n_), z1_.segment(n_, n_), f1_.segment(n_, n_), next_a_);
  equations_.write(t1, z1_.head(n_), z1_.segment(n_, n_), next_);
  report.energy = energy(state, next_);
  if (!accepted(report, *system_, state.q, next_.q)) return report;

  remember();
  h_ = h;
  std::swap(state, next_);
  z_.swap(z1_);
  f_.swap(f1_);
  a_.swap(next_a_);
  multipliers_ = equations_.multipliers();
  return report;
}

StepEnergy ExplicitStepper::energy(const State& before, const State& after) const {
  const Vec<accounts> done = z1_.tail<accounts>() - z_.tail<accounts>();
  StepEnergy energy;
  energy.load_work = done[0];
  energy.support_work = done[1];
  energy.heat = done[2];
  for (int c = 0; c < system_->coordinates(); ++c)
    if (system_->equation()[c] < 0)
      energy.support_work += 0.5 * system_->mass()[c] * (after.v[c] - before.v[c]) * (after.v[c] + before.v[c]);
  energy.potentials = system_->potentials(after.q);
  energy.kinetic = system_->kinetic(after.q, after.v);
  return energy;
}

// --- Euler ---

NewtonEnd ForwardEuler::advance(double t0, double t1) {
  z1_ = z_ + (t1 - t0) * f_;
  return settle(t1, z1_, f1_);
}

// --- Runge and Kutta ---

NewtonEnd ExplicitStepper::runge_kutta(double t0, double h) {
  z1_ = z_ + h / 6 * f_;
  stage_rate_ = f_;
  static constexpr std::array<double, 3> places{0.5, 0.5, 1}, weights{2, 2, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    stage_ = z_ + places[i] * h * stage_rate_;
    if (const NewtonEnd end = evaluate(t0 + places[i] * h, stage_, stage_rate_); end != NewtonEnd::converged) return end;
    z1_ += weights[i] * h / 6 * stage_rate_;
  }
  return settle(t0 + h, z1_, f1_);
}

NewtonEnd RungeKutta::advance(double t0, double t1) { return runge_kutta(t0, t1 - t0); }

// --- central difference ---

CentralDifference::CentralDifference(const System& system, const Stabilisation& stabilisation, const NewtonOptions& options,
                                     DifferenceForm form)
    : ExplicitStepper(system, stabilisation, options), form_(form) {
  for (VecX* x : {&before_, &previous_}) x->setZero(n_);
}

NewtonEnd CentralDifference::advance(double t0, double t1) {
  const double h = t1 - t0;
  return form_ == DifferenceForm::position ? by_position(t0, h) : by_velocity(t0, h);
}

void CentralDifference::take_trapezoidal_powers(double h) {
  z1_.tail<accounts>() = z_.tail<accounts>() + h / 2 * (f_.tail<accounts>() + f1_.tail<accounts>());
}

NewtonEnd CentralDifference::by_position(double t0, double h) {
  const auto y = z_.head(n_), v = z_.segment(n_, n_), a = f_.segment(n_, n_);
  if (fresh_)
    before_ = y - h * v + h * h / 2 * a;
  else
    before_ = previous_;
  z1_.head(n_) = 2 * y - before_ + h * h * a;
  z1_.segment(n_, n_) = (3 * z1_.head(n_) - 4 * y + before_) / (2 * h);
  z1_.tail<accounts>().setZero();
  const NewtonEnd end = settle(t0 + h, z1_, f1_);
  take_trapezoidal_powers(h);
  return end;
}

// The acceleration is found with the velocity of the middle, and kept as it is when the end is projected: forces that depend
// on velocities, gamma among them, are half a step late.
NewtonEnd CentralDifference::by_velocity(double t0, double h) {
  const auto y = z_.head(n_), v = z_.segment(n_, n_), a = f_.segment(n_, n_);
  z1_.head(n_) = y + h * v + h * h / 2 * a;
  z1_.segment(n_, n_) = v + h / 2 * a;
  z1_.tail<accounts>().setZero();
  if (const NewtonEnd end = evaluate(t0 + h, z1_, f1_); end != NewtonEnd::converged) return end;
  z1_.segment(n_, n_) += h / 2 * f1_.segment(n_, n_);
  if (const NewtonEnd end = project(t0 + h, z1_); end != NewtonEnd::converged) return end;
  equations_.find_powers(t0 + h, z1_.head(n_), z1_.segment(n_, n_));
  const IndexOne::Powers& p = equations_.powers();
  f1_.head(n_) = z1_.segment(n_, n_);
  f1_.tail<accounts>() << p.loads, p.supports, p.heat;
  take_trapezoidal_powers(h);
  return NewtonEnd::converged;
}

std::unique_ptr<Stepper> make_explicit(ExplicitScheme scheme, const ExplicitSettings& settings, const System& system,
                                       const NewtonOptions& options) {
  const auto& [stabilisation, start, form, tolerance] = settings;
  switch (scheme) {
    case ExplicitScheme::forward_euler: return std::make_unique<ForwardEuler>(system, stabilisation, options);
    case ExplicitScheme::runge_kutta: return std::make_unique<RungeKutta>(system, stabilisation, options);
    case ExplicitScheme::hamming: return std::make_unique<Hamming>(system, stabilisation, options, start);
    case ExplicitScheme::central_difference: return std::make_unique<CentralDifference>(system, stabilisation, options, form);
    case ExplicitScheme::dormand_prince: return std::make_unique<DormandPrince>(system, stabilisation, options, tolerance);
  }
  return nullptr;
}

}  // namespace trompo
