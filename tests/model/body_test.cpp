// Rigid bodies in the model file: inertias against the textbook, orientations, and every refusal with its message.
#include "trompo/model/body.hpp"
#include "trompo/math/so3.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/model/body_text.hpp"
#include "tests/random_states.hpp"

namespace trompo {
namespace model_body {

using namespace bodies;

testing::AssertionResult near(const Mat3& a, const Mat3& b, double allowed = 1e-14) {
  const double error = (a - b).cwiseAbs().maxCoeff();
  if (error <= allowed * (1 + b.cwiseAbs().maxCoeff())) return testing::AssertionSuccess();
  return testing::AssertionFailure() << a << "\nis not\n" << b;
}
Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

// ---- inertias ----

TEST(Body, ShapesHaveTheInertiasOfTheTextbook) {
  EXPECT_TRUE(near(resolved("mass = 12\nshape = { box = [1, 2, 3] }").inertia, diagonal(4 + 9, 1 + 9, 1 + 4)));
  EXPECT_TRUE(near(resolved("mass = 12\nshape = { plate = [1, 2] }").inertia, diagonal(4, 1, 5)));
  EXPECT_TRUE(near(resolved("mass = 12\nshape = { cylinder = [2, 3] }").inertia, diagonal(12 + 9, 12 + 9, 24)));
  EXPECT_TRUE(near(resolved("mass = 5\nshape = { sphere = 3 }").inertia, diagonal(18, 18, 18)));
  ShapeInput rod;
  rod.rod = 2;
  EXPECT_TRUE(near(shape_inertia(rod, 3), diagonal(0, 1, 1)));
  EXPECT_EQ(resolved("mass = 12\nshape = { box = [1, 2, 3] }").mass, 12);
}

TEST(Body, InertiaIsThreeNumbersOrAMatrix) {
  EXPECT_EQ(resolved("mass = 1\ninertia = [1, 2, 3]").inertia, diagonal(1, 2, 3));
  Mat3 full;
  full << 3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5;
  EXPECT_EQ(resolved("mass = 1\ninertia = [[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]").inertia, full);
}

TEST(Body, PartsAreSummedAboutTheirCommonCentre) {
  // A box of 2 x 1 x 1 is two cubes, wherever their origin is and however the second is turned by a quarter.
  const Mat3 whole = resolved("mass = 2\nshape = { box = [2, 1, 1] }").inertia;
  for (const char* origin : {"0", "7"}) {
    const std::string at = std::string(", ") + origin + ", -1] ";
    const auto two = resolved("parts = [{ mass = 1, shape = { box = [1, 1, 1] }, position = [3" + at +
                              "}, { mass = 1, shape = { box = [1, 1, 1] }, position = [4" + at +
                              ", orientation = { axis = [0, 3, 0], degrees = 90 } }]");
    EXPECT_EQ(two.mass, 2);
    EXPECT_EQ(two.position, Vec3(0, 0, 0));
    EXPECT_TRUE(near(two.inertia, whole, 1e-13));
  }
  // A dumb-bell of two points on a thin rod along y, with a cross rod so that it is not thin.
  const auto bell = resolved(
      "parts = [{ mass = 3, inertia = [0, 0, 0], position = [0, 1, 0] }, { mass = 3, inertia = [0, 0, 0], position = [0, -1, "
      "0] "
      "},\n{ mass = 12, shape = { rod = 2 }, orientation = { axis = [0, 0, 1], degrees = 90 } }, { mass = 12, shape = { rod = "
      "1 } "
      "}]");
  EXPECT_EQ(bell.mass, 30);
  EXPECT_TRUE(near(bell.inertia, diagonal(6 + 4, 1, 6 + 4 + 1)));
}

TEST(Body, AFixedPointShiftsShapesAndParts) {
  const auto rod = resolved("mass = 3\nshape = { cylinder = [0.1, 2] }\nfixed_point = [0, 0, 5]\ncentre = [0, 0, 1]");
  const double across = 3 * (0.01 / 4 + 4.0 / 12) + 3;
  EXPECT_TRUE(near(rod.inertia, diagonal(across, across, 3 * 0.005)));
  EXPECT_EQ(rod.position, Vec3(0, 0, 6));
  EXPECT_EQ(rod.centre, Vec3(0, 0, 1));
  // The parts' own origin is the fixed point unless `centre` says otherwise.
  const std::string parts =
      "parts = [{ mass = 3, shape = { cylinder = [0.1, 2] }, position = [0, 0, 1] }]\nfixed_point = [0, 0, 5]\n";
  EXPECT_TRUE(near(resolved(parts).inertia, rod.inertia));
  EXPECT_EQ(resolved(parts).centre, Vec3(0, 0, 1));
  EXPECT_TRUE(near(resolved(parts + "centre = [0, 0, 2]").inertia, diagonal(across + 9, across + 9, 3 * 0.005)));
  // An inertia is about the fixed point as it stands; without a fixed point there is no centre.
  EXPECT_EQ(resolved("mass = 4\ninertia = [5, 5, 1]\nfixed_point = [0, 0, 0]\ncentre = [0, 0, 0.5]").inertia,
            diagonal(5, 5, 1));
  EXPECT_EQ(resolved("mass = 4\ninertia = [5, 5, 1]\nposition = [1, 2, 3]").centre, Vec3(0, 0, 0));
}

RC_GTEST_PROP(BodyProperty, PartsMakeAPossibleBody, ()) {
  BodyInput input;
  input.name = "heap";
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    PartInput& part = input.parts.emplace_back();
    part.mass = property::magnitude(1e-3, 1e3);
    part.position = property::box<3>(5);
    part.orientation.matrix = property::rotation();
    switch (*rc::gen::inRange(0, 5)) {
      case 0: part.shape.box = property::box<3>(2).cwiseAbs() + Vec3::Constant(0.01); break;
      case 1: part.shape.plate = property::box<2>(2).cwiseAbs() + Vec<2>::Constant(0.01); break;
      case 2: part.shape.cylinder = property::box<2>(2).cwiseAbs() + Vec<2>::Constant(0.01); break;
      case 3: part.shape.sphere = property::between(0.01, 2); break;
      default: part.shape.rod = property::between(0.01, 2);
    }
  }
  const ResolvedBody whole = resolve_body(input);
  const Vec3 p = principal_values(whole.inertia);
  RC_ASSERT(p[2] <= (p[0] + p[1]) * (1 + 1e-12));
  RC_ASSERT(p[0] >= -1e-14 * p[2]);
  for (const BodyRemark& remark : inspect_body(input)) RC_ASSERT(remark.message.find("is thin") != std::string::npos);

