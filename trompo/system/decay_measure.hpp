// The dissipative measure of an elastic one: quadratic in the coordinates, blind to rigid motion, and growing with it. It need
// not be the strain of the law. It lives in the same memory: its table reads what the elastic measure holds.
//
//   bars of any strain, springs   (l^2 - L^2)/2L^2,  (l^2 - L^2)/2L
//   coordinates                   themselves; typed energies of one coordinate too
//   rods                          the products of vectors of rod_strain.hpp
//   hinges                        s cos(theta0) - c sin(theta0), theta0 the angle at the old end
#pragma once

#include "trompo/system/rule.hpp"

namespace trompo {

// Without a kernel if there is none: weights, typed energies of several coordinates, springs without a natural length.
[[nodiscard]] MeasureView dissipative(const ElasticTerm& term);

// Stiffness of each component against it, not negative and fixed during a step: that of the law at the old end.
void dissipative_stiffness(const ElasticTerm& term, const double* c0, double* kappa, Scratch scratch);

// Of second degree at most, as rows of joints are and formulas may be.
[[nodiscard]] bool is_quadratic_measure(const MeasureView& phi);

}  // namespace trompo
