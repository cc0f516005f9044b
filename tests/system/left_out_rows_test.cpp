// Rows of joints that repeat others are no equations; what they say is watched, and contradictions end a run.
#include "trompo/system/left_out_rows.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {
namespace system_left_out_rows {

struct Way {
  const char *formulation, *scheme;
};
constexpr Way ways[] = {{"directors", "energy-momentum-exact"}, {"rotation", "energy-momentum-exact"},
                        {"directors", "generalized-alpha-1"},   {"directors", "bathe"},
                        {"euler-parameters", "newmark"},        {"euler-parameters", "rk4"},
                        {"euler-parameters", "dormand-prince"}};

std::string head(const Way& way) { return fmt::format("formulation = \"{}\"\n", way.formulation); }
std::string time_text(const Way& way, double step, double end, bool projected = true) {
  return fmt::format("[time]\nscheme = \"{}\"\nstep = {}\nend = {}\ninitial_projection = {}\n", way.scheme, step, end,
                     projected);
}

// Cranks side by side under one beam, the first one driven. Three of them repeat each other but for where they lie flat.
std::string parallelogram(int cranks, const std::string& motion, double speed) {
  std::string text = "gravity = [0, -9.81, 0]\n";
  const auto joint = [&](const std::string& name, const std::string& a, const std::string& b, double x, double y) {
    text +=
        fmt::format("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\nhinge = {{ axis = [0, 0, 1], at = [{}, {}, 0] }}\n",
                    name, a, b, x, y);
    if (name == "A1" && !motion.empty()) text += "motion = \"" + motion + "\"\n";
  };
  for (int k = 1; k <= cranks; ++k)
    text += fmt::format(
        "[[body]]\nname = \"c{0}\"\nmass = 1\nshape = {{ box = [0.05, 1, 0.05] }}\nposition = [{1}, 0.5, 0]\nvelocity = [{2}, "
        "0, "
        "0]\nangular_velocity = [0, 0, {3}]\n",
        k, k - 1, 0.5 * speed, -speed);
  text += fmt::format(
      "[[body]]\nname = \"top\"\nmass = 2\nshape = {{ box = [2, 0.05, 0.05] }}\nposition = [{}, 1, 0]\n"
      "velocity = [{}, 0, 0]\n",
      0.5 * (cranks - 1), speed);
  for (int k = 1; k <= cranks; ++k) {
    joint(fmt::format("A{}", k), "ground", fmt::format("c{}", k), k - 1, 0);
    joint(fmt::format("B{}", k), fmt::format("c{}", k), "top", k - 1, 1);
  }
  return text;
}

// The place of the last crank's end, and of the beam's point above it: what the linkage opens by.
double opening(const System& system, const VecX& q) {
  double most = 0;
  VecX error = VecX::Zero(system.left_out().count()), size = error;
  system.left_out().constraint_errors(q, error, size);
  for (int k = 0; k < error.size(); ++k) most = std::max(most, std::abs(error[k]));
  return most;
}

TEST(LeftOutRowsTest, ARowThatIsNeededLaterStopsTheRunByName) {
  int by_name = 0;
  for (const Way& way : ways)
    for (const double step : {0.01, 0.007}) {
      if (std::string_view(way.scheme) == "dormand-prince") continue;  // ever smaller steps lead it up to that place
      SCOPED_TRACE(fmt::format("{} {} {}", way.formulation, way.scheme, step));
      const Model model =
          parse_model(head(way) + parallelogram(3, "-pi/2*t", std::numbers::pi / 2) + time_text(way, step, 4), "par3");
      const System system(model);
      ASSERT_GT(system.left_out().count(), 0);
      const RunResult result = run(model, system, scheme_of(model));
      // Either it passes the place where all lie flat between two steps, and is closed throughout, or it stops there.
      // Accelerations are infinite there, and what integrates them is torn apart as a whole before it stops.
      if (result.status == Status::done || std::string_view(way.scheme) != "rk4") {
        EXPECT_LT(result.constraint_error_max, 1e-5);
        EXPECT_LT(opening(system, result.state.q), 1e-4);
      }
      if (result.status == Status::done) {  // a full turn at constant speed
        EXPECT_NEAR(result.total.final, result.total.initial, 1e-2 * result.ledger.scale());
        continue;
      }
      EXPECT_LT(std::abs(std::remainder(result.state.time - 1, 2)), 0.1);
      if (result.failure.dossier().find("left out") == std::string::npos) continue;
      ++by_name;
      EXPECT_NE(result.failure.dossier().find("joint 'B3: point"), std::string::npos) << result.failure.dossier();
    }
  EXPECT_GT(by_name, 0);
}

// Far from there nothing is to be said about it.
TEST(LeftOutRowsTest, LinkagesThatStayClosedRunAsEver) {
  for (const Way& way : ways)
    for (const int cranks : {2, 3, 5}) {
      SCOPED_TRACE(fmt::format("{} {} {}", way.formulation, way.scheme, cranks));
      const Model model =
          parse_model(head(way) + parallelogram(cranks, "-0.9*sin(3*t)", 2.7) + time_text(way, 0.01, 1), "parallelogram");
      const RunResult result = run(model);
      ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
      EXPECT_LT(result.constraint_error_max, 1e-6);
    }
}

// Constraints that nothing brings back drift all together; those that are left out are no worse.
TEST(LeftOutRowsTest, DriftOfAllIsNoContradiction) {
  const Way way{"euler-parameters", "rk4"};
  for (const char* stabilisation : {"projection = \"none\"", "baumgarte = { a = 5, b = 5 }"}) {
    const Model model = parse_model(
        head(way) + parallelogram(3, "", 2.7) + time_text(way, 0.05, 0.5) + "stabilisation = { " + stabilisation + " }\n",
        "drifting");
    const RunResult result = run(model);
    EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
    EXPECT_GT(result.constraint_error_max, 1e-9);
  }
}

std::string two_drives(const std::string& kind, const std::string& first, const std::string& second) {
  return fmt::format(
      "[[body]]\nname = \"b\"\nmass = 1\nshape = {{ box = [0.5, 0.1, 0.1] }}\n"
      "[[joint]]\nname = \"A\"\nbodies = [\"ground\", \"b\"]\n{0} = {{ axis = [0, 0, 1], at = [0, 0, 0] }}\nmotion = \"{1}\"\n"
      "[[joint]]\nname = \"B\"\nbodies = [\"ground\", \"b\"]\n{0} = {{ axis = [0, 0, 1], at = [0, 0, 1] }}\nmotion = \"{2}\"\n",
      kind, first, second);
}

std::string complaint(const std::string& text) {
  try {
    (void)run(parse_model(text, "drives"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(LeftOutRowsTest, DrivesThatContradictEachOtherAtTheStartAreRefused) {
  struct Case {
    const char *first, *second, *how, *distance;
  };
  const Case cases[] = {{"t", "2*t", "the rates they demand are ", "1 apart"},
                        {"t", "t + t^2", "the accelerations they demand are ", "2 apart"}};
  for (const Way& way : ways)
    for (const auto& [kind, row] : {std::pair{"hinge", "angle"}, {"prismatic", "slide"}})
      for (const Case& c : cases) {
        SCOPED_TRACE(fmt::format("{} {} {} {}", way.formulation, way.scheme, kind, c.second));
        const std::string text = complaint(head(way) + two_drives(kind, c.first, c.second) + time_text(way, 0.01, 1));
        EXPECT_NE(text.find(fmt::format("'B: {0}' contradicts 'A: {0}'", row)), std::string::npos) << text;
        EXPECT_NE(text.find(std::string(c.how) + c.distance), std::string::npos) << text;
      }
}

// A second hinge that is drawn a hundredth beside where its two bodies are held by the first.
TEST(LeftOutRowsTest, PlacesThatContradictEachOtherAreRefused) {
  const std::string text =
      "[[body]]\nname = \"b\"\nmass = 1\nshape = { box = [0.5, 0.1, 0.1] }\n"
      "[[joint]]\nname = \"A\"\nbodies = [\"ground\", \"b\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, 0] }\n"
      "[[joint]]\nname = \"B\"\nbodies = [\"ground\", \"b\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, 1], from = [0, 0, 1.01] "
      "}\n";
  for (const Way& way : ways) {
    const std::string found = complaint(head(way) + text + time_text(way, 0.01, 1));
    EXPECT_NE(found.find("'B: point z' contradicts 'A: point z': they are 0.01 apart at t = 0"), std::string::npos) << found;
  }
}

TEST(LeftOutRowsTest, DrivesThatContradictEachOtherLaterStopTheRun) {
  for (const Way& way : ways)
    for (const auto& [kind, row] : {std::pair{"hinge", "angle"}, {"prismatic", "slide"}}) {
      SCOPED_TRACE(fmt::format("{} {} {}", way.formulation, way.scheme, kind));
      const RunResult result =
          run(parse_model(head(way) + two_drives(kind, "0.5*t^2", "0.5*t^2 + 1e-3*t^3") + time_text(way, 0.01, 1), "drives"));
      ASSERT_EQ(result.status, Status::not_converged);
      EXPECT_EQ(result.failure.newton.end, NewtonEnd::constraint_open);
      // 1e-3 t^3 is a millionth of the size of the model at 0.1 s or somewhat later.
      EXPECT_GT(result.failure.time, 0.05);
      EXPECT_LT(result.failure.time, 0.3);
      for (const std::string& name : {fmt::format("'B: {}'", row), fmt::format("'A: {}'", row)})
        EXPECT_NE(result.failure.dossier().find(name), std::string::npos) << result.failure.dossier();
      EXPECT_LT(result.constraint_error_max, 1e-5);
    }
}

TEST(LeftOutRowsTest, DrivesThatSayTheSameRun) {
  for (const Way& way : ways)
    for (const char* kind : {"hinge", "prismatic"}) {
      const RunResult result =
          run(parse_model(head(way) + two_drives(kind, "sin(t)", "cos(t - pi/2)") + time_text(way, 0.01, 1), "drives"));
      EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
    }
}

// A shaft in two bearings, one of them shaken along it.
TEST(LeftOutRowsTest, ABearingThatIsShakenContradictsTheOther) {
  const auto shaft = [](const std::string& motion) {
    return "[[body]]\nname = \"shaft\"\nmass = 1\nshape = { cylinder = [0.02, 1] }\nangular_velocity = [0, 0, 2]\n"
           "[[joint]]\nname = \"A\"\nbodies = [\"ground\", \"shaft\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, -0.5] }\n"
           "[[joint]]\nname = \"B\"\nbodies = [\"ground\", \"shaft\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, 0.5] }\n" +
           motion;
  };
  const Way way = ways[0];
  EXPECT_EQ(run(parse_model(shaft("") + time_text(way, 0.01, 1), "shaft")).status, Status::done);
  const std::string text = complaint(shaft("ground_motion = { z = \"0.5 + 0.1*sin(5*t)\" }\n") + time_text(way, 0.01, 1));
  EXPECT_NE(text.find("'B: point z' contradicts 'A: point z': the rates they demand are 0.5 apart"), std::string::npos) << text;
  const RunResult late =
      run(parse_model(shaft("ground_motion = { z = \"0.5 + 0.1*t^4\" }\n") + time_text(way, 0.01, 1), "shaft"));
  EXPECT_EQ(late.failure.newton.end, NewtonEnd::constraint_open);
  EXPECT_NE(late.failure.dossier().find("'B: point z'"), std::string::npos);
}

// Two drives of a linkage with one freedom: between them stands the whole linkage.
TEST(LeftOutRowsTest, DrivesAtBothEndsOfALinkageAreBothNamed) {
  Model model = read_model(places::source("examples/four_bar.toml"));
  model.time.initial_projection = true;
  std::vector<JointInput*> hinges;
  for (JointInput& joint : model.joints)
    if (joint.bodies[0] == "ground" || joint.bodies[1] == "ground") hinges.push_back(&joint);
  ASSERT_EQ(hinges.size(), 2U);
  const System drawn(model);
  const State start = given_state(model, drawn);
  for (std::size_t k = 0; k < 2; ++k) {
    double angle = 0;
    for (const Joint& joint : drawn.joints())
      if (joint.name == hinges[k]->name) angle = start.q[joint.angle];
    hinges[k]->motion = TimeFunction::parse(fmt::format("{:.17g} + {}*t", angle, k == 0 ? 1 : -3));
  }
  try {
    (void)run(model);
    FAIL() << "they contradict each other";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    for (const JointInput* hinge : hinges) EXPECT_NE(text.find("'" + hinge->name + ": angle'"), std::string::npos) << text;
  }
}

TEST(LeftOutRowsTest, StaticsWatchesThemToo) {
  const std::string text = two_drives("hinge", "t^3", "2*t^3") + "[statics]\ntime = 1\nsteps = 10\n";
  const StaticResult result = solve_statics(parse_model(text, "drives"));
  ASSERT_FALSE(result.done());
  EXPECT_NE(result.run.failure.dossier().find("'B: angle'"), std::string::npos) << result.run.failure.dossier();
  EXPECT_TRUE(
      solve_statics(parse_model(two_drives("hinge", "t^3", "t^3") + "[statics]\ntime = 1\nsteps = 10\n", "same")).done());
}

// Two bearings drawn by hand, with seven digits: in line as far as anybody could see.
TEST(LeftOutRowsTest, SevenDigitsAreNoContradiction) {
  const Way way = ways[0];
  std::string text = parallelogram(3, "", 0);
  text +=
      "[[body]]\nname = \"extra\"\nmass = 1\nshape = { sphere = 0.1 }\nposition = [4, 0, 0]\n"
      "angular_velocity = [2, 2, 2]\n";
  for (const double z : {-1.0, 1.0})
    text += fmt::format(
        "[[joint]]\nname = \"e{0}\"\nbodies = [\"ground\", \"extra\"]\nhinge = {{ axis = [0.5773503, 0.5773502, 0.5773503], at "
        "= "
        "[{1:.7f}, {2:.7f}, {2:.7f}] }}\n",
        z > 0 ? 1 : 2, 4 + z * 0.57735027, z * 0.57735027);
  const RunResult result = run(parse_model(text + time_text(way, 0.01, 1), "by hand"));
  EXPECT_EQ(result.status, Status::done);
}

}  // namespace system_left_out_rows
}  // namespace trompo
