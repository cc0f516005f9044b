#include "trompo/model/reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace trompo {
namespace model_reader {

const std::string pendulum = R"toml(title   = "Elastic pendulum"
gravity = [0, -9.8, 0]

[[node]]
name = "pivot"
position = [0, 0, 0]
fixed = true

[[node]]
name = "bob"
position = [0, -3.0443, 0]
velocity = [7.72, 0, 0]
mass = 10

[[bar]]
name = "rod"
nodes = ["pivot", "bob"]
EA = 1e4

[time]
step = 0.05
end = 30
scheme = "energy-momentum-exact"
)toml";

std::vector<Diagnostic> errors(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    (void)parse_model(text, "test.toml", overrides);
  } catch (const ModelError& error) {
    return error.diagnostics;
  }
  return {};
}

// The only error of a text, as file:line: error: message; remedy.
std::string only_error(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const auto all = errors(text, overrides);
  if (all.size() == 1) return all[0].text();
  std::string joined = std::to_string(all.size()) + " errors";
  for (const Diagnostic& d : all) joined += "\n" + d.text();
  return joined;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected: " << part << "\n  in: " << text;
}

TEST(Reader, ReadsWhatIsWritten) {
  const Model m = parse_model(pendulum, "pendulum.toml");
  EXPECT_EQ(m.title, "Elastic pendulum");
  EXPECT_EQ(m.gravity, Vec3(0, -9.8, 0));
  ASSERT_EQ(m.nodes.size(), 2U);
  EXPECT_TRUE(m.nodes[0].fixed);
  EXPECT_EQ(m.nodes[1].velocity, Vec3(7.72, 0, 0));
  EXPECT_EQ(m.nodes[1].mass, 10);
  EXPECT_EQ(m.nodes[1].reference_position(), m.nodes[1].position);
  ASSERT_EQ(m.bars.size(), 1U);
  EXPECT_EQ(m.bars[0].nodes[1], "bob");
  EXPECT_EQ(m.bars[0].EA, 1e4);
  EXPECT_EQ(m.bars[0].strain, "engineering");
  EXPECT_EQ(m.time.scheme, "energy-momentum-exact");
  EXPECT_EQ(m.time.end, 30);
  EXPECT_FALSE(m.time.steps);
}

TEST(Reader, RemembersTheLines) {
  const Model m = parse_model(pendulum, "pendulum.toml");
  EXPECT_EQ(m.nodes[1].source.line, 9);
  EXPECT_EQ(m.nodes[1].source.of("mass"), 13);
  EXPECT_EQ(m.nodes[1].source.of("reference"), 9);  // not written: the line of the table
  EXPECT_EQ(m.time.source.of("scheme"), 23);
}

TEST(Reader, TakesTwoEntriesInAPlane) {
  const std::string base =
      "plane = \"xz\"\ngravity = [0, -9]\n[[node]]\nname = \"a\"\nposition = [1, 2]\nmass = 1\n"
      "[time]\nstep = 1\nend = 1\nscheme = \"midpoint\"\n";
  const Model m = parse_model(base, "p.toml");
  EXPECT_EQ(m.gravity, Vec3(0, 0, -9));
  EXPECT_EQ(m.nodes[0].position, Vec3(1, 0, 2));
  EXPECT_EQ(parse_model(replaced(base, "\"xz\"", "\"yz\""), "p.toml").nodes[0].position, Vec3(0, 1, 2));
  EXPECT_EQ(parse_model(replaced(base, "\"xz\"", "\"xy\""), "p.toml").nodes[0].position, Vec3(1, 2, 0));
  EXPECT_TRUE(says(only_error(replaced(base, "[1, 2]", "[1]")),
                   "test.toml:5: error: 'position' of node 'a': expected 2 or 3 entries, found 1"));
}

