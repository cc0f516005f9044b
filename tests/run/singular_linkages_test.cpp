// Parallelograms, rhombi and rows of four-bar linkages pass the places where all their cranks lie flat: right, or they stop
// there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tests/long_run.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_singular_linkages {

constexpr double pi = std::numbers::pi;

// Cranks of one length, side by side, under one beam or under a row of couplers. They are parallel all the time and what they
// carry keeps its direction: one freedom, the angle a of all cranks, J a'' = -W cos a.
struct Linkage {
  int cranks = 2;
  bool row_of_couplers = false, driven = false;
  double length = 1, distance = 1, thickness = 0.05;
  double crank_mass = 1, coupler_mass = 1, gravity = 0;
  double angle = pi / 2, rate = -1;  // at the start
  double turns = 0.6;
  Vec3 axis = Vec3::UnitX();  // the whole is turned about it
  double turned = 0;
  const char *formulation = "directors", *scheme = "energy-momentum-exact";
  double step = 0.01;

  [[nodiscard]] int couplers() const { return row_of_couplers ? cranks - 1 : 1; }
  [[nodiscard]] double inertia() const {
    return cranks * crank_mass * ((length * length + thickness * thickness) / 12 + length * length / 4) +
           couplers() * coupler_mass * length * length;
  }
  [[nodiscard]] double weight() const { return gravity * length * (cranks * crank_mass / 2 + couplers() * coupler_mass); }
  // Where the cranks are after this time: fourth order, in steps that leave 1e-9.
  [[nodiscard]] double angle_at(double time) const {
    if (driven || gravity == 0) return angle + rate * time;
    const int steps = 4000;
    const double h = time / steps, k = -weight() / inertia();
    double a = angle, v = rate;
    for (int i = 0; i < steps; ++i) {
      const double v1 = v, f1 = k * std::cos(a), v2 = v + h / 2 * f1, f2 = k * std::cos(a + h / 2 * v1);
      const double v3 = v + h / 2 * f2, f3 = k * std::cos(a + h / 2 * v2), v4 = v + h * f3, f4 = k * std::cos(a + h * v3);
      a += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      v += h / 6 * (f1 + 2 * f2 + 2 * f3 + f4);
    }
    return a;
  }
  [[nodiscard]] double energy(double a, double v) const { return 0.5 * inertia() * v * v + weight() * std::sin(a); }

  [[nodiscard]] std::string text() const {
    const Quaternion whole = exponential_quaternion(turned * axis);
    const auto v = [&](double x, double y, double z = 0) {
      const Vec3 p = to_space(whole, Vec3(x, y, z));
      return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", p[0], p[1], p[2]);
    };
    const auto direction = [&](double turn) {
      const Quaternion o = composed(whole, exponential_quaternion(turn * Vec3::UnitZ()));
      return fmt::format("orientation = {{ quaternion = [{:.17g}, {:.17g}, {:.17g}, {:.17g}] }}\n", o.w(), o.x(), o.y(), o.z());
    };
    std::string out = fmt::format("formulation = \"{}\"\ngravity = {}\n", formulation, v(0, -gravity));
    const auto body = [&](const std::string& name, double mass, double long_side, double x, double y, double turn, double vx,
                          double vy, double spin) {
      out += fmt::format(
          "[[body]]\nname = \"{}\"\nmass = {:.17g}\nshape = {{ box = [{:.17g}, {:.17g}, {:.17g}] }}\nposition = {}\n{}"
          "velocity = {}\nangular_velocity = [0, 0, {:.17g}]\n",
          name, mass, long_side, thickness, thickness, v(x, y), direction(turn), v(vx, vy), spin);
    };
    const auto hinge = [&](const std::string& name, const std::string& a, const std::string& b, double x, double y) {
      out += fmt::format("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\nhinge = {{ axis = {}, at = {} }}\n", name, a, b,
                         v(0, 0, 1), v(x, y));
    };
    const double c = std::cos(angle), s = std::sin(angle), vx = -length * s * rate, vy = length * c * rate;
    for (int k = 0; k < cranks; ++k)
      body(fmt::format("c{}", k), crank_mass, length, k * distance + length * c / 2, length * s / 2, angle, vx / 2, vy / 2,
           rate);
    for (int k = 0; k < couplers(); ++k) {
      const double span = row_of_couplers ? distance : (cranks - 1) * distance;
      body(fmt::format("t{}", k), coupler_mass, span, k * distance + span / 2 + length * c, length * s, 0, vx, vy, 0);
    }
    for (int k = 0; k < cranks; ++k) {
      hinge(fmt::format("A{}", k), "ground", fmt::format("c{}", k), k * distance, 0);
      if (driven && k == 0)
        out += fmt::format("motion = \"{:.17g} + {:.17g}*t\"\n", std::remainder(drawn_angle(), 2 * pi), rate);
      const double x = k * distance + length * c, y = length * s;
      if (!row_of_couplers)
        hinge(fmt::format("B{}", k), fmt::format("c{}", k), "t0", x, y);
      else {
        if (k > 0) hinge(fmt::format("B{}", k), fmt::format("c{}", k), fmt::format("t{}", k - 1), x, y);
        if (k < cranks - 1) hinge(fmt::format("C{}", k), fmt::format("c{}", k), fmt::format("t{}", k), x, y);
      }
    }
    return out + fmt::format("[time]\nscheme = \"{}\"\nstep = {:.17g}\nsteps = {}\ninitial_projection = true\n", scheme, step,
                             static_cast<long>(std::ceil(turns * 2 * pi / std::abs(rate) / step)));
  }
  double drawn = 0;  // the angle of the first hinge as the model has it
  [[nodiscard]] double drawn_angle() const { return drawn; }
};

