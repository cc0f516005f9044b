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

#include "trompo/math/vector.hpp"
#include "trompo/system/rule_kind.hpp"

namespace trompo {

// A measure and its law seen as one function of the coordinates.
template <class M, class L>
struct TermPotential {
  static constexpr int n = M::coordinates;
  using C = Vec<n>;
  using K = Mat<n, n>;
  const M& phi;
  const L& law;

  [[nodiscard]] double energy(const C& c) const { return law.energy(phi.value(c)); }
  [[nodiscard]] C force(const C& c) const { return phi.jacobian(c).transpose() * law.stress(phi.value(c)); }
  [[nodiscard]] K stiffness(const C& c) const {
    const auto r = phi.value(c);
    const auto j = phi.jacobian(c);
    return j.transpose() * law.stiffness(r) * j + phi.curvature(c, law.stress(r));
  }
  [[nodiscard]] K geometric_stiffness(const C& c) const { return phi.curvature(c, law.stress(phi.value(c))); }
  // d/dc of (Kg(c) d), d held
  [[nodiscard]] K geometric_rate(const C& c, const C& d) const {
    const auto r = phi.value(c);
    const Vec<M::components> s = law.stress(r);
    const Mat<M::components, n> ds = law.stiffness(r) * phi.jacobian(c);
    K out = along(
        d, [&](const C& x) { return phi.curvature(x, s); }, c);
    for (int a = 0; a < M::components; ++a) out += phi.curvature(c, Vec<M::components>::Unit(a)) * d * ds.row(a);
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
  force = 0.5 * ((1 + rule.damping) * w.force(c1) + (1 - rule.damping) * w.force(c0));
  const bool geometric = rule.kind == Rule::Kind::geometric;
  const K k1 = w.stiffness(c1);
  const K change = geometric ? K(w.geometric_stiffness(c1) - w.geometric_stiffness(c0)) : K(k1 - w.stiffness(c0));
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
  using C = typename P::C;
  using K = typename P::K;
  const C d = c1 - c0, middle = 0.5 * (c0 + c1), f = w.force(middle);
  const double w0 = w.energy(c0), w1 = w.energy(c1), dd = d.squaredNorm(), work = f.dot(d);
  force = f;
  if (tangent != nullptr) *tangent = 0.5 * w.stiffness(middle);
  const double defect = (w1 - w0) - work;
  // Below the rounding of the energies the quotient is noise.
  if (dd == 0 ||
      std::abs(defect) <= 4 * std::numeric_limits<double>::epsilon() * (std::abs(w0) + std::abs(w1) + std::abs(work)))
    return;
  force += defect / dd * d;
  if (tangent == nullptr) return;
  const K km = *tangent;
  *tangent += d * ((w.force(c1) - f - km * d) / dd - 2 * defect / (dd * dd) * d).transpose() + defect / dd * K::Identity();
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
    force += p.weight * w.force(c);
    if (tangent != nullptr) *tangent += p.weight * p.at * w.stiffness(c);
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
    force[i] = small ? w.force(middle)[i] : (w.energy(after) - w.energy(before)) / d;
    if (tangent != nullptr) {
      if (small) {
        tangent->row(i).head(i) = w.stiffness(middle).row(i).head(i);
        (*tangent)(i, i) = 0.5 * w.stiffness(middle)(i, i);
      } else {
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
