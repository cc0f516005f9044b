// The role of terms in a step that loses energy (scheme/decay_balance.hpp): a measure rho, quadratic in the coordinates, with a
// stiffness kappa. c and theta are numbers of the scheme, v the velocities, v* their mean, e what the step takes from them. J0,
// J1, J* are gradients at the old end, the new one and in the middle, H the curvature, which is constant.
//
//   eps = theta (J1 v1 - J0 v0 - J* e),  eta = theta kappa (eps - drho)
//   c (kappa eps J* + eta H v*)   on the equations of motion
//   - eta J*                      on those of e
//
// Of a constraint, rigid, eps = 0 is an equation and eta a multiplier nu.
#pragma once

#include "trompo/system/constraint_terms.hpp"
#include "trompo/system/elastic_terms.hpp"

namespace trompo {

// Over all coordinates.
struct DecayStep {
  const VecX &q0, &q1, &v0, &v1, &mean, &e;
  double h, c, theta;
};

// Where tangents go: the unknowns of places, and those of e.
struct DecayNumbering {
  Numbering places, rates;
};

struct DecayForces {
  Assembly& motion;  // forces on the equations of motion, the tangent, and the indices of the next term
  VecX& force;       // on those of e
  VecX& size;        // likewise
};

// Of an elastic kind.
class DecayTerms {
 public:
  explicit DecayTerms(const ElasticTerms& elastic) : elastic_(&elastic) {}
  [[nodiscard]] bool any() const;
  void couple(const DecayNumbering& numbering, Entries& entries) const;
  void connect(const DecayNumbering& numbering, const Pattern& pattern, std::vector<int>& indices) const;
  double between(const DecayStep& step, DecayForces& out) const;  // the sum of kappa eps^2

 private:
  const ElasticTerms* elastic_;
};

// Of a kind of constraints, as far as they are quadratic.
class RateTerms {
 public:
  RateTerms(const ConstraintTerms& constraints, int first);
  [[nodiscard]] int rows() const { return static_cast<int>(quadratic_.size()); }
  // `unknown` is the place of the first nu among the unknowns.
  void couple(const DecayNumbering& numbering, int unknown, Entries& entries) const;
  void connect(const DecayNumbering& numbering, int unknown, const Pattern& pattern, std::vector<int>& indices) const;
  // Errors of the rows, and the sums of their absolute terms, go to the places from `first` on.
  void between(const DecayStep& step, const VecX& nu, double scale, DecayForces& out, VecX& error, VecX& size) const;

 private:
  const Terms* terms_;
  std::vector<int> quadratic_;
  int first_;
};

}  // namespace trompo
