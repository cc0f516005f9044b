// The elastic role: a measure with a law, whose force is J^T s.
#pragma once

#include <initializer_list>
#include <span>

#include "trompo/system/rule.hpp"
#include "trompo/system/terms.hpp"

namespace trompo {

struct TermState {
  double strain = 0, stress = 0, energy = 0;
  double force = 0;  // along the line of action of a two-point term: stress times |d phi / d x2|
};

class ElasticTerms {
 public:
  ElasticTerms(Terms terms, const Law& law) : terms_(std::move(terms)), law_(&law) {}
  [[nodiscard]] bool fits(const Law& law) const { return law_ == &law; }
  // One parameter of the law a component.
  template <class M>
  void add(const M& phi, const Where& where, std::span<const double> parameters) {
    terms_.add(phi, where);
    parameters_.insert(parameters_.end(), parameters.begin(), parameters.end());
  }
  template <class M>
  void add(const M& phi, const Where& where, double parameter) {
    add(phi, where, std::span<const double>(&parameter, 1));
  }
  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] ElasticTerm term(int t) const {
    return {terms_.measure(t), law_, parameters_.data() + static_cast<std::ptrdiff_t>(t) * terms_.m()};
  }

  void at(const VecX& q, VecX& force) const { at(0, terms_.count(), q, force); }  // adds dV/dq
  void at(int first, int last, const VecX& q, VecX& force) const;                 // of these, the last not among them
  void between(const Rule& rule, const VecX& q0, const VecX& q1, Assembly& out) const;
  [[nodiscard]] double energy(const VecX& q) const;
  [[nodiscard]] double dissipation(const Rule& rule, const VecX& q0, const VecX& q1) const;
  [[nodiscard]] TermState state(int term, const VecX& q) const;

 private:
  Terms terms_;
  const Law* law_;
  std::vector<double> parameters_;
};

}  // namespace trompo
