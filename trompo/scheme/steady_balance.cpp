#include "trompo/scheme/steady_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trompo/math/so3.hpp"

namespace trompo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Entry = Eigen::Triplet<double>;
const Rule at_the_end{};  // the force at the place itself

Sparse gathered(int rows, int columns, const std::vector<Entry>& entries) {
  Sparse out(rows, columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

void append(std::vector<Entry>& entries, int row, int column, const Mat3& block, const auto& use) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (block(i, j) != 0) use(entries, row + i, column + j, block(i, j));
}

}  // namespace

SteadyBalance::SteadyBalance(const System& system, const FrameReduction& reduction)
    : system_(&system), reduction_(&reduction), frames_(system, 0) {
  // Masses of frames do not depend on where they are.
  VecX values = VecX::Zero(frames_.pattern().nonzeros());
  Assembly assembly;
  frames_.direct(values.data(), assembly);
  frames_.add_plain_mass(1, assembly);
  std::vector<Entry> entries;
  const int n = system.equations();
  frames_.pattern().each([&](int i, int j, int place) {
    if (i < n && j < n && values[place] != 0) entries.emplace_back(i, j, values[place]);
  });
  for (const RigidBody& body : system.bodies()) {
    const Mat3 E = body.euler();
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l)
        for (int i = 0; i < 3; ++i)
          if (k != l && E(k, l) != 0)
            entries.emplace_back(system.equation()[body.first + 3 + 3 * k + i], system.equation()[body.first + 3 + 3 * l + i],
                                 E(k, l));
  }
  mass_ = gathered(n, n, entries);
}

template <class Use>
void SteadyBalance::each_part(const Use& use) const {
  for (std::size_t b = 0; b < system_->bodies().size(); ++b) {
    const RigidBody& body = system_->bodies()[b];
    for (int k = 1; k <= 3; ++k) use(b, body.first + 3 * k, Vec3(state_.q.segment<3>(body.first + 3 * k)));
    if (body.fixed_point) use(b, body.first, Vec3(state_.q.segment<3>(body.first) - *body.fixed_point));
  }
}

template <class Part>
Sparse SteadyBalance::moves(const Mat3& of_points, bool others, const Part& of_part) const {
  std::vector<Entry> entries;
  const auto unknown = [&](int coordinate) {
    const int e = system_->equation()[coordinate];
    return e < 0 ? -1 : reduction_->of_equation(e);
  };
  const auto point = [&](int first) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (of_points(i, j) != 0 && unknown(first + i) >= 0 && unknown(first + j) >= 0)
          entries.emplace_back(system_->equation()[first + i], unknown(first + j), of_points(i, j));
  };
  for (const int first : system_->nodes()) point(first);
  for (const RigidBody& body : system_->bodies())
    if (!body.fixed_point) point(body.first);
  if (others)
    for (const int c : system_->scalars())
      if (unknown(c) >= 0) entries.emplace_back(system_->equation()[c], unknown(c), 1);
  each_part([&](std::size_t b, int first, const Vec3& d) {
    append(entries, first, reduction_->of_body(static_cast<int>(b)), of_part(b, d),
           [&](std::vector<Entry>& to, int row, int column, double x) {
             if (system_->equation()[row] >= 0) to.emplace_back(system_->equation()[row], column, x);
           });
  });
  return gathered(system_->equations(), reduction_->unknowns() - system_->multipliers(), entries);
}

void SteadyBalance::take(const State& state, const SteadyMotion& motion, const VecX& multipliers, double share) {
  state_ = state;
  multipliers_ = multipliers;
  share_ = share;
  linearise(motion);
}

bool SteadyBalance::take(const State& state, const SteadyMotion& motion, double share) {
  take(state, motion, VecX::Zero(system_->multipliers()), share);
  if (multipliers_.size() == 0) return true;
  VecX right = VecX::Zero(residual_.size() + multipliers_.size());
  right.head(residual_.size()) = -residual_;
  if (!solve_saddle(stiffness_sizes(), false, right)) return false;
  take(state, motion, right.tail(multipliers_.size()), share);
  return true;
}

