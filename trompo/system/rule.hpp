// Rules: what "the force of the step" of one term means. A rule is a pure function of the two ends of a step; it writes a
// force on the arguments of the term and its derivative in the new ones, and touches neither nodes nor clocks.
//
//   endpoint_average   (1-w) f(c1) + w f(c0)                        w = 0: the force at the end
//   midpoint           f at cw = (1-w) c1 + w c0
//   strain_average     J(cw)^T s((1-w+xi) phi1 + (w-xi) phi0)       Kuhl and Crisfield 1999, Armero and Petocz 1998; or with
//                      (1-w) J1 + w J0 in place of J(cw)            the mean cosines of W. Silva (2004), equation 75
//   secant             J*^T (s* + xi (s1 - s0))                     does exactly the work of the energy's change
//   quartic, geometric, gonzalez, mean_value, itoh_abe              energy_rules.hpp: of W, dW and ddW alone
//
// w is the weight of the old end. Loads are averaged by the balance.
#pragma once

#include "trompo/law/law.hpp"
#include "trompo/measure/kernel.hpp"
#include "trompo/system/rule_kind.hpp"

namespace trompo {

// A measure with its law.
struct ElasticTerm {
  MeasureView measure;
  const Law* law;
  const double* parameters;

  [[nodiscard]] double energy(const double* c, Scratch scratch) const {
    double* const r = scratch.take(measure.m);
    measure.value(c, r, scratch);
    return law->energy(parameters, measure.m, r);
  }
  void force(const double* c, double* f, Scratch scratch) const;  // dW/dc
};

// What all of the following need of scratch, for n arguments and m components.
[[nodiscard]] std::size_t rule_scratch(const MeasureView& measure);

// The part of f* that depends on c1, and its derivative in c1 unless `tangent` is null. For endpoint_average the old force is
// added once for the whole system, from memory.
void step_force(const Rule& rule, const ElasticTerm& term, const double* c0, const double* c1, double* force, double* tangent,
                Scratch scratch);

// Energy that the rule takes out of the term over a step: work of the force of the step less the change of W. The secant rule
// has a formula of its own, xi (s1 - s0).(r1 - r0), which does not look at the force and so cannot excuse a wrong one.
[[nodiscard]] double dissipation_between(const Rule& rule, const ElasticTerm& term, const double* c0, const double* c1,
                                         Scratch scratch);

}  // namespace trompo
