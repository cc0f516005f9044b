// Every number that a model file may have, tried with texts at and beyond the ends of what a double holds: it is refused with
// its name, or read as exactly that double. And what is nested or counted beyond reason is refused before it costs anything.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "trompo/model/json_fields.hpp"
#include "trompo/model/memory.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/model/toml_depth.hpp"
#include "trompo/model/toml_fields.hpp"

namespace trompo {
namespace model_number {

using Json = nlohmann::ordered_json;

// ---- what a model holds, number by number: "node.mass", "aircraft.wing.span" ----

class Numbers final : public Fields {
 public:
  Numbers(std::string prefix, std::map<std::string, std::vector<double>>& all) : prefix_(std::move(prefix)), all_(all) {}

  void text(const Key&, std::string&) override {}
  void choice(const Key&, std::string&, std::span<const std::string_view>) override {}
  void flag(const Key&, bool&) override {}
  void number(const Key& key, std::optional<double>& value) override {
    if (value) at(key).push_back(*value);
  }
  void count(const Key& key, std::optional<long>& value) override {
    if (value) at(key).push_back(static_cast<double>(*value));
  }
  void vector(const Key& key, std::optional<Vec3>& value) override {
    if (value) at(key).insert(at(key).end(), value->begin(), value->end());
  }
  void places(const Key& key, std::optional<std::vector<Vec3>>& value) override {
    if (!value) return;
    for (const Vec3& place : *value) at(key).insert(at(key).end(), place.begin(), place.end());
  }
  void array(const Key& key, std::optional<std::vector<double>>& value, std::span<const std::size_t>) override {
    one_or_each(key, value);
  }
  void one_or_each(const Key& key, std::optional<std::vector<double>>& value) override {
    if (value) at(key).insert(at(key).end(), value->begin(), value->end());
  }
  void names(const Key&, std::array<std::string, 2>&) override {}
  void axes(const Key&, std::array<bool, 3>&) override {}
  void function(const Key& key, std::optional<TimeFunction>& value) override {
    if (value) add(key, *value);
  }
  void functions(const Key& key, std::array<TimeFunction, 3>& value, std::array<std::string, 3>&) override {
    for (const TimeFunction& f : value) add(key, f);
  }
  void table_of_vectors(const Key& key, std::array<TimeFunction, 3>& value) override {
    for (const TimeFunction& f : value) add(key, f);
  }
  void section(const Key& key, const Nested& nested) override {
    Numbers inside(path(key) + ".", all_);
    nested(inside);
  }
  void vector_or_section(const Key& key, std::optional<Vec3>& value, const Nested& nested) override {
    vector(key, value);
    section(key, nested);
  }
  void list(const Key& key, int present, const std::function<void(Fields&, int)>& item) override {
    Numbers inside(path(key) + ".", all_);
    for (int i = 0; i < present; ++i) item(inside, i);
  }
  void numbers(const Key& key, std::map<std::string, double>& value) override {
    for (const auto& [name, number] : value) at(key).push_back(number);
  }
  void source(Source&) override {}

