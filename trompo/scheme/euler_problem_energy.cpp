// What a step in Euler parameters did, for the ledger.
#include "trompo/scheme/euler_problem.hpp"

namespace trompo {

using euler::Vec4;

// Of the inertia, along dy.
double EulerProblem::inertia_work() {
  const auto along = [this](const End& end, double inertia, double turning) {
    coordinates_.multiply_mass(end.y, end.acceleration, inertia_);
    coordinates_.velocity_force(end.y, end.rate, force_);
    return inertia * inertia_.dot(dy_) - turning * force_.dot(dy_);
  };
  return along(new_, shares_.new_inertia, new_force()) + along(old_, shares_.old_inertia, shares_.old_force);
}

double EulerProblem::free_kinetic(const VecX& v) {
  momentum_.setZero();
  system_->multiply_mass(v, momentum_);
  return 0.5 * momentum_.dot(v);
}

// The equations are balanced along dy, the energy want forces along the change of the frames: what lies between is the
// scheme's.
StepEnergy EulerProblem::energy() {
  StepEnergy energy;
  const double w = shares_.old_force;
  dy_ = new_.y - old_.y;
  for (int c = 0; c < system_->coordinates(); ++c) {
    const double dq = new_.q[c] - old_.q[c];
    energy.load_work += (new_force() * new_.load[c] + w * old_.load[c]) * dq;
    if (system_->equation()[c] >= 0) continue;
    energy.support_work += 0.5 * system_->mass()[c] * (new_.v[c] - old_.v[c]) * (new_.v[c] + old_.v[c]) +
                           (frame_force_[c] + w * old_.force[c]) * dq;
  }
  energy.numerical = inertia_work() - (free_kinetic(new_.v) - free_kinetic(old_.v));
  energy.numerical += coordinates_.work_beyond_chord(dy_, frame_force_) - w * coordinates_.work_beyond_chord(dy_, old_.force);
  for (const auto& [end, share] : {std::pair{&new_, new_force()}, std::pair{&old_, w}})
    for (int b = 0; b < coordinates_.bodies(); ++b) {
      const Vec4 p = coordinates_.p(b, end->y), dp = coordinates_.p(b, dy_);
      energy.load_work += share * 2 * end->torque[static_cast<std::size_t>(b)].dot(euler::L(p) * dp);
      energy.numerical += share * 2 * end->norm_multiplier[b] * p.dot(dp);
    }
  energy.numerical += system_->dissipation(rule_, old_.q, new_.q);
  energy.numerical += system_->constraint_dissipation(rule_, old_.q, new_.q, old_.multiplier, new_.multiplier);
  if (system_->dampers()) {
    const Heat heat = system_->heat(rule_, motion());
    energy.heat = heat.heat;
    energy.numerical += heat.numerical;
  }
  energy.potentials = system_->potentials(new_.q);
  energy.kinetic = system_->kinetic(new_.v);
  return energy;
}

bool EulerProblem::gained_energy(const StepEnergy& energy) {
  new_.energy = free_kinetic(new_.v) + energy.potentials.size();
  return -energy.numerical > 0.5 * (old_.energy + new_.energy + std::abs(energy.load_work) + std::abs(energy.support_work));
}

}  // namespace trompo
