// The end balance on Euler parameters: stored runs of two aircraft of rigid bodies, orders of convergence, the tangent, the
// energy balance, and what is refused.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/long_run.hpp"
#include "tests/xhale_cases.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/scheme/consistent_start.hpp"
#include "trompo/scheme/euler_coordinates.hpp"
#include "trompo/scheme/steppers.hpp"

namespace trompo {
namespace scheme_euler_balance {

using Json = nlohmann::json;

struct Weights {
  double am = 0, af = 0, beta = 0.25, gamma = 0.5;
};

Model model_of(const Json& problem, const Weights& weights, const std::string& blend, double step, long steps) {
  const std::string time = fmt::format(
      "[time]\nstep = {:.17g}\nsteps = {}\nscheme = \"generalized-alpha-1\"\nalpha_m = {:.17g}\nalpha_f = {:.17g}\n"
      "newmark_beta = {:.17g}\nnewmark_gamma = {:.17g}\nblend = \"{}\"\n[newton]\ntolerance = 1e-13\nincrement = 1e-13\n",
      step, steps, weights.am, weights.af, weights.beta, weights.gamma, blend);
  return parse_model("formulation = \"euler-parameters\"\n" + xhale::model_text(problem) + time, "stored");
}

// q and v as they are stored: R, p of one body after the other.
struct Places {
  std::vector<double> q, v;
};
Places places(const System& system, const State& state) {
  Places out;
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const int x = system.bodies()[b].first;
    const Vec<4> p = euler::parameters(state.rotations[b].orientation);
    for (int i = 0; i < 3; ++i) out.q.push_back(state.q[x + i]), out.v.push_back(state.v[x + i]);
    for (int i = 0; i < 4; ++i) out.q.push_back(p[i]), out.v.push_back(state.rotations[b].parameter_rate[i]);
  }
  return out;
}
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}
double size(const Json& a) {
  double most = 0;
  for (const Json& x : a) most = std::max(most, std::abs(x.get<double>()));
  return most;
}

void expect_stored_runs(const char* name, double tolerance) {
  const Json& problem = xhale::stored_problem(name);
  for (const Json& expected : xhale::stored_runs(name, true)) {
    const std::string method = expected["method"];
    SCOPED_TRACE(std::string(name) + ", " + method);
    const Json& w = expected["parameters"];
    const bool collocated = method.find("collocated") != std::string::npos;
    const Model model = model_of(problem, {w["am"], w["af"], w["beta"], w["gamma"]}, collocated ? "recursion" : "all",
                                 expected["h"], expected["steps"]);
    const System system(model);
    const RunResult result = run(model, system, scheme_of(model));
    ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
    EXPECT_EQ(result.retries, 0);
    const Places end = places(system, result.state);
    EXPECT_LT(distance(end.q, expected["q"]), tolerance * size(expected["q"]));
    EXPECT_LT(distance(end.v, expected["v"]), tolerance * size(expected["v"]));
    VecX error = VecX::Zero(system.multipliers()), constraint_size = error;
    system.constraint_errors(result.state.q, error, constraint_size);  // [m] and radians: the aircraft are some metres wide
    EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-12);
    for (const Rotation& r : result.state.rotations) EXPECT_NEAR(r.orientation.norm(), 1, 1e-13);
    EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
    EXPECT_NEAR(result.ledger.total(), expected["energy"], 1e-10 * result.ledger.scale());
  }
}

TEST(EulerBalance, MeetsTheStoredRunsOfFiveBodies) { expect_stored_runs("four_body_3d", 1e-8); }
TEST(EulerBalance, MeetsTheStoredRunsOfSixteenBodies) { expect_stored_runs("sixteen_body", 1e-8); }