TEST(Reader, ReadsLoadsOfEveryShape) {
  const std::string text = pendulum + R"toml(
[[coordinate]]
name = "angle"
inertia = 1
[[load]]
name = "push"
node = "bob"
force = [1, "2*t", 0.5]
[[load]]
name = "rows"
node = "bob"
table = [[0, 1, 2, 3], [1, 3, 2, 1]]
[[load]]
name = "torque"
coordinate = "angle"
force = "sin(t)"
[[load]]
name = "torque rows"
coordinate = "angle"
table = [[0, 1], [2, 3]]
)toml";
  const Model m = parse_model(text, "loads.toml");
  EXPECT_EQ(m.loads[0].force[1].value(3), 6);
  EXPECT_EQ(m.loads[1].force[0].value(0.5), 2);
  EXPECT_EQ(m.loads[1].force[2].value(9), 1);
  EXPECT_EQ(m.loads[2].on, "angle");
  EXPECT_DOUBLE_EQ(m.loads[2].force[0].value(1), std::sin(1.0));
  EXPECT_EQ(m.loads[3].force[0].value(1), 2);
}

TEST(Reader, NamesAnUnknownKeyItsLineAndTheNearest) {
  EXPECT_TRUE(says(only_error(replaced(pendulum, "EA = 1e4", "EA = 1e4\ndensty = 1")),
                   "test.toml:19: error: unknown key 'densty' of bar 'rod'; did you mean 'density'?"));
  EXPECT_TRUE(says(only_error(replaced(pendulum, "end = 30", "end = 30\nxii = 1")),
                   "test.toml:23: error: unknown key 'xii' in [time]; did you mean 'xi'?"));
  EXPECT_TRUE(
      says(only_error(replaced(pendulum, "title", "titel")), "test.toml:1: error: unknown key 'titel'; did you mean 'title'?"));
  EXPECT_TRUE(says(only_error(pendulum + "\n[[loads]]\nname = \"x\"\n"),
                   "test.toml:25: error: unknown key 'loads'; did you mean 'load'?"));
  EXPECT_TRUE(says(only_error(replaced(pendulum, "fixed = true", "fixed = true\nmotion = { X = 1 }")),
                   "test.toml:8: error: unknown key 'X' in motion of node 'pivot'; did you mean 'x'?"));
}

TEST(Reader, SeesATopLevelKeyThatSlippedIntoASection) {
  EXPECT_TRUE(says(only_error(pendulum + "\ngravity = [0, 0, 1]\n"),
                   "test.toml:25: error: unknown key 'gravity' in [time]; it belongs to the top of the file"));
}

TEST(Reader, SaysWhichKeyWantsTheNameOfAPart) {
  const auto remedy = [](const std::string& line) {
    return only_error(pendulum + "\n[[sensor]]\nname = \"s\"\n" + line + "\n");
  };
  EXPECT_TRUE(says(remedy("joint = \"pin\""),
                   "unknown key 'joint' of sensor 's'; say what of it: reaction = \"pin\", torque = \"pin\", angle = \"pin\", "
                   "other_angle = \"pin\", travel = \"pin\" or energy = \"pin\""));
  EXPECT_TRUE(says(remedy("bar = \"rod\""),
                   "'bar' of sensor 's'; say what of it: force = \"rod\", strain = \"rod\" or energy = \"rod\""));
  EXPECT_TRUE(says(remedy("rod_element = \"e\""), "say what of it: energy = \"e\", section_force = \"e\" or stress = \"e\""));
  EXPECT_TRUE(says(remedy("spring = \"x\""), "unknown key 'spring' of sensor 's'; say what of it: force = \"x\""));
  EXPECT_TRUE(says(remedy("title = \"x\""), "it belongs to the top of the file"));
}

TEST(Reader, ReportsEverythingAtOnceInOrder) {
  const auto all = errors(replaced(replaced(pendulum, "mass = 10", "mass = \"ten\""), "step = 0.05", "step = -1\nstp = 1"));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].line, 13);
  EXPECT_EQ(all[1].line, 21);
  EXPECT_EQ(all[2].line, 22);
}

