#include "trompo/scheme/rotation_steps.hpp"

namespace trompo {

RotationSteps::RotationSteps(const System& system) : system_(&system) {
  const std::size_t n = system.bodies().size();
  old_.resize(n);
  new_.resize(n);
  for (auto* v : {&c_, &momentum0_, &torque0_, &torque1_, &torque_}) v->assign(n, Vec3::Zero());
  lever_.assign(static_cast<std::size_t>(system.coordinates()), Vec3::Zero());
  slope_ = lever_;

  struct Side {
    int coordinate, first, count;
  };
  const auto side = [&system](int frame_unknown) -> Side {
    if (frame_unknown >= system.equations()) {
      const int multiplier = frame_unknown - system.equations();
      return {-1, system.unknowns() - system.multipliers() + multiplier, 1};
    }
    if (system.unknown_of_equation(frame_unknown) >= 0) return {-1, system.unknown_of_equation(frame_unknown), 1};
    const int coordinate = system.free()[frame_unknown];
    return {coordinate, system.unknown_of_body(system.body_of(coordinate)), 3};
  };
  for (const auto& [row, column] : system.frame_entries()) {
    const Side r = side(row), c = side(column);
    Entry entry{system.frame_pattern().slot(row, column), r.coordinate, c.coordinate, {}};
    for (int i = 0; i < r.count; ++i)
      for (int j = 0; j < c.count; ++j) entry.to[i * c.count + j] = system.pattern().slot(r.first + i, c.first + j);
    entries_.push_back(entry);
  }
  for (std::size_t b = 0; b < n; ++b) {
    const int first = system.unknown_of_body(static_cast<int>(b));
    auto& own = own_.emplace_back();
    for (int i = 0; i < 9; ++i) own[i] = system.pattern().slot(first + i / 3, first + i % 3);
  }
}

void RotationSteps::restart(const State& state) { system_->torque_at(state.time, torque0_); }

void RotationSteps::open(const State& state, double t1, double rate, double kappa) {
  h_ = t1 - state.time;
  rate_ = rate;
  kappa_ = kappa;
  system_->torque_at(t1, torque1_);
  for (std::size_t b = 0; b < old_.size(); ++b) {
    old_[b] = state.rotations[b];
    momentum0_[b] = system_->bodies()[b].inertia * old_[b].angular_velocity;
    c_[b] = 0.5 * h_ * old_[b].angular_velocity;
    torque_[b] = 0.5 * (torque0_[b] + torque1_[b]);
  }
  refresh();
}

// Om1 = 2 rate c + (1 - 2/kappa) Om0
void RotationSteps::refresh() {
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    new_[b].orientation = composed(old_[b].orientation, cayley_quaternion(c_[b]));
    new_[b].angular_velocity = 2 * rate_ * c_[b] + (1 - 2 / kappa_) * old_[b].angular_velocity;
    const Mat3 R0 = to_matrix(old_[b].orientation), R1 = to_matrix(new_[b].orientation), mean = 0.5 * (R0 + R1);
    const Mat3 T = cayley_tangent(c_[b]), inverse = (Mat3::Identity() - skew(c_[b])) * R0.transpose();
    // Part k of the frame is Lam e_k; a force on its component i has the moment (mean of the part) x (unit vector i).
    const auto part = [&](int first, const Vec3& e) {
      const Mat3 slope = -R1 * skew(e) * T, lever = inverse * skew(mean * e);
      for (int i = 0; i < 3; ++i) {
        lever_[static_cast<std::size_t>(first + i)] = lever.col(i);
        slope_[static_cast<std::size_t>(first + i)] = slope.row(i).transpose();
      }
    };
    for (int k = 0; k < 3; ++k) part(body.first + 3 + 3 * k, Vec3::Unit(k));
    if (body.fixed_point) part(body.first, body.centre);
  }
}

void RotationSteps::write(VecX& q1) const {
  for (std::size_t b = 0; b < new_.size(); ++b) system_->bodies()[b].write_frame(new_[b], q1);
}
void RotationSteps::write_rates(VecX& v1) const {
  for (std::size_t b = 0; b < new_.size(); ++b) system_->bodies()[b].write_rates(new_[b], v1);
}

