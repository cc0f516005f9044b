#include "trompo/system/load_terms.hpp"

namespace trompo {

void LoadTerms::couple(const Numbering& numbering, Entries& entries) const {
  for (int t = 0; t < terms_.count(); ++t)
    LocalUnknowns(on_, t, numbering).couple_block(LocalUnknowns(terms_.places(), t, numbering), entries);
}

void LoadTerms::connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& indices) const {
  for (int t = 0; t < terms_.count(); ++t) {
    const LocalUnknowns rows(on_, t, numbering), columns(terms_.places(), t, numbering);
    rows.write(indices);
    columns.write(indices);
    rows.connect_block(columns, pattern, indices);
  }
}

void LoadTerms::at(double now, const VecX& q, VecX& load) const {
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double* const c = scratch.take(terms_.n());
  for (int t = 0; t < terms_.count(); ++t) {
    const Load& l = loads_[static_cast<std::size_t>(t)];
    terms_.places().gather(t, q, c);
    load[l.on] += l.share * l.times.value(now) * terms_.measure(t).value(c, scratch);
  }
}

void LoadTerms::add_tangent(double now, const VecX& q, double factor, Assembly& out) const {
  const int n = terms_.n();
  ScratchRoom room(terms_.scratch_size());
  Scratch scratch = room.scratch();
  double *const c = scratch.take(n), *const slope = scratch.take(n);
  for (int t = 0; t < terms_.count(); ++t) {
    const Load& l = loads_[static_cast<std::size_t>(t)];
    const double by = factor * l.share * l.times.value(now);
    terms_.places().gather(t, q, c);
    terms_.measure(t).gradient(c, slope, scratch);
    Scratch rest = scratch;
    const int *const on = out.indices, *const of = on + 2;
    const int rows = on[1], columns = of[n];
    double *const row = rest.take(rows), *const column = rest.take(columns);
    std::fill_n(row, rows, 0.0);
    std::fill_n(column, columns, 0.0);
    Moves(on_, t, 1, on, out, rest).bring_by_levers(&by, row);
    Moves(terms_.places(), t, n, of, out, rest).bring_by_slopes(slope, column);
    const int* slot = of + n + 1;
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) out.tangent[*slot++] += row[i] * column[j];
    out.indices = slot;
  }
}

}  // namespace trompo