// One of everything that acts on bodies: a fixed point, joints with springs and dampers, a moving support, torques, a field.
constexpr const char* all_sorts = R"toml(
formulation = "euler-parameters"
gravity = [0, 0.5, -9.81]
[[body]]
name = "top"
mass = 2
inertia = [[0.9, 0.05, 0], [0.05, 0.7, 0.02], [0, 0.02, 0.5]]
fixed_point = [0.1, 0.2, 0.3]
centre = [0.1, 0.2, 0.4]
orientation = { axis = [1, 2, 3], degrees = 40 }
angular_velocity = [1, -2, 3]
[[body]]
name = "free"
mass = 1
shape = { box = [0.5, 0.8, 1.1] }
position = [1.5, 0.4, 0.2]
orientation = { axis = [-1, 2, 0.5], degrees = 140 }
velocity = [0.3, -0.2, 0.5]
angular_velocity = [0, 4, 1]
[[body]]
name = "hung"
mass = 1.5
shape = { box = [0.3, 0.8, 0.4] }
position = [2.1, 0.4, -0.7]
orientation = { axis = [1, 0, 0.5], degrees = 30 }
velocity = [0.3, -0.2, 0.5]
angular_velocity = [0.2, 0.4, 1]
[[node]]
name = "n"
mass = 0.7
position = [0.5, 1.5, 0]
velocity = [1, 0, 0]
[[node]]
name = "driven"
mass = 0.3
position = [0, 2, 0]
motion = { x = "0.2*sin(3*t)", y = "2", z = "0" }
[[joint]]
name = "h"
bodies = ["free", "hung"]
hinge = { at = [1.8, 0.4, -0.2], axis = [1, 1, 0.3] }
stiffness = 12
damping = 0.7
rest = "as drawn"
[[spring]]
name = "s"
from = { body = "top", point = [0.3, 0.1, 0.2] }
to = { body = "free", point = [-0.2, 0.3, 0] }
stiffness = 40
damping = 3
length = 0.9
[[spring]]
name = "t"
from = { body = "hung", point = [0.1, 0.1, 0.4] }
to = { node = "n" }
stiffness = 15
damping = 0.4
length = 1
[[spring]]
name = "u"
from = { node = "driven" }
to = { node = "n" }
stiffness = 15
damping = 0.4
length = 1
[[load]]
name = "torque"
body = "free"
torque = ["0.8", "cos(t)", "-1.1"]
[[load]]
name = "push"
body = "hung"
point = [0.1, 0, 0.2]
force = ["1", "2*sin(t)", "0"]
[[load]]
name = "field"
body = "hung"
force = ["-0.8*hung.x*hung.d2.z", "0", "0.3*hung.y"]
[time]
initial_projection = true
step = 0.02
steps = 100
scheme = "generalized-alpha-1"
rho_infinity = 0.6
)toml";

TEST(EulerBalance, TangentIsTheDerivativeOfTheResidual) {
  for (const Blend blend : {Blend::all, Blend::recursion}) {
    const Model model = parse_model(all_sorts, "all sorts");
    const System system(model);
    const State state = initial_state(model, system);
    EndBalance balance(system, {Rule::Kind::endpoint_average, 0.4}, {0.2, 0.36, 0.7}, NewtonOptions{}, blend);
    ConsistentStart start(system);
    ASSERT_TRUE(start.solve(state));
    balance.start(state, start.acceleration(), start.multipliers());
    balance.open(state, 0.05);
    StepProblem& problem = balance.problem();
    problem.evaluate(true);
    const Eigen::Index n = problem.residual().size();
    const auto shifted = [&](const VecX& by) { EXPECT_FALSE(std::isnan(problem.shift_unknowns(-by))); };
    VecX anywhere(n);
    for (Eigen::Index e = 0; e < n; ++e) anywhere[e] = 0.01 * std::sin(static_cast<double>(e) + 1);
    shifted(anywhere);
    problem.evaluate(true);
    const Eigen::MatrixXd tangent = problem.tangent();
    Eigen::MatrixXd quotient(n, n);
    constexpr double step = 1e-5;
    for (Eigen::Index e = 0; e < n; ++e) {
      const VecX one = step * VecX::Unit(n, e);
      shifted(one);
      problem.evaluate(false);
      quotient.col(e) = problem.residual();
      shifted(-2 * one);
      problem.evaluate(false);
      quotient.col(e) -= problem.residual();
      quotient.col(e) /= 2 * step;
      shifted(one);
    }
    const double inertia = tangent.cwiseAbs().maxCoeff();
    EXPECT_LT((tangent - quotient).cwiseAbs().maxCoeff(), 1e-9 * inertia);
  }
}

Places after(const std::string& text_of_model, const Weights& weights, const std::string& blend, double end, long steps) {
  Model model = parse_model(text_of_model, "order");
  model.time.step = end / static_cast<double>(steps);
  model.time.steps = steps;
  model.time.end.reset();
  model.time.scheme = "generalized-alpha-1";
  model.time.parameters = {
      {"alpha_m", weights.am}, {"alpha_f", weights.af}, {"newmark_beta", weights.beta}, {"newmark_gamma", weights.gamma}};
  model.time.options = {{"blend", blend}};
  model.time.initial_projection = true;
  const System system(model);
  const RunResult result = run(model, system, scheme_of(model));
  EXPECT_EQ(result.status, Status::done);
  return places(system, result.state);
}

