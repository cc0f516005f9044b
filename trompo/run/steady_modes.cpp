#include "trompo/run/steady_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trompo/math/so3.hpp"
#include "trompo/run/mode_shape.hpp"
#include "trompo/run/modes_scope.hpp"
#include "trompo/scheme/steady_balance.hpp"

namespace trompo {

namespace {

void take_motions(ModesResult& result, const Model& model, const StaticBalance& balance,
                  const std::vector<ComplexMotion>& motions, const Vec3& axis) {
  result.complex = true;
  for (const ComplexMotion& motion : motions) {
    if (!std::isfinite(std::abs(motion.exponent))) throw not_finite_stiffness(model);
    result.modes.push_back(mode_of(balance, motion));
    result.modes.back().whirl = whirl_of(balance.system(), result.modes.back(), axis);
  }
  std::stable_sort(result.modes.begin(), result.modes.end(), [](const Mode& a, const Mode& b) {
    return a.growth > b.growth && a.growth > 0;  // the others stay as they are, by |exponent|
  });
}

bool finite(const QuadraticPencil& pencil) {
  for (const auto* a : {&pencil.mass, &pencil.damping, &pencil.stiffness, &pencil.jacobian})
    for (int j = 0; j < a->outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator e(*a, j); e; ++e)
        if (!std::isfinite(e.value())) return false;
  return true;
}

// The unknowns of a motion as the frame has turned them.
Eigen::VectorXcd turned(const StaticBalance& balance, const Eigen::VectorXcd& x, const Mat3& R) {
  const System& system = balance.system();
  const FrameReduction& reduction = balance.reduction();
  Eigen::VectorXcd out = x;
  const auto unknown = [&](int c) {
    const int e = system.equation()[c];
    return e < 0 ? -1 : reduction.of_equation(e);
  };
  const auto point = [&](int first) {
    for (int i = 0; i < 3; ++i) {
      if (unknown(first + i) < 0) continue;
      std::complex<double> sum = 0;
      for (int j = 0; j < 3; ++j)
        if (unknown(first + j) >= 0) sum += R(i, j) * x[unknown(first + j)];
      out[unknown(first + i)] = sum;
    }
  };
  for (const int first : system.nodes()) point(first);
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    point(system.bodies()[b].first);
    const int u = reduction.of_body(static_cast<int>(b));
    out.segment<3>(u) = R * x.segment<3>(u);
  }
  return out;
}

// Are these motions later on, when frame and spins have turned, what they are now? Else the matrices change in time, and so do
// the motions.
bool stay(const StaticBalance& balance, const SteadyBalance& now, const SteadyMotion& steady,
          const std::vector<ComplexMotion>& motions) {
  constexpr double same = 1e-5, balanced = 1e-6;
  std::vector<double> rates{steady.fastest()};
  if (steady.frame_turns()) rates.push_back(steady.turn.norm());
  for (const SteadyMotion::Spin& s : steady.spins) rates.push_back(std::abs(s.rate));
  std::sort(rates.begin(), rates.end());
  rates.erase(std::unique(rates.begin(), rates.end(), [](double a, double b) { return b - a <= 1e-3 * b; }), rates.end());
  for (const double rate : rates)
    for (const double angle : {0.7, 1.9}) {
      if (rate < 1e-4 * steady.fastest()) continue;
      const double t = angle / rate;
      SteadyBalance later(balance.system(), balance.reduction());
      int where = 0;
      if (!later.take(steady.at(balance.system(), now.state(), t), steady)) return false;
      if (later.constraint_error() > balanced || later.imbalance(where) > balanced) return false;
      const Mat3 R = to_matrix(exponential_quaternion(t * steady.turn));
      for (const ComplexMotion& m : motions) {
        const double before = now.defect(m.exponent, m.shape, steady.fastest());
        if (later.defect(m.exponent, turned(balance, m.shape, R), steady.fastest()) > std::max(same, 10 * before)) return false;
      }
    }
  return true;
}

// Forces and inertia in balance: at once, else as loads and the squares of rates grow from nothing.
bool find_balance(SteadyBalance& balance, const State& given, const SteadyMotion& motion) {
  if (balance.take(given, motion) && balance.settle(motion, 1)) return true;
  constexpr int most = 40;
  if (!balance.take(given, motion, 0) || !balance.settle(motion, 0)) return false;
  State reached = balance.state();
  VecX multipliers = balance.multipliers();
  double share = 0, step = 0.25;
  for (int i = 0; i < most && share < 1; ++i) {
    const double next = std::min(1.0, share + step);
    balance.take(reached, motion, multipliers, next);
    if (!balance.settle(motion, next)) {
      step /= 2;
      continue;
    }
    reached = balance.state(), multipliers = balance.multipliers();
    share = next, step *= 1.5;
  }
  return share == 1;
}

}  // namespace

