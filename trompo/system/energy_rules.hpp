// Rules that know a term by its energy W(c), force dW and stiffness ddW alone: Krenk's global format and the general discrete
// gradients. With d = c1 - c0:
//
//   quartic      (f0+f1)/2 - (K1-K0) d/12     exact work for a quartic W              Krenk, IJNME 100 (2014)
//   geometric    (f0+f1)/2 - (Kg1-Kg0) d/4    Kg: curvature of the measure; keeps angular momentum, exact for Green's strain
//   gonzalez     f(m) + (dW - f(m).d)/(d.d) d, m the midpoint                         Gonzalez, J. Nonlinear Sci. 6 (1996)
//   mean_value   integral of f(c0 + tau d) by Gauss' points; exact to its quadrature  Harten, Lax, van Leer (1983)
//   itoh_abe     difference quotients, one coordinate after the other; first order    Itoh, Abe, J. Comput. Phys. 76 (1988)
#pragma once

#include "trompo/system/rule.hpp"

namespace trompo {

// As step_force.
void energy_rule(const Rule& rule, const ElasticTerm& term, const double* c0, const double* c1, double* force, double* tangent,
                 Scratch scratch);

}  // namespace trompo
