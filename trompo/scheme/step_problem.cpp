#include "trompo/scheme/step_problem.hpp"

#include <algorithm>
#include <numbers>

#include "trompo/scheme/euler_steps.hpp"
#include "trompo/scheme/rotation_steps.hpp"

namespace trompo {

namespace {

bool by_euler_parameters(const System& system) { return system.formulation() == Formulation::euler_parameters; }

std::unique_ptr<BodySteps> body_steps(const System& system, const Rule& rule, FrameReduction& unknowns) {
  if (system.bodies().empty()) return nullptr;
  if (by_euler_parameters(system)) return std::make_unique<EulerSteps>(system, rule, unknowns);
  return std::make_unique<RotationSteps>(system, rule, unknowns);
}

}  // namespace

StepProblem::StepProblem(const System& system, const Rule& rule, const NewtonOptions& options,
                         const SecantCorrection& correction)
    : system_(&system),
      rule_(rule),
      options_(options),
      unknowns_(by_euler_parameters(system) ? FrameReduction(system, 4, 1) : FrameReduction(system, 3)),
      bodies_(body_steps(system, rule_, unknowns_)),
      solver_(unknowns_.pattern()),
      rows_(unknowns_.unknowns(), unknowns_.unknowns() - unknowns_.of_multiplier(0), options.tolerance),
      torques_in_loads_(at_ends() && system.torques()),
      feels_rates_(system.feels_rates()) {
  const int all = system.coordinates(), unknowns = unknowns_.unknowns();
  for (VecX* v : {&q0, &q1, &v0, &v1, &shift, &force0_, &load0_, &load1_, &load_, &lead_, &rest_, &velocity_rest_,
                  &assembly_.force, &assembly_.size, &rate_, &inertia_, &interval_rate_, &begin_load_, &support_})
    v->setZero(all);
  increment_.setZero(unknowns);
  for (VecX* v : {&multiplier, &old_multiplier_, &begin_multiplier_, &assembly_.constraint_error, &assembly_.constraint_size})
    v->setZero(system.multipliers());
  for (VecX* v : {&assembly_.gradient_point, &old_gradient_point_}) v->setConstant(system.multipliers(), 0.5);
  coordinate_.assign(static_cast<std::size_t>(unknowns), -1);
  unknown_.assign(static_cast<std::size_t>(system.equations()), -1);
  for (int e = 0; e < system.equations(); ++e) {
    const int u = unknowns_.of_equation(e);
    unknown_[static_cast<std::size_t>(e)] = u;
    if (u >= 0) coordinate_[static_cast<std::size_t>(u)] = system.free()[e];
  }
  if (bodies_) {
    for (VecX* v : {&frame_residual_, &at_rest_, &rate_assembly_.force, &rate_assembly_.size}) v->setZero(all);
    rate_assembly_.only_turning = true;
    for (auto* v : {&torque_, &moment_}) v->assign(system.bodies().size(), Vec3::Zero());
    from_space_.assign(system.bodies().size(), Mat3::Identity());
  }
  coupled_ = system.couples_mass();
  for (const RigidBody& body : system.bodies()) coupled_ = coupled_ || !body.euler().isDiagonal(0);
  double mass = 0;
  for (const int c : system.free()) mass += system.mass()[c];
  if (mass > 0) mean_mass_ = mass / system.equations();
  // The part of rank one of the correction's tangent is not carried over to rotations: a few more iterations there.
  const bool exact = rule.tangent == Rule::Tangent::exact && !bodies_;
  if (correction.wanted()) corrector_.emplace(system, unknowns_, correction, exact);
  reuses_factors_ = !solver_.dense() && rule.tangent == Rule::Tangent::exact && !rule.transposed_tangent && !corrector_;
}

// Axes that follow a body have the inertia that it gives them.
double StepProblem::kinetic(const VecX& v) const { return system_->free_kinetic(v, !bodies_ || bodies_->axes_have_masses()); }

void StepProblem::restart(const State& state, const VecX& acceleration, const VecX& multipliers) {
  if (multipliers.size() == multiplier.size()) old_multiplier_ = multipliers;
  if (bodies_) bodies_->restart(state, acceleration);
  take(state);
}

void StepProblem::memory(const Memory& memory) {
  memory("multipliers", old_multiplier_);
  memory("gradient points", old_gradient_point_);
  if (bodies_) bodies_->memory(memory);
}

void StepProblem::take(const State& state) {
  q1 = state.q;
  v1 = state.v;
  multiplier = old_multiplier_;
  load_at(state.time, load0_);
  remember_old_end();
  if (corrector_) corrector_->restart(q1);
  if (bodies_) bodies_->take(state);
}

// In the interval rotation_steps.hpp knows torques and moments, and rates are those of the interval.
void StepProblem::load_at(double t, VecX& load) const {
  if (at_ends())
    system_->load_at(t, q1, v1, load);
  else
    system_->load_at(t, q1, load, false);
}

void StepProblem::find_loads() {
  load_at(t1_, load1_);
  if (feels_rates_ && !at_ends()) {
    interval_rate_ = (q1 - q0) / h_;
    system_->load_at(t1_ - h_, q0, load0_, false);
    const RateLoads& loads = system_->rate_loads();
    loads.at(q0, interval_rates(), load0_);
    loads.at(q1, interval_rates(), load1_);
    begin_load_ = load0_;
    if (bodies_) {
      for (auto* v : {&torque_, &moment_}) std::fill(v->begin(), v->end(), Vec3::Zero());
      loads.moments(q0, interval_rates(), 0.5, torque_, moment_);
      loads.moments(q1, interval_rates(), 0.5, torque_, moment_);
      bodies_->push(q0, torque_, moment_);
    }
  }
  load_ = (1 - load_weight_) * load1_ + load_weight_ * load0_;
}

void StepProblem::open_bodies(const State& state, double t1, const BodyMotion& motion) {
  if (!bodies_) return;
  bodies_->open(state, t1, motion);
  bodies_->write(q0, lead_, q1, shift);
}

// With the loads of that end in load0_.
void StepProblem::remember_old_end() {
  old_multiplier_ = multiplier;
  if (!keeps_old_forces()) return;
  if (at_ends())
    system_->internal_force_at(q1, v1, multiplier, force0_);
  else
    system_->force_at(q1, force0_);  // dampers and constraints go by the increment
  if (bodies_) bodies_->keep_old(load0_, force0_);
}

void StepProblem::open(const State& state, double t1, double old_load_weight, bool later_part) {
  begin_load_ = later_part ? load1_ : load0_;
  begin_multiplier_ = later_part ? multiplier : old_multiplier_;
  t1_ = t1;
  h_ = t1 - state.time;
  q0 = state.q;
  v0 = state.v;
  q1 = state.q;
  v1 = state.v;
  multiplier = old_multiplier_;
  assembly_.gradient_point.setConstant(0.5);
  system_->prescribe_at(t1, q1, v1);
  load_at(t1, load1_);
  load_weight_ = old_load_weight;
  load_ = (1 - old_load_weight) * load1_ + old_load_weight * load0_;
  if (corrector_) corrector_->open();
  solves_ = 0;
  rows_.unreachable.setZero();
}

// Rows of constraints and columns of multipliers are brought to the size of the inertia: pivots then mean the same everywhere.
void StepProblem::inertia(double factor) {
  factor_ = factor;
  assembly_.constraint_scale = factor * mean_mass_;
}

void StepProblem::update_velocities() {
  for (const int c : system_->free()) v1[c] = rate_slope_ * shift[c] + velocity_rest_[c];
  if (bodies_) bodies_->match_velocities(v1);
}

// Velocities of frames may change with the unknowns beside by their rates. The matrix of the rates alone is what dampers at
// rest have: their forces are linear in the rates, so that nothing is left of their slope in the places.
void StepProblem::add_rate_slopes() {
  if (!bodies_->place_rate_slopes()) return;
  unknowns_.direct(solver_.values(), rate_assembly_);
  system_->resist_between(rule_, {q0, q1, at_rest_, at_rest_, h_, 1}, rate_assembly_);
  system_->add_rate_load_tangent(q1, {v1}, {.factor = 0, .rate_factor = -(1 - load_weight_)}, rate_assembly_);
  bodies_->place_levers(q0, q1);
}

void StepProblem::add_load_tangent() {
  const double share = -(1 - load_weight_);
  system_->add_load_tangent(t1_, q1, share, assembly_, at_ends());
  if (feels_rates_ && at_ends())
    system_->add_rate_load_tangent(q1, {v1}, {.factor = share, .rate_factor = share * rate_slope_}, assembly_);
  if (feels_rates_ && !at_ends()) {
    if (bodies_) bodies_->bring_moments(q0, from_space_);
    for (const bool old_end : {true, false})
      system_->add_rate_load_tangent(old_end ? q0 : q1, interval_rates(), {share, 0, old_end, &from_space_}, assembly_);
  }
  if (torques_in_loads_)
    system_->each_torque_slope(t1_, q1, [&](int body, int row, int column, const Mat3& block) {
      unknowns_.add_axes(body, row, column, share * block, solver_.values());
    });
}

void StepProblem::evaluate(bool tangent) {
  const std::vector<int>& free = system_->free();
  assembly_.tangent = nullptr;
  tangent_fresh_ = tangent && !keeps_tangent();
  if (tangent_fresh_) {
    solver_.set_zero();
    assembly_.tangent = solver_.values();
    if (bodies_) bodies_->place_levers(q0, q1);
    unknowns_.direct(solver_.values(), assembly_);
  }
  system_->force_between(rule_, q0, q1, force0_, assembly_);
  if (corrector_) corrector_->apply(q0, q1, rule_.damping, assembly_);
  if (system_->dampers() || feels_rates_) {
    update_velocities();
    system_->resist_between(rule_, motion(), assembly_);
    if (assembly_.tangent != nullptr && bodies_) add_rate_slopes();
  }
  system_->constrain_between(rule_, q0, q1, multiplier, assembly_);
  if (system_->field_loads() || torques_in_loads_) {
    find_loads();
    if (assembly_.tangent != nullptr) add_load_tangent();
  }
  const bool turning = bodies_ && !bodies_->axes_have_masses();  // then axes have no inertia of their own
  if (coupled_) {
    for (const int c : free) rate_[c] = factor_ * shift[c] + rest_[c];
    system_->multiply_mass(rate_, inertia_);
  }
  const std::vector<double>& mass = system_->mass();
  for (std::size_t e = 0; e < free.size(); ++e) {
    const int c = free[e];
    double inertia = coupled_ ? inertia_[c] : mass[c] * (factor_ * shift[c] + rest_[c]);
    if (turning && system_->body_of(c) >= 0) inertia = 0;
    const double residual = inertia + assembly_.force[c] - load_[c];
    assembly_.size[c] += std::abs(inertia) + std::abs(load_[c]);
    if (bodies_) frame_residual_[c] = residual;
    if (unknown_[e] < 0) continue;
    rows_.residual[unknown_[e]] = residual;
    rows_.size[unknown_[e]] = assembly_.size[c];
  }
  if (assembly_.tangent != nullptr) unknowns_.add_plain_mass(factor_, assembly_);
  if (multiplier.size() > 0) {
    rows_.residual.segment(rows_.moving(), multiplier.size()) = assembly_.constraint_scale * assembly_.constraint_error;
    rows_.size.segment(rows_.moving(), multiplier.size()) = assembly_.constraint_scale * assembly_.constraint_size;
  }
  if (!bodies_) return;
  // The three equations of a centre are judged together: across a plane motion there is nothing but rounding to be judged by.
  for (const RigidBody& body : system_->bodies()) {
    auto centre = assembly_.size.segment<3>(body.first);
    centre.setConstant(centre.maxCoeff());
    for (int i = 0; i < 3; ++i)
      if (const int e = system_->equation()[body.first + i]; e >= 0 && unknown_[e] >= 0) rows_.size[unknown_[e]] = centre[i];
  }
  bodies_->reduce_residual(frames(), rows_.residual, rows_.size);
  if (assembly_.tangent != nullptr) bodies_->add_tangent(frames(), factor_, solver_.values());
}

double StepProblem::size_of(int unknown) const {
  const int first = rows_.moving();
  if (const int k = unknown - first; k >= 0) {
    const int outer = static_cast<int>(multiplier.size());
    return (k < outer ? std::abs(multiplier[k]) : bodies_->inner_size(k - outer)) / assembly_.constraint_scale;
  }
  const int c = coordinate_[static_cast<std::size_t>(unknown)];
  return c < 0 ? 1.0 : std::max(std::abs(q1[c]), system_->coordinate_scale(c));
}

double StepProblem::residual_ratio() { return rows_.worst_ratio(); }

bool StepProblem::residual_at_round_off() {
  for (int e = 0; e < rows_.rows(); ++e) rows_.unknown_size[e] = size_of(e);
  return rows_.at_round_off(solver_, corrector_ ? corrector_->noise() : 0.0);
}

double StepProblem::shift_unknowns(const VecX& decrement) {
  double worst = 0;
  if (!decrement.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  for (int e = 0; e < rows_.moving(); ++e) {
    const int c = coordinate_[static_cast<std::size_t>(e)];
    if (c < 0) continue;
    shift[c] -= decrement[e];
    q1[c] = q0[c] + (lead_[c] + shift[c]);
    worst = std::max(worst, std::abs(decrement[e]) / size_of(e));
  }
  if (bodies_) {
    worst = std::max(worst, bodies_->update(decrement, assembly_.constraint_scale));
    bodies_->write(q0, lead_, q1, shift);
  }
  // Multipliers enter linearly: once the places stand still they do too.
  for (int k = 0; k < multiplier.size(); ++k) multiplier[k] -= assembly_.constraint_scale * decrement[rows_.moving() + k];
  return worst;
}

Eigen::MatrixXd StepProblem::tangent() const {
  const Pattern& pattern = unknowns_.pattern();
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(pattern.size(), pattern.size());
  VecX row = VecX::Zero(pattern.size());
  for (int i = 0; i < pattern.size(); ++i) {
    pattern.transposed_product(solver_.values(), VecX::Unit(pattern.size(), i), row);
    full.row(i) = row.transpose();
  }
  return full;
}

double StepProblem::solve_and_update() {
  const bool kept = reuses_factors_ && !plain_ && !tangent_fresh_;
  if (tangent_fresh_) {
    if (return_ ? !return_->take(solver_.values()) : !solver_.factorise()) return std::numeric_limits<double>::quiet_NaN();
    tangent_fresh_ = false;
  }
  ++solves_;
  increment_ = rows_.residual;
  if (return_)
    return_->solve(increment_);
  else
    solver_.solve(increment_);
  rows_.unreachable = solver_.unreachable();
  if (corrector_) corrector_->correct_increment(solver_, increment_);
  const double worst = shift_unknowns(increment_);
  if (std::isnan(worst)) return worst;
  if (return_ && !close_constraints()) return std::numeric_limits<double>::quiet_NaN();
  // A kept tangent that does not bring three digits in two solves is not worth keeping.
  const double rate = solves_ < 2 ? 1e-2 : worst / last_increment_;
  contracting_ = solves_ < 2 || rate <= 0.03;
  last_increment_ = worst;
  // Newton's increment says that the error is its square; that of a kept tangent leaves a share of itself. One of the size of
  // rounding is none: to chase it costs solves that find nothing but noise.
  constexpr double unseen = 1e-4, rounding = 1e-15;
  if (kept && worst * rate > rounding) return worst * rate / unseen;
  return worst * (kept ? rate : 1.0);
}

bool StepProblem::keeps_tangent() const {
  return solves_ > 0 && !return_ && (options_.modified || (reuses_factors_ && !plain_ && contracting_));
}

StepReport StepProblem::solve(bool plain) {
  plain_ = plain;
  contracting_ = true;
  StepReport report{newton(*this, options_), {}};
  if (!report.done()) return report;
  update_velocities();
  system_->settle(q1);
  if (feels_rates_ && at_ends()) load_at(t1_, load1_);
  if (bodies_ && bodies_->largest_angle() > std::min(std::numbers::pi, options_.max_rotation))
    report.newton.end = NewtonEnd::beyond_reach;
  return report;
}

std::vector<Imbalance> StepProblem::imbalances(std::size_t most) const {
  return rows_.worst(most, assembly_.constraint_scale, [this](int unknown) { return unknowns_.name(unknown); });
}

// Work is that of the mean of both ends along the increment: of second order, whatever share of an end the scheme's own force
// has. What that force does beyond it is the scheme's.
void StepProblem::add_work(StepEnergy& energy) {
  bool shaken = false;  // do supports move?
  for (int c = 0; c < system_->coordinates(); ++c) {
    const double dq = q1[c] - q0[c];
    const double mean = 0.5 * load1_[c] + 0.5 * begin_load_[c];
    energy.load_work += mean * dq;
    energy.numerical += (mean - load_[c]) * dq;
    if (system_->equation()[c] >= 0) continue;
    energy.support_work += 0.5 * system_->mass()[c] * (v1[c] - v0[c]) * (v1[c] + v0[c]) + (assembly_.force[c] - load_[c]) * dq;
    shaken = shaken || dq != 0;
  }
  if (!shaken || !at_ends()) return;  // in the interval that is the force of the mean
  const auto add_half = [&](const VecX& q, const VecX& v, const VecX& lambda, const VecX& load) {
    system_->internal_force_at(q, v, lambda, support_);
    for (int c = 0; c < system_->coordinates(); ++c) {
      if (system_->equation()[c] >= 0) continue;
      const double beyond = 0.5 * (support_[c] - load[c] - assembly_.force[c] + load_[c]) * (q1[c] - q0[c]);
      energy.support_work += beyond;
      energy.numerical += beyond;
    }
  };
  add_half(q0, v0, begin_multiplier_, begin_load_);
  add_half(q1, v1, multiplier, load1_);
}

StepEnergy StepProblem::energy() {
  StepEnergy energy;
  energy.numerical = corrector_ && corrector_->exact() ? corrector_->dissipated() : system_->dissipation(rule_, q0, q1);
  energy.numerical += system_->constraint_dissipation(rule_, q0, q1, old_multiplier_, multiplier);
  if (system_->dampers()) {
    const Heat heat = system_->heat(rule_, motion());
    energy.heat = heat.heat;
    energy.numerical += heat.numerical;
  }
  add_work(energy);
  if (system_->without_energy() != nullptr) {  // what the scheme's own force does beyond the mean of both ends is the scheme's
    const double own = system_->own_work(q0, q1);
    energy.load_work += own;
    energy.numerical += own;
  }
  if (bodies_) bodies_->add_energy(frames(), energy);
  energy.potentials = corrector_ ? corrector_->new_energies() : system_->potentials(q1);
  energy.kinetic = system_->kinetic(q1, v1);
  return energy;
}

void StepProblem::write_state(double t1, State& state) const {
  state.time = t1;
  state.q = q1;
  state.v = v1;
  if (bodies_) state.rotations = bodies_->new_rotations();
}

void StepProblem::close() {
  load0_ = load1_;
  if (bodies_) bodies_->close(frames());
  remember_old_end();
  old_gradient_point_ = assembly_.gradient_point;
  if (corrector_) corrector_->close();
}

}  // namespace trompo
