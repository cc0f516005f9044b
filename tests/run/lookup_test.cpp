// A model that was written in C++ has passed no reader: every name and word of it that is misspelt is an error that says so.
#include "trompo/model/lookup.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "trompo/model/aircraft.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/model/rod.hpp"
#include "trompo/model/vocabulary.hpp"
#include "trompo/run/sensor.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {
namespace run_lookup {

constexpr const char* slip = "zq";

// Misspells one word of a model after the other: of all that stand there, what people name and what has a meaning.
class Misspeller final : public Fields {
 public:
  explicit Misspeller(int which) : which_(which) {}
  std::string key;  // of the word that was misspelt; empty: there was none

  void text(const Key& k, std::string& value) override {
    // What a part is called is its own affair, and so are words for people.
    if (k.name == "name" || k.name == "title" || k.name == "text" || value.empty() || value.ends_with(slip)) return;
    if (seen_++ == which_) misspell(k, value);
  }
  void choice(const Key& k, std::string& value, std::span<const std::string_view>) override { text(k, value); }
  void names(const Key& k, std::array<std::string, 2>& value) override {
    for (std::string& name : value) text(k, name);
  }
  void functions(const Key& k, std::array<TimeFunction, 3>&, std::array<std::string, 3>& texts) override {
    for (std::string& formula : texts) text(k, formula);
  }
  void section(const Key&, const Nested& nested) override { nested(*this); }
  void vector_or_section(const Key&, std::optional<Vec3>&, const Nested& nested) override { nested(*this); }
  void list(const Key&, int present, const std::function<void(Fields&, int)>& item) override {
    for (int i = 0; i < present; ++i) item(*this, i);
  }
  void flag(const Key&, bool&) override {}
  void number(const Key&, std::optional<double>&) override {}
  void count(const Key&, std::optional<long>&) override {}
  void vector(const Key&, std::optional<Vec3>&) override {}
  void places(const Key&, std::optional<std::vector<Vec3>>&) override {}
  void array(const Key&, std::optional<std::vector<double>>&, std::span<const std::size_t>) override {}
  void one_or_each(const Key&, std::optional<std::vector<double>>&) override {}
  void axes(const Key&, std::array<bool, 3>&) override {}
  void function(const Key&, std::optional<TimeFunction>&) override {}
  void table_of_vectors(const Key&, std::array<TimeFunction, 3>&) override {}
  void numbers(const Key&, std::map<std::string, double>&) override {}
  void source(Source&) override {}
  [[nodiscard]] bool writes() const override { return true; }

 private:
  void misspell(const Key& k, std::string& value) {
    value += slip;
    key = k.name;
  }
  int which_, seen_ = 0;
};

// Every kind of part that has a name or a word in it.
Model full() {
  return parse_model(R"toml(
formulation = "directors"
gravity = [0, 0, -9.81]
[parameters]
k = 2
[[node]]
name = "a"
position = [0, 0, 0]
fixed = true
[[node]]
name = "b"
position = [1, 0, 0]
mass = 1
[[body]]
name = "box"
mass = 1
shape = { box = [1, 1, 1] }
position = [5, 0, 0]
[[body]]
name = "arm"
mass = 1
shape = { box = [1, 1, 1] }
position = [6, 0, 0]
[[rod]]
name = "rod"
from = [0, 9, 0]
to = [1, 9, 0]
elements = 2
EA = 100
GA = 100
GJ = 1
EI = 1
density = 1
clamped = "from"
[[rod]]
name = "curved"
from = [0, 12, 0]
to = [1, 12, 0]
elements = 1
nodes_per_element = 3
EA = 100
GA = 100
GJ = 1
EI = 1
density = 1
clamped = "from"
[[coordinate]]
name = "angle"
value = 0.1
[[coordinate]]
name = "u"
inertia = 1
potential = "k*u^2"
[[pendulum]]
name = "swing"
coordinate = "angle"
mass = 1
length = 1
[[bar]]
name = "bar"
nodes = ["a", "b"]
EA = 100
strain = "green"
[[spring]]
name = "spring"
nodes = ["a", "b"]
stiffness = 3
[[spring]]
name = "bodily"
from = { body = "box" }
to = { node = "b" }
stiffness = 3
[[invariant]]
name = "square"
formula = "b.x^2 + b.y^2"
[[potential]]
name = "well"
potential = "0.1*square"
[[constraint]]
name = "wire"
constraint = "b.y - 0.5*b.z"
[[constraint]]
name = "twin"
constraint = "u - angle + 0.1"
[[joint]]
name = "hinge"
bodies = ["ground", "box"]
hinge = { at = [5, 0, 0], axis = [0, 1, 0] }
stiffness = 3
rest = "as drawn"
[[joint]]
name = "ball"
bodies = ["box", "arm"]
ball = { at = [5.5, 0, 0] }
[[load]]
name = "push"
node = "b"
force = ["u", 1, 0]
[[load]]
name = "turn"
body = "arm"
force = [0, "t*b.x", 0]
[[load]]
name = "drive"
coordinate = "u"
force = "b.x"
[[event]]
at = 0.01
set = { joint = "hinge", stiffness = 2 }
[[event]]
at = 0.01
set = { spring = "spring", stiffness = 2 }
[[event]]
at = 0.01
set = { bar = "bar", EA = 2 }
[[event]]
at = 0.01
set = { rod_element = "rod.0-1", EA = 200 }
[[sensor]]
name = "s position"
position = "b"
axis = "x"
[[sensor]]
name = "s velocity"
velocity = "box"
axis = "x"
[[sensor]]
name = "s spin"
angular_velocity = "box"
axis = "x"
[[sensor]]
name = "s tilt"
tilt = "box"
axis = "x"
[[sensor]]
name = "s reaction"
reaction = "a"
axis = "x"
[[sensor]]
name = "s joint"
reaction = "hinge"
axis = "x"
[[sensor]]
name = "s torque"
torque = "hinge"
axis = "x"
[[sensor]]
name = "s angle"
angle = "hinge"
[[sensor]]
name = "s force"
force = "bar"
[[sensor]]
name = "s strain"
strain = "bar"
[[sensor]]
name = "s distance"
distance = ["a", "b"]
[[sensor]]
name = "s value"
value = "u"
[[sensor]]
name = "s multiplier"
multiplier = "wire"
[[sensor]]
name = "s formula"
formula = "u + b.x"
[[sensor]]
name = "s section"
section_moment = "rod.0-1"
axis = "x"
[[mark]]
at = 0.01
text = "here"
[time]
step = 0.01
end = 0.02
scheme = "energy-momentum-exact"
constraint_gradient = "secant"
initial_acceleration = "consistent"
initial_state = "given"
[newton]
tangent = "exact"
[statics]
method = "load"
)toml",
                     "test.toml");
}

