// Tangents that terms bring to the unknowns themselves are those of the frames, with levers on the left and slopes on the
// right.
#include "trompo/system/scatter.hpp"

#include <gtest/gtest.h>

#include <random>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/scheme/frame_reduction.hpp"

namespace trompo {
namespace system_scatter {

// Terms of every kind, on nodes, bodies, a fixed point and ground: bar, springs, dampers, rods of both orders with a mass of
// their own, joints, typed energy, loads that follow.
const char* const everything = R"(
gravity = [1, 2, -9.81]
[rayleigh]
stiffness = 0.01
[[node]]
name = "a"
position = [0, 3, 0]
mass = 2
motion = { x = 0, z = 0 }
[[node]]
name = "b"
position = [1, 3, 0.5]
mass = 1
[[bar]]
name = "bar"
nodes = ["a", "b"]
EA = 100
[[rod]]
name = "rod"
from = [0, 0, 0]
to = [2, 0, 1]
elements = 2
EA = 1e3
GA = [500, 700]
GJ = 20
EI = [30, 40]
density = 1
mass = "consistent"
[[rod]]
name = "curved"
from = [0, 5, 0]
to = [2, 5, 1]
elements = 1
nodes_per_element = 3
EA = 1e3
GA = [500, 700]
GJ = 20
EI = [30, 40]
density = 1
[[body]]
name = "paddle"
mass = 2
inertia = [[0.1, 0.01, 0.02], [0.01, 0.2, 0.03], [0.02, 0.03, 0.25]]
position = [2.3, 0.1, 1]
orientation = { axis = [1, 2, 3], degrees = 20 }
[[body]]
name = "top"
mass = 1
inertia = [0.3, 0.3, 0.1]
fixed_point = [0, -2, 0]
centre = [0, 0.1, 0.4]
orientation = { axis = [1, 0, 0], degrees = 35 }
[[joint]]
name = "hinge"
bodies = ["rod.2", "paddle"]
hinge = { axis = [0, 1, 0.3], at = [2, 0, 1] }
stiffness = 3
damping = 0.2
[[joint]]
name = "stick"
bodies = ["top", "paddle"]
distance = { from = [0, -2, 1], at = [2.4, 0.2, 1.1] }
[[joint]]
name = "ball"
bodies = ["ground", "curved.0"]
ball = { at = [0, 5, 0] }
[[spring]]
name = "spring"
from = { node = "b" }
to = { body = "paddle", point = [0.1, 0.2, 0.3] }
stiffness = 50
damping = 2
length = 1.5
[[load]]
name = "follower"
body = "paddle"
force = [3, -4, 5]
point = [0.1, -0.2, 0.3]
follower = true
[time]
scheme = "energy-momentum-exact"
step = 0.1
steps = 1
)";

class Numbers {
 public:
  double operator()() { return spread_(engine_); }
  VecX vector(Eigen::Index n) {
    return VecX::NullaryExpr(n, [this] { return (*this)(); });
  }

 private:
  std::mt19937 engine_{7};
  std::uniform_real_distribution<double> spread_{-1, 1};
};

Eigen::MatrixXd dense(const Pattern& pattern, const VecX& values) {
  Eigen::MatrixXd full = Eigen::MatrixXd::Zero(pattern.size(), pattern.size());
  pattern.each([&](int row, int column, int place) { full(row, column) = values[place]; });
  return full;
}

class Scattered : public testing::TestWithParam<int> {
 protected:
  Model model_ = parse_model(everything, "everything");
  System system_{model_};
  Numbers number_;
  VecX q0_ = VecX::Zero(system_.coordinates()), q1_ = q0_, v0_ = q0_, v1_ = q0_, none_ = q0_;
  VecX multiplier_ = number_.vector(system_.multipliers());