  // Written as an inertia, it is accepted; about any fixed point, too; and Steiner's theorem leads back.
  BodyInput given;
  given.name = "given";
  given.mass = whole.mass;
  given.inertia = whole.inertia;
  if (p[0] > 1e-10 * p[2]) RC_ASSERT(inspect_body(given).empty());
  input.fixed_point = property::box<3>(3);
  input.centre = property::box<3>(3);
  const ResolvedBody held = resolve_body(input);
  const Mat3 back = held.inertia - parallel_axes(held.mass, held.centre);
  RC_ASSERT((back - whole.inertia).cwiseAbs().maxCoeff() <= 1e-13 * held.inertia.cwiseAbs().maxCoeff());
}

// ---- how it stands and moves ----

RC_GTEST_PROP(BodyProperty, AllOrientationsAgree, ()) {
  const Vec3 n = property::direction();
  const double degrees = property::between(-720, 720), angle = degrees * std::numbers::pi / 180;
  const Mat3 expected = Eigen::AngleAxisd(angle, n).toRotationMatrix();
  const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, n));
  BodyInput by_axis, by_quaternion, by_matrix;
  by_axis.orientation.axis = property::magnitude(1e-6, 1e6) * n;
  by_axis.orientation.degrees = degrees;
  by_quaternion.orientation.quaternion = Vec<4>(q.w(), q.x(), q.y(), q.z());
  by_matrix.orientation.matrix = expected;
  for (const BodyInput* b : {&by_axis, &by_quaternion, &by_matrix})
    RC_ASSERT((to_matrix(resolve_body(*b).orientation) - expected).cwiseAbs().maxCoeff() <= 1e-14);
}

