// Constraints phi(c) = 0: the role of a measure whose stress is a multiplier.
//
// The gap is closed at the new end. The force of the step is G^T lambda with lambda one number for the step and
//   interval   G = J*, the secant: the constraint does no work, whatever phi is (O. Gonzalez, Mechanical systems subject to
//              holonomic constraints, Physica D 132, 1999); or another one of constraint_gradient.hpp
//   ends       G = (1-w) J(c1) and w J(c0) with the old multiplier from memory, or J at the generalised midpoint
#pragma once

#include <Eigen/SparseCore>

#include "trompo/measure/measure.hpp"
#include "trompo/system/constraint_gradient.hpp"
#include "trompo/system/placement.hpp"
#include "trompo/system/rule_kind.hpp"

namespace trompo {

class Constraints {
 public:
  virtual ~Constraints() = default;
  [[nodiscard]] virtual int rows() const = 0;
  virtual void number(int multiplier) = 0;  // of its first
  // `unknown` is the place of its first multiplier among the unknowns.
  virtual void couple(const Numbering&, int unknown, Entries&) const = 0;
  virtual void connect(const Numbering&, const Pattern&, int unknown, std::vector<int>& notes) const = 0;

  virtual void at(const VecX& q, const VecX& multiplier, VecX& force) const = 0;  // adds J^T lambda
  virtual void at(int term, const VecX& q, const VecX& multiplier, VecX& force) const = 0;
  // Gaps and the sums of their absolute terms; with velocities J v and its terms.
  virtual void gaps(const VecX& q, VecX& gap, VecX& size) const = 0;
  virtual void gap_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const = 0;
  // For J a = -rest: adds J and J^T to the matrix, if one is wanted; `rest` is v.H.v + J of the accelerations that are given.
  virtual void acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, Assembly& out) const = 0;
  virtual void jacobian_rows(const VecX& q, std::vector<Eigen::Triplet<double>>& rows) const = 0;  // constraints by coordinates
  virtual void between(const Rule&, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const = 0;
  // Work that the force of the step takes out; zero in the interval where G.dq is the change of a gap that stays closed.
  [[nodiscard]] virtual double dissipation(const Rule&, const VecX& q0, const VecX& q1, const VecX& old_multiplier,
                                           const VecX& multiplier) const = 0;
};

template <Measure M, class P = Placement<M::coordinates>>
class ConstraintBatch final : public Constraints {
 public:
  static_assert(M::components == 1);
  static constexpr int n = M::coordinates;
  using C = Vec<n>;
  using K = Mat<n, n>;

  void add(const M& measure, const typename P::Where& where) { terms_.push_back({measure, P{where}}); }

  [[nodiscard]] int rows() const override { return static_cast<int>(terms_.size()); }
  void number(int multiplier) override { first_ = multiplier; }
  void couple(const Numbering& numbering, int unknown, Entries& entries) const override {
    for (const Term& t : terms_) {
      const LocalUnknowns local = Wires<P>::unknowns(t.place, numbering);
      if constexpr (!linear) Wires<P>::couple_square(local, entries);
      Wires<P>::couple_row(local, unknown++, entries);
    }
  }
  void connect(const Numbering& numbering, const Pattern& pattern, int unknown, std::vector<int>& notes) const override {
    for (const Term& t : terms_) {
      const LocalUnknowns local = Wires<P>::unknowns(t.place, numbering);
      local.write_codes(notes);
      Wires<P>::connect_row(local, unknown++, pattern, notes);
      if constexpr (!linear) Wires<P>::connect_square(local, pattern, notes);
    }
  }

