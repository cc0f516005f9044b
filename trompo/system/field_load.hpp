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
  virtual void couple(const std::vector<int>& equation, std::vector<std::pair<int, int>>& entries) const = 0;
  virtual void connect(const std::vector<int>& equation, const Pattern& pattern) = 0;
  virtual void at(double t, const VecX& q, VecX& load) const = 0;                               // adds the force
  virtual void add_tangent(double t, const VecX& q, double factor, double* tangent) const = 0;  // adds factor dF/dq
};

template <Measure M>
class FieldLoadBatch final : public FieldLoads {
 public:
  static constexpr int n = M::coordinates;

  void add(const M& measure, int on, const std::array<int, n>& coordinates, double share = 1, TimeFunction times = 1.0) {
    terms_.push_back({measure, on, share, std::move(times), coordinates, {}});
  }

  void couple(const std::vector<int>& equation, std::vector<std::pair<int, int>>& entries) const override {
    for (const Term& t : terms_)
      for (const int c : t.where)
        if (equation[t.on] >= 0 && equation[c] >= 0) entries.emplace_back(equation[t.on], equation[c]);
  }
  void connect(const std::vector<int>& equation, const Pattern& pattern) override {
    for (Term& t : terms_)
      for (int i = 0; i < n; ++i) {
        const int row = equation[t.on], column = equation[t.where[i]];
        t.slot[i] = row >= 0 && column >= 0 ? pattern.slot(row, column) : -1;
      }
  }
  void at(double now, const VecX& q, VecX& load) const override {
    for (const Term& t : terms_) load[t.on] += t.share * t.times.value(now) * t.measure.value(gather(q, t.where))[0];
  }
  void add_tangent(double now, const VecX& q, double factor, double* tangent) const override {
    for (const Term& t : terms_) {
      const double by = factor * t.share * t.times.value(now);
      const auto j = t.measure.jacobian(gather(q, t.where));
      for (int i = 0; i < n; ++i)
        if (t.slot[i] >= 0) tangent[t.slot[i]] += by * j[i];
    }
  }

 private:
  struct Term {
    M measure;
    int on;
    double share;
    TimeFunction times;
    std::array<int, n> where, slot;
  };
  std::vector<Term> terms_;
};

}  // namespace trompo
