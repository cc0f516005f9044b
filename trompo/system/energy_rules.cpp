#include "trompo/system/energy_rules.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "trompo/math/gonzalez.hpp"
#include "trompo/math/small.hpp"
#include "trompo/measure/size.hpp"

namespace trompo {

namespace {

// A term at one place: strain, stress and Jacobian are found once.
template <class Size>
class TermAt : Size {
  using Size::n, Size::m;

 public:
  TermAt(const ElasticTerm& term, const double* c, Order order, Scratch& scratch)  // keeps what it takes
      : Size(term.measure),
        t_(term),
        c_(c),
        r_(scratch.take(3 * m + m * n + (order == Order::hessian ? t_.measure.expansion() : 0))),
        s_(r_ + m),
        D_(s_ + m),
        J_(D_ + m),
        H_(J_ + m * n) {
    t_.measure.kernel->at(t_.measure.phi, {c}, order, r_, J_, nullptr, H_, scratch);
    t_.law->stress(t_.parameters, m, {r_}, s_, D_, nullptr);
  }
  [[nodiscard]] double energy() const { return t_.law->energy(t_.parameters, m, r_); }
  void add_force(double by, double* f) const {
    for (int a = 0; a < m; ++a) add(n, by * s_[a], J_ + a * n, f);
  }
  void add_stiffness(double by, double* K, Scratch scratch) const {
    if (t_.measure.kernel->expands) {
      const double material = by * D_[0], geometric = by * s_[0];
      for (int j = 0; j < n; ++j) add(n, geometric, H_ + j * n, material * J_[j], J_, K + j * n);
      return;
    }
    double* const D = scratch.take(m);
    scale(m, by, D_, D);
    add_congruence(m, n, J_, D, J_, K);
    add_geometric_stiffness(by, K, scratch);
  }
  void add_geometric_stiffness(double by, double* K, Scratch scratch) const {
    double* const s = scratch.take(m);
    scale(m, by, s_, s);
    add_curvature(c_, s, H_, K);
  }
  // out += by d/dc of (Kg(c) d), d held: of the stress, and by a central difference of the curvature
  void add_geometric_rate(double by, const double* d, double* K, Scratch scratch) const {
    const Kernel* const kernel = t_.measure.kernel;
    constexpr double e = 1e-4;
    double *const x = scratch.take(n), *const r = scratch.take(m), *const J = scratch.take(m * n);
    double *const H = scratch.take(n * n), *const s = scratch.take(m), *const Hd = scratch.take(n);
    if (!kernel->quadratic)
      for (const double side : {1.0, -1.0}) {
        blend(n, 1, c_, side * e, d, x);
        kernel->at(t_.measure.phi, {x}, Order::hessian, r, J, nullptr, H, scratch);
        scale(m, side * by / (2 * e), s_, s);
        add_curvature(x, s, H, K);
      }
    if (kernel->expands) {
      multiply(n, H_, d, Hd);
      for (int i = 0; i < n; ++i) Hd[i] *= by * D_[0];
      return add_outer(n, Hd, J_, K);
    }
    for (int a = 0; a < m; ++a) {
      std::fill_n(H, n * n, 0.0);
      std::fill_n(s, m, 0.0);
      s[a] = by * D_[a];
      add_curvature(c_, s, H_, H);
      multiply(n, H, d, Hd);
      add_outer(n, Hd, J_ + a * n, K);
    }
  }

