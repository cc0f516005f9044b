// Krenk (2014), sections 1 to 4 and 6: what the paper says of its equations, measured on steps that the engine takes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/recorded_run.hpp"
#include "apps/reproduce_krenk.hpp"
#include "trompo/scheme/spectrum.hpp"

namespace trompo {

ForceAlongStep::ForceAlongStep(const Model& oscillator, double start, double length)
    : system(oscillator), u0(start), du(length) {}

double ForceAlongStep::force(double u) const {
  VecX g = VecX::Zero(1);
  system.force_at(VecX::Constant(1, u), g);
  return g[0];
}
double ForceAlongStep::energy(double u) const { return system.potentials(VecX::Constant(1, u)).sum(); }
double ForceAlongStep::stiffness_increment() const {
  return tangent_stiffness(system, u0 + du) - tangent_stiffness(system, u0);
}

namespace {

// --- section 3.1: a step about 0.4 of the amplitude, as long as the model's `step`: du is of the order of h ---

ForceAlongStep segment(const Model& oscillator) {
  const double length = oscillator.time.step;
  return {oscillator, 0.4 * oscillator.coordinates.at(0).value - 0.5 * length, length};
}

// What is left of the mean force when g_q is taken from it.
double quartic_error(const Model& oscillator) {
  const ForceAlongStep f = segment(oscillator);
  return std::abs(f.mean() - f.quartic());
}
double simpson_error(const Model& oscillator) {  // (44)
  const ForceAlongStep f = segment(oscillator);
  return std::abs(f.ends() / 3 + 2 * f.middle() / 3 - f.quartic()) / std::abs(f.quartic());
}
double half_increment(const Model& oscillator) {  // K at the end less that of the middle, over dK
  const ForceAlongStep f = segment(oscillator);
  return (tangent_stiffness(f.system, f.u0 + f.du) - tangent_stiffness(f.system, f.u0 + 0.5 * f.du)) / f.stiffness_increment();
}
// d(dK du)/du1 over dK, by a central difference.
double matrix_factor(const Model& oscillator) {
  constexpr double e = 1e-4;
  const auto product = [&](double more) {
    const ForceAlongStep s = segment(oscillator), f(oscillator, s.u0, s.du + more);
    return f.stiffness_increment() * f.du;
  };
  return (product(e) - product(-e)) / (2 * e) / segment(oscillator).stiffness_increment();
}

// --- section 2: balances of a step ---

template <class Loss>
double balance_error(const Model& model, const Loss& loss) {  // the largest change of energy that is not the loss, over E0
  const RecordedRun history(model);
  double most = 0;
  for (std::size_t i = 1; i < history.times.size(); ++i)
    most = std::max(most, std::abs(history.energies[i] - history.energies[i - 1] + loss(history, i)));
  return most / std::abs(history.energies[0]);
}
double viscous_balance(const Model& model) {  // (13)
  const double c = model.coordinates.at(0).damping, h = model.time.step;
  return balance_error(model, [=](const RecordedRun& r, std::size_t i) { return c * (r.q[i] - r.q[i - 1]).squaredNorm() / h; });
}
double damped_balance(const Model& model) {  // (15)
  const System system(model);
  const double alpha = model.time.parameters.at("damping");
  VecX g0 = VecX::Zero(system.coordinates()), g1 = g0;
  return balance_error(model, [&](const RecordedRun& r, std::size_t i) {
    system.force_at(r.q[i - 1], g0);
    system.force_at(r.q[i], g1);
    return 0.5 * alpha * (2 * system.kinetic(r.v[i] - r.v[i - 1]) + (r.q[i] - r.q[i - 1]).dot(g1 - g0));
  });
}

// --- section 2.3: damping of the linear oscillator ---

SpectralPoint linear_point(const Model& oscillator) {
  return spectral_point(scheme_of(oscillator),
                        oscillator.time.step * linear_frequency(System(oscillator)) / (2 * std::numbers::pi));
}
double damping_of(const Model& model) { return model.time.parameters.at("damping"); }
double loss_constant(const Model& oscillator) {  // (16): 1 - rho^2 over alpha (w h)^2
  const double wh = oscillator.time.step * linear_frequency(System(oscillator));
  return (1 - std::pow(linear_point(oscillator).radius, 2)) / (damping_of(oscillator) * wh * wh);
}
double damping_constant(const Model& oscillator) {  // (18)
  const double wh = oscillator.time.step * linear_frequency(System(oscillator));
  return linear_point(oscillator).damping / (damping_of(oscillator) * wh);
}

double loss_over_damping(const Model& oscillator) {  // (17)
  const double wh = oscillator.time.step * linear_frequency(System(oscillator));
  const SpectralPoint point = linear_point(oscillator);
  return (1 - std::pow(point.radius, 2)) / (point.damping * wh);
}

// Over how many of the frequencies `value` falls; these reach from a thousandth to a thousand times the aliasing limit.
template <class Value>
double falls(const Model& model, const Value& value) {
  int count = 0;
  double before = -std::numeric_limits<double>::infinity();
  for (const SpectralPoint& point : spectrum(scheme_of(model), 5e-4, 5e2, 241)) {
    const double now = value(point);
    if (!std::isfinite(now)) continue;
    count += now < before - 1e-12;
    before = now;
  }
  return count;
}

// Share of the energy of a mode that viscous damping takes in a step, from the determinant of the step's map.
double viscous_loss(Model model, double step) {
  model.time.step = step;
  model.time.end.reset();
  model.time.steps = 1;
  Eigen::Matrix2d map;
  for (const int column : {0, 1}) {
    model.coordinates[0].value = column == 0;
    model.coordinates[0].rate = column == 1;
    const RunResult result = run(model);
    map.col(column) << result.state.q[0], result.state.v[0];
  }
  return 1 - (map(0, 0) * map(1, 1) - map(0, 1) * map(1, 0));
}
double viscous_loss_when_fast(const Model& model) {  // at w h = 100, over the largest of all
  const double frequency = linear_frequency(System(model));
  double most = 0;
  for (int i = -20; i <= 20; ++i) most = std::max(most, viscous_loss(model, std::pow(10, 0.1 * i) / frequency));
  return viscous_loss(model, 100 / frequency) / most;
}

// Share of the energy that each step takes: the least and the largest of the run.
std::pair<double, double> losses(const Model& model) {
  const RecordedRun history(model);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 1; i < history.times.size(); ++i) {
    const double loss = 1 - history.energies[i] / history.energies[i - 1];
    least = std::min(least, loss);
    most = std::max(most, loss);
  }
  return {least, most};
}
double least_over_largest_loss(const Model& model) {
  const auto [least, most] = losses(model);
  return least / most;
}

// --- section 3.2: the secant correction ---

double largest_numerator(const Model& model) {
  const RecordedRun history(model);
  return history.result.ledger.worst_uncorrected() / history.energies[0];
}

struct StepForces {  // of the step that ends at sample i
  StepForces(const System& system, const RecordedRun& history, std::size_t i)
      : du(history.q[i] - history.q[i - 1]), dg(VecX::Zero(du.size())) {
    VecX old = dg;
    system.force_at(history.q[i - 1], old);
    system.force_at(history.q[i], dg);
    dg -= old;
  }
  [[nodiscard]] double product() const { return du.dot(dg); }
  [[nodiscard]] double cosine() const { return std::abs(product()) / (du.norm() * dg.norm()); }
  VecX du, dg;
};

double largest_eta(const Model& oscillator) {  // (39)
  const System system(oscillator);
  const RecordedRun history(oscillator);
  double most = 0;
  for (std::size_t i = 1; i < history.times.size(); ++i) {
    const ForceAlongStep f(oscillator, history.q[i - 1][0], history.q[i][0] - history.q[i - 1][0]);
    most = std::max(most, std::abs(f.du * (f.mean() - f.quartic()) / StepForces(system, history, i).product()));
  }
  return most;
}

// Where du.dg is below a hundredth of its largest: the largest change of the potential, over that of all steps.
double energy_where_denominator_is_small(const Model& model) {
  const System system(model);
  const RecordedRun history(model);
  std::vector<double> products{0}, changes{0};
  for (std::size_t i = 1; i < history.times.size(); ++i) {
    products.push_back(std::abs(StepForces(system, history, i).product()));
    changes.push_back(std::abs(history.potentials[i] - history.potentials[i - 1]));
  }
  const double small = 0.01 * *std::max_element(products.begin(), products.end());
  double most = 0;
  for (std::size_t i = 1; i < products.size(); ++i)
    if (products[i] < small) most = std::max(most, changes[i]);
  return most / *std::max_element(changes.begin(), changes.end());
}

// A correction that is left out between two that are not: how much of what the step errs by is there one step later, at most.
double left_of_a_skipped_correction(const Model& model) {
  const System system(model);
  const RecordedRun history(model);
  const double threshold = model.time.parameters.at("secant_threshold");
  const auto skipped = [&](std::size_t i) { return StepForces(system, history, i).cosine() <= threshold; };
  double most = std::nan("");  // if there is none
  for (std::size_t i = 2; i + 1 < history.times.size(); ++i)
    if (!skipped(i - 1) && skipped(i) && !skipped(i + 1))
      most = std::fmax(most, std::abs((history.energies[i + 1] - history.energies[i - 1]) /
                                      (history.energies[i] - history.energies[i - 1])));
  return most;
}

double left_after_a_step(const Model& model) {
  const std::vector<double> errors = one_correction_left_out(model).errors;
  return errors[one_step_left_out + 1] / errors[one_step_left_out];
}
double left_at_the_end(const Model& model) {
  const std::vector<double> errors = one_correction_left_out(model).errors;
  return errors.back() / errors[one_step_left_out];
}

// --- section 3.3 ---

double linear_loss(const Model& model) {
  const RunResult result = RecordedRun(model).result;
  return result.linear_drift / result.linear_scale;
}
// Of the momentum along y that a force of push times t has brought, which a mean of both ends integrates exactly.
double impulse_error(const Model& model) {
  const RunResult result = RecordedRun(model).result;
  const double impulse = 0.5 * model.parameters.at("push") * std::pow(result.state.time, 2);
  return std::abs((result.momentum.linear - result.momentum_initial.linear).y() / impulse - 1);
}

// --- section 5 ---

// Of the average acceleration, as the mean stiffness is of the conserving forms. Up to h^4 its equations are those of
// u' = v (1 - b K), v' = -g (1 - b K) - b g'' v^2 with b = h^2/12, where both the speed and the way change the period.
double newmark_stiffness(const Model& oscillator) {
  constexpr int points = 64;
  const double A = oscillator.coordinates.at(0).value;
  const ForceAlongStep f(oscillator, 0, A);
  double time = 0, sum = 0;
  for (int i = 0; i < points; ++i) {  // the quadrature of free_oscillation()
    const double angle = (i + 0.5) * 0.5 * std::numbers::pi / points, u = A * std::sin(angle);
    const double fall = f.energy(A) - f.energy(u), share = std::cos(angle) / std::sqrt(fall);
    time += share;
    sum += share * (2 * tangent_stiffness(f.system, u) - 0.5 * (std::pow(f.force(A), 2) - std::pow(f.force(u), 2)) / fall);
  }
  return sum / time;
}
double newmark_period_constant(const Model& oscillator) {
  return 12 * period_error(oscillator) * System(oscillator).mass()[0] /
         (std::pow(oscillator.time.step, 2) * newmark_stiffness(oscillator));
}

// --- section 6 ---

// From the states at the end with the steps h, h/2 and h/4.
double state_order(const Model& model) {
  std::vector<VecX> ends;
  for (const double share : {1.0, 0.5, 0.25}) {
    Model trial = model;
    trial.time.step *= share;
    ends.push_back(RecordedRun(trial).q.back());
  }
  return std::log2((ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm());
}

using M = Model;

}  // namespace

SkippedCorrection one_correction_left_out(Model model) {
  SkippedCorrection out;
  const long all = std::lround(model.time.end.value() / model.time.step);
  model.time.end.reset();
  double before = 0;
  const auto go_on = [&](const char* scheme, long count) {
    model.time.scheme = scheme;
    model.time.steps = count;
    const RecordedRun part(model);
    if (out.times.empty()) before = part.energies[0];
    for (std::size_t i = out.times.empty() ? 0 : 1; i < part.times.size(); ++i) {
      out.times.push_back(model.time.step * static_cast<double>(out.times.size()));
      out.errors.push_back(part.energies[i] / before - 1);
    }
    model.coordinates[0].value = part.q.back()[0];
    model.coordinates[0].rate = part.v.back()[0];
  };
  go_on("krenk", one_step_left_out - 1);
  go_on("krenk-quartic", 1);
  go_on("krenk", all - one_step_left_out);
  return out;
}

double order_by_doubling(Quantity error, const Model& model) {
  Model coarse = model;
  coarse.time.step *= 2;
  return std::log2(error(coarse) / error(model));
}

Quantities krenk_theory() {
  return {
      {"coefficient_middle", [](const M& m) { return segment(m).over_increment(segment(m).mean() - segment(m).middle()); }},
      {"coefficient_ends", [](const M& m) { return segment(m).over_increment(segment(m).ends() - segment(m).middle()); }},
      {"coefficient_force", [](const M& m) { return segment(m).over_increment(segment(m).ends() - segment(m).mean()); }},
      {"quartic_error", quartic_error},
      {"quartic_order", [](const M& m) { return order_by_doubling(quartic_error, m); }},
      {"simpson_error", simpson_error},
      {"half_increment", half_increment},
      {"matrix_factor", matrix_factor},
      {"viscous_balance", viscous_balance},
      {"damped_balance", damped_balance},
      {"loss_constant", loss_constant},
      {"loss_over_damping", loss_over_damping},
      {"damping_constant", damping_constant},
      {"loss_falls", [](const M& m) { return falls(m, [](const SpectralPoint& p) { return 1 - p.radius * p.radius; }); }},
      {"damping_ratio_falls", [](const M& m) { return falls(m, [](const SpectralPoint& p) { return p.damping; }); }},
      {"viscous_loss_when_fast", viscous_loss_when_fast},
      {"loss_range", [](const M& m) { return 1 - least_over_largest_loss(m); }},
      {"least_over_largest_loss", least_over_largest_loss},
      {"numerator", largest_numerator},
      {"numerator_order", [](const M& m) { return order_by_doubling(largest_numerator, m); }},
      {"eta_order", [](const M& m) { return order_by_doubling(largest_eta, m); }},
      {"energy_where_denominator_is_small", energy_where_denominator_is_small},
      {"left_after_a_step", left_after_a_step},
      {"left_at_the_end", left_at_the_end},
      {"left_of_a_skipped_correction", left_of_a_skipped_correction},
      {"linear_loss", linear_loss},
      {"keeps_linear_momentum", [](const M& m) { return linear_loss(m) < 1e-12 ? 1.0 : 0.0; }},
      {"impulse_error", impulse_error},
      {"newmark_period_constant", newmark_period_constant},
      {"state_order", state_order},
  };
}

}  // namespace trompo
