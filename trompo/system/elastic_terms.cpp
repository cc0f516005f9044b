#include "trompo/system/elastic_terms.hpp"

#include <cmath>

#include "trompo/math/small.hpp"

namespace trompo {

void ElasticTerms::at(const VecX& q, VecX& force) const {
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(terms_.n()), *const f = scratch.take(terms_.n());
  for (int t = 0; t < terms_.count(); ++t) {
    terms_.places().gather(t, q, c);
    term(t).force(c, f, scratch);
    add_force(terms_.places(), t, f, force);
  }
}

void ElasticTerms::between(const Rule& rule, const VecX& q0, const VecX& q1, Assembly& out) const {
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c0 = scratch.take(n), *const c1 = scratch.take(n), *const f = scratch.take(n);
  double* const k = out.tangent != nullptr ? scratch.take(n * n) : nullptr;
  const Places& places = terms_.places();
  for (int t = 0; t < terms_.count(); ++t) {
    places.gather(t, q0, c0);
    places.gather(t, q1, c1);
    step_force(rule, term(t), c0, c1, f, k, scratch);
    add_force(places, t, f, out);
    if (k != nullptr) Scatter(places, t, out, scratch).add_square(k);
  }
}

double ElasticTerms::energy(const VecX& q) const {
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double* const c = scratch.take(terms_.n());
  double sum = 0;
  for (int t = 0; t < terms_.count(); ++t) {
    terms_.places().gather(t, q, c);
    sum += term(t).energy(c, scratch);
  }
  return sum;
}

double ElasticTerms::dissipation(const Rule& rule, const VecX& q0, const VecX& q1) const {
  if (rule.takes_nothing()) return 0;
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c0 = scratch.take(terms_.n()), *const c1 = scratch.take(terms_.n());
  double sum = 0;
  for (int t = 0; t < terms_.count(); ++t) {
    terms_.places().gather(t, q0, c0);
    terms_.places().gather(t, q1, c1);
    sum += dissipation_between(rule, term(t), c0, c1, scratch);
  }
  return sum;
}

TermState ElasticTerms::state(int t, const VecX& q) const {
  const int n = terms_.n(), m = terms_.m();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const r = scratch.take(m), *const s = scratch.take(m), *const f = scratch.take(n);
  const ElasticTerm one = term(t);
  terms_.places().gather(t, q, c);
  one.measure.value(c, r, scratch);
  law_->stress(one.parameters, m, {r}, s, nullptr, nullptr);
  one.force(c, f, scratch);
  const int half = n / 2;
  const double along = Eigen::Map<const VecX>(f + half, n - half).stableNorm();  // its square may be no number
  return {r[0], s[0], law_->energy(one.parameters, m, r), std::copysign(along, s[0])};
}

}  // namespace trompo
