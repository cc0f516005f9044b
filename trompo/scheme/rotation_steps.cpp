#include "trompo/scheme/rotation_steps.hpp"

#include "trompo/math/so3.hpp"
#include "trompo/scheme/consistent_start.hpp"

namespace trompo {

RotationSteps::RotationSteps(const System& system, const Rule& rule, FrameReduction& unknowns)
    : BodySteps(system, rule, unknowns),
      interval_(rule.tense == Rule::Tense::interval),
      directors_(!interval_ || system.formulation() == Formulation::directors),
      plane_(system, unknowns, PlaneTurns::Axes::body),
      share_(interval_                                   ? 0.5
             : rule.kind == Rule::Kind::endpoint_average ? 1.0
                                                         : 1 - rule.old_weight) {
  const std::size_t n = system.bodies().size();
  for (auto* v : {&c_, &momentum0_, &torque0_, &torque1_, &torque_, &moment0_, &moment1_, &felt_torque_, &felt_moment_})
    v->assign(n, Vec3::Zero());
  for (VecX* v : {&spin0_, &spin1_}) v->setZero(static_cast<Eigen::Index>(3 * n));
  frame_force0_.setZero(system.coordinates());
  trend_.restart(spin0_.size());
}

void RotationSteps::restart(const State& state, const VecX& /*acceleration*/) {
  trend_.restart(spin0_.size());
  if (old_weight_ == 0) return;
  ConsistentStart start(*system_);
  if (start.solve(state)) frame_force0_ = start.frame_force();
}

void RotationSteps::take(const State& state) {
  if (!interval_) return;
  system_->torque_at(state.time, torque0_);
  system_->moment_at(state.time, moment0_);
}

void RotationSteps::memory(const Memory& memory) {
  trend_.memory("spins", memory);
  if (old_weight_ != 0) memory("forces on axes", frame_force0_);
}

void RotationSteps::keep_old(const VecX& /*load*/, VecX& force) {
  if (old_weight_ != 0) force += frame_force0_;
}

// What the equations of the axes leave over is (1 - w) times the force of the new end, that of the old one being in them.
void RotationSteps::close(const FrameStep& step) {
  if (old_weight_ != 0) frame_force0_ = -step.residual / (1 - old_weight_);
  torque0_.swap(torque1_);
  moment0_.swap(moment1_);
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const auto at = static_cast<Eigen::Index>(3 * b);
    spin0_.segment<3>(at) = old_[b].angular_velocity;
    spin1_.segment<3>(at) = new_[b].angular_velocity;
  }
  trend_.note(spin0_, spin1_, h_);
}

void RotationSteps::open(const State& state, double t1, const BodyMotion& motion) {
  h_ = t1 - state.time;
  rate_ = motion.rate;
  kappa_ = motion.kappa;
  if (interval_) {  // elsewhere they are among the loads
    system_->torque_at(t1, torque1_);
    system_->moment_at(t1, moment1_);
  }
  for (std::size_t b = 0; b < old_.size(); ++b) {
    old_[b] = state.rotations[b];
    momentum0_[b] = system_->bodies()[b].inertia * old_[b].angular_velocity;
    c_[b] = motion.search == Search::from_rest ? Vec3(Vec3::Zero()) : Vec3(0.5 * h_ * old_[b].angular_velocity);
    if (motion.search == Search::by_trend)
      c_[b] += 0.25 * h_ * h_ * trend_.ahead().segment<3>(static_cast<Eigen::Index>(3 * b));
    felt_torque_[b].setZero();
    felt_moment_[b].setZero();
  }
  sum_torques(state.q);
}

// A moment is brought along by A^-1, so that the angular momentum gains h times it, whatever the turn; its work is m.(2 c).
void RotationSteps::sum_torques(const VecX& q0) {
  const bool moments = system_->moments() || system_->feels_rates();
  for (std::size_t b = 0; b < old_.size(); ++b) {
    torque_[b] = 0.5 * (torque0_[b] + torque1_[b]) + felt_torque_[b];
    if (moments) torque_[b] += from_space(b, q0) * moment_of(b);
  }
}

namespace {

Mat3 axes_of(const RigidBody& body, const VecX& q) { return Eigen::Map<const Mat3>(q.data() + body.first + 3); }

// use(first coordinate, d, d1) for every part of a frame that follows the rotation: where its lever is, `share` of the way from
// the old end to the new one, and at the new one
template <class Use>
void each_part(const RigidBody& body, double share, const VecX& q0, const VecX& q1, const Use& use) {
  const auto part = [&](int first, const Vec3& d0, const Vec3& d1) { use(first, Vec3((1 - share) * d0 + share * d1), d1); };
  for (int k = 1; k <= 3; ++k) {
    const int first = body.first + 3 * k;
    part(first, q0.segment<3>(first), q1.segment<3>(first));
  }
  if (body.fixed_point)
    part(body.first, q0.segment<3>(body.first) - *body.fixed_point, q1.segment<3>(body.first) - *body.fixed_point);
}

}  // namespace

