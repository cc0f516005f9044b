// What a user sees who got something wrong: the exit code says of what kind, the message where and what instead, and nothing is
// left behind.
#include "tests/apps/tool.hpp"

namespace trompo::test {
namespace apps_bad_input {

const std::string pendulum = R"toml(title = "Pendulum with a push"
gravity = [0, -9.8, 0]

[[node]]
name = "pivot"
position = [0, 0, 0]
fixed = true

[[node]]
name = "bob"
position = [0, -3, 0]
velocity = [7.72, 0, 0]
mass = 10

[[bar]]
name = "rod"
nodes = ["pivot", "bob"]
EA = 1e4

[[load]]
name = "push"
node = "bob"
force = ["10*sin(t)", 0, 0]

[time]
step = 0.05
end = 1
scheme = "generalized-alpha-1"
)toml";

struct Mistake {
  const char* name;
  std::string what, with;          // in `pendulum`
  int line;                        // where the message must point to; 0: to the file
  std::vector<std::string> parts;  // what it must say
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class InvalidModel : public ToolTest, public testing::WithParamInterface<Mistake> {};

TEST_P(InvalidModel, IsRefusedWithPlaceAndReason) {
  const Mistake& mistake = GetParam();
  write("model.toml", mistake.what.empty() ? mistake.with : replaced(pendulum, mistake.what, mistake.with));
  const auto before = listing();
  const std::string place =
      mistake.line > 0 ? "model.toml:" + std::to_string(mistake.line) + ": error: " : "model.toml: error: ";
  for (const char* command : {"run", "check", "compare", "converge"}) {
    const Outcome outcome = trompo({command, "model.toml"});
    EXPECT_EQ(outcome.code, 3) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_TRUE(says(outcome.err, place)) << command;
    for (const std::string& part : mistake.parts) EXPECT_TRUE(says(outcome.err, part)) << command;
  }
  EXPECT_EQ(listing(), before);

  const auto report = json_of(trompo({"check", "model.toml", "--json"}).out);
  EXPECT_EQ(report["valid"], false);
  ASSERT_GE(report["diagnostics"].size(), 1U);
  bool found = false;
  for (const auto& d : report["diagnostics"]) found = found || (d["line"] == mistake.line && d["severity"] == "error");
  EXPECT_TRUE(found) << report;
}

const std::string elf(
    "\x7f"
    "ELF\x02\x01\x01\0\0\0\0\xff\xfe\x80",
    14);

INSTANTIATE_TEST_SUITE_P(
    Cli, InvalidModel,
    testing::Values(
        Mistake{"UnknownKey", "mass = 10", "mas = 10", 13, {"'mas'", "'bob'", "did you mean 'mass'?"}},
        Mistake{"UnknownSection", "[[bar]]", "[[bars]]", 15, {"'bars'", "did you mean 'bar'?"}},
        Mistake{"UnknownScheme",
                "generalized-alpha-1",
                "generalised-alfa-1",
                28,
                {"'generalised-alfa-1'", "did you mean 'generalized-alpha-1'?"}},
        Mistake{"UnknownNode", "\"pivot\", \"bob\"", "\"pivot\", \"bop\"", 17, {"'rod'", "'bop'", "did you mean 'bob'?"}},
        Mistake{"UnknownNodeOfLoad", "node = \"bob\"", "node = \"Bob\"", 22, {"'push'", "'Bob'", "did you mean 'bob'?"}},
        Mistake{"DuplicateName", "name = \"rod\"", "name = \"bob\"", 16, {"bar 'bob'", "taken by a node in line 10"}},
        Mistake{"ZeroLengthBar", "[0, -3, 0]", "[0, 0, 0]", 17, {"'rod'", "zero length", "'pivot'", "'bob'"}},
        Mistake{"BarToItself", "\"pivot\", \"bob\"", "\"bob\", \"bob\"", 17, {"'rod'", "'bob'", "itself"}},
        Mistake{"NegativeMass", "mass = 10", "mass = -10", 13, {"'mass'", "'bob'", "-10", "must not be negative"}},
        Mistake{"MasslessFreeNode", "mass = 10\n", "\n", 9, {"'bob'", "no mass", "fixed = true"}},
        Mistake{"NoTime", "[time]\nstep = 0.05\nend = 1\nscheme = \"generalized-alpha-1\"\n", "", 1, {"'time'", "[time]"}},
        Mistake{"NoEnd", "end = 1\n", "", 25, {"how long", "`end`", "`steps`"}},
        Mistake{"EndAndSteps", "end = 1\n", "end = 1\nsteps = 20\n", 28, {"`end`", "`steps`"}},
        Mistake{"StepZero", "step = 0.05", "step = 0", 26, {"'step'", "must be positive"}},
        Mistake{"StepNegative", "step = 0.05", "step = -0.05", 26, {"'step'", "-0.05", "must be positive"}},
        Mistake{"XiWithoutUse", "end = 1\n", "end = 1\nxi = 0.1\n", 28, {"'xi'", "'generalized-alpha-1'", "gem+xi"}},
        Mistake{"RhoOutOfRange", "end = 1\n", "end = 1\nrho_infinity = 1.5\n", 28, {"rho_infinity = 1.5", "from 0 to 1"}},
        Mistake{"RhoAndAlpha",
                "end = 1\n",
                "end = 1\nrho_infinity = 0.5\nalpha_f = 0.2\n",
                29,
                {"rho_infinity", "alpha_f", "both"}},
        Mistake{"NaN", "mass = 10", "mass = nan", 13, {"'mass'", "'bob'", "nan", "finite"}},
        Mistake{"Infinite", "EA = 1e4", "EA = inf", 18, {"'EA'", "'rod'", "inf", "finite"}},
        Mistake{"InfiniteInVector", "[7.72, 0, 0]", "[7.72, -inf, 0]", 12, {"'velocity'", "'bob'", "inf", "finite"}},
        Mistake{"TooLargeForADouble", "EA = 1e4", "EA = 1e400", 18, {"'1e400'"}},
        Mistake{"WrongType", "mass = 10", "mass = \"ten\"", 13, {"'mass'", "'bob'", "number", "string"}},
        Mistake{"WrongTypeBoolean", "fixed = true", "fixed = 1", 7, {"'fixed'", "'pivot'", "true or false"}},
        Mistake{"TwoEntriesInSpace", "[0, -3, 0]", "[0, -3]", 11, {"'position'", "'bob'", "3 entries", "2", "plane"}},
        Mistake{"FourEntries", "[0, -3, 0]", "[0, -3, 0, 1]", 11, {"'position'", "'bob'", "3 entries", "4"}},
        Mistake{"NumberForVector", "[0, -3, 0]", "-3", 11, {"'position'", "'bob'", "list"}},
        Mistake{"FormulaUnknownName", "sin(t)", "sin(time)", 23, {"'force'", "'push'", "column 8", "'time'"}},
        Mistake{"FormulaSyntax", "sin(t)", "sin(t", 23, {"'force'", "'push'", "column", "')'"}},
        Mistake{"FormulaNotFinite", "10*sin(t)", "1/t", 23, {"'push'", "along x", "not finite"}},
        Mistake{"NoToml", "mass = 10", "mass = 10 kg", 13, {"TOML"}},
        Mistake{"Empty", "", "", 1, {"empty", "[[node]]", "[time]"}},
        Mistake{"OnlyAComment", "", "# nothing\n", 1, {"empty", "[[node]]", "[time]"}},
        Mistake{"Binary", "", elf, 1, {"not a text file"}}),
    [](const auto& each) { return std::string(each.param.name); });

// The same of rigid bodies: what is put for `inertia = ...` in line 8 of a model, and for its first line.
std::string spinning_top(const std::string& inertia, const std::string& first = "formulation = \"rotation\"") {
  return first + R"toml(
gravity = [0, 0, -10]

[[body]]
name = "top"
mass = 4
angular_velocity = [0, 0, 50]
)toml" + inertia +
         R"toml(

[time]
step = 0.01
end = 1
scheme = "midpoint"
)toml";
}

