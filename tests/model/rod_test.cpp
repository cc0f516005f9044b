// [[rod]]: the parts it stands for, sections, what it refuses, and that its expansion reads as the same.
#include "trompo/model/rod.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"

namespace trompo {
namespace model_rod {

using std::numbers::pi;

const std::string by_hand = "EA = 100\nGA = [30, 40]\nGJ = 5\nEI = [2, 3]\ndensity = 6\n";

// Lines 1 to 4 are [time], 5 is [[rod]], 6 its name.
std::string text(const std::string& keys, const std::string& rest = "") {
  return "[time]\nstep = 1\nsteps = 1\nscheme = \"midpoint\"\n[[rod]]\nname = \"r\"\n" + keys + rest;
}
Model read(const std::string& keys, const std::string& rest = "") { return parse_model(text(keys, rest), "rod.toml"); }

TEST(Rod, IsNodesElementsAndAClamp) {
  const Model m = read("from = [1, 0, 0]\nto = [1, 0, 3]\nelements = 3\nclamped = \"to\"\norientation = [0, 2, 5]\n" + by_hand);
  EXPECT_TRUE(m.rods.empty());
  ASSERT_EQ(m.bodies.size(), 4U);
  ASSERT_EQ(m.rod_elements.size(), 3U);
  double mass = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const ResolvedBody b = resolve_body(m.bodies[i]);
    EXPECT_EQ(m.bodies[i].name, "r." + std::to_string(i));
    EXPECT_LT((b.position - Vec3(1, 0, static_cast<double>(i))).norm(), 1e-15);
    const Mat3 R = to_matrix(b.orientation);
    EXPECT_LT((R.col(0) - Vec3::UnitY()).norm(), 1e-15);
    EXPECT_LT((R.col(2) - Vec3::UnitZ()).norm(), 1e-15);
    mass += b.mass;
  }
  EXPECT_NEAR(mass, 18, 1e-14);
  // density EI / EA over the length of the node
  EXPECT_LT((m.bodies[1].inertia->diagonal() - Vec3(0.12, 0.18, 0.3)).norm(), 1e-15);
  EXPECT_LT((m.bodies[0].inertia->diagonal() - Vec3(0.06, 0.09, 0.15)).norm(), 1e-15);
  EXPECT_EQ(m.rod_elements[1].bodies, (std::array<std::string, 2>{"r.1", "r.2"}));
  EXPECT_DOUBLE_EQ(*m.rod_elements[1].length, 1);
  ASSERT_EQ(m.joints.size(), 1U);
  EXPECT_EQ(m.joints[0].name, "r.to");
  EXPECT_EQ(m.joints[0].bodies, (std::array<std::string, 2>{"ground", "r.3"}));
}

TEST(Rod, FollowsAnArc) {
  const Model m =
      read("from = [2, 0, 0]\nvia = [1.4142135623730951, 0, 1.4142135623730951]\nto = [0, 0, 2]\nelements = 4\n" + by_hand);
  for (std::size_t i = 0; i <= 4; ++i) {
    const double a = static_cast<double>(i) * pi / 8;
    const ResolvedBody b = resolve_body(m.bodies[i]);
    EXPECT_LT((b.position - 2 * Vec3(std::cos(a), 0, std::sin(a))).norm(), 1e-14);
    EXPECT_LT((to_matrix(b.orientation).col(2) - Vec3(-std::sin(a), 0, std::cos(a))).norm(), 1e-14);
    EXPECT_LT((to_matrix(b.orientation).col(0) - Vec3(0, -1, 0)).norm(), 1e-14);  // the normal of the arc
  }
  EXPECT_NEAR(*m.rod_elements[0].length, pi / 4, 1e-14);
}

TEST(Rod, GoesWithTheBodyItHangsOn) {
  const Model m = read("from = { body = \"hub\", point = [0, 1, 0] }\nto = [2, 0, 0]\nelements = 2\n" + by_hand,
                       "[[body]]\nname = \"hub\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\nvelocity = [0, 0, 1]\n"
                       "orientation = { axis = [0, 0, 1], degrees = 90 }\nangular_velocity = [0, 0, 3]\n");
  ASSERT_EQ(m.bodies.size(), 4U);
  EXPECT_LT(m.bodies[1].position->norm(), 1e-15);
  EXPECT_LT((*m.bodies[1].velocity - Vec3(0, -3, 1)).norm(), 1e-14);
  EXPECT_LT((*m.bodies[3].velocity - Vec3(0, 3, 1)).norm(), 1e-14);
  ASSERT_EQ(m.joints.size(), 1U);
  EXPECT_EQ(m.joints[0].bodies, (std::array<std::string, 2>{"hub", "r.0"}));
}

TEST(Rod, SectionsAreWorkedOut) {
  RodInput rod;
  rod.material.E = 200, rod.material.nu = 0.25, rod.material.density = 3;
  rod.section.rectangle = Vec<2>(2, 1);
  RodSection s = section_of(rod);
  EXPECT_DOUBLE_EQ(*s.stiffness.EA, 400);
  EXPECT_NEAR(s.stiffness.EI->at(0), 200 * 2.0 / 12, 1e-12);  // about d1: the edge along d2 bends
  EXPECT_NEAR(s.stiffness.EI->at(1), 200 * 8.0 / 12, 1e-12);
  EXPECT_NEAR(*s.stiffness.GJ, 80 * 0.228682 * 2, 1e-3);  // Timoshenko, Goodier: 0.229 a b^3 for a = 2 b
  EXPECT_NEAR(s.stiffness.GA->at(0), 80 * 2 * 12.5 / 14.75, 1e-12);
  EXPECT_DOUBLE_EQ(s.mass, 6);
  rod.section = {};
  rod.section.tube = Vec<2>(2, 1);
  s = section_of(rod);
  EXPECT_NEAR(*s.stiffness.EA, 200 * 3 * pi, 1e-11);
  EXPECT_NEAR(*s.stiffness.GJ, 80 * 7.5 * pi, 1e-11);
  rod.section = {};
  rod.section.circle = 1;
  rod.material.nu.reset();
  rod.material.G = 80;
  s = section_of(rod);
  EXPECT_NEAR(s.stiffness.EI->at(1), 50 * pi, 1e-12);
  EXPECT_NEAR(s.stiffness.GA->at(1), 80 * pi * 7.5 / 8.5, 1e-12);
  EXPECT_NEAR(s.rotary[0], 3 * pi / 4, 1e-14);
}

TEST(Rod, ExpansionReadsAsTheSame) {
  const std::string arc = "from = [0, 0, 0]\nvia = [1, 1, 0]\nto = [2, 0, 1]\nelements = 3\nclamped = \"from\"\n";
  for (const std::string& more :
       {by_hand,
        by_hand + "nodes_per_element = 3\nmass = \"consistent\"\nprecurvature = [0.1, 0, 0.2]\nload = [0, \"a * sin(t)\", 1]\n"
                  "follower_load = [0, 0, 2]\nmoment_load = [\"t\", 0, 0]\n",
        std::string("material = { E = 1e9, nu = 0.2, density = 1e3 }\nsection = { tube = [0.02, 0.01] }\nload = [0, 0, -1]\n"
                    "potential = true\n")}) {
    const Model m = read(arc + more, "[parameters]\na = 3\n");
    const Model again = parse_model(model_toml(m), "expanded");
    EXPECT_EQ(model_json(again), model_json(m));
    EXPECT_EQ(again.rod_elements.size(), 3U);
  }
}

TEST(Rod, OfThreeNodesHasOneHalfWay) {
  const Model m =
      read("from = [0, 0, 0]\nto = [0, 0, 3]\nelements = 3\nnodes_per_element = 3\nmass = \"consistent\"\nload = [0, 6, 0]\n" +
           by_hand);
  ASSERT_EQ(m.bodies.size(), 7U);
  ASSERT_EQ(m.rod_elements.size(), 3U);
  EXPECT_EQ(m.rod_elements[1].name, "r.2-4");
  EXPECT_EQ(m.rod_elements[1].middle, "r.3");
  EXPECT_DOUBLE_EQ(*m.rod_elements[1].density, 6);
  // Simpson's weights, of masses and of loads
  const double weights[] = {1, 4, 2, 4, 2, 4, 1};
  ASSERT_EQ(m.loads.size(), 7U);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(*m.bodies[i].mass, weights[i], 1e-14);
    EXPECT_NEAR(m.loads[i].force[1].value(0), weights[i], 1e-14);
    EXPECT_NEAR(m.bodies[i].position->z(), 0.5 * static_cast<double>(i), 1e-15);
  }
  EXPECT_EQ(m.loads[3].name, "r.load.3");
  EXPECT_EQ(m.loads[3].on, "r.3");
}

