// Measures and terms behind their tables, with vectors and matrices for what the tables write. All memory is full of NaN
// before: who reads what he has not written, or leaves out what he was asked for, is found.
#pragma once

#include <utility>
#include <vector>

#include "trompo/system/rule.hpp"

namespace trompo::property {

using MatX = Eigen::MatrixXd;

// --- the five functions of measure.hpp ---
[[nodiscard]] VecX value(const MeasureView& phi, const VecX& c);
[[nodiscard]] MatX jacobian(const MeasureView& phi, const VecX& c);
[[nodiscard]] MatX curvature(const MeasureView& phi, const VecX& c, const VecX& s);
[[nodiscard]] MatX secant(const MeasureView& phi, const VecX& c0, const VecX& c1);
[[nodiscard]] MatX secant_curvature(const MeasureView& phi, const VecX& c0, const VecX& c1, const VecX& s);

// --- rules ---
struct Term {
  MeasureView measure;
  const Law* law;
  VecX parameters;

  Term(const MeasureView& phi, const Law& w, double parameter)
      : measure(phi), law(&w), parameters(VecX::Constant(phi.m, parameter)) {}
  Term(const MeasureView& phi, const Law& w, VecX p) : measure(phi), law(&w), parameters(std::move(p)) {}
  [[nodiscard]] ElasticTerm elastic() const { return {measure, law, parameters.data()}; }
  [[nodiscard]] VecX stress(const VecX& r) const;
  [[nodiscard]] VecX secant_stress(const VecX& r0, const VecX& r1) const;
  [[nodiscard]] double energy_of(const VecX& r) const { return law->energy(parameters.data(), measure.m, r.data()); }
};
[[nodiscard]] double energy(const Term& term, const VecX& c);
[[nodiscard]] VecX force_at(const Term& term, const VecX& c);
[[nodiscard]] VecX force_between(const Rule& rule, const Term& term, const VecX& c0, const VecX& c1);
[[nodiscard]] MatX tangent_between(const Rule& rule, const Term& term, const VecX& c0, const VecX& c1);
[[nodiscard]] double dissipation_between(const Rule& rule, const Term& term, const VecX& c0, const VecX& c1);

// Scratch memory as terms have it, and not a number more.
class TightRoom {
 public:
  explicit TightRoom(const MeasureView& phi);
  [[nodiscard]] Scratch scratch() { return {room_.data(), room_.size()}; }

 private:
  std::vector<double> room_;
};
[[nodiscard]] VecX unset(int n);

}  // namespace trompo::property
