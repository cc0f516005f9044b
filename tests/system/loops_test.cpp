// Joints in closed loops: what repeats is no trouble, what is needed at one place only is there, contradictions end a run.
#include "trompo/system/loops.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <limits>
#include <numbers>
#include <optional>

#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {
namespace system_loops {

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

// How far the cranks have turned at the end.
std::vector<double> turns(const System& system, const RunResult& result) {
  std::vector<double> angles;
  for (const Joint& joint : system.joints())
    if (joint.name.starts_with("A")) angles.push_back(result.state.q[joint.angle]);
  return angles;
}

// Where all lie flat one crank alone leaves the beam free to turn, to first order: what the third one says is needed there.
TEST(LoopsTest, ThreeCranksPassThePlaceWhereTheyLieFlat) {
  for (const char* formulation : {"directors", "rotation"})
    for (const double step : {0.01, 0.0101, 0.007, 1.0 / 128}) {
      SCOPED_TRACE(fmt::format("{} {}", formulation, step));
      const Way way{formulation, "energy-momentum-exact"};
      const double end = 10;
      const Model model =
          parse_model(head(way) + parallelogram(3, "-pi/2*t", std::numbers::pi / 2) + time_text(way, step, end), "par3");
      const System system(model);
      const RunResult result = run(model, system, scheme_of(model));
      ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
      const double w = 0.5 * std::numbers::pi, time = result.state.time, angle = -w * time;
      for (const double a : turns(system, result)) EXPECT_NEAR(a, angle, 1e-6);
      // Three cranks of 1 kg about their ends, a beam of 2 kg that keeps its direction.
      const double J = 3 * (1 + 0.05 * 0.05) / 12 + 3 * 0.25 + 2, weight = 9.81 * (3 * 0.5 + 2);
      const double energy = 0.5 * J * w * w + weight * std::cos(angle), start = 0.5 * J * w * w + weight;
      EXPECT_NEAR(result.total.final, energy, 1e-3 * weight);  // of second order in the step
      EXPECT_NEAR(result.ledger.support_work(), energy - start, 1e-3 * weight);
      EXPECT_LT(result.ledger.worst_residual(), 1e-8 * result.ledger.scale());
      EXPECT_LT(result.constraint_error_max, 1e-11);
    }
}

// The third pass at t = 5 s is in the middle of a step, and in an end of its halves.
TEST(LoopsTest, StepsWithThatPlaceInTheirMiddlePassItAgainAndAgain) {
  for (const char* formulation : {"directors", "rotation"})
    for (const int n : {95, 100, 102, 103, 104, 106}) {
      SCOPED_TRACE(fmt::format("{} {}", formulation, n));
      const Way way{formulation, "energy-momentum-exact"};
      const Model model = parse_model(
          head(way) + parallelogram(3, "-pi/2*t", std::numbers::pi / 2) + time_text(way, 2.0 / (2 * n + 1), 6), "par3");
      const System system(model);
      const RunResult result = run(model, system, scheme_of(model));
      ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
      for (const double a : turns(system, result)) EXPECT_NEAR(a, -0.5 * std::numbers::pi * result.state.time, 1e-6);
      EXPECT_LT(result.ledger.worst_residual(), 1e-8 * result.ledger.scale());
      EXPECT_LT(result.constraint_error_max, 1e-11);
    }
}

// Schemes that take forces at the ends of a step have none there: they pass it between two steps, or stop.
TEST(LoopsTest, EveryWayPassesOrStopsThere) {
  for (const Way& way : ways)
    for (const double step : {0.01, 0.007}) {
      if (std::string_view(way.scheme) == "dormand-prince") continue;  // ever smaller steps lead it up to that place
      SCOPED_TRACE(fmt::format("{} {} {}", way.formulation, way.scheme, step));
      const Model model =
          parse_model(head(way) + parallelogram(3, "-pi/2*t", std::numbers::pi / 2) + time_text(way, step, 4), "par3");
      const System system(model);
      const RunResult result = run(model, system, scheme_of(model));
      if (result.status != Status::done) {
        EXPECT_LT(std::abs(std::remainder(result.state.time - 1, 2)), 0.1);
        EXPECT_NE(result.failure.dossier().find("B"), std::string::npos) << result.failure.dossier();
        continue;
      }
      // Accelerations are infinite there, and what integrates them is off for a step.
      EXPECT_LT(result.constraint_error_max, 1e-5);
      for (const double a : turns(system, result)) EXPECT_NEAR(a, -0.5 * std::numbers::pi * result.state.time, 1e-2);
      EXPECT_NEAR(result.total.final, result.total.initial, 1e-2 * result.ledger.scale());
    }
}

// Wherever in a step that place lies: what accelerations near it open, two projections close.
TEST(LoopsTest, ExplicitStepsStayClosedThereAtEveryPhase) {
  const Way way{"euler-parameters", "rk4"};
  for (const int n : {60, 100, 101, 140})
    for (const double phase : {0.0, 1e-7, 1e-3, 0.5, 0.50001, 0.51}) {
      SCOPED_TRACE(fmt::format("{} {}", n, phase));
      const Model model = parse_model(
          head(way) + parallelogram(3, "-pi/2*t", std::numbers::pi / 2) + time_text(way, 1 / (n + phase), 1.2), "par3");
      const System system(model);
      const RunResult result = run(model, system, scheme_of(model));
      ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
      EXPECT_LT(result.constraint_error_max, 1e-5);
    }
}

// A loop that touches nothing moves as it does on the ground, seen from its first body.
// A four-bar linkage or a slider-crank of this size, on the ground or on a body of this mass that floats.
std::string loop(bool slider, double size, std::optional<double> floating) {
  const char* base = floating ? "base" : "ground";
  std::string text;
  const auto body = [&](const char* name, double x0, double y0, double x1, double y1, double mass, const char* more = "") {
    text += fmt::format(
        "[[body]]\nname = \"{}\"\nmass = {:.17g}\nshape = {{ box = [{:.17g}, {:.17g}, {:.17g}] }}\n"
        "position = [{:.17g}, {:.17g}, 0]\norientation = {{ axis = [0, 0, 1], degrees = {:.17g} }}\n{}",
        name, mass, size * std::hypot(x1 - x0, y1 - y0), 0.05 * size, 0.05 * size, size * (x0 + x1) / 2, size * (y0 + y1) / 2,
        std::atan2(y1 - y0, x1 - x0) * 180 / std::numbers::pi, more);
  };
  const auto joint = [&](const char* name, const char* a, const char* b, const char* kind, const char* axis, double x,
                         double y) {
    text +=
        fmt::format("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\n{} = {{ axis = {}, at = [{:.17g}, {:.17g}, 0] }}\n",
                    name, a, b, kind, axis, size * x, size * y);
  };
  if (floating) body("base", 0, 0, 0.7, 0, *floating);
  body("crank", 0, 0, 0, 0.3, 1, "angular_velocity = [0, 0, 3]\n");
  body("rod", 0, 0.3, 0.75, slider ? 0 : 0.6, 1.5);
  if (slider)
    body("out", 0.7, 0, 0.8, 0, 1);
  else
    body("out", 0.7, 0, 0.75, 0.6, 1);
  joint("A", base, "crank", "hinge", "[0, 0, 1]", 0, 0);
  joint("B", "crank", "rod", "hinge", "[0, 0, 1]", 0, 0.3);
  joint("C", "rod", "out", "hinge", "[0, 0, 1]", 0.75, slider ? 0 : 0.6);
  if (slider)
    joint("D", base, "out", "prismatic", "[1, 0, 0]", 0.75, 0);
  else
    joint("D", base, "out", "hinge", "[0, 0, 1]", 0.7, 0);
  return text;
}

double crank_angle(const System& system, const RunResult& result) { return result.state.q[system.joints()[0].angle]; }

TEST(LoopsTest, LoopsThatTouchNoGroundRunLikeThoseThatDo) {
  for (const Way& way : ways)
    for (const bool slider : {false, true})
      for (const double size : {1.0, 0.1}) {
        SCOPED_TRACE(fmt::format("{} {} {} {}", way.formulation, way.scheme, slider ? "slider-crank" : "four-bar", size));
        const auto run_of = [&](std::optional<double> floating) {
          const Model model = parse_model(head(way) + loop(slider, size, floating) + time_text(way, 0.005, 2), "loop");
          const System system(model);
          const RunResult result = run(model, system, scheme_of(model));
          EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
          EXPECT_LT(result.constraint_error_max, 1e-9);
          EXPECT_EQ(result.not_unique.size(), 4U);
          if (floating && std::string_view(way.scheme) == "energy-momentum-exact") {
            EXPECT_LT(result.linear_drift, 1e-11 * result.linear_scale);
            EXPECT_LT(result.angular_drift, 1e-11 * result.angular_scale);
            EXPECT_LT(std::abs(result.total.final - result.total.initial), 1e-11 * result.ledger.scale());
          }
          return crank_angle(system, result);
        };
        (void)run_of(2);
        // On what is too heavy to be moved.
        EXPECT_NEAR(run_of(1e7), run_of(std::nullopt), 1e-5);
      }
}

// A beam that is clamped at both ends: neither clamp bears more than its half, which nothing but the least norm says.
TEST(LoopsTest, ReactionsThatAreNotUniqueAreTheLeast) {
  for (const Way& way : ways) {
    // Undamped, the energy of what cannot move is noise that grows.
    if (std::string_view(way.scheme) == "newmark") continue;
    SCOPED_TRACE(fmt::format("{} {}", way.formulation, way.scheme));
    std::string text = head(way) +
                       "gravity = [0, 0, -10]\n"
                       "[[body]]\nname = \"beam\"\nmass = 3\nshape = { box = [2, 0.1, 0.1] }\n";
    for (const char* end : {"left", "right"})
      text += fmt::format(
          "[[joint]]\nname = \"{0}\"\nbodies = [\"ground\", \"beam\"]\nweld = {{ at = [{1}, 0, 0] }}\n"
          "[[sensor]]\nname = \"force {0}\"\nreaction = \"{0}\"\naxis = \"z\"\n",
          end, end[0] == 'l' ? -1 : 1);
    const RunResult result = run(parse_model(text + time_text(way, 0.01, 0.1), "clamped"));
    ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
    EXPECT_EQ(result.not_unique, (std::vector<std::string>{"left", "right"}));
    for (const Extremes& force : result.sensors) EXPECT_NEAR(force.final, 15, 1e-5);
    EXPECT_LT(result.constraint_error_max, 1e-12);
  }
}

// What it takes to start grows with the cells, not with their square or cube.
TEST(LoopsTest, LaddersOfManyCellsStartInTimeThatGrowsWithThem) {
  const auto seconds_of = [](int cells) {
    std::string text;
    const auto body = [&](const std::string& name, double x, double y, const char* box) {
      text +=
          fmt::format("[[body]]\nname = \"{}\"\nmass = 1\nshape = {{ box = {} }}\nposition = [{}, {}, 0]\n", name, box, x, y);
    };
    const auto hinge = [&](char kind, int k, const std::string& a, const std::string& b, double x, double y) {
      text += fmt::format(
          "[[joint]]\nname = \"{}{}\"\nbodies = [\"{}\", \"{}\"]\nhinge = {{ axis = [0, 0, 1], at = [{}, {}, 0] }}\n", kind, k,
          a, b, x, y);
    };
    for (int k = 0; k < cells; ++k) {
      const std::string below = k == 0 ? "ground" : fmt::format("rung{}", k - 1), rung = fmt::format("rung{}", k),
                        left = fmt::format("left{}", k), right = fmt::format("right{}", k);
      body(left, 0, k + 0.5, "[0.05, 1, 0.05]");
      body(right, 1, k + 0.5, "[0.05, 1, 0.05]");
      body(rung, 0.5, k + 1, "[1, 0.05, 0.05]");
      hinge('a', k, below, left, 0, k);
      hinge('b', k, below, right, 1, k);
      hinge('c', k, left, rung, 0, k + 1);
      hinge('d', k, right, rung, 1, k + 1);
    }
    const Model model = parse_model(text + time_text(ways[0], 0.01, 0.1), "ladder");
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      const std::clock_t begin = std::clock();
      const System system(model);
      const State start = initial_state(model, system);
      EXPECT_EQ(joints_not_unique(system, start).size(), 4U * static_cast<std::size_t>(cells));
      (void)initial_balance(model, system, start);
      least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    return least;
  };
  const double few = seconds_of(20), many = seconds_of(80);
  EXPECT_LT(many, 10 * few + 0.1);
  EXPECT_LT(many, 4);  // 60 cells took 8 s when repeated rows were looked for by orthogonalisation
}

// Two shafts at 30 degrees in two bearings, driven: tan(out) = cos(30 degrees) tan(in), the cross lying in the plane of the
// shafts on the side that is driven out.
TEST(LoopsTest, CardansJointBetweenTwoBearings) {
  const double beta = std::numbers::pi / 6, c = std::cos(beta), s = std::sin(beta);
  const std::string shafts = fmt::format(
      "[[body]]\nname = \"in\"\nmass = 1\nshape = {{ cylinder = [0.05, 1] }}\n"
      "orientation = {{ axis = [0, 1, 0], degrees = 90 }}\nposition = [-0.5, 0, 0]\n"
      "[[body]]\nname = \"out\"\nmass = 1\nshape = {{ cylinder = [0.05, 1] }}\n"
      "orientation = {{ matrix = [[0, {1:.17g}, {0:.17g}], [0, -{0:.17g}, {1:.17g}], [1, 0, 0]] }}\n"
      "position = [{2:.17g}, {3:.17g}, 0]\n"
      "[[joint]]\nname = \"A\"\nbodies = [\"ground\", \"in\"]\nhinge = {{ axis = [1, 0, 0], at = [-1, 0, 0] }}\n"
      "motion = \"2*t\"\n"
      "[[joint]]\nname = \"cross\"\nbodies = [\"in\", \"out\"]\n"
      "universal = {{ axis = [0, 0, 1], other_axis = [{1:.17g}, -{0:.17g}, 0], at = [0, 0, 0] }}\n"
      "[[joint]]\nname = \"B\"\nbodies = [\"ground\", \"out\"]\n"
      "hinge = {{ axis = [{0:.17g}, {1:.17g}, 0], at = [{0:.17g}, {1:.17g}, 0] }}\n",
      c, s, c / 2, s / 2);
  for (const Way& way : ways) {
    SCOPED_TRACE(fmt::format("{} {}", way.formulation, way.scheme));
    const Model model = parse_model(head(way) + shafts + time_text(way, 0.005, 3), "shafts");
    const System system(model);
    const RunResult result = run(model, system, scheme_of(model));
    ASSERT_EQ(result.status, Status::done) << result.failure.dossier();
    const double in = result.state.q[system.joints()[0].angle], out = result.state.q[system.joints()[2].angle];
    EXPECT_NEAR(in, 6, 1e-6);
    EXPECT_NEAR(std::remainder(out - std::atan2(c * std::sin(in), std::cos(in)), 2 * std::numbers::pi), 0, 1e-6);
    EXPECT_LT(result.constraint_error_max, 1e-6);
  }
}

// Far from there nothing is to be said about it.
TEST(LoopsTest, LinkagesThatStayClosedRunAsEver) {
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
TEST(LoopsTest, DriftOfAllIsNoContradiction) {
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

TEST(LoopsTest, DrivesThatContradictEachOtherAtTheStartAreRefused) {
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
TEST(LoopsTest, PlacesThatContradictEachOtherAreRefused) {
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

TEST(LoopsTest, DrivesThatContradictEachOtherLaterStopTheRun) {
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

TEST(LoopsTest, DrivesThatSayTheSameRun) {
  for (const Way& way : ways)
    for (const char* kind : {"hinge", "prismatic"}) {
      const RunResult result =
          run(parse_model(head(way) + two_drives(kind, "sin(t)", "cos(t - pi/2)") + time_text(way, 0.01, 1), "drives"));
      EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
    }
}

// A shaft in two bearings, one of them shaken along it.
TEST(LoopsTest, ABearingThatIsShakenContradictsTheOther) {
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
  EXPECT_TRUE(late.status == Status::not_converged || late.status == Status::unstable);
  EXPECT_LT(late.failure.time, 0.3);
  for (const char* name : {"'A: point z'", "'B: point z'"})
    EXPECT_NE(late.failure.dossier().find(name), std::string::npos) << late.failure.dossier();
}

// Two drives of a linkage with one freedom: between them stands the whole linkage.
TEST(LoopsTest, DrivesAtBothEndsOfALinkageAreBothNamed) {
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

TEST(LoopsTest, StaticsWatchesThemToo) {
  const std::string text = two_drives("hinge", "t^3", "2*t^3") + "[statics]\ntime = 1\nsteps = 10\n";
  const StaticResult result = solve_statics(parse_model(text, "drives"));
  ASSERT_FALSE(result.done());
  EXPECT_NE(result.run.failure.dossier().find("'B: angle'"), std::string::npos) << result.run.failure.dossier();
  EXPECT_TRUE(
      solve_statics(parse_model(two_drives("hinge", "t^3", "t^3") + "[statics]\ntime = 1\nsteps = 10\n", "same")).done());
}

// Two bearings drawn by hand, with seven digits: in line as far as anybody could see.
TEST(LoopsTest, SevenDigitsAreNoContradiction) {
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

}  // namespace system_loops
}  // namespace trompo