TEST(Body, OrientationTurnsBodyAxesIntoGlobalOnes) {
  for (const char* quarter :
       {"{ axis = [0, 0, 2], degrees = 90 }", "{ quaternion = [0.7071067811865476, 0, 0, 0.7071067811865476] }",
        "{ matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] }"}) {
    const auto b = resolved("mass = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\norientation = " + std::string(quarter));
    EXPECT_LE((to_space(b.orientation, Vec3(1, 0, 0)) - Vec3(0, 1, 0)).norm(), 1e-15) << quarter;
    EXPECT_LE((b.place_of({2, 0, 0}) - Vec3(1, 2, 0)).norm(), 1e-15) << quarter;
  }
  const auto plain = resolved("mass = 1\ninertia = [1, 1, 1]\nvelocity = [1, 2, 3]\nangular_velocity = [4, 5, 6]");
  EXPECT_EQ(to_matrix(plain.orientation), Mat3(Mat3::Identity()));
  EXPECT_EQ(plain.position, Vec3(0, 0, 0));
  EXPECT_EQ(plain.velocity, Vec3(1, 2, 3));
  EXPECT_EQ(plain.angular_velocity, Vec3(4, 5, 6));
}

TEST(Body, AFixedPointGivesPlaceAndVelocityOfTheCentre) {
  const auto b = resolved(
      "mass = 4\ninertia = [5, 5, 1]\nfixed_point = [1, 1, 1]\ncentre = [0, 0, 0.5]\nangular_velocity = [2, 0, 9]\n"
      "orientation = { axis = [1, 0, 0], degrees = 90 }");
  EXPECT_LE((b.position - Vec3(1, 0.5, 1)).norm(), 1e-15);
  EXPECT_LE((b.velocity - Vec3(0, 0, -1)).norm(), 1e-15);  // (2, 0, 9) x (0, 0, 0.5) = (0, -1, 0), turned
}

// ---- refusals ----

TEST(BodyCheck, HasNothingToSayOfAGoodBody) {
  EXPECT_EQ(remarks(base + top), "nothing");
  EXPECT_EQ(remarks(base + body("mass = 1\nshape = { plate = [1, 0.3] }")), "nothing");
  EXPECT_EQ(remarks(base + body("mass = 1\ninertia = [0.1, 0.2, 0.3]")), "nothing");  // a plate in decimals
}

TEST(BodyCheck, FormulationIsSaid) {
  EXPECT_EQ(errors(base.substr(base.find("gravity")) + top), "nothing");  // directors
  EXPECT_EQ(remarks(base), "test.toml:1: warning: `formulation` is not used: there is no [[body]]; remove it");
  for (const std::string other : {"directors", "euler-parameters"})
    EXPECT_EQ(errors(replaced(base, "rotation", other) + top), "nothing");
  EXPECT_TRUE(says(errors(replaced(base, "rotation", "rotations") + top),
                   R"('formulation' is 'rotations', but must be "directors", "rotation" or "euler-parameters"; did you mean)"));
  EXPECT_TRUE(says(errors("plane = \"xz\"\n" + replaced(base, "rotation", "euler-parameters") + top),
                   "test.toml:2: error: Euler parameters are not held in a plane"));
  EXPECT_TRUE(says(errors("plane = \"xz\"\n" + base.substr(base.find("[time]"))), "the model has nothing that moves"));
  EXPECT_EQ(errors(base.substr(0, base.find("[[node]]")) + base.substr(base.find("[time]")) + top), "nothing");
}

TEST(BodyCheck, RotationPerStepBelongsToBodies) {
  const std::string limited = replaced(base, "steps = 3", "steps = 3\nmax_rotation_per_step = 0.5");
  EXPECT_EQ(parse_model(limited + top, "m").time.max_rotation_per_step, 0.5);
  EXPECT_TRUE(says(remarks(limited), "test.toml:10: warning: `max_rotation_per_step` is not used: there is no [[body]]"));
  EXPECT_TRUE(
      says(errors(replaced(limited, "0.5\nscheme", "0\nscheme") + top), "'max_rotation_per_step' in [time] is 0, but must"));
}

TEST(BodyCheck, NamesAreUnique) {
  EXPECT_TRUE(says(errors(base + body("mass = 1\ninertia = [1, 1, 1]", "bob")),
                   "test.toml:12: error: body 'bob': the name is taken by a node in line 4"));
  EXPECT_TRUE(says(errors(base + body("mass = 1\ninertia = [1, 1, 1]", "ground")), "which is that of the ground"));
}

