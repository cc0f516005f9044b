// [aircraft]: what it stands for, what it refuses, and that its expansion can be read again.
#include "trompo/model/aircraft.hpp"
#include "tests/places.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "tests/aircraft_files.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/check.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace model_aircraft {

using xhale::Json;

// ---- the stored problems ----

// The displacement of the base, as the stored problems say it.
double stored_gust(const Json& problem, double t) {
  double u = 0;
  for (const Json& g : problem["gust"])
    if (t > g["t0"].get<double>() && t <= g["t1"].get<double>())
      u += g["U"].get<double>() * std::pow(std::sin(g["omega"].get<double>() * t), g["x"].get<int>());
  return u;
}

class StoredAircraft : public testing::TestWithParam<xhale::AircraftFile> {};

TEST_P(StoredAircraft, HasTheBodiesOfTheStoredProblem) {
  const Json& problem = xhale::case_named(GetParam().problem)["problem"];
  const Model m = xhale::read(GetParam());
  ASSERT_EQ(m.bodies.size(), problem["bodies"].size());
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    SCOPED_TRACE(m.bodies[i].name);
    const Json& stored = problem["bodies"][i];
    const ResolvedBody body = resolve_body(m.bodies[i]);
    const xhale::Place place = xhale::place(problem, static_cast<int>(i));
    EXPECT_EQ(body.mass, stored["mass"].get<double>());
    EXPECT_LT((body.inertia.diagonal() - xhale::vector(stored["inertia"])).norm(), 1e-15);
    EXPECT_TRUE(body.inertia.isDiagonal(0));
    EXPECT_LT((body.position - place.x).norm(), 1e-14);
    EXPECT_LT((body.velocity - xhale::vector(stored["v"])).norm(), 1e-14);
    EXPECT_LT(body.orientation.angularDistance(place.turn), 1e-14);
  }
}

TEST_P(StoredAircraft, HasItsJointsAndSprings) {
  const Json& problem = xhale::case_named(GetParam().problem)["problem"];
  const Model m = xhale::read(GetParam());
  EXPECT_EQ(m.gravity, xhale::vector(problem["gravity"]));
  std::size_t welds = 0, hinges = 0;
  for (const JointInput& j : m.joints) {
    welds += j.kind == "weld";
    if (j.kind == "hinge") {
      EXPECT_EQ(j.stiffness, problem["torsion"][hinges++]["k"].get<double>());
    }
  }
  EXPECT_EQ(hinges, problem["torsion"].size());
  EXPECT_EQ(welds + hinges, problem["joints"].size());
  ASSERT_EQ(m.springs.size(), problem["springs"].size());
  const bool moves = !problem["gust"].empty() && problem["gustmode"] == 0;
  for (const Json& stored : problem["springs"]) {
    const Vec3 point = xhale::vector(stored["r"]), anchor = xhale::vector(stored["anchor"]);
    const auto same = [&](const SpringInput& s) {
      if (!s.from.point->isApprox(point, 0) || s.to.node.empty() == moves) return false;
      if (!moves) return s.to.ground->isApprox(anchor, 1e-15);
      for (const NodeInput& n : m.nodes)
        if (n.name == s.to.node && (n.position - anchor).norm() < 1e-14) return true;
      return false;
    };
    const auto found = std::find_if(m.springs.begin(), m.springs.end(), same);
    ASSERT_NE(found, m.springs.end()) << stored;
    EXPECT_EQ(found->stiffness, stored["k"].get<double>());
    EXPECT_EQ(*found->length, stored["l0"].get<double>());
    EXPECT_EQ(found->damping, stored["c"].get<double>());
  }
}

TEST_P(StoredAircraft, HasItsGustsAndDamage) {
  const Json& problem = xhale::case_named(GetParam().problem)["problem"];
  const Model m = xhale::read(GetParam());
  ASSERT_EQ(m.events.size(), problem["damage"].size());
  for (std::size_t i = 0; i < m.events.size(); ++i) {
    const Json& stored = problem["damage"][i];
    EXPECT_EQ(m.events[i].name, "hinge " + hinge_name(stored["torsion"].get<long>()));
    EXPECT_EQ(m.events[i].at, stored["t"].get<double>());
    EXPECT_EQ(*m.events[i].stiffness, stored["kb"].get<double>());
  }
  for (double t = 0.003; t < 10; t += 0.0371) {
    for (const NodeInput& n : m.nodes) {
      ASSERT_TRUE(n.motion[2] && n.fixed_axes[0] && n.fixed_axes[1]);
      EXPECT_NEAR(n.motion[2]->value(t) - n.position[2], stored_gust(problem, t), 1e-12) << t;
    }
    double force = 0;
    for (const LoadInput& l : m.loads) force += l.force[2].value(t);
    if (problem["gustmode"] != 1) continue;
    const double h = 1e-4,
                 curvature =
                     (stored_gust(problem, t + h) - 2 * stored_gust(problem, t) + stored_gust(problem, t - h)) / (h * h);
    EXPECT_NEAR(force, -0.1 * curvature, 2e-2) << t;  // a curvature of up to 2000, by differences
  }
}

