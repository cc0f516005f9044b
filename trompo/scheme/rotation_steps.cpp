#include "trompo/scheme/rotation_steps.hpp"

#include "trompo/math/so3.hpp"

namespace trompo {

RotationSteps::RotationSteps(const System& system)
    : system_(&system), directors_(system.formulation() == Formulation::directors), reduction_(system, 3) {
  const std::size_t n = system.bodies().size();
  old_.resize(n);
  new_.resize(n);
  turn_.resize(n);
  for (auto* v : {&c_, &momentum0_, &torque0_, &torque1_, &torque_}) v->assign(n, Vec3::Zero());
}

void RotationSteps::restart(const State& state) {
  system_->torque_at(state.time, torque0_);
  const auto n = 3 * std::ssize(old_);
  trend_.restart(n);
  for (VecX* v : {&spin0_, &spin1_}) v->setZero(n);
}

void RotationSteps::close() {
  torque0_.swap(torque1_);
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(3 * b);
    spin0_.segment<3>(at) = old_[b].angular_velocity;
    spin1_.segment<3>(at) = new_[b].angular_velocity;
  }
  trend_.note(spin0_, spin1_, h_);
}

void RotationSteps::open(const State& state, double t1, double rate, double kappa, bool by_velocity, bool by_trend) {
  h_ = t1 - state.time;
  rate_ = rate;
  kappa_ = kappa;
  system_->torque_at(t1, torque1_);
  for (std::size_t b = 0; b < old_.size(); ++b) {
    old_[b] = state.rotations[b];
    momentum0_[b] = system_->bodies()[b].inertia * old_[b].angular_velocity;
    c_[b] = by_velocity ? Vec3(0.5 * h_ * old_[b].angular_velocity) : Vec3(Vec3::Zero());
    if (by_trend) c_[b] += 0.25 * h_ * h_ * trend_.ahead().segment<3>(static_cast<Eigen::Index>(3 * b));
    torque_[b] = 0.5 * (torque0_[b] + torque1_[b]);
    turn_[b].R0 = to_matrix(old_[b].orientation);
  }
  refresh();
}

// use(first coordinate, e) for every part Lam e of a frame that follows the rotation
template <class Use>
void RotationSteps::each_part(const RigidBody& body, const Use& use) {
  for (int k = 0; k < 3; ++k) use(body.first + 3 + 3 * k, Vec3(Vec3::Unit(k)));
  if (body.fixed_point) use(body.first, body.centre);
}

void RotationSteps::refresh() {
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const Vec3& c = c_[b];
    Turn& turn = turn_[b];
    new_[b].orientation = composed(old_[b].orientation, cayley_quaternion(c));
    if (!directors_) new_[b].angular_velocity = 2 * rate_ * c + (1 - 2 / kappa_) * old_[b].angular_velocity;
    const Mat3 spin = skew(c);
    turn.R1 = to_matrix(new_[b].orientation);
    turn.mean = 0.5 * (turn.R0 + turn.R1);
    turn.inverse = turn.R0.transpose() - spin * turn.R0.transpose();
    turn.increment = turn.R0 * (2 / (1 + c.squaredNorm()) * (spin + spin * spin));
  }
}

// Part k of the frame is Lam e_k; a force on its component i has the moment (mean of the part) x (unit vector i).
void RotationSteps::place_levers() {
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const Turn& turn = turn_[b];
    const Mat3 tangent = turn.R1 * cayley_tangent(c_[b]);  // of a turn in space
    each_part(system_->bodies()[b], [&](int first, const Vec3& e) {
      Eigen::Map<Mat3>(reduction_.lever(first)).noalias() = turn.inverse * skew(turn.mean * e);
      Eigen::Map<Mat3>(reduction_.slope(first)).noalias() = -(skew(turn.R1 * e) * tangent).transpose();
    });
  }
}

void RotationSteps::write(VecX& q1, VecX& shift) const {
  for (std::size_t b = 0; b < new_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    body.write_frame(new_[b], q1);
    for (int k = 0; k < 3; ++k) shift.segment<3>(body.first + 3 + 3 * k) = turn_[b].increment.col(k);
    if (body.fixed_point) shift.segment<3>(body.first) = turn_[b].increment * body.centre;
  }
}

void RotationSteps::match_velocities(VecX& v1) {
  for (std::size_t b = 0; b < new_.size(); ++b) {
    if (directors_)
      new_[b].angular_velocity = system_->spin(static_cast<int>(b), v1, new_[b].orientation);
    else
      system_->bodies()[b].write_rates(new_[b], v1);
  }
}

void RotationSteps::reduce_residual(const VecX& frame_residual, const VecX& frame_size, VecX& residual, VecX& size) const {
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    Vec3 moment = -torque_[b];
    double scale = torque_[b].norm();
    if (!directors_) {
      // The momentum of the new end is J times the velocity that will be stored: nothing drifts then.
      const Vec3 momentum1 = body.inertia * new_[b].angular_velocity;
      const Vec3 gyroscopic = (2 / h_ * c_[b]).cross(0.5 * (momentum0_[b] + momentum1));
      moment += (momentum1 - momentum0_[b]) / h_ + gyroscopic;
      scale += (momentum1.norm() + momentum0_[b].norm()) / h_ + gyroscopic.norm();
    }
    Vec3 in_space = Vec3::Zero();
    each_part(body, [&](int part, const Vec3& e) {
      in_space += (turn_[b].mean * e).cross(Vec3(frame_residual.segment<3>(part)));
      scale += e.norm() * frame_size.segment<3>(part).sum();
    });
    moment += turn_[b].inverse * in_space;
    const int first = reduction_.of_body(static_cast<int>(b));
    residual.segment<3>(first) = moment;
    size.segment<3>(first).setConstant(scale);
  }
}

void RotationSteps::add_tangent(const VecX& frame_residual, double inertia, double* tangent) const {
  if (directors_) reduction_.add_axis_mass(inertia, tangent);
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    const Turn& turn = turn_[b];
    // The levers turn with the mean frame: half of f x (R1 e x ..) for every part, and the moment itself with A^-1.
    Vec3 moment = Vec3::Zero();  // of the frame residual, in space
    Mat3 bend = Mat3::Zero();
    each_part(body, [&](int first, const Vec3& e) {
      const Vec3 f = frame_residual.segment<3>(first), d = turn.R1 * e;
      moment += (turn.mean * e).cross(f);
      bend += d * f.transpose() - f.dot(d) * Mat3::Identity();  // f~ d~
    });
    Mat3 own = 0.5 * turn.inverse * bend * (turn.R1 * cayley_tangent(c_[b])) + skew(turn.R0.transpose() * moment);
    if (!directors_) {
      const Vec3 spin = 2 / h_ * c_[b], mean = 0.5 * (momentum0_[b] + body.inertia * new_[b].angular_velocity);
      own += 2 * rate_ / h_ * body.inertia + rate_ * skew(spin) * body.inertia - 2 / h_ * skew(mean);
    }
    reduction_.add_own(static_cast<int>(b), own, tangent);
  }
}

double RotationSteps::update(const VecX& increment) {
  double worst = 0;
  for (std::size_t b = 0; b < c_.size(); ++b) {
    const Vec3 dc = increment.segment<3>(reduction_.of_body(static_cast<int>(b)));
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
  for (std::size_t b = 0; b < c_.size() && !directors_; ++b) {
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
