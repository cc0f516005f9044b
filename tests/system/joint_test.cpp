// Joints: their rows against finite differences, what they leave free, closed loops, reactions, drives, events.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numbers>

#include "tests/places.hpp"
#include "tests/terms.hpp"
#include "trompo/math/dense.hpp"
#include "trompo/measure/angle.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/measure/driven.hpp"
#include "trompo/measure/joint_rows.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace system_joint {

using property::curvature, property::jacobian, property::secant, property::secant_curvature, property::value;

struct RowCase {
  const char* name;
  std::shared_ptr<const void> owner;
  MeasureView phi;
  double size;
  int remembered = -1;  // a coordinate that is no cause of a force
  int time = -1;        // one that has no equation
};
template <class M>
RowCase row_case(const char* name, const M& measure, double size, int remembered = -1, int time = -1) {
  const auto owner = std::make_shared<const M>(measure);
  return {name, owner, view(*owner), size, remembered, time};
}

void expect_derivatives(const RowCase& row) {
  SCOPED_TRACE(row.name);
  const MeasureView& phi = row.phi;
  for (int seed = 0; seed < 5; ++seed) {
    std::srand(static_cast<unsigned>(seed));
    const VecX c0 = VecX::Random(phi.n), c1 = c0 + row.size * VecX::Random(phi.n);
    const VecX s = VecX::Constant(1, 1.3);
    const double h = 1e-6;
    const MatX J = jacobian(phi, c1), K = curvature(phi, c1, s), Ks = secant_curvature(phi, c0, c1, s);
    for (int i = 0; i < phi.n; ++i) {
      const VecX d = h * VecX::Unit(phi.n, i);
      if (i != row.remembered) {
        EXPECT_NEAR(J(0, i), (value(phi, c1 + d) - value(phi, c1 - d))[0] / (2 * h), 1e-7);
        const VecX column = (jacobian(phi, c1 + d) - jacobian(phi, c1 - d)).transpose() * s / (2 * h);
        EXPECT_LT((K.col(i) - column).norm(), 1e-6 * (1 + K.norm()));
      }
      if (i == row.remembered || i == row.time) continue;
      const VecX column = (secant(phi, c0, c1 + d) - secant(phi, c0, c1 - d)).transpose() * s / (2 * h);
      EXPECT_LT((Ks.col(i) - column).norm(), 1e-6 * (1 + Ks.norm()));
    }
    const VecX dc = c1 - c0;
    VecX end = c1;
    if (row.remembered >= 0) end[row.remembered] = c0[row.remembered];
    EXPECT_NEAR(secant(phi, c0, end).row(0).dot(dc), (value(phi, end) - value(phi, c0))[0], 1e-13);
    EXPECT_LT((secant(phi, c0, end) - secant(phi, end, c0)).norm(), 1e-13);
  }
}

TEST(JointRowTest, DerivativesAndSecants) {
  const auto drive = std::make_shared<const TimeFunction>(TimeFunction::parse("0.3*sin(2*t)"));
  for (const RowCase& row : {row_case("Difference", Difference{}, 0.3), row_case("Dot", Dot{0.2}, 0.3),
                             row_case("Across", Across{0.1}, 0.3), row_case("KeptDistance", KeptDistance{1.5}, 0.3),
                             row_case("Angle", Angle{0.2}, 0.05, 9), row_case("Angle, a short step", Angle{0.2}, 1e-5, 9),
                             row_case("Driven", Driven<Elongation>{Elongation(0), drive}, 0.2, -1, 6)})
    expect_derivatives(row);
}

TEST(JointRowTest, AngleCountsFullTurns) {
  Vec<10> c;
  double remembered = 0;
  for (int k = 0; k <= 100; ++k) {
    const double theta = 0.2 * k;
    c << std::cos(theta), std::sin(theta), 0, 1, 0, 0, 0, 1, 0, remembered;
    remembered = Angle::theta(c);
    EXPECT_NEAR(remembered, theta, 1e-12);
  }
}

std::string bodies(int n) {
  std::string text = "gravity = [0.3, -0.2, -9.81]\n";
  for (int b = 0; b < n; ++b)
    text += fmt::format(
        "[[body]]\nname = \"b{}\"\nmass = {}\ninertia = [[0.3, 0.02, 0.01], [0.02, 0.4, 0.03], [0.01, 0.03, 0.5]]\n"
        "position = [{}, 0.1, 0.2]\norientation = {{ axis = [1, 2, 3], degrees = {} }}\n",
        b, 1 + 0.3 * b, b, 20 * b);
  return text;
}
constexpr const char* time_of = "[time]\nstep = 0.01\nsteps = 200\nscheme = \"energy-momentum-exact\"\n";

