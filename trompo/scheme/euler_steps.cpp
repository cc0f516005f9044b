#include "trompo/scheme/euler_steps.hpp"

#include <cmath>

#include "trompo/math/so3.hpp"
#include "trompo/scheme/euler_coordinates.hpp"

namespace trompo {

using euler::Mat4;
using euler::Vec4;

EulerSteps::EulerSteps(const System& system, const Rule& rule, FrameReduction& unknowns)
    : BodySteps(system, rule, unknowns), bodies_(system.bodies().size()) {
  old_force_.setZero(system.coordinates());
}

// Of the frames: A^T d'' = Om~ Om~ + (Om')~ and Om' = 2 L p''; along p the norm says p.p'' = -p'.p'. An angular velocity does
// not know what p' has along p, where the norm changes: that part is the rate's own.
void EulerSteps::restart(const State& state, const VecX& acceleration) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Rotation& r = state.rotations[b];
    End& end = bodies_[b].old;
    end.p = euler::parameters(r.orientation);
    end.rate = (euler::rate(end.p, r.angular_velocity) + end.p.dot(r.parameter_rate) * end.p) / end.p.squaredNorm();
    const Mat3 w = skew(euler::angular_velocity(end.p, end.rate));
    const Eigen::Map<const Mat3> axes(acceleration.data() + system_->bodies()[b].first + 3);
    const Vec3 angular = axial(Mat3(euler::matrix(end.p).transpose() * axes - w * w));
    end.acceleration = euler::rate(end.p, angular) - end.rate.squaredNorm() * end.p;
    end.mu = 0;
    bodies_[b].a = end.acceleration;
  }
  norms_known_ = false;
}

void EulerSteps::take(const State& /*state*/) {}

// The parameters are as the scheme left them: a state has their rates by way of an angular velocity, which rounds.
void EulerSteps::memory(const Memory& memory) {
  constexpr Eigen::Index width = 4;
  const auto kept = [&](const char* name, const auto& of) {
    VecX all(width * static_cast<Eigen::Index>(bodies_.size()));
    for (std::size_t b = 0; b < bodies_.size(); ++b) all.segment<4>(width * static_cast<Eigen::Index>(b)) = of(bodies_[b]);
    memory(name, all);
    for (std::size_t b = 0; b < bodies_.size(); ++b) of(bodies_[b]) = all.segment<4>(width * static_cast<Eigen::Index>(b));
  };
  kept("parameters", [](Body& b) -> Vec4& { return b.old.p; });
  kept("rates of parameters", [](Body& b) -> Vec4& { return b.old.rate; });
  kept("second rates of parameters", [](Body& b) -> Vec4& { return b.old.acceleration; });
  kept("a of parameters", [](Body& b) -> Vec4& { return b.a; });
  VecX norms(static_cast<Eigen::Index>(bodies_.size()));
  for (std::size_t b = 0; b < bodies_.size(); ++b) norms[static_cast<Eigen::Index>(b)] = bodies_[b].old.mu;
  memory("multipliers of norms", norms);
  for (std::size_t b = 0; b < bodies_.size(); ++b) bodies_[b].old.mu = norms[static_cast<Eigen::Index>(b)];
  memory.number("norms known", norms_known_);
}

Vec4 EulerSteps::gather(const RigidBody& body, const Vec4& p, const VecX& frame_force) const {
  Vec4 sum = Vec4::Zero();
  EulerCoordinates::each_axis(
      body, [&](int first, const Vec3& e) { sum += euler::slope(p, e).transpose() * frame_force.segment<3>(first); });
  return sum;
}

// Both ends have levers of their own, so the step is left without the share of the old one on axes: a force that is the load.
void EulerSteps::keep_old(const VecX& load, VecX& force) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    End& end = bodies_[b].old;
    EulerCoordinates::each_axis(body, [&](int first, const Vec3&) {
      old_force_.segment<3>(first) = force.segment<3>(first) - load.segment<3>(first);
      force.segment<3>(first) = load.segment<3>(first);
    });
    Vec4 g = gather(body, end.p, old_force_) - euler::velocity_force(end.p, end.rate, body.inertia);
    // M has nothing along p, so there the equations of motion say what the norm has to bear.
    if (!norms_known_) end.mu = -0.5 * end.p.dot(g) / end.p.squaredNorm();
    g += 2 * end.mu * end.p;
    bodies_[b].old_force = old_weight_ * g;
  }
  norms_known_ = true;
}

