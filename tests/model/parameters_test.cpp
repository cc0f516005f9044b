// [parameters], and formulas of them wherever a number stands.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "trompo/model/reader.hpp"

namespace trompo {
namespace model_parameters {

std::string model_of(const std::string& parameters, const std::string& mass = "10") {
  return "gravity = [0, \"-g\", 0]\n[parameters]\ng = 9.8\n" + parameters +
         "\n[[node]]\nname = \"pivot\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"bob\"\n"
         "position = [0, \"-3*L\", 0]\nmass = " +
         mass +
         "\n[[bar]]\nname = \"rod\"\nnodes = [\"pivot\", \"bob\"]\nEA = \"k*L\"\n"
         "[[body]]\nname = \"plate\"\nmass = 1\ninertia = [\"L\", [0, 1, 0], 1]\n"
         "[time]\nstep = \"0.1/2\"\nsteps = \"2*n\"\nscheme = \"energy-momentum-exact\"\n";
}
std::string without_body(std::string text) {
  const auto from = text.find("[[body]]");
  return text.erase(from, text.find("[time]") - from);
}
const std::string good = "L = 1.5\nk = \"1e4/L^2\"\nn = \"round_trip\"\nround_trip = 30\n";

Model read(const std::string& parameters, const std::vector<std::string>& set = {}, const std::string& mass = "10") {
  return parse_model(without_body(model_of(parameters, mass)), "test.toml", set);
}
std::string refusal(const std::string& parameters, const std::vector<std::string>& set = {}, const std::string& mass = "10") {
  try {
    (void)read(parameters, set, mass);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Parameters, StandWhereverANumberDoes) {
  const Model m = read(good);
  EXPECT_EQ(m.gravity, Vec3(0, -9.8, 0));
  EXPECT_EQ(m.nodes[1].position, Vec3(0, -4.5, 0));
  EXPECT_DOUBLE_EQ(m.bars[0].EA, 1e4 / 1.5);
  EXPECT_EQ(m.time.step, 0.05);
  EXPECT_EQ(m.time.steps, 60);
  EXPECT_DOUBLE_EQ(m.parameters.at("k"), 1e4 / 2.25);
}

TEST(Parameters, AFormulaNeedsNoParameter) { EXPECT_DOUBLE_EQ(read(good, {}, "\"2*pi/3\"").nodes[1].mass, 2 * M_PI / 3); }

TEST(Parameters, AreSetFromTheCommandLine) {
  const Model m = read(good, {"parameters.L=3", "parameters.k=2*L", "bar.rod.EA=k^2", "node.bob.mass=L/2"});
  EXPECT_EQ(m.nodes[1].position.y(), -9);
  EXPECT_EQ(m.bars[0].EA, 36);
  EXPECT_EQ(m.nodes[1].mass, 1.5);
}

TEST(Parameters, GoingRoundInACircleIsRefusedWithThePath) {
  const std::string said = refusal("L = 1\nn = 1\nk = \"2*a\"\na = \"b+1\"\nb = \"3/a\"\n");
  EXPECT_TRUE(says(said, "goes round in a circle")) << said;
  EXPECT_TRUE(says(said, "a -> b -> a")) << said;
  EXPECT_TRUE(says(refusal(good, {"parameters.L=2*L"}), "L -> L"));
  EXPECT_TRUE(says(refusal("L = 1\nn = 1\nk = \"k2\"\nk2 = \"k3\"\nk3 = \"k\"\n"), "k -> k2 -> k3 -> k"));
  // The circle is to blame, not what uses it.
  EXPECT_FALSE(says(said, "'EA'")) << said;
}

TEST(Parameters, WhatIsNoFormulaIsRefusedWithItsColumn) {
  EXPECT_TRUE(says(refusal(good, {}, "\"2*massive\""), "'mass' of node 'bob': expected a number, found a string"));
  EXPECT_TRUE(says(refusal(good, {}, "\"2*massive\""), "unknown name 'massive'"));
  EXPECT_TRUE(says(refusal(good, {}, "\"3*(L\""), "column"));
  EXPECT_TRUE(says(refusal(good, {}, "\"t\""), "expected a number"));  // time has no value here
  // A number in quotes is a slip.
  EXPECT_TRUE(says(refusal(good, {}, "\"10\""), "expected a number, found a string"));
}

TEST(Parameters, TheirValuesAreHeldToTheRangeOfTheKey) {
  EXPECT_TRUE(says(refusal(good, {}, "\"1-L\""), "'mass' of node 'bob' is -0.5, but must not be negative"));
  EXPECT_TRUE(says(refusal(good, {}, "\"1/(L-1.5)\""), "'mass' of node 'bob'"));
  EXPECT_TRUE(says(refusal("L = 1\nk = 1\nn = 1.25\n"), "'steps' in [time] is 2.5, but must be a whole number"));
  EXPECT_TRUE(says(refusal("L = 1\nk = 1\nn = \"-3\"\n"), "expected a number, found a string"));
  EXPECT_TRUE(says(refusal("L = 1\nk = 1\nn = \"1/0\"\n"), "'parameters', entry 'n'"));
}

TEST(Parameters, TheSchemaLetsThemStandThere) {
  const auto schema = nlohmann::json::parse(model_schema());
  const auto& ways = schema["properties"]["bar"]["items"]["properties"]["EA"]["anyOf"];
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[0]["type"], "number");
  EXPECT_EQ(ways[1]["type"], "string");
}

TEST(Parameters, AListThatIsWrongIsStillRefused) {
  try {
    (void)parse_model(model_of(good), "test.toml");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_TRUE(says(error.what(), "'inertia' of body 'plate'")) << error.what();
  }
}

}  // namespace model_parameters
}  // namespace trompo
