#include "trompo/scheme/index_one.hpp"

#include <algorithm>
#include <cmath>

namespace trompo {

namespace {

constexpr int width = 4;  // Euler parameters of a body

}  // namespace

IndexOne::IndexOne(const System& system, const Stabilisation& stabilisation)
    : system_(&system),
      stabilisation_(stabilisation),
      reduction_(system, width, 1),
      size_(reduction_.of_multiplier(0)),
      solver_(reduction_.pattern()) {
  const Pattern& pattern = reduction_.pattern();
  for (int e = 0; e < system.equations(); ++e) {
    const int u = reduction_.of_equation(e);
    if (u < 0) continue;
    own_.push_back(system.free()[e]);
    diagonal_.push_back(pattern.slot(u, u));
  }
  for (int c = 0; c < system.coordinates(); ++c)
    if (system.equation()[c] < 0) held_.push_back(c);
  for (int b = 0; b < bodies(); ++b) {
    const int first = reduction_.of_body(b), norm = reduction_.inner_of_body(b);
    auto& mass = mass_of_body_.emplace_back();
    auto& rows = norm_of_body_.emplace_back();
    for (int i = 0; i < width; ++i) {
      for (int j = 0; j < width; ++j) mass[width * i + j] = pattern.slot(first + i, first + j);
      rows[i] = pattern.slot(norm, first + i);
      rows[width + i] = pattern.slot(first + i, norm);
    }
  }
  for (VecX* x : {&q_, &v_, &given_, &force_, &elastic_, &load_}) x->setZero(system.coordinates());
  for (VecX* x : {&none_, &multipliers_, &frame_rows_, &row_size_}) x->setZero(system.multipliers());
  for (VecX* x : {&gap_, &gap_rate_, &gamma_, &other_gamma_, &twist_}) x->setZero(reduction_.unknowns() - size_);
  for (VecX* x : {&shift_, &tried_rate_}) x->setZero(size_);
  right_.setZero(reduction_.unknowns());
  frame_matrix_.setZero(system.pattern().nonzeros());
}

// --- states ---

void IndexOne::take(const State& state) {
  q_ = state.q;
  v_ = state.v;
}

void IndexOne::read(const State& state, Result y, Result rate) const {
  for (std::size_t i = 0; i < own_.size(); ++i) {
    y[static_cast<Eigen::Index>(i)] = state.q[own_[i]];
    rate[static_cast<Eigen::Index>(i)] = state.v[own_[i]];
  }
  for (int b = 0; b < bodies(); ++b) {
    const Rotation& r = state.rotations[static_cast<std::size_t>(b)];
    const Vec4 p = euler::parameters(r.orientation);
    const bool known = !r.parameter_rate.isZero(0);  // at the start of a run only the angular velocity is
    y.segment<width>(reduction_.of_body(b)) = p;
    rate.segment<width>(reduction_.of_body(b)) = known ? r.parameter_rate : euler::rate(p, r.angular_velocity);
  }
}

// The parameters stay as they are: what they are off the unit sphere is the scheme's drift, not ours to hide.
void IndexOne::write(double t, const Numbers& y, const Numbers& rate, State& state) {
  place(t, y, rate);
  state.time = t;
  state.q = q_;
  state.v = v_;
  for (int b = 0; b < bodies(); ++b) {
    const Vec4 p = parameters(y, b), p_rate = parameters(rate, b);
    state.rotations[static_cast<std::size_t>(b)] = {euler::quaternion(p), euler::angular_velocity(p, p_rate), p_rate};
  }
  system_->settle(state.q);
}

void IndexOne::write_accelerations(double t, const Numbers& y, const Numbers& rate, const Numbers& acceleration, VecX& all) {
  place(t, y, rate);
  bend_frames(t, rate);
  all = given_;
  for (std::size_t i = 0; i < own_.size(); ++i) all[own_[i]] = acceleration[static_cast<Eigen::Index>(i)];
  for (int c = 0; c < system_->coordinates(); ++c)
    if (const int b = system_->body_of(c); b >= 0)
      all[c] += Eigen::Map<const Vec4>(reduction_.slope(c)).dot(parameters(acceleration, b));
}

double IndexOne::largest_turn(const Numbers& y0, const Numbers& y1) const {
  double worst = 0;
  for (int b = 0; b < bodies(); ++b) {
    const Vec4 p = parameters(y0, b).normalized(), r = parameters(y1, b).normalized();
    worst = std::max(worst, 4 * std::asin(std::min(1.0, 0.5 * std::min((p - r).norm(), (p + r).norm()))));
  }
  return worst;
}

// Frames and their levers d frame/dp; the part of a frame that follows p is A(p) e, linear in e.
void IndexOne::place(double t, const Numbers& y, const Numbers& rate) {
  for (std::size_t i = 0; i < own_.size(); ++i) q_[own_[i]] = y[static_cast<Eigen::Index>(i)];
  for (int b = 0; b < bodies(); ++b) {
    const RigidBody& body = system_->bodies()[static_cast<std::size_t>(b)];
    const Vec4 p = parameters(y, b);
    const Mat3 A = euler::matrix(p);
    const auto follow = [&](int first, const Vec3& e, const Vec3& origin) {
      q_.segment<3>(first) = origin + A * e;
      const euler::Mat34 slope = euler::slope(p, e);
      for (int i = 0; i < 3; ++i)
        for (double* to : {reduction_.lever(first + i), reduction_.slope(first + i)})
          Eigen::Map<Vec4>{to} = slope.row(i).transpose();
    };
    for (int k = 0; k < 3; ++k) follow(body.first + 3 + 3 * k, Vec3::Unit(k), Vec3::Zero());
    if (body.fixed_point) follow(body.first, body.centre, *body.fixed_point);
  }
  place_rates(rate);
  system_->prescribe_at(t, q_, v_);
}

void IndexOne::place_rates(const Numbers& rate) {
  for (std::size_t i = 0; i < own_.size(); ++i) v_[own_[i]] = rate[static_cast<Eigen::Index>(i)];
  for (int c = 0; c < system_->coordinates(); ++c)
    if (const int b = system_->body_of(c); b >= 0) v_[c] = Eigen::Map<const Vec4>(reduction_.slope(c)).dot(parameters(rate, b));
}

// --- accelerations ---

void IndexOne::find_forces(double t) {
  system_->internal_force_at(q_, v_, none_, force_);
  system_->load_at(t, q_, load_);
  system_->add_torques(t, q_, load_);
}

// The accelerations of everything at y'' = 0.
void IndexOne::bend_frames(double t, const Numbers& rate) {
  given_.setZero();
  for (int b = 0; b < bodies(); ++b) {
    const RigidBody& body = system_->bodies()[static_cast<std::size_t>(b)];
    const Mat3 bend = 2 * euler::matrix(parameters(rate, b));
    for (int k = 0; k < 3; ++k) given_.segment<3>(body.first + 3 + 3 * k) = bend.col(k);
    if (body.fixed_point) given_.segment<3>(body.first) = bend * body.centre;
  }
  system_->prescribe_acceleration(t, given_);
}

void IndexOne::add_mass(const Numbers& y) {
  double* matrix = solver_.values();
  for (std::size_t i = 0; i < own_.size(); ++i) matrix[diagonal_[i]] += system_->mass()[static_cast<std::size_t>(own_[i])];
  for (int b = 0; b < bodies(); ++b) {
    const euler::Mat4 mass = euler::mass(parameters(y, b), system_->bodies()[static_cast<std::size_t>(b)].inertia);
    for (int i = 0; i < width * width; ++i) matrix[mass_of_body_[static_cast<std::size_t>(b)][i]] += mass(i / width, i % width);
  }
}

// [M J^T; J 0], or with the identity for M, at the place that was written last.
bool IndexOne::factorise(const Numbers& y, bool by_mass) {
  frame_matrix_.setZero();
  system_->acceleration_rows(q_, v_, given_, frame_rows_, frame_matrix_.data());
  solver_.set_zero();
  double* matrix = solver_.values();
  reduction_.reduce(frame_matrix_.data(), matrix);
  for (int b = 0; b < bodies(); ++b)
    for (int i = 0; i < width; ++i) {
      const double entry = 2 * parameters(y, b)[i];
      matrix[norm_of_body_[static_cast<std::size_t>(b)][i]] += entry;
      matrix[norm_of_body_[static_cast<std::size_t>(b)][width + i]] += entry;
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

void IndexOne::find_gaps(const Numbers& y, const Numbers& rate) {
  const int outer = system_->multipliers();
  system_->gaps(q_, frame_rows_, row_size_);
  gap_.head(outer) = frame_rows_;
  system_->gap_rates(q_, v_, frame_rows_, row_size_);
  gap_rate_.head(outer) = frame_rows_;
  for (int b = 0; b < bodies(); ++b) {
    gap_[outer + b] = parameters(y, b).squaredNorm() - 1;
    gap_rate_[outer + b] = 2 * parameters(y, b).dot(parameters(rate, b));
  }
}

// phi'' at y'' = 0, where the system has just said its part of it.
void IndexOne::take_gamma(const Numbers& rate, VecX& gamma) const {
  const int outer = system_->multipliers();
  gamma.head(outer) = frame_rows_;
  for (int b = 0; b < bodies(); ++b) gamma[outer + b] = 2 * parameters(rate, b).squaredNorm();
}

NewtonEnd IndexOne::solve(double t, const Numbers& y, const Numbers& rate, Result acceleration) {
  place(t, y, rate);
  find_forces(t);
  for (std::size_t i = 0; i < own_.size(); ++i) right_[static_cast<Eigen::Index>(i)] = load_[own_[i]] - force_[own_[i]];
  if (rows() == 0) {
    for (std::size_t i = 0; i < own_.size(); ++i)
      acceleration[static_cast<Eigen::Index>(i)] =
          right_[static_cast<Eigen::Index>(i)] / system_->mass()[static_cast<std::size_t>(own_[i])];
    tally_powers();
    return acceleration.allFinite() ? NewtonEnd::converged : NewtonEnd::not_finite;
  }
  for (int b = 0; b < bodies(); ++b)
    right_.segment<width>(reduction_.of_body(b)) =
        euler::velocity_force(parameters(y, b), parameters(rate, b), system_->bodies()[static_cast<std::size_t>(b)].inertia);
  for (int c = 0; c < system_->coordinates(); ++c)
    if (const int b = system_->body_of(c); b >= 0)
      right_.segment<width>(reduction_.of_body(b)) += (load_[c] - force_[c]) * Eigen::Map<const Vec4>(reduction_.lever(c));
  find_gaps(y, rate);
  bend_frames(t, rate);
  if (!factorise(y, true)) return right_.head(size_).allFinite() ? NewtonEnd::singular : NewtonEnd::not_finite;
  take_gamma(rate, gamma_);
  const double a = stabilisation_.a, b = stabilisation_.b;
  right_.tail(rows()) = -gamma_ - 2 * a * gap_rate_ - b * b * gap_;
  solver_.solve(right_);
  acceleration = right_.head(size_);
  multipliers_ = right_.segment(size_, system_->multipliers());
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