ModelError not_finite_stiffness(const Model& model) {
  return ModelError({{Diagnostic::Severity::error, model.file, model.source.line,
                      "a stiffness here, or its ratio to a mass, is not finite", "check sizes and formulas; units are SI"}});
}

std::optional<NotSteady> find_steady_modes(ModesResult& result, const Model& model, StaticBalance& balance, const State& given,
                                           int count, About about) {
  const System& system = balance.system();
  const std::string at_rest = "for the modes at rest set velocities and motions to zero; `trompo run` shows how it moves";
  std::string why;
  const std::vector<SteadyMotion> candidates = steady_motions(system, given, why);
  std::string remedy = at_rest;
  if (!candidates.empty()) why.clear();
  for (const SteadyMotion& steady : candidates) {
    SteadyBalance moving(system, balance.reduction());
    int where = 0;
    constexpr double balanced = 1e-6;
    if (about == About::equilibrium) {
      if (!find_balance(moving, given, steady)) {
        if (why.empty()) why = "no place was found where forces and inertia balance";
        continue;
      }
    } else if (!moving.take(given, steady)) {
      if (why.empty()) why = "the constraints do not determine their forces there";
      continue;
    } else if (const double left = moving.imbalance(where); left > balanced) {
      if (why.empty()) {
        why = fmt::format("the motion is not steady, forces and inertia differ by {:.3g} of their size at {}", left,
                          balance.reduction().name(where));
        remedy = "`--about equilibrium` goes where they balance, if they can; " + at_rest;
      }
      continue;
    }
    if (!finite(moving.pencil())) throw not_finite_stiffness(model);
    const std::vector<ComplexMotion> motions = lowest_motions(moving.pencil(), count);
    if (!stay(balance, moving, steady, motions)) {
      why = "the equations of its vibrations change as it turns";
      remedy = at_rest;
      continue;
    }
    result.remarks.clear();  // of the model at rest
    balance.take(moving.state(), moving.multipliers());
    Vec3 axis = steady.turn;
    for (std::size_t b = 0; b < steady.spins.size(); ++b) {
      const Vec3 whole = steady.turn + steady.spin_of(b, given.rotations[b].orientation);
      if (whole.norm() > axis.norm()) axis = whole;
    }
    // Seen from a frame that turns, forward and backward mean something else.
    take_motions(result, model, balance, motions, steady.frame_turns() ? Vec3(Vec3::Zero()) : Vec3(axis.normalized()));
    result.state = moving.state();
    result.spin = axis.norm();
    result.frame_turns = steady.frame_turns();
    result.remarks.push_back(
        steady.frame_turns()
            ? fmt::format("about a steady motion, as seen from axes that turn with it at {:.6g} rad/s", steady.turn.norm())
            : fmt::format("about a steady motion with spin up to {:.6g} rad/s, as seen from axes that do not turn",
                          axis.norm()));
    return {};
  }
  return NotSteady{why, remedy};
}

// The part of the rest path that is complex: with dampers that do something.
bool find_damped_modes(ModesResult& result, const Model& model, const StaticBalance& balance, int count) {
  if (!balance.system().dampers() && !balance.system().feels_rates()) return false;
  SteadyMotion rest;
  rest.spins.resize(balance.system().bodies().size());
  SteadyBalance damped(balance.system(), balance.reduction());
  damped.take(balance.state(), rest, balance.multipliers());
  if (!finite(damped.pencil())) throw not_finite_stiffness(model);
  if (damped.pencil().damping.norm() == 0) return false;
  take_motions(result, model, balance, lowest_motions(damped.pencil(), count), Vec3::Zero());
  return true;
}

}  // namespace trompo