  void SetUp() override {
    q0_ = initial_state(model_, system_).q;
    q1_ = q0_ + 0.1 * number_.vector(q0_.size());
    v0_ = number_.vector(q0_.size());
    v1_ = number_.vector(q0_.size());
  }
  Assembly assembly() const {
    Assembly out;
    for (VecX* x : {&out.force, &out.size}) x->setZero(system_.coordinates());
    for (VecX* x : {&out.constraint_error, &out.constraint_size}) x->setZero(system_.multipliers());
    out.gradient_point.setConstant(system_.multipliers(), 0.5);
    out.constraint_scale = 3;
    return out;
  }
  void gather(const Rule& rule, Assembly& out) const {
    system_.force_between(rule, q0_, q1_, none_, out);
    system_.resist_between(rule, {q0_, q1_, v0_, v1_, 0.1, 20}, out);
    system_.constrain_between(rule, q0_, q1_, multiplier_, out);
    system_.add_load_tangent(0.3, q1_, -0.5, out);
    system_.add_shared_mass(7, out);
    VecX rest = VecX::Zero(system_.multipliers());
    system_.acceleration_rows(q1_, v1_, v0_, rest, out);
  }
};

TEST_P(Scattered, TermsBringWhatTheFramesWould) {
  const int width = GetParam();
  FrameReduction reduction(system_, width, width == 4 ? 1 : 0);
  for (int c = 0; c < system_.coordinates(); ++c)
    for (int w = 0; w < width; ++w) {
      reduction.lever(c)[w] = number_();
      reduction.slope(c)[w] = number_();
    }
  const int multipliers = system_.multipliers(), coordinates = system_.equations();
  Eigen::MatrixXd lever = Eigen::MatrixXd::Zero(coordinates + multipliers, reduction.unknowns()), slope = lever;
  Eigen::VectorXd turning = Eigen::VectorXd::Zero(reduction.unknowns());
  for (int e = 0; e < coordinates; ++e) {
    if (const int u = reduction.of_equation(e); u >= 0) {
      lever(e, u) = slope(e, u) = 1;
      continue;
    }
    const int c = system_.free()[e], first = reduction.of_body(system_.body_of(c));
    for (int w = 0; w < width; ++w) {
      lever(e, first + w) = reduction.lever(c)[w];
      slope(e, first + w) = reduction.slope(c)[w];
      turning[first + w] = 1;
    }
  }
  const FrameReduction raw(system_, 0);
  for (int k = 0; k < multipliers; ++k)
    lever(coordinates + k, reduction.of_multiplier(k)) = slope(coordinates + k, reduction.of_multiplier(k)) = 1;

  for (const auto tense : {Rule::Tense::ends, Rule::Tense::interval}) {
    Rule rule{Rule::Kind::secant};
    rule.tense = tense;
    VecX over_frames = VecX::Zero(raw.pattern().nonzeros()), values = VecX::Zero(reduction.pattern().nonzeros());
    Assembly whole = assembly(), reduced = assembly();
    raw.direct(over_frames.data(), whole);
    gather(rule, whole);
    reduction.direct(values.data(), reduced);
    gather(rule, reduced);
    const Eigen::MatrixXd frames = dense(raw.pattern(), over_frames);
    const Eigen::MatrixXd expected = lever.transpose() * frames * slope;
    const double size = expected.cwiseAbs().maxCoeff();
    EXPECT_GT(size, 10);
    EXPECT_LE((dense(reduction.pattern(), values) - expected).cwiseAbs().maxCoeff(), 1e-13 * size);

    // Columns of what turns alone.
    values.setZero();
    reduction.direct(values.data(), reduced);
    reduced.only_turning = true;
    system_.resist_between(rule, {q0_, q1_, v0_, v1_, 0.1, 20}, reduced);
    over_frames.setZero();
    system_.resist_between(rule, {q0_, q1_, v0_, v1_, 0.1, 20}, whole);
    const Eigen::MatrixXd damped = dense(raw.pattern(), over_frames);
    const Eigen::MatrixXd turned = lever.transpose() * damped * slope * turning.asDiagonal();
    EXPECT_GT(turned.cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LE((dense(reduction.pattern(), values) - turned).cwiseAbs().maxCoeff(), 1e-13 * damped.cwiseAbs().maxCoeff());
  }
}

// Masses over unknowns are those over frames too.
TEST_P(Scattered, MassesAreThoseOfTheFrames) {
  if (GetParam() != 3) GTEST_SKIP() << "axes have masses of their own only where three numbers turn a body";
  FrameReduction reduction(system_, 3);
  Eigen::MatrixXd move = Eigen::MatrixXd::Zero(system_.equations(), reduction.unknowns());
  for (int e = 0; e < system_.equations(); ++e) {
    const int c = system_.free()[e], u = reduction.of_equation(e);
    if (u >= 0) move(e, u) = 1;
    for (int w = 0; w < 3 && u < 0; ++w) {
      const double by = number_();
      reduction.lever(c)[w] = reduction.slope(c)[w] = by;
      move(e, reduction.of_body(system_.body_of(c)) + w) = by;
    }
  }
  VecX values = VecX::Zero(reduction.pattern().nonzeros()), unit = VecX::Zero(system_.coordinates()), image = unit;
  Eigen::MatrixXd frames(system_.equations(), system_.equations());
  for (int e = 0; e < system_.equations(); ++e) {
    unit[system_.free()[e]] = 2;
    system_.multiply_mass(unit, image);
    for (int i = 0; i < system_.equations(); ++i) frames(i, e) = image[system_.free()[i]];
    unit[system_.free()[e]] = 0;
  }
  Assembly reduced;
  reduction.direct(values.data(), reduced);
  reduction.add_plain_mass(2, reduced);
  reduction.add_axis_mass(2, values.data());
  const Eigen::MatrixXd expected = move.transpose() * frames * move;
  EXPECT_LE((dense(reduction.pattern(), values) - expected).cwiseAbs().maxCoeff(), 1e-14 * expected.cwiseAbs().maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(Widths, Scattered, testing::Values(3, 4));

}  // namespace system_scatter
}  // namespace trompo
