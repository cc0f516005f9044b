#include "trompo/system/constraint_terms.hpp"

#include <cmath>

#include "trompo/math/small.hpp"
#include "trompo/system/constraint_gradient.hpp"

namespace trompo {

namespace {

// One constraint over one step: its error at the new end with the gradient J1 there, and the gradient G of its force.
struct ConstrainedStep {
  const Rule& rule;
  const MeasureView& phi;
  const double *c0, *c1;
  double *G, *J1;
  double *H, *middle;
  Scratch scratch;
  double error = 0;

  // Its ends must outlive it, and what it takes stays taken.
  ConstrainedStep(const Rule& rule_, const MeasureView& phi_, const double* from, const double* to, Scratch& taken)
      : rule(rule_),
        phi(phi_),
        c0(from),
        c1(to),
        G(taken.take(phi.n)),
        J1(taken.take(phi.n)),
        H(taken.take(phi.expansion())),
        middle(taken.take(phi.n)),
        scratch(taken) {}

  [[nodiscard]] bool by_secant() const {
    return phi.kernel->quadratic || rule.constraint_gradient == Rule::ConstraintGradient::secant;
  }
  // `point` is where a mean-value gradient was last found. `tangent` announces a call of add_curvature.
  void find(double& point, bool tangent) {
    const Kernel& kernel = *phi.kernel;
    const double w = rule.old_weight;
    double elsewhere = 0;
    if (rule.tense == Rule::Tense::interval && by_secant() && (tangent || kernel.quadratic)) {
      kernel.between(phi.phi, c0, c1, Order::hessian, &elsewhere, &error, G, J1, H, scratch);
      return;
    }
    const bool end = rule.tense == Rule::Tense::ends && rule.kind == Rule::Kind::endpoint_average;
    kernel.at(phi.phi, {c1}, end && tangent ? Order::hessian : Order::gradient, &error, J1, nullptr, H, scratch);
    if (rule.tense == Rule::Tense::interval) {
      ConstraintGradient(rule.constraint_gradient, phi, c0, c1, scratch).gradient(point, G);
    } else if (end) {
      scale(phi.n, 1 - w, J1, G);
    } else {
      blend(phi.n, 1 - w, c1, w, c0, middle);
      kernel.at(phi.phi, {middle}, tangent ? Order::hessian : Order::gradient, &elsewhere, G, nullptr, H, scratch);
    }
  }
  void add_curvature(double lambda, double point, double* K) const {
    if (rule.tense == Rule::Tense::interval) {
      if (by_secant())
        phi.add_secant_curvature(c0, c1, &lambda, H, K);
      else
        ConstraintGradient(rule.constraint_gradient, phi, c0, c1, scratch)
            .add_curvature(lambda, point, rule.fixed_gradient_point, K);
      return;
    }
    const double weighed = (1 - rule.old_weight) * lambda;
    phi.add_curvature(rule.kind == Rule::Kind::endpoint_average ? c1 : middle, &weighed, H, K);
  }
};

}  // namespace

void ConstraintTerms::couple(const Numbering& numbering, int unknown, Entries& entries) const {
  for (int t = 0; t < rows(); ++t) {
    const LocalUnknowns local(terms_.places(), t, numbering);
    if (!terms_.kernel().linear) local.couple_square(entries);
    local.couple_row(unknown++, entries);
  }
}

void ConstraintTerms::connect(const Numbering& numbering, const Pattern& pattern, int unknown,
                              std::vector<int>& indices) const {
  for (int t = 0; t < rows(); ++t) {
    const LocalUnknowns local(terms_.places(), t, numbering);
    local.write(indices);
    local.connect_row(unknown++, pattern, indices);
    if (!terms_.kernel().linear) local.connect_square(pattern, indices);
  }
}

void ConstraintTerms::add_term(int term, const VecX& q, double multiplier, VecX& force, Scratch scratch) const {
  const int n = terms_.n();
  double *const c = scratch.take(n), *const J = scratch.take(n);
  terms_.places().gather(term, q, c);
  terms_.measure(term).gradient(c, J, scratch);
  terms_.places().spread(term, J, [&](int coordinate, double x) { force[coordinate] += multiplier * x; });
}

void ConstraintTerms::at(const VecX& q, const VecX& multiplier, VecX& force) const {
  ScratchRoom room(terms_.scratch_size());
  for (int t = 0; t < rows(); ++t) add_term(t, q, multiplier[first_ + t], force, room.scratch());
}

void ConstraintTerms::at(int term, const VecX& q, const VecX& multiplier, VecX& force) const {
  ScratchRoom room(terms_.scratch_size());
  add_term(term, q, multiplier[first_ + term], force, room.scratch());
}

void ConstraintTerms::constraint_errors(const VecX& q, VecX& error, VecX& size) const {
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const J = scratch.take(n);
  for (int t = 0; t < rows(); ++t) {
    const MeasureView phi = terms_.measure(t);
    terms_.places().gather(t, q, c);
    double r = 0;
    phi.kernel->at(phi.phi, {c}, Order::gradient, &r, J, nullptr, nullptr, scratch);
    error[first_ + t] = r;
    size[first_ + t] = std::abs(r) + terms_.places().terms(t, J, q);
  }
}

void ConstraintTerms::constraint_error_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const {
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const J = scratch.take(n), *const rates = scratch.take(n);
  for (int t = 0; t < rows(); ++t) {
    terms_.places().gather(t, q, c);
    terms_.places().rates(t, v, rates);
    terms_.measure(t).gradient(c, J, scratch);
    rate[first_ + t] = dot(n, J, rates);
    size[first_ + t] = terms_.places().rate_terms(t, J, v);
  }
}

double ConstraintTerms::relative_error(int term, const VecX& q) const {
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const J = scratch.take(n);
  const MeasureView phi = terms_.measure(term);
  terms_.places().gather(term, q, c);
  double r = 0;
  phi.kernel->at(phi.phi, {c}, Order::gradient, &r, J, nullptr, nullptr, scratch);
  return r == 0 ? 0 : std::abs(r) / (std::abs(r) + terms_.places().terms(term, J, q));
}

void ConstraintTerms::constraint_accelerations(const VecX& q, const VecX& v, const VecX& a, VecX& acceleration,
                                               VecX& size) const {
  const int n = terms_.n();
  Assembly no_matrix;
  acceleration_rows(q, v, a, acceleration, no_matrix);
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const J = scratch.take(n), *const rates = scratch.take(n);
  double *const K = scratch.take(n * n), *const Kv = scratch.take(n), *const H = scratch.take(terms_.measure(0).expansion());
  for (int t = 0; t < rows(); ++t) {
    const MeasureView phi = terms_.measure(t);
    terms_.places().gather(t, q, c);
    terms_.places().rates(t, v, rates);
    double r = 0;
    const double one = 1;
    phi.kernel->at(phi.phi, {c}, Order::hessian, &r, J, nullptr, H, scratch);
    size[first_ + t] = terms_.places().rate_terms(t, J, a);
    if (terms_.kernel().linear) continue;
    std::fill_n(K, n * n, 0.0);
    phi.add_curvature(c, &one, H, K);
    multiply(n, K, rates, Kv);
    for (int i = 0; i < n; ++i) size[first_ + t] += std::abs(rates[i] * Kv[i]);
  }
}

void ConstraintTerms::acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, Assembly& out) const {
  const int n = terms_.n();
  const bool linear = terms_.kernel().linear;
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const J = scratch.take(n), *const rates = scratch.take(n), *const a = scratch.take(n);
  double *const K = scratch.take(n * n), *const Kv = scratch.take(n), *const H = scratch.take(terms_.measure(0).expansion());
  for (int t = 0; t < rows(); ++t) {
    const MeasureView phi = terms_.measure(t);
    terms_.places().gather(t, q, c);
    terms_.places().rates(t, v, rates);
    terms_.places().rates(t, given, a);
    double r = 0;
    const double one = 1;
    phi.kernel->at(phi.phi, {c}, Order::hessian, &r, J, nullptr, H, scratch);
    rest[first_ + t] = dot(n, J, a);
    if (!linear) {
      std::fill_n(K, n * n, 0.0);
      phi.add_curvature(c, &one, H, K);
      multiply(n, K, rates, Kv);
      rest[first_ + t] += dot(n, rates, Kv);
    }
    if (out.tangent == nullptr) continue;
    Scatter scatter(terms_.places(), t, out, scratch);
    scatter.add_row(J, J, 1);
    if (!linear) scatter.skip_square();
  }
}