TEST(BodyCheck, MassAndInertiaAreGivenOnce) {
  const std::string part = "parts = [{ mass = 1, shape = { sphere = 1 } }]";
  EXPECT_EQ(added(part), "nothing");
  EXPECT_EQ(added("inertia = [1, 1, 1]"), "test.toml:11: error: body 'top' has no mass; give it `mass` [kg]");
  EXPECT_TRUE(
      says(added("mass = 0\ninertia = [1, 1, 1]"), "test.toml:13: error: 'mass' of body 'top' is 0, but must be positive"));
  EXPECT_EQ(added("mass = 1"), "test.toml:11: error: body 'top' has no inertia; give it `inertia`, `shape` or `parts`");
  EXPECT_TRUE(says(added("mass = 1\ninertia = [1, 1, 1]\nshape = { sphere = 1 }"),
                   "test.toml:15: error: body 'top' has both `inertia` and `shape`; keep one"));
  EXPECT_TRUE(says(added("shape = { sphere = 1 }\n" + part), "test.toml:14: error: body 'top' has both `shape` and `parts`"));
  EXPECT_EQ(added("mass = 1\n" + part),
            "test.toml:13: error: body 'top' has both `mass` and `parts`; leave out `mass`: it is the sum of the parts");
  EXPECT_TRUE(says(added("parts = []"), "test.toml:13: error: body 'top' has a list of parts without a part"));
}

TEST(BodyCheck, ShapesAreOneAndPositive) {
  const auto shape = [](const std::string& what) { return added("mass = 1\nshape = " + what); };
  EXPECT_TRUE(says(shape("{}"), "test.toml:14: error: the shape of body 'top' is empty; give one of box, plate,"));
  EXPECT_TRUE(says(shape("{ sphere = 1, rod = 2 }"), "test.toml:14: error: body 'top' has more than one shape"));
  EXPECT_TRUE(says(shape("{ box = [1, -2, 3] }"),
                   "test.toml:14: error: 'box' in shape of body 'top', entry 2 is -2, but must be positive"));
  EXPECT_TRUE(says(shape("{ sphere = 0 }"), "'sphere' in shape of body 'top' is 0, but must be positive"));
  EXPECT_TRUE(says(shape("{ plate = [1, 2, 3] }"), "'plate' in shape of body 'top': expected 2 numbers, found 3"));
  EXPECT_TRUE(says(shape("{ cylinder = 1 }"), "'cylinder' in shape of body 'top': expected a list of 2 numbers, found a"));
  EXPECT_TRUE(says(shape("{ ball = 1 }"), "unknown key 'ball' in shape of body 'top'"));
  EXPECT_TRUE(says(shape("3"), "'shape' of body 'top': expected a table, found a whole number; write shape = { ... }"));
  EXPECT_TRUE(says(shape("{ sphere = 1e40 }"), "the mass or the inertia of body 'top' comes to "));
  EXPECT_EQ(shape("{ rod = 2 }"),
            "test.toml:14: error: body 'top' is thin: it has no inertia about its own axis, and nothing would determine "
            "its spin about it; give it a thickness: shape = { cylinder = [radius, length] }, whose axis is body z");
  // Held beside its axis, a rod has inertia about every axis.
  EXPECT_EQ(shape("{ rod = 2 }\nfixed_point = [0, 0, 0]\ncentre = [0, 1, 0]"), "nothing");
  EXPECT_TRUE(says(shape("{ rod = 2 }\nfixed_point = [0, 0, 0]\ncentre = [1, 0, 0]"), "body 'top' is thin"));
}

TEST(BodyCheck, InertiasArePossible) {
  const auto inertia = [](const std::string& what) { return added("mass = 1\ninertia = " + what); };
  EXPECT_EQ(inertia("[[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]"),
            "test.toml:14: error: the inertia of body 'top' is not symmetric: row 1, column 2 is 0.1, but row 2, column 1 is "
            "0.2; write the same number in both places");
  EXPECT_EQ(inertia("[[1, 0.1, 0], [0.10000000000000002, 1, 0], [0, 0, 1]]"), "nothing");
  EXPECT_TRUE(says(inertia("[1, -1, 1]"),
                   "test.toml:14: error: the inertia of body 'top' is not positive definite: it has the eigenvalue -1;"));
  EXPECT_TRUE(says(inertia("[[1, 2, 0], [2, 1, 0], [0, 0, 1]]"), "not positive definite: it has the eigenvalue -1;"));
  EXPECT_TRUE(says(inertia("[0, 1, 1]"), "not positive definite: it has the eigenvalue 0; nothing would determine"));
  EXPECT_TRUE(says(inertia("[3, 5, 1]"),
                   "test.toml:14: error: the inertia of body 'top' is that of no possible body: its principal values break the "
                   "triangle inequality, 5 > 1 + 3; the largest may be at most the sum of the others"));
  EXPECT_TRUE(says(inertia("[2, 3, 5.0000001]"), "5.0000001 > 2 + 3"));
  EXPECT_TRUE(says(inertia("[1, 2]"), "'inertia' of body 'top': expected 3 numbers or 3 rows of 3 numbers, found 2"));
  EXPECT_TRUE(says(inertia("[[1, 0, 0], [0, 1], [0, 0, 1]]"), "'inertia' of body 'top', row 2: expected 3 numbers, found 2"));
  EXPECT_TRUE(says(inertia("[[1, 0, 0], [0, 1, 0], [0, 0, \"1\"]]"), "row 3, entry 3: expected a number, found a string"));
  EXPECT_TRUE(says(inertia("[1, 2, nan]"), "'inertia' of body 'top', entry 3 is nan"));
  EXPECT_TRUE(says(inertia("4"), "expected a list of 3 numbers or 3 rows of 3 numbers, found a whole number"));
}

