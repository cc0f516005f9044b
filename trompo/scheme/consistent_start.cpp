#include "trompo/scheme/consistent_start.hpp"

#include <Eigen/LU>
#include <stdexcept>

namespace trompo {

ConsistentStart::ConsistentStart(const System& system) : system_(&system), solver_(system.pattern()) {
  for (VecX* v : {&a_, &force_, &load_}) v->setZero(system.coordinates());
  for (VecX* v : {&multipliers_, &rest_, &gap_, &size_}) v->setZero(system.multipliers());
  right_.setZero(system.unknowns());
  torque_.assign(system.bodies().size(), Vec3::Zero());
  angular_ = torque_;
}

bool ConsistentStart::factorise(const State& state) {
  solver_.set_zero();
  for (int e = 0; e < system_->equations(); ++e)
    solver_.values()[system_->diagonal()[e]] += system_->mass()[system_->free()[e]];
  system_->acceleration_rows(state.q, state.v, a_, rest_, solver_.values());
  return solver_.factorise();
}

bool ConsistentStart::solve(const State& state) {
  multipliers_.setZero();
  system_->internal_force_at(state.q, state.v, multipliers_, force_);
  system_->load_at(state.time, state.q, load_);
  a_.setZero();
  system_->prescribe_acceleration(state.time, a_);
  // With bodies the multipliers are left to the first step, and the accelerations recorded at the start do not know of them.
  if (system_->multipliers() == 0 || !system_->bodies().empty()) {
    for (const int c : system_->free())
      if (system_->mass()[c] > 0) a_[c] = (load_[c] - force_[c]) / system_->mass()[c];
    rotate(state);
    return true;
  }
  if (!factorise(state)) return false;
  const int n = system_->equations();
  for (int e = 0; e < n; ++e) right_[e] = load_[system_->free()[e]] - force_[system_->free()[e]];
  right_.tail(system_->multipliers()) = -rest_;
  solver_.solve(right_);
  for (int e = 0; e < n; ++e) a_[system_->free()[e]] = right_[e];
  multipliers_ = right_.tail(system_->multipliers());
  return right_.allFinite();
}

// J Om' = t - Om x J Om - moment of the frame forces
void ConsistentStart::rotate(const State& state) {
  if (system_->bodies().empty()) return;
  system_->torque_at(state.time, torque_);
  for (std::size_t b = 0; b < torque_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    const Rotation& r = state.rotations[b];
    const Vec3 moment = body.moment(to_matrix(r.orientation), load_ - force_) + torque_[b];
    const Vec3 w = r.angular_velocity;
    angular_[b] = body.inertia.inverse() * (moment - w.cross(body.inertia * w));
    body.write_accelerations(r, angular_[b], a_);
  }
}

bool ConsistentStart::project(State& state) {
  if (system_->multipliers() == 0) return true;
  if (!system_->bodies().empty()) return false;
  constexpr int most = 50;
  const int n = system_->equations();
  const auto step = [&](const VecX& defect, VecX& x) {  // the least change, weighed by the masses, that takes `defect` away
    if (!factorise(state)) return false;
    right_.setZero();
    right_.tail(system_->multipliers()) = -defect;
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
  return true;
}

VecX consistent_acceleration(const System& system, const State& state) {
  ConsistentStart start(system);
  if (!start.solve(state)) throw std::domain_error("the constraints do not determine their multipliers at the start");
  return start.acceleration();
}

}  // namespace trompo