 private:
  void add_curvature(const double* c, const double* s, const double* H, double* K) const {
    t_.measure.kernel->expands ? add(n * n, *s, H, K) : t_.measure.kernel->add_curvature(t_.measure.phi, c, s, K);
  }
  const ElasticTerm& t_;
  const double* c_;
  double *r_, *s_, *D_, *J_, *H_;
};

// W, and dW unless `f` is null.
template <class Size>
double energy_and_force(const ElasticTerm& w, const double* c, double* f, Scratch scratch) {
  if (f == nullptr) return w.energy(c, scratch);
  const TermAt<Size> there(w, c, Order::gradient, scratch);
  std::fill_n(f, Size(w.measure).n, 0.0);
  there.add_force(1, f);
  return there.energy();
}

template <class Size>
void krenk(const Rule& rule, const ElasticTerm& w, const double* c0, const double* c1, double* force, double* tangent,
           Scratch scratch) {
  const int n = Size(w.measure).n;
  const bool geometric = rule.kind == Rule::Kind::geometric;
  double *const d = scratch.take(n * (n + 2)), *const change = d + n, *const product = change + n * n;
  subtract(n, c1, c0, d);
  const TermAt<Size> w1(w, c1, Order::hessian, scratch);
  std::fill_n(force, n, 0.0);
  std::fill_n(change, n * n, 0.0);
  w1.add_force(0.5 * (1 + rule.damping), force);
  if (geometric) {
    w1.add_geometric_stiffness(1, change, scratch);
    if (tangent != nullptr) {
      std::fill_n(tangent, n * n, 0.0);
      w1.add_stiffness(0.5 * (1 + rule.damping), tangent, scratch);
    }
  } else {
    w1.add_stiffness(1, change, scratch);
    if (tangent != nullptr) scale(n * n, 0.5 * (1 + rule.damping), change, tangent);
  }
  {
    Scratch rest = scratch;
    const TermAt<Size> w0(w, c0, Order::hessian, rest);
    w0.add_force(0.5 * (1 - rule.damping), force);
    geometric ? w0.add_geometric_stiffness(-1, change, rest) : w0.add_stiffness(-1, change, rest);
  }
  multiply(n, change, d, product);
  add(n, geometric ? -1. / 4 : -1. / 12, product, force);
  if (tangent == nullptr) return;
  if (geometric) {
    add(n * n, -0.25, change, tangent);
    return w1.add_geometric_rate(-0.25, d, tangent, scratch);
  }
  // K* of the paper is Simpson's view of the interval.
  add(n * n, rule.tangent == Rule::Tangent::third ? -1. / 6 : -1. / 12, change, tangent);
  if (rule.tangent != Rule::Tangent::exact) return;
  // d/de K(c1 + e d): third derivatives, by a central difference; they enter an iteration matrix only
  constexpr double e = 1e-4;
  double* const x = scratch.take(n);
  for (const double side : {1.0, -1.0}) {
    Scratch rest = scratch;
    blend(n, 1, c1, side * e, d, x);
    const TermAt<Size> there(w, x, Order::hessian, rest);
    there.add_stiffness(-side / (12 * 2 * e), tangent, rest);
  }
}

template <class Size>
void gonzalez_rule(const ElasticTerm& w, const double* c0, const double* c1, double* force, double* tangent, Scratch scratch) {
  const int n = Size(w.measure).n;
  double *const middle = scratch.take(n), *const d = scratch.take(n), *const f1 = scratch.take(n);
  blend(n, 0.5, c0, 0.5, c1, middle);
  subtract(n, c1, c0, d);
  {
    Scratch rest = scratch;
    const TermAt<Size> here(w, middle, tangent != nullptr ? Order::hessian : Order::gradient, rest);
    std::fill_n(force, n, 0.0);
    here.add_force(1, force);
    if (tangent != nullptr) {
      std::fill_n(tangent, n * n, 0.0);
      here.add_stiffness(0.5, tangent, rest);
    }
  }
  const double w1 = energy_and_force<Size>(w, c1, tangent != nullptr ? f1 : nullptr, scratch);
  const double w0 = w.energy(c0, scratch);
  const double rounding =
      4 * std::numeric_limits<double>::epsilon() * (std::abs(w0) + std::abs(w1) + std::abs(dot(n, force, d)));
  gonzalez(n, d, w0, w1, rounding, f1, force, tangent, scratch);
}

struct GaussPoint {
  double at, weight;
};
// Gauss-Legendre on [0, 1].
std::span<const GaussPoint> gauss(int points) {
  static constexpr std::array<GaussPoint, 1> one{{{0.5, 1}}};
  static constexpr std::array<GaussPoint, 2> two{{{0.21132486540518711775, 0.5}, {0.78867513459481288225, 0.5}}};
  static constexpr std::array<GaussPoint, 3> three{
      {{0.11270166537925831148, 5. / 18}, {0.5, 4. / 9}, {0.88729833462074168852, 5. / 18}}};
  static constexpr std::array<GaussPoint, 4> four{{{0.06943184420297371239, 0.17392742256872692869},
                                                   {0.33000947820757186760, 0.32607257743127307131},
                                                   {0.66999052179242813240, 0.32607257743127307131},
                                                   {0.93056815579702628761, 0.17392742256872692869}}};
  static constexpr std::array<GaussPoint, 5> five{{{0.04691007703066800360, 0.11846344252809454376},
                                                   {0.23076534494715845448, 0.23931433524968323402},
                                                   {0.5, 0.28444444444444444444},
                                                   {0.76923465505284154552, 0.23931433524968323402},
                                                   {0.95308992296933199640, 0.11846344252809454376}}};
  switch (points) {
    case 1: return one;
    case 2: return two;
    case 3: return three;
    case 4: return four;
    default: return five;
  }
}

template <class Size>
void mean_value(int points, const ElasticTerm& w, const double* c0, const double* c1, double* force, double* tangent,
                Scratch scratch) {
  const int n = Size(w.measure).n;
  double* const c = scratch.take(n);
  std::fill_n(force, n, 0.0);
  if (tangent != nullptr) std::fill_n(tangent, n * n, 0.0);
  for (const GaussPoint& p : gauss(points)) {
    Scratch rest = scratch;
    blend(n, 1 - p.at, c0, p.at, c1, c);
    const TermAt<Size> here(w, c, tangent != nullptr ? Order::hessian : Order::gradient, rest);
    here.add_force(p.weight, force);
    if (tangent != nullptr) here.add_stiffness(p.weight * p.at, tangent, rest);
  }
}

// f_i = [W(.., c1_i, c0_i+1, ..) - W(.., c0_i, c0_i+1, ..)] / d_i, the coordinates before i already new.
template <class Size>
void itoh_abe(const ElasticTerm& w, const double* c0, const double* c1, double* force, double* tangent, Scratch scratch) {
  const int n = Size(w.measure).n;
  double *const before = scratch.take(n), *const after = scratch.take(n), *const middle = scratch.take(n);
  double *const f0 = scratch.take(n), *const f1 = scratch.take(n), *const K = scratch.take(n * n);
  std::copy_n(c0, n, before);
  std::copy_n(c0, n, after);
  if (tangent != nullptr) std::fill_n(tangent, n * n, 0.0);
  double w0 = w.energy(before, scratch);
  bool known = false;  // is f0 the force at `before`?
  bool still = false;  // are f1 and K those at `before`? Many coordinates do not move: of supports, across a plane.
  for (int i = 0; i < n; ++i) {
    after[i] = c1[i];
    const double d = c1[i] - c0[i];
    // Where the difference of energies has lost its digits, the derivative at the middle has them to second order.
    if (std::abs(d) < 1e-5 * (1 + std::abs(c1[i]))) {
      if (d != 0 || !still) {
        Scratch rest = scratch;
        std::copy_n(before, n, middle);
        middle[i] = 0.5 * (c0[i] + c1[i]);
        const TermAt<Size> here(w, middle, tangent != nullptr ? Order::hessian : Order::gradient, rest);
        std::fill_n(f1, n, 0.0);
        here.add_force(1, f1);
        if (tangent != nullptr) {
          std::fill_n(K, n * n, 0.0);
          here.add_stiffness(1, K, rest);
        }
      }
      still = d == 0;
      force[i] = f1[i];
      if (tangent != nullptr) {
        for (int j = 0; j < i; ++j) tangent[j * n + i] = K[j * n + i];
        tangent[i * n + i] = 0.5 * K[i * n + i];
      }
      if (d != 0) {
        w0 = w.energy(after, scratch);
        known = false;
      }
    } else {
      if (tangent != nullptr && !known && i > 0) w.force(before, f0, scratch);
      const double w1 = energy_and_force<Size>(w, after, tangent != nullptr ? f1 : nullptr, scratch);
      force[i] = (w1 - w0) / d;
      if (tangent != nullptr) {
        for (int j = 0; j < i; ++j) tangent[j * n + i] = (f1[j] - f0[j]) / d;
        tangent[i * n + i] = (f1[i] - force[i]) / d;
        std::copy_n(f1, n, f0);
        known = true;
      }
      w0 = w1;
      still = false;
    }
    before[i] = c1[i];
  }
}

}  // namespace

void energy_rule(const Rule& rule, const ElasticTerm& term, const double* c0, const double* c1, double* force, double* tangent,
                 Scratch scratch) {
  by_size(term.measure, [&]<class Size>() {
    switch (rule.kind) {
      case Rule::Kind::quartic:
      case Rule::Kind::geometric: return krenk<Size>(rule, term, c0, c1, force, tangent, scratch);
      case Rule::Kind::gonzalez: return gonzalez_rule<Size>(term, c0, c1, force, tangent, scratch);
      case Rule::Kind::mean_value: return mean_value<Size>(rule.points, term, c0, c1, force, tangent, scratch);
      default: return itoh_abe<Size>(term, c0, c1, force, tangent, scratch);
    }
  });
}

}  // namespace trompo
