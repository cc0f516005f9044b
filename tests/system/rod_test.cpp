// Rod elements: what the strains see and do not see, rules and dampers on them, and closed forms of beam theory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "tests/random_states.hpp"
#include "trompo/law/diagonal.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/measure/rod_strain.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/system/rod_element.hpp"
#include "trompo/system/rule.hpp"

namespace trompo {
namespace {

using namespace property;
using C = Vec<24>;
using S = Vec<6>;

C two_frames(double L) {
  C c;
  const Vec3 x = box<3>(5);
  c << x, rotation().reshaped(), x + L * box<3>(2), rotation().reshaped();
  return c;
}

C moved(const C& c, const Mat3& Q, const Vec3& shift) {
  C out;
  for (int k = 0; k < 8; ++k) out.segment<3>(3 * k) = Q * c.segment<3>(3 * k) + (k % 4 == 0 ? shift : Vec3(Vec3::Zero()));
  return out;
}

RC_GTEST_PROP(RodStrainProperty, SeesNoRigidMotion, ()) {
  const double L = between(0.3, 3);
  const C drawn = two_frames(L), c = two_frames(L);
  const RodStrain m(L, drawn);
  within(m.value(drawn).norm(), 0);
  const Mat3 Q = rotation();
  const Vec3 shift = box<3>(5);
  within((m.value(moved(c, Q, shift)) - m.value(c)).norm(), 200 * epsilon * (1 + 10 / L));
  // nor does the secant work on a rotation or a translation of the middle: no force, no moment
  const C c1 = two_frames(L), middle = 0.5 * (c + c1);
  const C f = m.secant(c, c1).transpose() * box<6>(1);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (int k = 0; k < 8; ++k) {
    if (k % 4 == 0) force += f.segment<3>(3 * k);
    moment += Vec3(middle.segment<3>(3 * k)).cross(Vec3(f.segment<3>(3 * k)));
  }
  within(force.norm(), 0);
  within(moment.norm(), 500 * epsilon * (1 + f.norm() * (1 + middle.norm())));
}

// A relative turn by an angle about an axis of the section is sin(angle)/L of that curvature, and no other.
TEST(RodStrain, CurvatureIsTheSineOfTheTurn) {
  for (int axis = 0; axis < 3; ++axis) {
    C c;
    const Mat3 R = to_matrix(axis_angle(Vec3::Unit(axis), 0.3));
    c << Vec3::Zero(), Mat3::Identity().reshaped(), Vec3(0, 0, 2), R.reshaped();
    const S r = RodStrain(2).value(c);
    EXPECT_NEAR(r[3 + axis], std::sin(0.3) / 2, 1e-15);
    EXPECT_NEAR(r.tail<3>().norm(), std::sin(0.3) / 2, 1e-15);
  }
}

RC_GTEST_PROP(RodTermProperty, RulesHaveTheirTangents, ()) {
  const double L = between(0.5, 2);
  const RodStrain m(L, two_frames(L));
  S k;
  for (double& entry : k) entry = between(0.5, 2);
  const DiagonalLaw<6> law(k);
  const C c0 = two_frames(L), c1 = two_frames(L);
  using Kind = Rule::Kind;
  for (const Kind kind : {Kind::endpoint_average, Kind::midpoint, Kind::strain_average, Kind::secant, Kind::gonzalez}) {
    const Rule rule{kind, kind == Kind::gonzalez ? 0.5 : between(0, 1), kind == Kind::secant ? 0.2 : 0.0};
    const auto tangent = tangent_between(rule, m, law, c0, c1);
    const auto expected = difference<24>([&](const C& x) { return C(force_between(rule, m, law, c0, x)); }, c1, 1e-3);
    within((tangent - expected).norm(), 1e-8 * (1 + tangent.norm()));
  }
  const double work = force_between({Kind::secant, 0.5}, m, law, c0, c1).dot(c1 - c0);
  const double W0 = law.energy(m.value(c0)), W1 = law.energy(m.value(c1));
  within(std::abs(work - (W1 - W0)), 1e-12 * (1 + W0 + W1));
}

RC_GTEST_PROP(RodTermProperty, DampersHaveTheirTangents, ()) {
  DamperBatch<RodStrain> batch;
  std::array<int, 24> where{};
  std::vector<int> equation;
  for (int i = 0; i < 24; ++i) equation.push_back(where[static_cast<std::size_t>(i)] = i);
  S viscosity;
  for (double& entry : viscosity) entry = between(0.5, 2);
  batch.add(RodStrain(1), viscosity, where);
  std::vector<std::pair<int, int>> entries;
  batch.couple(equation, entries);
  const Pattern pattern(24, entries);
  batch.connect(equation, pattern);
  const VecX q0 = two_frames(1), v0 = box<24>(1), rest = box<24>(1);
  const C q1 = q0 + 0.3 * box<24>(1);
  for (const auto tense : {Rule::Tense::ends, Rule::Tense::interval}) {
    Rule rule{Rule::Kind::midpoint, 0.3};
    rule.tense = tense;
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(24, 24);
    const auto force = [&](const C& q, double* tangent) {
      Assembly out;
      out.force = out.size = VecX::Zero(24);
      out.tangent = tangent;
      const VecX end = q, v1 = 4 * (end - q0) + rest;
      batch.between(rule, {q0, end, v0, v1, 0.5, 4}, out);
      return C(out.force);
    };
    (void)force(q1, k.data());
    const auto expected = difference<24>([&](const C& q) { return force(q, nullptr); }, q1, 1e-3);
    within((k - expected).norm(), 1e-8 * (1 + k.norm()));
    const VecX end = q1, v1 = 4 * (end - q0) + rest;
    RC_ASSERT(batch.heat(rule, {q0, end, v0, v1, 0.5, 4}).heat > 0);
  }
}

// ---- linear theory: a cantilever along x, clamped at its first node ----

class Cantilever {
 public:
  Cantilever(int elements, const std::string& section)
      : model(parse_model(fmt::format("[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [2, 0, 0]\nelements = {}\nclamped = "
                                      "\"from\"\n{}\n[time]\nstep = 1\nsteps = 1\nscheme = \"midpoint\"\n",
                                      elements, section),
                          "cantilever")),
        system(model),
        start(initial_state(model, system).q),
        n(6 * elements) {
    K.resize(n, n);
    M = Eigen::MatrixXd::Zero(n, n);
    for (int j = 0; j < n; ++j) {
      constexpr double e = 1e-3;
      const auto across = [&](double by) { return VecX(gradient(by * VecX::Unit(n, j)) - gradient(-by * VecX::Unit(n, j))); };
      K.col(j) = (8 * across(e) - across(2 * e)) / (12 * e);
    }
    for (int b = 1; 6 * b <= n; ++b) {
      const RigidBody& body = system.bodies()[static_cast<std::size_t>(b)];
      const Eigen::Map<const Mat3> R(start.data() + body.first + 3);
      M.block<3, 3>(6 * b - 6, 6 * b - 6) = body.mass * Mat3::Identity();
      M.block<3, 3>(6 * b - 3, 6 * b - 3) = R * body.inertia * R.transpose();
    }
  }
  // Displacement and turn of the tip under a force and a moment there.
  [[nodiscard]] VecX tip(const Vec<6>& load) const {
    VecX f = VecX::Zero(n);
    f.tail<6>() = load;
    return K.ldlt().solve(f).tail<6>();
  }
  [[nodiscard]] VecX frequencies() const {
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(0.5 * (K + K.transpose()), M);
    return modes.eigenvalues().cwiseSqrt();
  }

