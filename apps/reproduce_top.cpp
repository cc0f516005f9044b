// E. Lens, A. Cardona, Algoritmos de integracion numerica en dinamica rotacional no lineal, Mecanica Computacional: the schemes
// of its equations (9) to (44) on four tops. The paper has no example of its own; beside what it says of its schemes stand the
// exact motions.
#include "apps/reproduce_top.hpp"

#include <cmath>

#include "trompo/run/reference.hpp"

namespace trompo {

namespace {

// NaN where a step has no solution.
template <double (*measure)(const TopRun&)>
double on_a_long_run(const Model& model) {
  const TopRun run(long_enough(model));
  return run.solved() ? measure(run) : std::nan("");
}

template <TopRun::Error error>
double largest(const Model& model) {
  const TopRun run(model);
  return run.solved() ? run.largest(error) : std::nan("");
}
double solved(const Model& model) { return TopRun(model).solved() ? 1 : 0; }

double ledger_residual(const Model& model) {
  const RunResult result = TopRun(model).result;
  return result.ledger.worst_residual() / result.ledger.scale();
}

// Newton's matrix for Theta and alpha together, at Theta = h Om0: its column of alpha holds Theta x E in every row.
double joint_newton_can_start(const Model& model) {
  const HeavyTop top{System(model)};
  const Vec3 turn = model.time.step * start_of(model).angular_velocity;
  return turn.cross(top.E).norm() > 1e-12 * turn.norm() ? 1 : 0;
}

// --- the elliptic integrals beside a numerical solution ---

ReferenceSolution solution_after(Model model, double time) {
  model.time.end.reset();
  model.time.steps = 1;
  model.time.step = time;
  return reference_solution(model, System(model));
}
Eigen::Map<const Mat3> frame(const VecX& q, const System& system) {
  return Eigen::Map<const Mat3>(q.data() + system.bodies().front().first + 3);
}

Nutation exact(const Model& model) { return exact_nutation(HeavyTop(System(model)), start_of(model)); }
double exact_flip(const Model& model) {
  return exact_tumbling_period(HeavyTop(System(model)).inertia, start_of(model).angular_velocity);
}

// Where the axis is after one nutation, and where it should be.
double nutation_gap(const Model& model) {
  const System system(model);
  const HeavyTop top(system);
  const Nutation n = exact(model);
  const Vec3 axis = frame(solution_after(model, n.period).q, system) * top.E;
  return (axis - exponential(Vec3(n.advance * top.gamma)) * top.axis(start_of(model))).norm();
}
double flip_gap(const Model& model) {
  const System system(model);
  const ReferenceSolution after = solution_after(model, exact_flip(model));
  const Mat3 spin = frame(after.q, system).transpose() * frame(after.v, system);
  const Vec3 before = start_of(model).angular_velocity;
  return (Vec3(spin(2, 1), spin(0, 2), spin(1, 0)) - before).norm() / before.norm();
}

// --- the upright top ---

SleepingTop sleeping(const Model& model) {
  return SleepingTop(HeavyTop(System(model)), start_of(model).angular_velocity.norm());
}
double swing(const Model& model) {
  const TopRun run(model);
  return run.largest(&TopRun::tilt) / run.tilt(0);
}

Quantities motions() {
  return {
      {"exact_nutation", [](const Model& m) { return exact(m).period; }},
      {"exact_precession", [](const Model& m) { return exact(m).precession(); }},
      {"exact_advance", [](const Model& m) { return exact(m).advance; }},
      {"exact_flip", exact_flip},
      {"nutation_gap", nutation_gap},
      {"flip_gap", flip_gap},
      {"nutation_error", on_a_long_run<nutation_error>},
      {"precession_error", on_a_long_run<precession_error>},
      {"nutation_size", on_a_long_run<nutation_size>},
      {"flip_error", on_a_long_run<flip_error>},
      {"energy_error", largest<&TopRun::energy_error>},
      {"vertical_error", largest<&TopRun::vertical_error>},
      {"spin_error", largest<&TopRun::spin_error>},
      {"momentum_error", largest<&TopRun::momentum_error>},
      {"momentum_size_error", largest<&TopRun::momentum_size_error>},
      {"ledger_residual", ledger_residual},
      {"solved", solved},
      {"joint_newton_can_start", joint_newton_can_start},
      {"critical_spin", measured_critical_spin},
      {"swing", swing},
      {"exact_swing", [](const Model& m) { return sleeping(m).swing; }},
      {"limit", largest<&TopRun::tilt>},
      {"growth", [](const Model& m) { return measured_growth(TopRun(m)); }},
  };
}

Answer answer(const Statement& s) {
  static const Quantities all = [] {
    Quantities both = motions();
    both.merge(top_theory());
    return both;
  }();
  return answer_by(all, s);
}

}  // namespace

Study top_study() { return {"top", {{"ours", "ours"}}, answer, top_figures, top_tables}; }

}  // namespace trompo
