// Constrained models whose motion other programs have stored, and what watches them.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/places.hpp"
#include "tests/stored.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo::constraint_cases {

using Json = nlohmann::json;

inline const Json& constraints() { return stored("conserving.json")["c_constraints"]; }

// Springs of Green's strain: V = k e^2 / 2, e = (l^2 - l0^2)/(2 l0), a bar with EA = k l0.
inline constexpr const char* trig = R"toml(
[parameters]
root = 1.4142135623730951
third = 1.0471975511965976
[[node]]
name = "A"
position = [0, 0, 0]
fixed = true
[[node]]
name = "C"
position = [0, 0.5, 2.5]
fixed = true
[[node]]
name = "u1"
position = [1.4142135623730951, 0, 0]
mass = 1
[[node]]
name = "u2"
position = [0, 1.0471975511965976, 1]
mass = 2
[[bar]]
name = "a"
nodes = ["A", "u1"]
EA = 17
length = 1.7
strain = "green"
[[bar]]
name = "b"
nodes = ["u1", "u2"]
EA = 17
length = 1.7
strain = "green"
[[bar]]
name = "c"
nodes = ["C", "u2"]
EA = 10
length = 1
strain = "green"
[[constraint]]
name = "phi"
constraint = "u1.x^2*cos(u2.y) - u2.z^3 + 0*(u1.y + u1.z + u2.x)"  # Gonzalez' correction over all six, as stored
[time]
step = 0.1
steps = 100
scheme = "energy-momentum-exact"
)toml";

inline constexpr const char* spherical = R"toml(
gravity = [0, 0, -9.81]
[[node]]
name = "bob"
position = [1, 0, 0]
velocity = [0, 1.5, 0]
mass = 1
[[constraint]]
name = "rod"
constraint = "(bob.x^2 + bob.y^2 + bob.z^2 - 1)/2"
[time]
step = 0.05
steps = 100
scheme = "energy-momentum-exact"
)toml";

// Three masses with nothing around them, tied over invariants.
inline constexpr const char* free_masses = R"toml(
[[node]]
name = "a"
position = [1, 0, 0]
velocity = [0, 1, 0.2]
mass = 1
[[node]]
name = "b"
position = [0, 1, 0]
velocity = [0, 1, -0.3]
mass = 2
[[node]]
name = "c"
position = [0, 0, 1]
velocity = [0.1, 1, 0]
mass = 3
[[invariant]]
name = "ab"
formula = "(b.x-a.x)^2 + (b.y-a.y)^2 + (b.z-a.z)^2"
[[invariant]]
name = "bc"
formula = "(c.x-b.x)^2 + (c.y-b.y)^2 + (c.z-b.z)^2"
[[potential]]
name = "pull"
potential = "3*log(bc)^2 + sqrt(ab)"
[[constraint]]
name = "tie"
constraint = "ab^2*cos(bc) - 4*cos(2)"
[time]
step = 0.05
steps = 400
scheme = "energy-momentum-exact"
initial_projection = true
)toml";

inline Model bead() {
  const std::string overrides[] = {"time.end=1.2"};
  return read_model(places::source("examples/bead_on_wire.toml"), overrides);
}

class Watch final : public Observer {
 public:
  struct Seen {
    State state;
    VecX multiplier, gradient_point;
  };
  std::map<long, Seen> at;
  double energy_drift = 0;
  void sample(const Sample& now) override {
    at[now.step] = {now.state, now.multiplier, now.gradient_point};
    if (now.step == 0) initial_ = now.ledger.total();
    energy_drift = std::max(energy_drift, std::abs(now.ledger.total() - initial_));
  }

 private:
  double initial_ = 0;
};

struct Case {
  const char* name;  // in the file
  const char* kind;
  Model model;
  std::vector<int> nodes;  // that the file stores
};

// Runs the model and holds states, multipliers and, where there are any, betas against the stored ones.
inline RunResult expect_stored(const Case& c, Watch& watch) {
  SCOPED_TRACE(std::string(c.name) + " " + c.kind);
  const System system(c.model);
  Observer* observers[] = {&watch};
  RunResult result = run(c.model, system, scheme_of(c.model), observers);
  EXPECT_EQ(result.status, Status::done);
  EXPECT_LT(result.constraint_error_max, 1e-12);
  bool found = false;
  for (const Json& r : constraints()[c.name]["runs"]) {
    if (r["kind"] != c.kind) continue;
    found = true;
    for (std::size_t k = 0; k < r["steps"].size(); ++k) {
      const auto& seen = watch.at.at(r["steps"][k].get<long>());
      for (std::size_t n = 0; n < c.nodes.size(); ++n)
        for (int i = 0; i < 3; ++i) {
          const std::size_t j = 3 * n + static_cast<std::size_t>(i);
          const int q = system.nodes()[static_cast<std::size_t>(c.nodes[n])] + i;
          EXPECT_NEAR(seen.state.q[q], r["u"][k][j].get<double>(), 1e-9);
          EXPECT_NEAR(seen.state.v[q], r["v"][k][j].get<double>(), 1e-9 * (1 + std::abs(seen.state.v[q])));
        }
      EXPECT_NEAR(seen.multiplier[0], r["lam"][k][0].get<double>(), 1e-7 * (1 + std::abs(seen.multiplier[0])));
      if (r["beta"].is_array()) {
        EXPECT_NEAR(seen.gradient_point[0], r["beta"][k].get<double>(), 1e-9);
      }
    }
  }
  EXPECT_TRUE(found);
  return result;
}

}  // namespace trompo::constraint_cases
