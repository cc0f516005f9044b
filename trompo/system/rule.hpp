// Rules: what "the force of the step" of one term means. A rule is a pure function of the two ends of a step; it returns a
// frame force and its derivative in the new coordinates, and touches neither nodes nor clocks.
//
//   endpoint_average   (1-w) f(c1) + w f(c0)                        w = 0: the force at the end
//   midpoint           f at cw = (1-w) c1 + w c0
//   strain_average     J(cw)^T s((1-w+xi) phi1 + (w-xi) phi0)       Kuhl and Crisfield 1999, Armero and Petocz 1998
//   secant             J*^T (s* + xi (s1 - s0))                     does exactly the work of the energy's change
//   quartic, geometric, gonzalez, mean_value, itoh_abe              energy_rules.hpp: of W, dW and ddW alone
//
// w is the weight of the old end. Loads are averaged by the balance.
#pragma once

#include "trompo/law/law.hpp"
#include "trompo/measure/measure.hpp"
#include "trompo/system/energy_rules.hpp"

namespace trompo {

// The part of f* that depends on c1, and its derivative in c1 unless `tangent` is null. For endpoint_average the old force is
// added once for the whole system, from memory.
template <Measure M, Law L>
void step_force(const Rule& rule, const M& phi, const L& law, const Vec<M::coordinates>& c0, const Vec<M::coordinates>& c1,
                Vec<M::coordinates>& force, Mat<M::coordinates, M::coordinates>* tangent) {
  using C = Vec<M::coordinates>;
  using J = Mat<M::components, M::coordinates>;
  using R = Vec<M::components>;
  const double w = rule.old_weight;
  const Order order = tangent != nullptr ? Order::hessian : Order::gradient;

  const auto force_at = [&](const C& c, double share) {
    const MeasureAt<M> here(phi, c, order);
    const J j = here.jacobian();
    const R r = here.value(), s = law.stress(r);
    force.noalias() = share * (j.transpose() * s);
    if (tangent != nullptr) *tangent = (1 - w) * (j.transpose() * law.stiffness(r) * j + here.curvature(s));
  };
  switch (rule.kind) {
    case Rule::Kind::endpoint_average: return force_at(c1, 1 - w);
    case Rule::Kind::midpoint: return force_at((1 - w) * c1 + w * c0, 1);
    case Rule::Kind::strain_average: {
      const C cw = (1 - w) * c1 + w * c0;
      const MeasureAt<M> middle(phi, cw, order);
      const MeasureAt<M> end(phi, c1, tangent != nullptr ? Order::gradient : Order::value);
      const J j = middle.jacobian();
      const R r = (1 - w + rule.xi) * end.value() + (w - rule.xi) * phi.value(c0), s = law.stress(r);
      force.noalias() = j.transpose() * s;
      if (tangent == nullptr) return;
      tangent->noalias() = j.transpose() * ((1 - w + rule.xi) * law.stiffness(r)) * end.jacobian();
      if (rule.transposed_tangent) tangent->transposeInPlace();
      *tangent += (1 - w) * middle.curvature(s);
      return;
    }
    case Rule::Kind::secant: {
      const MeasureBetween<M> step(phi, c0, c1, order);
      const R r0 = step.value0(), r1 = step.value1();
      R s = law.secant_stress(r0, r1);
      if (rule.xi != 0) s += rule.xi * (law.stress(r1) - law.stress(r0));
      const J j = step.secant();
      force.noalias() = j.transpose() * s;
      if (tangent == nullptr) return;
      tangent->noalias() = j.transpose() * (law.secant_stiffness(r0, r1) + rule.xi * law.stiffness(r1)) * step.jacobian1();
      *tangent += step.secant_curvature(s);
      return;
    }
    default: return energy_rule(rule, TermPotential<M, L>{phi, law}, c0, c1, force, tangent);
  }
}

template <Measure M, Law L>
[[nodiscard]] Vec<M::coordinates> force_between(const Rule& rule, const M& phi, const L& law, const Vec<M::coordinates>& c0,
                                                const Vec<M::coordinates>& c1) {
  Vec<M::coordinates> force;
  step_force(rule, phi, law, c0, c1, force, nullptr);
  return force;
}

template <Measure M, Law L>
[[nodiscard]] Mat<M::coordinates, M::coordinates> tangent_between(const Rule& rule, const M& phi, const L& law,
                                                                  const Vec<M::coordinates>& c0,
                                                                  const Vec<M::coordinates>& c1) {
  Vec<M::coordinates> force;
  Mat<M::coordinates, M::coordinates> tangent;
  step_force(rule, phi, law, c0, c1, force, &tangent);
  return tangent;
}

// Energy that the rule takes out of the term over a step: work of the force of the step less the change of W. The secant rule
// has a formula of its own, xi (s1 - s0).(r1 - r0), which does not look at the force and so cannot excuse a wrong one.
template <Measure M, Law L>
[[nodiscard]] double dissipation_between(const Rule& rule, const M& phi, const L& law, const Vec<M::coordinates>& c0,
                                         const Vec<M::coordinates>& c1) {
  if (rule.takes_nothing()) return 0;
  const auto r0 = phi.value(c0), r1 = phi.value(c1);
  if (rule.kind == Rule::Kind::secant) return rule.xi * (law.stress(r1) - law.stress(r0)).dot(r1 - r0);
  Vec<M::coordinates> force = force_between(rule, phi, law, c0, c1);
  if (rule.kind == Rule::Kind::endpoint_average && rule.old_weight != 0)
    force += rule.old_weight * phi.jacobian(c0).transpose() * law.stress(r0);
  return force.dot(c1 - c0) - (law.energy(r1) - law.energy(r0));
}

}  // namespace trompo