 private:
  // Forces and moments on all nodes but the clamped one, moved by u and turned by theta.
  [[nodiscard]] VecX gradient(const VecX& u) const {
    VecX q = start, f = VecX::Zero(system.coordinates()), g(n);
    for (int b = 1; 6 * b <= n; ++b) {
      const int first = system.bodies()[static_cast<std::size_t>(b)].first;
      q.segment<3>(first) += u.segment<3>(6 * b - 6);
      const Vec3 theta = u.segment<3>(6 * b - 3);
      if (theta.norm() == 0) continue;
      const Mat3 R = to_matrix(axis_angle(theta.normalized(), theta.norm()));
      for (int k = 1; k <= 3; ++k) q.segment<3>(first + 3 * k) = R * start.segment<3>(first + 3 * k);
    }
    system.force_at(q, f);
    for (int b = 1; 6 * b <= n; ++b) {
      const int first = system.bodies()[static_cast<std::size_t>(b)].first;
      Vec3 moment = Vec3::Zero();
      for (int k = 1; k <= 3; ++k) moment += Vec3(q.segment<3>(first + 3 * k)).cross(Vec3(f.segment<3>(first + 3 * k)));
      g.segment<3>(6 * b - 6) = f.segment<3>(first);
      g.segment<3>(6 * b - 3) = moment;
    }
    return g;
  }

