// Loads that depend on where the system is: a force on one coordinate that is a function of others, times a function of time.
// No potential stands behind it; what it does is booked as work.
#pragma once

#include "trompo/math/time_function.hpp"
#include "trompo/measure/measure.hpp"
#include "trompo/system/placement.hpp"

namespace trompo {

class FieldLoads {
 public:
  virtual ~FieldLoads() = default;
  virtual void couple(const Numbering&, Entries&) const = 0;
  virtual void connect(const Numbering&, const Pattern&, std::vector<int>& notes) const = 0;
  virtual void at(double t, const VecX& q, VecX& load) const = 0;                             // adds the force
  virtual void add_tangent(double t, const VecX& q, double factor, Assembly& out) const = 0;  // adds factor dF/dq
};

template <Measure M>
class FieldLoadBatch final : public FieldLoads {
 public:
  static constexpr int n = M::coordinates;

  void add(const M& measure, int on, const std::array<int, n>& coordinates, double share = 1, TimeFunction times = 1.0) {
    terms_.push_back({measure, {{on}}, share, std::move(times), {coordinates}});
  }

  void couple(const Numbering& numbering, Entries& entries) const override {
    for (const Term& t : terms_) {
      const LocalUnknowns rows = Wires<On>::unknowns(t.on, numbering), columns = Wires<Of>::unknowns(t.of, numbering);
      for (const int column : columns.all())
        for (const int row : rows.all()) entries.emplace_back(row, column);
    }
  }
  void connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& notes) const override {
    for (const Term& t : terms_) {
      const LocalUnknowns rows = Wires<On>::unknowns(t.on, numbering), columns = Wires<Of>::unknowns(t.of, numbering);
      rows.write_codes(notes);
      columns.write_codes(notes);
      for (const int column : columns.all())
        for (const int row : rows.all()) notes.push_back(pattern.slot(row, column));
    }
  }
  void at(double now, const VecX& q, VecX& load) const override {
    for (const Term& t : terms_) load[t.on.where[0]] += t.share * t.times.value(now) * t.measure.value(t.of.gather(q))[0];
  }
  void add_tangent(double now, const VecX& q, double factor, Assembly& out) const override {
    for (const Term& t : terms_) {
      const double by = factor * t.share * t.times.value(now);
      const Vec<n> slope = t.measure.jacobian(t.of.gather(q)).transpose();
      std::array<double, On::most_unknowns> rows{};
      std::array<double, Of::most_unknowns> columns{};
      const int *on = out.notes, *of = on + On::size() + 1;
      Moves<On>(t.on, on, out.lever, out.width).bring(&by, rows.data());
      Moves<Of>(t.of, of, out.slope, out.width).bring(slope.data(), columns.data());
      const int* slot = of + Of::size() + 1;
      const int m = on[On::size()];
      for (int j = 0; j < of[Of::size()]; ++j)
        for (int i = 0; i < m; ++i) out.tangent[*slot++] += rows[i] * columns[j];
      out.notes = slot;
    }
  }

 private:
  using On = Placement<1>;
  using Of = Placement<n>;
  struct Term {
    M measure;
    On on;
    double share;
    TimeFunction times;
    Of of;
  };
  std::vector<Term> terms_;
};

}  // namespace trompo