 private:
  [[nodiscard]] std::string path(const Key& key) const { return prefix_ + std::string(key.name); }
  std::vector<double>& at(const Key& key) { return all_[path(key)]; }
  void add(const Key& key, const TimeFunction& f) {
    if (const auto* number = std::get_if<double>(&f.form())) at(key).push_back(*number);
    if (const auto* table = std::get_if<TimeFunction::Table>(&f.form()))
      for (const auto& [t, value] : *table) at(key).insert(at(key).end(), {t, value});
  }
  std::string prefix_;
  std::map<std::string, std::vector<double>>& all_;
};

// ---- where the schema has numbers ----

struct Place {
  std::string path;    // "node.mass"
  std::string before;  // "node = [{ mass = "
  std::string after;
};

// Every way to write numbers at a property: itself, lists, rows; none if it has none.
void forms_of(const Json& kind, const Place& place, std::vector<Place>& out) {
  if (kind.contains("properties"))
    for (const auto& [key, inner] : kind["properties"].items())
      forms_of(inner,
               {place.path + (place.path.empty() ? "" : ".") + key,
                place.before + (place.path.empty() ? "" : "{ ") + key + " = ", (place.path.empty() ? "" : " }") + place.after},
               out);
  if (kind.contains("additionalProperties") && kind["additionalProperties"].is_object())
    out.push_back({place.path, place.before + "{ p = ", " }" + place.after});
  if (kind.contains("anyOf") && !kind.contains("properties") && !kind.contains("type"))
    for (const Json& way : kind["anyOf"]) forms_of(way, place, out);
  if (kind.value("type", "") == "number" || kind.value("type", "") == "integer") out.push_back(place);
  if (kind.value("type", "") != "array") return;
  if (kind["items"].contains("properties"))
    return forms_of(kind["items"], {place.path, place.before + "[", "]" + place.after}, out);
  std::vector<Place> entries;
  forms_of(kind["items"], {place.path, "", ""}, entries);
  for (const Place& entry : entries) {
    // The value stands in every entry; what stands around the value of one is the same for all.
    const int count = kind.value("maxItems", 1);
    std::string before = place.before + "[";
    for (int i = 1; i < count; ++i) before += entry.before + "%" + entry.after + ", ";
    out.push_back({place.path, before + entry.before, entry.after + "]" + place.after});
  }
}

std::string with(const Place& place, const std::string& value) {
  std::string text = place.before + value + place.after;
  for (auto at = text.find('%'); at != std::string::npos; at = text.find('%')) text.replace(at, 1, value);
  return text;
}

std::vector<Place> places() {
  std::vector<Place> all;
  forms_of(schema_tree(), {}, all);
  return all;
}

struct Read {
  std::vector<Diagnostic> diagnostics;
  std::map<std::string, std::vector<double>> numbers;
};

Read read(const std::string& text) {
  const toml::table root = toml::parse(text);
  TomlReading reading{"test.toml", {}, {}, {}, {}, {}};
  Model model;
  TomlFields fields(root, "", "test.toml", reading);
  describe(fields, model);
  Read out{reading.diagnostics, {}};
  Numbers numbers("", out.numbers);
  describe(numbers, model);
  return out;
}

TEST(Number, EveryOneIsReadExactlyOrRefusedByName) {
  static const std::vector<std::string> values{"10000000000000000",
                                               "10000000000000001",
                                               "9007199254740993",
                                               "9223372036854775807",
                                               "-9223372036854775808",
                                               "2147483648",
                                               "1e308",
                                               "-1e308",
                                               "1e150",
                                               "1e-310",
                                               "-1e-310",
                                               "5e-324",
                                               "inf",
                                               "-inf",
                                               "nan"};
  const std::vector<Place> all = places();
  ASSERT_GT(all.size(), 250U);  // a walk that misses a form would find few
  std::size_t accepted = 0;
  for (const Place& place : all)
    for (const std::string& value : values) {
      const std::string text = with(place, value);
      SCOPED_TRACE(text);
      const Read result = read(text);
      const std::string key = "'" + place.path.substr(place.path.rfind('.') + 1) + "'";
      const bool refused = std::any_of(result.diagnostics.begin(), result.diagnostics.end(), [&](const Diagnostic& d) {
        return d.message.starts_with(key) && d.message.find("missing") == std::string::npos && d.line == 1;
      });
      const bool whole = value.find_first_not_of("-0123456789") == std::string::npos;
      const double expected = whole ? static_cast<double>(std::stoll(value)) : std::strtod(value.c_str(), nullptr);
      if (!std::isfinite(expected) || std::abs(expected) > 1e50) {
        EXPECT_TRUE(refused);
      }
      if (refused) continue;
      ++accepted;
      const auto found = result.numbers.find(place.path);
      ASSERT_NE(found, result.numbers.end());
      for (const double number : found->second) EXPECT_EQ(number, expected);
    }
  EXPECT_GT(accepted, all.size());  // numbers beyond 2^53 are numbers
}

TEST(Number, TheSchemaBoundsEveryOne) {
  std::size_t count = 0;
  const std::function<void(const Json&, const std::string&)> walk = [&](const Json& node, const std::string& where) {
    if (node.is_object() && node.contains("type") && (node["type"] == "number" || node["type"] == "integer")) {
      ++count;
      EXPECT_TRUE(node.contains("minimum") && node.contains("maximum")) << where;
    }
    if (node.is_structured())
      for (const auto& [key, inner] : node.items()) walk(inner, where + "/" + key);
  };
  walk(schema_tree(), "");
  EXPECT_GT(count, 200U);
}

// ---- whole models ----

const std::string pendulum = R"toml(gravity = [0, -9.8, 0]
[parameters]
big = 9007199254740993
[[node]]
name = "pivot"
position = [0, 0, 0]
fixed = true
[[node]]
name = "bob"
position = [0, -3.0443, 0]
mass = 10000000000000001
[[bar]]
name = "rod"
nodes = ["pivot", "bob"]
EA = 1e4
[[load]]
name = "push"
node = "bob"
force = ["big", 0, 0]
[time]
step = 0.05
end = 30
scheme = "energy-momentum-exact"
)toml";

std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    (void)parse_model(text, "test.toml", overrides);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Number, WholeOnesBeyondTwoToThe53AreRounded) {
  const Model model = parse_model(pendulum, "test.toml");
  EXPECT_EQ(model.nodes[1].mass, 1e16);
  EXPECT_EQ(model.parameters.at("big"), 9007199254740992.0);
  EXPECT_EQ(model.loads[0].force[0].value(0), 9007199254740992.0);
  const std::vector<std::string> set{"node.bob.mass=10000000000000000", "parameters.big=9223372036854775807"};
  const Model other = parse_model(pendulum, "test.toml", set);
  EXPECT_EQ(other.nodes[1].mass, 1e16);
  EXPECT_EQ(other.loads[0].force[0].value(0), 9223372036854775808.0);
}

