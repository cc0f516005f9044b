// Lens and Cardona: their equations, each measured on the steps of a run, and the first of the three groups of schemes that
// their introduction tells apart.
#include <algorithm>
#include <cmath>

#include "apps/reproduce_top.hpp"
#include "trompo/scheme/spectrum.hpp"

namespace trompo {

namespace {

// One step of a run, in the symbols of the paper.
struct TopStepView {
  TopStepView(const TopRun& run, std::size_t end)
      : top(run.top), h(run.times[end] - run.times[end - 1]), state0(run.states[end - 1]), state1(run.states[end]) {
    L0 = to_matrix(state0.orientation);
    L1 = to_matrix(state1.orientation);
    O0 = state0.angular_velocity;
    O1 = state1.angular_velocity;
    J = top.inertia;
    half = 0.5 * logarithm(composed(state0.orientation.conjugate(), state1.orientation));
    e = axial(exponential(half));
  }
  [[nodiscard]] Vec3 momentum_change() const { return top.momentum(state1) - top.momentum(state0); }  // in space
  [[nodiscard]] double kinetic_change() const { return 0.5 * (O1.dot(J * O1) - O0.dot(J * O0)); }
  [[nodiscard]] Mat3 F() const { return exponential(half); }
  [[nodiscard]] Vec3 mean_velocity() const { return 0.5 * (O0 + O1); }