// What cannot be read does not hide what is wrong elsewhere, and nothing is said that only follows from it.
TEST(Reader, ReportsErrorsOfReadingAndOfMeaningTogether) {
  const auto lines = [](const std::string& text) {
    std::vector<int> found;
    for (const Diagnostic& d : errors(text)) found.push_back(d.line);
    return found;
  };
  const std::string planted = replaced(replaced(pendulum, "mass = 10", "mass = \"ten\""), "step = 0.05", "step = -1") +
                              "[[bar]]\nname = \"second\"\nnodes = [\"pivot\", \"nowhere\"]\nEA = 1\n"
                              "[[spring]]\nname = \"idle\"\nnodes = [\"pivot\", \"bob\"]\n"
                              "[[sensor]]\nname = \"s\"\nposition = \"pivot\"\n";
  EXPECT_EQ(lines(planted), (std::vector<int>{13, 21, 26, 28, 33}));
  // The bob has no mass because its mass could not be read; its bar is fine.
  EXPECT_EQ(lines(replaced(pendulum, "mass = 10", "mass = \"ten\"")), std::vector<int>{13});
  EXPECT_EQ(lines(replaced(pendulum, "name = \"bob\"", "nane = \"bob\"")), (std::vector<int>{9, 10}));
  EXPECT_EQ(lines(replaced(pendulum, "position = [0, -3.0443, 0]", "positoin = [0, -3.0443, 0]")), (std::vector<int>{9, 11}));
}

TEST(Reader, SaysWhichTypeWasFoundAndWhichIsExpected) {
  const auto wrong = [](const std::string& what, const std::string& with) {
    return only_error(replaced(pendulum, what, with));
  };
  EXPECT_TRUE(says(wrong("mass = 10", "mass = \"ten\""),
                   "test.toml:13: error: 'mass' of node 'bob': expected a number, found a string"));
  EXPECT_TRUE(
      says(wrong("fixed = true", "fixed = 1"), "'fixed' of node 'pivot': expected true or false, found a whole number"));
  EXPECT_TRUE(says(wrong("end = 30", "steps = 30.5"), "'steps' in [time]: expected a whole number, found a number"));
  EXPECT_TRUE(says(wrong("\"pivot\", \"bob\"", "\"pivot\", 3"),
                   "'nodes' of bar 'rod', entry 2: expected a name, found a whole number"));
  EXPECT_TRUE(says(wrong("[7.72, 0, 0]", "[7.72, true, 0]"),
                   "'velocity' of node 'bob', entry 2: expected a number, found true or false"));
  EXPECT_TRUE(says(wrong("[7.72, 0, 0]", "7.72"), "'velocity' of node 'bob': expected a list of numbers, found a number"));
  EXPECT_TRUE(says(wrong("name = \"bob\"", "name = 3"), "'name' of node number 2: expected a string, found a whole number"));
  EXPECT_TRUE(says(wrong("title   = \"Elastic pendulum\"", "title = 1979-05-27"), "expected a string, found a date or time"));
}

TEST(Reader, RefusesWrongLengths) {
  EXPECT_TRUE(says(only_error(replaced(pendulum, "[7.72, 0, 0]", "[7.72, 0]")),
                   "test.toml:12: error: 'velocity' of node 'bob': expected 3 entries, found 2; a plane problem says plane"));
  EXPECT_TRUE(says(only_error(replaced(pendulum, "[7.72, 0, 0]", "[7.72, 0, 0, 0]")), "expected 3 entries, found 4"));
  EXPECT_TRUE(
      says(only_error(replaced(pendulum, "\"pivot\", \"bob\"", "\"bob\"")), "'nodes' of bar 'rod': expected 2 names, found 1"));
}

