// Elastic terms of one kind, side by side: one virtual call for all of them, fixed-size arithmetic inside.
#pragma once

#include "trompo/system/placement.hpp"
#include "trompo/system/rule.hpp"

namespace trompo {

struct TermState {
  double strain = 0, stress = 0, energy = 0;
  double force = 0;  // along the line of action of a two-point term: stress times |d phi / d x2|
};

class Batch {
 public:
  virtual ~Batch() = default;
  [[nodiscard]] virtual int terms() const = 0;
  // (row, column) of every entry a term can write, in unknowns; then the places where they stand
  virtual void couple(const Numbering&, Entries&) const = 0;
  virtual void connect(const Numbering&, const Pattern&, std::vector<int>& notes) const = 0;

  virtual void at(const VecX& q, VecX& force) const = 0;  // adds dV/dq
  virtual void between(const Rule&, const VecX& q0, const VecX& q1, Assembly& out) const = 0;
  [[nodiscard]] virtual double energy(const VecX& q) const = 0;
  [[nodiscard]] virtual double dissipation(const Rule&, const VecX& q0, const VecX& q1) const = 0;
  [[nodiscard]] virtual TermState state(int term, const VecX& q) const = 0;
};

template <Measure M, Law L, class P = Placement<M::coordinates>>
class ElasticBatch final : public Batch {
 public:
  static constexpr int n = M::coordinates;
  using C = Vec<n>;

  void add(const M& measure, const L& law, const typename P::Where& where) { terms_.push_back({measure, law, P{where}}); }

  [[nodiscard]] int terms() const override { return static_cast<int>(terms_.size()); }

  void couple(const Numbering& numbering, Entries& entries) const override {
    for (const Term& t : terms_) trompo::couple(t.place, numbering, entries);
  }
  void connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& notes) const override {
    for (const Term& t : terms_) trompo::connect(t.place, numbering, pattern, notes);
  }

  void at(const VecX& q, VecX& force) const override {
    for (const Term& t : terms_) {
      const C c = t.place.gather(q);
      const MeasureAt<M> here(t.measure, c, Order::gradient);
      add_force(t.place, C(here.jacobian().transpose() * t.law.stress(here.value())), force);
    }
  }
  void between(const Rule& rule, const VecX& q0, const VecX& q1, Assembly& out) const override {
    C f;
    Mat<n, n> k;
    for (const Term& t : terms_) {
      step_force(rule, t.measure, t.law, t.place.gather(q0), t.place.gather(q1), f, out.tangent != nullptr ? &k : nullptr);
      add_force(t.place, f, k, out);
    }
  }
  [[nodiscard]] double energy(const VecX& q) const override {
    double sum = 0;
    for (const Term& t : terms_) sum += t.law.energy(t.measure.value(t.place.gather(q)));
    return sum;
  }
  [[nodiscard]] double dissipation(const Rule& rule, const VecX& q0, const VecX& q1) const override {
    if (rule.takes_nothing()) return 0;
    double sum = 0;
    for (const Term& t : terms_) sum += dissipation_between(rule, t.measure, t.law, t.place.gather(q0), t.place.gather(q1));
    return sum;
  }
  [[nodiscard]] TermState state(int term, const VecX& q) const override {
    const Term& t = terms_[static_cast<std::size_t>(term)];
    const C c = t.place.gather(q);
    const auto r = t.measure.value(c);
    const auto s = t.law.stress(r);
    const C f = t.measure.jacobian(c).transpose() * s;
    const double along = f.template tail<n / 2 + n % 2>().norm();
    return {r[0], s[0], t.law.energy(r), std::copysign(along, s[0])};
  }

 private:
  struct Term {
    M measure;
    L law;
    P place;
  };
  std::vector<Term> terms_;
};

}  // namespace trompo
