// Energies typed by the user: the same motion as the measure written by hand, and mistakes that point at their column.
#include <gtest/gtest.h>

#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace model_energy {

std::string pendulum(const std::string& spring) {
  return "gravity = [0, -9.8, 0]\n[parameters]\nEA = 1e4\nL = 3.0443\n"
         "[[node]]\nname = \"pivot\"\nposition = [0, 0, 0]\nfixed = true\n"
         "[[node]]\nname = \"the bob\"\nposition = [0, -3.0443, 0]\nvelocity = [7.72, 0, 0.5]\nmass = 10\n" +
         spring + "[time]\nstep = 0.05\nsteps = 200\nscheme = \"energy-momentum-exact\"\n";
}
const std::string bar = "[[bar]]\nname = \"rod\"\nnodes = [\"pivot\", \"the bob\"]\nEA = 1e4\nstrain = \"green\"\n";
const std::string typed =
    "[[potential]]\nname = \"rod\"\n"
    "potential = \"EA*L/2*((`the bob`.x^2 + `the bob`.y^2 + `the bob`.z^2 - L^2)/(2*L^2))^2\"\n";

TEST(Energy, TypedMovesAsTheBarWrittenByHand) {
  for (const char* scheme : {"trapezoidal", "midpoint", "generalized-alpha-1", "krenk-quartic"}) {
    const std::string set[] = {std::string("time.scheme=") + scheme};
    const RunResult by_hand = run(parse_model(pendulum(bar), "m.toml", set)),
                    by_formula = run(parse_model(pendulum(typed), "m.toml", set));
    ASSERT_EQ(by_formula.status, Status::done) << scheme;
    EXPECT_LE((by_hand.state.q - by_formula.state.q).norm(), 1e-10) << scheme;
    EXPECT_LE(by_formula.ledger.worst_residual(), 1e-12 * by_formula.ledger.scale()) << scheme;
  }
}

TEST(Energy, TypedIsKeptByTheConservingSchemes) {
  for (const char* scheme : {"energy-momentum-exact", "krenk", "discrete-gradient"}) {
    const std::string set[] = {std::string("time.scheme=") + scheme};
    const RunResult result = run(parse_model(pendulum(typed), "m.toml", set));
    EXPECT_LE(result.total.max - result.total.min, 1e-12 * result.ledger.scale()) << scheme;
  }
}

TEST(Energy, ParametersCanBeOverridden) {
  const std::string doubled[] = {"parameters.EA=2e4"}, wrong[] = {"parameters.EB=2e4"};
  EXPECT_EQ(parse_model(pendulum(typed), "m.toml", doubled).parameters.at("EA"), 2e4);
  try {
    (void)parse_model(pendulum(typed), "m.toml", wrong);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'EA'?"), std::string::npos) << error.what();
  }
}

std::string complaint(const std::string& potential) {
  try {
    (void)parse_model("[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = -1\npotential = \"" + potential +
                          "\"\n[parameters]\nlambda = 2\n[time]\nstep = 0.1\nsteps = 1\nscheme = \"krenk\"\n",
                      "m.toml");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Energy, MistakesPointAtLineAndColumn) {
  const auto says = [](const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
  };
  says(complaint("lamda*u^2"), {"m.toml:5:", "'u'", "column 1", "'lamda'", "lambda"});
  says(complaint("lambda*(u^2"), {"m.toml:5:", "column 12", "bracket"});
  says(complaint("log(u)"), {"m.toml:5:", "singular at the start"});
  says(complaint("lambda"), {"must depend on a coordinate"});
  says(complaint(std::string(10000, '(') + "u"), {"nested too deeply"});
  std::string sum = "u^2";
  for (int i = 0; i < 2000; ++i) sum += "+u^2";
  EXPECT_EQ(complaint(sum), "");  // 10 000 characters are no mistake
}

// Only what is differentiated is judged: nobody asks for the slope of a sensor, nor for the curvature of a load.
TEST(Energy, AFormulaIsJudgedByWhatIsTakenOfIt) {
  const auto complaint_about = [](const std::string& part) -> std::string {
    try {
      const RunResult result = run(parse_model("[[coordinate]]\nname = \"u\"\ninertia = 1\nrate = 1\n" + part +
                                                   "[time]\nstep = 0.1\nsteps = 10\nscheme = \"energy-momentum-exact\"\n",
                                               "m.toml"));
      EXPECT_EQ(result.status, Status::done) << part;
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  const auto says = [](const std::string& text, const char* word) {
    EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
  };
  const std::string sensor = "[[sensor]]\nname = \"s\"\nformula = ",
                    load = "[[load]]\nname = \"l\"\ncoordinate = \"u\"\nforce = ",
                    potential = "[[potential]]\nname = \"p\"\npotential = ",
                    invariant = "[[invariant]]\nname = \"i\"\nformula = \"sqrt(u)\"\n";
  EXPECT_EQ(complaint_about(sensor + "\"sqrt(u)\"\n"), "");
  EXPECT_EQ(complaint_about(sensor + "\"abs(u)^0.3 + sqrt(u^2)\"\n"), "");
  EXPECT_EQ(complaint_about(sensor + "\"2*i\"\n" + invariant), "");
  EXPECT_EQ(complaint_about(load + "\"u^1.5\"\n"), "");
  says(complaint_about(sensor + "\"1/u\"\n"), "the formula of sensor 's' is singular at the start");
  says(complaint_about(load + "\"sqrt(u)\"\n"), "its slope is not finite");
  says(complaint_about(potential + "\"sqrt(u)\"\n"), "its slope is not finite");
  says(complaint_about(potential + "\"u^1.5\"\n"), "its curvature is not finite");
  says(complaint_about(potential + "\"i\"\n" + invariant), "potential 'p' is singular at the start");
}

}  // namespace model_energy
}  // namespace trompo
