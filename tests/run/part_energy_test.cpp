// Sensors of energy: of each part against its formula, and all parts together against the ledger.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_part_energy {

const std::string parts = R"toml(
gravity = [0, 0, -9.81]
[[node]]
name = "n"
position = [1, 0, 0.5]
velocity = [0, 1, 0]
mass = 2
[[node]]
name = "m"
position = [2, 0, 0.2]
mass = 1
[[bar]]
name = "bar"
nodes = ["n", "m"]
EA = 300
[[body]]
name = "b"
mass = 3
inertia = [0.3, 0.2, 0.4]
position = [0, 0, 1]
angular_velocity = [1, 2, 3]
[[body]]
name = "top"
mass = 1
inertia = [2, 2, 0.5]
fixed_point = [5, 0, 0]
centre = [0, 0, 1]
orientation = { axis = [1, 0, 0], degrees = 30 }
angular_velocity = [0, 0, 8]
[[joint]]
name = "joint"
bodies = ["ground", "b"]
ball = { at = [0, 0, 1] }
stiffness = 4
[[spring]]
name = "spring"
from = { node = "n" }
to = { body = "b" }
stiffness = 20
length = 0.5
[[rod]]
name = "rod"
from = [0, 3, 0]
to = [1, 3, 0]
elements = 3
clamped = "from"
material = { E = 1e7, nu = 0.3, density = 1000 }
section = { circle = 0.05 }
)toml";

std::string energies(const std::vector<std::string>& of) {
  std::string text;
  for (const std::string& name : of) text += fmt::format("[[sensor]]\nname = \"E {0}\"\nenergy = \"{0}\"\n", name);
  return text;
}

TEST(PartEnergyTest, PartsTogetherAreTheWhole) {
  const std::vector<std::string> all{"n", "m", "bar", "b", "top", "joint", "spring", "rod", "rod.0", "rod.1", "rod.2", "rod.3"};
  for (const char* formulation : {"directors", "rotation"}) {
    SCOPED_TRACE(formulation);
    const std::string text = fmt::format("formulation = \"{}\"\n", formulation) + parts + energies(all) +
                             "[time]\nstep = 0.002\nsteps = 100\nscheme = \"energy-momentum-exact\"\n";
    const RunResult r = run(parse_model(text, "parts"));
    ASSERT_EQ(r.status, Status::done);
    double sum = 0;
    for (const Extremes& e : r.sensors) sum += e.final;
    EXPECT_NEAR(sum, r.ledger.total(), 1e-10 * r.ledger.scale());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool alone = all[i] == "top" || all[i] == "rod.0";  // nothing takes energy from the one, nothing moves the other
      EXPECT_EQ(r.sensors[i].max - r.sensors[i].min < 1e-6, alone) << all[i];
    }
  }
}

TEST(PartEnergyTest, PartsAreTheirFormulas) {
  const auto sensor = [](const char* of, const char* part) {
    return fmt::format("[[sensor]]\nname = \"{0} {1}\"\nenergy = \"{0}\"\npart = \"{1}\"\n", of, part);
  };
  const std::string text = parts + sensor("b", "kinetic") + sensor("b", "potential") + sensor("top", "kinetic") +
                           sensor("top", "potential") + sensor("n", "kinetic") + sensor("n", "potential") +
                           sensor("spring", "potential") + energies({"rod.1-2", "rod.0-1", "rod.2-3", "rod"}) +
                           "[time]\nstep = 0.002\nsteps = 100\nscheme = \"energy-momentum-exact\"\n";
  const RunResult r = run(parse_model(text, "parts"));
  const State& s = r.state;
  const auto is = [&](std::size_t i, double expected) {
    EXPECT_NEAR(r.sensors[i].final, expected, 1e-11 * r.ledger.scale()) << i;
  };
  const auto spin = [&](std::size_t b, const Vec3& J) {
    const Vec3 w = s.rotations[b].angular_velocity;
    return 0.5 * w.dot(J.cwiseProduct(w));
  };
  const Vec3 x = s.q.segment<3>(0), v = s.v.segment<3>(0), body = s.q.segment<3>(6), rate = s.v.segment<3>(6);
  is(0, 1.5 * rate.squaredNorm() + spin(0, Vec3(0.3, 0.2, 0.4)));
  is(1, 3 * 9.81 * body.z());
  is(2, spin(1, Vec3(2, 2, 0.5)));
  is(3, 9.81 * s.q[20]);
  is(4, v.squaredNorm());
  is(5, 2 * 9.81 * x.z());
  is(6, 10 * std::pow((x - body).norm() - 0.5, 2));
  is(10, r.sensors[7].final + r.sensors[8].final + r.sensors[9].final);
}

TEST(PartEnergyTest, WhatHasNoneIsRefused) {
  const auto said = [](const std::string& sensor) {
    try {
      (void)parse_model(parts + "[[sensor]]\nname = \"s\"\n" + sensor + "[time]\nstep = 0.01\nend = 1\nscheme = \"krenk\"\n",
                        "m.toml");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(said("energy = \"sprink\"\n").find("there is no part with an energy 'sprink'"), std::string::npos);
  EXPECT_NE(said("energy = \"spring\"\npart = \"kinetic\"\n").find("has no mass of its own"), std::string::npos);
  EXPECT_NE(said("energy = \"b\"\npart = \"damper\"\n").find("an energy has no part 'damper'"), std::string::npos);
  EXPECT_NE(said("torque = \"joint\"\naxis = \"x\"\npart = \"kinetic\"\n").find("measures no energy"), std::string::npos);
  EXPECT_EQ(said("energy = \"b\"\npart = \"kinetic\"\n"), "accepted");
}

}  // namespace run_part_energy
}  // namespace trompo
