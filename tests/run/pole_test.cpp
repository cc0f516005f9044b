// Barriers that a formula has: no scheme passes them, however long its step; what does not pass one is left alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/long_run.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_pole {

// The side of a barrier that a motion is on: the sign of a function of its coordinates, at every step.
class Side final : public Observer {
 public:
  using Function = double (*)(const State& state);
  explicit Side(Function f) : f_(f) {}
  void sample(const Sample& now) override {
    const double f = f_(now.state);
    if (first_ == 0) first_ = f;
    kept = kept && f * first_ > 0;
    nearest = std::min(nearest, std::abs(f));
  }
  bool kept = true;
  double nearest = 1e300;

 private:
  Function f_;
  double first_ = 0;
};

double of_first(const State& state) { return state.q[0]; }

std::string coordinate(double value, double rate, const std::string& potential) {
  return fmt::format("[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = {}\nrate = {}\npotential = \"{}\"\n", value, rate,
                     potential);
}
std::string time(std::string_view scheme, double step, double end) {
  return fmt::format("[time]\nstep = {}\nend = {}\nscheme = \"{}\"\n", step, end, scheme);
}

struct Trial {
  RunResult result;
  Side side;
};
Trial tried(const std::string& text, Side::Function f) {
  const Model model = parse_model(text, "test.toml");
  const System system(model);
  Side side(f);
  Observer* const observers[] = {&side};
  RunResult result = run(model, system, scheme_of(model), observers);
  return {std::move(result), side};
}

std::vector<Row> rows_for_coordinates() {
  std::vector<Row> rows;
  for (const Row& row : catalogue())
    if (row.balance != Balance::top && row.balance != Balance::forced) rows.push_back(row);
  return rows;
}

// u comes with the energy 51 and turns at u = 1/51, a fifth of a step from where it would be on the other side.
TEST(Pole, IsPassedInNoScheme) {
  int done = 0;
  for (const Row& row : rows_for_coordinates()) {
    SCOPED_TRACE(std::string(row.name));
    const auto [result, side] = tried(coordinate(1, -10, "1/u") + time(row.name, 0.01, 3), of_first);
    EXPECT_TRUE(side.kept) << "nearest " << side.nearest;
    if (result.status == Status::done) {
      ++done;
      if (row.claims.energy) {
        EXPECT_GT(result.state.q[0], 20);  // it went back where it came from
        EXPECT_NEAR(result.total.max, 51, 51e-6);
        EXPECT_NEAR(result.total.min, 51, 51e-6);
      }
    } else if (result.status == Status::unstable) {  // so near to it that the next step flings it away
      EXPECT_EQ(row.balance, Balance::index_one);
    } else {
      EXPECT_NE(result.failure.dossier().find("potential of 'u'"), std::string::npos) << result.failure.dossier();
    }
  }
  EXPECT_GT(done, 10);
}

struct Barrier {
  const char* potential;  // repels from u = 0, or from where it says
  Side::Function side;
};

// Random starts, speeds and steps against barriers of every kind, in every scheme in turn.
TEST(LongPole, RandomBarriersHoldOrAreNamed) {
  const Barrier barriers[] = {
      {"{0}/u", of_first},
      {"{0}/u^2", of_first},
      {"{0}*u^-3", [](const State& s) { return s.q[0]; }},
      {"-{0}*log(u)", of_first},
      {"-{0}*log(u^2) + 0.1*u^2", of_first},
      {"{0}/sqrt(u)", of_first},
      {"{0}*u^-0.4 + u", of_first},
      {"{0}*sqrt(u)^-3", of_first},
      {"{0}*tan(u)^2", [](const State& s) { return std::cos(s.q[0]); }},
      {"{0}*tan(0.7*u + 0.2)^2", [](const State& s) { return std::cos(0.7 * s.q[0] + 0.2); }},
      {"{0}/(1 - u/9) + {0}/u", [](const State& s) { return s.q[0] * (9 - s.q[0]); }},
      {"{0}/(1 - cos(u))", [](const State& s) { return std::sin(0.5 * s.q[0]); }},
      {"{0}*(1 + u^2)/(u*exp(u))^2", of_first},
  };
  const std::vector<Row> rows = rows_for_coordinates();
  const int count = long_run(4000, 400);
  int done = 0, named = 0;
  for (int seed = 1; seed <= count; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    const auto between = [&](double low, double high) { return low + (high - low) * std::uniform_real_distribution()(random); };
    const Barrier& barrier = barriers[static_cast<std::size_t>(seed) % std::size(barriers)];
    const Row& row = rows[static_cast<std::size_t>(seed) % rows.size()];
    const double strength = std::pow(10, between(-4, 1)), start = between(0.1, 1.3), rate = between(-60, 60);
    const std::string text = coordinate(start, rate, fmt::format(fmt::runtime(barrier.potential), strength)) +
                             time(row.name, std::pow(10, between(-3, -0.5)), 1);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    const auto [result, side] = tried(text, barrier.side);
    EXPECT_TRUE(side.kept);
    if (result.status == Status::done) ++done;
    if (result.status == Status::not_converged && result.failure.newton.end == NewtonEnd::outside_domain) {
      ++named;
      EXPECT_EQ(result.failure.culprit, "potential of 'u'");
    }
  }
  EXPECT_GT(done, count / 3);
}