TEST(BodyCheck, AnImpossibleInertiaIsTakenIfTheFileInsists) {
  const auto insisted = [](const std::string& what) {
    return remarks(base + body("mass = 1\nallow_impossible = true\n" + what));
  };
  EXPECT_EQ(insisted("inertia = [3, 5, 1]"),
            "test.toml:15: warning: the inertia of body 'top' is that of no possible body: its principal values break the "
            "triangle inequality, 5 > 1 + 3; taken as it stands, as allow_impossible = true says");
  EXPECT_EQ(insisted("inertia = [1, 1, 1]"), "nothing");
  EXPECT_TRUE(says(added("mass = 1\nallow_impossible = true\ninertia = [1, -1, 1]"),
                   "error: the inertia of body 'top' is not positive definite"));
  EXPECT_TRUE(says(added("mass = 1\nallow_impossible = true\ninertia = [0, 1, 3]"),
                   "error: the inertia of body 'top' is not positive definite"));
}

TEST(BodyCheck, ImpossibleAboutTheCentreOfMassIsAWarning) {
  const auto held = [](const std::string& what) {
    return remarks(base + body("inertia = [5, 5, 1]\nfixed_point = [0, 0, 0]\n" + what));
  };
  EXPECT_EQ(held("mass = 4\ncentre = [0, 0, 0.5]"), "nothing");
  EXPECT_TRUE(says(held("mass = 20\ncentre = [0, 0, 1]"),
                   "test.toml:13: warning: the inertia of body 'top' about its centre of mass is that of no possible body: it "
                   "has the eigenvalue -15; with a shorter `centre` and more `mass`"));
  EXPECT_TRUE(says(held("mass = 0.6\ncentre = [1, 0, 0]"), "triangle inequality, 5 > 0.4 + 4.4"));
  EXPECT_TRUE(says(held("mass = 4"), "test.toml:14: warning: gravity does not turn body 'top': it has no `centre`"));
}

TEST(BodyCheck, AFixedPointLeavesNothingElseToSay) {
  const auto held = [](const std::string& what) { return added("mass = 4\ninertia = [4, 4, 1]\n" + what); };
  EXPECT_TRUE(
      says(held("fixed_point = [0, 0, 0]\nposition = [0, 0, 1]"),
           "test.toml:16: error: body 'top' has both `fixed_point` and `position`; keep the fixed point: `centre` says"));
  EXPECT_TRUE(says(held("fixed_point = [0, 0, 0]\nvelocity = [0, 0, 1]"), "has both `fixed_point` and `velocity`"));
  EXPECT_TRUE(says(held("centre = [0, 0, 1]"),
                   "test.toml:15: error: body 'top' has a `centre` but no fixed point to count it from; add `fixed_point`"));
}