void EulerSteps::open(const State& state, double t1, const BodyMotion& motion) {
  recursion_ = motion.recursion;
  const double h = t1 - state.time;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& b = bodies_[i];
    b.origin = b.old.p + h * b.old.rate + recursion_.lead * b.a;
    b.rate_rest = b.old.rate + recursion_.rate * b.a;
    b.acceleration_rest = recursion_.blend_a * b.a + recursion_.blend_b * b.old.acceleration;
    b.shift.setZero();
    b.now.mu = b.old.mu;
    b.old_share = b.old_force;
    if (recursion_.old_inertia != 0)
      b.old_share += recursion_.old_inertia * (euler::mass(b.old.p, system_->bodies()[i].inertia) * b.old.acceleration);
  }
}

void EulerSteps::follow(Body& b) const {
  b.now.p = b.origin + b.shift;
  b.now.rate = recursion_.slope * b.shift + b.rate_rest;
  b.now.acceleration = recursion_.bend * b.shift + b.acceleration_rest;
}

void EulerSteps::write(const VecX& /*q0*/, const VecX& /*lead*/, VecX& q1, VecX& /*shift*/) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    Body& b = bodies_[i];
    const RigidBody& body = system_->bodies()[i];
    follow(b);
    const Mat3 A = euler::matrix(b.now.p);
    EulerCoordinates::each_axis(body, [&](int first, const Vec3& e) { q1.segment<3>(first) = A * e; });
    if (body.fixed_point) q1.segment<3>(body.first) += *body.fixed_point;
    new_[i] = {euler::quaternion(b.now.p), euler::angular_velocity(b.now.p, b.now.rate), b.now.rate};
  }
}

void EulerSteps::match_velocities(VecX& v1) {
  for (std::size_t i = 0; i < bodies_.size(); ++i)
    EulerCoordinates::each_axis(system_->bodies()[i], [&](int first, const Vec3& e) {
      v1.segment<3>(first) = euler::slope(bodies_[i].now.p, e) * bodies_[i].now.rate;
    });
}

void EulerSteps::write_accelerations(VecX& a) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const End& end = bodies_[i].now;
    EulerCoordinates::each_axis(system_->bodies()[i], [&](int first, const Vec3& e) {
      a.segment<3>(first) = euler::slope(end.p, e) * end.acceleration + euler::slope(end.rate, e) * end.rate;
    });
  }
}

void EulerSteps::close(const FrameStep& /*step*/) {
  for (Body& b : bodies_) {
    b.old = b.now;
    b.a = b.shift / recursion_.per_acceleration;
  }
}

// One size for all four: a component of p that happens to vanish would leave its row nothing to be measured by.
void EulerSteps::reduce_residual(const FrameStep& step, VecX& residual, VecX& size) const {
  const double w = 1 - old_weight_;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RigidBody& body = system_->bodies()[i];
    const Body& b = bodies_[i];
    const End& end = b.now;
    const Vec4 inertia = recursion_.new_inertia * (euler::mass(end.p, body.inertia) * end.acceleration);
    const Vec4 turning = euler::velocity_force(end.p, end.rate, body.inertia);
    const int first = unknowns_->of_body(static_cast<int>(i)), norm = unknowns_->inner_of_body(static_cast<int>(i));
    residual.segment<4>(first) =
        gather(body, end.p, step.residual) + inertia + b.old_share + w * (2 * end.mu * end.p - turning);
    double scale = (inertia.cwiseAbs() + b.old_share.cwiseAbs()).maxCoeff() + w * (2 * std::abs(end.mu) + turning.norm());
    EulerCoordinates::each_axis(body, [&](int axis, const Vec3& e) {
      scale += euler::slope(end.p, e).rowwise().norm().dot(step.size.segment<3>(axis));
    });
    size.segment<4>(first).setConstant(scale);
    residual[norm] = step.constraint_scale * (end.p.squaredNorm() - 1);
    size[norm] = step.constraint_scale * (end.p.squaredNorm() + 1);
  }
}

void EulerSteps::place_slopes(const RigidBody& body, const Vec4& p) {
  EulerCoordinates::each_axis(
      body, [&](int first, const Vec3& e) { Eigen::Map<Mat<4, 3>>(unknowns_->slope(first)) = euler::slope(p, e).transpose(); });
}

