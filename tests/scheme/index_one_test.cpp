// Explicit schemes on the equations of index one: five bodies in Euler parameters against stored results, orders, energy
// balance, and the words of the model file.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/xhale_cases.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/reference.hpp"
#include "trompo/run/run.hpp"
#include "trompo/scheme/explicit_schemes.hpp"

namespace trompo {
namespace scheme_index_one {

using Json = nlohmann::json;

// The stored runs of explicit schemes.
const Json& explicit_results() {
  static const Json all = xhale::stored_runs("four_body_3d", false);
  return all;
}
// Our words for the methods of the file.
std::string method_of(const Json& result) {
  static const std::map<std::string, std::string> words{{"RK4", "rk4"},
                                                        {"central difference Table 3-3", "central-difference velocity"},
                                                        {"central difference Table 3-2", "central-difference position"},
                                                        {"Hamming, thesis start-up", "hamming published"},
                                                        {"Hamming, RK4 start-up", "hamming rk4"}};
  return words.at(result["method"]);
}

template <int N>
Vec<N> vector(const Json& j) {
  Vec<N> x;
  for (int i = 0; i < N; ++i) x[i] = j[static_cast<std::size_t>(i)];
  return x;
}
std::string four_bodies() {
  return "formulation = \"euler-parameters\"\n" + xhale::model_text(xhale::stored_problem("four_body_3d")) +
         "[time]\nstep = 0.002\nsteps = 50\nscheme = \"rk4\"\n";
}

Stabilisation stabilisation_of(const std::string& word) {
  using Projection = Stabilisation::Projection;
  static const std::map<std::string, Stabilisation> all{{"none", unstabilised()},
                                                        {"baumgarte", baumgarte(10, 10)},
                                                        {"s-both", {0, 0, Projection::both, 1}},
                                                        {"s-both2", {0, 0, Projection::both, 2}},
                                                        {"s-both-m", {0, 0, Projection::both_by_mass, 1}},
                                                        {"s-pos", {0, 0, Projection::position, 1}},
                                                        {"s-vel", {0, 0, Projection::velocity, 1}},
                                                        {"s-full", {0, 0, Projection::full, 1}}};
  return all.at(word);
}

std::unique_ptr<Stepper> stepper_of(const std::string& method, const System& system, const Stabilisation& s) {
  ExplicitSettings settings;
  settings.stabilisation = s;
  settings.tolerance = 1e-12;
  if (method == "hamming published") settings.hamming = HammingStart::adams;
  if (method == "central-difference velocity") settings.central_difference = DifferenceForm::velocity;
  const ExplicitScheme scheme = method.starts_with("hamming")   ? ExplicitScheme::hamming
                                : method.starts_with("central") ? ExplicitScheme::central_difference
                                : method == "dormand-prince"    ? ExplicitScheme::dormand_prince
                                                                : ExplicitScheme::runge_kutta;
  return make_explicit(scheme, settings, system, {});
}

// A run by hand, without the loop of run().
struct Motion {
  State state;
  double error = 0, rate = 0, energy = 0, residual = 0, scale = 0;
  bool done = true;

