#include "trompo/scheme/forced_problem.hpp"

#include <algorithm>
#include <cmath>

namespace trompo {

namespace {

constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();

// S x = b of a few equations, by Gauss with pivots of rows. False: singular.
template <std::size_t most>
bool solve_few(int n, std::array<std::array<double, most>, most>& S, std::array<double, most>& b) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    double largest = 0;
    for (int i = k; i < n; ++i)
      if (std::abs(S[i][k]) > std::abs(S[pivot][k])) pivot = i;
    for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(S[i][k]));
    if (!(std::abs(S[pivot][k]) > 1e-14 * largest)) return false;
    std::swap(S[k], S[pivot]);
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < n; ++i) {
      const double share = S[i][k] / S[k][k];
      for (int j = k; j < n; ++j) S[i][j] -= share * S[k][j];
      b[i] -= share * b[k];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) b[k] -= S[k][j] * b[j];
    b[k] /= S[k][k];
  }
  return true;
}

}  // namespace

ForcedProblem::ForcedProblem(const System& system, const Rule& rule, const NewmarkWeights& weights,
                             const NewtonOptions& options)
    : system_(&system),
      rule_(rule),
      weights_(weights),
      options_(options),
      unknowns_(system, 3),
      solver_(unknowns_.pattern()),
      rows_(unknowns_.unknowns(), 0, options.tolerance) {
  for (VecX* v :
       {&q0,    &q1,      &v0,       &v1,        &shift_,  &lead_,   &a0_,    &a1_,  &force0_,         &load0_,        &load1_,
        &load_, &mean_a_, &inertia_, &momentum_, &force1_, &damper_, &still_, &way_, &assembly_.force, &assembly_.size})
    v->setZero(system.coordinates());
  increment_.setZero(unknowns_.unknowns());
  for (VecX& v : gradient_) v.setZero(system.coordinates());
  for (VecX& v : solved_) v.setZero(unknowns_.unknowns());
}

double ForcedProblem::energy_there(const VecX& q, const VecX& v) const {
  return system_->kinetic(v) + system_->potentials(q).sum();
}

void ForcedProblem::restart(const State& state, const VecX& acceleration) {
  a0_ = acceleration;
  take(state);
}

void ForcedProblem::memory(const Memory& memory) { memory("acceleration", a0_); }

void ForcedProblem::take(const State& state) {
  system_->load_at(state.time, state.q, load0_);
  system_->internal_force_at(state.q, state.v, VecX(), force0_);
}

void ForcedProblem::open(const State& state, double t1) {
  t1_ = t1;
  h_ = t1 - state.time;
  q0 = q1 = state.q;
  v0 = v1 = state.v;
  system_->load_at(t1, q1, load1_);
  load_ = (1 - rule_.old_weight) * load1_ + rule_.old_weight * load0_;
  slope_ = weights_.gamma / (weights_.beta * h_);
  for (const int c : system_->free()) {
    lead_[c] = h_ * state.v[c] + (0.5 - weights_.beta) * h_ * h_ * a0_[c];
    shift_[c] = 0;
    q1[c] = state.q[c] + lead_[c];
  }
  lambda.fill(0);
  target_.fill(0);
  const Potentials p = system_->potentials(q0);
  energy0_ = system_->kinetic(v0) + p.sum();
  size0_ = system_->kinetic(v0) + p.size();
}

