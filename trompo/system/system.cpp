#include "trompo/system/system.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/math/so3.hpp"
#include "trompo/measure/angle.hpp"
#include "trompo/measure/joint_rows.hpp"
#include "trompo/system/batch_of.hpp"

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
  const Mat3 E = body.euler();
  for (int k = 0; k < 4; ++k)
    for (const char* axis : {".x", ".y", ".z"}) {
      const double translating = body.fixed_point ? 0 : body.mass;  // about a fixed point the axes carry all of it
      mass_.push_back(k == 0 ? translating : E(k - 1, k - 1));
      scale_.push_back(1);
      names_.push_back(name + (k == 0 ? "" : ".d" + std::to_string(k)) + axis);
    }
  const int d = body.first + 3;
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < k; ++l)
      for (int i = 0; i < 3; ++i)
        if (E(k, l) != 0) couplings_.push_back({d + 3 * k + i, d + 3 * l + i, E(k, l)});
  for (int k = 0; k < 3; ++k)
    batch_of<ConstraintBatch<UnitLength, Attachment<1>>>(inner_).add(UnitLength{},
                                                                     Attachment<1>{{Limb::axis(body.first, Vec3::Unit(k))}});
  for (int k = 0; k < 3; ++k)
    batch_of<ConstraintBatch<Dot, Attachment<2>>>(inner_).add(
        Dot{}, Attachment<2>{{Limb::axis(body.first, Vec3::Unit(k)), Limb::axis(body.first, Vec3::Unit((k + 1) % 3))}});
  if (body.fixed_point)
    for (int i = 0; i < 3; ++i)
      batch_of<ConstraintBatch<Gap, Attachment<2, 1>>>(inner_).add(
          Gap{},
          Attachment<2, 1>{{Limb::point(body.first, -body.centre).component(i), Limb::ground(*body.fixed_point).component(i)}});
  body_names_.push_back(name);
  bodies_.push_back(std::move(body));
}

int System::add_memory(const std::string& name) {
  const int coordinate = add_scalar(name, 0);
  prescribe(coordinate, TimeFunction(0));
  return coordinate;
}

// A point of the ground that moves as prescribed.
int System::add_anchor(const std::string& name, const Vec3& place, const Motions& motion) {
  const int first = add_point(name, 0);
  for (int i = 0; i < 3; ++i) prescribe(first + i, motion[i] ? *motion[i] : TimeFunction(place[i]));
  anchors_.push_back({name, first});
  return first;
}

void System::add_torque(int body, int axis, TimeFunction torque) { torques_.push_back({body, axis, std::move(torque)}); }

void System::prescribe(int coordinate, TimeFunction motion) {
  (motion.constant() ? held_ : moving_).push_back({coordinate, std::move(motion), 1});
}
void System::add_load(int coordinate, TimeFunction force, double share) {
  loads_.push_back({coordinate, std::move(force), share});
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
  body_of_.assign(mass_.size(), -1);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (int k = bodies_[b].fixed_point ? 0 : 3; k < RigidBody::coordinates; ++k)
      body_of_[bodies_[b].first + k] = static_cast<int>(b);

  inner_rows_ = 0;
  for (const auto& batch : inner_) inner_rows_ += batch->rows();
  int row = 0;
  for (auto* batches : {&constraints_, &inner_})
    for (const auto& batch : *batches) {
      batch->number(row);
      row += batch->rows();
    }
  whole_ = std::make_unique<Whole>();
}

const System::Whole& System::whole() const {
  std::call_once(whole_->once, [this] {
    Whole& w = *whole_;
    const Numbering numbering{equation_, std::vector<char>(mass_.size(), 0), 0, equations()};
    Entries entries = couple(numbering);
    for (const Coupling& c : couplings_)
      entries.insert(entries.end(), {{equation_[c.a], equation_[c.b]}, {equation_[c.b], equation_[c.a]}});
    w.pattern = Pattern(unknowns(), std::move(entries));
    w.wiring = connect(numbering, w.pattern);
    for (const Coupling& c : couplings_)
      w.couplings.emplace_back(w.pattern.slot(equation_[c.a], equation_[c.b]), w.pattern.slot(equation_[c.b], equation_[c.a]));
    for (int e = 0; e < equations(); ++e) w.diagonal.push_back(w.pattern.slot(e, e));
  });
  return *whole_;
}

Entries System::couple(const Numbering& numbering) const {
  Entries entries;
  for (const auto& batch : batches_) batch->couple(numbering, entries);
  for (const auto& batch : dampers_) batch->couple(numbering, entries);
  for (const auto& batch : field_loads_) batch->couple(numbering, entries);
  for (const SharedMass& m : shared_) trompo::couple(m.place(), numbering, entries);
  int unknown = numbering.multiplier;
  const auto constrain = [&](const auto& batches) {
    for (const auto& batch : batches) {
      batch->couple(numbering, unknown, entries);
      unknown += batch->rows();
    }
  };
  constrain(constraints_);
  if (numbering.width == 0) constrain(inner_);
  return entries;
}

