#include "trompo/model/check.hpp"

#include <gtest/gtest.h>

#include "trompo/model/reader.hpp"

namespace trompo {
namespace model_check {

// A free node "bob" and a support, lines 1 to 8; what a test adds begins in line 14.
const std::string base = R"(gravity = [0, -9.8, 0]
[[node]]
name = "pivot"
position = [0, 0, 0]
fixed = true
[[node]]
name = "bob"
position = [1, 0, 0]
mass = 10
[time]
step = 0.5
end = 3
scheme = "midpoint"
)";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string joined(const std::vector<Diagnostic>& all) {
  std::string text;
  for (const Diagnostic& d : all) text += (text.empty() ? "" : "\n") + d.text();
  return text.empty() ? "nothing" : text;
}

std::string errors(const std::string& text) {
  try {
    (void)parse_model(text, "test.toml");
  } catch (const ModelError& error) {
    return joined(error.diagnostics);
  }
  return "nothing";
}
std::string added(const std::string& more) { return errors(base + more); }
std::string changed(const std::string& what, const std::string& with) { return errors(replaced(base, what, with)); }
// What check says of a valid model: warnings and notes.
std::string remarks(const std::string& text) { return joined(check(parse_model(text, "test.toml"))); }

testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected: " << part << "\n  in: " << text;
}

std::string bar(const std::string& nodes, const std::string& more = "") {
  return "[[bar]]\nname = \"rod\"\nnodes = " + nodes + "\nEA = 1\n" + more;
}
std::string load(const std::string& what) { return "[[load]]\nname = \"push\"\n" + what; }
std::string sensor(const std::string& what) { return "[[sensor]]\nname = \"eye\"\n" + what; }

TEST(Check, HasNothingToSayOfAGoodModel) { EXPECT_EQ(remarks(base + bar("[\"pivot\", \"bob\"]")), "nothing"); }

TEST(Check, NamesAreUniqueOverTheWholeFile) {
  EXPECT_EQ(changed("\"bob\"", "\"pivot\""),
            "test.toml:7: error: node 'pivot': the name is taken by a node in line 3; names are unique over the whole file");
  EXPECT_TRUE(says(added("[[load]]\nname = \"bob\"\nnode = \"bob\"\nforce = [0, 0, 0]\n"),
                   "test.toml:15: error: load 'bob': the name is taken by a node in line 7"));
  EXPECT_TRUE(says(changed("\"pivot\"", "\"\""), "test.toml:3: error: a node has an empty name"));
  EXPECT_TRUE(says(changed("\"pivot\"", "\"a\\u001b[1m\""), "node 'a?[1m' has a control character in its name"));
  EXPECT_TRUE(says(changed("\"pivot\"", "\"a\\u0085\""), "has a control character in its name"));
  EXPECT_TRUE(says(changed("\"pivot\"", "\"a`b\""), "node 'a`b' has a backtick in its name"));
  EXPECT_TRUE(says(changed("\"pivot\"", '"' + std::string(256, 'p') + '"'),
                   "test.toml:3: error: a node has a name of 256 bytes; give it one of at most 255"));
  EXPECT_EQ(changed("\"pivot\"", '"' + std::string(255, 'p') + '"'), "nothing");
  EXPECT_EQ(changed("\"pivot\"", "\"P\u00f6l \u26f0.1\""), "nothing");
}

TEST(Check, BarsNeedTwoNodesApart) {
  EXPECT_TRUE(
      says(added(bar("[\"pivot\", \"bop\"]")), "test.toml:16: error: bar 'rod': there is no node 'bop'; did you mean 'bob'?"));
  EXPECT_TRUE(says(added(bar("[\"bob\", \"bob\"]")), "test.toml:16: error: bar 'rod' joins node 'bob' to itself"));
  const std::string together = replaced(base, "[1, 0, 0]", "[0, 0, 0]");
  EXPECT_TRUE(says(errors(together + bar("[\"pivot\", \"bob\"]")),
                   "test.toml:16: error: bar 'rod' has zero length: 'pivot' and 'bob' have the same reference position"));
  EXPECT_TRUE(says(errors(together + bar("[\"pivot\", \"bob\"]", "length = 1\n")), "has zero length at t = 0"));
  EXPECT_EQ(errors(together + bar("[\"pivot\", \"bob\"]", "length = 1\nstrain = \"green\"\n")), "nothing");
  const std::string drawn_apart = replaced(together, "mass = 10", "mass = 10\nreference = [1, 0, 0]");
  EXPECT_TRUE(says(errors(drawn_apart + bar("[\"pivot\", \"bob\"]")), "has zero length at t = 0"));
  EXPECT_EQ(errors(drawn_apart + bar("[\"pivot\", \"bob\"]", "strain = \"green\"\n")), "nothing");
}

