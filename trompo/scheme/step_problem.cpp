#include "trompo/scheme/step_problem.hpp"

#include <algorithm>

namespace trompo {

StepProblem::StepProblem(const System& system, const Rule& rule, const NewtonOptions& options,
                         const SecantCorrection& correction)
    : system_(&system), rule_(rule), options_(options), solver_(system.pattern()) {
  const int all = system.coordinates(), free = system.equations();
  for (VecX* v : {&q0, &q1, &v1, &shift, &force0, &load0, &load1, &load_, &origin_, &rest_, &assembly_.force, &assembly_.size})
    v->setZero(all);
  for (VecX* v : {&residual_, &increment_, &free_q_, &round_off_}) v->setZero(free);
  if (correction.wanted()) corrector_.emplace(system, correction);
}

void StepProblem::restart(const State& state) {
  q0 = state.q;
  system_->force_at(q0, force0);
  system_->load_at(state.time, load0);
  if (corrector_) corrector_->restart(q0);
}

void StepProblem::open(const State& state, double t1, double old_load_weight) {
  q0 = state.q;
  q1 = state.q;
  v1 = state.v;
  system_->prescribe_at(t1, q1, v1);
  system_->load_at(t1, load1);
  load_ = (1 - old_load_weight) * load1 + old_load_weight * load0;
  if (corrector_) corrector_->open();
  tangent_kept_ = false;
}

void StepProblem::evaluate(bool tangent) {
  const std::vector<int>& free = system_->free();
  assembly_.tangent = nullptr;
  if (tangent && !(options_.modified && tangent_kept_)) {
    solver_.set_zero();
    assembly_.tangent = solver_.values();
  }
  system_->force_between(rule_, q0, q1, force0, assembly_);
  if (corrector_) corrector_->apply(q0, q1, rule_.damping, assembly_.force);
  for (std::size_t e = 0; e < free.size(); ++e) {
    const int c = free[e];
    const double mass = system_->mass()[c];
    const double inertia = mass * (factor_ * shift[c] + rest_[c]);
    residual_[static_cast<Eigen::Index>(e)] = inertia + assembly_.force[c] - load_[c];
    assembly_.size[c] += std::abs(inertia) + std::abs(load_[c]);
    if (assembly_.tangent != nullptr) assembly_.tangent[system_->diagonal()[e]] += mass * factor_;
  }
}

double StepProblem::residual_ratio() {
  double worst = 0;
  const std::vector<int>& free = system_->free();
  for (std::size_t e = 0; e < free.size(); ++e) {
    const double r = std::abs(residual_[static_cast<Eigen::Index>(e)]);
    if (!std::isfinite(r)) return std::numeric_limits<double>::quiet_NaN();
    const double allowed = options_.tolerance * assembly_.size[free[e]];
    if (r > 0) worst = std::max(worst, r / std::max(allowed, std::numeric_limits<double>::min()));
  }
  return worst;
}

// Rounding of q1 alone moves the residual by eps |K| |q|: 2e-6 N for EA = 1e10. No tolerance can ask for less.
bool StepProblem::residual_at_round_off() {
  constexpr double allowance = 16 * std::numeric_limits<double>::epsilon();
  const double noise = corrector_ ? corrector_->noise() : 0.0;
  const std::vector<int>& free = system_->free();
  for (std::size_t e = 0; e < free.size(); ++e)
    free_q_[static_cast<Eigen::Index>(e)] = std::max(std::abs(q1[free[e]]), system_->coordinate_scale(free[e]));
  solver_.absolute_product(free_q_, round_off_);
  for (std::size_t e = 0; e < free.size(); ++e) {
    const auto i = static_cast<Eigen::Index>(e);
    if (!(std::abs(residual_[i]) <= std::max(options_.tolerance * assembly_.size[free[e]], allowance * round_off_[i] + noise)))
      return false;
  }
  return true;
}

double StepProblem::solve_and_update() {
  if (!(options_.modified && tangent_kept_)) {
    if (!solver_.factorise()) return std::numeric_limits<double>::quiet_NaN();
    tangent_kept_ = true;
  }
  increment_ = residual_;
  solver_.solve(increment_);
  double worst = 0;
  const std::vector<int>& free = system_->free();
  for (std::size_t e = 0; e < free.size(); ++e) {
    const double dq = increment_[static_cast<Eigen::Index>(e)];
    if (!std::isfinite(dq)) return std::numeric_limits<double>::quiet_NaN();
    shift[free[e]] -= dq;
    q1[free[e]] = origin_[free[e]] + shift[free[e]];
    worst = std::max(worst, std::abs(dq) / std::max(std::abs(q1[free[e]]), system_->coordinate_scale(free[e])));
  }
  return worst;
}

StepReport StepProblem::solve() {
  StepReport report;
  report.newton = newton(*this, options_);
  return report;
}

std::vector<Imbalance> StepProblem::imbalances(std::size_t most) const {
  std::vector<Imbalance> all;
  const std::vector<int>& free = system_->free();
  for (std::size_t e = 0; e < free.size(); ++e)
    all.push_back({free[e], residual_[static_cast<Eigen::Index>(e)], options_.tolerance * assembly_.size[free[e]]});
  // What is not a number comes first: there the trouble began.
  const auto weight = [](const Imbalance& i) {
    const double ratio = std::abs(i.residual) / std::max(i.allowed, std::numeric_limits<double>::min());
    return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
  };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), end, all.end(), [&](const Imbalance& a, const Imbalance& b) { return weight(a) > weight(b); });
  all.erase(end, all.end());
  return all;
}

StepBooks StepProblem::books(const VecX& v0) const {
  StepBooks books;
  for (int c = 0; c < system_->coordinates(); ++c) {
    const double dq = q1[c] - q0[c];
    books.load_work += load_[c] * dq;
    if (system_->equation()[c] >= 0) continue;
    books.support_work += 0.5 * system_->mass()[c] * (v1[c] - v0[c]) * (v1[c] + v0[c]) + (assembly_.force[c] - load_[c]) * dq;
  }
  books.numerical = corrector_ && corrector_->exact() ? corrector_->dissipated() : system_->dissipation(rule_, q0, q1);
  books.potentials = system_->potentials(q1);
  return books;
}

void StepProblem::close() {
  if (rule_.kind == Rule::Kind::endpoint_average && rule_.old_weight != 0) system_->force_at(q1, force0);
  load0 = load1;
  if (corrector_) corrector_->close();
}

}  // namespace trompo