Wiring System::connect(const Numbering& numbering, const Pattern& pattern) const {
  Wiring wiring;
  std::vector<int>& notes = wiring.notes;
  const auto connect_all = [&](const auto& batches, std::vector<std::size_t>& begin) {
    for (const auto& batch : batches) {
      begin.push_back(notes.size());
      batch->connect(numbering, pattern, notes);
    }
  };
  connect_all(batches_, wiring.batches);
  connect_all(dampers_, wiring.dampers);
  connect_all(field_loads_, wiring.loads);
  wiring.masses = notes.size();
  for (const SharedMass& m : shared_) trompo::connect(m.place(), numbering, pattern, notes);
  int unknown = numbering.multiplier;
  const auto constrain = [&](const auto& batches, std::vector<std::size_t>& begin) {
    for (const auto& batch : batches) {
      begin.push_back(notes.size());
      batch->connect(numbering, pattern, unknown, notes);
      unknown += batch->rows();
    }
  };
  constrain(constraints_, wiring.constraints);
  if (numbering.width == 0) constrain(inner_, wiring.inner);
  notes.shrink_to_fit();
  return wiring;
}

// Calls use(batch) for each, with the notes of its terms at hand.
template <class Batches, class Use>
void System::each(const Batches& batches, std::vector<std::size_t> Wiring::*begin, Assembly& out, const Use& use) const {
  const Wiring* wiring = out.tangent == nullptr || out.wiring != nullptr ? out.wiring : &whole().wiring;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    if (out.tangent != nullptr) out.notes = wiring->notes.data() + (wiring->*begin)[i];
    use(*batches[i]);
  }
}

const std::string& System::unknown_name(int unknown) const {
  static const std::string inner = "the axes of a body";
  if (unknown < equations()) return names_[free_[unknown]];
  return unknown < equations() + multipliers() ? constraint_names_[unknown - equations()] : inner;
}

void System::torque_at(double t, std::vector<Vec3>& torque) const {
  for (Vec3& moment : torque) moment.setZero();
  for (const Torque& given : torques_) torque[given.body][given.axis] += given.value.value(t);
}

// m = sum d_k x f_k with f_k = m/2 x d_k
void System::add_torques(double t, const VecX& q, VecX& load) const {
  for (const Torque& given : torques_) {
    const int d = bodies_[given.body].first + 3;
    const Vec3 half = 0.5 * given.value.value(t) * q.segment<3>(d + 3 * given.axis);
    for (int k = 0; k < 3; ++k) load.segment<3>(d + 3 * k) += half.cross(Vec3(q.segment<3>(d + 3 * k)));
  }
}

void System::write_frames(State& state) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    bodies_[b].write_frame(state.rotations[b], state.q);
    bodies_[b].write_rates(state.rotations[b], state.v);
  }
}

// Of the angular momentum: what a frame whose rates are not quite those of a rigid motion turns with.
Vec3 System::spin(int body, const VecX& v, const Quaternion& orientation) const {
  const RigidBody& b = bodies_[body];
  const Mat3 R = to_matrix(orientation);
  const Eigen::Map<const Mat3> rate(v.data() + b.first + 3);
  const Mat3 weighed = R.transpose() * rate * b.euler();
  Vec3 momentum = Vec3::Zero();
  for (int i = 0; i < 3; ++i) momentum += Vec3::Unit(i).cross(weighed.col(i));
  return b.inertia.inverse() * momentum;
}

void System::read_rotations(State& state) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Eigen::Map<const Mat3> R(state.q.data() + bodies_[b].first + 3);
    state.rotations[b].orientation = to_quaternion(R);
    state.rotations[b].angular_velocity = spin(static_cast<int>(b), state.v, state.rotations[b].orientation);
  }
}

void System::settle(VecX& q) const {
  for (const Memory& m : memories_) q[m.coordinate] = Angle::theta(m.of.gather(q));
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
  for (const auto& batch : field_loads_) batch->at(t, q, load);
}

void System::add_load_tangent(double t, const VecX& q, double factor, Assembly& out) const {
  each(field_loads_, &Wiring::loads, out, [&](const FieldLoads& batch) { batch.add_tangent(t, q, factor, out); });
}

void System::internal_force_at(const VecX& q, const VecX& v, const VecX& multiplier, VecX& force) const {
  force_at(q, force);
  for (const auto& batch : dampers_) batch->at(q, v, force);
  for (const auto& batch : constraints_) batch->at(q, multiplier, force);
  if (multiplier.size() > multipliers())
    for (const auto& batch : inner_) batch->at(q, multiplier, force);
}

void System::gaps(const VecX& q, VecX& gap, VecX& size) const {
  for (const auto& batch : constraints_) batch->gaps(q, gap, size);
  if (gap.size() > multipliers())
    for (const auto& batch : inner_) batch->gaps(q, gap, size);
}

void System::gap_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const {
  for (const auto& batch : constraints_) batch->gap_rates(q, v, rate, size);
  if (rate.size() > multipliers())
    for (const auto& batch : inner_) batch->gap_rates(q, v, rate, size);
}

void System::acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, Assembly& out) const {
  const auto add = [&](const Constraints& batch) { batch.acceleration_rows(q, v, given, rest, out); };
  each(constraints_, &Wiring::constraints, out, add);
  if (rest.size() > multipliers()) each(inner_, &Wiring::inner, out, add);
}