TEST(Check, WhatMovesHasMass) {
  EXPECT_TRUE(
      says(changed("mass = 10", "mass = 0"), "test.toml:9: error: node 'bob' can move but has no mass; give it `mass`"));
  EXPECT_TRUE(says(changed("mass = 10\n", ""), "test.toml:6: error: node 'bob' can move but has no mass"));
  EXPECT_TRUE(says(changed("mass = 10", "fixed_axes = [\"x\", \"y\"]"), "can move but has no mass"));
  EXPECT_EQ(changed("mass = 10", "fixed_axes = [\"x\", \"y\", \"z\"]"), "nothing");
  EXPECT_EQ(changed("mass = 10", "fixed_axes = [\"x\", \"y\"]\nmotion = { z = \"sin(t)\" }"), "nothing");
  EXPECT_EQ(errors("plane = \"xy\"\n" + replaced(base, "mass = 10", "fixed_axes = [\"x\", \"y\"]")), "nothing");
  EXPECT_EQ(errors(replaced(base, "mass = 10\n", "") + bar("[\"pivot\", \"bob\"]", "density = 1\n")), "nothing");
  EXPECT_TRUE(says(added("[[coordinate]]\nname = \"q\"\n"),
                   "test.toml:14: error: coordinate 'q' has no inertia; give it `inertia` or a [[pendulum]]"));
  EXPECT_TRUE(says(errors(base.substr(base.find("[time]"))), "the model has nothing that moves"));
}

TEST(Check, PendulumsSwingInACoordinate) {
  const std::string swing =
      "[[coordinate]]\nname = \"angle\"\n[[pendulum]]\nname = \"clock\"\nmass = 1\nlength = 1\ncoordinate = ";
  EXPECT_EQ(added(swing + "\"angle\"\n"), "nothing");
  EXPECT_TRUE(says(added(swing + "\"angel\"\n"),
                   "test.toml:20: error: pendulum 'clock': there is no coordinate 'angel'; did you mean 'angle'?"));
  EXPECT_TRUE(says(remarks(replaced(base, "-9.8", "0") + swing + "\"angle\"\n"), "warning: pendulum 'clock' is weightless"));
}

TEST(Check, SaysHowLong) {
  EXPECT_TRUE(says(changed("end = 3\n", ""), "test.toml:10: error: [time] does not say how long; add `end` [s] or `steps`"));
  EXPECT_TRUE(says(changed("end = 3", "end = 3\nsteps = 6"), "test.toml:13: error: [time] has both `end` and `steps`"));
  EXPECT_EQ(remarks(replaced(base, "end = 3", "end = 3.2")),
            "test.toml:12: note: `end` = 3.2 is no multiple of `step` = 0.5; the last step is shortened to 0.2");
  EXPECT_EQ(remarks(replaced(replaced(base, "step = 0.5", "step = 0.05"), "end = 3", "end = 30")), "nothing");
  EXPECT_TRUE(says(changed("step = 0.5", "step = 1e-20"), "the run would take"));
}