TEST(Reader, RefusesWhatIsNotFiniteOrOutOfRange) {
  const auto wrong = [](const std::string& what, const std::string& with) {
    return only_error(replaced(pendulum, what, with));
  };
  EXPECT_TRUE(says(wrong("mass = 10", "mass = nan"), "test.toml:13: error: 'mass' of node 'bob' is nan; give a finite number"));
  EXPECT_TRUE(says(wrong("[7.72, 0, 0]", "[7.72, 0, -inf]"), "'velocity' of node 'bob', entry 3 is -inf"));
  EXPECT_TRUE(
      says(wrong("mass = 10", "mass = -1.5"), "test.toml:13: error: 'mass' of node 'bob' is -1.5, but must not be negative"));
  EXPECT_TRUE(says(wrong("EA = 1e4", "EA = 0"), "test.toml:18: error: 'EA' of bar 'rod' is 0, but must be positive"));
  EXPECT_TRUE(says(wrong("step = 0.05", "step = 0"), "'step' in [time] is 0, but must be positive"));
  EXPECT_TRUE(says(wrong("end = 30", "steps = -3"), "'steps' in [time] is -3, but must be positive"));
}

TEST(Reader, OffersTheChoices) {
  EXPECT_TRUE(says(only_error(replaced(pendulum, "EA = 1e4", "EA = 1e4\nstrain = \"grene\"")),
                   "test.toml:19: error: 'strain' of bar 'rod' is 'grene', but must be \"engineering\", \"green\", "
                   "\"logarithmic\" or \"almansi\"; did you mean 'green'?"));
  EXPECT_TRUE(says(only_error(replaced(pendulum, "fixed = true", "fixed_axes = [\"x\", \"w\"]")),
                   "entry 2 is 'w', but must be \"x\", \"y\" or \"z\""));
}

TEST(Reader, ReportsMissingKeysAtTheTable) {
  EXPECT_TRUE(says(only_error(replaced(pendulum, "EA = 1e4\n", "")),
                   "test.toml:15: error: 'EA' of bar 'rod' is missing; add it: axial stiffness [N]"));
  EXPECT_TRUE(says(only_error(replaced(pendulum, "scheme = \"energy-momentum-exact\"\n", "")),
                   "test.toml:20: error: 'scheme' in [time] is missing"));
  const std::string no_time = pendulum.substr(0, pendulum.find("[time]"));
  EXPECT_TRUE(says(only_error(no_time), "error: 'time' is missing; add a section [time]"));
}

TEST(Reader, ReportsWrongShapesOfSections) {
  EXPECT_TRUE(says(only_error(replaced(pendulum, "[[bar]]", "[bar]")),
                   "test.toml:15: error: 'bar': expected a list of tables, found a table; write [[bar]]"));
  EXPECT_TRUE(says(only_error(replaced(pendulum, "[time]", "[[time]]")),
                   "test.toml:20: error: 'time': expected a table, found a list of tables; write it once, as [time]"));
  EXPECT_TRUE(says(only_error("node = [1]\n" + pendulum.substr(pendulum.find("[time]"))),
                   "'node', entry 1: expected a table, found a whole number"));
}

TEST(Reader, PointsAtTheColumnOfAFormula) {
  const auto load = [](const std::string& force) {
    return pendulum + "[[load]]\nname = \"push\"\nnode = \"bob\"\n" + force + "\n";
  };
  EXPECT_TRUE(
      says(only_error(load("force = [0, \"2*(t\", 0]")),
           "test.toml:27: error: 'force' of load 'push', entry 2: column 5 of the formula: a closing bracket ')' is missing"));
  EXPECT_TRUE(says(only_error(load("force = [\"3*x\", 0, 0]")), "entry 1: column 3 of the formula: unknown name 'x'"));
  EXPECT_TRUE(says(only_error(load("force = \"sin(t)\"")),
                   "'force' of load 'push': expected a list of numbers or formulas, found a string"));
  EXPECT_TRUE(says(only_error(load("force = [0, [1], 0]")), "entry 2: expected a number or a formula of t, found a list"));
  EXPECT_TRUE(says(only_error(load("force = [0, inf, 0]")), "entry 2 is inf"));
}

