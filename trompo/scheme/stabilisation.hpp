// What keeps a scheme that integrates accelerations near its constraints: phi'' = 0 alone lets phi and phi' drift.
//
//   Baumgarte    phi'' + 2 a phi' + b^2 phi = 0 in place of phi'' = 0: the drift is pulled back, but never gone
//   projection   at the end of a step, the least change of places and velocities that takes phi and phi' away to first order
//
// J. Baumgarte, Stabilization of constraints and integrals of motion in dynamical systems, CMAME 1 (1972); the projections
// after M. Nitardi (2018).
#pragma once

#include <string>

namespace trompo {

struct Stabilisation {
  // Both and full take away phi and phi'; full knows that moving the places changes phi' too. By mass: the change is small in
  // kinetic energy, not in numbers.
  enum class Projection { none, both, both_by_mass, position, velocity, full };
  double a = 0, b = 0;  // Baumgarte [1/s]
  Projection projection = Projection::both;
  int times = 2;     // the gradients are those of the state before each: the second time brings phi' from small to round-off
  double gamma = 1;  // the share of the change that is made, (3.46) of Nitardi (2018): between 0 and 2, or errors grow

  [[nodiscard]] bool projects() const { return projection != Projection::none && times > 0; }
};

[[nodiscard]] Stabilisation unstabilised();
[[nodiscard]] Stabilisation baumgarte(double a, double b);
[[nodiscard]] std::string words(const Stabilisation&);  // for people

}  // namespace trompo