void ConstraintTerms::jacobian_rows(const VecX& q, std::vector<Eigen::Triplet<double>>& all) const {
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const J = scratch.take(n);
  for (int t = 0; t < rows(); ++t) {
    terms_.places().gather(t, q, c);
    terms_.measure(t).gradient(c, J, scratch);
    terms_.places().spread(t, J, [&](int coordinate, double x) { all.emplace_back(first_ + t, coordinate, x); });
  }
}

void ConstraintTerms::between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const {
  const int n = terms_.n();
  const bool tangent = out.tangent != nullptr, linear = terms_.kernel().linear;
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c0 = scratch.take(n), *const c1 = scratch.take(n), *const f = scratch.take(n);
  double* const k = tangent && !linear ? scratch.take(n * n) : nullptr;
  const Places& places = terms_.places();
  for (int t = 0; t < rows(); ++t) {
    const int row = first_ + t;
    const MeasureView phi = terms_.measure(t);
    Scratch rest = scratch;
    places.gather(t, q0, c0);
    places.gather(t, q1, c1);
    ConstrainedStep step(rule, phi, c0, c1, rest);
    step.find(out.gradient_point[row], tangent);
    out.constraint_error[row] = step.error;
    out.constraint_size[row] = std::abs(step.error) + places.terms(t, step.J1, q1);
    scale(n, multiplier[row], step.G, f);
    add_force(places, t, f, out);
    if (!tangent) continue;
    if (!linear) {
      std::fill_n(k, n * n, 0.0);
      step.add_curvature(multiplier[row], out.gradient_point[row], k);
    }
    Scatter scatter(places, t, out, rest);
    scatter.add_row(step.J1, step.G, out.constraint_scale);
    if (!linear) scatter.add_square(k);
  }
}

double ConstraintTerms::dissipation(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& old_multiplier,
                                    const VecX& multiplier) const {
  const bool interval = rule.tense == Rule::Tense::interval;
  using enum Rule::ConstraintGradient;
  const bool works = rule.constraint_gradient == midpoint || rule.constraint_gradient == end;
  if (interval && !works) return 0;  // G.dq is the change of the error
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c0 = scratch.take(n), *const c1 = scratch.take(n), *const d = scratch.take(n), *const J0 = scratch.take(n);
  double sum = 0;
  for (int t = 0; t < rows(); ++t) {
    const int row = first_ + t;
    const MeasureView phi = terms_.measure(t);
    Scratch rest = scratch;
    terms_.places().gather(t, q0, c0);
    terms_.places().gather(t, q1, c1);
    subtract(n, c1, c0, d);
    ConstrainedStep step(rule, phi, c0, c1, rest);
    double nowhere = 0.5;
    step.find(nowhere, false);
    sum += multiplier[row] * dot(n, step.G, d);
    if (!interval && rule.kind == Rule::Kind::endpoint_average) {
      phi.gradient(c0, J0, rest);
      sum += rule.old_weight * old_multiplier[row] * dot(n, J0, d);
    }
  }
  return sum;
}

}  // namespace trompo
