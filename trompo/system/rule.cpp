#include "trompo/system/rule.hpp"

#include "trompo/math/small.hpp"
#include "trompo/measure/size.hpp"
#include "trompo/system/energy_rules.hpp"

namespace trompo {

void ElasticTerm::force(const double* c, double* f, Scratch scratch) const {
  const auto [kernel, phi, n, m] = measure;
  double *const r = scratch.take(2 * m + m * n), *const s = r + m, *const J = s + m;
  kernel->at(phi, {c}, Order::gradient, r, J, nullptr, nullptr, scratch);
  law->stress(parameters, m, {r}, s, nullptr, nullptr);
  transpose_times(m, n, J, s, f);
}

// The widest is Krenk's geometric rule with its tangent.
std::size_t rule_scratch(const MeasureView& measure) {
  const auto n = static_cast<std::size_t>(measure.n), m = static_cast<std::size_t>(measure.m);
  return 5 * n * n + 6 * m * n + 24 * (n + m) + 3 * static_cast<std::size_t>(measure.expansion()) +
         static_cast<std::size_t>(measure.kernel->scratch(measure.phi));
}

namespace {

// One term in one step, as plain functions: closures over all of this would cost more than the arithmetic.
template <class Size>
struct StepOfTerm : Size {
  using Size::n, Size::m;
  const ElasticTerm& term;
  const Kernel& kernel;
  const void* phi;
  const double *c0, *c1;
  double *force, *tangent;  // null: not wanted
  double *r, *s, *D, *J;

  StepOfTerm(const ElasticTerm& t, const double* from, const double* to, double* f, double* k, Scratch& scratch)
      : Size(t.measure),
        term(t),
        kernel(*t.measure.kernel),
        phi(t.measure.phi),
        c0(from),
        c1(to),
        force(f),
        tangent(k),
        r(scratch.take(3 * m + m * n)),
        s(r + m),
        D(s + m),
        J(D + m) {}
  [[nodiscard]] Order order() const { return tangent != nullptr ? Order::hessian : Order::gradient; }
  void find_stress() { term.law->stress(term.parameters, m, {r}, s, tangent != nullptr ? D : nullptr, nullptr); }

