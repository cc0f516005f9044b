// Rows of joints that repeat what others say, and are therefore no equations. Somewhere along the way, or from the start if
// they are drives, they may say something else: what they would have kept closed is watched.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "trompo/system/constraint_terms.hpp"

namespace trompo {

// The name of each row that is left out, and of the row among those kept that it repeats most of.
using RepeatedRows = std::map<std::string, std::string>;

class LeftOutRows {
 public:
  // Relative to the sum of its absolute terms, a row is open where its error is beyond this. Rows that are kept close to 1e-12,
  // and what follows from them is as good but for their condition; a joint that was drawn with seven digits is not open yet.
  static constexpr double open = 1e-6;

  template <class M>
  void add(const M& measure, const Where& where, const std::string& name) {
    terms_of(terms_, measure, where).add(measure, where, name);
  }
  void number();  // after the last

  [[nodiscard]] bool empty() const { return terms_.empty(); }
  [[nodiscard]] int count() const { return static_cast<int>(names_.size()); }
  [[nodiscard]] const std::string& name(int row) const { return names_[static_cast<std::size_t>(row)]; }

  // With room for all of them.
  void constraint_errors(const VecX& q, VecX& error, VecX& size) const;
  void constraint_error_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const;
  void constraint_accelerations(const VecX& q, const VecX& v, const VecX& a, VecX& acceleration, VecX& size) const;
  [[nodiscard]] LargestConstraintError largest_error(const VecX& q) const;

 private:
  std::deque<ConstraintTerms> terms_;
  std::vector<std::string> names_;
};

}  // namespace trompo
