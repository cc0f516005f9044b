#include "trompo/scheme/euler_problem.hpp"

#include <numbers>

namespace trompo {

using euler::Vec4;

EulerProblem::EulerProblem(const System& system, const Shares& shares, const NewtonOptions& options)
    : system_(&system),
      shares_(shares),
      rule_{Rule::Kind::endpoint_average, shares.old_force},
      options_(options),
      coordinates_(system),
      solver_(coordinates_.reduction().pattern()),
      rows_(solver_.pattern().size(), solver_.pattern().size() - coordinates_.size(), options.tolerance) {
  const FrameReduction& reduction = coordinates_.reduction();
  const int all = system.coordinates(), bodies = coordinates_.bodies();
  for (End* end : {&old_, &new_}) {
    for (VecX* x : {&end->y, &end->rate, &end->acceleration}) x->setZero(moving());
    for (VecX* x : {&end->q, &end->v, &end->force, &end->load}) x->setZero(all);
    end->multiplier.setZero(system.multipliers());
    end->norm_multiplier.setZero(bodies);
    end->torque.assign(static_cast<std::size_t>(bodies), Vec3::Zero());
  }
  for (VecX* x : {&kinematics_.origin, &kinematics_.rate_rest, &kinematics_.acceleration_rest, &shift_, &old_share_, &force_,
                  &inertia_, &dy_})
    x->setZero(moving());
  increment_.setZero(reduction.unknowns());
  for (VecX* x : {&frame_force_, &at_rest_, &momentum_}) x->setZero(all);
  for (Assembly* a : {&assembly_, &damper_assembly_}) {
    for (VecX* x : {&a->force, &a->size}) x->setZero(all);
    for (VecX* x : {&a->constraint_error, &a->constraint_size}) x->setZero(system.multipliers());
    a->gradient_point.setConstant(system.multipliers(), 0.5);
  }
  double mass = 0;
  for (const int c : system.free()) mass += system.mass()[c];
  if (mass > 0) mean_mass_ = mass / system.equations();
  for (int b = 0; b < bodies; ++b) {
    const int first = reduction.of_body(b), norm = reduction.inner_of_body(b);
    Slots& slots = slots_.emplace_back();
    for (int i = 0; i < 16; ++i) slots.own[i] = reduction.pattern().slot(first + i / 4, first + i % 4);
    for (int i = 0; i < 4; ++i) {
      slots.norm[i] = reduction.pattern().slot(norm, first + i);
      slots.reaction[i] = reduction.pattern().slot(first + i, norm);
    }
  }
}

void EulerProblem::load_at(double t, End& end) const {
  system_->load_at(t, end.q, end.load);
  system_->torque_at(t, end.torque);
}

void EulerProblem::restart(const State& state, const VecX& acceleration, const VecX& multipliers) {
  old_.q = state.q;
  coordinates_.read(state, old_.y, old_.rate);
  old_.v = state.v;
  coordinates_.write(old_.y, old_.rate, old_.q, old_.v);
  coordinates_.read_acceleration(old_.y, old_.rate, acceleration, old_.acceleration);
  old_.multiplier.setZero();
  if (multipliers.size() >= system_->multipliers()) old_.multiplier = multipliers.head(system_->multipliers());
  old_.energy = free_kinetic(old_.v) + system_->potentials(old_.q).size();
  load_at(state.time, old_);
  coordinates_.place_levers(old_.y);
  system_->internal_force_at(old_.q, old_.v, old_.multiplier, old_.force);
  old_.force -= old_.load;
  // M has nothing along p, so there the equations of motion say what the norm has to bear.
  old_.norm_multiplier.setZero();
  coordinates_.gather(old_.force, force_);
  add_body_forces(old_, 1, force_);
  for (int b = 0; b < coordinates_.bodies(); ++b) {
    const Vec4 p = coordinates_.p(b, old_.y);
    old_.norm_multiplier[b] = -0.5 * p.dot(coordinates_.p(b, force_)) / p.squaredNorm();
  }
  remember();
}

// The parameters are as the scheme left them: a state has them by way of an angular velocity, which rounds.
void EulerProblem::memory(const Memory& memory) {
  memory("parameters", old_.y);
  memory("rates", old_.rate);
  memory("second rates", old_.acceleration);
  memory("multipliers", old_.multiplier);
  memory("multipliers of norms", old_.norm_multiplier);
  memory("forces", old_.force);
  memory.number("energy", old_.energy);
}

void EulerProblem::take(const State& state) {
  old_.q = state.q;
  old_.v = state.v;
  load_at(state.time, old_);
  coordinates_.place_levers(old_.y);
  remember();
}

// The levers stand at the old end: nothing has moved yet.
void EulerProblem::remember() {
  coordinates_.multiply_mass(old_.y, old_.acceleration, old_share_);
  old_share_ *= shares_.old_inertia;
  if (shares_.old_force == 0) return;
  coordinates_.gather(old_.force, force_);
  add_body_forces(old_, 1, force_);
  old_share_ += shares_.old_force * force_;
}

// -Q_v + 2 p mu - 2 L^T t
void EulerProblem::add_body_forces(const End& end, double share, VecX& force) const {
  for (int b = 0; b < coordinates_.bodies(); ++b) {
    const Vec4 p = coordinates_.p(b, end.y), rate = coordinates_.p(b, end.rate);
    force.segment<4>(coordinates_.reduction().of_body(b)) +=
        share * (2 * end.norm_multiplier[b] * p - euler::velocity_force(p, rate, coordinates_.body(b).inertia) -
                 2 * euler::L(p).transpose() * end.torque[static_cast<std::size_t>(b)]);
  }
}

void EulerProblem::open(const State& state, double t1) {
  t1_ = t1;
  h_ = t1 - state.time;
  new_.q = old_.q;
  new_.v = old_.v;
  new_.multiplier = old_.multiplier;
  new_.norm_multiplier = old_.norm_multiplier;
  system_->prescribe_at(t1, new_.q, new_.v);
  load_at(t1, new_);
  shift_.setZero();
  tangent_kept_ = false;
}

void EulerProblem::move() {
  const Kinematics& k = kinematics_;
  new_.y = k.origin + shift_;
  new_.rate = k.rate_slope * shift_ + k.rate_rest;
  new_.acceleration = k.acceleration_slope * shift_ + k.acceleration_rest;
  coordinates_.write(new_.y, new_.rate, new_.q, new_.v);
  coordinates_.place_levers(new_.y);
}

void EulerProblem::evaluate(bool tangent) {
  tangent_wanted_ = tangent && !(options_.modified && tangent_kept_);
  move();
  assemble();
  balance();
  if (tangent_wanted_) linearise();
}

// The share of the new end alone: the old one has levers of its own.
void EulerProblem::assemble() {
  // Rows of constraints and columns of multipliers are brought to the size of the inertia, as in StepProblem.
  assembly_.constraint_scale = shares_.new_inertia * kinematics_.acceleration_slope * mean_mass_;
  assembly_.tangent = nullptr;
  if (tangent_wanted_) {
    solver_.set_zero();
    coordinates_.place_slopes(new_.y);
    coordinates_.reduction().direct(solver_.values(), assembly_);
  }
  system_->force_between(rule_, old_.q, new_.q, at_rest_, assembly_);  // zero as old force: it is in old_share_
  system_->resist_between(rule_, motion(), assembly_);
  system_->constrain_between(rule_, old_.q, new_.q, new_.multiplier, assembly_);
  if (system_->field_loads()) {
    system_->load_at(t1_, new_.q, new_.load);
    if (tangent_wanted_) system_->add_load_tangent(t1_, new_.q, -new_force(), assembly_);
  }
  frame_force_ = assembly_.force - new_force() * new_.load;
  assembly_.size += new_force() * new_.load.cwiseAbs();
}

void EulerProblem::balance() {
  const FrameReduction& reduction = coordinates_.reduction();
  coordinates_.gather(frame_force_, force_);
  coordinates_.gather_sizes(assembly_.size, rows_.size);
  coordinates_.multiply_mass(new_.y, new_.acceleration, inertia_);
  rows_.residual.head(moving()) = force_ + shares_.new_inertia * inertia_ + old_share_;
  rows_.size.head(moving()) += shares_.new_inertia * inertia_.cwiseAbs() + old_share_.cwiseAbs();
  add_body_forces(new_, new_force(), rows_.residual);
  rows_.residual.segment(moving(), system_->multipliers()) = assembly_.constraint_scale * assembly_.constraint_error;
  rows_.size.segment(moving(), system_->multipliers()) = assembly_.constraint_scale * assembly_.constraint_size;
  for (int b = 0; b < coordinates_.bodies(); ++b) {
    const Vec4 p = coordinates_.p(b, new_.y);
    const Vec4 turning = euler::velocity_force(p, coordinates_.p(b, new_.rate), coordinates_.body(b).inertia);
    auto size = rows_.size.segment<4>(reduction.of_body(b));
    size.setConstant(size.maxCoeff() + new_force() * (2 * std::abs(new_.norm_multiplier[b]) + turning.norm() +
                                                      2 * new_.torque[static_cast<std::size_t>(b)].norm()));
    const int norm = reduction.inner_of_body(b);
    rows_.residual[norm] = assembly_.constraint_scale * (p.squaredNorm() - 1);
    rows_.size[norm] = assembly_.constraint_scale * (p.squaredNorm() + 1);
  }
}

double EulerProblem::size_of(int unknown) const {
  if (unknown < moving()) {
    const int c = coordinates_.coordinate(unknown);
    return c < 0 ? 1.0 : std::max(std::abs(new_.q[c]), system_->coordinate_scale(c));
  }
  const int k = unknown - moving();
  const int constraints = system_->multipliers();
  return std::abs(k < constraints ? new_.multiplier[k] : new_.norm_multiplier[k - constraints]) / assembly_.constraint_scale;
}

double EulerProblem::residual_ratio() { return rows_.worst_ratio(); }

bool EulerProblem::residual_at_round_off() {
  for (int e = 0; e < rows_.rows(); ++e) rows_.unknown_size[e] = size_of(e);
  return rows_.at_round_off(solver_);
}

void EulerProblem::shift_unknown(int unknown, double by) {
  const int k = unknown - moving(), constraints = system_->multipliers();
  if (k < 0)
    shift_[unknown] += by;
  else if (k < constraints)
    new_.multiplier[k] += assembly_.constraint_scale * by;
  else
    new_.norm_multiplier[k - constraints] += assembly_.constraint_scale * by;
}

double EulerProblem::solve_and_update() {
  if (!(options_.modified && tangent_kept_)) {
    if (!solver_.factorise()) return std::numeric_limits<double>::quiet_NaN();
    tangent_kept_ = true;
  }
  increment_ = rows_.residual;
  solver_.solve(increment_);
  double worst = 0;
  for (int e = 0; e < increment_.size(); ++e) {
    if (!std::isfinite(increment_[e])) return std::numeric_limits<double>::quiet_NaN();
    shift_unknown(e, -increment_[e]);
    // Multipliers enter linearly: once the places stand still they do too.
    if (e < moving()) worst = std::max(worst, std::abs(increment_[e]) / size_of(e));
  }
  return worst;
}

StepReport EulerProblem::solve() {
  StepReport report{newton(*this, options_), {}};
  if (!report.done()) return report;
  system_->settle(new_.q);
  // From half a turn on p and -p are as near to the old orientation: such a step has no result.
  if (turn() > std::min(std::numbers::pi, options_.max_rotation)) report.newton.end = NewtonEnd::beyond_reach;
  return report;
}

std::vector<Imbalance> EulerProblem::imbalances(std::size_t most) const {
  return rows_.worst(most, assembly_.constraint_scale, [this](int unknown) { return coordinates_.reduction().name(unknown); });
}

void EulerProblem::close() {
  new_.force = frame_force_ / new_force();
  std::swap(old_, new_);
  remember();
}

}  // namespace trompo
