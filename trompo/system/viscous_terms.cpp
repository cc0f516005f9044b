#include "trompo/system/viscous_terms.hpp"

#include "trompo/math/small.hpp"

namespace trompo {

double ViscousTerms::point(int term, const double* c, const double* v, double* force, double of_place, double of_rate,
                           double* K, Scratch scratch) const {
  const MeasureView measure = terms_.measure(term);
  const auto [kernel, phi, n, m] = measure;
  const double* const p = parameters_.data() + static_cast<std::ptrdiff_t>(term) * m;
  const bool wanted = K != nullptr;
  double *const r = scratch.take(m), *const rate = scratch.take(m), *const s = scratch.take(m);
  double *const of_r = scratch.take(m), *const of_r_rate = scratch.take(m), *const J = scratch.take(m * n);
  double* const H = scratch.take(wanted ? measure.expansion() : 0);
  kernel->at(phi, {c, v}, wanted ? Order::hessian : Order::gradient, r, J, nullptr, H, scratch);
  rows_times(m, n, J, v, rate);
  stress_(p, m, {r, rate}, s, of_r, of_r_rate);
  transpose_times(m, n, J, s, force);
  const double power = dot(m, s, rate);
  if (!wanted) return power;
  // dF = J^T (s_r dr + s_r' dr') + curvature(s), where dr = J dc and dr' = J dc' + (H v) dc
  double *const D = scratch.take(m), *const bend = scratch.take(n * n), *const Hv = scratch.take(n),
                *const unit = scratch.take(m);
  for (int a = 0; a < m; ++a) {
    D[a] = of_place * of_r[a] + of_rate * of_r_rate[a];
    s[a] *= of_place;
  }
  add_congruence(m, n, J, D, J, K);
  if (kernel->linear) return power;
  measure.add_curvature(c, s, H, K);
  for (int a = 0; a < m; ++a) {
    std::fill_n(bend, n * n, 0.0);
    std::fill_n(unit, m, 0.0);
    unit[a] = of_place * of_r_rate[a];
    measure.add_curvature(c, unit, H, bend);
    rows_times(n, n, bend, v, Hv);  // its transpose: of J v in the place, which for a spin is not that of J^T s
    add_outer(n, J + a * n, Hv, K);
  }
  return power;
}

void ViscousTerms::at(int first, int last, const VecX& q, const VecX& v, VecX& force) const {
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const rates = scratch.take(n), *const f = scratch.take(n);
  for (int t = first; t < last; ++t) {
    terms_.places().gather(t, q, c);
    terms_.places().rates(t, v, rates);
    point(t, c, rates, f, 0, 0, nullptr, scratch);
    add_force(terms_.places(), t, f, force);
  }
}

double ViscousTerms::first_stress(int t, const VecX& q, const VecX& v) const {
  const auto [kernel, phi, n, m] = terms_.measure(t);
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const rates = scratch.take(n), *const r = scratch.take(m), *const rate = scratch.take(m);
  double *const s = scratch.take(m), *const of_r = scratch.take(m), *const of_rate = scratch.take(m),
                *const J = scratch.take(m * n);
  terms_.places().gather(t, q, c);
  terms_.places().rates(t, v, rates);
  kernel->at(phi, {c, rates}, Order::gradient, r, J, nullptr, nullptr, scratch);
  rows_times(m, n, J, rates, rate);
  stress_(parameters_.data() + static_cast<std::ptrdiff_t>(t) * m, m, {r, rate}, s, of_r, of_rate);
  return s[0];
}

void ViscousTerms::between(const Rule& rule, const Motion& motion, Assembly& out) const {
  const int n = terms_.n();
  const double w = rule.old_weight;
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c0 = scratch.take(n), *const c1 = scratch.take(n), *const v0 = scratch.take(n), *const v1 = scratch.take(n);
  double *const c = scratch.take(n), *const v = scratch.take(n), *const f = scratch.take(n);
  double* const k = out.tangent != nullptr ? scratch.take(n * n) : nullptr;
  const Places& places = terms_.places();
  for (int t = 0; t < terms_.count(); ++t) {
    if (k != nullptr) std::fill_n(k, n * n, 0.0);
    places.gather(t, motion.q0, c0);
    places.gather(t, motion.q1, c1);
    if (rule.tense == Rule::Tense::interval) {
      blend(n, 0.5, c0, 0.5, c1, c);
      for (int i = 0; i < n; ++i) v[i] = (c1[i] - c0[i]) / motion.h;
      point(t, c, v, f, 0.5, 1 / motion.h, k, scratch);
    } else {
      places.rates(t, motion.v1, v1);
      if (rule.kind == Rule::Kind::endpoint_average) {  // the old end is added from memory
        point(t, c1, v1, f, 1 - w, (1 - w) * motion.rate_slope, k, scratch);
        for (int i = 0; i < n; ++i) f[i] *= 1 - w;
      } else {
        places.rates(t, motion.v0, v0);
        blend(n, 1 - w, c1, w, c0, c);
        blend(n, 1 - w, v1, w, v0, v);
        point(t, c, v, f, 1 - w, (1 - w) * motion.rate_slope, k, scratch);
      }
    }
    add_force(places, t, f, out);
    if (k != nullptr) Scatter(places, t, out, scratch).add_square(k);
  }
}

Heat ViscousTerms::heat(const Rule& rule, const Motion& motion) const {
  const int n = terms_.n();
  const double w = rule.old_weight;
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c0 = scratch.take(n), *const c1 = scratch.take(n), *const v0 = scratch.take(n), *const v1 = scratch.take(n);
  double *const c = scratch.take(n), *const v = scratch.take(n), *const f = scratch.take(n), *const d = scratch.take(n);
  const Places& places = terms_.places();
  Heat sum;
  for (int t = 0; t < terms_.count(); ++t) {
    places.gather(t, motion.q0, c0);
    places.gather(t, motion.q1, c1);
    subtract(n, c1, c0, d);
    blend(n, 0.5, c0, 0.5, c1, c);
    scale(n, 1 / motion.h, d, v);
    const double heat = motion.h * point(t, c, v, f, 0, 0, nullptr, scratch);
    sum.heat += heat;
    if (rule.tense == Rule::Tense::interval) continue;
    places.rates(t, motion.v0, v0);
    places.rates(t, motion.v1, v1);
    double work = 0;
    const auto share = [&](double weight, const double* at, const double* rates) {
      (void)point(t, at, rates, f, 0, 0, nullptr, scratch);
      work += weight * dot(n, f, d);
    };
    if (rule.kind == Rule::Kind::endpoint_average) {
      share(1 - w, c1, v1);
      if (w != 0) share(w, c0, v0);
    } else {
      blend(n, 1 - w, c1, w, c0, c);
      blend(n, 1 - w, v1, w, v0, v);
      share(1, c, v);
    }
    sum.numerical += work - heat;
  }
  return sum;
}

}  // namespace trompo
