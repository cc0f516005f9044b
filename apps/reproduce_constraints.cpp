// C. Ferreira, M. Doblare, Comparacion de dos formulaciones conservativas en energia y momento para la integracion de sistemas
// multicuerpo no lineales complejos: the quantities of its statements.
#include "apps/reproduce_constraints.hpp"

#include <cmath>

#include "trompo/math/dense.hpp"
#include "trompo/math/known.hpp"

namespace trompo {

namespace {

constexpr double rounding = 1e-12;  // below it something is kept

// --- Appendix A, second example: the sine constraint of (18), x of the first node and y of the second ---

struct Sine {
  explicit Sine(const System& system) : x(system.nodes().at(0)), y(system.nodes().at(1) + 1) {}
  int x, y;
  [[nodiscard]] VecX gradient(const VecX& u) const {  // (19)
    VecX g = VecX::Zero(u.size());
    g[x] = std::cos(u[x]) - 2 * u[y] * u[y];
    g[y] = -4 * u[y] * u[x];
    return g;
  }
  [[nodiscard]] Eigen::MatrixXd curvature(const VecX& u) const {  // (20) without its factor beta
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(u.size(), u.size());
    H(x, x) = -std::sin(u[x]);
    H(x, y) = H(y, x) = -4 * u[y];
    H(y, y) = -4 * u[x];
    return H;
  }
};

// d(grad phi at beta)/du at the new end, by central differences; beta follows the new end if it may move, by (17).
Eigen::MatrixXd measured_curvature(const ConstrainedRun& run, std::size_t step, bool moving) {
  constexpr double e = 1e-5;
  const VecX &q0 = run.q[step - 1], &q1 = run.q[step];
  const auto gradient = [&](const VecX& end) {
    const Chord chord(run.system, q0, end);
    return chord.gradient(moving ? chord.newton().beta : run.betas[step]);
  };
  Eigen::MatrixXd K(q1.size(), q1.size());
  for (int j = 0; j < q1.size(); ++j) {
    const VecX move = e * VecX::Unit(q1.size(), j);
    K.col(j) = (gradient(q1 + move) - gradient(q1 - move)) / (2 * e);
  }
  return K;
}

// The largest share of the derivative that (20) leaves out.
double missing_curvature(const Model& model, bool moving) {
  const ConstrainedRun run(model);
  const Sine sine(run.system);
  double most = 0;
  for (std::size_t i = 1; i < run.q.size(); ++i) {
    const double beta = run.betas[i];
    const VecX place = run.q[i - 1] + beta * (run.q[i] - run.q[i - 1]);
    const Eigen::MatrixXd K = measured_curvature(run, i, moving);
    most = std::max(most, (beta * sine.curvature(place) - K).norm() / K.norm());
  }
  return most;
}

double gradient_error(const Model& model) {
  const ConstrainedRun run(model);
  const Sine sine(run.system);
  double most = 0;
  for (std::size_t i = 1; i < run.q.size(); ++i)
    for (const double beta : {run.betas[i], 1.0}) {
      const VecX d = run.q[i] - run.q[i - 1];
      const VecX error = Chord(run.system, run.q[i - 1], run.q[i]).gradient(beta) - sine.gradient(run.q[i - 1] + beta * d);
      most = std::max(most, error.norm());
    }
  return most;
}

// --- runs ---

template <class Value>
double largest(const ConstrainedRun& run, const Value& value) {  // over all steps
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < run.times.size(); ++i) most = std::max<double>(most, value(i));
  return most;
}
Chord chord_of(const ConstrainedRun& run, std::size_t step) { return {run.system, run.q[step - 1], run.q[step]}; }

double beta_difference(const Model& model) {
  const ConstrainedRun run(model);
  return largest(run, [&](std::size_t i) { return std::abs(chord_of(run, i).newton().beta - run.betas[i]); });
}
double beta_offset(const Model& model) {
  const ConstrainedRun run(model);
  return largest(run, [&](std::size_t i) { return std::abs(run.betas[i] - 0.5); });
}
template <class Test>
double steps_with(const Model& model, const Test& test) {
  const ConstrainedRun run(model);
  int count = 0;
  for (std::size_t i = 1; i < run.times.size(); ++i) count += test(run, i);
  return count;
}
double betas_outside(const Model& model) {
  return steps_with(model, [](const ConstrainedRun& run, std::size_t i) { return !(run.betas[i] > 0 && run.betas[i] < 1); });
}

double steps_with_several_roots(const Model& model) {
  return steps_with(model, [](const ConstrainedRun& run, std::size_t i) { return chord_of(run, i).roots() > 1; });
}

// Iterations of (17) in the first step, as printed; none if it breaks down.
double chord_iterations(const Model& model) {
  const Chord::Root root = chord_of(ConstrainedRun(model), 1).newton();
  return root.iterations < 0 ? std::nan("") : root.iterations;
}

double angular_loss(const Model& model) {
  const RunResult result = ConstrainedRun(model).result;
  return result.angular_drift / result.momentum_initial.angular.norm();
}
double linear_loss(const Model& model) {
  const RunResult result = ConstrainedRun(model).result;
  return result.linear_drift / result.momentum_initial.linear.norm();
}
// What is left of each step's change of the angular momentum when the formula is taken from it.
double angular_unexplained(const Model& model) {
  const ConstrainedRun run(model);
  return largest(run,
                 [&](std::size_t i) {
                   return (run.momenta[i].angular - run.momenta[i - 1].angular - predicted_moment(run, i)).norm();
                 }) /
         run.momenta[0].angular.norm();
}
double energy_loss(const Model& model) { return ConstrainedRun(model).energy_drift(); }
double order_of(Quantity error, const Model& model) {
  return std::log2(error(with_step(model, 2 * model.time.step)) / error(model));
}

double newton_order(const Model& model) { return order_of_convergence(iterations_of_step(model, 5).increments, 1e-13); }
double symmetric_matrix(const Model& model) {  // of (21): its column has the gradient at beta, its row the one at the end
  const ConstrainedRun run(model);
  return largest(run, [&](std::size_t i) {
           return (chord_of(run, i).gradient(run.betas[i]) - chord_of(run, i).gradient(1)).norm();
         }) < rounding;
}

Model multipliers_of(const Model& projected) {
  Model model = projected;
  model.time.scheme = "energy-momentum-exact";
  return model;
}
double iteration_ratio(const Model& projected) {
  return ConstrainedRun(projected).iterations() / ConstrainedRun(multipliers_of(projected)).iterations();
}

double printed_start_error(const Model& model) {  // not as a state: that would have to be on the constraint
  const System system(model);
  VecX q = VecX::Zero(system.coordinates()), error = VecX::Zero(system.multipliers()), size = error;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) q.segment<3>(system.nodes()[i]) = model.nodes[i].position;
  system.constraint_errors(q, error, size);
  return std::abs(error[0]);
}