struct Freedom {
  const char* joint;
  int left;
};

// What a freedom moves of the free coordinates: itself, or the parts of a frame that a turn in space moves.
Eigen::MatrixXd motions(const System& system, const VecX& q) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(system.equations(), system.freedoms());
  int plain = 3 * static_cast<int>(system.bodies().size());
  for (int e = 0; e < system.equations(); ++e) {
    const int c = system.free()[e], b = system.body_of(c);
    if (b < 0) {
      all(e, plain++) = 1;
      continue;
    }
    const int part = (c - system.bodies()[b].first) / 3, i = (c - system.bodies()[b].first) % 3;
    all.block<1, 3>(e, 3 * b) = q.segment<3>(system.bodies()[b].first + 3 * part).cross(Vec3::Unit(i)).transpose();
  }
  return all;
}

// How many rows of joints say at this place what others say.
Eigen::Index repetitions(const System& system, const VecX& q) {
  return system.multipliers() - pivoted_qr((system.jacobian(q) * motions(system, q)).rowwise().normalized(), 1e-7).rank;
}

// The guide has a row for each kind, with the keys it takes, and no other.
TEST(Joints, TheGuideNamesThemAll) {
  std::ifstream file(places::source("docs/guide.md"));
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  const std::size_t from = guide.find("| joint | what is left free |"), to = guide.find("\n\n", from);
  ASSERT_NE(from, std::string::npos);
  const std::string table = guide.substr(from, to - from);
  for (const JointKind& kind : joint_kinds()) {
    const std::string row =
        "\n| `" + std::string(kind.name) + " = " + std::string(kind.about.substr(0, kind.about.find(':'))) + "` |";
    EXPECT_NE(table.find(row), std::string::npos) << row;
  }
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + std::ssize(joint_kinds()));
}

// Degrees of freedom that a joint leaves between a body and the ground, energy, constraint errors, and that no row is idle.
TEST(JointTest, EveryKindLeavesWhatItShould) {
  const Freedom kinds[] = {
      {"weld = { at = [0.3, 0.2, 0.1] }", 0},
      {"hinge = { axis = [1, 1, 0], at = [0.3, 0.2, 0.1] }", 1},
      {"ball = { at = [0.3, 0.2, 0.1] }", 3},
      {"universal = { axis = [1, 1, 0], other_axis = [1, -1, 1], at = [0.3, 0.2, 0.1] }", 2},
      {"cylindrical = { axis = [0, 1, 2], at = [0.3, 0.2, 0.1] }", 2},
      {"prismatic = { axis = [0, 1, 2], at = [0.3, 0.2, 0.1] }", 1},
      {"planar = { axis = [0, 1, 2], at = [0.3, 0.2, 0.1] }", 3},
      {"distance = { from = [0, 1, 0], at = [0.3, 0.2, 0.1] }", 5},
      {"line = { axis = [0, 1, 2], at = [0.3, 0.2, 0.1] }", 4},
      {"plane = { axis = [0, 1, 2], at = [0.3, 0.2, 0.1] }", 5},
      {"circle = { axis = [0, 0, 1], from = [1, 1, 0.1], at = [0.3, 0.2, 0.1] }", 4},
      {"bushing = { at = [0.3, 0.2, 0.1] }\nstiffness_along = [50, 60, 70]\nstiffness_about = [5, 6, 7]", 6}};
  for (const Freedom& kind : kinds)
    for (const char* formulation : {"directors", "rotation"})
      for (const bool to_body : {false, true}) {
        SCOPED_TRACE(std::string(kind.joint) + " " + formulation);
        const std::string text = fmt::format("formulation = \"{}\"\n", formulation) + bodies(to_body ? 2 : 1) +
                                 "[[joint]]\nname = \"j\"\nbodies = [\"" + (to_body ? "b1" : "ground") + "\", \"b0\"]\n" +
                                 kind.joint + "\n" + time_of;
        const Model model = parse_model(text, "joint");
        const System system(model);
        EXPECT_TRUE(system.rows_in_loops().empty());
        const State start = initial_state(model, system);
        const Eigen::MatrixXd rows = system.jacobian(start.q) * motions(system, start.q);
        if (rows.rows() > 0) {
          EXPECT_EQ(pivoted_qr(rows.transpose(), 1e-10).rank, rows.rows()) << "an idle row";
        }
        EXPECT_EQ(system.freedoms() - static_cast<int>(rows.rows()), kind.left + (to_body ? 6 : 0));
        const RunResult result = run(model, system, scheme_of(model));
        ASSERT_EQ(result.status, Status::done);
        EXPECT_LT(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
        EXPECT_LT(std::abs(result.total.final - result.total.initial), 1e-12 * result.ledger.scale());
        EXPECT_LT(result.constraint_error_max, 1e-12);
      }
}

// A wing hinged to another, free in space: everything is kept.
TEST(JointTest, FreeJointedBodiesKeepMomenta) {
  for (const char* formulation : {"directors", "rotation"}) {
    std::string text = fmt::format("formulation = \"{}\"\n", formulation) + bodies(3) + R"toml(
[[joint]]
name = "h"
bodies = ["b0", "b1"]
hinge = { axis = [0, 1, 1], at = [0.5, 0, 0] }
stiffness = 30
rest = "as drawn"
[[joint]]
name = "u"
bodies = ["b1", "b2"]
ball = { at = [1.5, 0, 0] }
)toml" + time_of;
    text.replace(text.find("gravity = [0.3, -0.2, -9.81]"), 28, "gravity = [0, 0, 0]");
    text.replace(text.find("name = \"b0\""), 11, "angular_velocity = [1, 2, 3]\nname = \"b0\"");
    const std::string overrides[] = {"time.initial_projection=true", "time.steps=2000"};
    const RunResult result = run(parse_model(text, "free", overrides));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_LT(result.linear_drift, 1e-11 * result.linear_scale);
    EXPECT_LT(result.angular_drift, 1e-11 * result.angular_scale);
    EXPECT_LT(std::abs(result.total.final - result.total.initial), 1e-11 * result.ledger.scale());
    EXPECT_LT(result.constraint_error_max, 1e-12);
  }
}

