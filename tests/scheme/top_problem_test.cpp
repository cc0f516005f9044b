// The equations of a step of a top: exact tangents for any body and potential, the point of collocation, the quotient of
// energies.
#include <gtest/gtest.h>

#include "tests/random_states.hpp"
#include "tests/top_cases.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/scheme/top_problem.hpp"

namespace trompo {
namespace scheme_top_problem {

using namespace property;
using top_case::wave;

Mat3 inertia() {
  const Mat3 axes = rotation();
  const Vec3 principal(magnitude(0.2, 5), magnitude(0.2, 5), magnitude(0.2, 5));
  return axes * principal.asDiagonal() * axes.transpose();
}
AxialPotential potential() {
  return {.gamma = direction(),
          .E = direction(),
          .weight = between(-20, 20),
          .curve = *rc::gen::element(false, true) ? &wave : nullptr};
}

template <class Problem>
void tangent_is_the_derivative(Problem problem, const Vec3& at, double h = 1e-3) {
  problem.unknown = at;
  problem.evaluate(true);
  const Mat3 tangent = problem.tangent();
  const auto residual = [&](const Vec3& x) {
    problem.unknown = x;
    problem.evaluate(false);
    return problem.residual();
  };
  within((tangent - difference(residual, at, h)).norm(), 1e-8 * tangent.norm());
}

struct Step {
  Mat3 J = inertia();
  AxialPotential V = potential();
  double h = magnitude(1e-2, 1);
  Vec3 rotation = magnitude(1e-3, 2.5) * direction();
  Rotation state{exponential_quaternion(between(0, 3) * direction()), rotation / h + box<3>(0.3)};
  TopStart start{J, V, state, h};
};

RC_GTEST_PROP(TopTangent, OfTheExponentialSchemes, ()) {
  const Step s;
  using Torque = ExponentialProblem::Torque;
  tangent_is_the_derivative(ExponentialProblem(s.start, 1e-10, Torque::fixed_point, between(0, 1)), s.rotation);
  tangent_is_the_derivative(ExponentialProblem(s.start, 1e-10, Torque::projected, 0.5), s.rotation);
}

RC_GTEST_PROP(TopTangent, OfTheHalfRotations, ()) {
  const Step s;
  using Balance = HalfRotationProblem::Balance;
  const Vec3 e = 0.38 * s.rotation;
  tangent_is_the_derivative(HalfRotationProblem(s.start, 1e-10, Balance::body), e);
  tangent_is_the_derivative(HalfRotationProblem(s.start, 1e-10, Balance::space), e);
}

RC_GTEST_PROP(TopTangent, OfTheMidPointRule, ()) {
  const Step s;
  tangent_is_the_derivative(CayleyProblem(s.start, 1e-10), 0.5 * s.rotation);
}

// The point found jumps, and near the jump it moves fast: away from it the tangent is exact.
RC_GTEST_PROP(TopTangent, OfTheCollocation, ()) {
  Step s;
  s.rotation = between(0.3, 2.5) * direction();
  const auto alpha = [&](const Vec3& x) { return Vec<1>(collocation_point(s.V, s.start.G, x, 0.5)); };
  const Vec<1> here = alpha(s.rotation);
  double spread = 0;
  for (int j = 0; j < 3; ++j)
    for (const double side : {-0.02, 0.02})
      spread = std::max(spread, std::abs((alpha(s.rotation + side * Vec3::Unit(j)) - here)[0]));
  RC_PRE(spread < 0.02);
  tangent_is_the_derivative(ExponentialProblem(s.start, 1e-10, ExponentialProblem::Torque::found_point, 0.5), s.rotation, 2e-4);
}

RC_GTEST_PROP(TopCollocation, PointFoundKeepsTheEnergy, ()) {
  const AxialPotential V = potential();
  const Vec3 G = direction(), theta = between(0.05, 3) * direction();
  const double alpha = collocation_point(V, G, theta, 0.5);
  const Vec3 e = exponential(alpha * theta) * V.E;
  const double z0 = G.dot(V.E), z1 = G.dot(exponential(theta) * V.E);
  const double work = V.at(G.dot(e)).slope * G.dot(theta.cross(e));
  within(std::abs(V.at(z1).energy - V.at(z0).energy - work), 1e-13 * (50 + std::abs(V.weight)));
  RC_ASSERT(alpha >= 0 && alpha <= 1);
}

RC_GTEST_PROP(TopPotential, QuotientIsOnePieceAtItsSwitch, ()) {
  const AxialPotential V{.weight = 3, .curve = &wave};
  const double z0 = between(-1, 1), dz = either_sign(1e-3), near = dz * (1 - 1e-12), far = dz * (1 + 1e-12);
  within(std::abs(V.quotient(z0, near).value - V.quotient(z0, far).value), 2e-11);
  within(std::abs(V.quotient(z0, near).rate - V.quotient(z0, far).rate), 2e-8);
  within(std::abs(V.quotient(z0, 0).value - V.at(z0).slope), 1e-14);
}

}  // namespace scheme_top_problem
}  // namespace trompo