// A helix of radius 1 and pitch 2 pi c: its tangent, its length, and frames that turn about the tangent by the torsion of the
// curve less than Frenet's do, that is not at all.
TEST(Rod, FollowsPointsSmoothly) {
  constexpr double c = 0.4;
  const auto helix = [](double a) { return Vec3(std::cos(a), std::sin(a), c * a); };
  std::string points;
  constexpr int n = 40;
  for (int i = 0; i <= n; ++i) {
    const Vec3 x = helix(2 * pi * i / n);
    points += (i > 0 ? ", [" : "[") + number_text(x.x()) + ", " + number_text(x.y()) + ", " + number_text(x.z()) + "]";
  }
  const Model m = read("points = [" + points + "]\nelements = 50\n" + by_hand);
  const double length = 2 * pi * std::sqrt(1 + c * c);
  EXPECT_NEAR(*m.rod_elements[0].length * 50, length, 1e-4);
  Mat3 before;
  for (std::size_t i = 0; i <= 50; ++i) {
    const double a = 2 * pi * static_cast<double>(i) / 50;
    const Vec3 t = Vec3(-std::sin(a), std::cos(a), c) / std::sqrt(1 + c * c);
    const ResolvedBody b = resolve_body(m.bodies[i]);
    const Mat3 R = to_matrix(b.orientation);
    EXPECT_LT((b.position - helix(a)).norm(), 1e-4);
    EXPECT_LT((R.col(2) - t).norm(), 2e-3);
    if (i > 0) {  // Frenet's would turn by 0.05
      EXPECT_LT(std::abs(axial(Mat3(before.transpose() * R)).z()), 1e-4);
    }
    before = R;
  }
  // twisted by a full turn more, the last frame is the same
  const Model twisted = read("points = [" + points + "]\nelements = 50\ntwist = " + number_text(2 * pi) + "\n" + by_hand);
  EXPECT_LT((to_matrix(resolve_body(twisted.bodies[50]).orientation) - before).norm(), 1e-12);
  EXPECT_GT(
      (to_matrix(resolve_body(twisted.bodies[25]).orientation) - to_matrix(resolve_body(m.bodies[25]).orientation)).norm(), 1);
}