void RotationSteps::reduce_residual(const VecX& frame_residual, const VecX& frame_size, VecX& residual, VecX& size) {
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    // The momentum of the new end is J times the velocity that will be stored: nothing drifts then.
    const Vec3 momentum1 = body.inertia * new_[b].angular_velocity;
    const Vec3 gyroscopic = (2 / h_ * c_[b]).cross(0.5 * (momentum0_[b] + momentum1));
    Vec3 moment = (momentum1 - momentum0_[b]) / h_ + gyroscopic - torque_[b];
    double scale = (momentum1.norm() + momentum0_[b].norm()) / h_ + gyroscopic.norm() + torque_[b].norm();
    const int begin = body.first + (body.fixed_point ? 0 : 3), end = body.first + RigidBody::coordinates;
    for (int c = begin; c < end; ++c) {
      moment += frame_residual[c] * lever_[static_cast<std::size_t>(c)];
      scale += frame_size[c] * lever_[static_cast<std::size_t>(c)].norm();
    }
    const int first = system_->unknown_of_body(static_cast<int>(b));
    residual.segment<3>(first) = moment;
    size.segment<3>(first).setConstant(scale);
  }
}

void RotationSteps::reduce_tangent(const VecX& frame_residual, const double* frame_tangent, double* tangent) {
  for (const Entry& entry : entries_) {
    const double a = frame_tangent[entry.slot];
    if (a == 0) continue;
    if (entry.row < 0 && entry.column < 0) {
      tangent[entry.to[0]] += a;
    } else if (entry.row < 0) {
      for (int j = 0; j < 3; ++j) tangent[entry.to[j]] += a * slope_[static_cast<std::size_t>(entry.column)][j];
    } else if (entry.column < 0) {
      for (int i = 0; i < 3; ++i) tangent[entry.to[i]] += a * lever_[static_cast<std::size_t>(entry.row)][i];
    } else {
      const Vec3 lever = a * lever_[static_cast<std::size_t>(entry.row)];
      const Vec3& slope = slope_[static_cast<std::size_t>(entry.column)];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) tangent[entry.to[3 * i + j]] += lever[i] * slope[j];
    }
  }
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    const Mat3 R0 = to_matrix(old_[b].orientation), R1 = to_matrix(new_[b].orientation), A = 0.5 * (R0 + R1);
    const Mat3 T = cayley_tangent(c_[b]), inverse = (Mat3::Identity() - skew(c_[b])) * R0.transpose();
    Vec3 moment = Vec3::Zero();  // of the frame residual, in space
    const Vec3 spin = 2 / h_ * c_[b], mean = 0.5 * (momentum0_[b] + body.inertia * new_[b].angular_velocity);
    // d(momentum)/h, d(spin x mean momentum), and the levers that turn with the mean frame
    Mat3 own = 2 * rate_ / h_ * body.inertia + rate_ * skew(spin) * body.inertia - 2 / h_ * skew(mean);
    const auto turn = [&](int first, const Vec3& e) {
      const Vec3 f = frame_residual.segment<3>(first);
      moment += (A * e).cross(f);
      own += 0.5 * inverse * skew(f) * R1 * skew(e) * T;
    };
    for (int k = 0; k < 3; ++k) turn(body.first + 3 + 3 * k, Vec3::Unit(k));
    if (body.fixed_point) turn(body.first, body.centre);
    own += skew(R0.transpose() * moment);
    for (int i = 0; i < 9; ++i) tangent[own_[b][i]] += own(i / 3, i % 3);
  }
}

double RotationSteps::update(const VecX& increment) {
  double worst = 0;
  for (std::size_t b = 0; b < c_.size(); ++b) {
    const Vec3 dc = increment.segment<3>(system_->unknown_of_body(static_cast<int>(b)));
    c_[b] -= dc;
    worst = std::max(worst, 2 * dc.norm() / (1 + c_[b].squaredNorm()));
  }
  refresh();
  return worst;
}

double RotationSteps::largest_angle() const {
  double most = 0;
  for (const Vec3& c : c_) most = std::max(most, 2 * std::atan(c.norm()));
  return most;
}

double RotationSteps::damped(double alpha) const {
  double sum = 0;
  for (std::size_t b = 0; b < c_.size(); ++b) {
    const Vec3 d = new_[b].angular_velocity - old_[b].angular_velocity;
    sum += 0.5 * alpha * d.dot(system_->bodies()[b].inertia * d);
  }
  return sum;
}

double RotationSteps::torque_work() const {
  double sum = 0;
  for (std::size_t b = 0; b < c_.size(); ++b) sum += torque_[b].dot(2 * c_[b]);
  return sum;
}

}  // namespace trompo
