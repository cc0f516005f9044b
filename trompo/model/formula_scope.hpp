// Formulas over the coordinates, invariants and parameters of a model, and over time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trompo/math/formula.hpp"
#include "trompo/model/model.hpp"

namespace trompo {

// A formula with the coordinates it uses. Where it is written over invariants alone, it is kept as a function of them: that is
// what momentum conservation rests on.
struct ScopedFormula {
  Formula formula;                  // over `coordinates`, or over the invariants if there are any
  std::vector<Formula> invariants;  // over `coordinates`
  std::vector<int> coordinates;     // of the model, by number; time is the one after the last
};

// The names a formula may use: "bob.x" of every node; "top.x" (the centre of mass) and "top.d1.x" to "top.d3.z" (the axes) of
// every body, twelve for each; the generalised coordinates; t. Then parameters and invariants.
class FormulaScope {
 public:
  explicit FormulaScope(const Model& model);  // an invariant that cannot be read is an unknown name
  // Both throw FormulaError: what is wrong, and in which column.
  [[nodiscard]] ScopedFormula read(const std::string& text) const;
  [[nodiscard]] ScopedFormula expanded(const std::string& text) const;       // over raw coordinates, invariants written out
  [[nodiscard]] const std::vector<double>& start() const { return start_; }  // values at t = 0, time last
  [[nodiscard]] const std::vector<double>& start_rates() const { return start_rates_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }  // of the coordinates, "t" last
  [[nodiscard]] const std::map<std::string, Formula>& invariants() const { return invariants_; }
  [[nodiscard]] int time() const { return static_cast<int>(names_.size()) - 1; }

 private:
  void body(const BodyInput& input);
  const Model& model_;
  std::vector<std::string> names_;
  std::vector<std::string_view> variables_;
  std::vector<std::string_view> invariant_names_;
  std::map<std::string, Formula> invariants_;
  std::vector<double> start_, start_rates_;
};

}  // namespace trompo