TEST(Rod, StressesOfSections) {
  SectionInput rectangle;
  rectangle.rectangle = Vec<2>(0.2, 0.1);
  const SectionShape shape = shape_of(rectangle);
  EXPECT_NEAR(shape.torsion_modulus, 0.246 * 0.2 * 0.01, 1e-3 * shape.torsion_modulus);  // Timoshenko, Goodier: 0.246 a b^2
  EXPECT_NEAR(shape.I1, 0.2 * 1e-3 / 12, 1e-18);
  EXPECT_EQ(shape.reach2, 0.05);
}

std::string refusal(const std::string& keys, const std::string& rest = "") {
  try {
    (void)read(keys, rest);
  } catch (const ModelError& error) {
    return error.diagnostics.front().text();
  }
  return "nothing";
}

TEST(Rod, RefusesWhatIsNoRod) {
  const std::string line = "from = [0, 0, 0]\nto = [1, 0, 0]\n", good = line + "elements = 2\n";
  const struct {
    std::string keys, message;
  } bad[] = {
      {line + by_hand, "'elements' of rod 'r' is missing"},
      {line + "elements = 0\n" + by_hand, "rod.toml:9: error: 'elements' of rod 'r' is 0, but must be positive"},
      {good + "EA = 0\nGA = 1\nGJ = 1\nEI = 1\ndensity = 1\n", "'EA' of rod 'r' is 0, but must be positive"},
      {good + "EA = 1\nGA = 1\nGJ = 1\nEI = [1, -1]\ndensity = 1\n", "'EI' of rod 'r', entry 2 is -1, but must be positive"},
      {good + "EA = 1\nGA = 1\nGJ = 1\nEI = [1, 1, 1]\ndensity = 1\n", "rod.toml:13: error: rod 'r': EI has 3 numbers"},
      {good + "EA = 1\nGA = 1\nEI = 1\ndensity = 1\n", "rod 'r' has no GJ"},
      {good + "EA = 1\nGA = 1\nGJ = 1\nEI = 1\n", "rod 'r' has no mass"},
      {"from = [1, 0, 0]\nto = [1, 0, 0]\nelements = 2\n" + by_hand, "rod.toml:8: error: rod 'r' has zero length"},
      {"from = 1\nto = [1, 0, 0]\nelements = 2\n" + by_hand, "'from' of rod 'r': expected a list of numbers or a table"},
      {"to = [1, 0, 0]\nelements = 2\n" + by_hand, "rod 'r' does not say where it begins"},
      {good + "orientation = [3, 0, 0]\n" + by_hand, "rod.toml:10: error: rod 'r': `orientation` is along its axis"},
      {good + "orientation = [0, 0, 0]\n" + by_hand, "`orientation` is along its axis"},
      {good + "via = [3, 0, 0]\n" + by_hand, "lie on one line"},
      {good + "clamped = \"middle\"\n" + by_hand, "'clamped' of rod 'r' is 'middle'"},
      {good + "clamped = \"from\"\nvelocity = [1, 0, 0]\n" + by_hand, "is clamped but has the velocity"},
      {"from = { body = \"hup\" }\nto = [1, 0, 0]\nelements = 2\n" + by_hand, "there is no body 'hup'"},
      {good + "material = { E = 1, nu = 0.3, density = 1 }\n", "needs both `material` and `section`"},
      {good + "material = { E = 1, density = 1 }\nsection = { circle = 1 }\n", "needs G or nu"},
      {good + "material = { E = 1, nu = 0.7, density = 1 }\nsection = { circle = 1 }\n", "nu is 0.7"},
      {good + "material = { E = 1, nu = 0.2, density = 1 }\nsection = { tube = [1, 2] }\n", "inner radius"},
      {good + "material = { E = 1, nu = 0.2, density = 1 }\nsection = { circle = 1 }\n" + by_hand, "keep one way"},
      {good + "sides = 3\n" + by_hand, "unknown key 'sides' of rod 'r'"},
      {good + "nodes_per_element = 4\n" + by_hand, "has 4 nodes per element"},
      {good + "nodes_per_element = 3\nstrain = \"helix\"\n" + by_hand, "a helix is found from two nodes, not from three"},
      {good + "strain = \"heliks\"\n" + by_hand, "'heliks'"},
      {good + "mass = \"heavy\"\n" + by_hand, "'mass' of rod 'r' is 'heavy'"},
      {"points = [[0, 0, 0]]\nelements = 2\n" + by_hand, "fewer than two points"},
      {"points = [[0, 0, 0], [1, 0]]\nelements = 2\n" + by_hand, "'points' of rod 'r', row 2: expected 3 entries"},
      {"points = [[0, 0, 0], [0, 0, 0], [1, 0, 0]]\nelements = 2\n" + by_hand, "points 1 and 2 are the same place"},
      {"points = [[0, 0, 0], [1, 0, 0], [1, 1, 0]]\nelements = 2\n" + by_hand, "turns by 90 degrees at point 2"},
      {good + "points = [[0, 0, 0], [1, 0, 0]]\n" + by_hand, "has both `points` and `from`"},
      {good + "load = [0, \"1/t\", 0]\n" + by_hand, "`load` is not finite"},
      {good + "load = [0, \"t\", 0]\npotential = true\n" + by_hand, "its load changes"},
      {good + "load = [0, 1, 0]\nload_table = [[0, 0, 0, 0]]\n" + by_hand, "has both `load` and `load_table`"},
      {good + "follower_load = [0, \"r.0.x\", 0]\n" + by_hand, "depends on coordinates"},
  };
  for (const auto& [keys, message] : bad) {
    const std::string said = refusal(keys);
    EXPECT_NE(said.find(message), std::string::npos) << said << "\nexpected: " << message;
  }
  EXPECT_NE(refusal(good + by_hand, "[[rod]]\nname = \"r\"\nfrom = [0, 1, 0]\nto = [1, 1, 0]\nelements = 1\n" + by_hand)
                .find("the name is taken"),
            std::string::npos);
}

