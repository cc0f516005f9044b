// Numbers that are in range and overflow all the same: in every scheme the run ends as not converged, and nothing that is not
// finite is ever shown.
#include "trompo/run/finite.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "trompo/model/reader.hpp"
#include "trompo/run/modes.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {
namespace run_finite {

class Watch final : public Observer {
 public:
  void sample(const Sample& now) override {
    ++samples;
    const auto all = [](const auto& numbers) {
      return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
    };
    EXPECT_TRUE(all(now.state.q) && all(now.state.v) && all(now.acceleration) && all(now.reaction) && all(now.multiplier) &&
                all(now.constraint_error) && all(now.sensors))
        << "at t = " << now.time;
    EXPECT_TRUE(std::isfinite(now.ledger.total() + now.ledger.residual() + now.ledger.kinetic())) << "at t = " << now.time;
    EXPECT_TRUE(now.momentum.linear.allFinite() && now.momentum.angular.allFinite());
    for (int i = 0; i < bars; ++i) EXPECT_TRUE(std::isfinite(now.system.bar(i, now.state.q).force)) << "at t = " << now.time;
  }
  long samples = 0;
  int bars = 0;
};

bool finite(const Extremes& e) { return std::isfinite(e.min) && std::isfinite(e.max) && std::isfinite(e.final); }

bool all_finite(const RunResult& r) {
  bool good = r.state.q.allFinite() && r.state.v.allFinite() &&
              std::isfinite(r.linear_drift + r.angular_drift + r.constraint_error_max) && r.momentum.linear.allFinite() &&
              r.momentum.angular.allFinite();
  for (const Extremes* e : {&r.total, &r.kinetic, &r.potential}) good = good && finite(*e);
  for (const Extremes& e : r.sensors) good = good && finite(e);
  return good;
}

struct Explosion {
  const char* name;
  std::string model;
  bool must_fail;  // whatever the scheme
};

std::vector<Explosion> explosions() {
  const std::string time = "[time]\nstep = 0.05\nend = 5\nscheme = \"midpoint\"\n";
  return {
      // u'' = exp(u) has no solution beyond 0.2 s.
      {"exponential", "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 5\nrate = 1\npotential = \"-exp(u)\"\n" + time,
       false},
      // Its force is a number for a while; its square is none from the start.
      {"steep", "[[coordinate]]\nname = \"u\"\ninertia = 1e-50\nvalue = 300\npotential = \"-exp(u)\"\n" + time, false},
      // A load beyond every double after 3.5 s, whatever moves.
      {"load",
       "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nmass = 1\n[[load]]\nname = \"l\"\nnode = \"a\"\nforce = [\"exp(200*t)\", "
       "0, "
       "0]\n" +
           time,
       true},
      {"support",
       "[[node]]\nname = \"a\"\nposition = [1, 0, 0]\nmass = 1\n[[node]]\nname = \"b\"\nposition = [0, 0, 0]\nmotion = { x = "
       "\"exp(200*t) - 1\" }\nfixed_axes = [\"y\", \"z\"]\n[[spring]]\nname = \"s\"\nnodes = [\"a\", \"b\"]\nstiffness = 10\n" +
           time,
       true},
      {"stiff",
       "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"b\"\nposition = [1e-40, 0, 0]\nvelocity "
       "= "
       "[0, 1e50, 0]\nmass = 1e-50\n[[bar]]\nname = \"r\"\nnodes = [\"a\", \"b\"]\nEA = 1e50\nstrain = \"green\"\n" +
           time,
       false},
      // By rk4 and hamming its energy passes 1e300 while all of the state are numbers; the squares in a bar's force are none.
      {"fast",
       "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"b\"\nposition = [0, -3.0443, 0]\n"
       "velocity = [7.72, 9e18, 0]\nmass = 10\n[[bar]]\nname = \"r\"\nnodes = [\"a\", \"b\"]\nEA = 1e10\n" +
           time,
       false},
      {"body",
       "[[body]]\nname = \"top\"\nmass = 1e-50\ninertia = [1e-50, 1e-50, 1e-50]\nangular_velocity = [1e50, 1e50, 1]\n"
       "[[load]]\nname = \"l\"\nbody = \"top\"\ntorque = [1e50, \"exp(200*t)\", 0]\n" +
           time,
       true},
  };
}

class Explodes : public testing::TestWithParam<Explosion> {};

TEST_P(Explodes, InEverySchemeWithoutAResultThatIsNoNumber) {
  int tried = 0;
  for (const Row& row : catalogue()) {
    SCOPED_TRACE(std::string(row.name));
    const std::vector<std::string> set{"time.scheme=" + std::string(row.name)};
    Watch watch;
    Observer* const observers[] = {&watch};
    try {
      const Model model = parse_model(GetParam().model, "test.toml", set);
      const System system(model);
      const Scheme scheme = scheme_of(model);
      watch.bars = static_cast<int>(model.bars.size());
      if (!refusal(scheme, system).empty()) continue;
      ++tried;
      const RunResult result = run(model, system, scheme, observers);
      EXPECT_TRUE(all_finite(result));
      if (result.status == Status::done) {
        EXPECT_FALSE(GetParam().must_fail);
        continue;
      }
      EXPECT_TRUE(failed(result.status));
      EXPECT_GT(watch.samples, 0);
      EXPECT_FALSE(result.failure.dossier().empty());
    } catch (const ModelError&) {
      EXPECT_EQ(watch.samples, 0);  // refused at the start: nothing was recorded
    }
  }
  EXPECT_GT(tried, 10);
}

INSTANTIATE_TEST_SUITE_P(Finite, Explodes, testing::ValuesIn(explosions()),
                         [](const auto& given) { return std::string(given.param.name); });

// A top of its own in every scheme that is for tops alone.
TEST(Finite, TopsEndWhereTheirEnergyDoes) {
  int tried = 0;
  for (const Row& row : catalogue()) {
    if (row.balance != Balance::top) continue;
    SCOPED_TRACE(std::string(row.name));
    const std::string text =
        "gravity = [0, 0, -1e50]\n[[body]]\nname = \"top\"\nmass = 1e50\ninertia = [1e-50, 1e-50, 1e-50]\nfixed_point = [0, 0, "
        "0]\ncentre = [0, 1e-30, 1e50]\nangular_velocity = [1e50, 0, 1e50]\n[time]\nstep = 0.01\nend = 0.1\nscheme = \"" +
        std::string(row.name) + "\"\n";
    Watch watch;
    Observer* const observers[] = {&watch};
    try {
      const Model model = parse_model(text, "test.toml");
      const System system(model);
      const RunResult result = run(model, system, scheme_of(model), observers);
      ++tried;
      EXPECT_TRUE(all_finite(result));
    } catch (const ModelError& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(tried, 3);
}

const std::string falling = R"toml(gravity = [0, 0, -10]
[[node]]
name = "bob"
position = [0, 0, 1]
mass = 1
[[sensor]]
name = "depth"
formula = "log(bob.z)"
[time]
step = 0.01
end = 1
scheme = "energy-momentum-exact"
)toml";

TEST(Finite, ASensorThatIsNoNumberEndsTheRunByName) {
  const Model model = parse_model(falling, "test.toml");
  const System system(model);
  Watch watch;
  Observer* const observers[] = {&watch};
  const RunResult result = run(model, system, scheme_of(model), observers);
  EXPECT_EQ(result.status, Status::not_converged);
  EXPECT_EQ(result.steps, 45);  // 1 = 5 t^2
  EXPECT_EQ(watch.samples, 45);
  EXPECT_TRUE(all_finite(result));
  EXPECT_NE(result.failure.dossier().find("stopped after step 45 at t = 0.45 s: sensor 'depth' is not finite"),
            std::string::npos)
      << result.failure.dossier();
}

std::string refusal_of(const std::string& text) {
  try {
    (void)run(parse_model(text, "test.toml"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

// Every number is in range; the energy EA L e^2/2 is not.
const std::string overstretched = R"toml([[node]]
name = "a"
position = [0, 0, 0]
fixed = true
[[node]]
name = "b"
position = [1e50, 0, 0]
mass = 1
[[bar]]
name = "r"
nodes = ["a", "b"]
EA = 1e50
length = 1e-50
strain = "green"
)toml";

TEST(Finite, AStartWithoutEnergyIsRefusedByName) {
  const std::string time = "[time]\nstep = 0.01\nend = 1\nscheme = \"midpoint\"\n";
  const auto says = [](const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(says(refusal_of(overstretched + time), "the elastic energy is not finite at the start"));
  EXPECT_TRUE(says(refusal_of("[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 800\npotential = \"exp(u)\"\n" + time),
                   "the potential of coordinate 'u' is singular at the start"));
  const std::string still = "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nmass = 1\n[[sensor]]\nname = \"s\"\nformula = ";
  EXPECT_TRUE(says(refusal_of(still + "\"1/a.x\"\n" + time), "'s'"));
}

TEST(Finite, StaticsEndsByNameToo) {
  const std::string text =
      "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 1\npotential = \"(u - 1)^2\"\n[[load]]\nname = \"l\"\ncoordinate = "
      "\"u\"\nforce = -4\n[[sensor]]\nname = \"s\"\nformula = \"log(u)\"\n[statics]\nsteps = 10\n";
  const StaticResult result = solve_statics(parse_model(text, "test.toml"));
  EXPECT_EQ(result.run.status, Status::not_converged);
  EXPECT_TRUE(std::isfinite(result.run.sensors[0].min));
  EXPECT_NE(result.run.failure.dossier().find("sensor 's' is not finite"), std::string::npos) << result.run.failure.dossier();
}

TEST(Finite, ModesOfAStiffnessThatIsNoNumberAreRefused) {
  const std::vector<std::string> light{"node.b.mass=1e-50"};
  const Model model = parse_model(overstretched + "[statics]\nsteps = 1\n", "test.toml", light);
  EXPECT_THROW((void)find_modes(model, System(model), 1, About::start), ModelError);
}

}  // namespace run_finite
}  // namespace trompo
