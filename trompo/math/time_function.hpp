// A number that changes with time: a constant, a formula of t, or a table interpolated linearly and held at its ends.
#pragma once

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "trompo/math/formula.hpp"

namespace trompo {

class TimeFunction {
 public:
  using Table = std::vector<std::pair<double, double>>;  // (t, value), t strictly rising, at least one row

  TimeFunction(double constant = 0) : form_(constant) {}
  explicit TimeFunction(Table table) : form_(std::move(table)) {}
  static TimeFunction parse(std::string_view text, const std::map<std::string, double>& constants = {});  // throws FormulaError

  [[nodiscard]] Jet at(double t) const;  // value, rate, acceleration
  [[nodiscard]] double value(double t) const { return at(t).value; }
  [[nodiscard]] bool constant() const;
  [[nodiscard]] const auto& form() const { return form_; }

 private:
  explicit TimeFunction(Formula formula) : form_(std::move(formula)) {}
  std::variant<double, Formula, Table> form_;
};

}  // namespace trompo
