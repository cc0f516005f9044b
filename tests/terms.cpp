#include "tests/terms.hpp"

#include <limits>

namespace trompo::property {

namespace {
constexpr double none = std::numeric_limits<double>::quiet_NaN();
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Rows unset_rows(const MeasureView& phi) { return Rows::Constant(phi.m, phi.n, none); }
}  // namespace

VecX unset(int n) { return VecX::Constant(n, none); }
TightRoom::TightRoom(const MeasureView& phi) : room_(rule_scratch(phi), none) {}

VecX value(const MeasureView& phi, const VecX& c) {
  TightRoom room(phi);
  VecX r = unset(phi.m);
  phi.value(c.data(), r.data(), room.scratch());
  return r;
}

MatX jacobian(const MeasureView& phi, const VecX& c) {
  TightRoom room(phi);
  Rows J = unset_rows(phi);
  phi.gradient(c.data(), J.data(), room.scratch());
  return J;
}

MatX curvature(const MeasureView& phi, const VecX& c, const VecX& s) {
  TightRoom room(phi);
  VecX r = unset(phi.m), H = unset(phi.expansion());
  Rows J = unset_rows(phi);
  MatX K = MatX::Zero(phi.n, phi.n);
  phi.kernel->at(phi.phi, {c.data()}, Order::hessian, r.data(), J.data(), nullptr, H.data(), room.scratch());
  phi.add_curvature(c.data(), s.data(), H.data(), K.data());
  return K;
}

MatX secant(const MeasureView& phi, const VecX& c0, const VecX& c1) {
  TightRoom room(phi);
  VecX r0 = unset(phi.m), r1 = unset(phi.m);
  Rows J = unset_rows(phi);
  phi.kernel->between(phi.phi, c0.data(), c1.data(), Order::gradient, r0.data(), r1.data(), J.data(), nullptr, nullptr,
                      room.scratch());
  return J;
}

MatX secant_curvature(const MeasureView& phi, const VecX& c0, const VecX& c1, const VecX& s) {
  TightRoom room(phi);
  VecX r0 = unset(phi.m), r1 = unset(phi.m), H = unset(phi.expansion());
  Rows J = unset_rows(phi), J1 = unset_rows(phi);
  MatX K = MatX::Zero(phi.n, phi.n);
  phi.kernel->between(phi.phi, c0.data(), c1.data(), Order::hessian, r0.data(), r1.data(), J.data(), J1.data(), H.data(),
                      room.scratch());
  phi.add_secant_curvature(c0.data(), c1.data(), s.data(), H.data(), K.data());
  return K;
}

VecX Term::stress(const VecX& r) const {
  VecX s = unset(measure.m);
  law->stress(parameters.data(), measure.m, {r.data()}, s.data(), nullptr, nullptr);
  return s;
}

VecX Term::secant_stress(const VecX& r0, const VecX& r1) const {
  VecX s = unset(measure.m);
  law->secant(parameters.data(), measure.m, r0.data(), r1.data(), s.data(), nullptr);
  return s;
}

double energy(const Term& term, const VecX& c) {
  TightRoom room(term.measure);
  return term.elastic().energy(c.data(), room.scratch());
}

VecX force_at(const Term& term, const VecX& c) {
  TightRoom room(term.measure);
  VecX f = unset(term.measure.n);
  term.elastic().force(c.data(), f.data(), room.scratch());
  return f;
}

VecX force_between(const Rule& rule, const Term& term, const VecX& c0, const VecX& c1) {
  TightRoom room(term.measure);
  VecX f = unset(term.measure.n);
  step_force(rule, term.elastic(), c0.data(), c1.data(), f.data(), nullptr, room.scratch());
  return f;
}

MatX tangent_between(const Rule& rule, const Term& term, const VecX& c0, const VecX& c1) {
  TightRoom room(term.measure);
  const int n = term.measure.n;
  VecX f = unset(n);
  MatX K = MatX::Constant(n, n, none);
  step_force(rule, term.elastic(), c0.data(), c1.data(), f.data(), K.data(), room.scratch());
  return K;
}

double dissipation_between(const Rule& rule, const Term& term, const VecX& c0, const VecX& c1) {
  TightRoom room(term.measure);
  return dissipation_between(rule, term.elastic(), c0.data(), c1.data(), room.scratch());
}

}  // namespace trompo::property