// By three runs whose steps are halved.
double measured_order(const Weights& weights, const std::string& blend) {
  const Places one = after(all_sorts, weights, blend, 0.4, 400), two = after(all_sorts, weights, blend, 0.4, 800),
               four = after(all_sorts, weights, blend, 0.4, 1600);
  return std::log2(distance(one.q, two.q) / distance(two.q, four.q));
}

// Bodies that spin show it: M(p) p'' of a spin is taken a little beside where the forces are.
TEST(EulerBalance, LongAveragesOfInertiaCostAnOrder) {
  const Weights newmark{}, damped{0, 0, 0.36, 0.7}, hht{0, 0.3, 0.4225, 0.8}, bossak{-0.2, 0, 0.36, 0.7},
      chung{0.4615, 0.487, 0.26291256250000006, 0.5255};
  EXPECT_NEAR(measured_order(newmark, "all"), 2, 0.1);
  EXPECT_NEAR(measured_order(damped, "all"), 1, 0.1);
  std::vector<Weights> all{chung, bossak, hht};
  all.resize(long_run(all.size(), std::size_t{1}));
  for (const Weights& averaged : all) {
    EXPECT_NEAR(measured_order(averaged, "all"), 1, 0.15);
    EXPECT_NEAR(measured_order(averaged, "recursion"), 2, 0.1);
  }
}

TEST(EulerBalance, BooksCloseWhateverActs) {
  for (const char* scheme : {"trapezoidal", "newmark", "bossak", "hht-1", "generalized-alpha-1"})
    for (const std::string blend : {"all", "recursion"}) {
      SCOPED_TRACE(scheme + (" " + blend));
      Model model = parse_model(all_sorts, "all sorts");
      model.time.scheme = scheme;
      model.time.initial_projection = true;
      const std::string_view name = scheme;
      model.time.parameters.clear();
      if (name != "trapezoidal") model.time.parameters["rho_infinity"] = 0.7;
      if (name != "trapezoidal" && name != "newmark") model.time.options["blend"] = blend;
      const System system(model);
      const RunResult result = run(model, system, scheme_of(model));
      ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
      EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
      model.newton.tolerance = model.newton.increment = 1e-3;  // equations that are left open are seen there
      EXPECT_GT(run(model, system, scheme_of(model)).ledger.worst_residual(), 1e-10 * result.ledger.scale());
    }
}

// Directors have a constant mass and no Euler parameters in them: another way to the same motion.
TEST(EulerBalance, AgreesWithDirectors) {
  const Weights chung{0.4615, 0.487, 0.26291256250000006, 0.5255};
  const std::string other = std::string(all_sorts).replace(std::string(all_sorts).find("euler-parameters"), 16, "directors");
  const std::vector<double> euler = after(all_sorts, chung, "recursion", 0.4, 1600).q;
  const std::vector<double> directors = after(other, chung, "all", 0.4, 1600).q;
  for (std::size_t first = 0; first < euler.size(); first += 7) {
    double along = 0;  // p and -p are the same orientation
    for (std::size_t i = 3; i < 7; ++i) along += euler[first + i] * directors[first + i];
    for (std::size_t i = 0; i < 7; ++i)
      EXPECT_NEAR(euler[first + i], (i > 2 && along < 0 ? -1 : 1) * directors[first + i], 3e-6);
  }
}