Eigen::SparseMatrix<double> System::jacobian(const VecX& q) const {
  std::vector<Eigen::Triplet<double>> all, free;
  for (const auto& batch : constraints_) batch->jacobian_rows(q, all);
  for (const auto& batch : inner_) batch->jacobian_rows(q, all);
  for (const auto& entry : all)
    if (equation_[entry.col()] >= 0) free.emplace_back(entry.row(), equation_[entry.col()], entry.value());
  Eigen::SparseMatrix<double> rows(multipliers() + inner_multipliers(), equations());
  rows.setFromTriplets(free.begin(), free.end());
  return rows;
}

void System::add_mass(double factor, double* matrix) const {
  const Whole& w = whole();
  for (int e = 0; e < equations(); ++e) matrix[w.diagonal[e]] += factor * mass_[free_[e]];
  for (std::size_t i = 0; i < couplings_.size(); ++i) {
    matrix[w.couplings[i].first] += factor * couplings_[i].mass;
    matrix[w.couplings[i].second] += factor * couplings_[i].mass;
  }
}

void System::add_shared_mass(double factor, Assembly& out) const {
  if (shared_.empty()) return;
  const Wiring& wiring = out.wiring != nullptr ? *out.wiring : whole().wiring;
  out.notes = wiring.notes.data() + wiring.masses;
  for (const SharedMass& m : shared_) {
    Mat<6, 6> mass = Mat<6, 6>::Zero();
    mass.diagonal().setConstant(-factor * m.mass);
    mass.diagonal<3>().setConstant(factor * m.mass);
    mass.diagonal<-3>().setConstant(factor * m.mass);
    const Placement<6> place = m.place();
    Wires<Placement<6>>(place, out).add_square(mass);
  }
}

void System::multiply_mass(const VecX& x, VecX& out) const {
  for (const int c : free_) out[c] = mass_[c] * x[c];
  for (const Coupling& c : couplings_) {
    out[c.a] += c.mass * x[c.b];
    out[c.b] += c.mass * x[c.a];
  }
  add_shared_inertia(x, out);
}

void System::add_shared_inertia(const VecX& x, VecX& out) const {
  for (const SharedMass& m : shared_) {
    const Vec3 part = m.mass * (x.segment<3>(m.b) - x.segment<3>(m.a));
    out.segment<3>(m.a) += part;
    out.segment<3>(m.b) -= part;
  }
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
  for (const Coupling& c : couplings_) sum += c.mass * v[c.a] * v[c.b];
  for (const SharedMass& m : shared_) sum -= 0.5 * m.mass * (v.segment<3>(m.b) - v.segment<3>(m.a)).squaredNorm();
  return sum;
}

double System::free_kinetic(const VecX& v, bool axes) const {
  double sum = 0;
  for (const int c : free_)
    if (axes || body_of_[c] < 0) sum += 0.5 * mass_[c] * v[c] * v[c];
  for (const Coupling& c : couplings_)
    if (axes) sum += c.mass * v[c.a] * v[c.b];
  for (const SharedMass& m : shared_)
    if (axes || body_of_[m.a] < 0) sum -= 0.5 * m.mass * (v.segment<3>(m.b) - v.segment<3>(m.a)).squaredNorm();
  return sum;
}

Momentum System::momentum(const State& state, const Vec3& about) const {
  Momentum sum;
  for (const int first : points_)
    PointKind::add_momentum(mass_[first], state.q.segment<3>(first) - about, state.v.segment<3>(first), sum);
  for (const RigidBody& body : bodies_) body.add_momentum(state.q, state.v, about, sum);
  for (const SharedMass& m : shared_) {
    const Vec3 gap = state.q.segment<3>(m.b) - state.q.segment<3>(m.a),
               rate = state.v.segment<3>(m.b) - state.v.segment<3>(m.a);
    sum.angular -= m.mass * gap.cross(rate);
    sum.angular_scale += m.mass * gap.norm() * rate.norm();
  }
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
  each(batches_, &Wiring::batches, out, [&](const Batch& batch) { batch.between(rule, q0, q1, out); });
}

double System::dissipation(const Rule& rule, const VecX& q0, const VecX& q1) const {
  double sum = 0;
  for (const auto& batch : batches_) sum += batch->dissipation(rule, q0, q1);
  return sum;
}

void System::resist_between(const Rule& rule, const Motion& motion, Assembly& out) const {
  each(dampers_, &Wiring::dampers, out, [&](const Dampers& batch) { batch.between(rule, motion, out); });
}

void System::constrain_between(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const {
  const auto add = [&](const Constraints& batch) { batch.between(rule, q0, q1, multiplier, out); };
  each(constraints_, &Wiring::constraints, out, add);
  if (multiplier.size() > multipliers()) each(inner_, &Wiring::inner, out, add);
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
  if (multiplier.size() > multipliers())
    for (const auto& batch : inner_) sum += batch->dissipation(rule, q0, q1, old_multiplier, multiplier);
  return sum;
}

}  // namespace trompo