// What has no barrier in the way is not refused: orbits about a centre, with steps of up to a tenth of a turn. At 0.6 some
// schemes have no solution and halve a step on their own account.
TEST(Pole, OrbitsGoRoundIt) {
  for (const char* potential : {"-1/sqrt(p.x^2 + p.y^2)", "-1/distance", "-(p.x^2 + p.y^2)^-0.5", "log(distance^2)"})
    for (const char* scheme : {"energy-momentum-exact", "midpoint", "trapezoidal", "bathe", "rk4", "discrete-gradient"})
      for (const double step : {0.05, 0.3, 0.6}) {
        SCOPED_TRACE(fmt::format("{} {} {}", potential, scheme, step));
        const std::string text = fmt::format(
            "plane = \"xy\"\n[[node]]\nname = \"p\"\nposition = [1, 0]\nvelocity = [0, 1]\nmass = 1\n"
            "[[invariant]]\nname = \"distance\"\nformula = \"sqrt(p.x^2 + p.y^2)\"\n[[potential]]\nname = \"sun\"\npotential = "
            "\"{}\"\n",
            potential);
        const auto [result, side] = tried(text + time(scheme, step, 20 * step), [](const State&) { return 1.0; });
        if (step > 0.5 && std::string_view(scheme) == "rk4") {  // may be unstable there
          EXPECT_NE(result.status, Status::not_converged) << result.failure.dossier();
          continue;
        }
        EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
        if (step < 0.5) {
          EXPECT_EQ(result.retries, 0);
        }
      }
}

// A root that touches zero, and a quotient with a limit there, are crossed as if nothing were there.
TEST(Pole, WhatIsNoneIsCrossed) {
  for (const char* potential : {"sqrt(u^2)", "-sin(u)/u", "0.5*u^2*log(u^2 + 1e-300)", "(cosh(u) - 1)/u^2", "1/(1 + u^2)"}) {
    const auto [result, side] = tried(coordinate(1.234, -10, potential) + time("energy-momentum-exact", 0.1, 1), of_first);
    SCOPED_TRACE(potential);
    EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
    EXPECT_EQ(result.retries, 0);
    EXPECT_FALSE(side.kept);
    EXPECT_LT(result.state.q[0], -5);
  }
}

// Barriers in loads and constraints, in time, and in the strain of a bar.
TEST(Pole, IsNamedWhereverItIs) {
  const auto stops = [](const std::string& text, const std::string& name) {
    const auto [result, side] = tried(text, of_first);
    EXPECT_EQ(result.status, Status::not_converged) << text;
    EXPECT_EQ(result.failure.culprit, name) << result.failure.dossier();
    EXPECT_NE(result.failure.dossier().find(name), std::string::npos);
    return result.state.time;
  };
  for (const char* scheme : {"energy-momentum-exact", "newmark", "rk4", "bathe"}) {
    SCOPED_TRACE(scheme);
    // An attraction without end: there is no motion beyond the centre.
    stops(
        "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 1\nrate = -10\n[[load]]\nname = \"pull\"\ncoordinate = "
        "\"u\"\nforce = "
        "\"-1/u\"\n" +
            time(scheme, 0.03, 1),
        "load 'pull'");
    const double at = stops(
        "[[coordinate]]\nname = \"u\"\ninertia = 1\n[[load]]\nname = \"blow\"\ncoordinate = \"u\"\nforce = "
        "\"1/(t - 0.5003)\"\n" +
            time(scheme, 0.01, 1),
        "load 'blow'");
    EXPECT_NEAR(at, 0.5003, 0.01);
  }
  const std::string bar =
      "[[node]]\nname = \"a\"\nposition = [0, 0, 0]\nfixed = true\n[[node]]\nname = \"b\"\nposition = [1, 0, 0]\n"
      "fixed_axes = [\"y\", \"z\"]\nvelocity = [-100, 0, 0]\nmass = 1\n[[bar]]\nname = \"rod\"\nnodes = [\"a\", \"b\"]\nEA = "
      "1\nstrain = \"";
  for (const char* strain : {"logarithmic", "almansi"}) {
    const auto [result, side] =
        tried(bar + strain + "\"\n" + time("newmark", 0.03, 0.3), [](const State& s) { return s.q[3]; });
    EXPECT_TRUE(side.kept) << strain;
    if (result.status == Status::not_converged) {
      EXPECT_EQ(result.failure.culprit, "bar 'rod'");
    }
  }
  for (const char* strain : {"green", "engineering"}) {  // their energy is finite at no length
    const auto [result, side] =
        tried(bar + strain + "\"\n" + time("newmark", 0.03, 0.3), [](const State& s) { return s.q[3]; });
    EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
    EXPECT_FALSE(side.kept);
  }
}

}  // namespace run_pole
}  // namespace trompo
