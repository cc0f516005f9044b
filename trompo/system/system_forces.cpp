// Forces, constraints and their tangents, of all terms: at an instant and between two.
#include <cmath>

#include "trompo/math/so3.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

// Calls use(terms) for each kind, with the indices of its terms at hand.
template <class Role, class Use>
void System::each(const std::deque<Role>& all, std::vector<std::size_t> ScatterMap::*begin, Assembly& out,
                  const Use& use) const {
  std::size_t i = 0;
  for (const Role& role : all) {
    if (out.tangent != nullptr) out.indices = out.map->indices.data() + (out.map->*begin)[i++];
    use(role);
  }
}

void System::force_at(const VecX& q, VecX& force) const {
  force = -gravity_ - dead_;
  for (const ElasticTerms& all : elastic_) all.at(q, force);
}

void System::load_at(double t, const VecX& q, VecX& load, bool moments) const {
  load.setZero();
  for (const Function& f : loads_) load[f.coordinate] += f.share * f.value.value(t);
  for (const LoadTerms& all : place_loads_) all.at(t, q, load);
  if (!moments) return;
  for (const LoadTerms& all : moment_loads_) all.at(t, q, load);
}

void System::load_at(double t, const VecX& q, const VecX& v, VecX& load) const {
  load_at(t, q, load);
  add_torques(t, q, load);
  rate_loads_.at(q, {v}, load);
}

double System::spring_force(int spring, int axis, const VecX& q, const VecX& v) const {
  const SpringPlace& s = springs_[static_cast<std::size_t>(spring)][static_cast<std::size_t>(axis)];
  return (s.spring != nullptr ? s.spring->state(s.spring_term, q).force : 0) +
         (s.damper != nullptr ? s.damper->first_stress(s.damper_term, q, v) : 0);
}

double System::spring_energy(int spring, const VecX& q) const {
  double sum = 0;
  for (const SpringPlace& s : springs_[static_cast<std::size_t>(spring)])
    if (s.spring != nullptr) sum += s.spring->state(s.spring_term, q).energy;
  return sum;
}

double System::joint_energy(int joint, const VecX& q) const {
  double sum = 0;
  for (const auto& [terms, term] : joints_[static_cast<std::size_t>(joint)].springs) sum += terms->state(term, q).energy;
  return sum;
}

void System::add_load_tangent(double t, const VecX& q, double factor, Assembly& out, bool moments) const {
  const auto add = [&](const LoadTerms& all) { all.add_tangent(t, q, factor, out); };
  each(place_loads_, &ScatterMap::loads, out, add);
  if (moments) each(moment_loads_, &ScatterMap::moments, out, add);
}

void System::internal_force_at(const VecX& q, const VecX& v, const VecX& multiplier, VecX& force) const {
  force_at(q, force);
  for (const ViscousTerms& all : viscous_) all.at(q, v, force);
  for (const ConstraintTerms& terms : constraints_) terms.at(q, multiplier, force);
}

void System::constraint_errors(const VecX& q, VecX& error, VecX& size) const {
  for (const ConstraintTerms& terms : constraints_) terms.constraint_errors(q, error, size);
}

double System::largest_error_in_loops(const VecX& q) const {
  double most = 0;
  for (const Joint& joint : joints_)
    if (joint.in_loop)
      for (const auto& [terms, term] : joint.rows) most = std::max(most, terms->relative_error(term, q));
  return most;
}

void System::constraint_error_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const {
  for (const ConstraintTerms& terms : constraints_) terms.constraint_error_rates(q, v, rate, size);
}

void System::constraint_accelerations(const VecX& q, const VecX& v, const VecX& a, VecX& acceleration, VecX& size) const {
  for (const ConstraintTerms& terms : constraints_) terms.constraint_accelerations(q, v, a, acceleration, size);
}

void System::acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, Assembly& out) const {
  const auto add = [&](const ConstraintTerms& all) { all.acceleration_rows(q, v, given, rest, out); };
  each(constraints_, &ScatterMap::constraints, out, add);
}

Eigen::SparseMatrix<double> System::jacobian(const VecX& q) const {
  std::vector<Eigen::Triplet<double>> all, free;
  for (const ConstraintTerms& terms : constraints_) terms.jacobian_rows(q, all);
  for (const auto& entry : all)
    if (equation_[entry.col()] >= 0) free.emplace_back(entry.row(), equation_[entry.col()], entry.value());
  Eigen::SparseMatrix<double> rows(multipliers(), equations());
  rows.setFromTriplets(free.begin(), free.end());
  return rows;
}

void System::add_shared_mass(double factor, Assembly& out) const {
  if (!couples_mass()) return;
  out.indices = out.map->indices.data() + out.map->masses;
  ScratchRoom room(Scatter::scratch_size(shared_places_));
  for (std::size_t t = 0; t < shared_.size(); ++t) {
    Mat<6, 6> mass = Mat<6, 6>::Zero();
    mass.diagonal().setConstant(-factor * shared_[t].mass);
    mass.diagonal<3>().setConstant(factor * shared_[t].mass);
    mass.diagonal<-3>().setConstant(factor * shared_[t].mass);
    Scatter(shared_places_, static_cast<int>(t), out, room.scratch()).add_square(mass.data());
  }
  for (const OwnMass& m : own_masses_) {
    const auto size = static_cast<int>(m.coupling.size());
    ScratchRoom own(Scatter::scratch_size(m.places) + static_cast<std::size_t>(size));
    Scratch scratch = own.scratch();
    double* const mass = scratch.take(size);
    for (int i = 0; i < size; ++i) mass[i] = factor * m.coupling.data()[i];
    Scatter(m.places, 0, out, scratch).add_square(mass);
  }
}

void System::force_between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& old_force, Assembly& out) const {
  // Constant forces are the same at both ends; with the old force in memory they are part of it.
  const double w = rule.kind == Rule::Kind::endpoint_average ? rule.old_weight : 0.0;
  out.force.resize(coordinates());
  out.size.resize(coordinates());
  for (int c = 0; c < coordinates(); ++c) {
    const double constant = (w - 1) * (gravity_[c] + dead_[c]), f = w != 0 ? constant + w * old_force[c] : constant;
    out.force[c] = f;
    out.size[c] = std::abs(f);
  }
  each(elastic_, &ScatterMap::elastic, out, [&](const ElasticTerms& all) { all.between(rule, q0, q1, out); });
}

void System::resist_between(const Rule& rule, const Motion& motion, Assembly& out) const {
  each(viscous_, &ScatterMap::viscous, out, [&](const ViscousTerms& all) { all.between(rule, motion, out); });
}

void System::constrain_between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const {
  if (multiplier.size() == 0) return;
  const auto add = [&](const ConstraintTerms& all) { all.between(rule, q0, q1, multiplier, out); };
  each(constraints_, &ScatterMap::constraints, out, add);
}

}  // namespace trompo
