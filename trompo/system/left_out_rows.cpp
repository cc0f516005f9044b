#include "trompo/system/left_out_rows.hpp"

namespace trompo {

void LeftOutRows::number() {
  names_.clear();
  for (ConstraintTerms& terms : terms_) {
    terms.number(count());
    names_.insert(names_.end(), terms.names().begin(), terms.names().end());
  }
}

void LeftOutRows::constraint_errors(const VecX& q, VecX& error, VecX& size) const {
  for (const ConstraintTerms& terms : terms_) terms.constraint_errors(q, error, size);
}

void LeftOutRows::constraint_error_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const {
  for (const ConstraintTerms& terms : terms_) terms.constraint_error_rates(q, v, rate, size);
}

void LeftOutRows::constraint_accelerations(const VecX& q, const VecX& v, const VecX& a, VecX& acceleration, VecX& size) const {
  for (const ConstraintTerms& terms : terms_) terms.constraint_accelerations(q, v, a, acceleration, size);
}

LargestConstraintError LeftOutRows::largest_error(const VecX& q) const {
  LargestConstraintError largest;
  for (const ConstraintTerms& terms : terms_) terms.find_largest(q, largest);
  return largest;
}

}  // namespace trompo