// Whatever is averaged.
TEST(EulerBalance, BlendsAgreeWhereTheMassIsConstant) {
  const Model model = parse_model(R"toml(
gravity = [0, 0, -9.81]
[[node]]
name = "a"
position = [1, 0, 0]
velocity = [0, 0.5, 0]
mass = 1.5
[[node]]
name = "b"
position = [1.8, 0, 0]
velocity = [0, 0.5, 0]
mass = 0.5
[[node]]
name = "o"
position = [0, 0, 0]
fixed = true
[[bar]]
name = "bar"
nodes = ["a", "b"]
EA = 50
[[constraint]]
name = "rod"
constraint = "a.x^2 + a.y^2 + a.z^2 - 1"
[time]
step = 0.02
steps = 50
scheme = "generalized-alpha-1"
)toml",
                                  "pendulum");
  const System system(model);
  const Scheme scheme = scheme_of(model);
  const NewtonOptions options{1e-12, 1e-13};
  EndBalance end(system, scheme.rule, scheme.weights, options);
  EndBalance recursion(system, scheme.rule, scheme.weights, options, Blend::recursion);
  std::vector<State> states;
  double by_its_own_formula = 0;  // of EndBalance, which knows the weights alone
  for (EndBalance* stepper : {&end, &recursion}) {
    State state = initial_state(model, system);
    const InitialBalance balance = initial_balance(model, system, state);
    stepper->start(state, balance.acceleration, balance.multipliers);
    double numerical = 0;
    for (int i = 1; i <= 50; ++i) {
      const StepReport report = stepper->step(state, 0.02 * i);
      ASSERT_TRUE(report.done());
      numerical += report.energy.numerical;
    }
    if (states.empty()) by_its_own_formula = numerical;
    EXPECT_NEAR(numerical, by_its_own_formula, 1e-9);
    states.push_back(state);
    EXPECT_LT((state.q - states.front().q).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT((state.v - states.front().v).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(EulerBalance, FailedStepLeavesStateAndMemory) {
  const Model model = parse_model(all_sorts, "all sorts");
  const System system(model);
  const State begin = initial_state(model, system);
  ConsistentStart start(system);
  ASSERT_TRUE(start.solve(begin));
  EndBalance balance(system, {Rule::Kind::endpoint_average, 0.4}, {0.2, 0.36, 0.7}, NewtonOptions{1e-10, 1e-12, 10});
  State state = begin, again = begin;
  balance.start(state, start.acceleration(), start.multipliers());
  EXPECT_FALSE(balance.step(state, 50).done());  // bodies turn many times in such a step
  EXPECT_EQ(state.time, 0);
  EXPECT_TRUE(state.q == begin.q && state.v == begin.v);
  EXPECT_FALSE(balance.imbalances(3).front().name.empty());
  ASSERT_TRUE(balance.step(state, 0.01).done());
  balance.start(again, start.acceleration(), start.multipliers());
  ASSERT_TRUE(balance.step(again, 0.01).done());
  EXPECT_TRUE(state.q == again.q && state.v == again.v);
}

// Newmark without damping: multipliers and accelerations grow from step to step till nothing can be solved any more. The run
// ends there, before the motion is spoilt; shorter steps do not carry it on.
TEST(EulerBalance, LongRunOfUndampedNewmarkEndsAsAFailure) {
  const Json& problem = xhale::case_named("VI three bars")["problem"];
  const Model model = model_of(problem, {}, "all", 1e-3, 8000);
  const System system(model);
  const RunResult result = run(model, system, scheme_of(model), {}, {.keep_going = true});
  EXPECT_EQ(result.status, Status::unstable);  // its velocities swing in the last steps
  EXPECT_FALSE(result.reached_end);
  EXPECT_NE(result.failure.dossier().find("the scheme is not stable here"), std::string::npos) << result.failure.dossier();
  EXPECT_NEAR(result.failure.time, 6.1, 0.2);
  EXPECT_NEAR(result.state.time, 6.1, 0.2);
  EXPECT_NEAR(result.ledger.total(), result.total.initial, 0.1 * result.ledger.scale());
  const Model damped = model_of(problem, {0, 0, 0.2601, 0.52}, "all", 1e-3, long_run(8000, 1000));
  EXPECT_EQ(run(damped, system, scheme_of(damped)).status, Status::done);
}

TEST(EulerBalance, OtherRowsAreRefusedWithARemedy) {
  int taken = 0;
  for (const Row& row : general_rows()) {
    SCOPED_TRACE(std::string(row.name));
    Model model = parse_model(all_sorts, "all sorts");
    model.time.scheme = row.name;
    model.time.parameters.clear();
    const System system(model);
    const Scheme scheme = scheme_of(model);
    if (row.balance == Balance::end && row.rule == Rule::Kind::endpoint_average) {
      EXPECT_NO_THROW((void)make_stepper(scheme, system, {}));
      ++taken;
      continue;
    }
    try {
      (void)make_stepper(scheme, system, {});
      ADD_FAILURE();
    } catch (const SchemeError& error) {
      EXPECT_TRUE(row.returns || error.remedy.find("directors") != std::string::npos) << error.remedy;
    }
    EXPECT_THROW((void)check_scheme(model, system, scheme), ModelError);
  }
  EXPECT_EQ(taken, 5);
}

}  // namespace scheme_euler_balance
}  // namespace trompo