double path(const Model& model) {  // how far from its start any coordinate comes
  const ConstrainedRun run(model);
  return largest(run, [&](std::size_t i) { return (run.q[i] - run.q[0]).lpNorm<Eigen::Infinity>(); });
}

// --- Appendix A, first example ---

const Appendix::Iterate& fourth(const Appendix& a) { return a.returned.at(4); }
VecX cut(const VecX& u) {  // to four digits, as printed
  return (u * 1e4).array().unaryExpr([](double x) { return std::trunc(x); }) / 1e4;
}
double dimension_by_rank_of_functional(const Appendix& a) {
  const Eigen::MatrixXd D = a.gradient(a.start).transpose();
  return static_cast<double>(D.cols() - eliminate(D).rank);
}
std::vector<double> return_errors(const Appendix& a) {
  std::vector<double> errors;
  for (const Appendix::Iterate& i : a.returned) errors.push_back(i.f.norm());
  return errors;
}
double last_ratio(const std::vector<double>& errors) { return errors.back() / errors[errors.size() - 2]; }
double iterations_to(const Appendix& a, double allowed) {
  const std::vector<double> errors = return_errors(a);
  return static_cast<double>(std::find_if(errors.begin(), errors.end(), [&](double e) { return e < allowed; }) -
                             errors.begin());
}
// Directions in which the functional with its multipliers falls: one for each constraint where the minimum is one.
double falling_directions(const Appendix& a) {
  const MatX whole = a.whole_matrix();
  const VecX values = known(eigenpairs(whole, MatX::Identity(whole.rows(), whole.cols()))).values;
  return static_cast<double>((values.array() < 0).count());
}

using A = Appendix;
using M = Model;

