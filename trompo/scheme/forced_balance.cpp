#include "trompo/scheme/forced_balance.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/model/source.hpp"
#include "trompo/scheme/verdict.hpp"

namespace trompo {

namespace {

// Does nothing work along an axis, or about it? Asked of internal forces at a place of no symmetry.
struct Resultant {
  Resultant(const System& system, const Vec3& centre) {
    VecX q = VecX::Zero(system.coordinates()), v = q, force = q;
    for (int c = 0; c < system.coordinates(); ++c) q[c] = system.coordinate_scale(c) * std::sin(1.0 + 2.3 * c);
    system.hold(q, v);
    system.force_at(q, force);
    force += system.gravity() + system.potential_loads();
    for (const int first : system.nodes()) {
      const Vec3 f = force.segment<3>(first), x = q.segment<3>(first) - centre;
      along += f;
      about += x.cross(f);
      size += f.norm();
      moment += x.norm() * f.norm();
    }
  }
  [[nodiscard]] bool known() const { return std::isfinite(size + moment); }
  [[nodiscard]] bool free_along(int axis) const { return std::abs(along[axis]) <= 1e-9 * size; }
  [[nodiscard]] bool free_about(int axis) const { return std::abs(about[axis]) <= 1e-9 * moment; }
  Vec3 along = Vec3::Zero(), about = Vec3::Zero();
  double size = 0, moment = 0;
};

std::string no_form_for(const System& system) {
  if (!system.bodies().empty()) return "it has no form for bodies";
  if (system.multipliers() > 0) return "it has no form for constraints, which have multipliers of their own";
  if (system.moves_as_given())
    return "a support moves or a formula knows time, and the energy it forces knows no work but that of loads";
  if (system.field_loads()) return "its loads depend on places or velocities, and the work it forces knows loads of time alone";
  if (system.without_energy() != nullptr)
    return "own force " + in_quotes(*system.without_energy()) + " has no energy that it could keep";
  for (const ElasticTerms& terms : system.elastic())
    if (terms.fits(tension_only_law)) return "its cables go slack, where the energy has no curvature";
  return {};
}

bool pushed(const System& system) {
  VecX load = VecX::Zero(system.coordinates()), q = load;
  bool found = system.dampers() || !system.potential_loads().isZero(0);
  for (const double t : {0.0, 0.1, 0.7, 1.3, 11.9}) {  // loads of time
    system.load_at(t, q, load);
    found = found || !load.isZero(0);
  }
  return found;
}

}  // namespace

ForcedPlan forced_plan(const System& system, const ForcedRows& wanted) {
  using Kind = ForcedProblem::Row::Kind;
  ForcedPlan plan;
  plan.rows.push_back({Kind::energy});
  plan.refusal = no_form_for(system);
  if (!plan.refusal.empty()) return plan;
  std::vector<int> supports;  // points that are held altogether
  std::array<bool, 3> held{}, absent{true, true, true};
  Vec3 gravity = Vec3::Zero();
  for (const int first : system.nodes()) {
    int count = 0;
    for (int i = 0; i < 3; ++i) {
      const bool fixed = system.equation()[first + i] < 0;
      const auto axis = static_cast<std::size_t>(i);
      held[axis] = held[axis] || fixed;
      absent[axis] = absent[axis] && fixed;
      count += fixed;
    }
    if (count == 3) supports.push_back(first);
    if (system.mass()[first] > 0) gravity = system.gravity().segment<3>(first) / system.mass()[first];
  }
  if (supports.size() == 1) {
    VecX q = VecX::Zero(system.coordinates()), v = q;
    system.hold(q, v);
    plan.centre = q.segment<3>(supports.front());
  }
  const Resultant forces(system, plan.centre);
  if (!forces.known()) {
    plan.refusal = "its energies are not defined everywhere, so that it cannot be told which momenta are free";
    return plan;
  }
  for (int i = 0; i < 3 && !system.nodes().empty(); ++i)
    if (!held[static_cast<std::size_t>(i)] && forces.free_along(i)) plan.rows.push_back({Kind::linear, i});
  if (plan.rows.size() > 1 && system.dampers()) {
    plan.refusal = "dampers work against the linear momentum that the scheme forces";
    return plan;
  }
  // About the one support there is, or of what floats. Across gravity none is kept.
  const bool partly = std::ranges::any_of(system.nodes(), [&](int first) {
    int count = 0;
    for (int i = 0; i < 3; ++i) count += system.equation()[first + i] < 0 && !absent[static_cast<std::size_t>(i)];
    return count > 0 && (supports.empty() || first != supports.front());
  });
  if (wanted.angular && !partly && supports.size() <= 1 && !system.nodes().empty() && !pushed(system))
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (absent[static_cast<std::size_t>(j)] || absent[static_cast<std::size_t>(k)]) continue;  // nothing turns about it
      if (gravity[j] == 0 && gravity[k] == 0 && forces.free_about(i)) plan.rows.push_back({Kind::angular, i});
    }
  if (plan.rows.size() >= system.free().size()) {
    plan.refusal = "it would force " + std::to_string(plan.rows.size()) + " energies and momenta on " +
                   std::to_string(system.free().size()) + " coordinates: they alone would fix the motion";
    if (plan.rows.back().kind == Kind::angular) plan.remedy = "write momenta = \"linear\", or take energy-momentum-exact";
  }
  return plan;
}

ForcedBalance::ForcedBalance(const System& system, const Rule& rule, const NewmarkWeights& weights, const ForcedRows& wanted,
                             const NewtonOptions& options)
    : problem_(system, rule, weights, options) {
  const ForcedPlan plan = forced_plan(system, wanted);
  problem_.rows = plan.rows;
  problem_.centre = plan.centre;
}

// Of several roots the one that is connected with no forcing at all.
NewtonReport ForcedBalance::little_by_little(const State& state, double t1) {
  problem_.open(state, t1);
  NewtonReport report = problem_.solve(false);
  problem_.begin_rows();
  constexpr int parts = 8;
  for (int left = parts - 1; left >= 0 && report.converged(); --left) {
    problem_.aim(static_cast<double>(left) / (left == parts - 1 ? parts : left + 1));
    report = problem_.solve(true);
  }
  return report;
}

StepReport ForcedBalance::step(State& state, double t1) {
  constexpr double large = 0.1, beyond = 0.5;
  const System& system = problem_.system();
  StepReport report;
  problem_.open(state, t1);
  report.newton = problem_.solve(false);
  if (!report.done()) return report;
  problem_.begin_rows();
  if (!problem_.rows_hold()) {
    const int plain = report.newton.iterations;
    report.newton = problem_.solve(true);
    if (!report.done() || std::abs(problem_.lambda[0]) > large) report.newton = little_by_little(state, t1);
    report.newton.iterations += plain;
    if (!report.done()) {
      report.newton.end = NewtonEnd::no_root;
      return report;
    }
    if (std::abs(problem_.lambda[0]) > beyond) {
      report.newton.end = NewtonEnd::forced;
      report.culprit = "the multiplier of the energy is " + number_text(problem_.lambda[0], 3);
      return report;
    }
  }
  problem_.find_accelerations();
  report.energy = problem_.energy();
  if (!accepted(report, system, state.q, problem_.q1)) return report;
  state.time = t1;
  state.q = problem_.q1;
  state.v = problem_.v1;
  problem_.close();
  return report;
}

}  // namespace trompo