// Values, sizes and gradients of the rows, at q1 and v1.
void ForcedProblem::find_rows() {
  const System& s = *system_;
  const Potentials p = s.potentials(q1);
  const double kinetic = s.kinetic(v1);
  s.multiply_mass(v1, momentum_);
  s.force_at(q1, force1_);
  double heat = 0;
  if (s.dampers()) {  // of the interval: linear in the rate
    Rule interval = rule_;
    interval.tense = Rule::Tense::interval;
    heat = s.heat(interval, {q0, q1, v0, v1, h_, slope_}).heat;
    way_ = (q1 - q0) / h_;
    s.internal_force_at(q1, way_, VecX(), damper_);
    damper_ -= force1_;
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    VecX& grad = gradient_[k];
    double &g = g_[k], &size = size_[k];
    grad.setZero();
    if (rows[k].kind == Row::Kind::energy) {
      double work = 0;
      for (int c = 0; c < s.coordinates(); ++c) work += load_[c] * (q1[c] - q0[c]);
      g = kinetic + p.sum() - energy0_ - work + heat;
      size = kinetic + p.size() + size0_ + std::abs(work) + heat;
      for (const int c : s.free()) grad[c] = force1_[c] + slope_ * momentum_[c] - load_[c] + 2 * damper_[c];
    } else if (rows[k].kind == Row::Kind::linear) {
      g = size = 0;
      for (const int first : s.nodes()) {
        const int c = first + rows[k].axis;
        const double m = s.mass()[c], impulse = h_ * (load_[c] + s.gravity()[c] + s.potential_loads()[c]);
        g += m * (v1[c] - v0[c]) - impulse;
        size += m * (std::abs(v1[c]) + std::abs(v0[c])) + std::abs(impulse);
        grad[c] = slope_ * m;
      }
    } else {
      g = size = 0;
      const Vec3 n = Vec3::Unit(rows[k].axis);
      for (const int first : s.nodes()) {
        const double m = s.mass()[first];
        const Vec3 x1 = q1.segment<3>(first) - centre, x0 = q0.segment<3>(first) - centre;
        const Vec3 u1 = v1.segment<3>(first), u0 = v0.segment<3>(first);
        g += m * n.dot(x1.cross(u1) - x0.cross(u0));
        size += m * (x1.norm() * u1.norm() + x0.norm() * u0.norm());
        grad.segment<3>(first) = m * (u1.cross(n) + slope_ * n.cross(x1));
      }
      for (int c = 0; c < s.coordinates(); ++c)
        if (s.equation()[c] < 0) grad[c] = 0;
    }
    g -= target_[k];
  }
}

void ForcedProblem::evaluate(bool tangent) {
  const System& s = *system_;
  const auto& [am, beta, gamma] = weights_;
  const double bend = 1 / (beta * h_ * h_);
  for (const int c : s.free()) {
    v1[c] = v0[c] + h_ * (1 - gamma) * a0_[c] + slope_ * shift_[c];
    mean_a_[c] = (1 - am) * bend * shift_[c] + am * a0_[c];
  }
  s.multiply_mass(mean_a_, inertia_);
  find_rows();
  const double lambda_e = forced_ ? lambda[0] : 0;
  if (tangent) {
    solver_.set_zero();
    unknowns_.direct(solver_.values(), assembly_);
  } else {
    assembly_.tangent = nullptr;
  }
  s.force_between(rule_, q0, q1, force0_, assembly_);
  if (tangent) {  // of the force at the new end alone: (1-af) K1, and lambda K1
    const double share = 1 + lambda_e / (1 - rule_.old_weight);
    const Pattern& pattern = unknowns_.pattern();
    const int count = pattern.dense() ? pattern.size() * pattern.size() : pattern.column_start()[pattern.size()];
    for (int i = 0; i < count; ++i) solver_.values()[i] *= share;
  }
  if (s.dampers()) s.resist_between(rule_, {q0, q1, v0, v1, h_, slope_}, assembly_);
  if (tangent) unknowns_.add_plain_mass((1 - am) * bend + lambda_e * slope_ * slope_, assembly_);
  const std::vector<int>& free = s.free();
  for (std::size_t e = 0; e < free.size(); ++e) {
    const int c = free[e], u = unknowns_.of_equation(static_cast<int>(e));
    double residual = inertia_[c] + assembly_.force[c] - load_[c];
    double size = std::abs(inertia_[c]) + assembly_.size[c] + std::abs(load_[c]);
    for (std::size_t k = 0; k < rows.size() && forced_; ++k) {
      residual += lambda[k] * gradient_[k][c];
      size += std::abs(lambda[k] * gradient_[k][c]);
    }
    rows_.residual[u] = residual;
    rows_.size[u] = size;
  }
}

double ForcedProblem::residual_ratio() const {
  double worst = rows_.worst_ratio();
  for (std::size_t k = 0; k < rows.size() && forced_; ++k) {
    if (!std::isfinite(g_[k])) return std::numeric_limits<double>::quiet_NaN();
    worst = std::max(worst, std::abs(g_[k]) / std::max(1e-4 * rows_.tolerance * size_[k], std::numeric_limits<double>::min()));
  }
  return worst;
}

bool ForcedProblem::residual_at_round_off() {
  for (int u = 0; u < rows_.rows(); ++u) {
    const int c = unknowns_.coordinate(u);
    rows_.unknown_size[u] = std::max(std::abs(q1[c]), system_->coordinate_scale(c));
  }
  // Rounding of a place alone moves a row by eps |grad g| |x|.
  for (std::size_t k = 0; k < rows.size() && forced_; ++k) {
    double size = size_[k];
    for (const int c : system_->free()) size += std::abs(gradient_[k][c]) * std::abs(q1[c]);
    if (!(std::abs(g_[k]) <= std::max(1e-4 * rows_.tolerance * size_[k], rounding * size))) return false;
  }
  return rows_.at_round_off(solver_);
}