TEST(Reader, ReadsTablesStrictly) {
  const auto table = [](const std::string& rows) {
    return only_error(pendulum + "[[load]]\nname = \"push\"\nnode = \"bob\"\ntable = " + rows + "\n");
  };
  EXPECT_TRUE(says(table("[]"), "test.toml:27: error: 'table' of load 'push' has no rows"));
  EXPECT_TRUE(says(table("[[0, 1, 2, 3],\n[0, 1, 2, 3]]"),
                   "test.toml:28: error: 'table' of load 'push', row 2: the time 0 does not come after 0"));
  EXPECT_TRUE(says(table("[[0, 1, 2]]"), "row 1: expected 4 entries, found 3"));
  EXPECT_TRUE(says(table("[[0, 1, \"t\", 3]]"), "row 1, entry 3: expected a number, found a string"));
  EXPECT_TRUE(says(table("[1, 2]"), "row 1: expected a list of numbers, found a whole number"));
  const std::string angle =
      pendulum + "[[coordinate]]\nname = \"a\"\ninertia = 1\n[[load]]\nname = \"l\"\ncoordinate = \"a\"\n";
  EXPECT_TRUE(says(only_error(angle + "table = [[0, 1, 2, 3]]\n"), "row 1: expected 2 entries, time and force, found 4"));
  EXPECT_TRUE(says(only_error(angle + "force = [1, 2, 3]\n"), "'force' of load 'l': expected one number or formula, found 3"));
}

TEST(Reader, RefusesWhatIsNoModel) {
  EXPECT_TRUE(says(only_error(""), "the model is empty; the smallest model needs a [[node]]"));
  EXPECT_TRUE(says(only_error("  \n# only a comment\n"), "the model is empty"));
  EXPECT_TRUE(says(only_error(std::string("a = 1\0b", 7)), "not a text file"));
  EXPECT_TRUE(says(only_error("title = \"\xff\xfe\""), "not a text file"));
  EXPECT_TRUE(says(only_error("title = \"\xc0\xaf\""), "not a text file"));      // overlong
  EXPECT_TRUE(says(only_error("title = \"\xed\xa0\x80\""), "not a text file"));  // surrogate
  EXPECT_TRUE(says(only_error("title = \"cut \xe2\x82"), "not a text file"));
  EXPECT_TRUE(says(only_error("title = 1\nstep = = 3\n"), "test.toml:2: error: "));
  EXPECT_TRUE(says(only_error("title = \"a\"\ntitle = \"b\"\n"), "test.toml:2: error: "));
  EXPECT_TRUE(says(only_error("x = " + std::string(100000, '[')), "test.toml:1: error: "));
}

TEST(Reader, RefusesAnotherFormatVersion) {
  EXPECT_EQ(parse_model("format_version = 1\n" + pendulum, "p.toml").format_version, 1);
  EXPECT_TRUE(says(only_error("format_version = 2\nfoo = 3\n" + pendulum),
                   "test.toml:1: error: 'format_version' is 2, but this program reads version 1"));
}

TEST(Reader, SaysWhyAFileCannotBeRead) {
  const auto why = [](const std::string& file) -> std::string {
    try {
      (void)read_model(file);
    } catch (const FileError& error) {
      return error.what();
    }
    return "it was read";
  };
  EXPECT_EQ(why("no/such/model.toml"), "cannot read 'no/such/model.toml': no such file");
  EXPECT_EQ(why(std::filesystem::temp_directory_path()),
            "cannot read '" + std::filesystem::temp_directory_path().string() + "': it is a directory");
}

TEST(Reader, ReadsAFile) {
  const auto path = std::filesystem::temp_directory_path() / "trompo_reader_test.toml";
  std::ofstream(path) << pendulum;
  const std::vector<std::string> overrides{"time.step=0.01"};
  const Model m = read_model(path, overrides);
  std::filesystem::remove(path);
  EXPECT_EQ(m.file, path.string());
  EXPECT_EQ(m.time.step, 0.01);
}