  Motion(const Model& model, const std::string& method, const Stabilisation& s, double h, long steps) {
    const System system(model);
    const auto stepper = stepper_of(method, system, s);
    state = initial_state(model, system);
    stepper->start(state, initial_acceleration(model, system, state));
    Ledger ledger;
    ledger.open(system.kinetic(state.q, state.v), system.potentials(state.q));
    VecX errors = VecX::Zero(system.multipliers()), size = errors;
    for (long k = 1; k <= steps && done; ++k) {
      const StepReport report = stepper->step(state, static_cast<double>(k) * h);
      done = report.done();
      ledger.add(system.kinetic(state.q, state.v), report.energy);
      system.constraint_errors(state.q, errors, size);
      const auto worst = [&](double so_far) {
        return errors.size() > 0 ? std::max(so_far, errors.cwiseAbs().maxCoeff()) : so_far;
      };
      error = worst(error);
      system.constraint_error_rates(state.q, state.v, errors, size);
      rate = worst(rate);
      for (const Rotation& r : state.rotations) {
        error = std::max(error, std::abs(r.orientation.squaredNorm() - 1));
        rate = std::max(rate, std::abs(2 * euler::parameters(r.orientation).dot(r.parameter_rate)));
      }
    }
    energy = ledger.total();
    residual = ledger.worst_residual();
    scale = ledger.scale();
  }
};

// (R, p) of every body, and its rate.
VecX places(const System& system, const State& state, bool rates) {
  VecX all(7 * static_cast<Eigen::Index>(system.bodies().size()));
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const Rotation& r = state.rotations[b];
    const VecX& x = rates ? state.v : state.q;
    all.segment<3>(7 * static_cast<Eigen::Index>(b)) = x.segment<3>(system.bodies()[b].first);
    all.segment<4>(7 * static_cast<Eigen::Index>(b) + 3) = rates ? r.parameter_rate : euler::parameters(r.orientation);
  }
  return all;
}

TEST(IndexOneTest, StoredResultsAreMet) {
  const Model model = parse_model(four_bodies(), "four");
  const System system(model);
  ASSERT_EQ(explicit_results().size(), 28U);
  for (const Json& result : explicit_results()) {
    const std::string method = method_of(result), word = result["stabilisation"];
    SCOPED_TRACE(method + ", " + word);
    const Motion motion(model, method, stabilisation_of(word), result["h"], result["steps"]);
    ASSERT_TRUE(motion.done);
    const VecX q = vector<35>(result["q"]), v = vector<35>(result["v"]);
    const double dq = (places(system, motion.state, false) - q).cwiseAbs().maxCoeff(),
                 dv = (places(system, motion.state, true) - v).cwiseAbs().maxCoeff();
    EXPECT_LT(dq, 1e-11 * q.cwiseAbs().maxCoeff());
    EXPECT_LT(dv, 1e-10 * v.cwiseAbs().maxCoeff());
    // Residuals that are rounding are so on every machine, but not the same.
    const auto close = [](double ours, double theirs) {
      return theirs < 1e-13 ? ours < 1e-13 : std::abs(ours / theirs - 1) < 0.01;
    };
    EXPECT_TRUE(close(motion.error, result["max_phi"])) << motion.error;
    EXPECT_TRUE(close(motion.rate, result["max_phidot"])) << motion.rate;
    // Parameters that drift off the unit sphere change the lengths of axes, which is no motion of the body: with the part of p'
    // along p the energy of the central differences was off by 2 s^2 tr E, up to 7e-6 J.
    EXPECT_NEAR(motion.energy, result["energy"], 1e-11 * 18.9);
  }
}

// Of the end of 0.1 s, against Dormand and Prince at 1e-12.
TEST(IndexOneTest, OrdersAreThoseClaimed) {
  const Model model = parse_model(four_bodies(), "four");
  const Stabilisation twice;
  const State exact = Motion(model, "dormand-prince", twice, 0.1, 1).state;
  const std::map<std::string, std::pair<double, double>> claimed{{"rk4", {3.8, 4.5}},
                                                                 {"hamming rk4", {3.8, 5.5}},
                                                                 {"hamming published", {2.8, 3.5}},
                                                                 {"central-difference position", {1.9, 2.1}},
                                                                 {"central-difference velocity", {0.9, 1.1}}};
  for (const auto& [method, order] : claimed) {
    SCOPED_TRACE(method);
    const auto error = [&, &name = method](long steps) {
      return (Motion(model, name, twice, 0.1 / static_cast<double>(steps), steps).state.q - exact.q).norm();
    };
    const double measured = std::log2(error(100) / error(200));
    EXPECT_GT(measured, order.first);
    EXPECT_LT(measured, order.second);
  }
}

// A body about a fixed point and a free one, with everything that may act on them, and a constraint between them.
const std::string busy = R"toml(
formulation = "euler-parameters"
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 3
inertia = [[2, 0.1, 0], [0.1, 2.5, 0.2], [0, 0.2, 1]]
fixed_point = [0, 0, 1]
centre = [0.4, 0, 0.1]
angular_velocity = [0, 1, 2]
[[body]]
name = "load"
mass = 1
shape = { cylinder = [0.2, 0.5] }
position = [1.2, 0, 0.6]
angular_velocity = [3, 0, 1]
[[spring]]
name = "rope"
from = { body = "arm", point = [0.5, 0, 0] }
to = { body = "load", point = [0, 0.2, 0.25] }
stiffness = 200
damping = 2
[[spring]]
name = "anchor"
from = { ground = [0, 1, 0] }
to = { body = "load" }
stiffness = 30
[[load]]
name = "motor"
body = "arm"
torque = [0, "2*sin(3*t)", 0.5]
[[load]]
name = "push"
body = "load"
force = ["3*cos(2*t)", 0, "0.1*load.x"]
point = [0.1, 0, 0]
[[constraint]]
name = "rail"
constraint = "load.x + 0.3*arm.d3.y - 1.2"
[time]
step = 0.01
steps = 50
scheme = "energy-momentum-exact"
)toml";

