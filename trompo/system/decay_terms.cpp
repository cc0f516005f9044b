#include "trompo/system/decay_terms.hpp"

#include "trompo/math/small.hpp"
#include "trompo/system/decay_measure.hpp"

namespace trompo {

namespace {

// The ends of one term, with its gradients; then one component after the other.
struct Ends {
  int n, m;
  double *c0, *c1, *middle, *v0, *v1, *mean, *e, *d;
  double *J0, *J1, *J, *H, *Hv1, *Hmean, *He, *row, *row_e, *f, *fe;
  double rate = 0, rate_size = 0;

  Ends(int arguments, int components, Scratch& scratch) : n(arguments), m(components) {
    for (double** x : {&c0, &c1, &middle, &v0, &v1, &mean, &e, &d, &Hv1, &Hmean, &He, &row, &row_e, &f, &fe})
      *x = scratch.take(n);
    for (double** x : {&J0, &J1, &J}) *x = scratch.take(m * n);
    H = scratch.take(n * n);
  }
  static std::size_t size(const Terms& terms) {
    const auto n = static_cast<std::size_t>(terms.n()), m = static_cast<std::size_t>(terms.m());
    return 15 * n + 3 * m * n + 5 * n * n + 8 * m + terms.scratch_size();
  }
  void gather(const Places& places, int t, const DecayStep& s) {
    places.gather(t, s.q0, c0);
    places.gather(t, s.q1, c1);
    places.rates(t, s.v0, v0);
    places.rates(t, s.v1, v1);
    places.rates(t, s.mean, mean);
    places.rates(t, s.e, e);
    blend(n, 0.5, c0, 0.5, c1, middle);
    subtract(n, c1, c0, d);
    std::fill_n(f, n, 0.0);
    std::fill_n(fe, n, 0.0);
  }
  void find(const MeasureView& rho, Scratch scratch) {
    rho.gradient(c0, J0, scratch);
    rho.gradient(c1, J1, scratch);
    rho.gradient(middle, J, scratch);
  }
  // J1 v1 - J0 v0 - J* e of a component, and its curvature; with a tangent its slopes in the places and in e.
  void component(const MeasureView& rho, int a, const DecayStep& s, bool tangent, Scratch scratch) {
    double *const unit = scratch.take(m), *const r = scratch.take(m), *const own = scratch.take(rho.expansion()),
                  *const gradient = scratch.take(m * n);
    std::fill_n(unit, m, 0.0);
    unit[a] = 1;
    std::fill_n(H, n * n, 0.0);
    if (rho.kernel->expands) rho.kernel->at(rho.phi, {middle}, Order::hessian, r, gradient, nullptr, own, scratch);
    if (!rho.kernel->linear) rho.add_curvature(middle, unit, own, H);
    multiply(n, H, mean, Hmean);
    const double *const of0 = J0 + a * n, *const of1 = J1 + a * n, *const of = J + a * n;
    rate = rate_size = 0;
    for (int i = 0; i < n; ++i) {
      rate += of1[i] * v1[i] - of0[i] * v0[i] - of[i] * e[i];
      rate_size += std::abs(of1[i] * v1[i]) + std::abs(of0[i] * v0[i]) + std::abs(of[i] * e[i]);
    }
    if (!tangent) return;
    multiply(n, H, v1, Hv1);
    multiply(n, H, e, He);
    for (int i = 0; i < n; ++i) {
      row[i] = 2 / s.h * of1[i] + Hv1[i] - 0.5 * He[i];
      row_e[i] = -2 * s.c * of1[i] - of[i];
    }
  }
};

// The four squares of a term: equations of motion and of e, by places and by e.
struct Squares {
  double* part[4];
  int n;
  Squares(int arguments, Scratch& scratch) : n(arguments) {
    for (double*& k : part) k = scratch.take(n * n);
  }
  void clear() {
    for (double* k : part) std::fill_n(k, n * n, 0.0);
  }
  void add_outer(int which, double by, const double* x, const double* y) {
    for (int j = 0; j < n; ++j) add(n, by * y[j], x, part[which] + j * n);
  }
  void add_bend(int which, double by, const double* H) { add(n * n, by, H, part[which]); }
  void scatter(const Places& places, int t, Assembly& out, Scratch scratch) const {
    for (const double* k : part) Scatter(places, t, out, scratch).add_square(k);
  }
};
enum Part { motion_place, motion_rate, rate_place, rate_rate };

void couple_squares(const Places& places, int t, const DecayNumbering& numbering, Entries& entries) {
  const LocalUnknowns q(places, t, numbering.places), e(places, t, numbering.rates);
  q.couple_square(entries);
  q.couple_block(e, entries);
  e.couple_block(q, entries);
  e.couple_square(entries);
}
void connect_squares(const Places& places, int t, const DecayNumbering& numbering, const Pattern& pattern,
                     std::vector<int>& indices) {
  const LocalUnknowns q(places, t, numbering.places), e(places, t, numbering.rates);
  q.write(indices);
  q.connect_square(pattern, indices);
  q.write(indices);
  q.connect_block(e, pattern, indices);
  e.write(indices);
  e.connect_block(q, pattern, indices);
  e.write(indices);
  e.connect_square(pattern, indices);
}

void add_forces(const Places& places, int t, const Ends& x, DecayForces& out) {
  add_force(places, t, x.f, out.motion);
  places.spread(t, x.fe, [&](int c, double f) {
    out.force[c] += f;
    out.size[c] += std::abs(f);
  });
}

}  // namespace

bool DecayTerms::any() const {
  for (int t = 0; t < elastic_->terms().count(); ++t)
    if (dissipative(elastic_->term(t)).kernel != nullptr) return true;
  return false;
}

void DecayTerms::couple(const DecayNumbering& numbering, Entries& entries) const {
  for (int t = 0; t < elastic_->terms().count(); ++t)
    if (dissipative(elastic_->term(t)).kernel != nullptr) couple_squares(elastic_->terms().places(), t, numbering, entries);
}

void DecayTerms::connect(const DecayNumbering& numbering, const Pattern& pattern, std::vector<int>& indices) const {
  for (int t = 0; t < elastic_->terms().count(); ++t)
    if (dissipative(elastic_->term(t)).kernel != nullptr)
      connect_squares(elastic_->terms().places(), t, numbering, pattern, indices);
}

double DecayTerms::between(const DecayStep& s, DecayForces& out) const {
  const Terms& terms = elastic_->terms();
  const Places& places = terms.places();
  const bool tangent = out.motion.tangent != nullptr;
  ScratchRoom room(Ends::size(terms));
  Scratch scratch = room.scratch();
  Ends x(terms.n(), terms.m(), scratch);
  Squares k(terms.n(), scratch);
  double* const kappa = scratch.take(terms.m());
  double sum = 0;
  for (int t = 0; t < terms.count(); ++t) {
    const ElasticTerm term = elastic_->term(t);
    const MeasureView rho = dissipative(term);
    if (rho.kernel == nullptr) continue;
    x.gather(places, t, s);
    x.find(rho, scratch);
    dissipative_stiffness(term, x.c0, kappa, scratch);
    k.clear();
    for (int a = 0; a < x.m; ++a) {
      if (kappa[a] == 0) continue;
      x.component(rho, a, s, tangent, scratch);
      const double* const J = x.J + a * x.n;
      const double eps = s.theta * x.rate, by = s.theta * kappa[a], eta = by * (eps - dot(x.n, J, x.d));
      sum += kappa[a] * eps * eps;
      add(x.n, s.c * kappa[a] * eps, J, s.c * eta, x.Hmean, x.f);
      add(x.n, -eta, J, x.fe);
      if (!tangent) continue;
      k.add_bend(motion_place, s.c * (0.5 * kappa[a] * eps + eta / s.h), x.H);
      k.add_bend(motion_rate, -s.c * s.c * eta, x.H);
      k.add_bend(rate_place, -0.5 * eta, x.H);
      k.add_outer(motion_place, s.c * by, J, x.row);
      k.add_outer(motion_rate, s.c * by, J, x.row_e);
      // of eta: in the places and in e
      scale(x.n, by * s.theta, x.row, x.Hv1);
      add(x.n, -by, x.J1 + a * x.n, x.Hv1);
      scale(x.n, by * s.theta, x.row_e, x.He);
      k.add_outer(motion_place, s.c, x.Hmean, x.Hv1);
      k.add_outer(motion_rate, s.c, x.Hmean, x.He);
      k.add_outer(rate_place, -1, J, x.Hv1);
      k.add_outer(rate_rate, -1, J, x.He);
    }
    add_forces(places, t, x, out);
    if (tangent) k.scatter(places, t, out.motion, scratch);
  }
  return sum;
}

RateTerms::RateTerms(const ConstraintTerms& constraints, int first) : terms_(&constraints.terms()), first_(first) {
  for (int t = 0; t < terms_->count(); ++t)
    if (is_quadratic_measure(terms_->measure(t))) quadratic_.push_back(t);
}

void RateTerms::couple(const DecayNumbering& numbering, int unknown, Entries& entries) const {
  const Places& places = terms_->places();
  for (const int t : quadratic_) {
    LocalUnknowns(places, t, numbering.places).couple_row(unknown, entries);
    LocalUnknowns(places, t, numbering.rates).couple_row(unknown++, entries);
    couple_squares(places, t, numbering, entries);
  }
}

void RateTerms::connect(const DecayNumbering& numbering, int unknown, const Pattern& pattern, std::vector<int>& indices) const {
  const Places& places = terms_->places();
  for (const int t : quadratic_) {
    for (const Numbering* of : {&numbering.places, &numbering.rates}) {
      const LocalUnknowns local(places, t, *of);
      local.write(indices);
      local.connect_row(unknown, pattern, indices);
    }
    ++unknown;
    connect_squares(places, t, numbering, pattern, indices);
  }
}

void RateTerms::between(const DecayStep& s, const VecX& nu, double scale, DecayForces& out, VecX& error, VecX& size) const {
  const Terms& terms = *terms_;
  const Places& places = terms.places();
  const bool tangent = out.motion.tangent != nullptr;
  ScratchRoom room(Ends::size(terms));
  Scratch scratch = room.scratch();
  Ends x(terms.n(), 1, scratch);
  Squares k(terms.n(), scratch);
  int row = first_;
  for (const int t : quadratic_) {
    const MeasureView rho = terms.measure(t);
    x.gather(places, t, s);
    x.find(rho, scratch);
    x.component(rho, 0, s, tangent, scratch);
    const double by = nu[row];
    error[row] = x.rate;
    size[row++] = x.rate_size;
    add(x.n, s.c * by, x.Hmean, x.f);
    add(x.n, -by, x.J, x.fe);
    add_forces(places, t, x, out);
    if (!tangent) continue;
    std::fill_n(x.He, x.n, 0.0);
    add(x.n, s.c, x.Hmean, x.He);
    Scatter(places, t, out.motion, scratch).add_row(x.row, x.He, scale);
    std::fill_n(x.He, x.n, 0.0);
    add(x.n, -1, x.J, x.He);
    Scatter(places, t, out.motion, scratch).add_row(x.row_e, x.He, scale);
    k.clear();
    k.add_bend(motion_place, s.c * by / s.h, x.H);
    k.add_bend(motion_rate, -s.c * s.c * by, x.H);
    k.add_bend(rate_place, -0.5 * by, x.H);
    k.scatter(places, t, out.motion, scratch);
  }
}

}  // namespace trompo