TEST(Number, AParameterThatIsNoneIsRefused) {
  EXPECT_TRUE(says(refusal(pendulum, {"parameters.big=yes"}), "'parameters', entry 'big': expected a number, found a string"));
  EXPECT_TRUE(says(refusal(pendulum, {"parameters.big=true"}), "expected a number, found true or false"));
}

TEST(Number, BeyondItsRangeIsRefusedWithTheRange) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"bar.rod.EA=1e150", "'EA' of bar 'rod' is 1e+150, but must be between 1e-50 and 1e+50"},
      {"node.bob.mass=1e-310", "'mass' of node 'bob' is 1e-310, but must be 0 or between 1e-50 and 1e+50"},
      {"newton.max_iterations=2147483648", "'max_iterations' in [newton] is 2147483648, but must be between 1 and 10000"},
      {"newton.tolerance=10", "'tolerance' in [newton] is 10, but must be between 1e-50 and 1"},
      {"output.every=9223372036854775807", "is 9223372036854775807, but must be between 1 and 1e+15"},
      {"time.step=1e-300", "'step' in [time] is 1e-300, but must be between"},
      {"time.end=1e300", "'end' in [time] is 1e+300, but must be between"},
      {"time.step=1e-40", "the run would take 3e+41 steps"},
      {"node.bob.mass=1e400", "'1e400' is too large for a number"},
      {"node.bob.mass=-99999999999999999999", "'-99999999999999999999' is too large for a number"}};
  for (const auto& [set, message] : cases) EXPECT_TRUE(says(refusal(pendulum, {set}), message)) << refusal(pendulum, {set});
}

TEST(Number, GustsNeverWriteInfinityIntoAFormula) {
  const std::string gust = R"toml([aircraft]
[[aircraft.gust]]
shape = "sine"
amplitude = 0.1
frequency = 1e308
[time]
step = 0.01
end = 1
scheme = "energy-momentum-exact"
)toml";
  EXPECT_TRUE(
      says(refusal(gust), "test.toml:5: error: 'frequency' of gust number 1 in [aircraft] is 1e+308, but must be between"))
      << refusal(gust);
  const std::string table = R"toml([aircraft]
[[aircraft.gust]]
shape = "table"
table = [[0, 0], [1e-310, 1e40]]
[time]
step = 0.01
end = 1
scheme = "energy-momentum-exact"
)toml";
  EXPECT_TRUE(says(refusal(table), "the time 1e-310 is too near to 0")) << refusal(table);
}

TEST(Number, WhatIsWorkedOutHasTheSameRange) {
  const std::string body = R"toml([[body]]
name = "top"
mass = 1e-40
shape = { sphere = 1e-30 }
[time]
step = 0.01
end = 1
scheme = "energy-momentum-exact"
)toml";
  EXPECT_TRUE(says(refusal(body), "the mass or the inertia of body 'top' comes to 4e-101")) << refusal(body);
  const std::string rod = R"toml([[rod]]
name = "r"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 4
material = { E = 1e40, nu = 0.3, density = 1000 }
section = { circle = 1e20 }
[time]
step = 0.01
end = 1
scheme = "energy-momentum-exact"
)toml";
  EXPECT_TRUE(says(refusal(rod), "rod 'r': EI is 7.85398163397448")) << refusal(rod);
}

