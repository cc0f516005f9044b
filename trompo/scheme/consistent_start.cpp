#include "trompo/scheme/consistent_start.hpp"

#include "trompo/math/so3.hpp"

#include <stdexcept>

namespace trompo {

ConsistentStart::ConsistentStart(const System& system) : system_(&system), solver_(system.pattern()) {
  for (VecX* v : {&a_, &force_, &load_}) v->setZero(system.coordinates());
  const int multipliers = system.multipliers() + system.inner_multipliers();
  for (VecX* v : {&all_, &rest_, &gap_, &size_, &none_}) v->setZero(multipliers);
  multipliers_.setZero(system.multipliers());
  right_.setZero(system.unknowns());
  angular_.assign(system.bodies().size(), Vec3::Zero());
}

bool ConsistentStart::factorise(const State& state) {
  solver_.set_zero();
  system_->add_mass(1, solver_.values());
  system_->acceleration_rows(state.q, state.v, a_, rest_, solver_.values());
  return solver_.factorise();
}

bool ConsistentStart::solve(const State& state) {
  system_->internal_force_at(state.q, state.v, none_, force_);
  system_->load_at(state.time, state.q, load_);
  system_->add_torques(state.time, state.q, load_);
  a_.setZero();
  system_->prescribe_acceleration(state.time, a_);
  if (rest_.size() == 0) {
    for (const int c : system_->free())
      if (system_->mass()[c] > 0) a_[c] = (load_[c] - force_[c]) / system_->mass()[c];
    return true;
  }
  if (!factorise(state)) return false;
  const int n = system_->equations();
  for (int e = 0; e < n; ++e) right_[e] = load_[system_->free()[e]] - force_[system_->free()[e]];
  right_.tail(rest_.size()) = -rest_;
  solver_.solve(right_);
  for (int e = 0; e < n; ++e) a_[system_->free()[e]] = right_[e];
  all_ = right_.tail(rest_.size());
  multipliers_ = all_.head(system_->multipliers());
  // Lam^T d'' = Om~ Om~ + (Om')~
  for (std::size_t b = 0; b < angular_.size(); ++b) {
    const Rotation& r = state.rotations[b];
    const Mat3 w = skew(r.angular_velocity);
    const Eigen::Map<const Mat3> bend(a_.data() + system_->bodies()[b].first + 3);
    angular_[b] = axial(Mat3(to_matrix(r.orientation).transpose() * bend - w * w));
  }
  return right_.allFinite();
}

bool ConsistentStart::project(State& state) {
  if (rest_.size() == 0) return true;
  constexpr int most = 50;
  const int n = system_->equations();
  const auto step = [&](const VecX& defect, VecX& x) {  // the least change, weighed by the masses, that takes `defect` away
    if (!factorise(state)) return false;
    right_.setZero();
    right_.tail(defect.size()) = -defect;
    solver_.solve(right_);
    for (int e = 0; e < n; ++e) x[system_->free()[e]] += right_[e];
    return right_.allFinite();
  };
  a_.setZero();
  bool closed = false;
  for (int i = 0; i < most && !closed; ++i) {
    system_->gaps(state.q, gap_, size_);
    closed = (gap_.array().abs() <= 4e-16 * size_.array()).all();
    if (closed) break;
    if (!step(gap_, state.q)) return false;
    // The last digits may never vanish: two steps beyond 1e-14 is the end.
    system_->gaps(state.q, gap_, size_);
    if (i > 2 && (gap_.array().abs() <= 1e-14 * size_.array()).all()) closed = true;
  }
  if (!closed) return false;
  for (int i = 0; i < 2; ++i) {
    system_->gap_rates(state.q, state.v, gap_, size_);
    if (!step(gap_, state.v)) return false;
  }
  system_->read_rotations(state);
  system_->write_frames(state);
  return true;
}

VecX consistent_acceleration(const System& system, const State& state) {
  ConsistentStart start(system);
  if (!start.solve(state)) throw std::domain_error("the constraints do not determine their multipliers at the start");
  return start.acceleration();
}

}  // namespace trompo
