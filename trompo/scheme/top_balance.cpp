#include "trompo/scheme/top_balance.hpp"

#include "trompo/math/so3.hpp"
#include "trompo/scheme/verdict.hpp"

namespace trompo {

PotentialValue TopBalance::Curve::at(double z) const {
  PotentialValue sum;
  for (const Formula& formula : scope_.curves) {
    const auto e = formula.derivatives<1>(Vec<1>(scope_.sign * z));
    sum.energy += e.value;
    sum.slope += scope_.sign * e.gradient[0];
    sum.curvature += e.hessian(0, 0);
  }
  return sum;
}

TopBalance::TopBalance(const System& system, TopScheme scheme, double simo_alpha, const NewtonOptions& options)
    : system_(&system),
      scheme_(scheme),
      simo_alpha_(simo_alpha),
      max_rotation_(options.max_rotation),
      curve_(system.top()),
      potential_{system.top().gamma, system.top().E, system.top().weight, system.top().curves.empty() ? nullptr : &curve_},
      top_(system.bodies().front().inertia, potential_, scheme, options, simo_alpha) {
  a_.setZero(system.coordinates());
}

void TopBalance::start(const State& state, const VecX& acceleration, const VecX& /*multipliers*/) {
  next_ = state;
  a_ = acceleration;
}

StepReport TopBalance::step(State& state, double t1) {
  const double h = t1 - state.time;
  next_ = state;
  Rotation& r = next_.rotations.front();
  const Vec3 old_velocity = r.angular_velocity;
  const TopStep step = top_.step(r, h);
  StepReport report;
  report.newton = step.newton;
  if (step.end == TopStepEnd::beyond_reach) report.newton.end = NewtonEnd::beyond_reach;
  if (step.end == TopStepEnd::not_finite) report.newton.end = NewtonEnd::not_finite;
  if (!step.done()) return report;
  const Vec3 turn = 0.5 * h * (old_velocity + r.angular_velocity);
  if (turn.norm() > max_rotation_) {
    report.newton.end = NewtonEnd::beyond_reach;
    return report;
  }

  next_.time = t1;
  system_->write_frames(next_);
  report.energy.potentials = system_->potentials(next_.q);
  report.energy.kinetic = system_->kinetic(next_.v);
  if (scheme_ == TopScheme::simo_wong) {
    // Its torque works along the rotation of the step; what that is less than the potential gives up is lost.
    const Vec3 G = to_body(state.rotations.front().orientation, potential_.gamma);
    const Vec3 e = exponential(Vec3(simo_alpha_ * turn)) * potential_.E;
    const double work = -potential_.at(G.dot(e)).slope * turn.dot(e.cross(G));
    report.energy.numerical = -work - (report.energy.potentials.sum() - system_->potentials(state.q).sum());
  }
  if (!accepted(report, *system_, state.q, next_.q)) return report;
  system_->bodies().front().write_accelerations(r, top_.acceleration(r), a_);
  std::swap(state, next_);
  return report;
}

}  // namespace trompo
