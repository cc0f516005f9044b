// Springs and dampers along the global axes, against closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace system_axis_spring {

RunResult result_of(const std::string& text, const std::string& scheme, double end) {
  return run(parse_model(text + fmt::format("[time]\nstep = 0.001\nend = {}\nscheme = \"{}\"\n", end, scheme), "axes"));
}

const std::string pair = R"toml(
[[node]]
name = "a"
position = [0, 0, 0]
mass = 2
[[node]]
name = "b"
position = [1, 0, 0]
velocity = [0, 3, -3]
mass = 2
)toml";

// Three oscillators of their own, of the reduced mass 1; each starts where `vector` says.
TEST(AxisSpring, AxesDoNotFeelEachOther) {
  const std::string text = pair + R"toml(
[[spring]]
name = "k"
nodes = ["a", "b"]
stiffness_along = [9, 4, 0]
vector = [0.5, 0, 0]
[[sensor]]
name = "fx"
force = "k"
axis = "x"
[[sensor]]
name = "fy"
force = "k"
axis = "y"
[[sensor]]
name = "E"
energy = "k"
)toml";
  for (const char* scheme : {"energy-momentum-exact", "trapezoidal", "krenk"}) {
    SCOPED_TRACE(scheme);
    const RunResult r = result_of(text, scheme, 1);
    const Vec3 apart = r.state.q.segment<3>(3) - r.state.q.segment<3>(0);
    EXPECT_NEAR(apart.x(), 0.5 + 0.5 * std::cos(3.0), 1e-5);
    EXPECT_NEAR(apart.y(), 1.5 * std::sin(2.0), 1e-5);
    EXPECT_NEAR(apart.z(), -3, 1e-12);
    EXPECT_NEAR(r.sensors[0].final, 9 * (apart.x() - 0.5), 1e-12);
    EXPECT_NEAR(r.sensors[1].final, 4 * apart.y(), 1e-12);
    EXPECT_NEAR(r.sensors[2].final, 4.5 * std::pow(apart.x() - 0.5, 2) + 2 * std::pow(apart.y(), 2), 1e-12);
    EXPECT_LT(r.linear_drift, 1e-12 * r.linear_scale);
    EXPECT_LT(r.ledger.worst_residual(), 1e-11 * r.ledger.scale());
  }
}

TEST(AxisSpring, DampersAndDrawnLengths) {
  // Two points that coincide: along axes that is no trouble.
  const std::string text = R"toml(
[[body]]
name = "p"
mass = 2
inertia = [1, 1, 1]
velocity = [1, 1, 1]
[[spring]]
name = "k"
from = { ground = [0, 0, 0] }
to = { body = "p" }
stiffness_along = [0, 8, 0]
damping_along = [1, 0, 0]
)toml";
  const RunResult r = result_of(text, "energy-momentum-exact", 1);
  EXPECT_NEAR(r.state.v[0], std::exp(-0.5), 1e-6);
  EXPECT_NEAR(r.state.q[1], 0.5 * std::sin(2.0), 1e-5);
  EXPECT_NEAR(r.state.q[2], 1, 1e-12);
  EXPECT_GT(r.ledger.heat(), 0.1);
}

TEST(AxisSpring, MixturesAreRefused) {
  const auto said = [](const std::string& keys) {
    try {
      (void)parse_model(pair + "[[spring]]\nname = \"k\"\nnodes = [\"a\", \"b\"]\n" + keys +
                            "[time]\nstep = 0.01\nend = 1\nscheme = \"krenk\"\n",
                        "axes.toml");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(said("stiffness_along = [1, 2, 3]\nstiffness = 1\n").find("both along its line and along the global axes"),
            std::string::npos);
  EXPECT_NE(said("stiffness_along = [1, -2, 3]\n").find("stiffness_along"), std::string::npos);
  EXPECT_NE(said("stiffness = 1\nvector = [1, 0, 0]\n").find("acts along its line"), std::string::npos);
  EXPECT_NE(said("stiffness_along = [1, 2, 3]\n[[sensor]]\nname = \"s\"\nforce = \"k\"\n").find("needs an axis"),
            std::string::npos);
  EXPECT_NE(said("stiffness_along = [1, 2, 3]\n[[event]]\nat = 0.5\nset = { spring = \"k\", stiffness = 2 }\n")
                .find("along the global axes"),
            std::string::npos);
  EXPECT_EQ(said("stiffness_along = [1, 2, 3]\n"), "accepted");
}

}  // namespace system_axis_spring
}  // namespace trompo