// Points alone: a bead on a rod of a length that is driven, hung from a node that is shaken and has a mass; with a damper.
const std::string driven = R"toml(
gravity = [0, 0, -9.81]
[[node]]
name = "pivot"
position = [0, 0, 0]
mass = 2
motion = { x = "0.1*sin(5*t)", y = 0, z = 0 }
[[node]]
name = "bead"
position = [0.6, 0, -0.8]
velocity = [0.2, 0.3, 0]
mass = 1.5
[[node]]
name = "tail"
position = [0.6, 0.1, -1.8]
mass = 0.5
[[spring]]
name = "cord"
nodes = ["bead", "tail"]
stiffness = 80
damping = 0.4
[[constraint]]
name = "length"
constraint = "((bead.x - pivot.x)^2 + (bead.y - pivot.y)^2 + (bead.z - pivot.z)^2 - (1 + 0.1*sin(t)^2)^2)/2"
[time]
step = 0.01
steps = 50
scheme = "energy-momentum-exact"
initial_projection = true
)toml";

// The reference knows nothing of Euler parameters: it turns bodies by their angular velocities, over frames.
TEST(IndexOneTest, EverythingThatActsIsThereAndTheBooksClose) {
  for (const std::string& text : {busy, driven}) {
    const Model model = parse_model(text, "m");
    const System system(model);
    const ReferenceSolution reference = reference_solution(model, system);
    const Motion exact(model, "dormand-prince", {}, 0.01, 50), good(model, "rk4", {}, 0.01, 50);
    ASSERT_TRUE(exact.done && good.done);
    EXPECT_LT((exact.state.q - reference.q).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((exact.state.v - reference.v).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_LT(exact.residual, 1e-10 * exact.scale);
    EXPECT_LT(exact.error, 1e-14);
    EXPECT_LT(good.residual, 1e-5 * good.scale);
    EXPECT_GT(good.residual, exact.residual);  // the error of the scheme shows
  }
}

// What would take millions of its own steps is stopped after a bounded effort, with the time and the coordinate.
TEST(IndexOneTest, DormandPrinceDoesNotStandStill) {
  const Model model = parse_model(
      "[[coordinate]]\nname = \"calm\"\ninertia = 1\npotential = \"calm^2\"\nvalue = 1\n"
      "[[coordinate]]\nname = \"wild\"\ninertia = 1\n"
      "[[load]]\nname = \"shaker\"\ncoordinate = \"wild\"\nforce = \"if(t < 0.105, 0, 1e6*sin(1e9*t))\"\n"
      "[time]\nstep = 0.01\nend = 1\nscheme = \"dormand-prince\"\n",
      "m");
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::not_converged);
  EXPECT_EQ(result.failure.newton.end, NewtonEnd::stalled);
  EXPECT_LE(result.failure.newton.iterations, 14000);  // evaluations: seven for each of 2000 steps
  EXPECT_EQ(result.failure.step, 11);
  EXPECT_NEAR(result.failure.time, 0.105, 2e-5);
  EXPECT_EQ(result.failure.culprit, "wild");
  EXPECT_NE(result.failure.dossier().find("wild: the scheme's own steps"), std::string::npos) << result.failure.dossier();
  // A motion that is stiff, but can be followed, goes on in shorter steps.
  Model stiff = model;
  stiff.loads.front().force[0] = TimeFunction::parse("1e4*sin(3e6*t)");
  stiff.time.end = 0.01;
  const RunResult followed = run(stiff);
  ASSERT_EQ(followed.status, Status::done);
  EXPECT_GT(followed.retries, 0);
  EXPECT_NEAR(followed.state.v[1], 1e4 / 3e6 * (1 - std::cos(3e4)), 1e-5);
}

// A step of another size is a new start, and the step after it too; a step that fails changes nothing.
TEST(IndexOneTest, MultistepSchemesBeginAnewWhereTheStepSizeChanges) {
  const Model model = parse_model(four_bodies(), "four");
  const System system(model);
  for (const char* method : {"hamming rk4", "hamming published", "central-difference position", "dormand-prince"}) {
    SCOPED_TRACE(method);
    const auto whole = stepper_of(method, system, {}), again = stepper_of(method, system, {});
    State a = initial_state(model, system), b = a;
    const VecX start = initial_acceleration(model, system, a);
    whole->start(a, start);
    const auto step = [](Stepper& stepper, State& state, double h) { return stepper.step(state, state.time + h).done(); };
    for (int k = 0; k < 6; ++k) ASSERT_TRUE(step(*whole, a, 0.002));
    ASSERT_FALSE(step(*whole, a, std::nan("")));
    b = a;
    again->start(b, start);
    for (int k = 0; k < 6; ++k) {
      ASSERT_TRUE(step(*whole, a, 0.001));
      ASSERT_TRUE(step(*again, b, 0.001));
    }
    EXPECT_LT((a.q - b.q).cwiseAbs().maxCoeff(), 1e-15);
    EXPECT_LT((a.v - b.v).cwiseAbs().maxCoeff(), 1e-13);
  }
}

// Far beyond the limit of stability a step ends in numbers that are none, and is refused.
TEST(IndexOneTest, WhatIsNotFiniteIsRefused) {
  const Model model = parse_model(four_bodies(), "four");
  const System system(model);
  for (const char* method : {"rk4", "hamming rk4", "central-difference position", "central-difference velocity"}) {
    SCOPED_TRACE(method);
    const auto stepper = stepper_of(method, system, unstabilised());
    State state = initial_state(model, system);
    stepper->start(state, initial_acceleration(model, system, state));
    StepReport report;
    int steps = 0;
    for (; steps < 200; ++steps) {
      const State before = state;
      report = stepper->step(state, state.time + 2);
      if (report.done()) continue;
      EXPECT_EQ(state.q, before.q);
      EXPECT_EQ(state.time, before.time);
      break;
    }
    EXPECT_LT(steps, 200);
    EXPECT_EQ(report.newton.end, NewtonEnd::not_finite);
    EXPECT_TRUE(state.q.allFinite() && state.v.allFinite());
  }
}

// --- the words of the model file ---

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
RunResult run_of(const std::string& time) {
  return run(parse_model(with(four_bodies(), "scheme = \"rk4\"", time), "four.toml"));
}
std::string complaint(const std::string& text) {
  try {
    (void)run(parse_model(text, "four.toml"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The loop, the reader and the catalogue lead to the same steps.
TEST(IndexOneModel, TheFileSaysWhatTheStoredResultsAreCalled) {
  const std::map<std::string, std::string> schemes{
      {"rk4", "scheme = \"rk4\""},
      {"hamming rk4", "scheme = \"hamming\""},
      {"hamming published", "scheme = \"hamming\"\nstart = \"published\""},
      {"central-difference position", "scheme = \"central-difference\""},
      {"central-difference velocity", "scheme = \"central-difference\"\nform = \"velocity\""}};
  const System system(parse_model(four_bodies(), "four"));
  for (const Json& result : explicit_results()) {
    const std::string method = method_of(result), word = result["stabilisation"];
    SCOPED_TRACE(method + ", " + word);
    const std::string stabilisation = word == "s-both2"     ? ""
                                      : word == "baumgarte" ? "\nstabilisation = { baumgarte = { a = 10, b = 10 } }"
                                                            : "\nstabilisation = { projection = \"" + word + "\", times = 1 }";
    const RunResult motion = run_of(schemes.at(method) + stabilisation);
    ASSERT_EQ(motion.status, Status::done);
    const VecX q = vector<35>(result["q"]);
    EXPECT_LT((places(system, motion.state, false) - q).cwiseAbs().maxCoeff(), 1e-11 * q.cwiseAbs().maxCoeff());
  }
  EXPECT_EQ(run_of("scheme = \"dormand-prince\"\ntolerance = 1e-6").status, Status::done);
}

TEST(IndexOneModel, RefusalsNameReasonAndRemedy) {
  const std::string text = four_bodies();
  for (const char* formulation : {"directors", "rotation"}) {
    const std::string other = complaint(with(text, "euler-parameters", formulation));
    EXPECT_TRUE(has(other, "Euler parameters")) << other;
    EXPECT_TRUE(has(other, "formulation = \"euler-parameters\"")) << other;
  }
  const std::string both = "stabilisation = { baumgarte = { a = 1, b = 1 }, projection = \"s-pos\" }\n";
  EXPECT_TRUE(has(complaint(with(text, "scheme", both + "scheme")), "both baumgarte and a projection"));
  const std::string useless = complaint(with(with(driven, "energy-momentum-exact\"", "bathe\""), "step = 0.01",
                                             "step = 0.01\nstabilisation = { projection = \"s-pos\" }"));
  EXPECT_TRUE(has(useless, "has no use for 'stabilisation'")) << useless;
  EXPECT_TRUE(has(complaint(with(text, "scheme", "stabilisation = { projection = \"s-bth\" }\nscheme")), "s-both"));
}

// Nothing but joints: a projection of the velocities by the identity moves the common centre of mass, one by the masses not.
TEST(IndexOneModel, ProjectionByTheMassesKeepsLinearMomentum) {
  std::string text = four_bodies();
  text = text.substr(0, text.find("[[spring]]")) + text.substr(text.find("[time]"));
  text = with(text, "-9.81", "0");
  const auto drift = [&](const std::string& projection) {
    const RunResult result =
        run(parse_model(with(text, "scheme", "stabilisation = { projection = \"" + projection + "\" }\nscheme"), "free"));
    EXPECT_EQ(result.status, Status::done);
    return result.linear_drift / result.linear_scale;
  };
  EXPECT_LT(drift("none"), 1e-14);
  EXPECT_LT(drift("s-both-m"), 1e-14);
  EXPECT_GT(drift("s-both"), 1e-9);
}

TEST(IndexOneModel, ClaimsFollowTheWords) {
  EXPECT_EQ(claimed_order(make_scheme("rk4")), 4);
  EXPECT_EQ(claimed_order(make_scheme("hamming")), 4);
  EXPECT_EQ(claimed_order(make_scheme("hamming", {}, {{"start", "published"}})), 3);
  EXPECT_EQ(claimed_order(make_scheme("central-difference")), 2);
  EXPECT_EQ(claimed_order(make_scheme("central-difference", {}, {{"form", "velocity"}})), 1);
  EXPECT_EQ(claimed_order(make_scheme("dormand-prince")), std::nullopt);
  EXPECT_EQ(make_scheme("rk4").options.at("stabilisation"), "s-both x 2");
  EXPECT_EQ(make_scheme("rk4", {}, {}, baumgarte(3, 4)).options.at("stabilisation"), "baumgarte a = 3, b = 4");
}

}  // namespace scheme_index_one
}  // namespace trompo
