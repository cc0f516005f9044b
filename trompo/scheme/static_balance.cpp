#include "trompo/scheme/static_balance.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "trompo/math/so3.hpp"

namespace trompo {

namespace {
const Rule at_the_end{};  // the force at the place itself: the endpoint average without the old end
}  // namespace

StaticBalance::StaticBalance(const System& system)
    : system_(&system),
      reduction_(system, 3),
      plane_(system, reduction_, PlaneTurns::Axes::space),
      tangent_(reduction_.pattern()),
      rows_(reduction_.unknowns(), system.multipliers(), NewtonOptions{}.tolerance) {
  for (VecX* x : {&assembly_.force, &assembly_.size, &frame_residual_, &load_, &none_}) x->setZero(system.coordinates());
  for (VecX* x : {&multiplier_, &assembly_.constraint_error, &assembly_.constraint_size}) x->setZero(system.multipliers());
  assembly_.gradient_point.setConstant(system.multipliers(), 0.5);
  load_slope_.setZero(reduction_.unknowns());
  torque_.assign(system.bodies().size(), Vec3::Zero());
}

template <class Use>
void StaticBalance::each_part(const Use& use) const {
  for (std::size_t b = 0; b < system_->bodies().size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    for (int k = 1; k <= 3; ++k) use(b, body.first + 3 * k, Vec3(state_.q.segment<3>(body.first + 3 * k)));
    if (body.fixed_point) use(b, body.first, Vec3(state_.q.segment<3>(body.first) - *body.fixed_point));
  }
}

void StaticBalance::take(const State& state, const VecX& multipliers) {
  state_ = state;
  state_.v.setZero();
  for (Rotation& r : state_.rotations) {
    r.angular_velocity.setZero();
    r.parameter_rate.setZero();
  }
  system_->write_frames(state_);
  multiplier_ = multipliers.size() >= multiplier_.size() ? VecX(multipliers.head(multiplier_.size()))
                                                         : VecX(VecX::Zero(multiplier_.size()));
  if (!scaled_) scale_constraints();
}

void StaticBalance::load(double factor, double time) {
  factor_ = factor;
  state_.time = time_ = time;
  system_->prescribe_at(time, state_.q, state_.v);
  state_.v.setZero();
}

// Rows of constraints and columns of multipliers are brought to the size of the stiffness: pivots then mean the same
// everywhere.
void StaticBalance::scale_constraints() {
  scaled_ = true;
  if (system_->multipliers() == 0) return;
  open_tangent();
  system_->force_between(at_the_end, state_.q, state_.q, none_, assembly_);
  double sum = 0;
  for (int u = 0; u < moving(); ++u) sum += std::abs(tangent_.values()[reduction_.pattern().slot(u, u)]);
  const double mean = moving() > 0 ? sum / moving() : 0;
  if (mean > 0 && std::isfinite(mean)) assembly_.constraint_scale = mean;
}

void StaticBalance::open_tangent() {
  each_part([&](std::size_t, int first, const Vec3& d) {
    Eigen::Map<Mat3>(reduction_.lever(first)) = skew(d);
    Eigen::Map<Mat3>(reduction_.slope(first)) = skew(d);
  });
  tangent_.set_zero();
  reduction_.direct(tangent_.values(), assembly_);
}

void StaticBalance::evaluate(bool tangent) {
  assembly_.tangent = nullptr;
  if (tangent) open_tangent();
  const VecX& q = state_.q;
  system_->force_between(at_the_end, q, q, none_, assembly_);
  system_->constrain_between(at_the_end, q, q, multiplier_, assembly_);
  system_->load_at(time_, q, load_);
  system_->rate_loads().at(q, {state_.v}, load_);
  if (tangent && system_->field_loads()) {
    system_->add_load_tangent(time_, q, -factor_, assembly_);
    system_->add_rate_load_tangent(q, {state_.v}, {.factor = -factor_}, assembly_);
  }
  system_->torque_at(time_, torque_);

  // Constant forces are in the assembly in full.
  assembly_.force += system_->gravity() + system_->potential_loads();
  load_ += system_->gravity() + system_->potential_loads();
  frame_residual_ = assembly_.force - factor_ * load_;
  assembly_.size += std::abs(factor_) * load_.cwiseAbs();

  rows_.residual.setZero();
  rows_.size.setZero();
  load_slope_.setZero();
  for (int e = 0; e < system_->equations(); ++e) {
    const int u = reduction_.of_equation(e), c = system_->free()[e];
    if (u < 0) continue;
    rows_.residual[u] = frame_residual_[c];
    rows_.size[u] = assembly_.size[c];
    load_slope_[u] = -load_[c];
  }
  for (std::size_t b = 0; b < torque_.size(); ++b) {
    const int first = reduction_.of_body(static_cast<int>(b));
    const Vec3 torque = to_space(state_.rotations[b].orientation, torque_[b]);
    rows_.residual.segment<3>(first) = -factor_ * torque;
    load_slope_.segment<3>(first) = -torque;
    rows_.size.segment<3>(first).setConstant(std::abs(factor_) * torque.norm());
  }
  each_part([&](std::size_t b, int first, const Vec3& d) {
    const int u = reduction_.of_body(static_cast<int>(b));
    rows_.residual.segment<3>(u) += d.cross(Vec3(frame_residual_.segment<3>(first)));
    load_slope_.segment<3>(u) -= d.cross(Vec3(load_.segment<3>(first)));
    rows_.size.segment<3>(u).array() += d.norm() * assembly_.size.segment<3>(first).sum();
  });
  plane_.hold(rows_.residual);
  plane_.hold(load_slope_);
  const int m = system_->multipliers();
  rows_.residual.tail(m) = assembly_.constraint_scale * assembly_.constraint_error;
  rows_.size.tail(m) = assembly_.constraint_scale * assembly_.constraint_size;
  if (!tangent) return;

  const auto add = [&](std::size_t b, const Mat3& own) { reduction_.add_own(static_cast<int>(b), own, tangent_.values()); };
  each_part([&](std::size_t b, int first, const Vec3& d) {
    const Vec3 f = frame_residual_.segment<3>(first);
    add(b, d * f.transpose() - f.dot(d) * Mat3::Identity());
  });
  for (std::size_t b = 0; b < torque_.size(); ++b)
    add(b, factor_ * skew(to_space(state_.rotations[b].orientation, torque_[b])));
  plane_.hold(tangent_.values());
  if (!reduction_.pattern().dependent().empty()) weigh_loops();
}

// Where joints alone hold a body its own stiffness is small and says nothing: a millionth of the largest stands in.
void StaticBalance::weigh_loops() {
  constexpr double little = 1e-6;
  VecX size = VecX::Ones(reduction_.unknowns());
  size.head(moving()) = little * stiffness_sizes();
  for (int u = 0; u < moving(); ++u) size[u] = std::max(size[u], std::abs(tangent_.values()[reduction_.pattern().slot(u, u)]));
  tangent_.weigh(size);
}

void StaticBalance::move(const VecX& increment) {
  for (int e = 0; e < system_->equations(); ++e)
    if (const int u = reduction_.of_equation(e); u >= 0) state_.q[system_->free()[e]] -= increment[u];
  for (std::size_t b = 0; b < state_.rotations.size(); ++b) {
    Quaternion& o = state_.rotations[b].orientation;
    o = composed(exponential_quaternion(-increment.segment<3>(reduction_.of_body(static_cast<int>(b)))), o).normalized();
    system_->bodies()[b].write_frame(state_.rotations[b], state_.q);
  }
  multiplier_ -= assembly_.constraint_scale * increment.tail(multiplier_.size());
}

bool StaticBalance::guess_multipliers() {
  if (multiplier_.size() == 0) return true;
  multiplier_.setZero();
  evaluate(true);
  LinearSolver least(reduction_.pattern());
  least.set_zero();
  const int n = moving();
  reduction_.pattern().each([&](int row, int column, int place) {
    if ((row < n) != (column < n)) least.values()[place] = tangent_.values()[place];
  });
  const VecX stiffness = stiffness_sizes();
  for (int u = 0; u < n; ++u) least.values()[reduction_.pattern().slot(u, u)] = stiffness[u];
  VecX right = VecX::Zero(reduction_.unknowns());
  right.head(n) = -rows_.residual.head(n);
  if (!least.factorise()) return false;
  least.solve(right);
  if (!right.allFinite()) return false;
  multiplier_ = assembly_.constraint_scale * right.tail(multiplier_.size());
  return true;
}

double StaticBalance::energy_change(const State& from) const {
  const VecX constant = system_->gravity() + system_->potential_loads();
  VecX before = VecX::Zero(constant.size()), now = before;
  for (const auto& [q, load] : {std::pair{&from.q, &before}, std::pair{&state_.q, &now}}) {
    system_->load_at(time_, *q, *load);
    system_->rate_loads().at(*q, {state_.v}, *load);
  }
  return system_->potentials(state_.q).elastic - system_->potentials(from.q).elastic -
         factor_ * (constant + 0.5 * (before + now)).dot(state_.q - from.q);
}

double StaticBalance::largest_error() const {
  double most = 0;
  for (Eigen::Index k = 0; k < assembly_.constraint_error.size(); ++k)
    if (assembly_.constraint_error[k] != 0)
      most = std::max(most, std::abs(assembly_.constraint_error[k]) / assembly_.constraint_size[k]);
  return most;
}

double StaticBalance::unknown_size(int unknown) const {
  if (unknown >= moving()) return std::abs(multiplier_[unknown - moving()]) / assembly_.constraint_scale;
  if (unknown >= reduction_.of_body(0)) return 1;
  const int c = reduction_.coordinate(unknown);
  return std::max(std::abs(state_.q[c]), system_->coordinate_scale(c));
}

Eigen::SparseMatrix<double> StaticBalance::stiffness() const {
  std::vector<Eigen::Triplet<double>> entries;
  reduction_.pattern().each([&](int row, int column, int place) {
    if (row < moving() && column < moving()) entries.emplace_back(row, column, tangent_.values()[place]);
  });
  Eigen::SparseMatrix<double> out(moving(), moving());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Eigen::SparseMatrix<double> StaticBalance::jacobian() const {
  std::vector<Eigen::Triplet<double>> entries;
  reduction_.pattern().each([&](int row, int column, int place) {
    if (row >= moving() && column < moving()) entries.emplace_back(row - moving(), column, tangent_.values()[place]);
  });
  Eigen::SparseMatrix<double> out(system_->multipliers(), moving());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

VecX StaticBalance::mass() const {
  VecX out = VecX::Zero(reduction_.pattern().nonzeros());
  Assembly assembly;
  reduction_.direct(out.data(), assembly);
  reduction_.add_plain_mass(1, assembly);
  reduction_.add_axis_mass(1, out.data());
  plane_.take_out(out.data());
  return out;
}

// Entry by entry, beside the rounding of the largest: next to the stiffness of a thin rod along its axis any moment is small.
bool StaticBalance::symmetric() const {
  const Eigen::SparseMatrix<double> k = stiffness(), flipped = k.transpose();
  VecX scale = VecX::Zero(moving());
  for (int j = 0; j < k.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(k, j); e; ++e)
      scale[e.row()] = std::max(scale[e.row()], (e.row() == e.col() ? 1 : 1e-6) * std::abs(e.value()));
  const double rounding = 1e-14 * (moving() > 0 ? scale.maxCoeff() : 0);
  const Eigen::SparseMatrix<double> odd = k - flipped;
  for (int j = 0; j < odd.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator e(odd, j); e; ++e)
      if (std::abs(e.value()) > rounding + 1e-7 * std::sqrt(scale[e.row()] * scale[e.col()])) return false;
  return true;
}

// K + rho J^T J has as many negative pivots as K has negative eigenvalues where J x = 0, for rho large enough. What is far
// below its diagonal is rounding, and counts as stable.
Eigen::SparseMatrix<double> StaticBalance::penalised_stiffness() const {
  const Eigen::SparseMatrix<double> k = stiffness(), j = jacobian(), flipped = k.transpose();
  constexpr double rho = 1e4, rounding = 1e-12;
  Eigen::SparseMatrix<double> all =
      0.5 * (k + flipped) + (rho / assembly_.constraint_scale) * Eigen::SparseMatrix<double>(j.transpose() * j);
  for (int u = 0; u < moving(); ++u) {
    double& pivot = all.coeffRef(u, u);
    pivot = pivot != 0 ? pivot + rounding * std::abs(pivot) : 1;
  }
  return all;
}

int StaticBalance::unstable_directions() const {
  if (!symmetric()) return -1;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(penalised_stiffness());
  if (factors.info() != Eigen::Success) return -1;
  return static_cast<int>((factors.vectorD().array() < 0).count());
}

// With A = L D L^T and L^T x = e_k, x^T A x is the pivot D_k.
VecX StaticBalance::unstable_motion() const {
  if (!symmetric()) return {};
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors(penalised_stiffness());
  Eigen::Index least = 0;
  if (factors.info() != Eigen::Success || moving() == 0 || factors.vectorD().minCoeff(&least) >= 0) return {};
  VecX x = VecX::Unit(moving(), least);
  factors.matrixU().solveInPlace(x);
  VecX out = VecX::Zero(reduction_.unknowns());
  out.head(moving()) = factors.permutationPinv() * x;
  return out;
}

VecX StaticBalance::stiffness_sizes() const {
  VecX out = VecX::Ones(moving());
  const int turns = reduction_.of_body(0);
  const auto fill = [&](int from, int to) {
    double most = 0;
    for (int u = from; u < to; ++u) most = std::max(most, std::abs(tangent_.values()[reduction_.pattern().slot(u, u)]));
    if (most > 0) out.segment(from, to - from).setConstant(most);
  };
  fill(0, turns);
  fill(turns, moving());
  return out;
}

std::string StaticBalance::dominant_motion(const VecX& motion) const {
  static constexpr const char* along[] = {" along x", " along y", " along z"};
  static constexpr const char* about[] = {" about x", " about y", " about z"};
  struct Mover {
    std::string name;
    double size;
  };
  std::vector<Mover> movers;
  const auto largest = [](const Vec3& x) {
    int i = 0;
    x.cwiseAbs().maxCoeff(&i);
    return i;
  };
  const auto displacement = [&](int first) {
    Vec3 x = Vec3::Zero();
    for (int i = 0; i < 3; ++i)
      if (const int e = system_->equation()[first + i]; e >= 0 && reduction_.of_equation(e) >= 0)
        x[i] = motion[reduction_.of_equation(e)];
    return x;
  };
  struct Body {
    Vec3 shift, turn;
  };
  std::vector<Body> bodies;
  double most_shift = 0, most_turn = 0, length = 1;
  for (std::size_t b = 0; b < system_->bodies().size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    const Vec3 turn = motion.segment<3>(reduction_.of_body(static_cast<int>(b)));
    Vec3 x = displacement(body.first);
    if (body.fixed_point) x = turn.cross(Vec3(state_.q.segment<3>(body.first) - *body.fixed_point));
    length = system_->coordinate_scale(body.first);
    bodies.push_back({x, turn});
    most_shift = std::max(most_shift, x.norm());
    most_turn = std::max(most_turn, turn.norm());
  }
  for (const int first : system_->nodes()) most_shift = std::max(most_shift, displacement(first).norm());
  // Turns count where nothing else moves.
  const bool turns = most_shift < 0.05 * length * most_turn;
  std::vector<bool> named(static_cast<std::size_t>(system_->coordinates()), false);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Vec3& x = turns ? bodies[b].turn : bodies[b].shift;
    movers.push_back({system_->body_name(static_cast<int>(b)) + (turns ? about : along)[largest(x)], x.norm()});
    const int first = system_->bodies()[b].first;
    for (int i = 0; i < RigidBody::coordinates; ++i) named[static_cast<std::size_t>(first + i)] = true;
  }
  for (const int first : system_->nodes()) {
    const Vec3 x = displacement(first);
    std::string name = system_->coordinate_name(first);
    name.resize(name.rfind('.'));
    if (!turns) movers.push_back({name + along[largest(x)], x.norm()});
    for (int i = 0; i < 3; ++i) named[static_cast<std::size_t>(first + i)] = true;
  }
  for (int e = 0; e < system_->equations(); ++e) {
    const int c = system_->free()[e];
    if (!named[static_cast<std::size_t>(c)] && reduction_.of_equation(e) >= 0)
      movers.push_back({system_->coordinate_name(c), std::abs(motion[reduction_.of_equation(e)])});
  }
  std::stable_sort(movers.begin(), movers.end(), [](const Mover& a, const Mover& b) { return a.size > b.size * (1 + 1e-6); });
  if (movers.empty() || movers.front().size == 0) return "nothing";
  std::string text = movers.front().name;
  const auto with =
      std::count_if(movers.begin() + 1, movers.end(), [&](const Mover& m) { return m.size > 0.5 * movers.front().size; });
  for (std::ptrdiff_t i = 1; i <= std::min<std::ptrdiff_t>(with, 2); ++i)
    text += (i == 1 ? ", with " : with == 2 ? " and " : ", ") + movers[static_cast<std::size_t>(i)].name;
  if (with > 2) text += " and " + std::to_string(with - 2) + " more";
  return text;
}

}  // namespace trompo