void use(const Model& model) {
  (void)run(model);
  (void)solve_statics(model, System(model));
}

// What was said, which must be an error of the model.
std::string said_of(const Model& model) {
  try {
    use(model);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Lookup, TheModelItselfIsRight) { EXPECT_EQ(run(full()).status, Status::done); }

TEST(Lookup, EveryNameAndWordThatIsMisspeltIsNamed) {
  const Model right = full();
  int count = 0;
  for (;; ++count) {
    Model wrong = right;
    Misspeller misspeller(count);
    describe(misspeller, wrong);
    if (misspeller.key.empty()) break;
    const std::string said = said_of(wrong);
    EXPECT_NE(said.find(slip), std::string::npos) << "word " << count << ", " << misspeller.key << ": " << said;
  }
  EXPECT_GT(count, 70);
}

TEST(Lookup, KindsOfJointsSensorsAndEventsToo) {
  const auto misspelt = [](const std::function<std::string&(Model&)>& word, const std::string& nearest) {
    Model wrong = full();
    word(wrong) += slip;
    const std::string said = said_of(wrong);
    EXPECT_NE(said.find(slip), std::string::npos) << said;
    EXPECT_NE(said.find("did you mean '" + nearest + "'"), std::string::npos) << said;
  };
  for (std::size_t i = 0; i < full().joints.size(); ++i)
    misspelt([i](Model& m) -> std::string& { return m.joints[i].kind; }, full().joints[i].kind);
  for (std::size_t i = 0; i < full().sensors.size(); ++i)
    misspelt([i](Model& m) -> std::string& { return m.sensors[i].kind; }, full().sensors[i].kind);
  for (std::size_t i = 0; i < full().events.size(); ++i)
    misspelt([i](Model& m) -> std::string& { return m.events[i].what; }, full().events[i].what);
  misspelt([](Model& m) -> std::string& { return m.joints[0].bodies[1]; }, "box");
  misspelt([](Model& m) -> std::string& { return m.joints[0].bodies[0]; }, "ground");  // which it is not
  misspelt([](Model& m) -> std::string& { return m.formulation; }, "directors");
  misspelt([](Model& m) -> std::string& { return m.bars[0].nodes[0]; }, "a");
  misspelt([](Model& m) -> std::string& { return m.sensors[12].of[0]; }, "wire");
}

TEST(Lookup, WordsWithoutAPlaceInThatModel) {
  Model plane = parse_model(
      "plane = \"xy\"\n[[node]]\nname = \"a\"\nposition = [0, 0]\nmass = 1\n[time]\nstep = 1\nend = 1\nscheme = \"midpoint\"\n",
      "test.toml");
  plane.plane = "yx";
  EXPECT_NE(said_of(plane).find("there is no plane 'yx'"), std::string::npos) << said_of(plane);

  Model body = parse_model(
      "formulation = \"euler-parameters\"\n[[body]]\nname = \"a\"\nmass = 1\nshape = { sphere = 1 }\n[time]\nstep = 1\nend = "
      "1\n"
      "scheme = \"rk4\"\nstabilisation = { projection = \"s-pos\" }\n",
      "test.toml");
  body.time.stabilisation.projection = "s-poz";
  EXPECT_NE(said_of(body).find("there is no projection 's-poz'; did you mean 's-pos'"), std::string::npos) << said_of(body);

  Model rods = full();
  rods.rods.emplace_back().name = "whip";
  EXPECT_NE(said_of(rods).find("rod 'whip': it has not been built"), std::string::npos) << said_of(rods);
}

// A model that never was a file: no reader, no lines. Both the check and the equations name the nearest one.
TEST(Lookup, AModelMadeOfStructs) {
  Model right;
  BodyInput& box = right.bodies.emplace_back();
  box.name = "box";
  box.mass = 1;
  box.shape.sphere = 1;
  JointInput& joint = right.joints.emplace_back();
  joint.name = "pin";
  joint.bodies = {"ground", "box"};
  joint.kind = "hinge";
  joint.kinds_given = 1;
  joint.form.at = Vec3::UnitX();
  joint.form.axis = Vec3::UnitZ();
  SensorInput& sensor = right.sensors.emplace_back();
  sensor.name = "turn";
  sensor.kind = "angle";
  sensor.of[0] = "pin";
  right.formulation = "rotation";
  right.time.step = 0.01;
  right.time.steps = 2;
  right.time.scheme = "energy-momentum-exact";
  EXPECT_EQ(run(right).status, Status::done);

  struct Slip {
    std::string& (*of)(Model&);
    const char *written, *meant;
    bool checked;  // by check() too; the others are words of the whole model
  };
  const Slip slips[] = {
      {[](Model& m) -> std::string& { return m.joints[0].bodies[1]; }, "bux", "box", true},
      {[](Model& m) -> std::string& { return m.joints[0].kind; }, "hynge", "hinge", true},
      {[](Model& m) -> std::string& { return m.formulation; }, "rotatiom", "rotation", false},
      {[](Model& m) -> std::string& { return m.sensors[0].kind; }, "angel", "angle", true},
      {[](Model& m) -> std::string& { return m.sensors[0].of[0]; }, "pim", "pin", true},
  };
  for (const Slip& one : slips) {
    Model wrong = right;
    one.of(wrong) = one.written;
    const std::string said = said_of(wrong), meant = "did you mean '" + std::string(one.meant) + "'";
    EXPECT_NE(said.find(one.written), std::string::npos) << said;
    EXPECT_NE(said.find(meant), std::string::npos) << said;
    if (!one.checked) continue;
    std::string found;
    for (const Diagnostic& d : check(wrong)) found += d.text() + "\n";
    EXPECT_NE(found.find(one.written), std::string::npos) << found;
    EXPECT_NE(found.find(meant), std::string::npos) << found;
  }
}

// Builders of parts are asked before there is a system.
TEST(Lookup, RodsAndAircraftAreBuiltFromWordsThatExist) {
  const auto refused = [](const auto& build) {
    try {
      Model model;
      build(model);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  RodInput rod;
  rod.name = "r";
  rod.from.place = Vec3::Zero();
  rod.to.place = Vec3::UnitX();
  rod.elements = 2;
  rod.stiffness = {100.0, std::vector{100.0}, 1.0, std::vector{1.0}};
  rod.density = 1;
  EXPECT_EQ(refused([&](Model& m) { expand(rod, m); }), "nothing");
  for (std::string RodInput::*word : {&RodInput::clamped, &RodInput::mass}) {
    RodInput wrong = rod;
    wrong.*word = "formzq";
    EXPECT_NE(refused([&](Model& m) { expand(wrong, m); }).find("formzq"), std::string::npos);
  }
  AircraftInput plane;
  plane.gusts.emplace_back().amplitude = 0.1;
  plane.gusts[0].end = 1;
  EXPECT_EQ(refused([&](Model& m) { expand(plane, m); }), "nothing");
  using Word = std::string& (*)(AircraftInput&);
  for (const Word word : {Word([](AircraftInput& a) -> std::string& { return a.wing.kind; }),
                          Word([](AircraftInput& a) -> std::string& { return a.mount.kind; }),
                          Word([](AircraftInput& a) -> std::string& { return a.pattern; }),
                          Word([](AircraftInput& a) -> std::string& { return a.gust_form; }),
                          Word([](AircraftInput& a) -> std::string& { return a.gusts[0].shape; }),
                          Word([](AircraftInput& a) -> std::string& { return a.gusts[0].axis; })}) {
    AircraftInput wrong = plane;
    word(wrong) += slip;
    EXPECT_NE(refused([&](Model& m) { expand(wrong, m); }).find(slip), std::string::npos) << word(wrong);
  }
}

}  // namespace run_lookup
}  // namespace trompo
