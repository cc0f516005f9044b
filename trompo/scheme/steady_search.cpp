// What is left over of a steady motion, how far something is from a motion about it, and the way to where nothing is left.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "trompo/math/so3.hpp"
#include "trompo/scheme/steady_balance.hpp"

namespace trompo {

namespace {
using Sparse = Eigen::SparseMatrix<double>;
}  // namespace

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
  Pattern pattern(n + m, entries);
  std::vector<int> dependent;
  for (const int row : system_->rows_in_loops()) dependent.push_back(n + row);
  pattern.let_depend(std::move(dependent));
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
