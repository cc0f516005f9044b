// Rod elements: what the strains see and do not see, rules and dampers on them, and closed forms of beam theory.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/random_states.hpp"
#include "tests/terms.hpp"
#include "trompo/math/dense.hpp"
#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/measure/helix_strain.hpp"
#include "trompo/measure/rod_strain.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/system/rod_element.hpp"
#include "trompo/system/viscous_terms.hpp"

namespace trompo {
namespace system_rod {

using namespace property;
using C = Vec<24>;
using S = Vec<6>;

VecX frames(int n, double L) {
  VecX c(12 * n);
  const Vec3 x = box<3>(5);
  for (int a = 0; a < n; ++a) c.segment<12>(12 * a) << (a == 0 ? x : Vec3(x + L * box<3>(2))), rotation().reshaped();
  return c;
}

VecX moved(const VecX& c, const Mat3& Q, const Vec3& shift) {
  VecX out(c.size());
  for (int k = 0; 3 * k < c.size(); ++k)
    out.segment<3>(3 * k) = Q * c.segment<3>(3 * k) + (k % 4 == 0 ? shift : Vec3(Vec3::Zero()));
  return out;
}

enum class Element { helix, quadratic, three_nodes };
int nodes_of(Element kind) { return kind == Element::three_nodes ? 3 : 2; }

// The strain between two or three frames, of which those drawn are without strain.
struct AnyRodStrain {
  std::shared_ptr<const void> owner;
  MeasureView phi;
  AnyRodStrain(Element kind, double L, const VecX& drawn, int point) {
    if (kind == Element::helix)
      own(HelixStrain(L, drawn));
    else if (kind == Element::quadratic)
      own(RodStrain(L, drawn, point));
    else
      own(QuadraticRodStrain(L, drawn, point));
  }
  template <class M>
  void own(const M& strain) {
    const auto held = std::make_shared<const M>(strain);
    phi = view(*held);
    owner = held;
  }
};

void sees_no_rigid_motion(Element kind) {
  const int n = nodes_of(kind);
  const double L = between(0.3, 3);
  const int point = n == 3 ? *rc::gen::element(0, 1) : 0;
  const VecX drawn = frames(n, L), c = frames(n, L);
  const AnyRodStrain strain(kind, L, drawn, point);
  const MeasureView& phi = strain.phi;
  within(value(phi, drawn).norm(), 0);
  const Mat3 Q = rotation();
  const Vec3 shift = box<3>(5);
  within((value(phi, moved(c, Q, shift)) - value(phi, c)).norm(), 200 * epsilon * (n - 1) * (1 + 10 / L));
  // nor does the secant work on a rotation or a translation of the middle: no force, no moment
  const VecX c1 = frames(n, L), middle = 0.5 * (c + c1);
  const VecX f = secant(phi, c, c1).transpose() * box(6, 1);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  for (int k = 0; k < 4 * n; ++k) {
    if (k % 4 == 0) force += f.segment<3>(3 * k);
    moment += Vec3(middle.segment<3>(3 * k)).cross(Vec3(f.segment<3>(3 * k)));
  }
  within(force.norm(), n == 2 ? 0 : 8 * epsilon * f.norm());
  within(moment.norm(), 500 * epsilon * (1 + f.norm() * (1 + middle.norm())));
}

RC_GTEST_PROP(RodStrainProperty, SeesNoRigidMotion, ()) {
  for (const Element kind : {Element::helix, Element::quadratic, Element::three_nodes}) sees_no_rigid_motion(kind);
}

// Three frames of an arc: 4/3 sin(a) - 1/6 sin(2a) for the angle a from node to node, the angle itself to fourth order.
TEST(RodStrain, CurvatureOfThreeFramesIsOfFourthOrder) {
  for (int axis = 0; axis < 3; ++axis)
    for (const int point : {0, 1}) {
      constexpr double a = 0.3, L = 2;
      Vec<36> c = Vec<36>::Zero();
      for (int k = 0; k < 3; ++k) c.segment<9>(12 * k + 3) = to_matrix(axis_angle(Vec3::Unit(axis), k * a)).reshaped();
      const S r = QuadraticRodStrain(L, point).value(c);
      const double expected = (4. / 3 * std::sin(a) - 1. / 6 * std::sin(2 * a)) / (L / 2);
      EXPECT_NEAR(r[3 + axis], expected, 1e-15);
      EXPECT_NEAR(r.tail<3>().norm(), expected, 1e-15);
      EXPECT_NEAR(expected, a / (L / 2), std::pow(a, 5) / (L / 2));
    }
}

// The ends of any helix say its strains: R = exp(s k~), x' = R (e3 + gamma), integrated by Gauss' rule.
RC_GTEST_PROP(HelixStrainProperty, IsExactForAHelix, ()) {
  const double L = between(0.3, 3), angle = between(0, 1);
  const Vec3 k = angle / L * direction(), gamma = box<3>(0.3), stretched = Vec3(0, 0, 1) + gamma;
  const Mat3 first = rotation();
  const auto turn = [&](double s) -> Mat3 {
    return first *
           Eigen::AngleAxisd(k.norm() * s, k.norm() > 0 ? Vec3(k.normalized()) : Vec3(Vec3::UnitX())).toRotationMatrix();
  };
  Vec3 across = Vec3::Zero();
  constexpr int pieces = 20;
  for (int i = 0; i < pieces; ++i)
    for (const double g : {-std::sqrt(0.6), 0.0, std::sqrt(0.6)})
      across += L / pieces * (g == 0 ? 8. / 18 : 5. / 18) * turn(L / pieces * (i + 0.5 + 0.5 * g)) * stretched;
  C c;
  const Vec3 x = box<3>(2);
  c << x, first.reshaped(), x + across, turn(L).reshaped();
  S expected;
  expected << stretched, k;
  // the series leave out z^13 and what follows: theta^26 of it
  within((HelixStrain(L).value(c) - expected).norm(), 1e-12 / std::min(1.0, L) + 2e-8 * std::pow(angle, 26));
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

void rules_have_their_tangents(Element element) {
  const int n = nodes_of(element);
  const double L = between(0.5, 2);
  const AnyRodStrain strain(element, L, frames(n, L), n - 2);
  VecX k(6);
  for (double& entry : k) entry = between(0.5, 2);
  const Term term(strain.phi, linear_law, k);
  const VecX c0 = frames(n, L), c1 = frames(n, L);
  using Kind = Rule::Kind;
  for (const Kind kind : {Kind::endpoint_average, Kind::midpoint, Kind::strain_average, Kind::secant, Kind::gonzalez}) {
    const Rule rule{kind, kind == Kind::gonzalez ? 0.5 : between(0, 1), kind == Kind::secant ? 0.2 : 0.0};
    const MatX tangent = tangent_between(rule, term, c0, c1);
    const MatX expected = difference([&](const VecX& x) { return force_between(rule, term, c0, x); }, c1, 1e-3);
    within((tangent - expected).norm(), 1e-8 * (1 + tangent.norm()));
  }
  const double work = force_between({Kind::secant, 0.5}, term, c0, c1).dot(c1 - c0);
  const double W0 = energy(term, c0), W1 = energy(term, c1);
  within(std::abs(work - (W1 - W0)), 1e-12 * (1 + W0 + W1));
}

RC_GTEST_PROP(RodTermProperty, RulesHaveTheirTangents, ()) {
  for (const Element kind : {Element::helix, Element::quadratic, Element::three_nodes}) rules_have_their_tangents(kind);
}

RC_GTEST_PROP(RodTermProperty, DampersHaveTheirTangents, ()) {
  Where where;
  Numbering numbering{{}, std::vector<char>(24, 0)};
  for (int i = 0; i < 24; ++i) {
    numbering.unknown.push_back(i);
    where.scalars.push_back(i);
  }
  S viscosity;
  for (double& entry : viscosity) entry = between(0.5, 2);
  const RodStrain strain(1);
  ViscousTerms dampers(Terms(strain, where));
  dampers.add(strain, where, std::span<const double>(viscosity.data(), 6));
  Entries entries;
  dampers.terms().couple(numbering, entries);
  const Pattern pattern(24, entries);
  std::vector<int> indices;
  dampers.terms().connect(numbering, pattern, indices);
  const VecX q0 = frames(2, 1), v0 = box(24, 1), rest = box(24, 1);
  const VecX q1 = q0 + 0.3 * box(24, 1);
  for (const auto tense : {Rule::Tense::ends, Rule::Tense::interval}) {
    Rule rule{Rule::Kind::midpoint, 0.3};
    rule.tense = tense;
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(24, 24);
    const auto force = [&](const VecX& end, double* tangent) {
      Assembly out;
      out.force = out.size = VecX::Zero(24);
      out.tangent = tangent;
      out.indices = indices.data();
      const VecX v1 = 4 * (end - q0) + rest;
      dampers.between(rule, {q0, end, v0, v1, 0.5, 4}, out);
      return out.force;
    };
    (void)force(q1, k.data());
    const auto expected = difference([&](const VecX& q) { return force(q, nullptr); }, q1, 1e-3);
    within((k - expected).norm(), 1e-8 * (1 + k.norm()));
    const VecX v1 = 4 * (q1 - q0) + rest;
    RC_ASSERT(dampers.heat(rule, {q0, q1, v0, v1, 0.5, 4}).heat > 0);
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
        n(6 * (static_cast<int>(model.bodies.size()) - 1)) {
    K.resize(n, n);
    M.resize(n, n);
    for (int j = 0; j < n; ++j) {
      constexpr double e = 1e-3;
      const auto across = [&](double by) { return VecX(gradient(by * VecX::Unit(n, j)) - gradient(-by * VecX::Unit(n, j))); };
      K.col(j) = (8 * across(e) - across(2 * e)) / (12 * e);
    }
    for (int j = 0; j < n; ++j) {
      VecX inertia = VecX::Zero(system.coordinates());
      system.multiply_mass(rates(VecX::Unit(n, j)), inertia);
      M.col(j) = on_nodes(inertia, start);
    }
  }
  // Displacement and turn of the tip under a force and a moment there.
  [[nodiscard]] VecX tip(const Vec<6>& load) const {
    VecX f = VecX::Zero(n);
    f.tail<6>() = load;
    return lu_solve(K, f).tail<6>();
  }
  // Of the tip under the loads of the model.
  [[nodiscard]] VecX loaded_tip() const {
    VecX load = VecX::Zero(system.coordinates()), force = load;
    system.load_at(0, start, load);
    system.add_torques(0, start, load);
    system.force_at(start, force);
    return lu_solve(K, on_nodes(load - force, start)).tail<6>();
  }
  [[nodiscard]] VecX frequencies() const { return known(eigenpairs(0.5 * (K + K.transpose()), M)).values.cwiseSqrt(); }

 private:
  // Forces and moments on all nodes but the clamped one, moved by u and turned by theta.
  [[nodiscard]] VecX gradient(const VecX& u) const {
    VecX q = start, f = VecX::Zero(system.coordinates());
    for (int b = 1; 6 * b <= n; ++b) {
      const int first = system.bodies()[static_cast<std::size_t>(b)].first;
      q.segment<3>(first) += u.segment<3>(6 * b - 6);
      const Vec3 theta = u.segment<3>(6 * b - 3);
      if (theta.norm() == 0) continue;
      const Mat3 R = to_matrix(axis_angle(theta.normalized(), theta.norm()));
      for (int k = 1; k <= 3; ++k) q.segment<3>(first + 3 * k) = R * start.segment<3>(first + 3 * k);
    }
    system.force_at(q, f);
    return on_nodes(f, q);
  }
  // Forces and moments of frame forces.
  [[nodiscard]] VecX on_nodes(const VecX& f, const VecX& q) const {
    VecX g(n);
    for (int b = 1; 6 * b <= n; ++b) {
      const int first = system.bodies()[static_cast<std::size_t>(b)].first;
      Vec3 moment = Vec3::Zero();
      for (int k = 1; k <= 3; ++k) moment += Vec3(q.segment<3>(first + 3 * k)).cross(Vec3(f.segment<3>(first + 3 * k)));
      g.segment<3>(6 * b - 6) = f.segment<3>(first);
      g.segment<3>(6 * b - 3) = moment;
    }
    return g;
  }
  // Of the frames, where the nodes move and turn with these.
  [[nodiscard]] VecX rates(const VecX& u) const {
    VecX v = VecX::Zero(system.coordinates());
    for (int b = 1; 6 * b <= n; ++b) {
      const int first = system.bodies()[static_cast<std::size_t>(b)].first;
      v.segment<3>(first) = u.segment<3>(6 * b - 6);
      for (int k = 1; k <= 3; ++k)
        v.segment<3>(first + 3 * k) = Vec3(u.segment<3>(6 * b - 3)).cross(Vec3(start.segment<3>(first + 3 * k)));
    }
    return v;
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

// Three nodes and two points: the moment of an end force is linear, which they integrate exactly.
TEST(RodCantilever, OfThreeNodesDeflectsAsTheRodItself) {
  constexpr double GA1 = 3e3, GA2 = 5e3, GJ = 7, EI1 = 20, EI2 = 30, L = 2;
  for (const int n : {1, 3}) {
    const Cantilever rod(n,
                         "nodes_per_element = 3\norientation = [0, 0, 1]\nEA = 1e4\nGA = [3e3, 5e3]\nGJ = 7\nEI = [20, 30]\n"
                         "density = 1");
    const VecX along_y = rod.tip((Vec<6>() << 0, 1, 0, 0, 0, 0).finished());
    EXPECT_NEAR(along_y[1], L * L * L / (3 * EI1) + L / GA2, 1e-8);
    EXPECT_NEAR(along_y[5], L * L / (2 * EI1), 1e-8);
    EXPECT_NEAR(rod.tip((Vec<6>() << 0, 0, 1, 0, 0, 0).finished())[2], L * L * L / (3 * EI2) + L / GA1, 1e-8);
    EXPECT_NEAR(rod.tip((Vec<6>() << 0, 0, 0, 1, 0, 0).finished())[3], L / GJ, 1e-8);
  }
}

// q L^4/(8 EI) + q L^2/(2 GA). Exact with two nodes as well: what the middle of an element loses, its lumps give back at the
// tip.
TEST(RodCantilever, SinksUnderADistributedLoad) {
  const std::string section = "orientation = [0, 0, 1]\nEA = 1e4\nGA = [3e3, 5e3]\nGJ = 7\nEI = [20, 30]\ndensity = 1\n";
  constexpr double GA2 = 5e3, EI1 = 20, L = 2, q = 3, exact = q * L * L * L * L / (8 * EI1) + q * L * L / (2 * GA2);
  for (const char* load : {"load = [0, 3, 0]", "load = [0, \"1 + 2\", 0]\npotential = true",
                           "load_table = [[0, 0, 3, 0], [1, 0, 5, 0]]", "follower_load = [0, -3, 0]"}) {
    SCOPED_TRACE(load);
    for (const char* nodes : {"2", "3"})
      EXPECT_NEAR(Cantilever(3, section + "nodes_per_element = " + nodes + "\n" + load).loaded_tip()[1], exact, 1e-7 * exact);
  }
  // m L/EI of turn at the tip by a moment m per length: m L^2/(2 EI)
  EXPECT_NEAR(Cantilever(5, section + "moment_load = [4, 0, 0]").loaded_tip()[5], 4 * L * L / (2 * EI1), 1e-7);
}

// Slender: shear and rotary inertia matter in the fifth digit, and for the orders they are left out as far as possible.
struct Bending {
  static constexpr double root = 1.87510406871196;
  static double exact(double EI) { return root * root / 4 * std::sqrt(EI / 0.5); }  // L = 2
  static std::string section(const std::string& more) {
    return "EA = 1e5\nGA = 1e5\nGJ = 1e3\nEI = [1, 4]\ndensity = 0.5\nrotary_inertia = 1e-7\n" + more;
  }
};

TEST(RodCantilever, VibratesAsEulerAndBernoulliSayWithOrderTwo) {
  const double first = Bending::exact(1), other = Bending::exact(4);
  for (const auto& [mass, sign] : {std::pair{"lumped", -1}, std::pair{"consistent", 1}}) {
    SCOPED_TRACE(mass);
    double last = 0, last_other = 0;
    for (const int n : {10, 20}) {
      const VecX w = Cantilever(n, Bending::section(std::string("mass = \"") + mass + "\"")).frequencies();
      EXPECT_LT(std::abs(w[0] / first - 1), 0.01);
      const double error = w[0] - first, error_other = w[1] - other;
      EXPECT_GT(sign * error, 0);  // from below with lumps, from above with a consistent mass
      EXPECT_GT(sign * error_other, 0);
      if (n == 20) {
        EXPECT_NEAR(std::log2(last / error), 2, 0.1);
        EXPECT_NEAR(std::log2(last_other / error_other), 2, 0.1);
      }
      last = error;
      last_other = error_other;
    }
  }
}

// Against the limit of many elements, which shear and rotary inertia keep a little below Euler and Bernoulli.
TEST(RodCantilever, OfThreeNodesVibratesWithOrderFour) {
  for (const char* mass : {"lumped", "consistent"}) {
    SCOPED_TRACE(mass);
    const auto frequency = [&](int n) {
      return Cantilever(n, Bending::section(std::string("nodes_per_element = 3\nmass = \"") + mass + "\"")).frequencies()[0];
    };
    const double exact = frequency(16), coarse = frequency(2) - exact, fine = frequency(4) - exact;
    EXPECT_NEAR(exact, Bending::exact(1), 2e-4 * exact);
    EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3) << coarse << " " << fine;
    RecordProperty("order", std::to_string(std::log2(coarse / fine)));
  }
}

}  // namespace system_rod
}  // namespace trompo