TEST(Overrides, ReplaceAndAddValues) {
  const std::string dotted = replaced(pendulum, "name = \"rod\"", "name = \"the.rod 1\"");
  const std::vector<std::string> overrides{"time.step = 0.01",      "gravity=[0,0,0]",
                                           "bar.the.rod 1.EA=2e4",  "time.scheme=midpoint",
                                           "newton.tolerance=1e-8", "node.bob.velocity=[1, 0, 0]",
                                           "title=\"a = b\"",       "time.xi=0.5"};
  const Model m = parse_model(dotted, "p.toml", overrides);
  EXPECT_EQ(m.time.step, 0.01);
  EXPECT_EQ(m.gravity, Vec3(0, 0, 0));
  EXPECT_EQ(m.bars[0].EA, 2e4);
  EXPECT_EQ(m.time.scheme, "midpoint");
  EXPECT_EQ(m.newton.tolerance, 1e-8);
  EXPECT_EQ(m.nodes[1].velocity, Vec3(1, 0, 0));
  EXPECT_EQ(m.title, "a = b");
  EXPECT_EQ(m.time.parameters.at("xi"), 0.5);
  EXPECT_EQ(m.time.source.of("step"), 0);
  EXPECT_EQ(m.time.source.place_of("step", "p.toml"), "--set time.step = 0.01");
}

TEST(Overrides, AreNamedInErrors) {
  const auto set = [](const std::string& text) { return only_error(pendulum, {text}); };
  EXPECT_EQ(set("time.step=-1"), "--set time.step=-1: error: 'step' in [time] is -1, but must be positive");
  EXPECT_EQ(set("time.step=.5"), "--set time.step=.5: error: 'step' in [time]: expected a number, found a string");
  EXPECT_EQ(set("time.step=nan"), "--set time.step=nan: error: 'step' in [time] is nan; give a finite number");
  EXPECT_TRUE(says(set("tim.step=1"), "--set tim.step=1: error: unknown section or key 'tim'; did you mean 'time'?"));
  EXPECT_TRUE(says(set("time.stp=1"), "--set time.stp=1: error: unknown key 'time.stp'; did you mean 'time.step'?"));
  EXPECT_TRUE(says(set("bar.rot.EA=1"), "--set bar.rot.EA=1: error: unknown bar 'rot'; did you mean 'rod'?"));
  EXPECT_TRUE(says(set("bar.rod.AE=1"), "unknown key 'bar.rod.AE'; did you mean 'bar.rod.EA'?"));
  EXPECT_TRUE(says(set("bar.EA=1"), "'bar.EA' does not say which bar; write bar.NAME.EA=value"));
  EXPECT_TRUE(says(set("gravity.x=1"), "'gravity' has no parts of its own; write gravity=value"));
  EXPECT_TRUE(says(set("time.step"), "'time.step' has no '='; write section.key=value"));
  EXPECT_TRUE(says(set("=3"), "unknown section or key ''"));
  EXPECT_TRUE(says(set("bar.rod.nodes=[\"pivot\", \"bop\"]"),
                   "--set bar.rod.nodes=[\"pivot\", \"bop\"]: error: bar 'rod': there is no node 'bop'; did you mean 'bob'?"));
  EXPECT_TRUE(says(set("node.bob.motion={x=\"1+\"}"),
                   "--set node.bob.motion={x=\"1+\"}: error: 'x' in motion of node 'bob': column 3 of the formula"));
}

TEST(Overrides, CannotSmuggleInASecondKey) {
  EXPECT_EQ(parse_model(pendulum, "p.toml", std::vector<std::string>{"title=1\nfoo = 2"}).title, "1\nfoo = 2");
}