TEST_P(StoredAircraft, ExpandsIntoAFileThatReadsAsTheSameModel) {
  const Model m = xhale::read(GetParam());
  const Model again = parse_model(model_toml(m), "again.toml");
  EXPECT_FALSE(again.aircraft);
  EXPECT_EQ(model_json(again), model_json(m));
  EXPECT_EQ(model_toml(again), model_toml(m));
}

INSTANTIATE_TEST_SUITE_P(Cases, StoredAircraft, testing::ValuesIn(xhale::aircraft_files()), xhale::test_name);

TEST(Expand, EveryFileOfTheProjectReadsAsTheSameModel) {
  for (const char* folder : {"examples", "verification"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(places::source(folder))) {
      if (entry.path().extension() != ".toml" || entry.path().filename() == "statements.toml") continue;
      SCOPED_TRACE(entry.path().string());
      const Model m = read_model(entry.path().string());
      EXPECT_EQ(model_json(parse_model(model_toml(m), "again.toml")), model_json(m));
    }
}

TEST(Expand, GivesTheSameRun) {
  const Model m = xhale::read(xhale::aircraft_file("16 gust + damage 2-3 (wings up)"), {"time.step=0.01", "time.end=6"});
  const RunResult a = run(m), b = run(parse_model(model_toml(m), "again.toml"));
  EXPECT_EQ(a.state.q, b.state.q);
  EXPECT_EQ(a.state.v, b.state.v);
  EXPECT_EQ(a.ledger.events(), b.ledger.events());
}

// ---- any aircraft ----

const std::string time = "\n[time]\nstep = 0.01\nend = 10\nscheme = \"energy-momentum-exact\"\n";
Model aircraft(const std::string& words) { return parse_model("[aircraft]\n" + words + time, "test.toml"); }

TEST(Aircraft, AloneIsThePublishedOneUnderGravity) {
  const Model m = aircraft("");
  EXPECT_EQ(m.bodies.size(), 16u);
  EXPECT_EQ(m.springs.size(), 12u);
  EXPECT_EQ(m.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(parse_model("gravity = [0, 0, 0]\n[aircraft]\n" + time, "test.toml").gravity, Vec3(0, 0, 0));
  for (const char* name : {"fuselage x", "fuselage y", "fuselage z", "fuselage roll", "fuselage pitch", "fuselage yaw",
                           "angle 1-2", "angle 6-7", "wing1 roll", "wing7 roll"})
    EXPECT_TRUE(std::any_of(m.sensors.begin(), m.sensors.end(), [&](const SensorInput& s) { return s.name == name; })) << name;
  EXPECT_TRUE(aircraft("sensors = false").sensors.empty());
}

TEST(Aircraft, IsTheSameFromCpp) {
  AircraftInput input;
  input.wings = 3;
  input.mount.kind = "free";
  Model m;
  m.gravity = Vec3(0, 0, -9.81);
  expand(input, m);
  m.time.step = 0.01;
  m.time.steps = 10;
  m.time.scheme = "energy-momentum-exact";
  EXPECT_EQ(run(m).status, Status::done);
  input.wings = 4;
  EXPECT_THROW(expand(input, m), ModelError);
}

// Open chains, odd masses, any attitude.
AircraftInput random_aircraft() {
  AircraftInput a;
  a.wings = *rc::gen::inRange(1L, 12L);
  if (a.wings % 2 == 0) a.centre = *rc::gen::inRange(1L, a.wings + 1);
  const auto some = [](double low, double high) { return low + (high - low) * 1e-4 * *rc::gen::inRange(0, 10001); };
  const auto each = [&](long count, double low, double high) {
    PerPart values;
    for (long i = 0; i < count; ++i) values.push_back(some(low, high));
    return values;
  };
  a.wing.span = each(a.wings, 0.5, 2);
  a.wing.mass = each(a.wings, 0.1, 3);
  a.fuselage.side = some(0.2, 2);
  a.dihedral_degrees = a.wings > 1 ? each(a.wings - 1, -170, 170) : PerPart{0};
  if (*rc::gen::inRange(0, 2) == 1) a.gear.on = PerPart{static_cast<double>(*rc::gen::inRange(1L, a.wings + 1))};
  if (*rc::gen::inRange(0, 2) == 1) a.motor.on = PerPart{};
  a.position = Vec3(some(-3, 3), some(-3, 3), some(-3, 3));
  a.velocity = Vec3(some(-3, 3), some(-3, 3), some(-3, 3));
  a.angular_velocity = Vec3(some(-3, 3), some(-3, 3), some(-3, 3));
  a.orientation.axis = Vec3(some(-1, 1), some(-1, 1), 1);
  a.orientation.degrees = some(-180, 180);
  a.mount.kind = *rc::gen::elementOf(std::vector<std::string>{"springs", "free"});
  return a;
}

Model model_of(const AircraftInput& a) {
  Model m;
  expand(a, m);
  m.time.step = 0.001;
  m.time.steps = 1;
  m.time.scheme = "energy-momentum-exact";
  return m;
}

double angle_at_start(const Model& m, const System& system, const std::string& joint) {
  const State state = initial_state(m, system);
  for (const Joint& j : system.joints())
    if (j.name == joint) return state.q[j.angle];
  throw std::invalid_argument(joint);
}

RC_GTEST_PROP(AircraftProperty, ChainClosesAndMovesAsOne, ()) {
  const AircraftInput a = random_aircraft();
  const Model m = model_of(a);
  const System system(m);
  const State state = initial_state(m, system);  // refuses joints that are open, or that velocities open
  VecX error = VecX::Zero(system.multipliers()), size = error;
  system.constraint_errors(state.q, error, size);
  RC_ASSERT(error.cwiseAbs().maxCoeff() < 1e-13);
  system.constraint_error_rates(state.q, state.v, error, size);
  RC_ASSERT(error.cwiseAbs().maxCoeff() < 1e-12);
  for (long k = 0; k + 1 < a.wings; ++k) {
    const double given =
        a.dihedral_degrees.size() == 1 ? a.dihedral_degrees[0] : a.dihedral_degrees[static_cast<std::size_t>(k)];
    const double angle = angle_at_start(m, system, "hinge " + hinge_name(k));
    RC_ASSERT(std::abs(std::remainder(angle - given * std::numbers::pi / 180, 2 * std::numbers::pi)) < 1e-12);
  }
}

RC_GTEST_PROP(AircraftProperty, WeighsWhatItsPartsWeigh, ()) {
  const AircraftInput a = random_aircraft();
  const Model m = model_of(a);
  double mass = a.fuselage.mass, found = 0;
  for (const double wing : a.wing.mass) mass += wing;
  mass += a.gear.mass[0] * static_cast<double>(panels_of(a.gear.on, a).size());
  mass += a.motor.mass[0] * static_cast<double>(panels_of(a.motor.on, a).size());
  for (const BodyInput& b : m.bodies) found += resolve_body(b).mass;
  RC_ASSERT(std::abs(found - mass) < 1e-12 * mass);
}

RC_GTEST_PROP(AircraftProperty, IsItsOwnMirrorImage, ()) {
  AircraftInput a;
  a.wings = 1 + 2 * *rc::gen::inRange(0L, 8L);
  a.dihedral_degrees = {0.01 * *rc::gen::inRange(-9000, 9000)};
  const Model m = model_of(a);
  for (long k = 1; k <= a.wings; ++k)
    for (const char* kind : {"wing", "gear", "motor"}) {
      const auto body = [&](long panel) {
        return std::find_if(m.bodies.begin(), m.bodies.end(),
                            [&](const BodyInput& b) { return b.name == kind + std::to_string(panel); });
      };
      const auto left = body(k), right = body(a.wings + 1 - k);
      RC_ASSERT((left == m.bodies.end()) == (right == m.bodies.end()));
      if (left == m.bodies.end()) continue;
      const Vec3 x = *left->position, y = *right->position;
      RC_ASSERT(x[0] == y[0] && x[1] == -y[1] && x[2] == y[2]);  // to the last digit
      const Vec<4> p = *left->orientation.quaternion, q = *right->orientation.quaternion;
      RC_ASSERT(p[0] == q[0] && p[1] == -q[1]);
    }
}

RC_GTEST_PROP(AircraftProperty, ExpandsIntoAFileThatReadsAsTheSameModel, ()) {
  const Model m = model_of(random_aircraft());
  RC_ASSERT(model_json(parse_model(model_toml(m), "again.toml")) == model_json(m));
}

// ---- gusts ----

double base(const Model& m, std::size_t axis, double t) {
  return m.nodes.front().motion[axis]->value(t) - m.nodes.front().motion[axis]->value(0);
}

TEST(AircraftGust, ShapesAlongEveryAxis) {
  const Model m = aircraft(
      "[[aircraft.gust]]\nshape = \"1-cosine\"\naxis = \"x\"\namplitude = 0.4\nstart = 1\nend = 3\n"
      "[[aircraft.gust]]\nshape = \"sine\"\naxis = \"y\"\namplitude = 0.2\nfrequency = 0.25\nstart = 2\nend = 4\n"
      "[[aircraft.gust]]\nshape = \"table\"\naxis = \"z\"\ntable = [[1, 0], [2, 0.5], [4, 0.25]]\n");
  EXPECT_EQ(base(m, 0, 1), 0);
  EXPECT_NEAR(base(m, 0, 1.5), 0.2, 1e-14);
  EXPECT_NEAR(base(m, 0, 2), 0.4, 1e-14);
  EXPECT_NEAR(base(m, 0, 3.5), 0, 1e-14);
  EXPECT_NEAR(base(m, 1, 3), 0.2, 1e-14);
  EXPECT_EQ(base(m, 1, 1.9), 0);
  EXPECT_NEAR(base(m, 2, 1.5), 0.25, 1e-14);
  EXPECT_NEAR(base(m, 2, 3), 0.375, 1e-14);
  EXPECT_NEAR(base(m, 2, 9), 0.25, 1e-14);
  EXPECT_TRUE(std::holds_alternative<TimeFunction::Table>(m.nodes.front().motion[2]->form()));
}

TEST(AircraftGust, TablesAddToOtherShapes) {
  const Model m = aircraft(
      "[[aircraft.gust]]\namplitude = 0.4\nstart = 1\nend = 3\n"
      "[[aircraft.gust]]\nshape = \"table\"\ntable = [[0, 0], [2, 0.5], [4, 0.25]]\n");
  EXPECT_NEAR(base(m, 2, 2), 0.9, 1e-14);
  EXPECT_NEAR(base(m, 2, 3), 0.375, 1e-14);
  EXPECT_NEAR(base(m, 2, 7), 0.25, 1e-14);
  EXPECT_EQ(run(m).status, Status::done);
}

// ---- what is refused ----

std::vector<Diagnostic> errors(const std::string& words) {
  try {
    (void)aircraft(words);
  } catch (const ModelError& error) {
    return error.diagnostics;
  }
  return {};
}
std::vector<std::string> warnings(const std::string& words) {
  std::vector<std::string> texts;
  for (const Diagnostic& d : check(aircraft(words))) texts.push_back(d.text());
  return texts;
}

struct Saying {
  const char *words, *message;
};

TEST(AircraftRefusal, NamesLineReasonAndRemedy) {
  static constexpr Saying bad[] = {
      {"wings = 6",
       "test.toml:2: error: 6 wing panels have no centre panel to sit on the fuselage; give an odd number, or say "
       "which panel: centre = 3"},
      {"wings = 0", "test.toml:2: error: an aircraft without wing panels has nowhere to hang gears and motors; give an odd"},
      {"wings = -1", "test.toml:2: error: 'wings' in [aircraft] is -1, but must not be negative"},
      {"wings = 1000001", "test.toml:2: error: 'wings' in [aircraft] is 1000001, but must be between 0 and 10000"},
      {"wings = 100001", "test.toml:2: error: 'wings' in [aircraft] is 100001, but must be between 0 and 10000"},
      {"wings = 10002", "test.toml:2: error: 'wings' in [aircraft] is 10002, but must be between 0 and 10000"},
      {"wings = 2.5", "test.toml:2: error: 'wings' in [aircraft]: expected a whole number"},
      {"wings = 3\ncentre = 4",
       "test.toml:3: error: the centre panel is number 4, but there are 3 panels; panels are numbered"},
      {"gear = { on = [1, 9] }",
       "test.toml:2: error: a gear hangs on panel 9, which does not exist; panels are numbered from 1 "
       "to 7"},
      {"motor = { on = [1.5] }", "test.toml:2: error: a motor hangs on panel 1.5, which does not exist"},
      {"motor = { on = [2, 2] }", "test.toml:2: error: two motors hang on panel 2 in one place; give them an `x` or `y` each"},
      {"gear = { mass = [1, 2] }", "test.toml:2: error: `mass` has 2 entries, but there are 4 gears; give one number for all"},
      {"wing = { mass = 0 }", "test.toml:2: error: 'mass' in wing in [aircraft] is 0, but must be positive"},
      {"wing = { mas = 1 }", "test.toml:2: error: unknown key 'mas' in wing in [aircraft]; did you mean 'mass'?"},
      {"dihedral_degrees = [1, 2]",
       "test.toml:2: error: `dihedral_degrees` has 2 entries, but 7 wing panels have 6 hinges; give one number"},
      {"dihedral_degrees = 200", "test.toml:2: error: a dihedral angle is 200 degrees"},
      {"hinge_stiffness = [1, 2, 3]", "test.toml:2: error: `hinge_stiffness` has 3 entries"},
      {"hinge_stiffness = -1", "test.toml:2: error: 'hinge_stiffness' in [aircraft] is -1, but must not be negative"},
      {"pattern = \"odd\"", "test.toml:2: error: 'pattern' in [aircraft] is 'odd', but must be \"symmetric\" or"},
      {"mount = { kind = \"glue\" }", "test.toml:2: error: 'kind' in mount in [aircraft] is 'glue', but must be \"springs\""},
      {"mount = { stiffness = 0, damping = 0 }",
       "test.toml:2: error: the mount has neither stiffness nor damping; give it one"},
      {"orientation = { axis = [1, 0, 0] }", "test.toml:2: error: the orientation of body 'fuselage' has an `axis` but no"},
      {"[[aircraft.damage]]\n"
       "hinge = \"7-8\"\nat = 1\nstiffness = 1",
       "test.toml:3: error: the damage at t = 1: there is no hinge '7-8'; its hinges are 1-2 to 6-7"},
      {"[[aircraft.damage]]\n"
       "hinge = \"1-2\"\nat = 1\nstiffness = 300",
       "test.toml:5: error: the damage at t = 1 makes hinge '1-2' stiffer: from 200 to 300 N m/rad; damage takes stiffness "
       "away"},
      {"[[aircraft.damage]]\n"
       "hinge = \"1-2\"\nat = 2\nstiffness = 150\n"
       "[[aircraft.damage]]\n"
       "hinge = \"1-2\"\nat = 1\nstiffness = 100",
       "test.toml:5: error: the damage at t = 2 makes hinge '1-2' stiffer: from 100 to 150"},
      {"[[aircraft.damage]]\n"
       "hinge = \"1-2\"\nat = -1\nstiffness = 1",
       "test.toml:4: error: 'at' of damage number 1 in [aircraft] is -1"},
      {"[[aircraft.gust]]\n"
       "amplitude = 1",
       "test.toml:2: error: gust 1 has no `end`; give it: the shape 1-cosine"},
      {"[[aircraft.gust]]\n"
       "start = 1\nend = 2",
       "test.toml:2: error: gust 1 has no `amplitude`; give it"},
      {"[[aircraft.gust]]\n"
       "amplitude = 1\nstart = 2\nend = 1",
       "test.toml:5: error: gust 1 ends at t = 1 but starts at t = 2"},
      {"[[aircraft.gust]]\n"
       "shape = \"sine\"\namplitude = 1",
       "test.toml:2: error: gust 1 has no `frequency`; give it [Hz]"},
      {"[[aircraft.gust]]\n"
       "shape = \"sine\"\namplitude = 1\nfrequency = 1\nend = 2.25",
       "test.toml:6: error: gust 1 ends with the base displaced by 1 m: it would jump back; end it after whole half waves, "
       "such "
       "as end = 2.5"},
      {"[[aircraft.gust]]\n"
       "shape = \"sine\"\namplitude = 1\nfrequency = 1\nexponent = 3",
       "test.toml:6: error: `exponent` of gust 1: the shape 'sine' has none; remove it"},
      {"[[aircraft.gust]]\n"
       "shape = \"pulse\"\namplitude = 1\nfrequency = 1",
       "test.toml:2: error: gust 1 has no `exponent`"},
      {"[[aircraft.gust]]\n"
       "shape = \"table\"",
       "test.toml:2: error: gust 1 has no `table`; give it: rows [t, displacement]"},
      {"[[aircraft.gust]]\n"
       "shape = \"table\"\ntable = 3",
       "test.toml:4: error: the table of gust 1 is no list of rows"},
      {"[[aircraft.gust]]\n"
       "shape = \"table\"\ntable = [[0, 0], [0, 1]]",
       "test.toml:4: error: 'table' of gust number 1 in [aircraft], row 2: the time 0 does not come after 0"},
      {"[[aircraft.gust]]\n"
       "shape = \"table\"\ntable = [[0, 0, 1]]",
       "row 1: expected [t, value]"},
      {"gust_form = \"fuselage\"\n"
       "[[aircraft.gust]]\n"
       "shape = \"table\"\ntable = [[0, 0], [1, 1]]",
       "test.toml:5: error: gust 1 is a table: its acceleration is a row of blows, which no force can hold"},
      {"mount = { kind = \"rigid\" }\n"
       "[[aircraft.gust]]\n"
       "amplitude = 1\nend = 2",
       "test.toml:3: error: gust 1 has no springs to act through: the mount is rigid"},
      {"position = [0, 0]", "test.toml:2: error: 'position' in [aircraft]: expected 3 entries, found 2"}};
  for (const auto& [words, message] : bad) {
    SCOPED_TRACE(words);
    const auto found = errors(words);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.size(), 1u) << found.back().text();
    EXPECT_NE(found[0].text().find(message), std::string::npos) << "expected: " << message << "\n  in: " << found[0].text();
    const std::string text = found[0].text();  // what must be, or what to do
    EXPECT_TRUE(!found[0].remedy.empty() || text.find("but must") < text.size() || text.find("expected") < text.size()) << text;
  }
}

TEST(AircraftRefusal, NamesAreUniqueOverTheWholeFile) {
  const auto found = errors("[[body]]\nname = \"wing3\"\nmass = 1\nshape = { sphere = 1 }\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].text().find("body 'wing3': the name is taken by a body"), std::string::npos) << found[0].text();
}

TEST(AircraftRefusal, WarnsOfWhatIsOdd) {
  static constexpr Saying odd[] = {
      {"[[aircraft.gust]]\namplitude = 0.1\n"
       "start = 1\nend = 3\n"
       "[[aircraft.gust]]\namplitude = 0.1\n"
       "start = 2\nend = 4",
       "test.toml:8: warning: gust 1 and gust 2 overlap along z from t = 2 to 3: their displacements add; end one before"},
      {"[[aircraft.gust]]\namplitude = 0.1\n"
       "start = 11\nend = 12",
       "test.toml:4: warning: gust 1 never blows: it starts when the run is over"},
      {"[[aircraft.damage]]\nhinge = \"1-2\"\nstiffness = 1\n"
       "at = 10",
       "test.toml:5: warning: the damage at t = 10 never happens: the run ends at t = 10"},
      {"pattern = \"antisymmetric\"\ndihedral_degrees = [1, 2, 3, 4, 5, 6]", "test.toml:2: warning: `pattern` is not used"},
      {"mount = { kind = \"free\", damping = 1 }",
       "test.toml:2: warning: `damping` of the mount is not used; a free mount has"},
      {"gust_form = \"fuselage\"\n[[aircraft.gust]]\nshape = \"sine\"\namplitude = 1\nfrequency = 1\nstart = 1",
       "test.toml:3: warning: gust 1: the base gets a velocity at once at t = 1, a blow"}};
  for (const auto& [words, message] : odd) {
    SCOPED_TRACE(words);
    const auto found = warnings(words);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].find(message), std::string::npos) << found[0];
  }
  EXPECT_TRUE(warnings("").empty());
  EXPECT_TRUE(warnings("[[aircraft.gust]]\namplitude = 0.1\nstart = 1\nend = 2\n"
                       "[[aircraft.gust]]\namplitude = 0.1\nstart = 2\nend = 3")
                  .empty());
}

}  // namespace model_aircraft
}  // namespace trompo