TEST(JointTest, PlaneLinkageInSpaceHasThreeRowsTooMany) {
  const Model model = read_model(places::source("examples/four_bar.toml"));
  const System system(model);
  EXPECT_EQ(repetitions(system, initial_state(model, system).q), 3);
  EXPECT_EQ(system.freedoms() - system.multipliers(), 1 - 3);
  const RunResult result = run(model, system, scheme_of(model));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT(std::abs(result.total.final - result.total.initial), 1e-11 * result.ledger.scale());
  EXPECT_LT(result.constraint_error_max, 1e-12);
  EXPECT_EQ(result.not_unique.size(), 4U);
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_NEAR(result.state.q[system.bodies()[b].first + 2], 0, 1e-9);
    EXPECT_NEAR(result.state.q[system.bodies()[b].first + 11], 1, 1e-12);
  }
}

// Folded flat, the linkage is singular; the row that says nothing there is needed as soon as it moves.
TEST(JointTest, SingularStartLosesNoNeededRow) {
  std::string text = "gravity = [0, 0, 0]\n";
  const auto bar = [&](const char* name, double x, double length) {
    text += fmt::format("[[body]]\nname = \"{}\"\nmass = 1\nshape = {{ box = [{}, 0.1, 0.1] }}\nposition = [{}, 0, 0]\n", name,
                        length, x);
  };
  bar("a", 0.5, 1);
  bar("b", 2, 2);
  bar("c", 2.5, 1);
  const auto hinge = [&](const char* name, const char* first, const char* second, double x) {
    text +=
        fmt::format("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\nhinge = {{ axis = [0, 0, 1], at = [{}, 0, 0] }}\n",
                    name, first, second, x);
  };
  hinge("A", "ground", "a", 0);
  hinge("B", "a", "b", 1);
  hinge("C", "b", "c", 3);
  hinge("D", "c", "ground", 2);
  text.replace(text.find("position = [0.5"), 0, "angular_velocity = [0, 0, 1]\nvelocity = [0, 0.5, 0]\n");
  const Model model = parse_model(text + time_of, "flat", std::vector<std::string>{"time.initial_projection=true"});
  const System system(model);
  EXPECT_EQ(repetitions(system, initial_state(model, system).q), 4);
  const RunResult result = run(model, system, scheme_of(model));
  ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
  EXPECT_GT(std::abs(result.state.q[system.joints()[0].angle]), 0.05);
  EXPECT_EQ(repetitions(system, result.state.q), 3);
  EXPECT_LT(result.constraint_error_max, 1e-11);
}

