// Constraints phi(c) = 0: the role of a scalar measure whose stress is a multiplier.
//
// A constraint is closed at the new end. The force of the step is G^T lambda with lambda one number for the step and
//   interval   G = J*, the secant: the constraint does no work, whatever phi is (O. Gonzalez, Mechanical systems subject to
//              holonomic constraints, Physica D 132, 1999); or another one of constraint_gradient.hpp
//   ends       G = (1-w) J(c1) and w J(c0) with the old multiplier from memory, or J at the generalised midpoint
#pragma once

#include <Eigen/SparseCore>
#include <string>

#include "trompo/system/rule_kind.hpp"
#include "trompo/system/terms.hpp"

namespace trompo {

class ConstraintTerms {
 public:
  explicit ConstraintTerms(Terms terms) : terms_(std::move(terms)) {}
  [[nodiscard]] static bool fits() { return true; }
  template <class M>
  void add(const M& phi, const Where& where) {
    terms_.add(phi, where);
  }
  template <class M>
  void add(const M& phi, const Where& where, const std::string& name) {
    add(phi, where);
    names_.push_back(name);
  }
  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] int rows() const { return terms_.count(); }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  void number(int multiplier) { first_ = multiplier; }  // of its first
  [[nodiscard]] int first() const { return first_; }

  // `unknown` is the place of its first multiplier among the unknowns.
  void couple(const Numbering& numbering, int unknown, Entries& entries) const;
  void connect(const Numbering& numbering, const Pattern& pattern, int unknown, std::vector<int>& indices) const;

  void at(const VecX& q, const VecX& multiplier, VecX& force) const;  // adds J^T lambda
  void at(int term, const VecX& q, const VecX& multiplier, VecX& force) const;
  // Errors and the sums of their absolute terms; with velocities J v and its terms.
  void constraint_errors(const VecX& q, VecX& error, VecX& size) const;
  void constraint_error_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const;
  [[nodiscard]] double relative_error(int term, const VecX& q) const;  // to the sum of its absolute terms
  // J a + v.H.v, for accelerations of all coordinates, and the sums of the absolute terms.
  void constraint_accelerations(const VecX& q, const VecX& v, const VecX& a, VecX& acceleration, VecX& size) const;
  // For J a = -rest: adds J and J^T to the matrix, if one is wanted; `rest` is v.H.v + J of the accelerations that are given.
  void acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, Assembly& out) const;
  void jacobian_rows(const VecX& q, std::vector<Eigen::Triplet<double>>& rows) const;  // constraints by coordinates
  void between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const;
  // Work that the force of the step takes out; zero in the interval where G.dq is the change of a constraint that stays closed.
  [[nodiscard]] double dissipation(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& old_multiplier,
                                   const VecX& multiplier) const;

 private:
  void add_term(int term, const VecX& q, double multiplier, VecX& force, Scratch scratch) const;
  Terms terms_;
  std::vector<std::string> names_;
  int first_ = 0;  // multiplier
};

}  // namespace trompo
