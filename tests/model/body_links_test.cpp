// What holds on to rigid bodies: loads, sensors, springs, formulas; and bodies as JSON.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "tests/model/body_text.hpp"
#include "trompo/model/formula_scope.hpp"

namespace trompo {
namespace model_body_links {

using namespace bodies;

std::string load(const std::string& what) { return errors(base + top + "[[load]]\nname = \"push\"\n" + what + "\n"); }

TEST(BodyLoad, IsAForceATorqueOrBoth) {
  const std::string both = base + top +
                           "[[load]]\nname = \"push\"\nbody = \"top\"\nforce = [1, \"t\", 0]\npoint = [0, 0, 1]\n" +
                           "torque = [0, \"2*t\", \"t^2\"]\n";
  const Model m = parse_model(both, "m");
  EXPECT_EQ(m.loads[0].on, "top");
  EXPECT_EQ(*m.loads[0].point, Vec3(0, 0, 1));
  EXPECT_EQ(m.loads[0].torque[1].value(3), 6);
  EXPECT_EQ(remarks(both), "nothing");
  EXPECT_EQ(load("body = \"top\"\ntorque = [0, 0, 1]"), "nothing");
  EXPECT_EQ(load("body = \"top\"\nforce = [0, 0, 1]\npotential = true"), "nothing");
}

TEST(BodyLoad, IsRefusedWithAReason) {
  EXPECT_TRUE(says(load("body = \"tip\"\nforce = [0, 0, 1]"),
                   "test.toml:17: error: load 'push': there is no body 'tip'; did you mean 'top'?"));
  EXPECT_TRUE(says(load("body = \"bob\"\nforce = [0, 0, 1]"), "load 'push': 'bob' is a node; write node = \"bob\""));
  EXPECT_TRUE(says(load("node = \"top\"\nforce = [0, 0, 1]"), "load 'push': 'top' is a body; write body = \"top\""));
  EXPECT_TRUE(says(load("node = \"bob\"\nbody = \"top\"\nforce = [0, 0, 1]"), "load 'push' has both `body` and `node`"));
  EXPECT_TRUE(says(load("body = \"top\""), "load 'push' has no force; add `force`, `table`, `torque` or `moment`"));
  EXPECT_TRUE(says(load("body = \"top\"\nforce = [0, 0, 1]\ntable = [[0, 1, 1, 1]]"), "has both `force` and `table`"));
  EXPECT_TRUE(says(load("body = \"top\"\ntorque = [0, \"1/t\", 0]"),
                   "test.toml:18: error: the torque of load 'push' along y is not finite"));
  EXPECT_TRUE(says(load("body = \"top\"\ntorque = [0, \"topp.x\", 0]"),
                   "test.toml:18: error: 'torque' of load 'push', entry 2: column 1 of the formula: unknown name 'topp.x'"));
  EXPECT_EQ(load("body = \"top\"\ntorque = [0, \"-2*top.w2\", \"top.x\"]"), "nothing");
  EXPECT_TRUE(says(load("body = \"top\"\ntorque = 3"), "'torque' of load 'push': expected a list of numbers or formulas"));
  EXPECT_TRUE(says(load("body = \"top\"\ntorque = [0, 0, 1]\npotential = true"), "a torque in body axes has no potential"));
  EXPECT_TRUE(
      says(load("body = \"top\"\nmoment = [0, 0, 1]\npotential = true"), "a moment of fixed direction has no potential"));
  EXPECT_TRUE(says(load("node = \"bob\"\nmoment = [0, 0, 1]"), "load 'push' has a `moment` but acts on no body"));
  EXPECT_EQ(load("body = \"top\"\nmoment = [0, 0, \"bob.x\"]"), "nothing");
  EXPECT_TRUE(says(load("body = \"top\"\nforce = [0, 0, \"t\"]\npotential = true"), "its force along z changes with time"));
  EXPECT_TRUE(says(load("node = \"bob\"\nforce = [0, 0, 1]\ntorque = [0, 0, 1]"), "has a `torque` but acts on no body"));
  EXPECT_TRUE(says(load("node = \"bob\"\nforce = [0, 0, 1]\npoint = [0, 0, 1]"), "has a `point` but acts on no body"));
  EXPECT_TRUE(says(remarks(base + top + "[[load]]\nname = \"push\"\nbody = \"top\"\ntorque = [0, 0, 1]\npoint = [0, 0, 1]\n"),
                   "warning: `point` of load 'push' is not used"));
}

TEST(BodySensor, MeasuresPlaceAndTurning) {
  const auto sensor = [](const std::string& what) { return errors(base + top + "[[sensor]]\nname = \"eye\"\n" + what + "\n"); };
  for (const char* kind : {"position", "velocity", "angular_velocity", "tilt"}) {
    EXPECT_EQ(sensor(std::string(kind) + " = \"top\"\naxis = \"z\""), "nothing") << kind;
    EXPECT_TRUE(says(sensor(std::string(kind) + " = \"top\""), "test.toml:17: error: sensor 'eye' needs an axis")) << kind;
  }
  EXPECT_TRUE(says(sensor("tilt = \"tip\"\naxis = \"z\""), "sensor 'eye': there is no body 'tip'; did you mean 'top'?"));
  EXPECT_TRUE(says(sensor("angular_velocity = \"bob\"\naxis = \"z\""), "'bob' is a node, which does not turn"));
  EXPECT_TRUE(says(sensor("tilt = \"top\"\nvelocity = \"bob\"\naxis = \"z\""), "sensor 'eye' measures more than one thing"));
  EXPECT_TRUE(says(sensor("reaction = \"top\"\naxis = \"z\""), "there is no node 'top'"));
}

TEST(BodySpring, HoldsNodesBodiesAndTheGround) {
  const auto spring = [](const std::string& ends) {
    return errors(base + top + body("mass = 1\ninertia = [1, 1, 1]\nposition = [0, 3, 0]", "other") +
                  "[[spring]]\nname = \"coil\"\nstiffness = 2\n" + ends + "\n");
  };
  const std::string at_top = "from = { body = \"top\", point = [0, 0, 1] }\n";
  EXPECT_EQ(spring(at_top + "to = { body = \"other\" }"), "nothing");
  EXPECT_EQ(spring(at_top + "to = { node = \"bob\" }"), "nothing");
  EXPECT_EQ(spring(at_top + "to = { ground = [0, 0, 5] }"), "nothing");
  EXPECT_EQ(spring("from = { node = \"bob\" }\nto = { ground = [0, 0, 5] }"), "nothing");
  EXPECT_TRUE(says(spring(""), "error: spring 'coil' joins nothing; name its ends: `nodes`, or `from` and `to`"));
  EXPECT_TRUE(says(spring(at_top), "test.toml:20: error: spring 'coil' has no `to`; give both ends"));
  EXPECT_TRUE(
      says(spring(at_top + "nodes = [\"bob\", \"bob\"]"), "test.toml:23: error: spring 'coil' has both `nodes` and `from`"));
  EXPECT_TRUE(says(spring(at_top + "to = {}"), "test.toml:24: error: spring 'coil', `to` names nothing; give one of"));
  EXPECT_TRUE(says(spring(at_top + "to = { node = \"bob\", ground = [0, 0, 1] }"), "`to` names more than one thing"));
  EXPECT_TRUE(says(spring(at_top + "to = { node = \"bob\", point = [0, 0, 1] }"), "`to` has a `point` but no `body`"));
  EXPECT_TRUE(says(spring(at_top + "to = { node = \"bbo\" }"), "`to`: there is no node 'bbo'; did you mean 'bob'?"));
  EXPECT_TRUE(says(spring(at_top + "to = { body = \"tip\" }"), "`to`: there is no body 'tip'; did you mean 'top'?"));
  EXPECT_TRUE(says(spring(at_top + "to = { body = \"top\" }"), "spring 'coil' joins body 'top' to itself"));
  EXPECT_TRUE(says(spring("from = { ground = [0, 0, 1] }\nto = { ground = [0, 0, 2] }"), "joins the ground to itself"));
  EXPECT_TRUE(says(spring(at_top + "to = { ground = [0, 0, 1] }"), "spring 'coil' has zero length at t = 0"));
  EXPECT_TRUE(
      says(spring(at_top + "to = { ground = [0, 1] }"), "'ground' in to of spring 'coil': expected 3 entries, found 2"));
}

TEST(BodySpring, NamesItsEndsInOneWay) {
  SpringInput s;
  s.nodes = {"a", "b"};
  EXPECT_EQ(s.ends()[1].node, "b");
  s.nodes = {};
  s.from.body = "top", s.to.ground = Vec3(1, 2, 3);
  EXPECT_EQ(s.ends()[0].body, "top");
  EXPECT_EQ(*s.ends()[1].ground, Vec3(1, 2, 3));
}

// ---- formulas ----

TEST(BodyFormula, KnowsTheFrameOfABody) {
  const std::string text = base + "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 7\n" +
                           body(
                               "mass = 4\ninertia = [5, 5, 1]\nfixed_point = [1, 1, 1]\ncentre = [0, 0, 0.5]\n"
                               "angular_velocity = [2, 0, 9]\norientation = { axis = [1, 0, 0], degrees = 90 }",
                               "the top");
  const Model m = parse_model(text, "m");
  const FormulaScope scope(m);
  ASSERT_EQ(scope.start().size(), 3U + 12U + 1U + 1U);
  ASSERT_EQ(scope.start_rates().size(), scope.start().size());
  EXPECT_EQ(scope.time(), 16);
  EXPECT_EQ(scope.start()[15], 7);
  // Place, then d1 = x, d2 = z, d3 = -y; rates L (O x e): L (0, 9, 0), L (-9, 0, 2), L (0, -2, 0).
  const double place[] = {1, 0.5, 1, 1, 0, 0, 0, 0, 1, 0, -1, 0};
  const double rates[] = {0, 0, -1, 0, 0, 9, -9, -2, 0, 0, 0, -2};
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(scope.start()[3 + i], place[i], 1e-15) << i;
    EXPECT_NEAR(scope.start_rates()[3 + i], rates[i], 1e-14) << i;
  }
  std::vector<int> used = scope.read("`the top`.d1.x + `the top`.d3.z*`the top`.y + bob.x + u + t").coordinates;
  std::sort(used.begin(), used.end());
  EXPECT_EQ(used, (std::vector<int>{0, 4, 6, 14, 15, 16}));
}

TEST(BodyFormula, MayBeAPotentialOrAConstraint) {
  const auto typed = [](const std::string& what) { return errors(base + top + what); };
  EXPECT_EQ(typed("[[potential]]\nname = \"dipole\"\npotential = \"3*top.d3.z + top.x^2\"\n"), "nothing");
  EXPECT_EQ(typed("[[constraint]]\nname = \"rail\"\nconstraint = \"top.d1.y + top.z\"\n"), "nothing");
  EXPECT_TRUE(says(typed("[[potential]]\nname = \"dipole\"\npotential = \"top.d4.z\"\n"), "unknown name 'top.d4.z'"));
}

// ---- JSON ----

TEST(BodyJson, IsReadBackAsTheSameModel) {
  const std::string text =
      base +
      body(
          "mass = 4\ninertia = [[4, 0.1, 0], [0.1, 4, 0], [0, 0, 1]]\nposition = [1, 2, 3]\n"
          "orientation = { axis = [1, 2, 3], degrees = 33 }",
          "a") +
      body(
          "fixed_point = [1, 0, 0]\nparts = [{ mass = 2, shape = { cylinder = [0.5, 1] }, position = [0, 0, 1], "
          "orientation = { matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] } }, { mass = 1, inertia = [1, 1, 1] }]",
          "b") +
      body("mass = 3\nshape = { box = [1, 2, 3] }", "c") +
      "[[load]]\nname = \"l\"\nbody = \"a\"\ntorque = [\"t\", 0, \"t^2\"]\n"
      "[[load]]\nname = \"k\"\nbody = \"a\"\nmoment = [0, \"t\", 2]\n"
      "[[load]]\nname = \"n\"\nnode = \"bob\"\nforce = [1, 0, 0]\n"
      "[[spring]]\nname = \"s\"\nstiffness = 1\nfrom = { body = \"a\", point = [0, 0, 1] }\nto = { ground = [0, 0, 9] "
      "}\n[[sensor]]\nname = \"lean\"\ntilt = \"a\"\naxis = \"z\"\n";
  const Model m = parse_model(text, "m");
  const auto json = nlohmann::json::parse(model_json(m));
  EXPECT_EQ(json["formulation"], "rotation");
  EXPECT_EQ(json["body"][0]["inertia"][1], nlohmann::json({0.1, 4.0, 0.0}));
  EXPECT_EQ(json["body"][0]["velocity"], nlohmann::json({0, 0, 0}));
  EXPECT_EQ(json["body"][1]["centre"], nlohmann::json({0, 0, 2.0 / 3}));
  EXPECT_FALSE(json["body"][1].contains("position") || json["body"][1].contains("velocity") ||
               json["body"][1].contains("mass"));
  EXPECT_EQ(json["body"][2]["orientation"]["quaternion"], nlohmann::json({1, 0, 0, 0}));
  EXPECT_EQ(json["body"][2]["shape"]["box"], nlohmann::json({1, 2, 3}));
  EXPECT_EQ(json["load"][0]["point"], nlohmann::json({0, 0, 0}));
  EXPECT_FALSE(json["load"][0].contains("node") || json["load"][0].contains("coordinate"));
  EXPECT_EQ(json["load"][1]["moment"][2], 2);
  EXPECT_FALSE(json["load"][2].contains("body") || json["load"][2].contains("torque") || json["load"][2].contains("moment") ||
               json["load"][2].contains("point"));
  EXPECT_EQ(json["spring"][0]["to"]["ground"], nlohmann::json({0, 0, 9}));
  EXPECT_FALSE(json["spring"][0].contains("nodes"));
  EXPECT_EQ(json["sensor"][0]["tilt"], "a");

  // JSON in the clothes of TOML: an inline table per value.
  const std::function<std::string(const nlohmann::json&)> toml = [&toml](const nlohmann::json& value) -> std::string {
    if (!value.is_structured()) return value.dump();
    std::string inside;
    for (const auto& item : value.items())
      inside += (inside.empty() ? "" : ", ") + (value.is_object() ? item.key() + " = " : std::string()) + toml(item.value());
    return value.is_object() ? "{ " + inside + " }" : "[" + inside + "]";
  };
  std::string again;
  for (const auto& item : json.items()) again += item.key() + " = " + toml(item.value()) + "\n";
  const Model back = parse_model(again, "again");
  EXPECT_EQ(model_json(back), model_json(m));
  for (std::size_t i = 0; i < 3; ++i) {
    const ResolvedBody x = resolve_body(m.bodies[i]), y = resolve_body(back.bodies[i]);
    EXPECT_EQ(x.inertia, y.inertia);
    EXPECT_EQ(x.position, y.position);
    EXPECT_EQ(x.orientation.coeffs(), y.orientation.coeffs());
  }
}

TEST(BodyJson, SchemaKnowsItsWords) {
  const auto top_level = nlohmann::json::parse(model_schema())["properties"];
  EXPECT_EQ(top_level["formulation"]["enum"], nlohmann::json({"directors", "rotation", "euler-parameters"}));
  const auto& keys = top_level["body"]["items"]["properties"];
  EXPECT_EQ(keys["inertia"]["anyOf"][1]["items"]["maxItems"], 3);
  EXPECT_EQ(keys["shape"]["properties"]["box"]["items"]["anyOf"][0]["exclusiveMinimum"], 0);
  EXPECT_EQ(keys["orientation"]["properties"]["quaternion"]["minItems"], 4);
  EXPECT_EQ(keys["parts"]["items"]["required"], nlohmann::json({"mass"}));
  EXPECT_FALSE(keys["mass"].contains("default"));
}

}  // namespace model_body_links
}  // namespace trompo