  // tangent = material A^T D B, and the curvature times `geometric` where the measure expands: what it left becomes the tangent
  // in place. Otherwise the curvature is still to be added, with s weighed for it: true.
  [[nodiscard]] bool finish(double material, const double* A, const double* B, double geometric) {
    if (kernel.expands) {
      blend_outer(n, geometric * s[0], material * D[0], A, B, tangent);
      return false;
    }
    for (int a = 0; a < m; ++a) {
      D[a] *= material;
      s[a] *= geometric;
    }
    std::fill_n(tangent, n * n, 0.0);
    add_congruence(m, n, A, D, B, tangent);
    return !kernel.linear;
  }
  void at(const double* c, double w, double share, Scratch scratch) {
    kernel.at(phi, {c}, order(), r, J, nullptr, tangent, scratch);
    find_stress();
    transpose_times(m, n, J, s, force);
    if (share != 1)
      for (int i = 0; i < n; ++i) force[i] *= share;
    if (tangent != nullptr && finish(1 - w, J, J, 1 - w)) kernel.add_curvature(phi, c, s, tangent);
  }
  void midpoint(double w, Scratch scratch) {
    double* const middle = scratch.take(n);
    blend(n, 1 - w, c1, w, c0, middle);
    at(middle, w, 1, scratch);
  }
  void mean_gradient(const Rule& rule, Scratch scratch) {
    const double w = rule.old_weight;
    double *const r0 = scratch.take(m), *const r1 = scratch.take(m);
    double *const J0 = scratch.take(m * n), *const J1 = scratch.take(m * n);
    kernel.at(phi, {c0}, Order::gradient, r0, J0, nullptr, nullptr, scratch);
    kernel.at(phi, {c1}, order(), r1, J1, nullptr, tangent, scratch);
    blend(m, 1 - w + rule.xi, r1, w - rule.xi, r0, r);
    blend(m * n, 1 - w, J1, w, J0, J);
    find_stress();
    transpose_times(m, n, J, s, force);
    if (tangent != nullptr && finish(1 - w + rule.xi, J, J1, 1 - w)) kernel.add_curvature(phi, c1, s, tangent);
  }
  void strain_average(const Rule& rule, Scratch scratch) {
    if (rule.mean_gradient) return mean_gradient(rule, scratch);
    const double w = rule.old_weight;
    double *const middle = scratch.take(n), *const r0 = scratch.take(m), *const r1 = scratch.take(m);
    double* const J1 = scratch.take(m * n);
    blend(n, 1 - w, c1, w, c0, middle);
    kernel.at(phi, {middle}, order(), r, J, nullptr, tangent, scratch);
    kernel.at(phi, {c1}, tangent != nullptr ? Order::gradient : Order::value, r1, J1, nullptr, nullptr, scratch);
    kernel.value(phi, c0, r0, scratch);
    blend(m, 1 - w + rule.xi, r1, w - rule.xi, r0, r);
    find_stress();
    transpose_times(m, n, J, s, force);
    if (tangent == nullptr) return;
    const bool printed = rule.transposed_tangent;
    if (finish(1 - w + rule.xi, printed ? J1 : J, printed ? J : J1, 1 - w)) kernel.add_curvature(phi, middle, s, tangent);
  }
  void secant(double xi, Scratch scratch) {
    const bool wanted = tangent != nullptr;
    double *const r1 = scratch.take(m), *const J1 = scratch.take(wanted ? m * n : 0);
    kernel.between(phi, c0, c1, order(), r, r1, J, J1, tangent, scratch);
    term.law->secant(term.parameters, m, r, r1, s, wanted ? D : nullptr);
    if (xi != 0) {
      double *const s0 = scratch.take(m), *const s1 = scratch.take(m), *const D1 = scratch.take(m);
      term.law->stress(term.parameters, m, {r}, s0, nullptr, nullptr);
      term.law->stress(term.parameters, m, {r1}, s1, D1, nullptr);
      for (int a = 0; a < m; ++a) {
        s[a] += xi * (s1[a] - s0[a]);
        if (wanted) D[a] += xi * D1[a];
      }
    }
    transpose_times(m, n, J, s, force);
    if (wanted && finish(1, J, J1, 1)) kernel.add_secant_curvature(phi, c0, c1, s, tangent);
  }
};

// Not inlined: whoever asks for a rule of the energy would pay for its frame.
[[gnu::noinline]] void measure_rule(const Rule& rule, const ElasticTerm& term, const double* c0, const double* c1,
                                    double* force, double* tangent, Scratch scratch) {
  by_size(term.measure, [&]<class Size>() {
    StepOfTerm<Size> step(term, c0, c1, force, tangent, scratch);
    switch (rule.kind) {
      case Rule::Kind::endpoint_average: return step.at(c1, rule.old_weight, 1 - rule.old_weight, scratch);
      case Rule::Kind::midpoint: return step.midpoint(rule.old_weight, scratch);
      case Rule::Kind::strain_average: return step.strain_average(rule, scratch);
      default: return step.secant(rule.xi, scratch);
    }
  });
}

}  // namespace

void step_force(const Rule& rule, const ElasticTerm& term, const double* c0, const double* c1, double* force, double* tangent,
                Scratch scratch) {
  if (rule.of_energy()) return energy_rule(rule, term, c0, c1, force, tangent, scratch);
  measure_rule(rule, term, c0, c1, force, tangent, scratch);
}

double dissipation_between(const Rule& rule, const ElasticTerm& term, const double* c0, const double* c1, Scratch scratch) {
  if (rule.takes_nothing()) return 0;
  const auto [kernel, phi, n, m] = term.measure;
  const Law& law = *term.law;
  const double* const p = term.parameters;
  double *const r0 = scratch.take(4 * m + 2 * n), *const r1 = r0 + m, *const s0 = r1 + m, *const s1 = s0 + m;
  double *const d = s1 + m, *const force = d + n;
  subtract(n, c1, c0, d);
  double work = 0;
  if (rule.kind == Rule::Kind::endpoint_average) {
    double* const J = scratch.take(m * n);
    kernel->at(phi, {c0}, Order::gradient, r0, J, nullptr, nullptr, scratch);
    law.stress(p, m, {r0}, s0, nullptr, nullptr);
    for (int a = 0; a < m; ++a) work += rule.old_weight * s0[a] * dot(n, J + a * n, d);
    kernel->at(phi, {c1}, Order::gradient, r1, J, nullptr, nullptr, scratch);
    law.stress(p, m, {r1}, s1, nullptr, nullptr);
    for (int a = 0; a < m; ++a) work += (1 - rule.old_weight) * s1[a] * dot(n, J + a * n, d);
  } else {
    kernel->value(phi, c0, r0, scratch);
    kernel->value(phi, c1, r1, scratch);
    if (rule.kind == Rule::Kind::secant) {
      law.stress(p, m, {r0}, s0, nullptr, nullptr);
      law.stress(p, m, {r1}, s1, nullptr, nullptr);
      for (int a = 0; a < m; ++a) work += (s1[a] - s0[a]) * (r1[a] - r0[a]);
      return rule.xi * work;
    }
    step_force(rule, term, c0, c1, force, nullptr, scratch);
    work = dot(n, force, d);
  }
  return work - (law.energy(p, m, r1) - law.energy(p, m, r0));
}

}  // namespace trompo
