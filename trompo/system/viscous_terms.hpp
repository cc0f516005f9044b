// The dissipative role: a measure with a stress that feels its rate, s(r, r', t).
//
//   interval   J^T s(J (c1 - c0)/h) with J of the middle of the step: its work is heat, exactly, and never negative for s = c
//   r' ends       J^T s(J v) by the rule's weights, at the new end or at the generalised midpoint; rates of the ends may
//   alternate and
//              grow while places do not, so heat is that of the interval here too, and what the force takes beyond it numerical
//
// The first is Krenk's C du for any measure. Between two points it acts along their mean direction, so that it takes no
// angular momentum, and a rigid motion is not damped.
#pragma once

#include <span>

#include "trompo/law/law.hpp"
#include "trompo/system/rule_kind.hpp"
#include "trompo/system/terms.hpp"

namespace trompo {

// The two ends of a step, with their velocities.
struct Motion {
  const VecX &q0, &q1, &v0, &v1;
  double h;
  double rate_slope;  // dv1/dq1 of the free coordinates
};

struct Heat {
  double heat = 0;       // what the dampers of nature would turn into heat at the rate of the interval, (c1 - c0)/h
  double numerical = 0;  // what the scheme's force takes beyond it
};

class ViscousTerms {
 public:
  explicit ViscousTerms(Terms terms, Stress stress = viscous_stress) : terms_(std::move(terms)), stress_(stress) {}
  [[nodiscard]] bool fits(Stress stress = viscous_stress) const { return stress_ == stress; }
  // One parameter of the stress a component.
  template <class M>
  void add(const M& phi, const Where& where, std::span<const double> parameters) {
    terms_.add(phi, where);
    parameters_.insert(parameters_.end(), parameters.begin(), parameters.end());
  }
  template <class M>
  void add(const M& phi, const Where& where, double parameter) {
    add(phi, where, std::span<const double>(&parameter, 1));
  }
  [[nodiscard]] const Terms& terms() const { return terms_; }

  // Adds the force that resists; of all, or of some, the last not among them.
  void at(const VecX& q, const VecX& v, VecX& force) const { at(0, terms_.count(), q, v, force); }
  void at(int first, int last, const VecX& q, const VecX& v, VecX& force) const;
  [[nodiscard]] double first_stress(int term, const VecX& q, const VecX& v) const;  // first component
  void between(const Rule& rule, const Motion& motion, Assembly& out) const;
  [[nodiscard]] Heat heat(const Rule& rule, const Motion& motion) const;

 private:
  // The force at a place with its rates and, unless null, its slopes: adds of_place dF/dc + of_rate dF/dc' to K. Its power.
  double point(int term, const double* c, const double* v, double* force, double of_place, double of_rate, double* K,
               Scratch scratch) const;
  Terms terms_;
  Stress stress_;
  std::vector<double> parameters_;
};

}  // namespace trompo
