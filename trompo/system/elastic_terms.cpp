#include "trompo/system/elastic_terms.hpp"

#include <cmath>

#include "trompo/math/small.hpp"

namespace trompo {

namespace {

// Where all arguments are unknowns as they are, or held, their square goes where it belongs without any matrix of moves: this
// is what most terms are, and for small ones the way is longer than the arithmetic. False: not so, and nothing was done.
bool add_plain_square(const Places& places, const double* k, Assembly& out, Scratch scratch) {
  if (!places.plain() || out.only_turning) return false;
  const int n = places.arguments();
  const int *const codes = out.indices, *slot = codes + n + 1;
  int *const arguments = reinterpret_cast<int*>(scratch.take((n + 1) / 2)), *end = arguments;
  for (int i = 0, next = 0; i < n; ++i) {
    if (codes[i] < 0) continue;
    if (codes[i] != next) return false;
    *end++ = i;
    next += 2;
  }
  double* const tangent = out.tangent;
  for (const int* j = arguments; j != end; ++j) {
    const double* const column = k + *j * n;
    for (const int* i = arguments; i != end; ++i) tangent[*slot++] += column[*i];
  }
  out.indices = slot;
  return true;
}

}  // namespace

void ElasticTerms::at(int first, int last, const VecX& q, VecX& force) const {
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(terms_.n()), *const f = scratch.take(terms_.n());
  for (int t = first; t < last; ++t) {
    terms_.places().gather(t, q, c);
    term(t).force(c, f, scratch);
    add_force(terms_.places(), t, f, force);
  }
}

void ElasticTerms::between(const Rule& rule, const VecX& q0, const VecX& q1, Assembly& out) const {
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c0 = scratch.take(3 * n), *const c1 = c0 + n, *const f = c1 + n;
  double* const k = out.tangent != nullptr ? scratch.take(n * n) : nullptr;
  const Places& places = terms_.places();
  for (int t = 0; t < terms_.count(); ++t) {
    places.gather(t, q0, c0);
    places.gather(t, q1, c1);
    step_force(rule, term(t), c0, c1, f, k, scratch);
    add_force(places, t, f, out);
    if (k != nullptr && !add_plain_square(places, k, out, scratch)) Scatter(places, t, out, scratch).add_square(k);
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
  double* const J = scratch.take(m * n);
  const ElasticTerm one = term(t);
  terms_.places().gather(t, q, c);
  one.measure.kernel->at(one.measure.phi, {c}, Order::gradient, r, J, nullptr, nullptr, scratch);
  law_->stress(one.parameters, m, {r}, s, nullptr, nullptr);
  transpose_times(m, n, J, s, f);
  const int half = n / 2;
  const Eigen::Map<const VecX> end(f + half, n - half);
  const double square = dot(n - half, f + half, f + half);  // of a large or a small force it may be no number
  const double along = square > 1e-280 && square < 1e300 ? std::sqrt(square) : end.stableNorm();
  return {r[0], s[0], law_->energy(one.parameters, m, r), std::copysign(along, s[0])};
}

}  // namespace trompo
