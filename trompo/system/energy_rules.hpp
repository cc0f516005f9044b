// Rules that know a term by its energy W(c), force dW and stiffness ddW alone: Krenk's global format and the general discrete
// gradients. With d = c1 - c0:
//
//   quartic      (f0+f1)/2 - (K1-K0) d/12     exact work for a quartic W              Krenk, IJNME 100 (2014)
//   geometric    (f0+f1)/2 - (Kg1-Kg0) d/4    Kg: curvature of the measure; keeps angular momentum, exact for Green's strain
//   gonzalez     f(m) + (dW - f(m).d)/(d.d) d, m the midpoint                         Gonzalez, J. Nonlinear Sci. 6 (1996)
//   mean_value   integral of f(c0 + tau d) by Gauss' points; exact to its quadrature  Harten, Lax, van Leer (1983)
//   itoh_abe     difference quotients, one coordinate after the other; first order    Itoh, Abe, J. Comput. Phys. 76 (1988)
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "trompo/math/gonzalez.hpp"
#include "trompo/math/vector.hpp"
#include "trompo/measure/measure.hpp"
#include "trompo/system/rule_kind.hpp"

namespace trompo {

// A measure and its law at one place: strain, stress and Jacobian are found once.
template <class M, class L>
class TermAt {
 public:
  static constexpr int n = M::coordinates;
  using C = Vec<n>;
  using K = Mat<n, n>;

  TermAt(const M& phi, const L& law, const C& c, Order order)
      : law_(law), here_(phi, c, order), r_(here_.value()), s_(law.stress(r_)), j_(here_.jacobian()) {}
  [[nodiscard]] C force() const { return j_.transpose() * s_; }
  [[nodiscard]] K stiffness() const { return j_.transpose() * law_.stiffness(r_) * j_ + here_.curvature(s_); }
  [[nodiscard]] K geometric_stiffness() const { return here_.curvature(s_); }

 private:
  const L& law_;
  MeasureAt<M> here_;
  Vec<M::components> r_, s_;
  Mat<M::components, n> j_;
};

// A measure and its law seen as one function of the coordinates.
template <class M, class L>
struct TermPotential {
  static constexpr int n = M::coordinates;
  using C = Vec<n>;
  using K = Mat<n, n>;
  const M& phi;
  const L& law;

  [[nodiscard]] double energy(const C& c) const { return law.energy(phi.value(c)); }
  [[nodiscard]] TermAt<M, L> at(const C& c, Order order) const { return {phi, law, c, order}; }
  TermAt<M, L> at(C&& c, Order order) const = delete;
  [[nodiscard]] C force(const C& c) const { return at(c, Order::gradient).force(); }
  [[nodiscard]] K stiffness(const C& c) const { return at(c, Order::hessian).stiffness(); }
  // d/dc of (Kg(c) d), d held
  [[nodiscard]] K geometric_rate(const C& c, const C& d) const {
    const MeasureAt<M> here(phi, c, Order::hessian);
    const auto r = here.value();
    const Vec<M::components> s = law.stress(r);
    const Mat<M::components, n> ds = law.stiffness(r) * here.jacobian();
    K out = along(
        d, [&](const C& x) { return phi.curvature(x, s); }, c);
    for (int a = 0; a < M::components; ++a) out += here.curvature(Vec<M::components>::Unit(a)) * d * ds.row(a);
    return out;
  }
  // d/de K(c + e d): third derivatives, by a central difference; they enter an iteration matrix only
  [[nodiscard]] K stiffness_rate(const C& c, const C& d) const {
    return along(
        d, [&](const C& x) { return stiffness(x); }, c);
  }

