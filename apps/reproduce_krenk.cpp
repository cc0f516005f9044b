// S. Krenk, Global format for energy-momentum based time integration in nonlinear dynamics, Int. J. Numer. Meth. Eng. 100
// (2014): the quantities of its statements on section 5.
#include <cmath>
#include <numbers>

#include "apps/recorded_run.hpp"
#include "apps/reproduce.hpp"
#include "apps/reproduce_krenk.hpp"
#include "trompo/math/known.hpp"
#include "trompo/scheme/spectrum.hpp"

namespace trompo {

Pendulum::Pendulum(const Model& model) {
  const NodeInput& bob = model.nodes.at(1);
  const BarInput& bar = model.bars.at(0);
  length = known(bar.length);
  weight = bob.mass * model.gravity.norm() * length;
  swing_period = 2 * std::numbers::pi * std::sqrt(length / model.gravity.norm());
  bar_period = 2 * std::numbers::pi * std::sqrt(bob.mass * length / bar.EA);
}

double energy_range(const Model& model) {
  const Extremes energy = RecordedRun(model).result.total;
  return (energy.max - energy.min) / energy.initial;
}

FreeOscillation exact_oscillation(const Model& oscillator) {
  return free_oscillation(System(oscillator), oscillator.coordinates.at(0).value);
}

double linear_frequency(const System& system) { return std::sqrt(tangent_stiffness(system, 0) / system.mass()[0]); }

namespace {

double amplitude(const Model& model) { return model.coordinates.at(0).value; }

// Equation (51). The elliptic integral takes the parameter m = k^2; the C++ library wants the modulus k.
double elliptic_period(double frequency, double parameter) { return 4 / frequency * std::comp_ellint_1(std::sqrt(parameter)); }
double stretch(const Model& model) { return model.parameters.at("lambda") * amplitude(model); }

double duffing_period(const Model& model) {  // equation (52)
  const double square = std::pow(stretch(model), 2);
  return elliptic_period(linear_frequency(System(model)) * std::sqrt(1 + square), square / (2 * (1 + square)));
}

double sinh_parameter(const Model& model) { return std::pow(std::tanh(stretch(model) / 2), 2); }
double sinh_period(const Model& model) {  // equation (55)
  return elliptic_period(linear_frequency(System(model)) * std::cosh(stretch(model) / 2), sinh_parameter(model));
}

double linear_period(const Model& model) { return 2 * std::numbers::pi / linear_frequency(System(model)); }

double error_of_period(const Model& model) { return period_error(model); }

// Twelve times the period error over (h w0)^2: the paper has 1.
double period_constant(const Model& model) {
  return 12 * period_error(model) / std::pow(model.time.step * linear_frequency(System(model)), 2);
}

// Half of what energy moves up and down within one period of the bar, over m g l: the least and the largest of the run.
std::pair<double, double> energy_swing(const Model& model) {
  const Pendulum pendulum(model);
  const RecordedRun history(model);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 0; i < history.times.size();) {
    const double end = history.times[i] + pendulum.bar_period;
    if (end > history.times.back()) break;
    Extremes energy;
    for (energy.open(history.energies[i]); history.times[i] < end; ++i) energy.add(history.energies[i]);
    const double swing = 0.5 * (energy.max - energy.min) / pendulum.weight;
    least = std::min(least, swing);
    most = std::max(most, swing);
  }
  return {least, most};
}

double algorithmic_damping(const Model& model, double period) {
  return spectral_point(scheme_of(model), model.time.step / period).damping;
}
double damping_formula(const Model& model, double period) {
  return std::numbers::pi * model.time.parameters.at("damping") * model.time.step / period;
}

double time_below_zero(const Model& model) {
  const RecordedRun history(model);
  std::size_t i = history.times.size();
  while (i > 0 && history.energies[i - 1] < 0) --i;
  return i < history.times.size() ? history.times[i] : std::nan("");
}

// Mean distance of the maxima of energy, over the period of the bar as the scheme has it.
double energy_period(const Model& model) {
  const RecordedRun history(model);
  const double bar = Pendulum(model).bar_period, longer = spectral_point(scheme_of(model), model.time.step / bar).period_error;
  std::vector<double> maxima;
  for (std::size_t i = 1; i + 1 < history.times.size(); ++i)
    if (history.energies[i] > history.energies[i - 1] && history.energies[i] >= history.energies[i + 1])
      maxima.push_back(history.times[i]);
  return (maxima.back() - maxima.front()) / static_cast<double>(maxima.size() - 1) / (bar * (1 + longer));
}

// What is left of a motion of the bob: its range in the last period of the swing over that in the first.
template <class Value>
double range_left(const Model& model, const Value& value) {
  const RecordedRun history(model);
  const double period = Pendulum(model).swing_period, last = history.times.back() - period;
  Extremes first_range, last_range;
  first_range.open(value(history.q.front()));
  last_range.open(value(history.q.back()));
  for (std::size_t i = 0; i < history.times.size(); ++i) {
    if (history.times[i] <= period) first_range.add(value(history.q[i]));
    if (history.times[i] >= last) last_range.add(value(history.q[i]));
  }
  return (last_range.max - last_range.min) / (first_range.max - first_range.min);
}
double bar_left(const Model& model) {
  return range_left(model, [](const VecX& q) { return q.segment<2>(3).norm(); });
}
double swing_left(const Model& model) {
  return range_left(model, [](const VecX& q) { return std::atan2(q[4], q[3]); });
}

double initial_elongation(const Model& model) {
  return (model.nodes.at(1).position - model.nodes.at(0).position).norm() / Pendulum(model).length - 1;
}
// By (56), not by the engine.
double initial_elastic(const Model& model) {
  const double e = initial_elongation(model), strain = e + 0.5 * e * e;
  return 0.5 * Pendulum(model).length * model.bars.at(0).EA * strain * strain / Pendulum(model).weight;
}
// Energy that the rigid pendulum changes from the horizontal down to the vertical.
double rigid_change(const Model& model) {
  const NodeInput& bob = model.nodes.at(1);
  return bob.mass * model.gravity.dot(Vec3(Pendulum(model).length, 0, 0)) / Pendulum(model).weight;
}

// The energy errors of both forms as C h^2 and C h^4: the second C over the first.
double constants_ratio(const Model& quartic) {
  Model newmark = quartic;
  newmark.time.scheme = "krenk-newmark";
  return energy_range(quartic) / energy_range(newmark) / std::pow(quartic.time.step, 2);
}

double displacement_over_velocity(const Model& model) {
  double displacement = 0, velocity = 0;
  const RecordedRun history(model);
  for (const VecX& q : history.q) displacement = std::max(displacement, std::abs(q[0]));
  for (const VecX& v : history.v) velocity = std::max(velocity, std::abs(v[0]));
  return displacement * linear_frequency(System(model)) / velocity;
}

Quantities section_five() {
  return {
      {"duffing_period", duffing_period},
      {"duffing_period_ratio", [](const Model& m) { return duffing_period(m) / linear_period(m); }},
      {"sinh_period", sinh_period},
      {"sinh_period_ratio", [](const Model& m) { return sinh_period(m) / linear_period(m); }},
      {"sinh_parameter", sinh_parameter},
      {"exact_period", [](const Model& m) { return exact_oscillation(m).period; }},
      {"measured_period", [](const Model& m) { return exact_oscillation(m).period * (1 + period_error(m)); }},
      {"period_order", [](const Model& m) { return order_by_doubling(error_of_period, m); }},
      {"period_constant", period_constant},
      {"period_constant_mean_stiffness",
       [](const Model& m) {
         return period_constant(m) * tangent_stiffness(System(m), 0) / exact_oscillation(m).mean_stiffness;
       }},
      {"stiffness_ratio",
       [](const Model& m) { return tangent_stiffness(System(m), amplitude(m)) / tangent_stiffness(System(m), 0); }},
      {"stiffness_at_rest", [](const Model& m) { return tangent_stiffness(System(m), 0); }},
      {"linear_period", linear_period},
      {"half_stretch", [](const Model& m) { return stretch(m) / 2; }},
      {"constants_ratio", constants_ratio},
      {"keeps_energy", [](const Model& m) { return energy_range(m) < 1e-12 ? 1.0 : 0.0; }},
      {"initial_elongation", initial_elongation},
      {"initial_elastic", initial_elastic},
      {"rigid_change", rigid_change},
      {"energy_period", energy_period},
      {"bar_left", bar_left},
      {"swing_left", swing_left},
      {"displacement_over_velocity", displacement_over_velocity},
      {"potential_high",
       [](const Model& m) {
         const RecordedRun history(m);
         return history.result.potential.max / history.energies[0];
       }},
      {"potential_low",
       [](const Model& m) {
         const RecordedRun history(m);
         return history.result.potential.min / history.energies[0];
       }},
      {"energy_range", energy_range},
      {"energy_order", [](const Model& m) { return order_by_doubling(energy_range, m); }},
      {"energy_error",
       [](const Model& m) {
         const Extremes energy = RecordedRun(m).result.total;
         return std::max(energy.max - energy.initial, energy.initial - energy.min) / energy.initial;
       }},
      {"swing_period", [](const Model& m) { return Pendulum(m).swing_period; }},
      {"bar_period", [](const Model& m) { return Pendulum(m).bar_period; }},
      {"period_ratio", [](const Model& m) { return Pendulum(m).swing_period / Pendulum(m).bar_period; }},
      {"steps_per_bar_period", [](const Model& m) { return Pendulum(m).bar_period / m.time.step; }},
      {"initial_energy", [](const Model& m) { return RecordedRun(m).energies[0] / Pendulum(m).weight; }},
      {"final_energy", [](const Model& m) { return RecordedRun(m).result.total.final / Pendulum(m).weight; }},
      {"least_energy", [](const Model& m) { return RecordedRun(m).result.total.min / Pendulum(m).weight; }},
      {"largest_energy", [](const Model& m) { return RecordedRun(m).result.total.max / Pendulum(m).weight; }},
      {"least_swing", [](const Model& m) { return energy_swing(m).first; }},
      {"largest_swing", [](const Model& m) { return energy_swing(m).second; }},
      {"iterations", [](const Model& m) { return static_cast<double>(RecordedRun(m).result.iterations_max); }},
      {"damping_formula_bar", [](const Model& m) { return damping_formula(m, Pendulum(m).bar_period); }},
      {"damping_formula_swing", [](const Model& m) { return damping_formula(m, Pendulum(m).swing_period); }},
      {"damping_bar", [](const Model& m) { return algorithmic_damping(m, Pendulum(m).bar_period); }},
      {"damping_swing", [](const Model& m) { return algorithmic_damping(m, Pendulum(m).swing_period); }},
      {"time_below_zero", time_below_zero},
      {"angular_drift",
       [](const Model& m) {
         const RecordedRun history(m);
         return history.result.angular_drift / history.spins[0];
       }},
  };
}

Answer answer(const Statement& s) {
  static const Quantities all = [] {
    Quantities both = section_five();
    both.merge(krenk_theory());
    return both;
  }();
  return answer_by(all, s);
}

}  // namespace

Study krenk_study() { return {"krenk", {{"ours", "ours"}}, answer, krenk_figures}; }

}  // namespace trompo