  Model model;
  System system;
  VecX start;
  int n;
  Eigen::MatrixXd K, M;
};

// d1 = z, d2 = d3 x d1 = x x z = -y. Bending about d1 is deflection along y, about d2 deflection along z. With one point of
// quadrature the tip sinks by P L^3/(3 EI) (1 - 1/(4 n^2)) + P L/GA.
TEST(RodCantilever, DeflectsAsTheClosedFormOfItsElements) {
  constexpr double EA = 1e4, GA1 = 3e3, GA2 = 5e3, GJ = 7, EI1 = 20, EI2 = 30, L = 2;
  for (const int n : {1, 4, 10}) {
    const Cantilever rod(n, "orientation = [0, 0, 1]\nEA = 1e4\nGA = [3e3, 5e3]\nGJ = 7\nEI = [20, 30]\ndensity = 1");
    const double loss = 1 - 1 / (4.0 * n * n);
    const VecX along_y = rod.tip((Vec<6>() << 0, 1, 0, 0, 0, 0).finished());
    EXPECT_NEAR(along_y[1], L * L * L / (3 * EI1) * loss + L / GA2, 1e-8);
    EXPECT_NEAR(along_y[5], L * L / (2 * EI1), 1e-8);
    const VecX along_z = rod.tip((Vec<6>() << 0, 0, 1, 0, 0, 0).finished());
    EXPECT_NEAR(along_z[2], L * L * L / (3 * EI2) * loss + L / GA1, 1e-8);
    EXPECT_NEAR(rod.tip((Vec<6>() << 1, 0, 0, 0, 0, 0).finished())[0], L / EA, 1e-11);
    EXPECT_NEAR(rod.tip((Vec<6>() << 0, 0, 0, 1, 0, 0).finished())[3], L / GJ, 1e-8);
    const VecX bent = rod.tip((Vec<6>() << 0, 0, 0, 0, 0, 1).finished());
    EXPECT_NEAR(bent[5], L / EI1, 1e-8);
    EXPECT_NEAR(bent[1], L * L / (2 * EI1), 1e-8);
  }
}

TEST(RodCantilever, VibratesAsEulerAndBernoulliSayWithOrderTwo) {
  // slender: shear and rotary inertia matter in the fifth digit
  const std::string section = "EA = 1e5\nGA = 1e5\nGJ = 1e3\nEI = [1, 4]\ndensity = 0.5\nrotary_inertia = 1e-7";
  const auto exact = [](double root, double EI) { return root * root / 4 * std::sqrt(EI / 0.5); };  // L = 2
  const double first = exact(1.87510406871196, 1), other = exact(1.87510406871196, 4);
  double last = 0, last_other = 0;
  for (const int n : {10, 20}) {
    const VecX w = Cantilever(n, section).frequencies();
    EXPECT_LT(std::abs(w[0] / first - 1), 0.01);
    const double error = w[0] - first, error_other = w[1] - other;
    if (n == 20) {
      EXPECT_NEAR(std::log2(last / error), 2, 0.1);
      EXPECT_NEAR(std::log2(last_other / error_other), 2, 0.1);
    }
    last = error;
    last_other = error_other;
  }
}

}  // namespace
}  // namespace trompo
