// Exit codes x situations, the table of the guide's section 9 as a whole; and all of it again with standard streams that are
// closed or full.
#include <sys/resource.h>

#include "tests/apps/tool.hpp"

namespace trompo::test {
namespace apps_exit_codes {

const std::string pendulum = R"toml(gravity = [0, -9.8, 0]
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
[time]
step = 0.05
end = 1
scheme = "energy-momentum-exact"
)toml";

const std::string opened_joint = R"toml([[body]]
name = "a"
mass = 1
shape = { box = [1, 1, 1] }
velocity = [0, 1, 0]
[[joint]]
name = "j"
bodies = ["ground", "a"]
ball = { at = [1, 0, 0] }
[time]
step = 0.01
end = 0.1
scheme = "energy-momentum-exact"
)toml";

const std::string stopping_event = R"toml([[node]]
name = "pin"
position = [0, 0, 0]
mass = 1
motion = { x = "t" }
[[node]]
name = "wall"
position = [0, 5, 0]
fixed = true
[[bar]]
name = "rod"
nodes = ["wall", "pin"]
EA = 1
[[constraint]]
name = "A"
constraint = "pin.y"
[[constraint]]
name = "B"
constraint = "pin.y + (1 - pin.x + 1e-12)*pin.z"
[[event]]
at = 1
set = { bar = "rod", EA = 2 }
[time]
step = 0.1
end = 2
scheme = "energy-momentum-exact"
)toml";

// Two drives of one hinge.
std::string driven(const std::string& first, const std::string& second) {
  const std::string joint = "[[joint]]\nbodies = [\"ground\", \"b\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, 0] }\n";
  return "[[body]]\nname = \"b\"\nmass = 1\nshape = { box = [1, 1, 1] }\n" + joint + "name = \"A\"\nmotion = \"" + first +
         "\"\n" + joint + "name = \"B\"\nmotion = \"" + second +
         "\"\n[time]\nstep = 0.01\nend = 1\nscheme = \"energy-momentum-exact\"\ninitial_projection = true\n";
}

using Words = std::vector<std::string>;

struct Situation {
  const char* name;
  Words arguments;
  int code;
  std::string says = {};  // in what stands on standard error
  bool prints = false;    // something to standard output, if all goes well
};
void PrintTo(const Situation& s, std::ostream* out) { *out << s.name; }

