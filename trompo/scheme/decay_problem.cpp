#include "trompo/scheme/decay_problem.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/math/so3.hpp"

namespace trompo {

DecayProblem::DecayProblem(const System& system, const Rule& rule, const DecayNumbers& numbers, const NewtonOptions& options)
    : layout_(system, numbers.constraint_rates),
      rule_(rule),
      numbers_(numbers),
      options_(options),
      solver_(layout_.pattern),
      rows_(layout_.unknowns(), layout_.unknowns() - layout_.first_multiplier(), options.tolerance) {
  const int all = system.coordinates();
  for (VecX* v : {&q0, &q1, &v0, &v1, &shift_, &e_, &mean_, &middle_, &rate_, &inertia_, &taken_, &load_, &load0_, &load1_,
                  &rate_force_, &rate_size_, &assembly_.force, &assembly_.size})
    v->setZero(all);
  for (VecX* v : {&multiplier_, &old_multiplier_, &assembly_.constraint_error, &assembly_.constraint_size})
    v->setZero(layout_.multipliers);
  assembly_.gradient_point.setConstant(layout_.multipliers, 0.5);
  given_multiplier_.setZero(system.multipliers());
  gradient_point_.setConstant(system.multipliers(), 0.5);
  for (VecX* v : {&nu_, &rate_error_, &rate_error_size_}) v->setZero(layout_.nu);
  increment_.setZero(layout_.unknowns());
  double mass = 0;
  for (const int c : system.free()) mass += system.mass()[c];
  if (mass > 0) mean_mass_ = mass / layout_.n;
}

void DecayProblem::start(const VecX& multipliers) {
  old_multiplier_.setZero();
  if (multipliers.size() == given_multiplier_.size()) old_multiplier_.head(multipliers.size()) = multipliers;
  given_multiplier_ = old_multiplier_.head(given_multiplier_.size());
}

void DecayProblem::memory(const Memory& memory) {
  memory("multipliers", old_multiplier_);
  memory("gradient points", gradient_point_);
  given_multiplier_ = old_multiplier_.head(given_multiplier_.size());
}

void DecayProblem::open(const State& state, double t1, double along) {
  const System& system = layout_.system;
  t0_ = state.time;
  t1_ = t1;
  h_ = t1 - t0_;
  q0 = q1 = state.q;
  v0 = v1 = state.v;
  system.prescribe_at(t1, q1, v1);
  multiplier_ = old_multiplier_;
  assembly_.gradient_point.setConstant(0.5);
  rows_.unreachable.setZero();
  nu_.setZero();
  e_.setZero();
  for (const int c : system.free()) {
    shift_[c] = along * v0[c];
    q1[c] = q0[c] + shift_[c];
  }
  assembly_.constraint_scale = 2 / (h_ * h_) * mean_mass_;
}

// Of the mean of both ends; torques turn with the mean axes.
void DecayProblem::find_loads() {
  const System& system = layout_.system;
  system.load_at(t0_, q0, load0_);
  system.load_at(t1_, q1, load1_);
  load_ = 0.5 * (load0_ + load1_);
  if (!system.torques()) return;
  middle_ = 0.5 * (q0 + q1);
  load0_.setZero();
  for (const double t : {t0_, t1_}) system.add_torques(t, middle_, load0_);
  load_ += 0.5 * load0_;
}

void DecayProblem::evaluate(bool tangent) {
  const System& system = layout_.system;
  const int outer = system.multipliers();
  for (const int c : system.free()) v1[c] = 2 * (shift_[c] / h_ - numbers_.c * e_[c]) - v0[c];
  mean_ = 0.5 * (v0 + v1);
  assembly_.tangent = nullptr;
  if (tangent) {
    solver_.set_zero();
    assembly_.tangent = solver_.values();
    assembly_.map = &layout_.map;
  }
  system.force_between(rule_, q0, q1, load0_, assembly_);
  if (system.dampers()) system.resist_between(rule_, {q0, q1, v0, v1, h_, 2 / h_}, assembly_);
  if (outer > 0) system.constrain_between(rule_, q0, q1, multiplier_, assembly_);
  for (std::size_t k = 0; k < layout_.inner.size(); ++k) {
    assembly_.indices = layout_.indices.data() + layout_.of_inner[k];
    layout_.inner[k].between(rule_, q0, q1, multiplier_, assembly_);
  }
  add_decay();
  find_loads();
  if (tangent) {
    assembly_.map = &layout_.map;
    if (system.field_loads()) system.add_load_tangent(t1_, q1, -0.5, assembly_);
    add_masses();
  }

  // M (v1 - v0)/h = M 2 (v* - v0)/h
  for (const int c : system.free()) rate_[c] = 2 / h_ * (mean_[c] - v0[c]);
  system.multiply_mass(rate_, inertia_);
  system.multiply_mass(e_, taken_);
  const std::vector<int>& free = system.free();
  for (int e = 0; e < layout_.n; ++e) {
    const int c = free[static_cast<std::size_t>(e)];
    rows_.residual[e] = inertia_[c] + assembly_.force[c] - load_[c];
    rows_.size[e] = assembly_.size[c] + std::abs(inertia_[c]) + std::abs(load_[c]);
    rows_.residual[layout_.n + e] = taken_[c] + rate_force_[c];
    // What is taken is small: it is judged by the momentum of the step as well.
    rows_.size[layout_.n + e] = std::abs(taken_[c]) + rate_size_[c] + h_ * std::abs(inertia_[c]);
  }
  judge_frames();
  rows_.residual.segment(layout_.first_multiplier(), layout_.multipliers) =
      assembly_.constraint_scale * assembly_.constraint_error;
  rows_.size.segment(layout_.first_multiplier(), layout_.multipliers) = assembly_.constraint_scale * assembly_.constraint_size;
  rows_.residual.tail(layout_.nu) = mean_mass_ * rate_error_;
  rows_.size.tail(layout_.nu) = mean_mass_ * rate_error_size_;
}

// Rows of a centre are judged together, and so are those of the axes, of which one may have no mass: where nothing acts along
// one of them there is nothing but rounding to be judged by.
void DecayProblem::judge_frames() {
  const std::vector<int>& equation = layout_.system.equation();
  for (const RigidBody& body : layout_.system.bodies())
    for (const auto& [first, last] : {std::pair{0, 3}, std::pair{3, RigidBody::coordinates}})
      for (const int rows : {0, layout_.n}) {
        double most = 0;
        for (int i = first; i < last; ++i)
          if (const int e = equation[body.first + i]; e >= 0) most = std::max(most, rows_.size[rows + e]);
        for (int i = first; i < last; ++i)
          if (const int e = equation[body.first + i]; e >= 0) rows_.size[rows + e] = most;
      }
}

void DecayProblem::add_decay() {
  const DecayStep step{q0, q1, v0, v1, mean_, e_, h_, numbers_.c, numbers_.beta * h_};
  rate_force_.setZero();
  rate_size_.setZero();
  DecayForces out{assembly_, rate_force_, rate_size_};
  strained_ = 0;
  for (std::size_t k = 0; k < layout_.decay.size(); ++k) {
    assembly_.indices = layout_.indices.data() + layout_.of_decay[k];
    strained_ += layout_.decay[k].between(step, out);
  }
  for (std::size_t k = 0; k < layout_.rates.size(); ++k) {
    assembly_.indices = layout_.indices.data() + layout_.of_rates[k];
    layout_.rates[k].between(step, nu_, mean_mass_, out, rate_error_, rate_error_size_);
  }
}

void DecayProblem::add_masses() {
  double* const values = solver_.values();
  for (const DecayLayout::Mass& m : layout_.masses) {
    values[m.place[0]] += 2 / (h_ * h_) * m.mass;
    values[m.place[1]] -= 2 * numbers_.c / h_ * m.mass;
    values[m.place[2]] += m.mass;
  }
}

bool DecayProblem::residual_at_round_off() {
  const System& system = layout_.system;
  for (int e = 0; e < layout_.n; ++e) {
    const int c = system.free()[static_cast<std::size_t>(e)];
    rows_.unknown_size[e] = std::max(std::abs(q1[c]), system.coordinate_scale(c));
    rows_.unknown_size[layout_.n + e] = rows_.unknown_size[e] / h_;
  }
  for (int k = 0; k < layout_.multipliers; ++k)
    rows_.unknown_size[layout_.first_multiplier() + k] = std::abs(multiplier_[k]) / assembly_.constraint_scale;
  for (int k = 0; k < layout_.nu; ++k) rows_.unknown_size[layout_.first_nu() + k] = std::abs(nu_[k]) / mean_mass_;
  return rows_.at_round_off(solver_);
}

double DecayProblem::shift_unknowns(const VecX& decrement) {
  if (!decrement.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  const System& system = layout_.system;
  double worst = 0;
  for (int e = 0; e < layout_.n; ++e) {
    const int c = system.free()[static_cast<std::size_t>(e)];
    const double size = std::max(std::abs(q1[c]), system.coordinate_scale(c));
    shift_[c] -= decrement[e];
    q1[c] = q0[c] + shift_[c];
    e_[c] -= decrement[layout_.n + e];
    worst = std::max({worst, std::abs(decrement[e]) / size, h_ * numbers_.c * std::abs(decrement[layout_.n + e]) / size});
  }
  multiplier_ -= assembly_.constraint_scale * decrement.segment(layout_.first_multiplier(), layout_.multipliers);
  nu_ -= mean_mass_ * decrement.tail(layout_.nu);
  return worst;
}

double DecayProblem::solve_and_update() {
  if (!solver_.factorise()) return std::numeric_limits<double>::quiet_NaN();
  increment_ = rows_.residual;
  solver_.solve(increment_);
  rows_.unreachable = solver_.unreachable();
  return shift_unknowns(increment_);
}

StepReport DecayProblem::solve() {
  StepReport report{newton(*this, options_), {}};
  if (report.done() && largest_angle() > options_.max_rotation) report.newton.end = NewtonEnd::beyond_reach;
  return report;
}

double DecayProblem::largest_angle() const {
  double most = 0;
  for (const RigidBody& body : layout_.system.bodies()) {
    const double trace = q0.segment<9>(body.first + 3).dot(q1.segment<9>(body.first + 3));
    most = std::max(most, std::acos(std::clamp(0.5 * (trace - 1), -1.0, 1.0)));
  }
  return most;
}

Eigen::MatrixXd DecayProblem::tangent() const {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(layout_.unknowns(), layout_.unknowns());
  layout_.pattern.each([&](int row, int column, int place) { full(row, column) = solver_.values()[place]; });
  return full;
}

// Held coordinates take part in the dissipation without a velocity e of their own.
StepEnergy DecayProblem::energy() const {
  const System& system = layout_.system;
  StepEnergy energy;
  double taken = 0;
  for (const int c : system.free()) taken += e_[c] * taken_[c];
  energy.numerical = numbers_.c * (taken + strained_);
  energy.numerical += system.constraint_dissipation(rule_, q0, q1, given_multiplier_, multiplier_);
  if (system.dampers()) energy.heat = system.heat(rule_, {q0, q1, v0, v1, h_, 2 / h_}).heat;
  for (int c = 0; c < system.coordinates(); ++c) {
    const double dq = system.equation()[c] >= 0 ? shift_[c] : q1[c] - q0[c];
    energy.load_work += load_[c] * dq;
    if (system.equation()[c] >= 0) continue;
    energy.support_work += 0.5 * system.mass()[c] * (v1[c] - v0[c]) * (v1[c] + v0[c]) + (assembly_.force[c] - load_[c]) * dq -
                           numbers_.c * rate_force_[c] * (v1[c] - v0[c]);
  }
  energy.potentials = system.potentials(q1);
  energy.kinetic = system.kinetic(v1);
  return energy;
}

void DecayProblem::write_state(State& state) const {
  const System& system = layout_.system;
  state.time = t1_;
  state.q = q1;
  state.v = v1;
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    Rotation& turn = state.rotations[b];
    const Quaternion last = turn.orientation;
    turn.orientation = to_quaternion(Mat3(Eigen::Map<const Mat3>(q1.data() + system.bodies()[b].first + 3)));
    if (turn.orientation.dot(last) < 0) turn.orientation.coeffs() *= -1;
    turn.angular_velocity = system.spin(static_cast<int>(b), v1, turn.orientation);
  }
  system.settle(state.q);
}

void DecayProblem::close() {
  old_multiplier_ = multiplier_;
  given_multiplier_ = multiplier_.head(given_multiplier_.size());
  gradient_point_ = assembly_.gradient_point.head(given_multiplier_.size());
}

std::vector<Imbalance> DecayProblem::imbalances(std::size_t most) const {
  return rows_.worst(most, assembly_.constraint_scale, [this](int unknown) { return layout_.name(unknown); });
}

}  // namespace trompo
