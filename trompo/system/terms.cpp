#include "trompo/system/terms.hpp"

#include "trompo/system/rule.hpp"

namespace trompo {

std::size_t Terms::scratch_of(int term) const { return rule_scratch(measure(term)) + Scatter::scratch_size(places_); }

void Terms::couple(const Numbering& numbering, Entries& entries) const {
  for (int t = 0; t < count(); ++t) LocalUnknowns(places_, t, numbering).couple_square(entries);
}

void Terms::connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& indices) const {
  for (int t = 0; t < count(); ++t) {
    const LocalUnknowns local(places_, t, numbering);
    local.write(indices);
    local.connect_square(pattern, indices);
  }
}

}  // namespace trompo