const std::vector<Situation> table{
    {"Done", {"run", "model.toml"}, 0, "", true},
    {"DoneQuietly", {"run", "model.toml", "-q"}, 0},
    {"DoneWithJson", {"run", "model.toml", "--json"}, 0, "", true},
    {"StaticsDone", {"statics", "held.toml"}, 0, "", true},
    {"ModesDone", {"modes", "model.toml"}, 0, "", true},
    {"CheckedValid", {"check", "model.toml"}, 0, "", true},
    {"Expanded", {"expand", "model.toml"}, 0, "", true},
    {"Schema", {"schema"}, 0, "", true},
    {"Schemes", {"schemes"}, 0, "", true},
    {"Help", {"--help"}, 0, "", true},
    {"HelpOnACommand", {"run", "--help"}, 0, "", true},
    {"Version", {"--version"}, 0, "", true},
    {"DoneWithAWarning", {"run", "model.toml", "--set", "time.end=1.03"}, 0, "note: ", true},
    {"NoCommand", {}, 2, "a command is missing"},
    {"UnknownCommand", {"rum", "model.toml"}, 2, "unknown command 'rum'"},
    {"UnknownOption", {"run", "model.toml", "--fast"}, 2, "unknown option '--fast'"},
    {"UnknownScheme", {"spectrum", "--scheme", "gen"}, 2, "'gen'"},
    {"InvalidModel", {"run", "bad.toml"}, 3, "bad.toml:16: error: "},
    {"InvalidModelChecked", {"check", "bad.toml"}, 3, "bad.toml:16: error: "},
    {"InvalidOverride", {"run", "model.toml", "--set", "time.stpe=1"}, 3, "did you mean"},
    {"StartThatDoesNotFit", {"run", "opened.toml"}, 3, "is opened by the velocities"},
    {"NotConverged", {"run", "model.toml", "--set", "newton.max_iterations=1"}, 4, "Newton used up its iterations", true},
    {"Unstable", {"run", "unstable.toml"}, 4, "unstable since step ", true},
    {"UnstableToItsEnd", {"run", "unstable.toml", "--keep-going"}, 4, "unstable since step ", true},
    {"DrivesThatContradict", {"run", "contradicting.toml"}, 3, "contradicts"},
    {"DrivesThatContradictLater", {"run", "later.toml"}, 4, "'B: angle'", true},
    {"EventThatCannotGoOn", {"run", "event.toml"}, 4, "cannot start again after the event", true},
    {"NoneFits", {"compare", "later.toml", "--schemes", "rk4,hamming"}, 3, "", true},
    {"NoneReachesTheEnd", {"compare", "later.toml", "--schemes", "midpoint"}, 4, "", true},
    {"OneReachesTheEnd", {"compare", "model.toml", "--schemes", "gem,rk4"}, 0, "", true},
    {"NoneConverges", {"converge", "model.toml", "--schemes", "gem", "--set", "newton.max_iterations=1"}, 4, "", true},
    {"Converges", {"converge", "model.toml", "--schemes", "gem", "--halvings", "2"}, 0, "", true},
    {"NoSuchModel", {"run", "nowhere.toml"}, 6, "no such file"},
    {"ModelIsADirectory", {"run", "."}, 6, "directory"},
    {"NoSuchParent", {"run", "model.toml", "-o", "a/b"}, 6, "does not exist"},
    {"FolderIsAFile", {"run", "model.toml", "-o", "bad.toml"}, 6, "it is a file"},
    {"NothingCanBeMadeThere", {"run", "model.toml", "-o", "/proc/trompo"}, 6, "/proc/trompo"},
    {"FolderHoldsFilesOfTheUser", {"run", "model.toml", "-o", "users"}, 6, "was not written by trompo"},
    {"FolderHoldsAnotherModel", {"run", "model.toml", "-o", "others"}, 6, "another model"},
    {"PictureCannotBeWritten", {"spectrum", "--scheme", "gem", "--svg", "no/x.svg"}, 6, "no/x.svg", true},
    {"NeitherAModelNorAFolder", {"run"}, 2, "FILE is required, or --resume DIR"},
    {"ResumedOtherwise", {"run", "--resume", "others", "--set", "time.end=2"}, 2, "--resume"},
    {"UntilWithoutResume", {"run", "model.toml", "--until", "2"}, 2, "--until"},
    {"UntilBeforeTheCheckpoint", {"run", "--resume", "others", "--until", "-1"}, 2, "--until"},
    {"Resumed", {"run", "--resume", "others", "--until", "2"}, 0, "", true},
    {"NothingToResume", {"run", "--resume", "users"}, 6, "it has no checkpoint"},
    {"NoSuchFolderToResume", {"run", "--resume", "nowhere"}, 6, "no such folder"},
    {"ResumedWithAnotherModel", {"run", "changed.toml", "--resume", "others"}, 3, "any more"},
    {"FromASample", {"run", "model.toml", "--from", "others@0.5"}, 0, "not carried over", true},
    {"FromNoSample", {"run", "model.toml", "--from", "others@0.51"}, 6, "its neighbours"},
    {"FromWhatIsNoSample", {"run", "model.toml", "--from", "others"}, 2, "DIR@12.5"},
    {"NoSuchCheckpointRule", {"run", "model.toml", "--set", "output.checkpoint=\"soon\""}, 3, "500 steps"},
    {"Info", {"info", "others"}, 0, "", true},
    {"InfoOfNoResults", {"info", "users"}, 6, "results.h5"},
    {"NoDifference", {"diff", "others", "others"}, 0, "", true},
    {"ADifference", {"diff", "others", "different"}, 5, "", true},
    {"DifferenceFromNothing", {"diff", "others", "users"}, 6, "results.h5"},
    {"RunAgain", {"rerun", "others"}, 0, "", true},
    {"RunAgainWithoutACheckpoint", {"rerun", "users"}, 6, "results.h5"},
    {"NothingToView", {"view", "users", "--no-open"}, 6, "there is no such file"},
};

