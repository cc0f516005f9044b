// The reference pendulums and chains as models: tests/data/pendulum_bars.json says what each must give.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tests/stored.hpp"
#include "trompo/run/run.hpp"

namespace trompo::reference_cases {

using Json = nlohmann::json;

inline const Json& pendulum_bars() { return stored("pendulum_bars.json"); }

// Numbers there are decimals in strings, so that nothing is rounded twice.
inline double number(const Json& j) { return j.is_string() ? std::stod(j.get<std::string>()) : j.get<double>(); }
inline Vec3 vector(const Json& j) {
  Vec3 v = Vec3::Zero();
  for (std::size_t i = 0; i < j.size(); ++i) v[static_cast<Eigen::Index>(i)] = number(j[i]);
  return v;
}

inline void set_scheme(Model& model, const std::string& code, double rho, double xi) {
  model.time.scheme = code;  // the papers' codes are aliases in the catalogue
  model.time.parameters["rho_infinity"] = rho;
  if (xi != 0) model.time.parameters["xi"] = xi;
}

inline Model truss(const Json& c) {
  Model model;
  const bool plane = c["nodes"][0].size() == 2;
  if (plane) model.plane = "xy";
  model.gravity = vector(c["gravity"]);
  const bool given = c["a0"].is_array();
  for (std::size_t i = 0; i < c["nodes"].size(); ++i) {
    NodeInput node;
    node.name = "n" + std::to_string(i);
    node.reference = vector(c["nodes"][i]);
    node.position = *node.reference + vector(c["u0"][i]);
    node.velocity = vector(c["v0"][i]);
    if (given) node.acceleration = vector(c["a0"][i]);
    node.mass = number(c["masses"][i]);
    for (const Json& f : c["fixed"]) node.fixed = node.fixed || f.get<std::size_t>() == i;
    model.nodes.push_back(node);
  }
  for (std::size_t i = 0; i < c["bars"].size(); ++i) {
    BarInput bar;
    bar.name = "b" + std::to_string(i);
    bar.nodes = {"n" + std::to_string(c["bars"][i][0].get<int>()), "n" + std::to_string(c["bars"][i][1].get<int>())};
    bar.EA = number(c["EA"][i]);
    bar.strain = c["strain"] == "green" ? "green" : "engineering";
    model.bars.push_back(bar);
    SensorInput length;
    length.name = "length of b" + std::to_string(i);
    length.kind = "distance";
    length.of = bar.nodes;
    model.sensors.push_back(length);
  }
  model.time.initial_acceleration = given ? "given" : "consistent";
  model.time.step = number(c["dt"]);
  model.time.steps = c["steps"].get<long>();
  set_scheme(model, c["scheme"], number(c["rho_inf"]), number(c["xi"]));
  return model;
}

// The largest change of length that a distance sensor has seen.
inline double largest_change(const Extremes& length) {
  return std::max(length.max - length.initial, length.initial - length.min);
}

// The two pendulums of the long runs.
inline Model pendulum(double EA, double g, double step, long steps) {
  Model model;
  model.plane = "xy";
  model.gravity = {0, -g, 0};
  NodeInput pivot, bob;
  pivot.name = "pivot";
  pivot.fixed = true;
  bob.name = "bob";
  bob.position = {0, -3.0443, 0};
  bob.velocity = {7.72, 0, 0};
  bob.mass = 10;
  model.nodes = {pivot, bob};
  BarInput rod;
  rod.name = "rod";
  rod.nodes = {"pivot", "bob"};
  rod.EA = EA;
  model.bars = {rod};
  SensorInput length;
  length.name = "length";
  length.kind = "distance";
  length.of = rod.nodes;
  model.sensors = {length};
  model.time.step = step;
  model.time.steps = steps;
  return model;
}

inline Model long_run(const Json& c) {
  Model model = pendulum(c["EA"], c["g"], c["dt"], c["steps"].get<long>());
  model.nodes[1].velocity = {c["v0"].get<double>(), 0, 0};
  model.nodes[1].acceleration = c["a0"] == "radial" ? Vec3(0, 19.6, 0) : Vec3::Zero();
  model.time.initial_acceleration = "given";
  set_scheme(model, c["scheme"], c["rho_inf"], c["xi"]);
  return model;
}

inline Model angle(const Json& c) {
  Model model;
  model.gravity = {0, -number(c["g"]), 0};
  CoordinateInput theta;
  theta.name = "theta";
  theta.value = number(c["theta0"]);
  theta.rate = number(c["w0"]);
  theta.acceleration = number(c["a0"]);
  PendulumInput bob;
  bob.name = "bob";
  bob.coordinate = "theta";
  bob.mass = number(c["m"]);
  bob.length = number(c["l"]);
  model.coordinates = {theta};
  model.pendulums = {bob};
  model.time.initial_acceleration = "given";
  model.time.step = number(c["dt"]);
  model.time.steps = c["steps"].get<long>();
  set_scheme(model, c["scheme"], number(c["rho_inf"]), number(c["xi"]));
  return model;
}

}  // namespace trompo::reference_cases
