#include "trompo/system/system.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/math/so3.hpp"
#include "trompo/measure/angle.hpp"
#include "trompo/measure/coordinate.hpp"

namespace trompo {

System::System() = default;
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

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
  body_names_.push_back(name);
  bodies_.push_back(std::move(body));
}

// Half of m x d_k on each axis: sum d_k x (m x d_k) = 2 m.
void System::add_moment(int body, int axis, TimeFunction moment, double share) {
  const auto push = [&](int on, int of, double by) {
    const Where where = Where::at({of});
    terms_of(moment_loads_, CoordinateMeasure{}, where).add(CoordinateMeasure{}, where, on, by, moment);
  };
  for (int k = 3; k <= 9; k += 3) {
    const int first = bodies_[static_cast<std::size_t>(body)].first + k, next = first + (axis + 1) % 3,
              last = first + (axis + 2) % 3;
    push(next, last, -0.5 * share);
    push(last, next, 0.5 * share);
  }
  moments_.push_back({body, axis, std::move(moment), share});
}

int System::add_memory(const std::string& name) {
  const int coordinate = add_scalar(name, 0);
  prescribe(coordinate, TimeFunction(0));
  return coordinate;
}

// A point of the ground that moves as prescribed.
int System::add_anchor(const std::string& name, const Vec3& place, const Motions& motion) {
  const int first = add_point(name, 0);
  for (int i = 0; i < 3; ++i) prescribe(first + i, motion[i].value_or(TimeFunction(place[i])));
  anchors_.push_back({name, first});
  return first;
}

void System::add_torque(int body, int axis, TimeFunction torque, double share) {
  torques_.push_back({body, axis, std::move(torque), share});
}

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

  constraint_names_.clear();
  for (const ConstraintTerms& terms : constraints_)
    constraint_names_.insert(constraint_names_.end(), terms.names().begin(), terms.names().end());
  int row = 0;
  for (ConstraintTerms& terms : constraints_) {
    terms.number(row);
    row += terms.rows();
  }
  rows_in_loops_.clear();
  for (const Joint& joint : joints_)
    if (joint.in_loop)
      for (const auto& [terms, term] : joint.rows) rows_in_loops_.push_back(terms->first() + term);
}

int System::freedoms() const {
  const auto plain = std::count_if(free_.begin(), free_.end(), [this](int c) { return body_of_[c] < 0; });
  std::ptrdiff_t turns = 0;  // about three axes, or about the normal of a plane
  for (const RigidBody& b : bodies_) {
    const auto first = equation_.begin() + b.first + 3;
    turns += std::count_if(first, first + 9, [](int e) { return e < 0; }) > 0 ? 1 : 3;
  }
  return static_cast<int>(plain + turns);
}

Entries System::couple(const Numbering& numbering) const {
  Entries entries;
  for (const ElasticTerms& all : elastic_) all.terms().couple(numbering, entries);
  for (const ViscousTerms& all : viscous_) all.terms().couple(numbering, entries);
  for (const auto* loads : {&place_loads_, &moment_loads_})
    for (const LoadTerms& all : *loads) all.couple(numbering, entries);
  rate_loads_.couple(numbering, entries);
  for (int t = 0; t < shared_places_.count(); ++t) LocalUnknowns(shared_places_, t, numbering).couple_square(entries);
  for (const OwnMass& m : own_masses_) LocalUnknowns(m.places, 0, numbering).couple_square(entries);
  int unknown = numbering.multiplier;
  for (const ConstraintTerms& all : constraints_) {
    all.couple(numbering, unknown, entries);
    unknown += all.rows();
  }
  return entries;
}

ScatterMap System::connect(const Numbering& numbering, const Pattern& pattern) const {
  ScatterMap map;
  std::vector<int>& indices = map.indices;
  for (const ElasticTerms& all : elastic_) {
    map.elastic.push_back(indices.size());
    all.terms().connect(numbering, pattern, indices);
  }
  for (const ViscousTerms& all : viscous_) {
    map.viscous.push_back(indices.size());
    all.terms().connect(numbering, pattern, indices);
  }
  for (const LoadTerms& all : place_loads_) {
    map.loads.push_back(indices.size());
    all.connect(numbering, pattern, indices);
  }
  for (const LoadTerms& all : moment_loads_) {
    map.moments.push_back(indices.size());
    all.connect(numbering, pattern, indices);
  }
  map.rates = indices.size();
  rate_loads_.connect(numbering, pattern, indices);
  map.masses = indices.size();
  const auto connect_mass = [&](const Places& places, int t) {
    const LocalUnknowns local(places, t, numbering);
    local.write(indices);
    local.connect_square(pattern, indices);
  };
  for (int t = 0; t < shared_places_.count(); ++t) connect_mass(shared_places_, t);
  for (const OwnMass& m : own_masses_) connect_mass(m.places, 0);
  int unknown = numbering.multiplier;
  for (const ConstraintTerms& all : constraints_) {
    map.constraints.push_back(indices.size());
    all.connect(numbering, pattern, unknown, indices);
    unknown += all.rows();
  }
  indices.shrink_to_fit();
  return map;
}

void System::torque_at(double t, std::vector<Vec3>& torque) const {
  for (Vec3& moment : torque) moment.setZero();
  for (const Torque& given : torques_) torque[given.body][given.axis] += given.share * given.value.value(t);
}

