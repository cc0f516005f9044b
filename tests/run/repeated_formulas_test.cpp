// Formulas that say again what joints say of bodies are refused with both names; what looks like it and is not, runs.
#include <gtest/gtest.h>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_repeated_formulas {

const std::string arm = R"toml(
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 2
inertia = [0.1, 0.2, 0.3]
position = [1, 0, 0]
[[joint]]
name = "h"
bodies = ["ground", "arm"]
hinge = { axis = [0, 1, 0], at = [0, 0, 0] }
)toml";

std::string said(const std::string& formulas, const std::string& formulation = "directors") {
  try {
    const RunResult r = run(parse_model("formulation = \"" + formulation + "\"" + arm + formulas +
                                            "[time]\nstep = 0.01\nend = 0.5\nscheme = \"energy-momentum-exact\"\n",
                                        "m.toml"));
    return r.status == Status::done ? "done" : r.failure.dossier();
  } catch (const ModelError& error) {
    return error.what();
  }
}
std::string formula(const char* name, const char* text) {
  return "[[constraint]]\nname = \"" + std::string(name) + "\"\nconstraint = \"" + text + "\"\n";
}

TEST(RepeatedFormulas, AreNamedWithWhatTheyRepeat) {
  for (const char* formulation : {"directors", "rotation"}) {
    SCOPED_TRACE(formulation);
    const auto ask = [&](const std::string& more) { return said(more, formulation); };
    // The axis stays level, and the centre in the plane, by the hinge already.
    const std::string level = ask(formula("level", "arm.d2.z"));
    EXPECT_NE(level.find("m.toml:14: error: constraint 'level' repeats what 'h: axis "), std::string::npos) << level;
    const std::string plane = ask(formula("plane", "arm.y"));
    EXPECT_NE(plane.find("constraint 'plane' repeats what 'h: point y' "), std::string::npos) << plane;
    // One formula says what another does.
    const std::string twice = ask("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [4, 0, 0]\n" +
                                  formula("one", "b.x - 4") + formula("two", "(b.x - 4)*3"));
    EXPECT_NE(twice.find("constraint 'two' repeats what 'one' says"), std::string::npos) << twice;
  }
}

TEST(RepeatedFormulas, WhatIsNoneRuns) {
  EXPECT_EQ(said("[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\nposition = [4, 0, 0]\n" + formula("one", "b.x - 4") +
                 formula("two", "b.z + arm.d1.x - 1")),
            "done");
}

}  // namespace run_repeated_formulas
}  // namespace trompo