TEST(Check, LoadsActOnSomething) {
  EXPECT_EQ(added(load("node = \"bob\"\nforce = [1, 0, \"t\"]\n")), "nothing");
  EXPECT_TRUE(
      says(added(load("force = [1, 0, 0]\n")), "test.toml:14: error: load 'push' acts on nothing; add `node` or `coordinate`"));
  EXPECT_TRUE(says(added(load("node = \"bob\"\n")), "test.toml:14: error: load 'push' has no force; add `force` or `table`"));
  EXPECT_TRUE(says(added(load("node = \"bbo\"\nforce = [1, 0, 0]\n")),
                   "test.toml:16: error: load 'push': there is no node 'bbo'; did you mean 'bob'?"));
  EXPECT_TRUE(says(added(load("coordinate = \"bob\"\nforce = 1\n")), "load 'push': 'bob' is a node; write node = \"bob\""));
  EXPECT_TRUE(says(added(load("node = \"bob\"\ncoordinate = \"q\"\nforce = [1, 0, 0]\n")),
                   "test.toml:17: error: load 'push' has both `node` and `coordinate`"));
  EXPECT_TRUE(says(added(load("node = \"bob\"\nforce = [1, 0, 0]\ntable = [[0, 1, 2, 3]]\n")),
                   "test.toml:18: error: load 'push' has both `force` and `table`"));
  EXPECT_TRUE(says(added(load("node = \"bob\"\nforce = [\"1/t\", 0, 0]\n")),
                   "test.toml:17: error: the force of load 'push' along x is not finite at t = 0"));
}

TEST(Check, OnlyConstantLoadsHaveAPotential) {
  EXPECT_EQ(added(load("node = \"bob\"\nforce = [1, \"2*pi\", 0]\npotential = true\n")), "nothing");
  EXPECT_TRUE(says(added(load("node = \"bob\"\nforce = [1, \"t\", 0]\npotential = true\n")),
                   "test.toml:18: error: load 'push' has potential = true, but its force along y changes with time"));
}

TEST(Check, MotionsBeginWhereTheNodeStands) {
  const auto motion = [](const std::string& more) { return changed("mass = 10", more); };
  EXPECT_EQ(motion("mass = 1\nmotion = { x = \"1 + 0.1*sin(5*t)\" }"), "nothing");
  EXPECT_TRUE(says(motion("mass = 1\nmotion = { x = \"0.1*sin(5*t)\" }"),
                   "test.toml:10: error: node 'bob' stands at x = 1, but its motion begins at 0; "
                   "`motion` is the coordinate itself: write x = \"1 + 0.1*sin(5*t)\""));
  EXPECT_TRUE(says(motion("mass = 1\nmotion = { x = 3 }"), "write x = 1"));
  EXPECT_TRUE(says(motion("mass = 1\nmotion = { x = \"t > 1\" }"), "write x = \"1 + (t > 1)\""));
  EXPECT_TRUE(says(motion("fixed_axes = [\"x\"]\nmass = 1\nmotion = { x = 1 }"),
                   "test.toml:11: error: node 'bob' is both fixed and moved along x"));
  EXPECT_TRUE(
      says(motion("mass = 1\nmotion = { x = \"log(t)\" }"), "along x, its rate or its acceleration is not finite at t = 0"));
  EXPECT_TRUE(says(motion("mass = 1\nmotion = { x = \"1 + sqrt(t)\" }"), "is not finite at t = 0"));
  EXPECT_EQ(motion("mass = 1\nmotion = { x = \"1 + 2*t\" }\nvelocity = [2, 5, 0]"), "nothing");
  EXPECT_EQ(motion("mass = 1\nmotion = { x = \"1 + 2*t\" }\nvelocity = [0, 5, 0]"), "nothing");
  EXPECT_TRUE(says(motion("mass = 1\nmotion = { x = \"1 + 2*t\" }\nvelocity = [3, 5, 0]"),
                   "test.toml:11: error: node 'bob' has the velocity 3 along x, but its motion begins with 2"));
  EXPECT_TRUE(says(changed("fixed = true", "fixed = true\nvelocity = [0, 2, 0]"),
                   "test.toml:6: error: node 'pivot' is fixed along y but has the velocity 2 there"));
}