// A slide and a hinge between the same bodies hold them together four times too often.
TEST(JointTest, BodiesHeldTogetherTwiceRun) {
  const std::string text = R"(
[[body]]
name = "a"
position = [1.2017, -0.8961, -0.0542]
mass = 0.661
shape = { plate = [0.6659, 0.3449] }
[[joint]]
name = "root"
bodies = ["ground", "a"]
hinge = { axis = [0.1174, 0.7858, -0.6898], at = [0.4092, -0.3051, -0.0185] }
[[body]]
name = "b"
position = [1.6088, -1.7189, 1.1321]
mass = 3.1697
shape = { sphere = 0.3449 }
[[joint]]
name = "slide"
bodies = ["a", "b"]
prismatic = { axis = [-0.9484, 0.2146, 0.511], at = [1.5165, -1.5323, 0.863] }
[[joint]]
name = "pin"
bodies = ["a", "b"]
hinge = { axis = [-0.5019, 0.7792, -0.0746], at = [1.4052, -1.3075, 0.5389] }
[time]
step = 0.01
end = 0.05
scheme = "energy-momentum-exact"
)";
  const Model model = parse_model(text, "held twice");
  const System system(model);
  EXPECT_EQ(repetitions(system, initial_state(model, system).q), 4);
  const RunResult result = run(model, system, scheme_of(model));
  EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
  EXPECT_EQ(result.not_unique, (std::vector<std::string>{"slide", "pin"}));
}

// A drawn arm that the repair of the start turns: the hinge remembers where it is, not where it was drawn.
TEST(JointTest, RepairedStartIsRemembered) {
  // A rod from its tip to a place on the ground that is not where the rod was drawn to end.
  const char* ways[][2] = {{"[[body]]\nname = \"rod\"\nmass = 1\nshape = { sphere = 0.3 }\nposition = [1, 0.5, 0]\n"
                            "[[joint]]\nname = \"tip\"\nbodies = [\"arm\", \"rod\"]\nball = { at = [1, 0, 0] }\n"
                            "[[joint]]\nname = \"end\"\nbodies = [\"ground\", \"rod\"]\n"
                            "ball = { from = [0.5, 1.3, 0], at = [1, 1, 0] }",
                            "initial_projection = true"},
                           {"stiffness = 40", "initial_state = \"equilibrium\""}};
  for (const auto& [held, start] : ways) {
    SCOPED_TRACE(start);
    const std::string text = fmt::format(R"(
gravity = [0, -9.81, 0]
[[body]]
name = "arm"
mass = 2
shape = {{ box = [1, 0.1, 0.1] }}
position = [0.5, 0, 0]
[[joint]]
name = "h"
bodies = ["ground", "arm"]
hinge = {{ axis = [0, 0, 1], at = [0, 0, 0] }}
{}
[[sensor]]
name = "angle"
angle = "h"
[time]
step = 0.01
end = 0.05
scheme = "energy-momentum-exact"
{}
)",
                                         held, start);
    const Model model = parse_model(text, "arm");
    const System system(model);
    const State state = initial_state(model, system);
    const double angle = std::atan2(state.q[system.bodies()[0].first + 4], state.q[system.bodies()[0].first + 3]);
    EXPECT_GT(std::abs(angle), 0.1);
    EXPECT_NEAR(state.q[system.joints()[0].angle], angle, 1e-14);
    EXPECT_NEAR(run(model).sensors[0].initial, angle, 1e-14);
  }
}

// Projected velocities of a body that cannot move are rounding, and so is what they are compared with.
TEST(JointTest, ProjectedStartOfABodyThatCannotMoveIsAccepted) {
  const Model model = parse_model(R"(
[[body]]
name = "a"
mass = 1
shape = { box = [0.2, 0.3, 0.4] }
position = [0.3, 0.7, 0.9]
orientation = { axis = [1, 2, 3], degrees = 40 }
velocity = [0.3, 0.5, -0.7]
angular_velocity = [1, 2, -3]
[[joint]]
name = "clamp"
bodies = ["ground", "a"]
weld = { at = [0.1, 0.2, 0.3] }
[time]
step = 0.01
end = 0.05
scheme = "energy-momentum-exact"
initial_projection = true
)",
                                  "clamped");
  const RunResult result = run(model);
  EXPECT_EQ(result.status, Status::done);
  EXPECT_LT(result.state.v.norm(), 1e-12);
}

