// Loads that depend on where the system is: a force on one coordinate that is a scalar measure of others, times a function of
// time. No potential stands behind it; what it does is work.
#pragma once

#include "trompo/math/time_function.hpp"
#include "trompo/system/terms.hpp"

namespace trompo {

class LoadTerms {
 public:
  explicit LoadTerms(Terms terms) : terms_(std::move(terms)), on_(Where::at({0})) {}
  [[nodiscard]] static bool fits() { return true; }
  template <class M>
  void add(const M& phi, const Where& of, int on, double share = 1, TimeFunction times = 1.0) {
    terms_.add(phi, of);
    on_.add(Where::at({on}));
    loads_.push_back({on, share, std::move(times)});
  }
  [[nodiscard]] const Terms& terms() const { return terms_; }

  void couple(const Numbering& numbering, Entries& entries) const;
  void connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& indices) const;
  void at(double t, const VecX& q, VecX& load) const;                             // adds the force
  void add_tangent(double t, const VecX& q, double factor, Assembly& out) const;  // adds factor dF/dq

 private:
  struct Load {
    int on;
    double share;
    TimeFunction times;
  };
  Terms terms_;
  Places on_;  // the coordinates that are loaded
  std::vector<Load> loads_;
};

}  // namespace trompo