TEST(Check, PlaneModelsStayInTheirPlane) {
  const std::string flat = "plane = \"xy\"\n" + base;
  EXPECT_EQ(errors(flat), "nothing");
  EXPECT_EQ(errors(flat + load("node = \"bob\"\ntable = [[0, 1, 2], [1, 1, 2]]\n")), "nothing");
  EXPECT_TRUE(says(errors(replaced(flat, "[1, 0, 0]", "[1, 0, 0.5]")),
                   "test.toml:9: error: 'position' of node 'bob' leaves the plane: its z is 0.5"));
  EXPECT_TRUE(
      says(errors(replaced(flat, "-9.8, 0", "0, -9.8")), "test.toml:2: error: 'gravity' leaves the plane: its z is -9.8"));
  EXPECT_TRUE(says(errors(replaced(flat, "mass = 10", "mass = 10\nvelocity = [0, 0, 1]")),
                   "test.toml:11: error: 'velocity' of node 'bob' leaves the plane"));
  EXPECT_TRUE(says(errors(flat + load("node = \"bob\"\nforce = [0, 0, \"t\"]\n")),
                   "test.toml:18: error: the force of load 'push' leaves the plane 'xy' along z"));
  EXPECT_TRUE(says(errors(replaced(flat, "mass = 10", "mass = 10\nmotion = { z = 0 }")), "the plane holds this axis"));
}

TEST(Check, SensorsMeasureOneThingThatIsThere) {
  EXPECT_EQ(added(sensor("position = \"bob\"\naxis = \"x\"\n")), "nothing");
  EXPECT_EQ(added(sensor("reaction = \"pivot\"\naxis = \"x\"\n")), "nothing");
  EXPECT_EQ(added(sensor("distance = [\"pivot\", \"bob\"]\n")), "nothing");
  EXPECT_TRUE(says(added(sensor("")), "test.toml:14: error: sensor 'eye' does not say what it measures"));
  EXPECT_TRUE(says(added(sensor("position = \"bob\"\n")), "test.toml:16: error: sensor 'eye' needs an axis"));
  EXPECT_TRUE(says(added(sensor("velocity = \"bop\"\naxis = \"x\"\n")),
                   "test.toml:16: error: sensor 'eye': there is no node 'bop'; did you mean 'bob'?"));
  EXPECT_TRUE(says(added(sensor("reaction = \"bob\"\naxis = \"x\"\n")),
                   "sensor 'eye': node 'bob' is not held along x, so there is no reaction"));
  EXPECT_TRUE(says(added(sensor("distance = [\"pivot\", \"bop\"]\n")), "there is no node 'bop'"));
  EXPECT_TRUE(says(added(bar("[\"pivot\", \"bob\"]") + sensor("strain = \"rot\"\n")),
                   "test.toml:20: error: sensor 'eye': there is no bar 'rot'; did you mean 'rod'?"));
  EXPECT_TRUE(says(added(sensor("value = \"q\"\n")), "there is no coordinate 'q'; there is none"));
  EXPECT_TRUE(says(added(sensor("position = \"bob\"\nvelocity = \"bob\"\naxis = \"x\"\n")),
                   "sensor 'eye' measures more than one thing"));
  EXPECT_TRUE(says(remarks(base + sensor("distance = [\"pivot\", \"bob\"]\naxis = \"x\"\n")),
                   "test.toml:17: warning: `axis` of sensor 'eye' is not used"));
}

TEST(Check, WarnsOfAccelerationsThatDoNotCount) {
  EXPECT_TRUE(says(remarks(replaced(base, "mass = 10", "mass = 10\nacceleration = [1, 0, 0]")),
                   "test.toml:10: warning: `acceleration` of node 'bob' is not used"));
  const std::string given = replaced(base, "end = 3", "end = 3\ninitial_acceleration = \"given\"");
  EXPECT_EQ(remarks(given),
            "test.toml:6: warning: node 'bob' has no `acceleration`; zero is taken; "
            "give it, or use initial_acceleration = \"consistent\"");
  EXPECT_EQ(remarks(replaced(given, "mass = 10", "mass = 10\nacceleration = [1, 0, 0]")), "nothing");
}

TEST(Check, SpeaksInTheOrderOfTheFile) {
  const auto all = check([] {
    Model m;
    m.nodes.resize(2);
    m.nodes[0].name = "late", m.nodes[0].source.line = 9;
    m.nodes[1].name = "early", m.nodes[1].source.line = 3;
    m.time.steps = 1;
    return m;
  }());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].line, 3);
  EXPECT_EQ(all[1].line, 9);
}

}  // namespace model_check
}  // namespace trompo