void EulerSteps::place_levers(const VecX& /*q0*/, const VecX& /*q1*/) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RigidBody& body = system_->bodies()[i];
    place_slopes(body, bodies_[i].now.p);
    EulerCoordinates::each_axis(body, [&](int first, const Vec3&) {
      Eigen::Map<Mat<4, 3>>(unknowns_->lever(first)) = Eigen::Map<const Mat<4, 3>>(unknowns_->slope(first));
    });
  }
}

// v = D(p) p' changes with p itself too, by D(p') dp.
bool EulerSteps::place_rate_slopes() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) place_slopes(system_->bodies()[i], bodies_[i].now.rate);
  return true;
}

void EulerSteps::add_tangent(const FrameStep& step, double /*factor*/, double* tangent) const {
  const double w = 1 - old_weight_;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RigidBody& body = system_->bodies()[i];
    const Mat3& J = body.inertia;
    const auto& [p, rate, acceleration, mu] = bodies_[i].now;
    Mat4 own = recursion_.new_inertia * (recursion_.bend * euler::mass(p, J) + euler::mass_slope(p, acceleration, J)) +
               w * (euler::velocity_slope(rate, J) + recursion_.slope * euler::velocity_rate_slope(p, rate, J) +
                    2 * mu * Mat4::Identity());
    EulerCoordinates::each_axis(body,
                                [&](int first, const Vec3& e) { own += euler::bend(e, step.residual.segment<3>(first)); });
    unknowns_->add_own(static_cast<int>(i), own, tangent);
    const Vec4 normal = 2 * step.constraint_scale * p, reaction = w * normal;
    unknowns_->add_inner(static_cast<int>(i), normal.data(), reaction.data(), tangent);
  }
}

double EulerSteps::update(const VecX& increment, double constraint_scale) {
  double worst = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Vec4 dp = increment.segment<4>(unknowns_->of_body(static_cast<int>(i)));
    bodies_[i].shift -= dp;
    worst = std::max(worst, dp.cwiseAbs().maxCoeff());
    bodies_[i].now.mu -= constraint_scale * increment[unknowns_->inner_of_body(static_cast<int>(i))];
  }
  return worst;
}

// From half a turn on p and -p are as near to the old orientation.
double EulerSteps::largest_angle() const {
  double most = 0;
  for (const Body& b : bodies_)
    most = std::max(most, 2 * std::atan2((euler::L(b.old.p) * b.now.p).norm(), b.old.p.dot(b.now.p)));
  return most;
}

// The equations are balanced along dp, the energy balance wants forces along the change of the axes,
// A(p1) - A(p0) = D(p1) dp - A(dp) = D(p0) dp + A(dp): what lies between is the scheme's, like what inertia does beyond the
// change of the kinetic energy.
void EulerSteps::add_energy(const FrameStep& step, StepEnergy& energy) const {
  const double w = old_weight_;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RigidBody& body = system_->bodies()[i];
    const Body& b = bodies_[i];
    const Vec4 dp = b.now.p - b.old.p;
    const auto along = [&](const End& end, double inertia, double force) {
      const Vec4 mass = euler::mass(end.p, body.inertia) * end.acceleration;
      return inertia * mass.dot(dp) +
             force * (2 * end.mu * end.p - euler::velocity_force(end.p, end.rate, body.inertia)).dot(dp);
    };
    energy.numerical += along(b.now, recursion_.new_inertia, 1 - w) + along(b.old, recursion_.old_inertia, w);
    const auto kinetic = [&](const VecX& q, const VecX& v) {
      const Eigen::Map<const Mat3> rates(v.data() + body.first + 3);
      return 0.5 * (rates * body.euler()).cwiseProduct(rates).sum() - body.swelling(q, v);
    };
    energy.numerical -= kinetic(step.q1, step.v1) - kinetic(step.q0, step.v0);
    const Mat3 A = euler::matrix(dp);
    EulerCoordinates::each_axis(body, [&](int first, const Vec3& e) {
      const Vec3 chord = A * e;
      energy.numerical += chord.dot(step.residual.segment<3>(first)) - w * chord.dot(old_force_.segment<3>(first));
    });
  }
}

}  // namespace trompo