INSTANTIATE_TEST_SUITE_P(
    Body, InvalidModel,
    testing::Values(
        Mistake{"UnknownFormulation",
                "",
                spinning_top("inertia = [4, 4, 1]", "formulation = \"director\""),
                1,
                {"'director'", "\"directors\"", "\"euler-parameters\""}},
        Mistake{"BodyTurnsOutOfPlane",
                "",
                spinning_top("inertia = [4, 4, 1]", "plane = \"xz\""),
                7,
                {"`angular_velocity` of body 'top' leaves the plane"}},
        Mistake{"NoInertia", "", spinning_top(""), 4, {"'top'", "no inertia", "`shape`", "`parts`"}},
        Mistake{"Triangle", "", spinning_top("inertia = [3, 5, 1]"), 8, {"'top'", "triangle inequality", "5 > 1 + 3"}},
        Mistake{"NotPositive", "", spinning_top("inertia = [1, 1, -2]"), 8, {"'top'", "not positive definite", "-2"}},
        Mistake{"NotSymmetric",
                "",
                spinning_top("inertia = [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]"),
                8,
                {"'top'", "not symmetric", "row 1, column 2 is 0.1"}},
        Mistake{"ThinRod", "", spinning_top("shape = { rod = 1 }"), 8, {"'top'", "nothing would determine", "cylinder"}},
        Mistake{"SizeNegative", "", spinning_top("shape = { box = [1, -1, 1] }"), 8, {"'box'", "'top'", "must be positive"}},
        Mistake{"ShapeAndInertia",
                "",
                spinning_top("shape = { sphere = 1 }\ninertia = [1, 1, 1]"),
                8,
                {"'top'", "`inertia`", "`shape`", "keep one"}},
        Mistake{"Reflection",
                "",
                spinning_top("inertia = [1, 1, 1]\norientation = { matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]] }"),
                9,
                {"'top'", "reflection"}},
        Mistake{"NotUnitQuaternion",
                "",
                spinning_top("inertia = [1, 1, 1]\norientation = { quaternion = [0, 3, 0, 4] }"),
                9,
                {"'top'", "length 5", "[0, 0.6, 0, 0.8]"}},
        Mistake{"FixedPointAndPosition",
                "",
                spinning_top("inertia = [4, 4, 1]\nfixed_point = [0, 0, 0]\nposition = [0, 0, 1]"),
                10,
                {"'top'", "`fixed_point`", "`position`"}}),
    [](const auto& each) { return std::string(each.param.name); });

