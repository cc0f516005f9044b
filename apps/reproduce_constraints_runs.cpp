// Runs with a constraint in view: where its gradient is taken, what it does to the momenta, how an iteration converges.
#include "apps/reproduce_constraints.hpp"
#include "trompo/math/known.hpp"

#include <cmath>

namespace trompo {

ConstrainedRun::ConstrainedRun(const Model& model) : system(model) {
  Observer* observers[] = {this};
  result = run(model, system, scheme_of(model), observers, {.keep_going = true});
  if (!result.reached_end) throw std::runtime_error(model.title + ": " + result.failure.dossier());
}

void ConstrainedRun::sample(const Sample& now) {
  int phi = 0;
  while (system.constraint_name(phi) != "phi") ++phi;
  times.push_back(now.time);
  energies.push_back(now.ledger.total());
  kinetic.push_back(now.ledger.kinetic());
  betas.push_back(now.gradient_point.size() > 0 && now.gradient_point[phi] >= 0 ? now.gradient_point[phi] : std::nan(""));
  multipliers.push_back(now.multiplier[phi]);
  q.push_back(now.state.q);
  momenta.push_back(now.momentum);
}

Chord::Chord(const System& system, const VecX& q0, const VecX& q1)
    : system_(&system), q0_(q0), d_(q1 - q0), change_(phi(q1) - phi(q0)) {}

double Chord::phi(const VecX& q) const {
  VecX error = VecX::Zero(system_->multipliers()), size = error;
  system_->constraint_errors(q, error, size);
  return error[0];
}

VecX Chord::gradient(double beta) const {
  const Eigen::SparseMatrix<double> J = system_->jacobian(q0_ + beta * d_);
  VecX out = VecX::Zero(q0_.size());
  for (int e = 0; e < system_->equations(); ++e) out[system_->free()[static_cast<std::size_t>(e)]] = J.coeff(0, e);
  return out;
}
double Chord::psi(double beta) const { return gradient(beta).dot(d_) - change_; }
double Chord::slope(double beta) const {
  constexpr double e = 1e-3;
  return (psi(beta + e) - psi(beta - e)) / (2 * e);
}

Chord::Root Chord::newton() const {
  double beta = 0.5;
  for (int k = 1; k <= 50; ++k) {
    const double change = psi(beta) / slope(beta);
    if (!std::isfinite(change)) break;
    beta -= change;
    if (std::abs(change) < 1e-10) return {beta, k};
  }
  return {beta, -1};
}

int Chord::roots() const {
  constexpr int parts = 400;
  int changes = 0;
  double last = psi(0);
  for (int i = 1; i <= parts; ++i) {
    const double next = psi(static_cast<double>(i) / parts);
    changes += (last < 0) != (next < 0);
    last = next;
  }
  return changes;
}

StepIterations iterations_of_step(const Model& model, long step) {
  const System system(model);
  const auto stepper = make_stepper(scheme_of(model), system, newton_options(model));
  State state = initial_state(model, system);
  const InitialBalance balance = initial_balance(model, system, state);
  stepper->start(state, balance.acceleration, balance.multipliers.head(system.multipliers()));
  for (long i = 1; true; ++i) {
    const StepReport report = stepper->step(state, static_cast<double>(i) * model.time.step);
    if (!report.done()) throw std::runtime_error(model.title + ": a step has no solution");
    if (i < step) continue;
    const NewtonReport& newton = report.newton;
    return {{newton.residual.begin(), newton.residual.begin() + newton.recorded},
            {newton.increment.begin(), newton.increment.begin() + std::min(newton.iterations, NewtonReport::kept)}};
  }
}

double order_of_convergence(const std::vector<double>& errors, double noise) {
  std::size_t n = 0;
  while (n < errors.size() && errors[n] > noise) ++n;
  return n < 3 ? std::nan("") : std::log(errors[n - 1] / errors[n - 2]) / std::log(errors[n - 2] / errors[n - 3]);
}

// dL = -h lambda (1/2 - beta) sum d_a x grad_a phi(c_beta): theory, section 16.
Vec3 predicted_moment(const ConstrainedRun& run, std::size_t step) {
  const VecX d = run.q[step] - run.q[step - 1];
  const double beta = run.betas[step], h = run.times[step] - run.times[step - 1];
  const VecX gradient = Chord(run.system, run.q[step - 1], run.q[step]).gradient(beta);
  Vec3 sum = Vec3::Zero();
  for (const int first : run.system.nodes()) sum += d.segment<3>(first).cross(gradient.segment<3>(first));
  return -h * run.multipliers[step] * (0.5 - beta) * sum;
}

Model constraint_model(const std::string& name) { return published_model("constraints/" + name + ".toml"); }

Model with_step(Model model, double step) {
  const double end = model.time.steps ? static_cast<double>(*model.time.steps) * model.time.step : known(model.time.end);
  model.time.steps = std::lround(end / step);
  model.time.end.reset();
  model.time.step = step;
  return model;
}

Model with_scheme(Model model, const std::string& scheme, const std::string& constraint_gradient) {
  model.time.scheme = scheme;
  model.time.options["constraint_gradient"] = constraint_gradient;
  return model;
}

double distance(const ConstrainedRun& a, const ConstrainedRun& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) most = std::max(most, (a.q[i] - b.q.at(i)).lpNorm<Eigen::Infinity>());
  return most;
}

}  // namespace trompo
