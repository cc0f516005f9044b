// A joint and a scheme that docs/CONTRIBUTING.md adds: read, checked, in the schema, drawn, run. Linked with copies of the
// files that the page names, and its text in them.
#include <gtest/gtest.h>

#include "trompo/model/reader.hpp"
#include "trompo/output/scene.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace recipes_recipes {

const std::string head = R"(gravity = [2, 1, -9.81]
[[body]]
name = "box"
mass = 2
shape = { box = [1, 2, 3] }
angular_velocity = [0, 0, 0]
[time]
step = 0.01
end = 1
)";

TEST(Recipes, ANewJointIsOneStruct) {
  const std::string joint =
      "[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"box\"]\nsled = { axis = [0, 0, 1], at = [0, 0, 1] }\n";
  const Model model = parse_model(head + "scheme = \"energy-momentum-exact\"\n" + joint, "test.toml");
  EXPECT_NE(model_schema().find("sled"), std::string::npos);
  EXPECT_NE(scene_json(model).find("\"sled\""), std::string::npos);
  const System system(model);
  EXPECT_EQ(system.freedoms() - system.multipliers(), 2);
  const RunResult result = run(model);
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT((result.state.q.head<3>() - Vec3(1, 0.5, 0)).norm(), 1e-12);  // g t^2/2 in the plane, and no turn
  EXPECT_LT((Vec3(result.state.q.segment<3>(3)) - Vec3::UnitX()).norm(), 1e-12);
}

TEST(Recipes, AndItsMistakesAreNamed) {
  const auto said = [](const std::string& joint) {
    try {
      (void)parse_model(head + "scheme = \"midpoint\"\n[[joint]]\nname = \"j\"\nbodies = [\"ground\", \"box\"]\n" + joint,
                        "test.toml");
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(said("sled = { at = [0, 0, 1] }\n").find("sled has no `axis`"), std::string::npos);
  EXPECT_NE(said("sled = { axis = [0, 0, 1], at = [0, 0, 1] }\nmotion = \"t\"\n").find("a sled joint has none"),
            std::string::npos);
  EXPECT_NE(said("slet = { axis = [0, 0, 1], at = [0, 0, 1] }\n").find("sled"), std::string::npos);
}

TEST(Recipes, ANewSchemeIsOneRow) {
  const Row* const row = find_scheme("strain-midpoint");
  ASSERT_NE(row, nullptr);
  const RunResult result = run(parse_model(head + "scheme = \"strain-midpoint\"\n", "test.toml"));
  ASSERT_EQ(result.status, Status::done);
  EXPECT_LT((result.state.q.head<3>() - Vec3(1, 0.5, -4.905)).norm(), 1e-12);
}

}  // namespace recipes_recipes
}  // namespace trompo
