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
  pattern_ = Pattern(equations(), std::move(entries));
  for (const auto& batch : batches_) batch->connect(equation_, pattern_);
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

void System::load_at(double t, VecX& load) const {
  load.setZero();
  for (const Function& f : loads_) load[f.coordinate] += f.value.value(t);
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

}  // namespace trompo
