#include "trompo/system/system.hpp"

#include <algorithm>
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

void System::add_body(const std::string& name, RigidBody body) {
  body.first = coordinates();
  for (const char* part : {"", ".d1", ".d2", ".d3"})
    for (const char* axis : {".x", ".y", ".z"}) {
      const bool translates = *part == 0 && !body.fixed_point;
      mass_.push_back(translates ? body.mass : 0);
      scale_.push_back(1);
      names_.push_back(name + part + axis);
    }
  body_names_.push_back(name);
  bodies_.push_back(std::move(body));
}

void System::add_torque(int body, int axis, TimeFunction torque) { torques_.push_back({body, axis, std::move(torque)}); }

void System::prescribe(int coordinate, TimeFunction motion) {
  (motion.constant() ? held_ : moving_).push_back({coordinate, std::move(motion), 1});
}
void System::add_load(int coordinate, TimeFunction force, double share) {
  loads_.push_back({coordinate, std::move(force), share});
}

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
  for (const RigidBody& body : bodies_)
    for (int i = 0; i < 3; ++i) scale_[body.first + i] = length;
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
  number_unknowns();
  if (bodies_.empty()) {
    pattern_ = Pattern(unknowns(), std::move(entries));
  } else {
    for (int e = 0; e < equations(); ++e) entries.emplace_back(e, e);
    std::sort(entries.begin(), entries.end());
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    // A body's frame enters the unknowns through its rotation: each of its entries stands for three.
    std::vector<std::pair<int, int>> reduced;
    const auto each = [this](int frame_unknown, const auto& use) {
      if (frame_unknown >= equations()) return use(unknowns() - multipliers() + frame_unknown - equations());
      if (equation_unknown_[frame_unknown] >= 0) return use(equation_unknown_[frame_unknown]);
      const int first = body_unknown_[body_of(free_[frame_unknown])];
      for (int i = 0; i < 3; ++i) use(first + i);
    };
    for (const auto& [row, column] : entries)
      each(row, [&, column = column](int r) { each(column, [&](int c) { reduced.emplace_back(r, c); }); });
    for (const int first : body_unknown_)
      for (int i = 0; i < 9; ++i) reduced.emplace_back(first + i / 3, first + i % 3);
    pattern_ = Pattern(unknowns(), std::move(reduced));
    frame_entries_ = entries;
    frame_pattern_ = Pattern(equations() + multipliers(), std::move(entries));
  }
  const Pattern& frame = frame_pattern();
  for (const auto& batch : batches_) batch->connect(equation_, frame);
  for (const auto& batch : dampers_) batch->connect(equation_, frame);
  for (const auto& batch : field_loads_) batch->connect(equation_, frame);
  multiplier = 0;
  for (const auto& batch : constraints_) {
    batch->connect(equation_, frame, multiplier, equations() + multiplier);
    multiplier += batch->rows();
  }
  diagonal_.clear();
  for (int e = 0; e < equations(); ++e) diagonal_.push_back(frame.slot(e, e));
}

int System::body_of(int coordinate) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const int k = coordinate - bodies_[b].first;
    if (k >= (bodies_[b].fixed_point ? 0 : 3) && k < RigidBody::coordinates) return static_cast<int>(b);
  }
  return -1;
}

// Coordinates that move by themselves, then three for the rotation of each body, then the multipliers.
void System::number_unknowns() {
  unknown_names_.clear();
  equation_unknown_.assign(free_.size(), -1);
  for (int e = 0; e < equations(); ++e) {
    if (body_of(free_[e]) >= 0) continue;
    equation_unknown_[e] = unknowns();
    unknown_names_.push_back(names_[free_[e]]);
  }
  body_unknown_.clear();
  for (const std::string& name : body_names_) {
    body_unknown_.push_back(unknowns());
    for (const char* axis : {" about x", " about y", " about z"}) unknown_names_.push_back(name + axis);
  }
  unknown_names_.insert(unknown_names_.end(), constraint_names_.begin(), constraint_names_.end());
}

void System::torque_at(double t, std::vector<Vec3>& torque) const {
  for (Vec3& moment : torque) moment.setZero();
  for (const Torque& given : torques_) torque[given.body][given.axis] += given.value.value(t);
}

void System::write_frames(State& state) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bodies_[b].write_frame(state.rotations[b], state.q);
    bodies_[b].write_rates(state.rotations[b], state.v);
  }
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
  for (const Function& f : loads_) load[f.coordinate] += f.share * f.value.value(t);
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
  sum *= 0.5;
  for (const RigidBody& body : bodies_) sum += body.kinetic(v);
  return sum;
}

Momentum System::momentum(const State& state, const Vec3& about) const {
  Momentum sum;
  for (const int first : points_)
    PointKind::add_momentum(mass_[first], state.q.segment<3>(first) - about, state.v.segment<3>(first), sum);
  for (const RigidBody& body : bodies_) body.add_momentum(state.q, state.v, about, sum);
  return sum;
}

void System::remove_mean_translation(VecX& increment) const {
  for (int axis = 0; axis < PointKind::coordinates; ++axis) {
    double sum = 0;
    bool held = points_.empty() && bodies_.empty();
    for (const int first : points_) {
      held = held || equation_[first + axis] < 0;
      sum += increment[first + axis];
    }
    for (const RigidBody& body : bodies_) {
      held = held || body.fixed_point;
      sum += increment[body.first + axis];
    }
    if (held) continue;  // a support along this axis takes up the momentum
    const double mean = sum / static_cast<double>(points_.size() + bodies_.size());
    for (const int first : points_) increment[first + axis] -= mean;
    for (const RigidBody& body : bodies_) increment[body.first + axis] -= mean;
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