// Six links along the edges of a cube, each hinge at right angles to its links: mobile, although counting says it is not.
std::string bricard() {
  const Vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const auto link = [&](int k) { return Vec3(corner[(k + 1) % 6] - corner[k % 6]); };
  const auto name = [](int k) { return k == 5 ? std::string("ground") : "link" + std::to_string(k); };
  const auto text_of = [](const Vec3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); };
  std::string text = "gravity = [0, -9.81, 0]\n";
  for (int k = 0; k < 5; ++k)
    text += fmt::format("[[body]]\nname = \"{}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = {}\n", name(k),
                        text_of(0.5 * (corner[k] + corner[k + 1])));
  for (int k = 0; k < 6; ++k)
    text += fmt::format("[[joint]]\nname = \"j{}\"\nbodies = [\"{}\", \"{}\"]\nhinge = {{ axis = {}, at = {} }}\n", k,
                        name((k + 5) % 6), name(k), text_of(link((k + 5) % 6).cross(link(k))), text_of(corner[k]));
  return text;
}

TEST(JointTest, BricardsLinkageMovesInEveryFormulation) {
  const char* ways[][2] = {{"directors", "energy-momentum-exact"},
                           {"rotation", "energy-momentum-exact"},
                           {"directors", "generalized-alpha-1"},
                           {"euler-parameters", "rk4"},
                           {"euler-parameters", "generalized-alpha-1"}};
  std::vector<double> places;
  for (const auto& [formulation, scheme] : ways) {
    SCOPED_TRACE(std::string(formulation) + " " + scheme);
    const Model model = parse_model(fmt::format("formulation = \"{}\"\n", formulation) + bricard() +
                                        fmt::format("[time]\nstep = 0.002\nend = 0.6\nscheme = \"{}\"\n", scheme),
                                    "bricard");
    const System system(model);
    EXPECT_EQ(repetitions(system, initial_state(model, system).q), 1);
    const RunResult result = run(model, system, scheme_of(model));
    ASSERT_EQ(result.status, Status::done);
    EXPECT_LT(result.constraint_error_max, 1e-12);
    places.push_back(result.state.q[system.bodies()[2].first + 1]);
    if (std::string_view(scheme) == "energy-momentum-exact") {
      EXPECT_LT(std::abs(result.total.final - result.total.initial), 1e-12 * result.ledger.scale());
    }
  }
  for (const double place : places) EXPECT_NEAR(place, places.front(), 1e-4);
  EXPECT_GT(std::abs(places.front() + 1), 0.1);  // from where it started
}

TEST(JointTest, ReactionsCarryTheWeight) {
  const std::string text = R"toml(
gravity = [0, 0, -10]
[[body]]
name = "arm"
mass = 2
shape = { box = [1, 0.1, 0.1] }
position = [0.5, 0, 0]
[[joint]]
name = "clamp"
bodies = ["ground", "arm"]
weld = { at = [0, 0, 0] }
[[sensor]]
name = "force"
reaction = "clamp"
axis = "z"
[[sensor]]
name = "moment"
torque = "clamp"
axis = "y"
)toml";
  const RunResult result = run(parse_model(text + time_of, "clamp"));
  EXPECT_NEAR(result.sensors[0].final, 20, 1e-9);
  EXPECT_NEAR(result.sensors[1].final, -10, 1e-9);  // the weight turns the arm down, about +y; the clamp holds it
}

TEST(JointTest, DriveFeedsEnergyInAndTheBooksClose) {
  const RunResult result = run(read_model(places::source("examples/slider_crank.toml")));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_GT(result.ledger.support_work(), 0.1);
  EXPECT_GT(result.ledger.heat(), 0.1);
  EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
}

TEST(EventTest, StiffnessChangesAtItsTimeAndIsBooked) {
  const Model model = read_model(places::source("examples/damaged_chain.toml"));
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT(result.ledger.events(), -1e-3);  // a softer spring holds less
  EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
  EXPECT_EQ(result.steps, 1000);
  // At a time that is no multiple of the step one more step is taken.
  Model odd = model;
  odd.events.front().at = 2.0013;
  EXPECT_EQ(run(odd).steps, 1001);
}

}  // namespace system_joint
}  // namespace trompo
