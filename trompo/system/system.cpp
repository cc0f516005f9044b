#include "trompo/system/system.hpp"

#include <cmath>

namespace trompo {

int System::add_point(const std::string& name, double mass) {
  const int first = coordinates();
  for (const char* axis : {".x", ".y", ".z"}) {
    mass_.push_back(mass);
    scale_.push_back(1);
    names_.push_back(name + axis);
  }
  points_.push_back(first);
  return first;
}

int System::add_scalar(const std::string& name, double inertia) {
  mass_.push_back(inertia);
  scale_.push_back(1);
  names_.push_back(name);
  return coordinates() - 1;
}

void System::prescribe(int coordinate, TimeFunction motion) {
  (motion.constant() ? held_ : moving_).push_back({coordinate, std::move(motion)});
}
void System::add_load(int coordinate, TimeFunction force) { loads_.push_back({coordinate, std::move(force)}); }

void System::add_constraints(std::unique_ptr<Constraints> batch, const std::vector<std::string>& names) {
  constraints_.push_back(std::move(batch));
  constraint_names_.insert(constraint_names_.end(), names.begin(), names.end());
}

void System::add_constant_force(int coordinate, double force, bool gravity) {
  VecX& sum = gravity ? gravity_ : dead_;
  if (sum.size() < coordinates()) sum.conservativeResizeLike(VecX::Zero(coordinates()));
  sum[coordinate] += force;
}

void System::set_length_scale(double length) {
  for (const int first : points_)
    for (int i = 0; i < PointKind::coordinates; ++i) scale_[first + i] = length;
}

void System::finish() {
  gravity_.conservativeResizeLike(VecX::Zero(coordinates()));
  dead_.conservativeResizeLike(VecX::Zero(coordinates()));
  equation_.assign(mass_.size(), 0);
  for (const auto* functions : {&held_, &moving_})
    for (const Function& motion : *functions) equation_[motion.coordinate] = -1;
  free_.clear();
  for (int c = 0; c < coordinates(); ++c)
    if (equation_[c] >= 0) {
      equation_[c] = static_cast<int>(free_.size());
      free_.push_back(c);
    }
  std::vector<std::pair<int, int>> entries;
  for (const auto& batch : batches_) batch->couple(equation_, entries);
  for (const auto& batch : dampers_) batch->couple(equation_, entries);
  for (const auto& batch : field_loads_) batch->couple(equation_, entries);
  int multiplier = 0;
  for (const auto& batch : constraints_) {
    batch->couple(equation_, equations() + multiplier, entries);
    multiplier += batch->rows();
  }
  pattern_ = Pattern(unknowns(), std::move(entries));
  for (const auto& batch : batches_) batch->connect(equation_, pattern_);
  for (const auto& batch : dampers_) batch->connect(equation_, pattern_);
  for (const auto& batch : field_loads_) batch->connect(equation_, pattern_);
  multiplier = 0;
  for (const auto& batch : constraints_) {
    batch->connect(equation_, pattern_, multiplier, equations() + multiplier);
    multiplier += batch->rows();
  }
  diagonal_.clear();
  for (int e = 0; e < equations(); ++e) diagonal_.push_back(pattern_.slot(e, e));
}

void System::hold(VecX& q, VecX& v) const {
  for (const Function& motion : held_) {
    q[motion.coordinate] = motion.value.value(0);
    v[motion.coordinate] = 0;
  }
}

void System::prescribe_at(double t, VecX& q, VecX& v) const {
  for (const Function& motion : moving_) {
    const Jet given = motion.value.at(t);
    q[motion.coordinate] = given.value;
    v[motion.coordinate] = given.rate;
  }
}

void System::prescribe_acceleration(double t, VecX& a) const {
  for (const Function& motion : held_) a[motion.coordinate] = 0;
  for (const Function& motion : moving_) a[motion.coordinate] = motion.value.at(t).curvature;
}

void System::force_at(const VecX& q, VecX& force) const {
  force = -gravity_ - dead_;
  for (const auto& batch : batches_) batch->at(q, force);
}

void System::load_at(double t, const VecX& q, VecX& load) const {
  load.setZero();
  for (const Function& f : loads_) load[f.coordinate] += f.value.value(t);
  for (const auto& batch : field_loads_) batch->at(q, load);
}

void System::add_load_tangent(const VecX& q, double factor, double* tangent) const {
  for (const auto& batch : field_loads_) batch->add_tangent(q, factor, tangent);
}

void System::internal_force_at(const VecX& q, const VecX& v, const VecX& multiplier, VecX& force) const {
  force_at(q, force);
  for (const auto& batch : dampers_) batch->at(q, v, force);
  for (const auto& batch : constraints_) batch->at(q, multiplier, force);
}

void System::gaps(const VecX& q, VecX& gap, VecX& size) const {
  for (const auto& batch : constraints_) batch->gaps(q, gap, size);
}

void System::gap_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const {
  for (const auto& batch : constraints_) batch->gap_rates(q, v, rate, size);
}

Eigen::MatrixXd System::jacobian_rows(const VecX& q) const {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(multipliers(), coordinates()), rows(multipliers(), equations());
  for (const auto& batch : constraints_) batch->jacobian_rows(q, all);
  for (int e = 0; e < equations(); ++e) rows.col(e) = all.col(free_[e]);
  return rows;
}

void System::acceleration_rows(const VecX& q, const VecX& v, const VecX& held, VecX& rest, double* matrix) const {
  for (const auto& batch : constraints_) batch->acceleration_rows(q, v, held, rest, matrix);
}

Potentials System::potentials(const VecX& q) const {
  Potentials p;
  for (const auto& batch : batches_) p.elastic += batch->energy(q);
  p.gravity = -gravity_.dot(q);
  p.loads = -dead_.dot(q);
  return p;
}

double System::kinetic(const VecX& v) const {
  double sum = 0;
  for (int c = 0; c < coordinates(); ++c) sum += mass_[c] * v[c] * v[c];
  return 0.5 * sum;
}

Momentum System::momentum(const State& state, const Vec3& about) const {
  Momentum sum;
  for (const int first : points_)
    PointKind::add_momentum(mass_[first], state.q.segment<3>(first) - about, state.v.segment<3>(first), sum);
  return sum;
}

void System::remove_mean_translation(VecX& increment) const {
  for (int axis = 0; axis < PointKind::coordinates; ++axis) {
    double sum = 0;
    bool held = points_.empty();
    for (const int first : points_) {
      held = held || equation_[first + axis] < 0;
      sum += increment[first + axis];
    }
    if (held) continue;  // a support along this axis takes up the momentum
    for (const int first : points_) increment[first + axis] -= sum / static_cast<double>(points_.size());
  }
}

void System::force_between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& old_force, Assembly& out) const {
  // Constant forces are the same at both ends; with the old force in memory they are part of it.
  const double w = rule.kind == Rule::Kind::endpoint_average ? rule.old_weight : 0.0;
  out.force = (w - 1) * (gravity_ + dead_);
  if (w != 0) out.force += w * old_force;
  out.size = out.force.cwiseAbs();
  for (const auto& batch : batches_) batch->between(rule, q0, q1, out);
}

double System::dissipation(const Rule& rule, const VecX& q0, const VecX& q1) const {
  double sum = 0;
  for (const auto& batch : batches_) sum += batch->dissipation(rule, q0, q1);
  return sum;
}

void System::resist_between(const Rule& rule, const Motion& motion, Assembly& out) const {
  for (const auto& batch : dampers_) batch->between(rule, motion, out);
}

void System::constrain_between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const {
  for (const auto& batch : constraints_) batch->between(rule, q0, q1, multiplier, out);
}

Heat System::heat(const Rule& rule, const Motion& motion) const {
  Heat sum;
  for (const auto& batch : dampers_) {
    const Heat part = batch->heat(rule, motion);
    sum.heat += part.heat;
    sum.numerical += part.numerical;
  }
  return sum;
}

double System::constraint_dissipation(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& old_multiplier,
                                      const VecX& multiplier) const {
  double sum = 0;
  for (const auto& batch : constraints_) sum += batch->dissipation(rule, q0, q1, old_multiplier, multiplier);
  return sum;
}

}  // namespace trompo
