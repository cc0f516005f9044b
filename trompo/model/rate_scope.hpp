// Formulas that feel velocities: of loads, torques, moments and sensors.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trompo/math/vector.hpp"
#include "trompo/model/formula_scope.hpp"

namespace trompo {

// What a name in such a formula stands for.
//
//   place       a coordinate; time is the one after the last
//   rate        of a coordinate: "bob.vx", "rate(u)"
//   spin        of a body about an axis of space: "top.wx"
//   body_spin   about an axis of its own: "top.w1"
//   invariant   the rate of an [[invariant]]: "rate(r2)"
struct RateArgument {
  enum class Kind { place, rate, spin, body_spin, invariant };
  Kind kind = Kind::place;
  int at = 0;               // coordinate of the model, or the first one of the body
  int axis = 0;             // of a spin
  Formula invariant{};      // over
  std::vector<int> over{};  // these coordinates
};

struct RateFormula {
  Formula formula;
  std::vector<RateArgument> arguments;
  [[nodiscard]] bool feels_rates() const;
  [[nodiscard]] bool uses(int coordinate) const;
};

// The value of an argument at a place with its velocities.
[[nodiscard]] double value_of(const RateArgument& argument, std::span<const double> q, std::span<const double> v);
// Of the axes in space, from the axes of a frame and their rates, nine numbers each: half the sum of d x d'.
[[nodiscard]] Vec3 spin_of(const double* axes, const double* rates);

// The names of a FormulaScope, then "rate(u)" of every coordinate (of which "bob.vx" is another way to say "rate(bob.x)") and
// of every invariant; of every body "top.wx", "top.wy", "top.wz" and "top.w1" to "top.w3", and "top.v1" to "top.v3", the
// velocity of its centre along its axes.
class RateScope {
 public:
  RateScope(const Model& model, const FormulaScope& places);
  [[nodiscard]] RateFormula read(const std::string& text) const;  // throws FormulaError

 private:
  const Model& model_;
  std::vector<std::string> names_;
  std::vector<std::string_view> variables_;
  std::vector<RateArgument> arguments_;
  std::map<std::string, Formula> definitions_;
};

}  // namespace trompo
