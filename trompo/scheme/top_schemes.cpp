#include "trompo/scheme/top_schemes.hpp"

#include <stdexcept>

#include "trompo/math/dense.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/scheme/top_problem.hpp"

namespace trompo {

PotentialValue AxialPotential::at(double z) const {
  PotentialValue v = curve != nullptr ? curve->at(z) : PotentialValue{};
  v.energy += weight * z;
  v.slope += weight;
  return v;
}

AxialPotential::Quotient AxialPotential::quotient(double z0, double dz) const {
  if (curve == nullptr) return {weight, 0};
  // Where the difference of two energies has lost its digits, the mean slope by Gauss' rule of three points has them all: its
  // error is of the sixth order in dz.
  constexpr double digits_lost = 1e-3;
  if (std::abs(dz) < digits_lost) {
    constexpr double x = 0.77459666924148338, end = 5. / 18, middle = 8. / 18;
    const PotentialValue left = curve->at(z0 + 0.5 * (1 - x) * dz), right = curve->at(z0 + 0.5 * (1 + x) * dz);
    const PotentialValue centre = curve->at(z0 + 0.5 * dz);
    return {weight + end * (left.slope + right.slope) + middle * centre.slope,
            0.5 * (end * ((1 - x) * left.curvature + (1 + x) * right.curvature) + middle * centre.curvature)};
  }
  const PotentialValue v0 = curve->at(z0), v1 = curve->at(z0 + dz);
  const double mean = (v1.energy - v0.energy) / dz;
  return {weight + mean, (v1.slope - mean) / dz};
}

Top::Top(const Mat3& inertia, const AxialPotential& potential, TopScheme scheme, const NewtonOptions& options,
         double simo_alpha)
    : inertia_(inertia),
      inverse_(inertia.inverse()),
      potential_(potential),
      scheme_(scheme),
      options_(options),
      simo_alpha_(simo_alpha) {
  const bool symmetric = (inertia - inertia.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * inertia.cwiseAbs().maxCoeff();
  if (!symmetric || !positive_definite(inertia))
    throw std::invalid_argument("the inertia of a top must be symmetric and positive definite");
  if (!(simo_alpha >= 0 && simo_alpha <= 1))
    throw std::invalid_argument("alpha must lie in 0..1: it is the point of the step at which the torque is taken");
}

double Top::energy(const Rotation& state) const {
  const Vec3& Om = state.angular_velocity;
  const double z = to_body(state.orientation, potential_.gamma).dot(potential_.E);
  return 0.5 * Om.dot(inertia_ * Om) + potential_.at(z).energy;
}

Vec3 Top::momentum(const Rotation& state) const { return to_space(state.orientation, inertia_ * state.angular_velocity); }

Vec3 Top::acceleration(const Rotation& state) const {
  const Vec3 &Om = state.angular_velocity, G = to_body(state.orientation, potential_.gamma);
  const double slope = potential_.at(G.dot(potential_.E)).slope;
  return inverse_ * ((inertia_ * Om).cross(Om) - slope * potential_.E.cross(G));
}

namespace {

TopStepEnd named(NewtonEnd end) {
  switch (end) {
    case NewtonEnd::converged: return TopStepEnd::done;
    case NewtonEnd::too_many_iterations: return TopStepEnd::too_many_iterations;
    case NewtonEnd::not_finite: return TopStepEnd::not_finite;
    case NewtonEnd::singular: return TopStepEnd::singular;
    case NewtonEnd::unstable:  // none of these is
    case NewtonEnd::turned_away:
    case NewtonEnd::constraint_open:
    case NewtonEnd::outside_domain:
    case NewtonEnd::stalled:
    case NewtonEnd::no_root:
    case NewtonEnd::forced:
    case NewtonEnd::beyond_reach: return TopStepEnd::beyond_reach;
  }
  return TopStepEnd::not_finite;
}

template <class Problem>
TopStep solved(Problem& problem, const Vec3& predicted, const NewtonOptions& options, Rotation& state) {
  TopStep step;
  problem.predict(predicted);
  step.newton = newton(problem, options);
  step.end = named(step.newton.end);
  if constexpr (requires { problem.beyond_reach(); })
    if (!step.done() && problem.beyond_reach()) step.end = TopStepEnd::beyond_reach;
  if constexpr (requires { problem.alpha(); }) {
    step.alpha = problem.alpha();
    step.kappa = problem.kappa();
  }
  if (!step.done()) return step;

  const Rotation next{composed(state.orientation, problem.rotation()), problem.velocity()};
  if (next.orientation.coeffs().allFinite() && next.angular_velocity.allFinite())
    state = next;
  else
    step.end = TopStepEnd::not_finite;
  return step;
}

}  // namespace

TopStep Top::step(Rotation& state, double h) const {
  const TopStart start(inertia_, potential_, state, h);
  // Second order, as the schemes are: it saves one solve of three. Where the body turns by more than a radian it leads astray.
  const Vec3& Om = state.angular_velocity;
  Vec3 predicted = h * Om;
  if (predicted.squaredNorm() < 1) predicted += 0.5 * h * h * acceleration(state);

  using Torque = ExponentialProblem::Torque;
  using Balance = HalfRotationProblem::Balance;
  const auto exponential = [&](Torque torque) {
    ExponentialProblem problem(start, options_.tolerance, torque, simo_alpha_);
    TopStep step = solved(problem, predicted, options_, state);
    if (torque != Torque::found_point) return step;
    for (const double side : {0.25, 0.75})
      if (!step.done()) {
        problem.follow(side);
        step = solved(problem, predicted, options_, state);
      }
    return step;
  };
  const auto half_rotation = [&](Balance balance) {
    HalfRotationProblem problem(start, options_.tolerance, balance);
    return solved(problem, predicted, options_, state);
  };
  switch (scheme_) {
    case TopScheme::simo_wong: return exponential(Torque::fixed_point);
    case TopScheme::simo_collocation: return exponential(Torque::found_point);
    case TopScheme::simo_projection: return exponential(Torque::projected);
    case TopScheme::geradin_bauchau: return half_rotation(Balance::body);
    case TopScheme::geradin_bauchau_momentum: return half_rotation(Balance::space);
    case TopScheme::euler_poisson_midpoint: break;
  }
  CayleyProblem problem(start, options_.tolerance);
  return solved(problem, predicted, options_, state);
}

}  // namespace trompo
