#include "trompo/scheme/consistent_start.hpp"

#include "trompo/math/so3.hpp"

#include <stdexcept>

namespace trompo {

ConsistentStart::ConsistentStart(const System& system)
    : system_(&system),
      reduction_(system, 3),
      plane_(system, reduction_, PlaneTurns::Axes::space),
      solver_(reduction_.pattern()) {
  for (VecX* v : {&a_, &bias_, &force_, &load_, &inertia_, &frame_force_}) v->setZero(system.coordinates());
  for (VecX* v : {&multipliers_, &rest_, &error_, &size_, &none_}) v->setZero(system.multipliers());
  right_.setZero(reduction_.unknowns());
  angular_.assign(system.bodies().size(), Vec3::Zero());
}

// A part d of a frame turns by theta x d, and a force on it has the moment d x f: lever and slope are the same.
template <class Use>
void ConsistentStart::each_part(const State& state, const Use& use) const {
  for (std::size_t b = 0; b < system_->bodies().size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    for (int k = 1; k <= 3; ++k) use(b, body.first + 3 * k, Vec3(state.q.segment<3>(body.first + 3 * k)));
    if (body.fixed_point) use(b, body.first, Vec3(state.q.segment<3>(body.first) - *body.fixed_point));
  }
}

bool ConsistentStart::factorise(const State& state) {
  each_part(state, [&](std::size_t, int first, const Vec3& d) {
    Eigen::Map<Mat3>(reduction_.lever(first)) = skew(d);
    Eigen::Map<Mat3>(reduction_.slope(first)) = skew(d);
  });
  solver_.set_zero();
  Assembly matrix;
  reduction_.direct(solver_.values(), matrix);
  reduction_.add_plain_mass(1, matrix);
  reduction_.add_axis_mass(1, solver_.values());
  system_->acceleration_rows(state.q, state.v, bias_, rest_, matrix);
  plane_.hold(solver_.values());
  return solver_.factorise();
}

// Forces, and accelerations as far as they do not depend on those of the unknowns: d'' = theta'' x d + Om x (Om x d).
void ConsistentStart::find_forces(const State& state) {
  system_->internal_force_at(state.q, state.v, none_, force_);
  system_->load_at(state.time, state.q, state.v, load_);
  bias_.setZero();
  system_->prescribe_acceleration(state.time, bias_);
  each_part(state, [&](std::size_t b, int first, const Vec3& d) {
    const Vec3 w = to_space(state.rotations[b].orientation, state.rotations[b].angular_velocity);
    bias_.segment<3>(first) = w.cross(w.cross(d));
  });
}

bool ConsistentStart::solve(const State& state) {
  find_forces(state);
  if (rest_.size() == 0 && angular_.empty()) {
    a_ = bias_;
    for (const int c : system_->free())
      if (system_->mass()[c] > 0) a_[c] = (load_[c] - force_[c]) / system_->mass()[c];
    return true;
  }
  return factorise(state) && solve_factorised(state);
}

bool ConsistentStart::solve_tangential(State& state) {
  if (rest_.size() == 0) return solve(state);
  if (!factorise(state)) return false;
  system_->constraint_error_rates(state.q, state.v, error_, size_);
  right_.setZero();
  right_.tail(rest_.size()) = -error_;
  solve_for_motion();
  change_velocities(state);
  find_forces(state);
  Assembly rows_alone;
  system_->acceleration_rows(state.q, state.v, bias_, rest_, rows_alone);
  return solve_factorised(state);
}

bool ConsistentStart::solve_factorised(const State& state) {
  system_->multiply_mass(bias_, inertia_);
  right_.setZero();
  for (int e = 0; e < system_->equations(); ++e)
    if (reduction_.of_equation(e) >= 0)
      right_[reduction_.of_equation(e)] = load_[system_->free()[e]] - force_[system_->free()[e]];
  each_part(state, [&](std::size_t b, int first, const Vec3& d) {
    const Vec3 f = load_.segment<3>(first) - force_.segment<3>(first) - inertia_.segment<3>(first);
    right_.segment<3>(reduction_.of_body(static_cast<int>(b))) += d.cross(f);
  });
  right_.tail(rest_.size()) = -rest_;
  solve_for_motion();
  a_ = bias_;
  spread(state, a_);
  multipliers_ = right_.tail(rest_.size());
  for (std::size_t b = 0; b < angular_.size(); ++b)
    angular_[b] = to_body(state.rotations[b].orientation, right_.segment<3>(reduction_.of_body(static_cast<int>(b))));
  find_frame_force(state);
  return right_.allFinite();
}

void ConsistentStart::change_velocities(State& state) const {
  spread(state, state.v);
  for (std::size_t b = 0; b < angular_.size(); ++b)
    state.rotations[b].angular_velocity +=
        to_body(state.rotations[b].orientation, right_.segment<3>(reduction_.of_body(static_cast<int>(b))));
  system_->write_frames(state);
}

// Adds what was solved for to the coordinates: turns become increments of frames.
void ConsistentStart::spread(const State& state, VecX& x) const {
  for (int e = 0; e < system_->equations(); ++e)
    if (reduction_.of_equation(e) >= 0) x[system_->free()[e]] += right_[reduction_.of_equation(e)];
  each_part(state, [&](std::size_t b, int first, const Vec3& d) {
    x.segment<3>(first) += Vec3(right_.segment<3>(reduction_.of_body(static_cast<int>(b)))).cross(d);
  });
}

// What is left on the parts of frames.
void ConsistentStart::find_frame_force(const State& state) {
  if (angular_.empty()) return;
  system_->internal_force_at(state.q, state.v, multipliers_, force_);
  system_->multiply_mass(a_, inertia_);
  each_part(state, [&](std::size_t, int first, const Vec3&) {
    frame_force_.segment<3>(first) = load_.segment<3>(first) - force_.segment<3>(first) - inertia_.segment<3>(first);
  });
}

VecX ConsistentStart::unreachable(const VecX& q, const VecX& rows) {
  if (!factorise({0, q, VecX::Zero(q.size())})) return VecX::Zero(rows.size());
  right_.setZero();
  right_.tail(rows.size()) = rows;
  solve_for_motion();
  return solver_.unreachable().tail(rows.size());
}

bool ConsistentStart::project(State& state) {
  if (rest_.size() == 0) return true;
  constexpr int most = 50;
  const auto step = [&](const VecX& defect) {  // the least change, weighed by the masses, that takes `defect` away
    if (!factorise(state)) return false;
    right_.setZero();
    right_.tail(defect.size()) = -defect;
    solve_for_motion();
    return right_.allFinite();
  };
  // What joints that contradict each other leave open whatever is done is not this one's to judge.
  VecX open = VecX::Zero(rest_.size());
  const auto note_open = [&] {
    if (solver_.unreachable().size() > 0) open = -solver_.unreachable().tail(open.size());
  };
  constexpr double share = 1e-6;  // to which that is known
  const auto closes = [&](double rounding) {
    return ((error_ - open).array().abs() <= rounding * size_.array() + share * open.array().abs()).all();
  };
  const auto turn_of = [&](std::size_t b) -> Vec3 { return right_.segment<3>(reduction_.of_body(static_cast<int>(b))); };
  bias_.setZero();
  bool closed = false;
  for (int i = 0; i < most && !closed; ++i) {
    system_->constraint_errors(state.q, error_, size_);
    closed = closes(4e-16);
    if (closed) break;
    if (!step(error_)) return false;
    note_open();
    spread(state, state.q);
    for (std::size_t b = 0; b < angular_.size(); ++b)
      state.rotations[b].orientation = composed(exponential_quaternion(turn_of(b)), state.rotations[b].orientation);
    system_->write_frames(state);
    // The last digits may never vanish: two steps beyond 1e-14 is the end.
    system_->constraint_errors(state.q, error_, size_);
    if (i > 2 && closes(1e-14)) closed = true;
  }
  if (!closed) return false;
  for (int i = 0; i < 2; ++i) {
    system_->constraint_error_rates(state.q, state.v, error_, size_);
    if (!step(error_)) return false;
    change_velocities(state);
  }
  return true;
}

VecX consistent_acceleration(const System& system, const State& state) {
  ConsistentStart start(system);
  if (!start.solve(state)) throw std::domain_error("the constraints do not determine their multipliers at the start");
  return start.acceleration();
}

}  // namespace trompo