const Quantities& quantities() {
  static const Quantities all{
      {"A11", [](const M& m) { return A(m).A(0, 0); }},
      {"A12", [](const M& m) { return A(m).A(0, 1); }},
      {"A13", [](const M& m) { return A(m).A(0, 2); }},
      {"A21", [](const M& m) { return A(m).A(1, 0); }},
      {"A22", [](const M& m) { return A(m).A(1, 1); }},
      {"A23", [](const M& m) { return A(m).A(1, 2); }},
      {"start_error", [](const M& m) { return A(m).f(A(m).start).norm(); }},
      {"independent_variables", [](const M& m) { return static_cast<double>(A(m).tangent.cols()); }},
      {"independent_variable", [](const M& m) { return A(m).independent + 1.0; }},
      {"dimension_by_rank_of_functional", [](const M& m) { return dimension_by_rank_of_functional(A(m)); }},
      {"tangent_1", [](const M& m) { return A(m).tangent(0, 0); }},
      {"tangent_3", [](const M& m) { return A(m).tangent(2, 0); }},
      {"du1", [](const M& m) { return A(m).step[0]; }},
      {"du2", [](const M& m) { return A(m).step[1]; }},
      {"du3", [](const M& m) { return A(m).step[2]; }},
      {"predicted_1", [](const M& m) { return A(m).predicted[0]; }},
      {"predicted_2", [](const M& m) { return A(m).predicted[1]; }},
      {"predicted_3", [](const M& m) { return A(m).predicted[2]; }},
      {"predicted_f1", [](const M& m) { return A(m).f(A(m).predicted)[0]; }},
      {"predicted_f2", [](const M& m) { return A(m).f(A(m).predicted)[1]; }},
      {"predicted_theta", [](const M& m) { return A(m).theta(A(m).predicted); }},
      {"predicted_theta_cut", [](const M& m) { return A(m).theta(cut(A(m).predicted)); }},
      {"J11", [](const M& m) { return A(m).J(0, 0); }},
      {"J12", [](const M& m) { return A(m).J(0, 1); }},
      {"J21", [](const M& m) { return A(m).J(1, 0); }},
      {"J22", [](const M& m) { return A(m).J(1, 1); }},
      {"alpha_1", [](const M& m) { return fourth(A(m)).alpha[0]; }},
      {"alpha_2", [](const M& m) { return fourth(A(m)).alpha[1]; }},
      {"returned_1", [](const M& m) { return fourth(A(m)).u[0]; }},
      {"returned_2", [](const M& m) { return fourth(A(m)).u[1]; }},
      {"returned_3", [](const M& m) { return fourth(A(m)).u[2]; }},
      {"returned_f1", [](const M& m) { return fourth(A(m)).f[0]; }},
      {"returned_f2", [](const M& m) { return fourth(A(m)).f[1]; }},
      {"returned_theta", [](const M& m) { return A(m).theta(fourth(A(m)).u); }},
      {"returned_theta_cut", [](const M& m) { return A(m).theta(cut(fourth(A(m)).u)); }},
      {"return_order", [](const M& m) { return order_of_convergence(return_errors(A(m)), 1e-13); }},
      {"return_iterations", [](const M& m) { return iterations_to(A(m), 1.254e-5); }},
      {"prediction_is_nearer",
       [](const M& m) { return double(std::abs(6 - A(m).theta(A(m).predicted)) < std::abs(6 - A(m).theta(fourth(A(m)).u))); }},
      {"minimum_1", [](const M& m) { return A(m).minimum()[0]; }},
      {"minimum_2", [](const M& m) { return A(m).minimum()[1]; }},
      {"minimum_3", [](const M& m) { return A(m).minimum()[2]; }},
      {"minimum_theta", [](const M& m) { return A(m).theta(A(m).minimum()); }},
      {"minima", [](const M& m) { return double(A(m).minima()); }},
      {"outer_order_plain", [](const M& m) { return order_of_convergence(A(m).outer_errors(false, 8), 1e-13); }},
      {"outer_ratio_plain", [](const M& m) { return last_ratio(A(m).outer_errors(false, 8)); }},
      {"outer_order_curved", [](const M& m) { return order_of_convergence(A(m).outer_errors(true, 3), 1e-13); }},
      {"falling_directions", [](const M& m) { return falling_directions(A(m)); }},
      {"falling_on_tangent", [](const M& m) { return falling_directions(A(m)) - static_cast<double>(A(m).A.rows()); }},
      {"energy_loss", energy_loss},
      {"energy_order", [](const M& m) { return order_of(energy_loss, m); }},
      {"keeps_energy", [](const M& m) { return double(energy_loss(m) < rounding); }},
      {"linear_loss", linear_loss},
      {"angular_loss", angular_loss},
      {"angular_unexplained", angular_unexplained},
      {"keeps_momentum",
       [](const M& m) {
         const RunResult r = ConstrainedRun(m).result;
         return double(r.linear_drift < rounding * r.linear_scale && r.angular_drift < rounding * r.angular_scale);
       }},
      {"betas_outside", betas_outside},
      {"beta_offset", beta_offset},
      {"beta_varies", [](const M& m) { return double(beta_offset(m) > 1e-3); }},
      {"beta_difference", beta_difference},
      {"unique_beta", [](const M& m) { return double(steps_with_several_roots(m) == 0); }},
      {"chord_iterations", chord_iterations},
      {"error", [](const M& m) { return ConstrainedRun(m).result.constraint_error_max; }},
      {"printed_start_error", printed_start_error},
      {"newton_order", newton_order},
      {"iterations", [](const M& m) { return ConstrainedRun(m).iterations(); }},
      {"iteration_ratio", iteration_ratio},
      {"other_states", [](const M& m) { return distance(ConstrainedRun(m), ConstrainedRun(multipliers_of(m))); }},
      {"symmetric_matrix", symmetric_matrix},
      {"gradient_error", gradient_error},
      {"missing_curvature_fixed", [](const M& m) { return missing_curvature(m, false); }},
      {"missing_curvature", [](const M& m) { return missing_curvature(m, true); }},
      {"moves", [](const M& m) { return double(path(m) > 1e-9); }},
  };
  return all;
}

Answer answer(const Statement& s) { return answer_by(quantities(), s); }

}  // namespace

Study constraints_study() { return {"constraints", {{"ours", "ours"}}, answer, constraints_figures, constraints_tables}; }

}  // namespace trompo