// Two boxes and what is put for the joint in line 11.
std::string joined(const std::string& joint) {
  return R"toml([[body]]
name = "a"
mass = 1
shape = { box = [1, 1, 1] }
[[body]]
name = "b"
mass = 1
position = [2, 0, 0]
shape = { box = [1, 1, 1] }

)toml" + joint +
         R"toml(
[time]
step = 0.01
steps = 10
scheme = "energy-momentum-exact"
)toml";
}

INSTANTIATE_TEST_SUITE_P(
    Joint, InvalidModel,
    testing::Values(
        Mistake{"ToItself",
                "",
                joined("[[joint]]\nname = \"j\"\nbodies = [\"a\", \"a\"]\nball = { at = [1, 0, 0] }"),
                13,
                {"'j'", "'a'", "to itself"}},
        Mistake{"UnknownBody",
                "",
                joined("[[joint]]\nname = \"j\"\nbodies = [\"a\", \"c\"]\nball = { at = [1, 0, 0] }"),
                13,
                {"'j'", "no body 'c'"}},
        Mistake{"ZeroAxis",
                "",
                joined("[[joint]]\nname = \"j\"\nbodies = [\"a\", \"b\"]\nhinge = { at = [1, 0, 0], axis = [0, 0, 0] }"),
                14,
                {"'j'", "length zero"}},
        Mistake{"NoPoint",
                "",
                joined("[[joint]]\nname = \"j\"\nbodies = [\"a\", \"b\"]\nhinge = { axis = [0, 0, 1] }"),
                14,
                {"'j'", "no `at`"}},
        Mistake{"NoKind", "", joined("[[joint]]\nname = \"j\"\nbodies = [\"a\", \"b\"]"), 11, {"'j'", "hinge = {"}},
        Mistake{"PointsApart",
                "",
                joined("[[joint]]\nname = \"j\"\nbodies = [\"a\", \"b\"]\nball = { from = [0.5, 0, 0], at = [1.5, 0, 0] }"),
                14,
                {"'j'", "do not coincide", "1 m apart", "initial_projection"}},
        Mistake{"DrivenFromElsewhere",
                "",
                joined("[[joint]]\nname = \"j\"\nbodies = [\"a\", \"b\"]\nhinge = { axis = [0, 0, 1], at = [1, 0, 0] }\nmotion "
                       "= \"1 + t\""),
                15,
                {"'j'", "driven from 1", "drawn at 0"}},
        Mistake{"SpringInAWeld",
                "",
                joined("[[joint]]\nname = \"j\"\nbodies = [\"a\", \"b\"]\nweld = { at = [1, 0, 0] }\nstiffness = 3"),
                15,
                {"`stiffness`", "'j'", "hinge"}},
        Mistake{"EventOfNothing",
                "",
                joined("[[event]]\nat = 0.05\nset = { joint = \"j\", stiffness = 3 }"),
                13,
                {"no joint 'j'"}}),
    [](const auto& each) { return std::string(each.param.name); });