// ---- how deep ----

std::string repeated(const std::string& part, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += part;
  return all;
}

TEST(Depth, NestingBeyondReasonIsRefusedWithItsLine) {
  constexpr int deep = 40000;
  const std::vector<std::string> texts{
      "a" + repeated(".a", deep) + " = 1",
      "\n\n[a" + repeated(".a", deep) + "]",
      "[[a" + repeated(" . \"a\"", deep) + "]]",
      "a = " + repeated("[", deep) + repeated("]", deep),
      "a = " + repeated("{ a = ", deep) + "1" + repeated("}", deep),
      "a = { b = " + std::string(R"("""x"""")") + ", c" + repeated(".c", deep) + " = 1 }",
      "a = '\\' # '\nb" + repeated(".b", deep) + " = 1",
      "a" + repeated(".a", 20) + " = " + repeated("{ a" + repeated(".a", 20) + " = ", deep),
  };
  for (const std::string& text : texts) {
    const auto found = too_deep(text);
    ASSERT_TRUE(found) << text.substr(0, 40);
    EXPECT_EQ(found->line, text[0] == '\n' ? 3 : text[5] == '\\' ? 2 : 1);
    EXPECT_TRUE(says(refusal(text), "more than 32 deep")) << text.substr(0, 40);
  }
  EXPECT_TRUE(says(refusal(pendulum, {"gravity=" + repeated("[", deep)}), "more than 32 deep"));
  EXPECT_TRUE(says(refusal(pendulum, {"time" + repeated(".step", deep) + "=1"}), "unknown key"));
}

TEST(Depth, StringsAndCommentsDoNotCount) {
  const std::string many = repeated(".[{", 100);
  for (const std::string& text :
       {"a = \"" + many + "\"", "a = '" + many + "'", "a = \"\"\"\n" + many + "\n\"\"\"\"\"", "a = '''\n" + many + "'''",
        "# " + many + "\na = 1", "a = \"\\\"" + many + "\"", "a = [" + repeated("1.5, ", 1000) + "2.5]"})
    EXPECT_FALSE(too_deep(text)) << text.substr(0, 40);
}

// ---- how many ----

TEST(Memory, ACountThatNoMachineHoldsIsRefusedBeforeItIsMade) {
  const std::string rod = R"toml([[rod]]
name = "r"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 1000000000
nodes_per_element = 3
EA = 1
GA = 1
GJ = 1
EI = 1
density = 1
[time]
step = 0.01
end = 1
scheme = "energy-momentum-exact"
)toml";
  EXPECT_TRUE(says(refusal(rod), "test.toml:5: error: rod 'r' has 1000000000 elements: the model would take about 60 TB"))
      << refusal(rod);
  EXPECT_TRUE(says(refusal(rod), "make `elements` smaller"));
  EXPECT_TRUE(says(refusal(rod, {"rod.r.elements=100000000000"}), "must be between 1 and 1e+09"));
  const std::string aircraft =
      "[aircraft]\nwings = 9999\nwing = { kind = \"rod\", elements = 100000000 }\n[time]\nstep = 0.01\n"
      "end = 1\nscheme = \"energy-momentum-exact\"\n";
  EXPECT_TRUE(says(refusal(aircraft), "test.toml:3: error: the aircraft has 9999 panels of 100000000 elements"))
      << refusal(aircraft);
  EXPECT_TRUE(
      says(refusal(aircraft, {"aircraft.wings=100001"}), "'wings' in [aircraft] is 100001, but must be between 0 and 10000"));
}

TEST(Memory, TheSumOfAllRodsCounts) {
  Model model;
  model.file = "test.toml";
  for (const long elements : {1000L, 3000L, 2000L}) {
    RodInput rod;
    rod.name = "r" + std::to_string(elements);
    rod.elements = elements;
    rod.source.line = static_cast<int>(elements);
    model.rods.push_back(rod);
  }
  const double all = memory_of(model.rods[0]) + memory_of(model.rods[1]) + memory_of(model.rods[2]);
  EXPECT_TRUE(check_memory(model, all).empty());
  const auto found = check_memory(model, 0.99 * all);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text(),
            "test.toml:3000: error: rod 'r3000' has 3000 elements: the model would take about 180 MB of memory, and there are "
            "178 MB; make `elements` smaller");
  EXPECT_GT(available_memory(), 1e6);
}

}  // namespace model_number
}  // namespace trompo
