// A law: what a strain r costs, component by component. It is a table of functions of r and one parameter a component, and does
// not know where r comes from.
//
//   stress    s(r, r', t), and where they are wanted its slopes ds/dr and ds/dr'
//   energy    W(r) with dW/dr = s, for a law that has one: it looks at neither r' nor t
//   secant    s* with s*.(r1 - r0) = W(r1) - W(r0) exactly, and ds*/dr1
//
// Components do not feel each other: slopes are m numbers. All is written into the caller's memory; null is not wanted.
#pragma once

namespace trompo {

struct Strain {
  const double* r;
  const double* rate = nullptr;  // null: at rest
  double t = 0;
};

// `m` components with their parameters `p`.
using Stress = void (*)(const double* p, int m, const Strain& at, double* s, double* of_strain, double* of_rate);

struct Law {
  Stress stress;
  double (*energy)(const double* p, int m, const double* r);
  void (*secant)(const double* p, int m, const double* r0, const double* r1, double* s, double* of_strain);
};

extern const Law linear_law;        // W = k r^2 / 2
extern const Law tension_only_law;  // W = k <r>^2 / 2 with <r> = max(r, 0): a cable carries no pressure
extern const Law weight_law;        // W = w (1 - cos r): the weight of a simple pendulum in its angle, w = m g l
extern const Law potential_law;     // W = p r: with p = 1 for a measure that is an energy itself, such as a typed potential

void viscous_stress(const double* p, int m, const Strain& at, double* s, double* of_strain, double* of_rate);  // s = c r'

}  // namespace trompo