// Code 6: the file or the disk.
class BadFile : public ToolTest {
 protected:
  void refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) const {
    const auto before = listing();
    const Outcome outcome = trompo(arguments);
    EXPECT_EQ(outcome.code, 6) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& part : parts) EXPECT_TRUE(says(outcome.err, part));
    EXPECT_EQ(listing(), before);
  }
};

TEST_F(BadFile, MissingModel) {
  for (const char* command : {"run", "check", "compare", "converge"})
    refused({command, "nowhere.toml"}, {"nowhere.toml", "no such file"});
}
TEST_F(BadFile, DirectoryForModel) { refused({"run", "."}, {"'.'", "directory"}); }
TEST_F(BadFile, OutputBelowAFile) {
  write("model.toml", pendulum);
  refused({"run", "model.toml", "-o", "model.toml/results"}, {"model.toml/results"});
}
TEST_F(BadFile, OutputIsAFile) {
  write("model.toml", pendulum);
  write("model.out", "mine");
  refused({"run", "model.toml"}, {"model.out", "file"});
  EXPECT_EQ(file("model.out"), "mine");
}
TEST_F(BadFile, ParentOfOutputIsMissing) {
  write("model.toml", pendulum);
  refused({"run", "model.toml", "-o", "a/b"}, {"a/b"});
}
TEST_F(BadFile, ResultsCannotBeReplaced) {
  write("model.toml", pendulum);
  fs::create_directories(directory() / "model.out/results.h5");
  refused({"run", "model.toml"}, {"model.out/results.h5"});
}
TEST_F(BadFile, PictureBelowAFile) {
  write("file", "");
  const Outcome outcome = trompo({"spectrum", "--scheme", "gem", "--svg", "file/gem.svg"});
  EXPECT_EQ(outcome.code, 6);
  EXPECT_TRUE(says(outcome.err, "file/gem.svg"));
}

