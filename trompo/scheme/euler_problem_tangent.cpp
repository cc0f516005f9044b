// The iteration matrix of a step in Euler parameters: exact.
#include "trompo/scheme/euler_problem.hpp"

namespace trompo {

using euler::Mat4;
using euler::Vec4;

void EulerProblem::linearise() {
  if (system_->dampers()) linearise_dampers();
  coordinates_.reduction().add_plain_mass(shares_.new_inertia * kinematics_.acceleration_slope, assembly_);
  for (int b = 0; b < coordinates_.bodies(); ++b) {
    const Slots& slots = slots_[static_cast<std::size_t>(b)];
    const Mat4 own = body_tangent(b);
    for (int i = 0; i < 16; ++i) solver_.values()[slots.own[i]] += own(i / 4, i % 4);
    const Vec4 normal = 2 * assembly_.constraint_scale * coordinates_.p(b, new_.y);
    for (int i = 0; i < 4; ++i) {
      solver_.values()[slots.norm[i]] += normal[i];
      solver_.values()[slots.reaction[i]] += new_force() * normal[i];
    }
  }
}

// v = D(p) p' changes with p itself too, by D(p') dp. The matrix of the rates alone is what dampers at rest have: their forces
// are linear in the rates, so that nothing is left of their slope in the places.
void EulerProblem::linearise_dampers() {
  coordinates_.place_slopes(new_.rate);
  coordinates_.reduction().direct(solver_.values(), damper_assembly_);
  damper_assembly_.only_turning = true;
  system_->resist_between(rule_, {old_.q, new_.q, at_rest_, at_rest_, h_, 1}, damper_assembly_);
}

// What frames do not know of: inertia, the bending of the levers, the norm, torques in body axes.
Mat4 EulerProblem::body_tangent(int b) const {
  const RigidBody& body = coordinates_.body(b);
  const Mat3& J = body.inertia;
  const Vec4 p = coordinates_.p(b, new_.y), rate = coordinates_.p(b, new_.rate), a = coordinates_.p(b, new_.acceleration);
  Mat4 inertia = kinematics_.acceleration_slope * euler::mass(p, J) + euler::mass_slope(p, a, J);
  Mat4 force = euler::velocity_slope(rate, J) + kinematics_.rate_slope * euler::velocity_rate_slope(p, rate, J);
  force += 2 * new_.norm_multiplier[b] * Mat4::Identity();
  for (int j = 0; j < 4; ++j)
    force.col(j) -= 2 * euler::L(Vec4::Unit(j)).transpose() * new_.torque[static_cast<std::size_t>(b)];
  Mat4 sum = shares_.new_inertia * inertia + new_force() * force;
  EulerCoordinates::each_axis(body, [&](int first, const Vec3& e) { sum += euler::bend(e, frame_force_.segment<3>(first)); });
  return sum;
}

Eigen::MatrixXd EulerProblem::tangent() {
  const Pattern& pattern = coordinates_.reduction().pattern();
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(pattern.size(), pattern.size());
  VecX row = VecX::Zero(pattern.size());
  for (int i = 0; i < pattern.size(); ++i) {
    pattern.transposed_product(solver_.values(), VecX::Unit(pattern.size(), i), row);
    full.row(i) = row.transpose();
  }
  return full;
}

}  // namespace trompo
