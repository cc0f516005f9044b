// Elements that bend far: those with quadratic strains, how wrong they are and how many are enough; helices, how right they
// are.
#include "trompo/model/rod_bending.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <regex>

#include "trompo/model/reader.hpp"
#include "trompo/output/summary.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {
namespace run_rod_bending {

// A cantilever with EI = 1; `ends` is its shape, `load` acts on its last node. Bending is all there is.
struct Cantilever {
  std::string ends, load;
  int nodes = 2;
  std::string strain = "quadratic";
};

Model model(const Cantilever& c, int elements, const std::string& more = "[statics]\nsteps = 20\n") {
  std::string text = fmt::format(
      "[[rod]]\nname = \"r\"\n{}elements = {}\nnodes_per_element = {}\nstrain = \"{}\"\nEA = 1e6\nGA = 1e6\nGJ = 1\nEI = "
      "1\ndensity = 1\n"
      "clamped = \"from\"\n[[load]]\nname = \"l\"\nbody = \"r.{}\"\n{}\n",
      c.ends, elements, c.nodes, c.strain, elements * (c.nodes - 1), c.load);
  for (const char axis : {'x', 'y', 'z'})
    text += fmt::format("[[sensor]]\nname = \"{0}\"\nposition = \"r.{1}\"\naxis = \"{0}\"\n", axis, elements * (c.nodes - 1));
  return parse_model(text + more, "bending.toml");
}

struct Answer {
  Vec3 start, tip;
  std::vector<std::string> remarks;
};
Answer bent(const Cantilever& c, int elements) {
  const Model m = model(c, elements);
  const StaticResult r = solve_statics(m, System(m));
  EXPECT_TRUE(r.done()) << r.run.failure.account;
  Answer out;
  for (int i = 0; i < 3; ++i) {
    out.start[i] = r.run.sensors[static_cast<std::size_t>(i)].initial;
    out.tip[i] = r.run.sensors[static_cast<std::size_t>(i)].final;
  }
  for (const std::string& remark : r.remarks)
    if (remark.find("rod 'r'") != std::string::npos) out.remarks.push_back(remark);
  return out;
}
double error(const Answer& a, const Vec3& exact) { return (a.tip - exact).norm() / (exact - a.start).norm(); }

// The number of elements that a remark asks for.
int asked(const std::string& remark) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(remark, found, std::regex("([0-9]+) elements keep 1 %"))) << remark;
  return found.empty() ? 0 : std::stoi(found[1]);
}
// The error that it speaks of.
double expected(const std::string& remark) {
  std::smatch found;
  EXPECT_TRUE(std::regex_search(remark, found, std::regex("by up to ([0-9.]+) % too far"))) << remark;
  return found.empty() ? 0 : std::stod(found[1]) / 100;
}

const std::string straight = "from = [0, 0, 0]\nto = [1, 0, 0]\n";

// An arc is the exact shape under a moment at the end: the tip is off by what is said, and by less than 1 % with so many.
TEST(RodBending, NumberOfElementsKeepsAnArc) {
  for (const double turn : {1.0, 2.0, 5.0, 2 * std::numbers::pi}) {
    SCOPED_TRACE(turn);
    const Cantilever c{straight, fmt::format("moment = [0, {}, 0]", -turn)};
    const Vec3 exact(std::sin(turn) / turn, 0, (1 - std::cos(turn)) / turn);
    const int coarse = static_cast<int>(std::ceil(3.2 * turn));
    const Answer before = bent(c, coarse);
    ASSERT_EQ(before.remarks.size(), 1U);
    EXPECT_NEAR(error(before, exact) / expected(before.remarks[0]), 1, 0.15) << before.remarks[0];
    EXPECT_GT(error(before, exact), 0.04);
    const int enough = asked(before.remarks[0]);
    EXPECT_LT(enough, 3 * coarse);  // not more than it takes
    const Answer after = bent(c, enough);
    EXPECT_LT(error(after, exact), 0.01);
    EXPECT_GT(error(after, exact), 0.005);
    EXPECT_TRUE(after.remarks.empty()) << after.remarks[0];
  }
}

// The case of the issue: 16 elements bent by about 5 rad in all, 4 % off without a word.
TEST(RodBending, SixteenElementsRoundNearlyACircle) {
  const Cantilever c{"from = [0, 0, 0]\nto = [10, 0, 0]\n", "moment = [0, 0, -0.5]"};
  const Vec3 exact(10 * std::sin(5.0) / 5, -10 * (1 - std::cos(5.0)) / 5, 0);
  const Answer a = bent(c, 16);
  ASSERT_EQ(a.remarks.size(), 1U);
  EXPECT_GT(error(a, exact), 0.04);
  EXPECT_LT(error(bent(c, asked(a.remarks[0])), exact), 0.01);
}