std::vector<Diagnostic> remarks(const std::string& keys, const std::string& rest = "") { return check(read(keys, rest)); }

TEST(Rod, WarnsOfRodsThatMeetUnjoined) {
  const std::string a = "from = [0, 0, 0]\nto = [1, 0, 0]\nelements = 2\n" + by_hand;
  const auto b = [&](const std::string& keys) { return "[[rod]]\nname = \"s\"\nelements = 2\n" + by_hand + keys; };
  const auto found = remarks(a, b("from = [1, 0, 0]\nto = [1, 0, 1]\n"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Diagnostic::Severity::warning);
  EXPECT_EQ(
      found[0].text(),
      "rod.toml:15: warning: rods 'r' and 's' meet in 'r.2' and 's.0', but nothing joins them; join them: from = { body = "
      "\"r.2\" }, or a [[joint]] between the two");
  EXPECT_EQ(remarks(a, b("from = [0.5, 0, 0]\nto = [1, 0, 1]\n")).size(), 1U);  // in the middle of the other
  EXPECT_TRUE(remarks(a, b("from = { body = \"r.2\" }\nto = [1, 0, 1]\n")).empty());
  EXPECT_TRUE(remarks(a, b("from = [1, 0, 0]\nto = [1, 0, 1]\n") +
                             "[[joint]]\nname = \"j\"\nbodies = [\"r.2\", \"s.0\"]\nball = { at = [1, 0, 0] }\n")
                  .empty());
}

TEST(Rod, WarnsOfElementsThatAreDrawnTooFarBent) {
  const std::string arc = "from = [1, 0, 0]\nvia = [0, 1, 0]\nto = [-1, 0, 0]\n" + by_hand,
                    quadratic = "strain = \"quadratic\"\n";
  const auto found = remarks(arc + quadratic + "elements = 4\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].message.find("bends by 45 degrees; beyond 45 it carries no more moment, and 3 more"), std::string::npos)
      << found[0].message;
  EXPECT_TRUE(remarks(arc + quadratic + "elements = 8\n").empty());
  EXPECT_TRUE(remarks(arc + "elements = 4\n").empty());
  const auto helix = remarks(arc + "elements = 2\n");
  ASSERT_EQ(helix.size(), 1U);
  EXPECT_NE(helix[0].message.find("bends by 90 degrees; beyond 112 it carries no more moment"), std::string::npos)
      << helix[0].message;
  EXPECT_TRUE(remarks(arc + "elements = 3\nnodes_per_element = 3\n").empty());
  const auto twisted = remarks("from = [0, 0, 0]\nto = [1, 0, 0]\ntwist = 1.4\nelements = 2\n" + quadratic + by_hand);
  ASSERT_EQ(twisted.size(), 1U);
  EXPECT_NE(twisted[0].message.find("twists by 40.1 degrees"), std::string::npos) << twisted[0].message;
}

TEST(Rod, RefusesSensorsOfNoSection) {
  const std::string rod = "from = [0, 0, 0]\nto = [1, 0, 0]\nelements = 2\n" + by_hand;
  const auto said = [&](const std::string& keys) { return refusal(rod, "[[sensor]]\nname = \"q\"\n" + keys); };
  EXPECT_NE(said("section_moment = \"r\"\n").find("needs an axis"), std::string::npos);
  EXPECT_NE(said("section_moment = \"r\"\naxis = \"x\"\nat = 2\n").find("`at` is 2"), std::string::npos);
  EXPECT_NE(said("section_moment = \"s\"\naxis = \"x\"\n").find("there is no rod or rod element 's'"), std::string::npos);
  EXPECT_NE(said("stress = \"r\"\n").find("no section to have a stress in"), std::string::npos);
  EXPECT_NE(said("position = \"r.1\"\naxis = \"x\"\nat = 1\n").find("is no rod"), std::string::npos);
}

TEST(Rod, CountsRods) {
  const std::string a = "from = [0, 0, 0]\nto = [1, 0, 0]\nelements = 2\n" + by_hand;
  EXPECT_EQ(count_rods(read(a)), 1U);
  EXPECT_EQ(count_rods(read(
                a, "[[rod]]\nname = \"s\"\nfrom = [0, 1, 0]\nto = [1, 1, 0]\nelements = 3\nnodes_per_element = 3\n" + by_hand)),
            2U);
}

TEST(Rod, RefusesElementsThatJoinNothing) {
  const std::string body =
      "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n";
  const auto said = [&](const std::string& keys) {
    try {
      (void)parse_model(
          "[time]\nstep = 1\nsteps = 1\nscheme = \"midpoint\"\n" + body + "[[rod_element]]\nname = \"e\"\n" + keys, "rod.toml");
    } catch (const ModelError& error) {
      return error.diagnostics.front().text();
    }
    return std::string("nothing");
  };
  const std::string k = "EA = 1\nGA = 1\nGJ = 1\nEI = 1\n";
  EXPECT_NE(said("bodies = [\"a\", \"c\"]\n" + k).find("there is no body 'c'"), std::string::npos);
  EXPECT_NE(said("bodies = [\"a\", \"a\"]\n" + k).find("joins a body to itself"), std::string::npos);
  EXPECT_NE(said("bodies = [\"a\", \"b\"]\n" + k).find("has zero length"), std::string::npos);
  EXPECT_NE(said("bodies = [\"a\", \"b\"]\nlength = 1\nEA = 1\n").find("has no GA"), std::string::npos);
  EXPECT_EQ(said("bodies = [\"a\", \"b\"]\nlength = 1\n" + k), "nothing");
}

}  // namespace model_rod
}  // namespace trompo
