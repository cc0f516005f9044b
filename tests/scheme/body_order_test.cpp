// The orders that the catalogue claims, for every row and every way to describe bodies.
#include <gtest/gtest.h>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace scheme_body_order {

// Two spinning bodies on a ball joint and a hinge, with a spring: nothing about it is plane or small.
const std::string two_bodies = R"toml(
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 2
inertia = [[0.2, 0.01, 0], [0.01, 0.3, 0.02], [0, 0.02, 0.25]]
position = [0.5, 0, 0]
angular_velocity = [1, 2, -1]
[[body]]
name = "hand"
mass = 1
shape = { box = [0.4, 0.3, 0.2] }
position = [1.2, 0.1, 0]
angular_velocity = [1, -4, -1]
[[joint]]
name = "shoulder"
bodies = ["ground", "arm"]
ball = { at = [0, 0, 0] }
[[joint]]
name = "elbow"
bodies = ["arm", "hand"]
hinge = { axis = [0, 1, 0], at = [1, 0, 0] }
stiffness = 5
[time]
step = 0.01
end = 0.4
scheme = "energy-momentum-exact"
initial_projection = true
)toml";

struct Case {
  std::string scheme, formulation;
  bool damped;
};

class OrderOnBodies : public testing::TestWithParam<Case> {};

Model model_of(const std::string& formulation) {
  Model model = parse_model(two_bodies, "two bodies");
  model.formulation = formulation;
  return model;
}

// By accelerations, with a tolerance of their own.
const VecX& exact_frames() {
  static const VecX q = [] {
    Model model = model_of("euler-parameters");
    model.time.scheme = "dormand-prince";
    model.time.step = 0.1;
    const RunResult result = run(model);
    EXPECT_EQ(result.status, Status::done);
    return VecX(result.state.q.head<24>());
  }();
  return q;
}

TEST_P(OrderOnBodies, IsTheClaimedOne) {
  const Case& c = GetParam();
  Model model = model_of(c.formulation);
  model.time.scheme = c.scheme;
  if (c.damped) model.time.parameters["rho_infinity"] = 0.6;
  const System system(model);
  const Scheme scheme = scheme_of(model);
  const auto error = [&](double h) {
    model.time.step = h;
    const RunResult result = run(model, system, scheme);
    EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
    return (result.state.q.head<24>() - exact_frames()).norm();
  };
  const std::optional<int> claim = claimed_order(scheme, system.formulation());
  ASSERT_TRUE(claim);
  const double h = *claim > 2 ? 0.005 : 0.001;  // the error of the reference is 1e-11
  const double order = std::log2(error(2 * h) / error(h));
  EXPECT_GT(order, *claim - 0.2);
  // Not more than is claimed: but a small term of first order beside a large one of second shows late, and Hamming's error
  // falls faster while that of his start rules.
  EXPECT_LT(order, *claim + (*claim == 2 ? 0.25 : *claim == 1 ? 0.8 : 1.2));
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
    const System system(model_of(formulation));
    for (const Row& row : catalogue()) {
      if (!refusal(row, system).empty() || row.explicit_scheme == ExplicitScheme::dormand_prince) continue;
      all.push_back({std::string(row.name), formulation, false});
      const bool damps = std::any_of(row.parameters.begin(), row.parameters.end(), [](const Parameter& p) {
        return p.name == "rho_infinity" && p.least <= 0.6 && p.most >= 0.6 && p.least < p.most;
      });
      if (damps) all.push_back({std::string(row.name), formulation, true});
    }
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<Case>& c) {
  std::string name = c.param.scheme + "_on_" + c.param.formulation + (c.param.damped ? "_damped" : "");
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OrderOnBodies, testing::ValuesIn(cases()), name_of);

}  // namespace scheme_body_order
}  // namespace trompo
