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
  // `multiplier` is the number of the batch's first one, `unknown` its place among the unknowns
  virtual void couple(const std::vector<int>& equation, int unknown, std::vector<std::pair<int, int>>& entries) const = 0;
  virtual void connect(const std::vector<int>& equation, const Pattern& pattern, int multiplier, int unknown) = 0;

  virtual void at(const VecX& q, const VecX& multiplier, VecX& force) const = 0;  // adds J^T lambda
  virtual void at(int term, const VecX& q, const VecX& multiplier, VecX& force) const = 0;
  // Gaps and the sums of their absolute terms; with velocities J v and its terms.
  virtual void gaps(const VecX& q, VecX& gap, VecX& size) const = 0;
  virtual void gap_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const = 0;
  // For J a = -rest: adds J and J^T to the matrix; `rest` is v.H.v + J of the accelerations that are given.
  virtual void acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, double* matrix) const = 0;
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
  void couple(const std::vector<int>& equation, int unknown, std::vector<std::pair<int, int>>& entries) const override {
    for (const Term& t : terms_) {
      if constexpr (!linear) t.place.couple(equation, entries);
      t.place.spread(C::Zero(), [&](int c, double) {
        if (equation[c] >= 0) entries.insert(entries.end(), {{unknown, equation[c]}, {equation[c], unknown}});
      });
      ++unknown;
    }
  }
  void connect(const std::vector<int>& equation, const Pattern& pattern, int multiplier, int unknown) override {
    for (Term& t : terms_) {
      if constexpr (!linear) t.place.connect(equation, pattern);
      t.multiplier = multiplier++;
      t.row.clear();
      t.column.clear();
      t.place.spread(C::Zero(), [&](int c, double) {
        const int e = equation[c];
        t.row.push_back(e >= 0 ? pattern.slot(unknown, e) : -1);
        t.column.push_back(e >= 0 ? pattern.slot(e, unknown) : -1);
      });
      ++unknown;
    }
  }

  void at(const VecX& q, const VecX& multiplier, VecX& force) const override {
    for (int term = 0; term < rows(); ++term) at(term, q, multiplier, force);
  }
  void at(int term, const VecX& q, const VecX& multiplier, VecX& force) const override {
    const Term& t = terms_[static_cast<std::size_t>(term)];
    t.place.add(t.measure.jacobian(t.place.gather(q)).transpose() * multiplier[t.multiplier], force);
  }
  void gaps(const VecX& q, VecX& gap, VecX& size) const override {
    for (const Term& t : terms_) {
      const C c = t.place.gather(q);
      gap[t.multiplier] = t.measure.value(c)[0];
      size[t.multiplier] = std::abs(gap[t.multiplier]) + t.place.terms(t.measure.jacobian(c).transpose(), q);
    }
  }
  void gap_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const override {
    for (const Term& t : terms_) {
      const auto j = t.measure.jacobian(t.place.gather(q));
      const C rates = t.place.rates(v);
      rate[t.multiplier] = j.dot(rates);
      size[t.multiplier] = t.place.rate_terms(j.transpose(), v);
    }
  }
  void acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, double* matrix) const override {
    for (const Term& t : terms_) {
      const C c = t.place.gather(q), rates = t.place.rates(v);
      const J j = t.measure.jacobian(c);
      rest[t.multiplier] = rates.dot(t.measure.curvature(c, Vec<1>(1.0)) * rates) + j.dot(t.place.rates(given));
      if (matrix != nullptr) add_row(t, 1, j, j, matrix);
    }
  }
  void jacobian_rows(const VecX& q, std::vector<Eigen::Triplet<double>>& rows) const override {
    for (const Term& t : terms_)
      t.place.spread(t.measure.jacobian(t.place.gather(q)).transpose(),
                     [&](int c, double x) { rows.emplace_back(t.multiplier, c, x); });
  }
  void between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const override {
    for (const Term& t : terms_) {
      const C c0 = t.place.gather(q0), c1 = t.place.gather(q1);
      const auto j1 = t.measure.jacobian(c1);
      const Vec<1> lambda(multiplier[t.multiplier]);
      const auto gradient = gradient_of_step(rule, t.measure, c0, c1, out.gradient_point[t.multiplier]);
      out.gap[t.multiplier] = t.measure.value(c1)[0];
      out.gap_size[t.multiplier] = std::abs(out.gap[t.multiplier]) + t.place.terms(j1.transpose(), q1);
      K k = K::Zero();
      if (out.tangent != nullptr) {
        add_row(t, out.gap_scale, j1, gradient, out.tangent);
        if constexpr (!linear) k = curvature_of_step(rule, t.measure, c0, c1, lambda, out.gradient_point[t.multiplier]);
      }
      if constexpr (linear) {
        t.place.spread(gradient.transpose() * lambda, [&](int c, double x) {
          out.force[c] += x;
          out.size[c] += std::abs(x);
        });
      } else {
        t.place.add(gradient.transpose() * lambda, k, out);
      }
    }
  }
  [[nodiscard]] double dissipation(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& old_multiplier,
                                   const VecX& multiplier) const override {
    double sum = 0;
    for (const Term& t : terms_) {
      const C c0 = t.place.gather(q0), c1 = t.place.gather(q1), dc = c1 - c0;
      if (rule.tense == Rule::Tense::interval) {
        sum += multiplier[t.multiplier] * ConstraintGradient<M>(rule.constraint_gradient, t.measure, c0, c1).work();
        continue;
      }
      double nowhere = 0.5;
      sum += multiplier[t.multiplier] * gradient_of_step(rule, t.measure, c0, c1, nowhere).dot(dc);
      if (rule.kind == Rule::Kind::endpoint_average)
        sum += rule.old_weight * old_multiplier[t.multiplier] * t.measure.jacobian(c0).dot(dc);
    }
    return sum;
  }

 private:
  struct Term {
    M measure;
    P place;
    int multiplier = 0;
    std::vector<int> row{}, column{};  // places of its row and of its multiplier's column, as `spread` counts; -1: held
  };
  using J = Mat<1, n>;
  static constexpr bool linear = requires { M::linear; };        // has no curvature
  static constexpr bool quadratic = requires { M::quadratic; };  // all gradients of a step agree
  static void add_row(const Term& t, double factor, const J& row, const J& column, double* matrix) {
    std::size_t i = 0;
    t.place.spread(row.transpose(), [&](int, double x) {
      if (t.row[i] >= 0) matrix[t.row[i]] += factor * x;
      ++i;
    });
    i = 0;
    t.place.spread(column.transpose(), [&](int, double x) {
      if (t.column[i] >= 0) matrix[t.column[i]] += factor * x;
      ++i;
    });
  }
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
};

}  // namespace trompo
