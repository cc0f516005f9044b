// One step of an end balance whose energy, and momenta where they are free, are forced by equations of their own:
//
//   r(q1) + sum lambda_i grad g_i = 0,  g_i(q1) = 0,     r = M ((1-am) a1 + am a0) + f* + R* - F*,  dv1/dq1 = g1 = gamma/(beta
//   h)
//
//   energy    g = E1 - E0 - F*.dq + Q             grad g = f1 + g1 M v1 - F* + dQ/dq1,  Q = h (dq/h).C(dq/h)
//   linear    g = sum m dv - h sum F*             grad g = g1 m, along axes that nothing holds
//   angular   g = sum x1 x m v1 - x0 x m v0       grad g = dx x m v1 + g1 x1 x m dx, about axes that nothing works against
//
// F* has the weights of the balance. The equations of the constraints are eliminated: one factorisation, and a solve for each
// beside the usual one. The search begins at the solution without them; where they hold there to rounding, as at rest, they are
// let be (there grad g vanishes). After T. J. R. Hughes, T. K. Caughey, W. K. Liu (1978) and D. Kuhl, E. Ramm (1996).
#pragma once

#include <array>

#include "trompo/math/newton.hpp"
#include "trompo/scheme/frame_reduction.hpp"
#include "trompo/scheme/numbers.hpp"
#include "trompo/scheme/residual_rows.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

class ForcedProblem {
 public:
  static constexpr int most = 7;
  struct Row {
    enum class Kind { energy, linear, angular } kind;
    int axis = 0;
  };
  ForcedProblem(const System& system, const Rule& rule, const NewmarkWeights& weights, const NewtonOptions& options);

  void restart(const State& state, const VecX& acceleration);
  void memory(const Memory& memory);
  void take(const State& state);
  void open(const State& state, double t1);
  // Without the rows, then with them: all at once, or little by little from where they are without them.
  [[nodiscard]] NewtonReport solve(bool forced);
  void aim(double share);  // of what the rows were off without them that is left open
  void begin_rows();       // at the solution without them
  [[nodiscard]] bool rows_hold() const;
  [[nodiscard]] StepEnergy energy();
  void close();

  VecX q0, q1, v0, v1;
  std::array<double, most> lambda{};
  std::vector<Row> rows;
  Vec3 centre = Vec3::Zero();  // of angular momenta
  [[nodiscard]] const VecX& acceleration() const { return a0_; }
  void find_accelerations();
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t count) const;
  void forget_pivots() { solver_.forget_pivots(); }
  [[nodiscard]] const System& system() const { return *system_; }

  // --- for newton() ---
  void evaluate(bool tangent);
  [[nodiscard]] double residual_ratio() const;
  [[nodiscard]] bool residual_at_round_off();
  [[nodiscard]] double solve_and_update();

 private:
  void find_rows();
  [[nodiscard]] double energy_there(const VecX& q, const VecX& v) const;

  const System* system_;
  Rule rule_;
  NewmarkWeights weights_;
  NewtonOptions options_;
  FrameReduction unknowns_;
  LinearSolver solver_;
  ResidualRows rows_;
  Assembly assembly_;
  VecX shift_, lead_, a0_, a1_, force0_, load0_, load1_, load_, mean_a_, inertia_, momentum_, force1_, damper_, still_;
  VecX way_, increment_;
  std::array<VecX, most> gradient_, solved_;  // over coordinates; over unknowns
  std::array<double, most> g_{}, size_{}, target_{};
  double h_ = 0, t1_ = 0, slope_ = 0, energy0_ = 0, size0_ = 0;
  bool forced_ = false;
};

}  // namespace trompo