class ExitCodes : public ToolTest, public testing::WithParamInterface<Situation> {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    write("model.toml", pendulum);
    write("bad.toml", replaced(pendulum, "EA = 1e4\n", "EA = 1e4\n\nmass = \"x\"\n"));
    write("held.toml", replaced(pendulum, "velocity = [7.72, 0, 0]", "fixed_axes = [\"x\", \"z\"]"));
    write("opened.toml", opened_joint);
    write("unstable.toml",
          replaced(replaced(pendulum, "step = 0.05", "step = 0.2"), "energy-momentum-exact", "central-difference"));
    write("event.toml", stopping_event);
    write("contradicting.toml", driven("t", "2*t"));
    write("later.toml", driven("0.5*t^2", "0.5*t^2 + 1e-3*t^3"));
    fs::create_directory(directory() / "users");
    write("users/summary.json", "mine");
    write("other.toml", pendulum);
    ASSERT_EQ(trompo({"run", "other.toml", "-o", "others", "-q", "--no-report"}).code, 0);
    write("changed.toml", replaced(pendulum, "EA = 1e4", "EA = 2e4"));
    ASSERT_EQ(trompo({"run", "changed.toml", "-o", "different", "-q", "--no-report"}).code, 0);
  }
};

TEST_P(ExitCodes, AreThoseOfTheTable) {
  const Situation& s = GetParam();
  const Outcome outcome = trompo(s.arguments);
  EXPECT_EQ(outcome.code, s.code) << outcome.err;
  EXPECT_TRUE(says(outcome.err, s.says));
  EXPECT_EQ(outcome.err.empty(), s.says.empty()) << outcome.err;
  EXPECT_EQ(outcome.out.empty(), !s.prints) << outcome.out;
}

// A closed or full standard error changes nothing. A closed or full standard output is code 6 where something was to be printed
// and all else went well; a run leaves its results all the same.
TEST_P(ExitCodes, DoNotDependOnWhoListens) {
  const Situation& s = GetParam();
  const std::optional<std::string> full = "/dev/full", nowhere;
  for (const auto& err : {full, nowhere}) EXPECT_EQ(start(s.arguments, {"/dev/null", err}).finish().code, s.code) << s.name;
  const int unheard = s.code == 0 && s.prints ? 6 : s.code;
  for (const auto& out : {full, nowhere}) {
    EXPECT_EQ(start(s.arguments, {out, "/dev/null"}).finish().code, unheard) << s.name;
    EXPECT_EQ(start(s.arguments, {out, out}).finish().code, unheard) << s.name;
  }
  if (s.arguments == Words{"run", "model.toml"}) {
    EXPECT_EQ(json_of(file("model.out/summary.json"))["status"], "done");
  }
}

INSTANTIATE_TEST_SUITE_P(Cli, ExitCodes, testing::ValuesIn(table),
                         [](const auto& each) { return std::string(each.param.name); });

class ExitCodesOfSignals : public ToolTest {};

TEST_F(ExitCodesOfSignals, AreOneHundredAndThirty) {
  write("model.toml", pendulum);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    for (const auto& err : {std::optional<std::string>("/dev/full"), std::optional<std::string>()}) {
      Process process = start({"run", "model.toml", "--set", "time.end=1e9", "-o", "out", "-q"}, {"/dev/null", err});
      for (int i = 0; i < 20000 && !fs::exists(directory() / "out/results.partial.h5"); ++i) std::this_thread::sleep_for(1ms);
      process.send(signal);
      EXPECT_EQ(process.finish().code, 130) << signal;
      EXPECT_EQ(json_of(file("out/summary.json"))["status"], "interrupted");
    }
}

// A disk that is full, by a limit on the size of files: what was there stays, and what was recorded too.
TEST_F(ExitCodesOfSignals, AFullDiskIsSix) {
  write("model.toml", pendulum);
  ASSERT_EQ(trompo({"run", "model.toml", "-q"}).code, 0);
  const auto before = contents("model.out");
  for (const rlim_t bytes : {rlim_t(1000), rlim_t(100'000), rlim_t(4'000'000)}) {
    rlimit old{}, limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = {bytes, old.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    Process process = start({"run", "model.toml", "-q", "--csv", "--set", "time.end=1e5"});
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
    const Outcome outcome = process.finish();
    EXPECT_EQ(outcome.code, 6) << bytes;
    EXPECT_TRUE(says(outcome.err, "File too large"));
    for (const auto& [name, text] : before) EXPECT_TRUE(file("model.out/" + name) == text) << name;
  }
  EXPECT_TRUE(fs::exists(directory() / "model.out/results.partial.h5"));
}

}  // namespace apps_exit_codes
}  // namespace trompo::test
