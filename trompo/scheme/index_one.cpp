#include "trompo/scheme/index_one.hpp"

#include <algorithm>
#include <cmath>

namespace trompo {

namespace {

constexpr int width = 4;  // Euler parameters of a body

}  // namespace

IndexOne::IndexOne(const System& system, const Stabilisation& stabilisation)
    : system_(&system), stabilisation_(stabilisation), space_(system), solver_(space_.reduction().pattern()) {
  const FrameReduction& reduction = space_.reduction();
  const Pattern& pattern = reduction.pattern();
  for (int i = 0; i < space_.plain(); ++i) diagonal_.push_back(pattern.slot(i, i));
  for (int c = 0; c < system.coordinates(); ++c)
    if (system.equation()[c] < 0) held_.push_back(c);
  for (int b = 0; b < space_.bodies(); ++b) {
    const int first = reduction.of_body(b), norm = reduction.inner_of_body(b);
    auto& mass = mass_of_body_.emplace_back();
    auto& rows = norm_of_body_.emplace_back();
    for (int i = 0; i < width; ++i) {
      for (int j = 0; j < width; ++j) mass[width * i + j] = pattern.slot(first + i, first + j);
      rows[i] = pattern.slot(norm, first + i);
      rows[width + i] = pattern.slot(first + i, norm);
    }
  }
  for (VecX* x : {&q_, &v_, &given_, &force_, &elastic_, &load_, &net_}) x->setZero(system.coordinates());
  for (VecX* x : {&none_, &multipliers_, &frame_rows_, &row_size_}) x->setZero(system.multipliers());
  for (VecX* x : {&gap_, &error_rate_, &gamma_, &other_gamma_, &twist_}) x->setZero(reduction.unknowns() - size());
  for (VecX* x : {&shift_, &tried_rate_, &turning_}) x->setZero(size());
  right_.setZero(reduction.unknowns());
}

std::string IndexOne::name(int unknown) const {
  if (const int c = space_.coordinate(unknown); c >= 0) return system_->coordinate_name(c);
  int body = 0;
  while (unknown >= space_.reduction().of_body(body) + width) ++body;
  return "orientation of " + system_->body_name(body);
}

// --- states ---

void IndexOne::take(const State& state) {
  q_ = state.q;
  v_ = state.v;
}

// The parameters stay as they are: what they are off the unit sphere is the scheme's drift, not ours to hide.
void IndexOne::write(double t, const Numbers& y, const Numbers& rate, State& state) {
  place(t, y, rate);
  state.time = t;
  state.q = q_;
  state.v = v_;
  space_.write_rotations(y, rate, state.rotations);
  system_->settle(state.q);
}

void IndexOne::write_accelerations(double t, const Numbers& y, const Numbers& rate, const Numbers& acceleration, VecX& all) {
  place(t, y, rate);
  all.setZero(system_->coordinates());
  system_->prescribe_acceleration(t, all);
  space_.write_acceleration(y, rate, acceleration, all);
}

void IndexOne::place(double t, const Numbers& y, const Numbers& rate) {
  space_.write(y, rate, q_, v_);
  space_.place_levers(y);
  space_.place_slopes(y);
  system_->prescribe_at(t, q_, v_);
}

// Of another rate at the same place.
void IndexOne::place_rates(const Numbers& rate) {
  for (int i = 0; i < space_.plain(); ++i) v_[space_.coordinate(i)] = rate[i];
  for (int c = 0; c < system_->coordinates(); ++c)
    if (const int b = system_->body_of(c); b >= 0)
      v_[c] = Eigen::Map<const Vec4>(space_.reduction().slope(c)).dot(space_.p(b, rate));
}

// --- accelerations ---

void IndexOne::find_forces(double t) {
  system_->internal_force_at(q_, v_, none_, force_);
  system_->load_at(t, q_, v_, load_);
}

// The accelerations of everything at y'' = 0.
void IndexOne::bend_frames(double t, const Numbers& rate) {
  given_.setZero();
  for (int b = 0; b < space_.bodies(); ++b) {
    const Mat3 bend = 2 * euler::matrix(space_.p(b, rate));
    EulerCoordinates::each_axis(space_.body(b), [&](int first, const Vec3& e) { given_.segment<3>(first) = bend * e; });
  }
  system_->prescribe_acceleration(t, given_);
}

void IndexOne::add_mass(const Numbers& y) {
  space_.reduction().add_plain_mass(1, assembly_);
  double* matrix = solver_.values();
  for (int b = 0; b < space_.bodies(); ++b) {
    const euler::Mat4 mass = euler::mass(space_.p(b, y), space_.body(b).inertia);
    for (int i = 0; i < width * width; ++i) matrix[mass_of_body_[b][i]] += mass(i / width, i % width);
  }
}

// [M J^T; J 0], or with the identity for M, at the place that was written last.
bool IndexOne::factorise(const Numbers& y, bool by_mass) {
  solver_.set_zero();
  double* matrix = solver_.values();
  space_.reduction().direct(matrix, assembly_);
  system_->acceleration_rows(q_, v_, given_, frame_rows_, assembly_);
  for (int b = 0; b < space_.bodies(); ++b)
    for (int i = 0; i < width; ++i) {
      const double entry = 2 * space_.p(b, y)[i];
      matrix[norm_of_body_[b][i]] += entry;
      matrix[norm_of_body_[b][width + i]] += entry;
    }
  if (by_mass) {
    add_mass(y);
  } else {
    for (const int slot : diagonal_) matrix[slot] += 1;
    for (const auto& mass : mass_of_body_)
      for (int i = 0; i < width; ++i) matrix[mass[(width + 1) * i]] += 1;
  }
  return solver_.factorise();
}

void IndexOne::find_constraint_errors(const Numbers& y, const Numbers& rate) {
  const int outer = system_->multipliers();
  system_->constraint_errors(q_, frame_rows_, row_size_);
  gap_.head(outer) = frame_rows_;
  system_->constraint_error_rates(q_, v_, frame_rows_, row_size_);
  error_rate_.head(outer) = frame_rows_;
  for (int b = 0; b < space_.bodies(); ++b) {
    gap_[outer + b] = space_.p(b, y).squaredNorm() - 1;
    error_rate_[outer + b] = 2 * space_.p(b, y).dot(space_.p(b, rate));
  }
}

// phi'' at y'' = 0, where the system has just said its part of it.
void IndexOne::take_gamma(const Numbers& rate, VecX& gamma) const {
  const int outer = system_->multipliers();
  gamma.head(outer) = frame_rows_;
  for (int b = 0; b < space_.bodies(); ++b) gamma[outer + b] = 2 * space_.p(b, rate).squaredNorm();
}

NewtonEnd IndexOne::solve(double t, const Numbers& y, const Numbers& rate, Result acceleration) {
  place(t, y, rate);
  find_forces(t);
  net_ = load_ - force_;
  space_.gather(net_, right_);
  if (rows() == 0 && !system_->couples_mass()) {
    for (int i = 0; i < space_.plain(); ++i) acceleration[i] = right_[i] / system_->mass()[space_.coordinate(i)];
    tally_powers();
    return acceleration.allFinite() ? NewtonEnd::converged : NewtonEnd::not_finite;
  }
  space_.velocity_force(y, rate, turning_);
  right_.head(size()) += turning_;
  find_constraint_errors(y, rate);
  bend_frames(t, rate);
  if (system_->couples_mass()) {
    net_.setZero();
    system_->add_shared_inertia(given_, net_);
    space_.gather(net_, turning_);
    right_.head(size()) -= turning_;
  }
  if (!factorise(y, true)) return right_.head(size()).allFinite() ? NewtonEnd::singular : NewtonEnd::not_finite;
  take_gamma(rate, gamma_);
  const double a = stabilisation_.a, b = stabilisation_.b;
  right_.tail(rows()) = -gamma_ - 2 * a * error_rate_ - b * b * gap_;
  solver_.solve(right_);
  acceleration = right_.head(size());
  multipliers_ = right_.segment(size(), system_->multipliers());
  tally_powers();
  return right_.allFinite() ? NewtonEnd::converged : NewtonEnd::not_finite;
}

void IndexOne::find_powers(double t, const Numbers& y, const Numbers& rate) {
  place(t, y, rate);
  find_forces(t);
  tally_powers();
}

void IndexOne::tally_powers() {
  powers_ = {};
  powers_.loads = load_.dot(v_);
  if (system_->without_energy() != nullptr) powers_.loads += system_->own_power(q_, v_);
  if (system_->dampers()) {
    system_->force_at(q_, elastic_);
    powers_.heat = force_.dot(v_) - elastic_.dot(v_);
  }
  const bool shaken = std::any_of(held_.begin(), held_.end(), [this](int c) { return v_[c] != 0; });
  if (shaken) {
    system_->internal_force_at(q_, v_, multipliers_, force_);
    for (const int c : held_) powers_.supports += (force_[c] - load_[c]) * v_[c];
  }
}

}  // namespace trompo