double ForcedProblem::solve_and_update() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (!solver_.factorise()) return nan;
  increment_ = rows_.residual;
  solver_.solve(increment_);
  const int n = forced_ ? static_cast<int>(rows.size()) : 0;
  const std::vector<int>& free = system_->free();
  const auto along = [&](int k, const VecX& x) {
    double sum = 0;
    for (std::size_t e = 0; e < free.size(); ++e)
      sum += gradient_[static_cast<std::size_t>(k)][free[e]] * x[unknowns_.of_equation(static_cast<int>(e))];
    return sum;
  };
  std::array<std::array<double, most>, most> S{};
  std::array<double, most> d{};
  for (int k = 0; k < n; ++k) {
    VecX& z = solved_[static_cast<std::size_t>(k)];
    for (std::size_t e = 0; e < free.size(); ++e)
      z[unknowns_.of_equation(static_cast<int>(e))] = gradient_[static_cast<std::size_t>(k)][free[e]];
    solver_.solve(z);
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) S[i][j] = along(i, solved_[static_cast<std::size_t>(j)]);
    d[i] = g_[static_cast<std::size_t>(i)] - along(i, increment_);
  }
  if (!solve_few(n, S, d)) return nan;
  for (int k = 0; k < n; ++k) {
    lambda[static_cast<std::size_t>(k)] += d[k];
    increment_ += d[k] * solved_[static_cast<std::size_t>(k)];
  }
  if (!increment_.allFinite()) return nan;
  double worst = 0;
  for (std::size_t e = 0; e < free.size(); ++e) {
    const int c = free[e];
    const double step = increment_[unknowns_.of_equation(static_cast<int>(e))];
    shift_[c] -= step;
    q1[c] = q0[c] + (lead_[c] + shift_[c]);
    worst = std::max(worst, std::abs(step) / std::max(std::abs(q1[c]), system_->coordinate_scale(c)));
  }
  return worst;
}

NewtonReport ForcedProblem::solve(bool forced) {
  forced_ = forced;
  return newton(*this, options_);
}

void ForcedProblem::begin_rows() {
  lambda.fill(0);
  target_ = {};
  find_rows();
}

bool ForcedProblem::rows_hold() const {
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!(std::abs(g_[k]) <= rounding * size_[k])) return false;
  return true;
}

void ForcedProblem::aim(double share) {
  for (std::size_t k = 0; k < rows.size(); ++k) target_[k] = share * (g_[k] + target_[k]);
}

void ForcedProblem::find_accelerations() {
  const double bend = 1 / (weights_.beta * h_ * h_);
  for (const int c : system_->free()) a1_[c] = bend * shift_[c];
  system_->prescribe_acceleration(t1_, a1_);
}

// Of everything by its own formula: what the equations of the rows do is their forces along the step.
StepEnergy ForcedProblem::energy() {
  const System& s = *system_;
  StepEnergy energy;
  energy.numerical = s.dissipation(rule_, q0, q1);
  if (s.dampers()) {
    const Heat heat = s.heat(rule_, {q0, q1, v0, v1, h_, slope_});
    energy.heat = heat.heat;
    energy.numerical += heat.numerical;
  }
  for (int c = 0; c < s.coordinates(); ++c) {
    const double dq = q1[c] - q0[c], mean = 0.5 * (load0_[c] + load1_[c]);
    energy.load_work += mean * dq;
    energy.numerical += (mean - load_[c]) * dq;
    if (s.equation()[c] < 0) continue;
    energy.numerical += inertia_[c] * dq;
    for (std::size_t k = 0; k < rows.size(); ++k) energy.numerical += lambda[k] * gradient_[k][c] * dq;
  }
  energy.numerical -= s.kinetic(v1) - s.kinetic(v0);
  energy.potentials = s.potentials(q1);
  energy.kinetic = s.kinetic(v1);
  return energy;
}

void ForcedProblem::close() {
  a0_.swap(a1_);
  load0_ = load1_;
  system_->internal_force_at(q1, v1, VecX(), force0_);
}

std::vector<Imbalance> ForcedProblem::imbalances(std::size_t count) const {
  return rows_.worst(count, 1, [this](int unknown) { return unknowns_.name(unknown); });
}

}  // namespace trompo