void SteadyBalance::linearise(const SteadyMotion& given) {
  const System& system = *system_;
  const int n = system.equations(), multipliers = system.multipliers();
  // Rates by the root of the share: their squares are what is in balance with loads.
  SteadyMotion motion = given;
  const double root = std::sqrt(share_);
  motion.turn *= root, motion.velocity *= root;
  for (SteadyMotion::Spin& s : motion.spins) s.rate *= root;
  system.hold(state_.q, state_.v);
  system.prescribe_at(state_.time, state_.q, state_.v);
  motion.write_velocities(system, state_);
  const VecX &q = state_.q, &v = state_.v;

  // --- what acts on coordinates, with its slopes in places and rates ---
  Assembly assembly;
  for (VecX* x : {&assembly.force, &assembly.size}) x->setZero(system.coordinates());
  for (VecX* x : {&assembly.constraint_error, &assembly.constraint_size}) x->setZero(multipliers);
  assembly.gradient_point.setConstant(multipliers, 0.5);
  VecX values = VecX::Zero(frames_.pattern().nonzeros()), load = VecX::Zero(system.coordinates());
  const VecX none = load;
  frames_.direct(values.data(), assembly);
  system.force_between(at_the_end, q, q, none, assembly);
  system.resist_between(at_the_end, {q, q, v, v, 1, 0}, assembly);
  system.constrain_between(at_the_end, q, q, multipliers_, assembly);
  if (system.field_loads()) {
    system.add_load_tangent(state_.time, q, -share_, assembly);
    system.add_rate_load_tangent(q, {v}, {.factor = -share_}, assembly);
  }
  system.load_at(state_.time, q, v, load);
  // Constant forces are in the assembly in full.
  const VecX constant = system.gravity() + system.potential_loads();
  const VecX force = assembly.force + constant - share_ * (load + constant);
  const VecX size = assembly.size + std::abs(share_) * (load.cwiseAbs() + constant.cwiseAbs());
  rest_ = assembly.constraint_error;
  // Beside the largest of them: one that is about the origin has no size of its own.
  constraint_error_ = 0;
  if (multipliers > 0) {
    const double length = system.bodies().empty() ? 1 : system.coordinate_scale(system.bodies().front().first);
    constraint_error_ = rest_.cwiseAbs().maxCoeff() / std::max(assembly.constraint_size.maxCoeff(), std::min(1.0, length));
  }

  std::vector<Entry> places, rows, rates;
  frames_.pattern().each([&](int i, int j, int place) {
    if (values[place] == 0 || j >= n) return;
    if (i < n)
      places.emplace_back(i, j, values[place]);
    else
      rows.emplace_back(i - n, j, values[place]);
  });
  if (system.torques())
    system.each_torque_slope(state_.time, q, [&](int, int row, int column, const Mat3& block) {
      append(places, row, column, block, [&](std::vector<Entry>& to, int i, int j, double x) {
        to.emplace_back(system.equation()[i], system.equation()[j], -share_ * x);
      });
    });
  if (system.dampers() || system.feels_rates()) {
    VecX first = VecX::Zero(values.size()), second = first;
    Assembly slopes = assembly;
    frames_.direct(first.data(), slopes);
    system.resist_between(at_the_end, {q, q, v, v, 1, 0}, slopes);
    frames_.direct(second.data(), slopes);
    system.resist_between(at_the_end, {q, q, v, v, 1, 1}, slopes);
    second -= first;
    frames_.direct(second.data(), slopes);
    system.add_rate_load_tangent(q, {v}, {.factor = 0, .rate_factor = -share_}, slopes);
    frames_.pattern().each([&](int i, int j, int place) {
      if (i < n && j < n && second[place] != 0) rates.emplace_back(i, j, second[place]);
    });
  }
  const Sparse slope = gathered(n, n, places), damper = gathered(n, n, rates), jacobian = gathered(multipliers, n, rows);

  // --- how coordinates, their rates and accelerations go with the unknowns and theirs ---
  const Mat3 W = skew(motion.turn);
  std::vector<Vec3> spin, whole;
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    spin.push_back(motion.spin_of(b, state_.rotations[b].orientation));
    whole.push_back(motion.turn + spin.back());
  }
  // theta x a = -a~ theta
  const Sparse place = moves(Mat3::Identity(), true, [&](std::size_t, const Vec3& d) -> Mat3 { return -skew(d); });
  // d' = w x d with w = W + s + theta' + theta x s: its parts with theta
  const Sparse rate =
      moves(W, false, [&](std::size_t b, const Vec3& d) -> Mat3 { return skew(d) * skew(spin[b]) - skew(whole[b]) * skew(d); });
  // d'' = w' x d + w x (w x d) with w' = W x (theta' + s + theta x s) + theta'' + theta' x s: its parts with theta', then theta
  const Sparse gyroscopic = moves(2 * W, false, [&](std::size_t b, const Vec3& d) -> Mat3 {
    const Mat3 turned = W - skew(spin[b]);  // w' = turned theta'
    return -skew(d) * turned - skew(Vec3(whole[b].cross(d))) - skew(whole[b]) * skew(d);
  });
  const Sparse centrifugal = moves(W * W, false, [&](std::size_t b, const Vec3& d) -> Mat3 {
    const Mat3 w = -skew(spin[b]);  // theta x s
    const Vec3 wd = whole[b].cross(d), at_rest = motion.turn.cross(spin[b]);
    return -skew(d) * (W * w) - skew(at_rest) * skew(d) - skew(wd) * w - skew(whole[b]) * (skew(d) * w) -
           skew(whole[b]) * skew(whole[b]) * skew(d);
  });

  // --- inertia as it stands ---
  VecX acceleration = VecX::Zero(n);
  const auto put = [&](int first, const Vec3& a) {
    for (int i = 0; i < 3; ++i)
      if (const int e = system.equation()[first + i]; e >= 0) acceleration[e] = a[i];
  };
  const auto point = [&](int first) {
    put(first, motion.turn.cross(Vec3(motion.velocity + motion.turn.cross(Vec3(q.segment<3>(first))))));
  };
  for (const int first : system.nodes()) point(first);
  for (const RigidBody& body : system.bodies()) point(body.first);
  each_part([&](std::size_t b, int first, const Vec3& d) {
    put(first, motion.turn.cross(spin[b]).cross(d) + whole[b].cross(whole[b].cross(d)));
  });
  const VecX inertia = mass_ * acceleration;
  VecX left(n), sizes(n);
  for (int e = 0; e < n; ++e) {
    left[e] = force[system.free()[e]] + inertia[e];
    sizes[e] = size[system.free()[e]] + std::abs(inertia[e]);
  }

  // --- brought to the unknowns ---
  const Sparse back = place.transpose();
  pencil_.mass = back * (mass_ * place);
  pencil_.damping = Sparse(back * (damper * place)) + Sparse(back * (mass_ * gyroscopic));
  pencil_.stiffness = Sparse(back * (slope * place)) + Sparse(back * (damper * rate)) + Sparse(back * (mass_ * centrifugal));
  pencil_.jacobian = jacobian * place;
  pencil_.dependent = system.rows_in_loops();
  residual_ = back * left;
  size_ = Sparse(back.cwiseAbs()) * sizes;
  size_.tail(size_.size() - reduction_->of_body(0)).setZero();  // of moments: a force along its lever counts too
  // The moment of a force changes with its lever: (theta x d) x f.
  std::vector<Entry> own;
  each_part([&](std::size_t b, int first, const Vec3& d) {
    Vec3 f = Vec3::Zero();
    for (int i = 0; i < 3; ++i)
      if (const int e = system.equation()[first + i]; e >= 0) f[i] = left[e];
    const int u = reduction_->of_body(static_cast<int>(b));
    for (int i = 0; i < 3; ++i)
      if (const int e = system.equation()[first + i]; e >= 0) size_.segment<3>(u).array() += d.norm() * sizes[e];
    append(own, u, u, d * f.transpose() - f.dot(d) * Mat3::Identity(),
           [](std::vector<Entry>& to, int i, int j, double x) { to.emplace_back(i, j, x); });
  });
  pencil_.stiffness += gathered(static_cast<int>(residual_.size()), static_cast<int>(residual_.size()), own);
}

}  // namespace trompo