 private:
  static K along(const C& d, const auto& matrix, const C& c) {
    constexpr double e = 1e-4;
    return (matrix(c + e * d) - matrix(c - e * d)) / (2 * e);
  }
};

namespace energy_rules {

template <class P>
void krenk(const Rule& rule, const P& w, const typename P::C& c0, const typename P::C& c1, typename P::C& force,
           typename P::K* tangent) {
  using C = typename P::C;
  using K = typename P::K;
  const C d = c1 - c0;
  const auto w0 = w.at(c0, Order::hessian), w1 = w.at(c1, Order::hessian);
  force = 0.5 * ((1 + rule.damping) * w1.force() + (1 - rule.damping) * w0.force());
  const bool geometric = rule.kind == Rule::Kind::geometric;
  const K k1 = w1.stiffness();
  const K change = geometric ? K(w1.geometric_stiffness() - w0.geometric_stiffness()) : K(k1 - w0.stiffness());
  force.noalias() -= (geometric ? 1. / 4 : 1. / 12) * (change * d);
  if (tangent == nullptr) return;
  *tangent = 0.5 * (1 + rule.damping) * k1;
  if (geometric)
    *tangent -= 0.25 * (change + w.geometric_rate(c1, d));
  else if (rule.tangent == Rule::Tangent::third)
    *tangent -= change / 6;  // Simpson's view of the interval, K* of the paper
  else
    *tangent -= change / 12;
  if (!geometric && rule.tangent == Rule::Tangent::exact) *tangent -= w.stiffness_rate(c1, d) / 12;
}

template <class P>
void gonzalez(const P& w, const typename P::C& c0, const typename P::C& c1, typename P::C& force, typename P::K* tangent) {
  const typename P::C m = 0.5 * (c0 + c1);
  const auto middle = w.at(m, tangent != nullptr ? Order::hessian : Order::gradient);
  force = middle.force();
  if (tangent != nullptr) *tangent = 0.5 * middle.stiffness();
  const double w0 = w.energy(c0), w1 = w.energy(c1);
  const auto rounding = [=](double work) {
    return 4 * std::numeric_limits<double>::epsilon() * (std::abs(w0) + std::abs(w1) + std::abs(work));
  };
  trompo::gonzalez<P::n>(
      c1 - c0, w0, w1, rounding, [&] { return w.force(c1); }, force, tangent);
}

struct GaussPoint {
  double at, weight;
};
// Gauss-Legendre on [0, 1].
inline std::span<const GaussPoint> gauss(int points) {
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

template <class P>
void mean_value(int points, const P& w, const typename P::C& c0, const typename P::C& c1, typename P::C& force,
                typename P::K* tangent) {
  force.setZero();
  if (tangent != nullptr) tangent->setZero();
  for (const GaussPoint& p : gauss(points)) {
    const typename P::C c = (1 - p.at) * c0 + p.at * c1;
    const auto here = w.at(c, tangent != nullptr ? Order::hessian : Order::gradient);
    force += p.weight * here.force();
    if (tangent != nullptr) *tangent += p.weight * p.at * here.stiffness();
  }
}

// f_i = [W(.., c1_i, c0_i+1, ..) - W(.., c0_i, c0_i+1, ..)] / d_i, the coordinates before i already new.
template <class P>
void itoh_abe(const P& w, const typename P::C& c0, const typename P::C& c1, typename P::C& force, typename P::K* tangent) {
  using C = typename P::C;
  C before = c0;
  if (tangent != nullptr) tangent->setZero();
  for (int i = 0; i < P::n; ++i) {
    C after = before;
    after[i] = c1[i];
    const double d = c1[i] - c0[i];
    // Where the difference of energies has lost its digits, the derivative at the middle has them to second order.
    const bool small = std::abs(d) < 1e-5 * (1 + std::abs(c1[i]));
    C middle = before;
    middle[i] = 0.5 * (c0[i] + c1[i]);
    if (small) {
      const auto here = w.at(middle, tangent != nullptr ? Order::hessian : Order::gradient);
      force[i] = here.force()[i];
      if (tangent != nullptr) {
        const auto row = here.stiffness().row(i).eval();
        tangent->row(i).head(i) = row.head(i);
        (*tangent)(i, i) = 0.5 * row[i];
      }
    } else {
      force[i] = (w.energy(after) - w.energy(before)) / d;
      if (tangent != nullptr) {
        const C f1 = w.force(after), f0 = w.force(before);
        tangent->row(i).head(i) = ((f1 - f0) / d).transpose().head(i);
        (*tangent)(i, i) = (f1[i] - force[i]) / d;
      }
    }
    before = after;
  }
}

}  // namespace energy_rules

template <class P>
void energy_rule(const Rule& rule, const P& w, const typename P::C& c0, const typename P::C& c1, typename P::C& force,
                 typename P::K* tangent) {
  switch (rule.kind) {
    case Rule::Kind::quartic:
    case Rule::Kind::geometric: return energy_rules::krenk(rule, w, c0, c1, force, tangent);
    case Rule::Kind::gonzalez: return energy_rules::gonzalez(w, c0, c1, force, tangent);
    case Rule::Kind::mean_value: return energy_rules::mean_value(rule.points, w, c0, c1, force, tangent);
    default: return energy_rules::itoh_abe(w, c0, c1, force, tangent);
  }
}

}  // namespace trompo
