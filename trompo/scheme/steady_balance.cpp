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

// [A J^T; J 0] x = b with A the diagonal, and the stiffness if it is wanted. Rows of constraints are brought to the size of the
// stiffness.
bool SteadyBalance::solve_saddle(const VecX& diagonal, bool with_stiffness, VecX& right) const {
  const int n = static_cast<int>(residual_.size()), m = static_cast<int>(multipliers_.size());
  std::vector<std::pair<int, int>> entries;
  const auto each = [](const Sparse& a, const auto& use) {
    for (int j = 0; j < a.outerSize(); ++j)
      for (Sparse::InnerIterator e(a, j); e; ++e) use(static_cast<int>(e.row()), static_cast<int>(e.col()), e.value());
  };
  if (with_stiffness) each(pencil_.stiffness, [&](int i, int j, double) { entries.emplace_back(i, j); });
  each(pencil_.jacobian, [&](int i, int j, double) { entries.insert(entries.end(), {{n + i, j}, {j, n + i}}); });
  const Pattern pattern(n + m, entries);
  LinearSolver solver(pattern);
  solver.set_zero();
  const double scale = n > 0 ? stiffness_sizes().mean() : 1;
  for (int u = 0; u < n; ++u) solver.values()[pattern.slot(u, u)] = diagonal[u];
  if (with_stiffness) each(pencil_.stiffness, [&](int i, int j, double x) { solver.values()[pattern.slot(i, j)] += x; });
  each(pencil_.jacobian, [&](int i, int j, double x) {
    solver.values()[pattern.slot(n + i, j)] += scale * x;
    solver.values()[pattern.slot(j, n + i)] += scale * x;
  });
  if (!solver.factorise()) return false;
  right.tail(m) *= scale;
  solver.solve(right);
  right.tail(m) *= scale;
  return right.allFinite();
}

// Of displacements and of turns; at least what inertia has of stiffness.
VecX SteadyBalance::stiffness_sizes() const {
  VecX out = VecX::Ones(residual_.size());
  const int turns = reduction_->of_body(0), all = static_cast<int>(out.size());
  const auto fill = [&](int from, int to) {
    double most = 0, mass = 0;
    for (int u = from; u < to; ++u) {
      most = std::max(most, std::abs(pencil_.stiffness.coeff(u, u)));
      mass = std::max(mass, std::abs(pencil_.mass.coeff(u, u)));
    }
    if (most == 0) most = mass;
    if (most > 0) out.segment(from, to - from).setConstant(most);
  };
  fill(0, turns);
  fill(turns, all);
  return out;
}

double SteadyBalance::imbalance(int& unknown) const {
  const int turns = reduction_->of_body(0), all = static_cast<int>(residual_.size());
  // What an unknown's rounding does to a stiff part is no imbalance; nor are moments where nothing but forces acts, at the
  // length of the model.
  constexpr double rounding = 1e-8;
  const double length = turns < all ? system_->coordinate_scale(system_->bodies().front().first) : 1;
  const VecX stiffness = stiffness_sizes();
  const double force = turns > 0 ? std::max(size_.head(turns).maxCoeff(), rounding * length * stiffness[0]) : 0;
  const double moment =
      turns < all ? std::max({size_.tail(all - turns).maxCoeff(), length * force, rounding * stiffness[turns]}) : 0;
  double worst = 0;
  for (int u = 0; u < all; ++u) {
    const double r = std::abs(residual_[u]), size = u < turns ? force : moment;
    if (r > 0 && !(r <= worst * size)) worst = r / size, unknown = u;
  }
  return worst;
}

double SteadyBalance::defect(std::complex<double> s, const Eigen::VectorXcd& x, double fastest) const {
  constexpr double rounding = 1e-8;  // of the stiffness alone, beside what the inertia may have
  const Eigen::Index n = residual_.size();
  const VecX sizes = stiffness_sizes();
  const auto length = [&](const VecX& f) { return std::sqrt(f.cwiseProduct(f).cwiseQuotient(sizes).sum()); };
  const Eigen::VectorXcd force = s * s * (pencil_.mass * x) + s * (pencil_.damping * x) + pencil_.stiffness * x;
  const VecX amplitude = x.cwiseAbs();
  const double reach = std::abs(s) + fastest;
  const double known = length(reach * reach * (Sparse(pencil_.mass.cwiseAbs()) * amplitude)) +
                       rounding * length(Sparse(pencil_.stiffness.cwiseAbs()) * amplitude);
  double left = 0;
  for (const VecX& part : {VecX(force.real()), VecX(force.imag())}) {
    // Less what constraints carry: S y, with J y = 0.
    VecX right = VecX::Zero(n + multipliers_.size());
    right.head(n) = part;
    if (!solve_saddle(sizes, false, right)) return std::numeric_limits<double>::infinity();
    left = std::hypot(left, length(sizes.cwiseProduct(right.head(n))));
  }
  const Eigen::VectorXcd opened = pencil_.jacobian * x;
  const VecX open_size = Sparse(pencil_.jacobian.cwiseAbs()) * amplitude;
  double open = 0;
  if (open_size.size() > 0 && open_size.maxCoeff() > 0) open = opened.cwiseAbs().maxCoeff() / open_size.maxCoeff();
  return std::max(known > 0 ? left / known : 0.0, open);
}

bool SteadyBalance::settle(const SteadyMotion& motion, double share) {
  constexpr int most = 60;
  constexpr double closed = 1e-11, balanced = 1e-8, regular = 1e-11;
  const int n = static_cast<int>(residual_.size());
  take(state_, motion, multipliers_, share);
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < most; ++i) {
    VecX right(n + multipliers_.size());
    right << residual_, rest_;
    // What nothing resists, such as the turn of a rotor about its axis, is held by next to nothing.
    if (!solve_saddle(regular * stiffness_sizes(), true, right)) return false;
    double step = 0;
    State moved = state_;
    for (int e = 0; e < system_->equations(); ++e)
      if (const int u = reduction_->of_equation(e); u >= 0) {
        moved.q[system_->free()[e]] -= right[u];
        step = std::max(step, std::abs(right[u]) / system_->coordinate_scale(system_->free()[e]));
      }
    for (std::size_t b = 0; b < moved.rotations.size(); ++b) {
      const Vec3 turn = -right.segment<3>(reduction_->of_body(static_cast<int>(b)));
      step = std::max(step, turn.norm());
      moved.rotations[b].orientation = composed(exponential_quaternion(turn), moved.rotations[b].orientation).normalized();
    }
    if (!(step < 2)) return false;
    system_->write_frames(moved);
    take(moved, motion, multipliers_ - right.tail(multipliers_.size()), share);
    int where = 0;
    if (step <= closed && imbalance(where) <= balanced && constraint_error_ <= balanced) return true;
    if (i > 20 && step > 0.5 * before)
      return step <= 1e3 * closed && imbalance(where) <= balanced && constraint_error_ <= balanced;
    before = step;
  }
  return false;
}

}  // namespace trompo