TEST(Json, HoldsWhatWasWrittenAndTheDefaults) {
  const std::string text = replaced(pendulum, "\"pivot\", \"bob\"", "\"pivot\", \"B\u00f6b \u26f0\"") + R"toml(
[newton]
tolerance = 1.2345678901234567e-9
[[coordinate]]
name = "angle"
[[pendulum]]
name = "clock"
coordinate = "angle"
mass = 1
length = 0.1
[[load]]
name = "push"
node = "pivot"
force = [0.1, "2*sin(t)", 0]
[[load]]
name = "rows"
node = "pivot"
table = [[0, 1, 2, 3], [1.5, 3, 2, 1]]
[[load]]
name = "torque"
coordinate = "angle"
force = "cos(t)"
[[sensor]]
name = "reach"
distance = ["pivot", "B\u00f6b \u26f0"]
[[sensor]]
name = "pull"
force = "rod"
)toml";
  const Model m = parse_model(replaced(text, "\"bob\"", "\"B\u00f6b \u26f0\""), "p.toml");
  const auto json = nlohmann::json::parse(model_json(m));
  EXPECT_EQ(json["node"][1]["name"], "B\u00f6b \u26f0");
  EXPECT_EQ(json["node"][1]["velocity"], nlohmann::json({7.72, 0, 0}));
  EXPECT_EQ(json["node"][1]["reference"], json["node"][1]["position"]);
  EXPECT_EQ(json["node"][0]["mass"], 0);
  EXPECT_EQ(json["bar"][0]["strain"], "engineering");
  EXPECT_EQ(json["newton"]["tolerance"].get<double>(), 1.2345678901234567e-9);
  EXPECT_EQ(json["newton"]["max_iterations"], 30);
  EXPECT_EQ(json["output"]["every"], 1);
  EXPECT_EQ(json["time"]["initial_acceleration"], "consistent");
  EXPECT_FALSE(json["time"].contains("steps"));
  EXPECT_EQ(json["load"][0]["force"], nlohmann::json({0.1, "2*sin(t)", 0}));
  EXPECT_FALSE(json["load"][0].contains("table") || json["load"][0].contains("coordinate"));
  EXPECT_EQ(json["load"][1]["table"][1], nlohmann::json({1.5, 3, 2, 1}));
  EXPECT_FALSE(json["load"][1].contains("force"));
  EXPECT_EQ(json["load"][2]["force"], "cos(t)");
  EXPECT_FALSE(json["load"][2].contains("node"));
  EXPECT_EQ(json["sensor"][0]["distance"][1], "B\u00f6b \u26f0");
  EXPECT_EQ(json["sensor"][1]["force"], "rod");
}

TEST(Json, SchemaKnowsEverySection) {
  const auto schema = nlohmann::json::parse(model_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], nlohmann::json::array());
  EXPECT_EQ(schema["anyOf"].dump(), R"([{"required":["time"]},{"required":["statics"]}])");
  const auto& top = schema["properties"];
  for (const char* key : {"format_version", "title", "plane", "gravity", "momentum_point", "time", "newton", "output"})
    EXPECT_TRUE(top.contains(key)) << key;
  for (const char* list : {"node", "coordinate", "pendulum", "bar", "load", "sensor"}) {
    EXPECT_EQ(top[list]["type"], "array") << list;
    EXPECT_EQ(top[list]["items"]["additionalProperties"], false) << list;
    EXPECT_EQ(top[list]["items"]["required"][0], "name") << list;
  }
  const auto& bar = top["bar"]["items"]["properties"];
  EXPECT_EQ(bar["EA"]["anyOf"][0]["exclusiveMinimum"], 0);
  EXPECT_EQ(bar["density"]["anyOf"][0]["minimum"], 0);
  EXPECT_EQ(bar["strain"]["enum"], nlohmann::json({"engineering", "green", "logarithmic", "almansi"}));
  EXPECT_EQ(bar["strain"]["default"], "engineering");
  EXPECT_EQ(bar["nodes"]["minItems"], 2);
  EXPECT_EQ(top["time"]["properties"]["steps"]["anyOf"][0]["type"], "integer");
  for (const auto& [name, property] : top.items()) EXPECT_FALSE(property["description"].get<std::string>().empty()) << name;
}

}  // namespace model_reader
}  // namespace trompo
