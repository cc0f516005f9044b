// Which rule, with its numbers.
#pragma once

namespace trompo {

struct Rule {
  enum class Kind { endpoint_average, midpoint, strain_average, secant, quartic, geometric, gonzalez, mean_value, itoh_abe };
  // What rates and constraints are taken by: the two ends with the rule's weights, or the increment between them. The
  // balance that uses the rule sets it.
  enum class Tense { ends, interval };
  // The iteration matrix of quartic: exact, or with dK/3 or dK/6 in place of what differentiating dK would give.
  enum class Tangent { exact, third, sixth };
  // What a constraint's force goes along in the interval (constraint_gradient.hpp).
  enum class ConstraintGradient { secant, mean_value, gonzalez, midpoint, end };

  Kind kind = Kind::endpoint_average;
  double old_weight = 0;
  double xi = 0;
  double damping = 0;  // Krenk's alpha: adds alpha/2 (f1 - f0) to quartic and geometric
  int points = 2;      // of Gauss, for mean_value
  Tangent tangent = Tangent::exact;
  bool mean_gradient = false;         // of strain_average: (J0 + J1)/2 in place of the gradient of the middle
  bool transposed_tangent = false;    // the printed tangent of strain_average, to show what it does; never the default
  bool fixed_gradient_point = false;  // the printed tangent of mean_value: as if its place on the chord stood still; likewise
  double old_load = 0.5;              // weight of the old end's loads, in the interval
  Tense tense = Tense::ends;
  ConstraintGradient constraint_gradient = ConstraintGradient::secant;

  // Does it know a term by W, dW and ddW alone (energy_rules.hpp)?
  [[nodiscard]] bool of_energy() const { return kind >= Kind::quartic; }
  // Does its force do exactly the work of the energy's change, by construction?
  [[nodiscard]] bool takes_nothing() const {
    return (kind == Kind::secant && xi == 0) || kind == Kind::gonzalez || kind == Kind::itoh_abe;
  }
};

}  // namespace trompo