  void at(const VecX& q, const VecX& multiplier, VecX& force) const override {
    for (int term = 0; term < rows(); ++term) at(term, q, multiplier, force);
  }
  void at(int term, const VecX& q, const VecX& multiplier, VecX& force) const override {
    const Term& t = terms_[static_cast<std::size_t>(term)];
    add_force(t.place, C(t.measure.jacobian(t.place.gather(q)).transpose() * multiplier[first_ + term]), force);
  }
  void gaps(const VecX& q, VecX& gap, VecX& size) const override {
    each([&](const Term& t, int row) {
      const C c = t.place.gather(q);
      gap[row] = t.measure.value(c)[0];
      size[row] = std::abs(gap[row]) + t.place.terms(t.measure.jacobian(c).transpose(), q);
    });
  }
  void gap_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const override {
    each([&](const Term& t, int row) {
      const J j = t.measure.jacobian(t.place.gather(q));
      rate[row] = j.dot(t.place.rates(v));
      size[row] = t.place.rate_terms(j.transpose(), v);
    });
  }
  void acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, Assembly& out) const override {
    each([&](const Term& t, int row) {
      const C c = t.place.gather(q), rates = t.place.rates(v);
      const J j = t.measure.jacobian(c);
      rest[row] = rates.dot(t.measure.curvature(c, Vec<1>(1.0)) * rates) + j.dot(t.place.rates(given));
      if (out.tangent == nullptr) return;
      Wires<P> wires(t.place, out);
      wires.add_row(j.transpose(), j.transpose(), 1);
      if constexpr (!linear) wires.skip_square();
    });
  }
  void jacobian_rows(const VecX& q, std::vector<Eigen::Triplet<double>>& rows) const override {
    each([&](const Term& t, int row) {
      t.place.spread(t.measure.jacobian(t.place.gather(q)).transpose(), [&](int c, double x) { rows.emplace_back(row, c, x); });
    });
  }
  void between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const override {
    each([&](const Term& t, int row) {
      const C c0 = t.place.gather(q0), c1 = t.place.gather(q1);
      const J j1 = t.measure.jacobian(c1);
      const Vec<1> lambda(multiplier[row]);
      const J gradient = gradient_of_step(rule, t.measure, c0, c1, out.gradient_point[row]);
      out.gap[row] = t.measure.value(c1)[0];
      out.gap_size[row] = std::abs(out.gap[row]) + t.place.terms(j1.transpose(), q1);
      add_force(t.place, C(gradient.transpose() * lambda), out);
      if (out.tangent == nullptr) return;
      Wires<P> wires(t.place, out);
      wires.add_row(j1.transpose(), gradient.transpose(), out.gap_scale);
      if constexpr (!linear) wires.add_square(curvature_of_step(rule, t.measure, c0, c1, lambda, out.gradient_point[row]));
    });
  }
  [[nodiscard]] double dissipation(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& old_multiplier,
                                   const VecX& multiplier) const override {
    const bool interval = rule.tense == Rule::Tense::interval;
    if (interval && rule.constraint_gradient != Rule::ConstraintGradient::midpoint) return 0;  // G.dq is the change of the gap
    double sum = 0;
    each([&](const Term& t, int row) {
      const C c0 = t.place.gather(q0), c1 = t.place.gather(q1), dc = c1 - c0;
      double nowhere = 0.5;
      sum += multiplier[row] * gradient_of_step(rule, t.measure, c0, c1, nowhere).dot(dc);
      if (!interval && rule.kind == Rule::Kind::endpoint_average)
        sum += rule.old_weight * old_multiplier[row] * t.measure.jacobian(c0).dot(dc);
    });
    return sum;
  }

 private:
  struct Term {
    M measure;
    P place;
  };
  template <class Use>
  void each(const Use& use) const {  // use(term, its multiplier)
    int row = first_;
    for (const Term& t : terms_) use(t, row++);
  }
  using J = Mat<1, n>;
  static constexpr bool linear = requires { M::linear; };        // has no curvature
  static constexpr bool quadratic = requires { M::quadratic; };  // all gradients of a step agree
  static J gradient_of_step(const Rule& rule, const M& phi, const C& c0, const C& c1, [[maybe_unused]] double& point) {
    const double w = rule.old_weight;
    if (rule.tense == Rule::Tense::interval) {
      if constexpr (quadratic)
        return phi.secant(c0, c1);
      else
        return ConstraintGradient<M>(rule.constraint_gradient, phi, c0, c1).gradient(point);
    }
    if (rule.kind == Rule::Kind::endpoint_average) return (1 - w) * phi.jacobian(c1);
    return phi.jacobian((1 - w) * c1 + w * c0);
  }
  static K curvature_of_step(const Rule& rule, const M& phi, const C& c0, const C& c1, const Vec<1>& lambda,
                             [[maybe_unused]] double point) {
    const double w = rule.old_weight;
    if (rule.tense == Rule::Tense::interval) {
      if constexpr (quadratic)
        return phi.secant_curvature(c0, c1, lambda);
      else
        return ConstraintGradient<M>(rule.constraint_gradient, phi, c0, c1).curvature(lambda, point);
    }
    if (rule.kind == Rule::Kind::endpoint_average) return (1 - w) * phi.curvature(c1, lambda);
    return (1 - w) * phi.curvature((1 - w) * c1 + w * c0, lambda);
  }
  std::vector<Term> terms_;
  int first_ = 0;  // multiplier
};

}  // namespace trompo