// Code 2: the command line.
struct Misuse {
  const char* name;
  std::vector<std::string> arguments, parts;
};
void PrintTo(const Misuse& misuse, std::ostream* out) { *out << misuse.name; }

class Usage : public ToolTest, public testing::WithParamInterface<Misuse> {};

TEST_P(Usage, IsRefused) {
  write("model.toml", pendulum);
  const auto before = listing();
  const Outcome outcome = trompo(GetParam().arguments);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(says(outcome.err, "error: "));
  for (const std::string& part : GetParam().parts) EXPECT_TRUE(says(outcome.err, part));
  EXPECT_EQ(listing(), before);
}

INSTANTIATE_TEST_SUITE_P(
    Cli, Usage,
    testing::Values(
        Misuse{"NoCommand", {}, {"command is missing", "run", "--help"}},
        Misuse{"UnknownCommand", {"rum", "model.toml"}, {"'rum'", "did you mean 'run'?"}},
        Misuse{"UnknownOption", {"run", "model.toml", "--outptu", "x"}, {"'--outptu'", "did you mean '--output'?"}},
        Misuse{"NoFile", {"run"}, {"FILE"}}, Misuse{"TwoFiles", {"run", "model.toml", "other.toml"}, {"'other.toml'"}},
        Misuse{"NoValue", {"run", "model.toml", "--set"}, {"--set"}},
        Misuse{
            "UnknownSchemeInCompare", {"compare", "model.toml", "--schemes", "gem,hht-3"}, {"'hht-3'", "did you mean 'hht-"}},
        Misuse{"NoParameterOfScheme", {"compare", "model.toml", "--schemes", "gem:xi=0.1"}, {"'gem'", "'xi'", "gem+xi"}},
        Misuse{"NoNumberInScheme", {"compare", "model.toml", "--schemes", "gem:rho_infinity=much"}, {"rho_infinity=much"}},
        Misuse{"UnknownSchemeInConverge", {"converge", "model.toml", "--schemes", "gen"}, {"'gen'", "did you mean 'gem'?"}},
        Misuse{"UnknownSchemeInSpectrum", {"spectrum", "--scheme", "gen"}, {"'gen'", "did you mean 'gem'?"}},
        Misuse{"RhoOutOfRange",
               {"spectrum", "--scheme", "hht-1", "--rho-infinity", "0.3"},
               {"rho_infinity = 0.3", "hht-1", "0.5"}},
        Misuse{"RhoWithoutUse", {"spectrum", "--scheme", "trapezoidal", "--rho-infinity", "0.6"}, {"'trapezoidal'"}},
        Misuse{"RangeUpsideDown", {"spectrum", "--scheme", "gem", "--from", "10", "--to", "1"}, {"--from", "--to"}},
        Misuse{"UnknownProblem", {"reproduce", "perpetuum"}, {"perpetuum", "pendulum"}}),
    [](const auto& each) { return std::string(each.param.name); });

// An override is checked like the file, and the message quotes it.
TEST_F(ToolTest, WrongOverrideIsAnInvalidModel) {
  write("model.toml", pendulum);
  const std::pair<const char*, const char*> cases[] = {{"time.stpe=0.1", "did you mean 'time.step'?"},
                                                       {"bar.rodd.EA=1", "did you mean 'rod'?"},
                                                       {"time.step=-1", "must be positive"},
                                                       {"time.scheme=gen", "did you mean 'gem'?"},
                                                       {"time.step", "'='"}};
  for (const auto& [override, part] : cases) {
    const Outcome outcome = trompo({"run", "model.toml", "--set", override});
    EXPECT_EQ(outcome.code, 3) << override;
    EXPECT_TRUE(says(outcome.err, "--set " + std::string(override)));
    EXPECT_TRUE(says(outcome.err, part));
  }
  EXPECT_EQ(listing(), std::set<std::string>{"model.toml"});
}

}  // namespace apps_bad_input
}  // namespace trompo::test
