#include "trompo/system/left_out_rows.hpp"

namespace trompo {

void LeftOutRows::number() {
  names_.clear();
  for (ConstraintTerms& terms : terms_) {
    terms.number(count());
    names_.insert(names_.end(), terms.names().begin(), terms.names().end());
  }
}

void LeftOutRows::gaps(const VecX& q, VecX& gap, VecX& size) const {
  for (const ConstraintTerms& terms : terms_) terms.gaps(q, gap, size);
}

void LeftOutRows::gap_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const {
  for (const ConstraintTerms& terms : terms_) terms.gap_rates(q, v, rate, size);
}

void LeftOutRows::gap_accelerations(const VecX& q, const VecX& v, const VecX& a, VecX& acceleration, VecX& size) const {
  for (const ConstraintTerms& terms : terms_) terms.gap_accelerations(q, v, a, acceleration, size);
}

LargestGap LeftOutRows::largest_gap(const VecX& q) const {
  LargestGap largest;
  for (const ConstraintTerms& terms : terms_) terms.find_largest(q, largest);
  return largest;
}

}  // namespace trompo