void RotationSteps::write(const VecX& q0, const VecX& lead, VecX& q1, VecX& shift) {
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    const Vec3 c = c_[b] = plane_.kept(b, c_[b]);
    new_[b].orientation = composed(old_[b].orientation, cayley_quaternion(c));
    if (!directors_) new_[b].angular_velocity = plane_.kept(b, 2 * rate_ * c + (1 - 2 / kappa_) * old_[b].angular_velocity);
    body.write_frame(new_[b], q1);
    const Mat3 spin = skew(c);
    const Mat3 increment = axes_of(body, q0) * (2 / (1 + c.squaredNorm()) * (spin + spin * spin));
    Eigen::Map<Mat3>(shift.data() + body.first + 3) = increment - axes_of(body, lead);
    if (body.fixed_point) shift.segment<3>(body.first) = increment * body.centre - lead.segment<3>(body.first);
  }
  if (system_->moments()) sum_torques(q0);
}

// A force on component i of a part of the frame has the moment (lever of the part) x (unit vector i).
void RotationSteps::place_levers(const VecX& q0, const VecX& q1) {
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    const Mat3 tangent = axes_of(body, q1) * cayley_tangent(c_[b]);  // of a turn in space
    const Mat3 inverse = from_space(b, q0);
    each_part(body, share_, q0, q1, [&](int first, const Vec3& d, const Vec3& d1) {
      Eigen::Map<Mat3>(unknowns_->lever(first)).noalias() = inverse * skew(d);
      Eigen::Map<Mat3>(unknowns_->slope(first)).noalias() = -(skew(d1) * tangent).transpose();
    });
  }
}

// A^-1 = (1 - c~) Lam0^T
Mat3 RotationSteps::from_space(std::size_t b, const VecX& q0) const {
  const Mat3 back = axes_of(system_->bodies()[b], q0).transpose();
  if (!interval_) return back;
  return back - skew(c_[b]) * back;
}

void RotationSteps::push(const VecX& q0, const std::vector<Vec3>& torque, const std::vector<Vec3>& moment) {
  felt_torque_ = torque;
  felt_moment_ = moment;
  sum_torques(q0);
}

void RotationSteps::bring_moments(const VecX& q0, std::vector<Mat3>& back) const {
  for (std::size_t b = 0; b < old_.size(); ++b) back[b] = from_space(b, q0);
}

void RotationSteps::match_velocities(VecX& v1) {
  for (std::size_t b = 0; b < new_.size(); ++b) {
    if (directors_)
      new_[b].angular_velocity = system_->spin(static_cast<int>(b), v1, new_[b].orientation);
    else
      system_->bodies()[b].write_rates(new_[b], v1);
  }
}

void RotationSteps::reduce_residual(const FrameStep& step, VecX& residual, VecX& size) const {
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
    each_part(body, share_, step.q0, step.q1, [&](int part, const Vec3& d, const Vec3& d1) {
      in_space += d.cross(Vec3(step.residual.segment<3>(part)));
      scale += d1.norm() * step.size.segment<3>(part).sum();
    });
    moment += from_space(b, step.q0) * in_space;
    const int first = unknowns_->of_body(static_cast<int>(b));
    residual.segment<3>(first) = moment;
    size.segment<3>(first).setConstant(scale);
  }
  plane_.hold(residual);
}

void RotationSteps::add_tangent(const FrameStep& step, double factor, double* tangent) const {
  if (directors_) unknowns_->add_axis_mass(factor, tangent);
  for (std::size_t b = 0; b < old_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    // The levers turn with their share of the new frame: f x (R1 e x ..) for every part; and the moment itself with A^-1.
    Vec3 moment = Vec3::Zero();  // of the frame residual, in space
    Mat3 bend = Mat3::Zero();
    each_part(body, share_, step.q0, step.q1, [&](int first, const Vec3& d, const Vec3& d1) {
      const Vec3 f = step.residual.segment<3>(first);
      moment += d.cross(f);
      bend += d1 * f.transpose() - f.dot(d1) * Mat3::Identity();  // f~ d~
    });
    Mat3 own = share_ * from_space(b, step.q0) * bend * (axes_of(body, step.q1) * cayley_tangent(c_[b]));
    if (interval_) own += skew(axes_of(body, step.q0).transpose() * (moment - moment_of(b)));
    if (!directors_) {
      const Vec3 spin = 2 / h_ * c_[b], mean = 0.5 * (momentum0_[b] + body.inertia * new_[b].angular_velocity);
      own += 2 * rate_ / h_ * body.inertia + rate_ * skew(spin) * body.inertia - 2 / h_ * skew(mean);
    }
    unknowns_->add_own(static_cast<int>(b), own, tangent);
  }
  plane_.hold(tangent);
}

double RotationSteps::update(const VecX& increment, double /*constraint_scale*/) {
  double worst = 0;
  for (std::size_t b = 0; b < c_.size(); ++b) {
    const Vec3 dc = increment.segment<3>(unknowns_->of_body(static_cast<int>(b)));
    c_[b] -= dc;
    worst = std::max(worst, 2 * dc.norm() / (1 + c_[b].squaredNorm()));
  }
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

void RotationSteps::add_energy(const FrameStep& step, StepEnergy& energy) const {
  for (std::size_t b = 0; b < c_.size(); ++b) {
    energy.load_work += torque_[b].dot(2 * c_[b]);
    if (interval_) continue;
    // Work of the forces that keep frames at right angles.
    each_part(system_->bodies()[b], 1, step.q0, step.q1, [&](int first, const Vec3&, const Vec3&) {
      energy.numerical += (old_weight_ * frame_force0_.segment<3>(first) - step.residual.segment<3>(first))
                              .dot(step.q1.segment<3>(first) - step.q0.segment<3>(first));
    });
  }
}

}  // namespace trompo
