#include "trompo/math/time_function.hpp"

#include <algorithm>
#include <array>

namespace trompo {

TimeFunction TimeFunction::parse(std::string_view text, const std::map<std::string, double>& constants) {
  static constexpr std::array<std::string_view, 1> variables{"t"};
  return TimeFunction(Formula(text, variables, constants));
}

Jet TimeFunction::at(double t) const {
  if (const auto* constant = std::get_if<double>(&form_)) return {*constant, 0, 0};
  if (const auto* formula = std::get_if<Formula>(&form_)) return formula->jet(t);
  const Table& table = std::get<Table>(form_);
  const auto after = std::upper_bound(table.begin(), table.end(), t, [](double x, const auto& row) { return x < row.first; });
  if (after == table.begin()) return {table.front().second, 0, 0};
  if (after == table.end()) return {table.back().second, 0, 0};
  const auto& [t0, y0] = *(after - 1);
  const auto& [t1, y1] = *after;
  const double slope = (y1 - y0) / (t1 - t0);
  return {y0 + slope * (t - t0), slope, 0};
}

bool TimeFunction::constant() const {
  if (const auto* formula = std::get_if<Formula>(&form_)) return formula->constant();
  if (const auto* table = std::get_if<Table>(&form_)) return table->size() == 1;
  return true;
}

}  // namespace trompo
