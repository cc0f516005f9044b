// Viscous terms: the dissipative role of a measure, with the stress s = c r', component by component.
//
//   interval   J^T c J (c1 - c0)/h with J of the middle of the step: its work is heat, exactly, and never negative
//   ends       J^T c J v by the rule's weights, at the new end or at the generalised midpoint
//
// The first is Krenk's C du for any measure. Between two points it acts along their mean direction, so that it takes no
// angular momentum, and a rigid motion is not damped.
#pragma once

#include "trompo/measure/measure.hpp"
#include "trompo/system/placement.hpp"
#include "trompo/system/rule_kind.hpp"

namespace trompo {

// The two ends of a step, with their velocities.
struct Motion {
  const VecX &q0, &q1, &v0, &v1;
  double h;
  double rate_slope;  // dv1/dq1 of the free coordinates
};

struct Heat {
  double heat = 0;       // what the dampers of nature would turn into heat at the rates of the step
  double numerical = 0;  // what the scheme's force takes beyond it
};

class Dampers {
 public:
  virtual ~Dampers() = default;
  virtual void couple(const Numbering&, Entries&) const = 0;
  virtual void connect(const Numbering&, const Pattern&, std::vector<int>& notes) const = 0;
  virtual void at(const VecX& q, const VecX& v, VecX& force) const = 0;  // adds the force that resists
  virtual void between(const Rule&, const Motion&, Assembly& out) const = 0;
  [[nodiscard]] virtual Heat heat(const Rule&, const Motion&) const = 0;
};

template <Measure M, class P = Placement<M::coordinates>>
class DamperBatch final : public Dampers {
 public:
  static constexpr int n = M::coordinates;
  using C = Vec<n>;
  using K = Mat<n, n>;
  using S = Vec<M::components>;

  void add(const M& measure, const S& viscosity, const typename P::Where& where) {
    terms_.push_back({measure, viscosity, P{where}});
  }
  void add(const M& measure, double viscosity, const typename P::Where& where) {
    add(measure, S(S::Constant(viscosity)), where);
  }
  void couple(const Numbering& numbering, Entries& entries) const override {
    for (const Term& t : terms_) trompo::couple(t.place, numbering, entries);
  }
  void connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& notes) const override {
    for (const Term& t : terms_) trompo::connect(t.place, numbering, pattern, notes);
  }
  void at(const VecX& q, const VecX& v, VecX& force) const override {
    for (const Term& t : terms_) add_force(t.place, point(t, t.place.gather(q), t.place.rates(v)).force, force);
  }
  void between(const Rule& rule, const Motion& m, Assembly& out) const override {
    const double w = rule.old_weight;
    for (const Term& t : terms_) {
      const C c0 = t.place.gather(m.q0), c1 = t.place.gather(m.q1);
      if (rule.tense == Rule::Tense::interval) {
        const Point p = point(t, 0.5 * (c0 + c1), (c1 - c0) / m.h);
        add_force(t.place, p.force, K(0.5 * p.of_place + p.of_rate / m.h), out);
        continue;
      }
      const C v0 = t.place.rates(m.v0), v1 = t.place.rates(m.v1);
      const bool end = rule.kind == Rule::Kind::endpoint_average;  // the old end is added from memory
      const Point p = end ? point(t, c1, v1) : point(t, (1 - w) * c1 + w * c0, (1 - w) * v1 + w * v0);
      const K k = (1 - w) * (p.of_place + m.rate_slope * p.of_rate);
      add_force(t.place, C((end ? 1 - w : 1.0) * p.force), k, out);
    }
  }
  [[nodiscard]] Heat heat(const Rule& rule, const Motion& m) const override {
    const double w = rule.old_weight;
    Heat sum;
    for (const Term& t : terms_) {
      const C c0 = t.place.gather(m.q0), c1 = t.place.gather(m.q1);
      if (rule.tense == Rule::Tense::interval) {
        const S dr = t.measure.jacobian(C(0.5 * (c0 + c1))) * (c1 - c0);
        sum.heat += dr.dot(t.viscosity.cwiseProduct(dr)) / m.h;
        continue;
      }
      const C v0 = t.place.rates(m.v0), v1 = t.place.rates(m.v1);
      double heat = 0, work = 0;
      const auto share = [&](double weight, const C& c, const C& v) {
        const Point p = point(t, c, v);
        heat += weight * m.h * p.force.dot(v);
        work += weight * p.force.dot(c1 - c0);
      };
      if (rule.kind == Rule::Kind::endpoint_average) {
        share(1 - w, c1, v1);
        if (w != 0) share(w, c0, v0);
      } else {
        share(1, (1 - w) * c1 + w * c0, (1 - w) * v1 + w * v0);
      }
      sum.heat += heat;
      sum.numerical += work - heat;
    }
    return sum;
  }

 private:
  struct Term {
    M measure;
    S viscosity;
    P place;
  };
  struct Point {
    C force;
    K of_place, of_rate;
  };
  static Point point(const Term& t, const C& c, const C& v) {
    const Mat<M::components, n> j = t.measure.jacobian(c), weighed = t.viscosity.asDiagonal() * j;
    const S s = t.viscosity.cwiseProduct(j * v);
    Point p;
    p.force = j.transpose() * s;
    p.of_rate = weighed.transpose() * j;
    p.of_place = t.measure.curvature(c, s);
    for (int a = 0; a < M::components; ++a)
      p.of_place += weighed.row(a).transpose() * (t.measure.curvature(c, S::Unit(a)) * v).transpose();
    return p;
  }
  std::vector<Term> terms_;
};

}  // namespace trompo
