// [aircraft]: where gears, motors and the centre wing sit, several motors on a panel, each spring of the mount for itself, and
// the angles of panels.
#include <gtest/gtest.h>

#include <cmath>

#include "trompo/model/body.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/run/sensor.hpp"

namespace trompo {
namespace model_aircraft_places {

const std::string time_of_run = "[time]\nstep = 0.01\nsteps = 20\nscheme = \"energy-momentum-exact\"\n";
Model aircraft(const std::string& keys) { return parse_model("[aircraft]\n" + keys + "\n" + time_of_run, "test.toml"); }

const BodyInput& body(const Model& m, const std::string& name) {
  for (const BodyInput& b : m.bodies)
    if (b.name == name) return b;
  throw std::runtime_error("no body " + name);
}
Vec3 place(const Model& m, const std::string& name) { return resolve_body(body(m, name)).position; }

TEST(AircraftPlaces, ThatAreZeroChangeNothing) {
  const Model plain = aircraft("wings = 3"),
              said = aircraft(
                  "wings = 3\nwing = { offset = [0, 0, 0] }\ngear = { x = 0, y = 0 }\nmotor = { x = [0, 0], y = [0, 0] }\n"
                  "mount = { stiffness = [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100] }");
  ASSERT_EQ(plain.bodies.size(), said.bodies.size());
  for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
    EXPECT_EQ(plain.bodies[i].name, said.bodies[i].name);
    EXPECT_EQ(*plain.bodies[i].position, *said.bodies[i].position);
  }
  const RunResult a = run(plain), b = run(said);
  EXPECT_EQ(a.state.q, b.state.q);
  EXPECT_EQ(a.state.v, b.state.v);
}

TEST(AircraftPlaces, CarryGearsMotorsAndTheCentreWing) {
  const std::string base = "wings = 3\ndihedral_degrees = [10, 20]\norientation = { axis = [1, 2, 3], degrees = 25 }\n";
  const Model plain = aircraft(base), moved = aircraft(base +
                                                       "wing = { offset = [0.2, 0.1, 0.3] }\n"
                                                       "gear = { x = 0.1, y = [-0.2, 0.4] }\n"
                                                       "motor = { on = [1, 3, 3], x = 0.5, y = [0, -0.3, 0.3] }\n");
  // In the axes of who carries it.
  const auto shift = [&](const std::string& carrier, const std::string& what, const std::string& before) {
    const ResolvedBody old_carrier = resolve_body(body(plain, carrier)), carrier_now = resolve_body(body(moved, carrier));
    const Vec3 was = old_carrier.orientation.conjugate() * (place(plain, before) - old_carrier.position);
    return Vec3(carrier_now.orientation.conjugate() * (place(moved, what) - carrier_now.position) - was);
  };
  EXPECT_LT((shift("fuselage", "wing2", "wing2") - Vec3(0.2, 0.1, 0.3)).norm(), 1e-14);
  EXPECT_LT((shift("wing1", "gear1", "gear1") - Vec3(0.1, -0.2, 0)).norm(), 1e-14);
  EXPECT_LT((shift("wing3", "gear3", "gear3") - Vec3(0.1, 0.4, 0)).norm(), 1e-14);
  EXPECT_LT((shift("wing1", "motor1", "motor1") - Vec3(0.5, 0, 0)).norm(), 1e-14);
  EXPECT_LT((shift("wing3", "motor3", "motor3") - Vec3(0.5, -0.3, 0)).norm(), 1e-14);
  EXPECT_LT((shift("wing3", "motor3.2", "motor3") - Vec3(0.5, 0.3, 0)).norm(), 1e-14);
  const RunResult result = run(moved);  // joints hold them where they are
  EXPECT_EQ(result.status, Status::done);
  EXPECT_LT(std::abs(result.ledger.residual()), 1e-10 * result.ledger.scale());
}

TEST(AircraftPlaces, GiveEachSpringOfTheMountItsNumbers) {
  const Model m = aircraft(
      "wings = 0\ngear = { on = [] }\nmotor = { on = [] }\n"
      "mount = { axes = [\"x\", \"z\"], stiffness = [1, 2, 3, 4, 5, 6, 7, 8], length = [1, 1, 1, 1, 2, 2, 2, 2], damping = 0.5 "
      "}");
  ASSERT_EQ(m.springs.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(m.springs[i].stiffness, static_cast<double>(i + 1));
    EXPECT_EQ(*m.springs[i].length, i < 4 ? 1 : 2);
    EXPECT_EQ(m.springs[i].damping, 0.5);
    const Vec3 way = *m.springs[i].to.ground - *m.springs[i].from.point;  // natural as drawn
    EXPECT_NEAR(way.norm(), *m.springs[i].length, 1e-15);
  }
  EXPECT_EQ(m.springs[0].name, "mount front left x");
  EXPECT_EQ(m.springs[7].name, "mount rear right z");
}

// The aircraft turned about the fixed axes x, y and z one after the other, by angles that the sensors must give back.
TEST(AircraftPlaces, AnglesOfPanelsAreThoseAboutFixedAxes) {
  const double a = 0.3, b = -0.5, c = 1.1;
  const Mat3 R =
      (Eigen::AngleAxisd(c, Vec3::UnitZ()) * Eigen::AngleAxisd(b, Vec3::UnitY()) * Eigen::AngleAxisd(a, Vec3::UnitX()))
          .toRotationMatrix();
  std::string rows;
  for (int i = 0; i < 3; ++i) {
    rows += i == 0 ? "[" : ", [";
    for (int j = 0; j < 3; ++j) rows += (j == 0 ? "" : ", ") + number_text(R(i, j));
    rows += "]";
  }
  for (const char* wing : {"", "wing = { kind = \"rod\" }\n"}) {
    const Model m = aircraft("wings = 3\ndihedral_degrees = 0\npanel_angles = true\nmount = { kind = \"free\" }\n" +
                             std::string(wing) + "orientation = { matrix = [" + rows + "] }\n");
    const System system(m);
    Sensors sensors(m, system);
    const State state = initial_state(m, system);
    const VecX none = VecX::Zero(system.coordinates()), multipliers = VecX::Zero(system.multipliers());
    std::vector<double> values(sensors.names().size());
    sensors.read({state, none, multipliers, multipliers, none}, values);
    int found = 0;
    for (const auto& [name, angle] : {std::pair{"roll", a}, {"pitch", b}, {"yaw", c}})
      for (const std::string part : {"fuselage ", "wing1 ", "wing2 ", "wing3 "})
        for (std::size_t s = 0; s < values.size(); ++s)
          if (sensors.names()[s] == part + name) {
            ++found;
            if (part == "fuselage " || std::string(name) != "roll") {
              EXPECT_NEAR(values[s], angle, 1e-12) << part << name << wing;
            }
          }
    EXPECT_EQ(found, 12) << wing;
  }
}

std::string refusal(const std::string& keys) {
  try {
    (void)aircraft(keys);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

TEST(AircraftPlaces, RefuseWhatDoesNotFit) {
  const std::pair<const char*, const char*> cases[] = {
      {"gear = { x = 0.6 }", "a gear sits at x = 0.6 of panel 1, which ends at 0.5"},
      {"motor = { y = [0, 1] }", "`y` has 2 entries, but there are 4 motors"},
      {"motor = { on = [3, 3], x = 0.1 }", "two motors hang on panel 3 in one place"},
      {"gear = { on = [3, 3], x = [0.1, 0] }", "two gears hang on panel 3"},
      {"mount = { stiffness = [1, 2] }", "`stiffness` has 2 entries, but there are 12 springs"},
      {"mount = { axes = [\"z\"], damping = [1, 2, 3] }", "`damping` has 3 entries, but there are 4 springs"},
      {"wing = { kind = \"rod\" }\nmotor = { y = 0.1 }", "where the wing is a rod that bends"},
  };
  for (const auto& [keys, what] : cases)
    EXPECT_NE(refusal(keys).find(what), std::string::npos) << keys << ": " << refusal(keys);
}

}  // namespace model_aircraft_places
}  // namespace trompo
