#include <fmt/format.h>

#include <cmath>

#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/trial.hpp"
#include "trompo/math/time_function.hpp"

namespace trompo {

namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Value, value with gradient, and value with Hessian are three sweeps over one tape.
void compare_sweeps(const Formula& formula, const Vec3& x) {
  const double value = formula.evaluate({x.data(), 3});
  const auto first = formula.derivatives<3>(x, Order::gradient), second = formula.derivatives<3>(x);
  if (!same(value, first.value) || !same(value, second.value))
    throw Finding(fmt::format("value {}, with gradient {}, with Hessian {}", value, first.value, second.value));
  for (int i = 0; i < 3; ++i)
    if (!same(first.gradient[i], second.gradient[i]))
      throw Finding(fmt::format("gradient {}, with Hessian {}", first.gradient[i], second.gradient[i]));
}

}  // namespace

void fuzz_formula(std::string_view input) {
  static constexpr std::string_view names[] = {"x", "y", "t"};
  const std::map<std::string, double> constants{{"k", 2.5}, {"zero", 0.0}};
  try {
    const std::map<std::string, Formula> definitions{{"r", Formula("sqrt(x^2 + y^2)", names)}};
    Formula formula(input, names, constants, definitions);
    for (const Vec3& x : {Vec3(0, 0, 0), Vec3(0.3, -1.7, 2), Vec3(-1e8, 1e-8, 1e200)}) compare_sweeps(formula, x);
    (void)formula.degree();
    (void)formula.compact();
  } catch (const FormulaError& error) {
    if (error.column < 1 || error.column > input.size() + 1)
      throw Finding(fmt::format("column {} of a text of {}: {}", error.column, input.size(), error.what()));
  }
  try {
    const TimeFunction function = TimeFunction::parse(input, constants);
    for (const double t : {0.0, 1.5, -3.0, 1e300}) (void)function.at(t);
  } catch (const FormulaError&) {
  }
}

}  // namespace trompo
