// When events happen: at the start, at the end, closer together than rounding; what is said of them.
#include <gtest/gtest.h>

#include <cmath>

#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_event {

// A mass on a spring along x: stiffness 10 until an event.
std::string oscillator(const std::string& events, const std::string& time) {
  return R"toml(
[[node]]
name = "wall"
position = [0, 0, 0]
fixed = true
[[node]]
name = "mass"
position = [1.1, 0, 0]
mass = 1
fixed_axes = ["y", "z"]
[[spring]]
name = "spring"
nodes = ["wall", "mass"]
stiffness = 10
length = 1
[[sensor]]
name = "x"
position = "mass"
axis = "x"
)toml" + events +
         "[time]\nscheme = \"energy-momentum-exact\"\n" + time;
}
std::string event(const std::string& at, double stiffness) {
  return "[[event]]\nat = " + at + "\nset = { spring = \"spring\", stiffness = " + std::to_string(stiffness) + " }\n";
}
std::vector<std::string> notes(const Model& model) {
  std::vector<std::string> texts;
  for (const Diagnostic& d : check(model))
    if (d.severity == Diagnostic::Severity::note) texts.push_back(d.message);
  return texts;
}

struct Samples : Observer {
  std::vector<double> times, totals, events;
  void sample(const Sample& now) override {
    times.push_back(now.time);
    totals.push_back(now.ledger.total());
    events.push_back(now.ledger.events());
  }
};

TEST(EventTimes, AtTheStartTheNewNumbersRuleFromTheFirstStepOn) {
  const Model model = parse_model(oscillator(event("0", 40), "step = 0.01\nend = 1\n"), "m");
  const Model hard = parse_model(oscillator(event("0", 40), "step = 0.01\nend = 1\n"), "m",
                                 std::vector<std::string>{"spring.spring.stiffness=40"});
  const System system(model);
  Samples samples;
  Observer* const observers[] = {&samples};
  const RunResult result = run(model, system, scheme_of(model), observers), same = run(hard);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_EQ(result.steps, 100);
  EXPECT_EQ(result.state.q, same.state.q);
  // 1/2 k 0.1^2 before, four times as much after; the event brings the difference, and the first sample has it.
  EXPECT_NEAR(result.total.initial, 0.05, 1e-15);
  EXPECT_NEAR(result.total.final, 0.2, 1e-13);
  EXPECT_NEAR(result.ledger.events(), 0.15, 1e-15);
  EXPECT_LT(result.ledger.worst_residual(), 1e-13);
  EXPECT_EQ(samples.times.front(), 0);
  EXPECT_NEAR(samples.totals.front(), 0.2, 1e-15);
  EXPECT_NEAR(samples.events.front(), 0.15, 1e-15);
  ASSERT_EQ(notes(model).size(), 1u);
  EXPECT_NE(notes(model)[0].find("the event at t = 0 happens at once"), std::string::npos) << notes(model)[0];
}

// The mass hangs at rest on the spring as it is before the event, which then lets go.
TEST(EventTimes, AtTheStartAnEquilibriumIsTheOneBefore) {
  std::string text =
      "gravity = [10, 0, 0]\n" + oscillator(event("0", 5), "step = 0.01\nend = 1\ninitial_state = \"equilibrium\"\n");
  const RunResult result = run(parse_model(text, "m"));
  ASSERT_EQ(result.status, Status::done);
  // From x = 2 about x = 3 with omega^2 = 5.
  EXPECT_NEAR(result.sensors[0].initial, 2, 1e-9);
  EXPECT_NEAR(result.sensors[0].final, 3 - std::cos(std::sqrt(5.0)), 2e-4);
  EXPECT_NEAR(result.ledger.events(), -2.5, 1e-9);
}

TEST(EventTimes, AtTheEndOrLaterNothingHappensAndANoteSaysSo) {
  for (const std::string at : {"0.3", "0.30000000000000004", "0.29999999999999999", "0.5"}) {
    const Model model = parse_model(oscillator(event(at, 40), "step = 0.1\nsteps = 3\n"), "m");  // 3*0.1 is no 0.3
    const RunResult result = run(model);
    ASSERT_EQ(result.status, Status::done) << at;
    EXPECT_EQ(result.steps, 3) << at;
    EXPECT_EQ(result.ledger.events(), 0) << at;
    ASSERT_EQ(notes(model).size(), 1u) << at;
    EXPECT_NE(notes(model)[0].find("does not happen: the run ends at t = 0.3"), std::string::npos) << notes(model)[0];
  }
  const Model before = parse_model(oscillator(event("0.2999", 40), "step = 0.1\nsteps = 3\n"), "m");
  EXPECT_EQ(notes(before).size(), 0u);
  EXPECT_NE(run(before).ledger.events(), 0);
}

// Times that only rounding sets apart are one: no step of 5e-17 s lies between them.
TEST(EventTimes, ThatRoundingSetsApartAreOne) {
  const Model model =
      parse_model(oscillator(event("0.3", 40) + event("0.30000000000000004", 90), "step = 0.1\nend = 1\n"), "m");
  const Model once = parse_model(oscillator(event("0.3", 90), "step = 0.1\nend = 1\n"), "m");
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_EQ(result.steps, 10);
  EXPECT_EQ(result.state.q, run(once).state.q);
}

TEST(EventTimes, BeforeTheStartAreRefused) {
  EXPECT_THROW((void)parse_model(oscillator(event("-1", 40), "step = 0.1\nend = 1\n"), "m"), ModelError);
}

}  // namespace run_event
}  // namespace trompo