TEST(BodyCheck, OrientationsAreRotations) {
  const auto turned = [](const std::string& what) { return added("mass = 1\ninertia = [1, 1, 1]\norientation = " + what); };
  EXPECT_TRUE(says(turned("{ axis = [0, 0, 0], degrees = 3 }"),
                   "test.toml:15: error: the orientation of body 'top' turns about an axis of length zero"));
  EXPECT_TRUE(says(turned("{ axis = [0, 0, 1] }"), "has an `axis` but no `degrees`; give both"));
  EXPECT_TRUE(says(turned("{ degrees = 1 }"), "has `degrees` but no `axis`; give both"));
  EXPECT_TRUE(says(turned("{}"), "the orientation of body 'top' is empty"));
  EXPECT_TRUE(says(turned("{ degrees = 1, axis = [1, 0, 0], quaternion = [1, 0, 0, 0] }"), "is given twice; keep one of"));
  EXPECT_TRUE(says(turned("{ quaternion = [0, 0, 0, 0] }"), "is a quaternion of length zero"));
  EXPECT_EQ(
      turned("{ quaternion = [0, 3, 0, 4] }"),
      "test.toml:15: error: the orientation of body 'top' is a quaternion of length 5, not 1; the unit one is quaternion = "
      "[0, 0.6, 0, 0.8]");
  EXPECT_EQ(turned("{ quaternion = [0, 0.6000000001, 0, 0.8] }"), "nothing");
  EXPECT_TRUE(
      says(turned("{ quaternion = [1, 0, 0] }"), "'quaternion' in orientation of body 'top': expected 4 numbers, found 3"));
  EXPECT_TRUE(says(turned("{ matrix = [[1, 0, 0], [0, 1.001, 0], [0, 0, 1]] }"),
                   "test.toml:15: error: the orientation of body 'top' is no rotation: its columns miss being orthonormal by "
                   "0.002001; give it to 10 digits"));
  EXPECT_TRUE(says(turned("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]] }"),
                   "the orientation of body 'top' is a reflection: its determinant is -1"));
  EXPECT_TRUE(
      says(turned("{ matrix = [1, 0, 0] }"), "'matrix' in orientation of body 'top', row 1: expected a list of 3 numbers"));
  // In a table of its own the message points inside.
  EXPECT_TRUE(
      says(added("mass = 1\ninertia = [1, 1, 1]\n[body.orientation]\ndegrees = 5\naxis = [0, 0, 0]"), "test.toml:17: error:"));
}

TEST(BodyCheck, PartsAreBodiesOfTheirOwn) {
  const auto part = [](const std::string& what) { return added("[[body.parts]]\nmass = 1\n" + what); };
  EXPECT_EQ(part("shape = { sphere = 1 }"), "nothing");
  EXPECT_TRUE(
      says(part(""), "test.toml:13: error: part 1 of body 'top' has no inertia; give it `inertia` or `shape`; a point"));
  EXPECT_TRUE(says(part("inertia = [1, 1, 1]\nshape = { sphere = 1 }"), "part 1 of body 'top' has both `inertia` and `shape`"));
  EXPECT_TRUE(
      says(part("inertia = [1, 1, 3]"), "test.toml:15: error: the inertia of part 1 of body 'top' is that of no possible"));
  EXPECT_TRUE(says(part("inertia = [0, 0, 0]"), "body 'top' is thin: it has no inertia about any axis"));
  EXPECT_TRUE(says(part("shape = { rod = 1 }"), "body 'top' is thin: it has no inertia about its own axis"));
  EXPECT_TRUE(says(part("shape = { sphere = 1 }\norientation = { quaternion = [2, 0, 0, 0] }"),
                   "test.toml:16: error: the orientation of part 1 of body 'top' is a quaternion of length 2"));
  EXPECT_TRUE(says(added("[[body.parts]]\nshape = { sphere = 1 }"), "'mass' of parts number 1 of body 'top' is missing"));
  EXPECT_TRUE(says(added("[[body.parts]]\nmass = -1\nshape = { sphere = 1 }"), "'mass' of parts number 1 of body 'top' is -1"));
  EXPECT_TRUE(
      says(added("parts = [1]"), "'parts' of body 'top', entry 1: expected a table, found a whole number; write parts = [{"));
}

TEST(BodyCheck, ABodyBuiltInCodeIsCheckedToo) {
  BodyInput b;
  b.name = "made";
  b.mass = -1;
  b.shape.sphere = 1;
  EXPECT_EQ(inspect_body(b).at(0).message, "the mass of body 'made' is -1");
  b.mass = 1, b.shape.sphere = -1;
  EXPECT_EQ(inspect_body(b).at(0).message, "a size of the shape of body 'made' is -1");
}

TEST(BodyCheck, AnOverrideIsQuoted) {
  const std::vector<std::string> set{"body.top.orientation={quaternion=[2,0,0,0]}"};
  try {
    (void)parse_model(base + top, "test.toml", set);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_TRUE(says(error.what(), "--set body.top.orientation={quaternion=[2,0,0,0]}: error: the orientation of body 'top'"));
  }
}

}  // namespace model_body
}  // namespace trompo