void System::moment_at(double t, std::vector<Vec3>& moment) const {
  for (Vec3& sum : moment) sum.setZero();
  for (const Torque& given : moments_) moment[given.body][given.axis] += given.share * given.value.value(t);
}

// m = sum d_k x f_k with f_k = m/2 x d_k
void System::add_torques(double t, const VecX& q, VecX& load) const {
  for (const Torque& given : torques_) {
    const int d = bodies_[given.body].first + 3;
    const Vec3 half = 0.5 * given.share * given.value.value(t) * q.segment<3>(d + 3 * given.axis);
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

void System::settle(VecX& q) const {
  Vec<Angle::coordinates> c;
  for (std::size_t k = 0; k < memories_.size(); ++k) {
    remembered_.gather(static_cast<int>(k), q, c.data());
    q[memories_[k]] = Angle::theta(c);
  }
}

void System::hold(VecX& q, VecX& v) const {
  for (const Function& motion : held_) {
    q[motion.coordinate] = motion.value.value(0);
    v[motion.coordinate] = 0;
  }
}

void System::stop(VecX& v) const {
  for (const Function& motion : held_) v[motion.coordinate] = 0;
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
  for (const OwnMass& m : own_masses_)
    for (std::size_t i = 0; i < m.at.size(); ++i)
      for (std::size_t j = 0; j < m.at.size(); ++j)
        out[m.at[i]] += m.coupling(static_cast<int>(i), static_cast<int>(j)) * x[m.at[j]];
}

Potentials System::potentials(const VecX& q) const {
  Potentials p;
  for (const ElasticTerms& all : elastic_) p.elastic += all.energy(q);
  p.gravity = -gravity_.dot(q);
  p.loads = -dead_.dot(q);
  return p;
}

double System::own_kinetic(const VecX& v) const {
  double sum = 0;
  for (const OwnMass& m : own_masses_)
    for (std::size_t i = 0; i < m.at.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) sum += m.coupling(static_cast<int>(i), static_cast<int>(j)) * v[m.at[i]] * v[m.at[j]];
  return sum;
}

double System::kinetic(const VecX& v) const {
  double sum = 0;
  for (int c = 0; c < coordinates(); ++c) sum += mass_[c] * v[c] * v[c];
  sum *= 0.5;
  for (const Coupling& c : couplings_) sum += c.mass * v[c.a] * v[c.b];
  for (const SharedMass& m : shared_) sum -= 0.5 * m.mass * (v.segment<3>(m.b) - v.segment<3>(m.a)).squaredNorm();
  return sum + own_kinetic(v);
}

double System::kinetic(const VecX& q, const VecX& v) const {
  double sum = kinetic(v);
  if (formulation_ == Formulation::euler_parameters)
    for (const RigidBody& body : bodies_) sum -= body.swelling(q, v);
  return sum;
}

double System::body_kinetic(int body, const VecX& q, const VecX& v) const {
  const RigidBody& b = bodies_[static_cast<std::size_t>(body)];
  return formulation_ == Formulation::euler_parameters ? b.kinetic(v) - b.swelling(q, v) : b.kinetic(v);
}

double System::free_kinetic(const VecX& v, bool axes) const {
  double sum = 0;
  for (const int c : free_)
    if (axes || body_of_[c] < 0) sum += 0.5 * mass_[c] * v[c] * v[c];
  for (const Coupling& c : couplings_)
    if (axes) sum += c.mass * v[c.a] * v[c.b];
  for (const SharedMass& m : shared_)
    if (axes || body_of_[m.a] < 0) sum -= 0.5 * m.mass * (v.segment<3>(m.b) - v.segment<3>(m.a)).squaredNorm();
  return sum + own_kinetic(v);
}

Momentum System::momentum(const State& state, const Vec3& about) const {
  Momentum sum;
  for (const int first : points_)
    PointKind::add_momentum(mass_[first], state.q.segment<3>(first) - about, state.v.segment<3>(first), sum);
  for (const RigidBody& body : bodies_) body.add_momentum(state.q, state.v, about, sum);
  for (const SharedMass& m : shared_) {
    const Vec3 chord = state.q.segment<3>(m.b) - state.q.segment<3>(m.a),
               rate = state.v.segment<3>(m.b) - state.v.segment<3>(m.a);
    sum.angular -= m.mass * chord.cross(rate);
    sum.angular_scale += m.mass * chord.norm() * rate.norm();
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
    if (held) continue;  // a support along this axis absorbs the momentum
    const double mean = sum / static_cast<double>(points_.size() + bodies_.size());
    for (const int first : points_) increment[first + axis] -= mean;
    for (const RigidBody& body : bodies_) increment[body.first + axis] -= mean;
  }
}

double System::dissipation(const Rule& rule, const VecX& q0, const VecX& q1) const {
  double sum = 0;
  for (const ElasticTerms& all : elastic_) sum += all.dissipation(rule, q0, q1);
  return sum;
}

Heat System::heat(const Rule& rule, const Motion& motion) const {
  Heat sum;
  for (const ViscousTerms& all : viscous_) {
    const Heat part = all.heat(rule, motion);
    sum.heat += part.heat;
    sum.numerical += part.numerical;
  }
  return sum;
}

double System::constraint_dissipation(const Rule& rule, const VecX& q0, const VecX& q1, const VecX& old_multiplier,
                                      const VecX& multiplier) const {
  double sum = 0;
  for (const ConstraintTerms& all : constraints_) sum += all.dissipation(rule, q0, q1, old_multiplier, multiplier);
  return sum;
}

}  // namespace trompo