// Forces, spread or following, and rods drawn as arcs, against elements of three nodes.
TEST(RodBending, NumberOfElementsKeepsOtherShapes) {
  const std::string arc = "from = [0, 0, 0]\nvia = [1, 0, 1]\nto = [2, 0, 0]\n";
  struct Case {
    Cantilever rod;
    int coarse;
  };
  for (const auto& [rod, coarse] : {Case{{straight, "force = [0, 0, 10]"}, 12}, Case{{straight, "force = [-4, 0, 0.04]"}, 10},
                                    Case{{straight, "force = [6, 0, 0]\nfollower = true"}, 10},
                                    Case{{arc, "force = [0, 0, 0.01]"}, 10}, Case{{arc, "force = [-0.3, 0, 0]"}, 12},
                                    Case{{arc, "force = [0.5, 0, 0]"}, 10}, Case{{arc, "moment = [0, 0.5, 0]"}, 14}}) {
    SCOPED_TRACE(rod.ends + rod.load);
    const Vec3 exact = bent({rod.ends, rod.load, 3}, 40).tip;
    const Answer before = bent(rod, coarse);
    ASSERT_EQ(before.remarks.size(), 1U);
    EXPECT_LT(error(bent(rod, asked(before.remarks[0])), exact), 0.01) << before.remarks[0];
  }
}

TEST(RodBending, FineAndStraightRodsAreNotSpokenOf) {
  EXPECT_TRUE(bent({straight, "moment = [0, -1, 0]"}, 10).remarks.empty());
  EXPECT_TRUE(bent({straight, "moment = [0, -5, 0]"}, 48).remarks.empty());
  EXPECT_TRUE(bent({straight, "moment = [0, -5, 0]", 3}, 12).remarks.empty());
  EXPECT_TRUE(bent({straight, "force = [1, 0, 0]"}, 2).remarks.empty());
  // As drawn an arc has no stress, whatever its elements turn by.
  const Cantilever arc{"from = [0, 0, 0]\nvia = [1, 0, 1]\nto = [2, 0, 0]\n", "force = [0, 0, 0]"};
  EXPECT_TRUE(bent(arc, 8).remarks.empty());
}

// Under a moment every element is a piece of the same circle: nothing is left to be wrong, however few there are.
TEST(RodBending, HelicesAreAnArc) {
  for (const double turn : {1.0, 2.0, 5.0, 2 * std::numbers::pi})
    for (const double angle : {0.3, 0.5, 1.0}) {
      SCOPED_TRACE(turn);
      const Cantilever c{straight, fmt::format("moment = [0, {}, 0]", -turn), 2, "helix"};
      const Vec3 exact(std::sin(turn) / turn, 0, (1 - std::cos(turn)) / turn);
      const Answer a = bent(c, static_cast<int>(std::ceil(turn / angle)));
      EXPECT_LT(error(a, exact), 1e-7);
      EXPECT_TRUE(a.remarks.empty());
    }
}

// Where the moment changes along the rod what is left is of second order, and no longer that of mean axes.
TEST(RodBending, HelicesBendAsTheElastica) {
  struct Case {
    std::string load;
    int elements;
    double allowed;
  };
  for (const auto& [load, elements, allowed] :
       {Case{"force = [0, 0, 10]", 12, 1.5e-3}, Case{"force = [-4, 0, 0.04]", 12, 1.8e-3},
        Case{"force = [6, 0, 0]\nfollower = true", 12, 2.5e-3}}) {
    SCOPED_TRACE(load);
    const Vec3 exact = bent({straight, load, 3}, 60).tip;
    const double coarse = error(bent({straight, load, 2, "helix"}, elements), exact),
                 fine = error(bent({straight, load, 2, "helix"}, 2 * elements), exact);
    EXPECT_LT(coarse, allowed);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
    EXPECT_LT(8 * coarse, error(bent({straight, load}, elements), exact));
  }
}

// In motion it is the worst of the run that counts, and summary.json has it.
TEST(RodBending, RunsSayItAtTheirEnd) {
  const std::string time = "[time]\nstep = 0.02\nend = 1\nscheme = \"energy-momentum-exact\"\n";
  const Cantilever c{straight, "moment = [0, \"-6*sin(pi*t)^2\", 0]"};
  const Model m = model(c, 12, time);
  const System system(m);
  const Scheme scheme = scheme_of(m);
  const RunResult r = run(m, system, scheme);
  ASSERT_EQ(r.status, Status::done);
  ASSERT_EQ(r.warnings.size(), 1U);
  EXPECT_NE(r.warnings[0].remedy.find("elements keep 1 %"), std::string::npos) << r.warnings[0].text();
  EXPECT_NE(summary_json(m, system, scheme, r).find("elements keep 1 %"), std::string::npos);
  const Model fine = model(c, 100, time);
  EXPECT_TRUE(run(fine).warnings.empty());
}

}  // namespace run_rod_bending
}  // namespace trompo