enum class Outcome { right, stopped, wrong };

Outcome outcome_of(Linkage linkage) {
  if (linkage.driven) {  // a drive starts where its hinge is drawn
    Linkage free = linkage;
    free.driven = false;
    const Model model = parse_model(free.text(), "linkage");
    const System system(model);
    linkage.drawn = initial_state(model, system).q[system.joints()[0].angle];
  }
  const Model model = parse_model(linkage.text(), "linkage");
  const System system(model);
  const State start = initial_state(model, system);
  const RunResult result = run(model, system, scheme_of(model));
  if (result.status != Status::done) {
    const std::string said = result.failure.dossier();
    EXPECT_TRUE(said.find("A") != std::string::npos || said.find("B") != std::string::npos) << said;
    return Outcome::stopped;
  }
  const double time = result.state.time, turned = linkage.angle_at(time) - linkage.angle;
  const bool conserving = std::string_view(linkage.scheme).starts_with("energy-momentum");
  // Of second order in the angle of a step, but for what a speed that gravity changes makes of it.
  const double allowed = linkage.driven ? 1e-6 : 2e-3 + 20 * std::pow(linkage.step * linkage.rate, 2) * std::abs(turned);
  const double parallel = conserving ? 1e-6 : 1e-3;
  double first = 0;
  bool right = result.constraint_error_max < (conserving ? 1e-10 : 1e-6);
  for (const Joint& joint : system.joints()) {
    if (!joint.name.starts_with("A")) continue;
    const double by = result.state.q[joint.angle] - start.q[joint.angle];
    if (joint.name == "A0") first = by;
    right = right && std::abs(by - first) < parallel && std::abs(by - turned) < std::max(allowed, conserving ? 0 : 1e-2);
  }
  if (conserving && !linkage.driven)
    right = right && std::abs(result.total.final - result.total.initial) < 1e-9 * result.ledger.scale();
  return right ? Outcome::right : Outcome::wrong;
}

TEST(SingularLinkages, LongRandomOnesAreRightOrStop) {
  std::mt19937 random(20261118);
  const auto between = [&random](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  constexpr const char* ways[][2] = {{"directors", "energy-momentum-exact"}, {"rotation", "energy-momentum-exact"},
                                     {"directors", "generalized-alpha-1"},   {"directors", "bathe"},
                                     {"euler-parameters", "newmark"},        {"euler-parameters", "rk4"}};
  const int count = long_run(300, 40);
  int right = 0, conserving = 0, conserving_right = 0;
  for (int i = 0; i < count; ++i) {
    Linkage linkage;
    const int kind = i % 4;  // parallelograms of two and more cranks, rhombi, rows of four-bars
    linkage.cranks = kind == 1 ? 3 + static_cast<int>(between(0, 4)) : kind == 3 ? 3 + static_cast<int>(between(0, 5)) : 2;
    if (kind == 3 && i % 60 == 59) linkage.cranks = 41;
    linkage.row_of_couplers = kind == 3;
    linkage.length = std::pow(10, between(-1.5, 1));
    linkage.distance = kind == 2 ? linkage.length : linkage.length * between(0.4, 2.5);
    linkage.thickness = linkage.length * between(0.02, 0.2);
    linkage.crank_mass = std::pow(10, between(-1, 2));
    linkage.coupler_mass = linkage.crank_mass * std::pow(10, between(-1, 1));
    linkage.driven = between(0, 1) < 0.4;
    linkage.angle = between(0.3, pi - 0.3);
    linkage.rate = (between(0, 1) < 0.5 ? -1 : 1) * between(0.5, 5);
    // Fast enough to go round whatever gravity does.
    linkage.gravity = between(0, 1) < 0.5 ? 0
                                          : between(0, 0.1) * linkage.rate * linkage.rate * linkage.inertia() /
                                                (linkage.length * linkage.crank_mass * linkage.cranks);
    linkage.step = between(0.004, 0.02) / std::abs(linkage.rate);
    linkage.axis = Vec3(between(-1, 1), between(-1, 1), between(-1, 1)).normalized();
    linkage.turned = between(0, 1) < 0.3 ? 0 : between(0, pi);
    const auto& way = ways[static_cast<std::size_t>(i % 3 == 0 ? between(2, 6) : between(0, 2))];
    linkage.formulation = way[0];
    linkage.scheme = way[1];
    // Some meet the flat place at the end of a step, to rounding; some in its middle.
    const int meet = static_cast<int>(between(0, 4));
    if (meet < 2) linkage.angle = (linkage.rate > 0 ? pi : 0) - linkage.rate * linkage.step * (40 + 0.5 * meet);
    SCOPED_TRACE(fmt::format("number {}: {} {} {} cranks{}{} meets {}", i, way[0], way[1], linkage.cranks,
                             linkage.row_of_couplers ? " in a row" : "", linkage.driven ? " driven" : "", meet));
    const Outcome outcome = outcome_of(linkage);
    EXPECT_NE(outcome, Outcome::wrong) << linkage.text();
    right += outcome == Outcome::right;
    if (std::string_view(way[1]) != "energy-momentum-exact") continue;
    ++conserving;
    conserving_right += outcome == Outcome::right;
  }
  std::printf("%d of %d right, %d of %d conserving\n", right, count, conserving_right, conserving);
  EXPECT_GT(conserving_right, 0.9 * conserving);
  EXPECT_GT(right, count / 2);
}

}  // namespace run_singular_linkages
}  // namespace trompo