  const HeavyTop& top;
  double h;
  Rotation state0, state1;
  Mat3 L0, L1, J;
  Vec3 O0, O1, half, e;  // half: of the rotation vector of the step; the least one, so a turn below pi
};

template <class Error>
double worst(const Model& model, const Error& error) {
  const TopRun run(model);
  if (!run.solved()) return std::nan("");
  double most = 0;
  for (std::size_t i = 1; i < run.states.size(); ++i) most = std::max<double>(most, error(TopStepView(run, i)));
  return most;
}

// --- Simo's formulation ---

double kinetic_identity(const Model& model) {  // (13)
  return worst(model, [](const TopStepView& s) {
    const double work = (s.L0 * s.mean_velocity()).dot(s.momentum_change());
    return std::abs(s.kinetic_change() - work) / s.O0.dot(s.J * s.O0);
  });
}

// The point of the step that (17) finds: how many steps have it outside of 0 to 1.
double points_outside(const Model& model) {
  const HeavyTop heavy{System(model)};
  const Top top(heavy.inertia, {heavy.gamma, heavy.E, heavy.weight}, TopScheme::simo_collocation);
  Rotation state = start_of(model);
  int outside = 0;
  for (long i = 0; i < std::lround(model.time.end.value() / model.time.step); ++i) {
    const TopStep step = top.step(state, model.time.step);
    if (!step.done()) return std::nan("");
    outside += !(step.alpha >= 0 && step.alpha <= 1);
  }
  return outside;
}

double kappa(double turn) { return std::sin(0.5 * turn) / (0.5 * turn); }
double kappa_error(const Model& model) {  // the torque that (18) has, by the factor of (19)
  return worst(model, [](const TopStepView& s) {
    const Vec3 torque = -s.top.weight * (s.L0 * s.F() * s.top.E).cross(s.top.gamma);
    const Vec3 printed = s.h * kappa(s.h * s.mean_velocity().norm()) * torque;
    return (s.momentum_change() - printed).norm() / s.top.momentum(s.state0).norm();
  });
}

// --- that of Geradin and Bauchau ---

double kinetic_jump(const Model& model) {  // (34)
  return worst(model, [](const TopStepView& s) {
    return std::abs((s.J * (s.O1 - s.O0)).dot(s.mean_velocity()) - s.kinetic_change()) / s.O0.dot(s.J * s.O0);
  });
}
// (35) for V = z^3, z the height of the axis: the largest error over the largest change.
double midpoint_gradient_error(const Model& model) {
  double change = 0;
  const double error = worst(model, [&change](const TopStepView& s) {
    const double z0 = s.top.gamma.dot(s.L0 * s.top.E), z1 = s.top.gamma.dot(s.L1 * s.top.E),
                 middle = s.top.gamma.dot(s.L0 * s.F() * s.top.E);
    const double jump = std::pow(z1, 3) - std::pow(z0, 3);
    change = std::max(change, std::abs(jump));
    return std::abs(3 * middle * middle * (z1 - z0) - jump);
  });
  return error / change;
}
double weight_gradient_error(const Model& model) {  // (35) for V = M g l z
  return worst(model, [](const TopStepView& s) {
    const Vec3 slope = s.top.weight * s.top.E.cross(s.F().transpose() * s.L0.transpose() * s.top.gamma);
    const double jump = s.top.weight * s.top.gamma.dot((s.L1 - s.L0) * s.top.E);
    return std::abs(2 * s.e.dot(slope) - jump) / s.top.weight;
  });
}
double gyroscopic_work(const Model& model) {  // (36)
  return worst(model, [](const TopStepView& s) {
    const Vec3 mean = s.J * s.mean_velocity();
    return std::abs(s.e.dot(mean.cross(s.e))) / (s.e.squaredNorm() * mean.norm());
  });
}
double difference_error(const Model& model) {  // (38)
  return worst(model, [](const TopStepView& s) {
    const Mat3 F = s.F();
    return (s.L1 - s.L0 - s.L0 * F * (F - F.transpose())).norm();
  });
}
double half_rotation_error(const Model& model) {  // (40)
  return worst(model, [](const TopStepView& s) {
    const double e0 = std::cos(s.half.norm());
    const Mat3 printed = e0 * Mat3::Identity() + s.e * s.e.transpose() / (1 + e0) + skew(s.e);
    return (printed - s.F()).norm();
  });
}
double mean_velocity_error(const Model& model) {  // (41)
  return worst(model,
               [](const TopStepView& s) { return (s.mean_velocity() - 2 / s.h * s.e).norm() / s.mean_velocity().norm(); });
}
// (33) says L dq = h Om of the middle; with the L of (43) that is a length of dq, here over that of e.
double parameter_jump(const Model& model) {
  const TopRun run(model);
  const TopStepView s(run, 1);
  return s.h * s.mean_velocity().norm() / 2 / s.e.norm();
}
double printed_residual(const Model& model) {  // (44)
  return worst(model, [](const TopStepView& s) {
    const double a = 8 / (s.h * s.h), b = 4 / s.h;
    const Vec3 Je = s.J * s.e, old = b * s.J * s.O0;
    const Vec3 torque = s.top.E.cross(2 * s.top.weight * s.F().transpose() * s.L0.transpose() * s.top.gamma);
    return (a * Je - old + a * s.e.cross(Je) + torque).norm() / old.norm();
  });
}

// --- the first group ---

double largest_energy(const Model& model) {
  const TopRun run(model, group_one_halvings);
  return *std::max_element(run.energies.begin(), run.energies.end()) / run.energies[0];
}
double never_gains(const Model& model) { return largest_energy(model) < 1 + 1e-9 ? 1 : 0; }
double radius_of_the_highest(const Model& model) { return spectral_point(scheme_of(model), 1e4).radius; }

}  // namespace

Quantities top_theory() {
  return {
      {"kinetic_identity", kinetic_identity},
      {"points_outside", points_outside},
      {"kappa_at_the_start", [](const Model& m) { return kappa(turn_of(m)); }},
      {"kappa_error", kappa_error},
      {"kinetic_jump", kinetic_jump},
      {"midpoint_gradient_error", midpoint_gradient_error},
      {"weight_gradient_error", weight_gradient_error},
      {"gyroscopic_work", gyroscopic_work},
      {"difference_error", difference_error},
      {"half_rotation_error", half_rotation_error},
      {"mean_velocity_error", mean_velocity_error},
      {"parameter_jump", parameter_jump},
      {"printed_residual", printed_residual},
      {"largest_energy", largest_energy},
      {"first_over_largest_energy", [](const Model& m) { return 1 / largest_energy(m); }},
      {"never_gains", never_gains},
      {"radius_of_the_highest", radius_of_the_highest},
  };
}

}  // namespace trompo
