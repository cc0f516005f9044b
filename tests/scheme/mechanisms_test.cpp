// Mechanisms that others have solved, or that can be solved in minimal coordinates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace scheme_mechanisms {

using Minimal = Eigen::VectorXd;  // minimal coordinates, then their rates

// Runge and Kutta's, with steps so small that it is exact here.
Minimal integrated(Minimal y, double end, int steps, const std::function<Minimal(double, const Minimal&)>& f) {
  const double h = end / steps;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Minimal a = f(t, y), b = f(t + h / 2, y + h / 2 * a), c = f(t + h / 2, y + h / 2 * b), d = f(t + h, y + h * c);
    y += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return y;
}

RunResult run_of(const std::string& text) {
  const RunResult result = run(parse_model(text, "mechanism"));
  EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
  return result;
}

double angle_of(const std::string& text, const RunResult& result, const std::string& name) {
  const System system(parse_model(text, "mechanism"));
  for (const Joint& joint : system.joints())
    if (joint.name == name) return result.state.q[joint.angle];
  return std::nan("");
}

std::string time_text(const std::string& scheme, double step, double end) {
  return fmt::format("[time]\nscheme = \"{}\"\nstep = {}\nend = {}\n", scheme, step, end);
}

// Andrews' squeezer: seven links in a plane around one common point, driven by a constant torque. W. Schiehlen, Multibody
// systems handbook (1990); data and the angles at 0.03 s as the test set of initial value problems has them (Mazzia, Magherini,
// 2008).
std::string squeezer(const std::string& formulation, const std::string& scheme, double step) {
  constexpr double xa = -.06934, ya = -.00227, xb = -.03635, yb = .03273, xc = .014, yc = .072;
  constexpr double d = .028, da = .0115, e = .02, ea = .01421, rr = .007, ra = .00092, l0 = .07785, sa = .01874, sb = .01043,
                   sc = .018, sd = .02, ta = .02308, tb = .00916, u = .04, ua = .01228, ub = .00449, zf = .02, zt = .04,
                   fa = .01421;
  constexpr double beta = -0.0617138900142764496, theta = 0, gamma = 0.455279819163070380, phi = 0.222668390165885885,
                   delta = 0.487364979543842550, omega = -0.222668390165885885, epsilon = 1.23054744454982119;
  const auto s = [](double x) { return std::sin(x); };
  const auto c = [](double x) { return std::cos(x); };
  const double H[] = {xa + zt * c(delta), ya + zt * s(delta)}, G[] = {xa + u * s(epsilon), ya - u * c(epsilon)};
  const double P[] = {rr * c(beta) - d * c(beta + theta), rr * s(beta) - d * s(beta + theta)};
  std::string text = fmt::format("formulation = \"{}\"\n", formulation);
  const auto body = [&text](int k, double mass, double inertia, double x, double y, double angle) {
    text += fmt::format(
        "[[body]]\nname = \"k{}\"\nmass = {}\ninertia = [[{}, 0, 0], [0, {}, 0], [0, 0, {}]]\nposition = [{}, {}, 0]\n"
        "orientation = {{ axis = [0, 0, 1], degrees = {} }}\n",
        k, mass, inertia, inertia, inertia, x, y, angle * 180 / M_PI);
  };
  const auto hinge = [&text](const std::string& name, const std::string& a, const std::string& b, double x, double y) {
    text +=
        fmt::format("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\nhinge = {{ axis = [0, 0, 1], at = [{}, {}, 0] }}\n",
                    name, a, b, x, y);
  };
  body(1, .04325, 2.194e-6, ra * c(beta), ra * s(beta), beta);
  body(2, .00365, 4.410e-7, rr * c(beta) - da * c(beta + theta), rr * s(beta) - da * s(beta + theta), beta + theta);
  body(3, .02373, 5.255e-6, xb + sa * s(gamma) + sb * c(gamma), yb - sa * c(gamma) + sb * s(gamma), gamma);
  body(4, .00706, 5.667e-7, H[0] + (e - ea) * s(phi + delta), H[1] - (e - ea) * c(phi + delta), phi + delta);
  body(5, .07050, 1.169e-5, xa + ta * c(delta) - tb * s(delta), ya + ta * s(delta) + tb * c(delta), delta);
  body(6, .00706, 5.667e-7, G[0] + (zf - fa) * c(omega + epsilon), G[1] + (zf - fa) * s(omega + epsilon), omega + epsilon);
  body(7, .05498, 1.912e-5, xa + ua * s(epsilon) - ub * c(epsilon), ya - ua * c(epsilon) - ub * s(epsilon), epsilon);
  hinge("O", "ground", "k1", 0, 0);
  hinge("R", "k1", "k2", rr * c(beta), rr * s(beta));
  hinge("P3", "k2", "k3", P[0], P[1]);
  hinge("P4", "k2", "k4", P[0], P[1]);
  hinge("P6", "k2", "k6", P[0], P[1]);
  hinge("B", "ground", "k3", xb, yb);
  hinge("H", "k5", "k4", H[0], H[1]);
  hinge("A5", "ground", "k5", xa, ya);
  hinge("G", "k7", "k6", G[0], G[1]);
  hinge("A7", "ground", "k7", xa, ya);
  // The spring pulls at a point of the third link, which is given from its centre in its own axes.
  text += fmt::format(
      "[[spring]]\nname = \"c0\"\nfrom = {{ ground = [{}, {}, 0] }}\nto = {{ body = \"k3\", point = [{}, {}, 0] }}\nlength = "
      "{}\n"
      "stiffness = 4530\n",
      xc, yc, sd - sb, -sc + sa, l0);
  text += "[[load]]\nname = \"motor\"\nbody = \"k1\"\ntorque = [0, 0, 0.033]\n";
  return text + time_text(scheme, step, 0.03) + "initial_projection = true\n";
}

constexpr double squeezed_beta = 15.81077119629904, squeezed_gamma = 0.04082224013073101, squeezed_delta = 0.5244099658805304,
                 squeezed_epsilon = 1.048080741042263;

TEST(Mechanisms, AndrewsSqueezerIsOverdeterminedInSpace) {
  const Model model = parse_model(squeezer("directors", "energy-momentum-exact", 1e-4), "squeezer");
  const System system(model);
  EXPECT_EQ(system.freedoms() - system.multipliers(), 1 - 9);  // 7 x 6 coordinates, 10 x 5 rows, one freedom
  EXPECT_EQ(joints_not_unique(system, initial_state(model, system)).size(), 10U);
}

TEST(Mechanisms, AndrewsSqueezerByAccelerations) {
  const std::string text = squeezer("euler-parameters", "dormand-prince", 1e-4);
  const RunResult result = run_of(text);
  EXPECT_NEAR(angle_of(text, result, "O"), squeezed_beta, 1e-6);
  EXPECT_NEAR(angle_of(text, result, "B"), squeezed_gamma, 1e-6);
  EXPECT_NEAR(angle_of(text, result, "A5"), squeezed_delta, 1e-6);
  EXPECT_NEAR(angle_of(text, result, "A7"), squeezed_epsilon, 1e-6);
}

TEST(Mechanisms, AndrewsSqueezerByTheConservingScheme) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const std::string text = squeezer("directors", "energy-momentum-exact", i == 0 ? 2e-5 : 1e-5);
    const RunResult result = run_of(text);
    EXPECT_LT(result.constraint_error_max, 1e-12);
    EXPECT_LT(result.ledger.worst_residual(), 1e-11 * result.ledger.scale());
    error[i] = angle_of(text, result, "O") - squeezed_beta;
  }
  EXPECT_NEAR(error[0] / error[1], 4, 0.2);
  EXPECT_LT(std::abs(error[1]), 2e-3);
}

// Two hinged rods, the second about its end: plane, in minimal coordinates.
TEST(Mechanisms, DoublePendulum) {
  constexpr double m = 1.5, l = 0.8, J = m * (l * l + 0.1 * 0.1) / 12, g = 9.81, a0 = 1.2, b0 = -0.4;
  Minimal start(4);
  start << a0, b0, 0, 0;
  const Minimal exact = integrated(start, 1.5, 30000, [&](double, const Minimal& y) {
    const double a = y[0], b = y[1], da = y[2], db = y[3], cross = 0.5 * m * l * l;
    Eigen::Matrix2d M;
    M << J + 1.25 * m * l * l, cross * std::cos(a - b), cross * std::cos(a - b), J + 0.25 * m * l * l;
    const Eigen::Vector2d f(-cross * std::sin(a - b) * db * db - 1.5 * m * g * l * std::sin(a),
                            cross * std::sin(a - b) * da * da - 0.5 * m * g * l * std::sin(b));
    Minimal rate(4);
    rate << da, db, M.inverse() * f;
    return rate;
  });
  const auto text = [&](const char* formulation, const char* scheme, double h) {
    std::string model = fmt::format("formulation = \"{}\"\ngravity = [0, -9.81, 0]\n", formulation);
    const double x = l * std::sin(a0), y = -l * std::cos(a0);
    const auto rod = [&](const char* name, double cx, double cy, double angle) {
      model += fmt::format(
          "[[body]]\nname = \"{}\"\nmass = {}\nshape = {{ box = [{}, 0.1, 0.1] }}\nposition = [{}, {}, 0]\norientation = {{ "
          "axis "
          "= [0, 0, 1], degrees = {} }}\n",
          name, m, l, cx, cy, (angle - M_PI / 2) * 180 / M_PI);
    };
    rod("first", x / 2, y / 2, a0);
    rod("second", x + l / 2 * std::sin(b0), y - l / 2 * std::cos(b0), b0);
    model += fmt::format(
        "[[joint]]\nname = \"top\"\nbodies = [\"ground\", \"first\"]\nhinge = {{ axis = [0, 0, 1], at = [0, 0, 0] }}\n"
        "[[joint]]\nname = \"elbow\"\nbodies = [\"first\", \"second\"]\nhinge = {{ axis = [0, 0, 1], at = [{}, {}, 0] }}\n",
        x, y);
    return model + time_text(scheme, h, 1.5);
  };
  const auto error = [&](const char* formulation, const char* scheme, double h) {
    const std::string model = text(formulation, scheme, h);
    const RunResult result = run_of(model);
    const double a = angle_of(model, result, "top") + M_PI / 2, elbow = angle_of(model, result, "elbow");
    return std::hypot(a - exact[0], a + elbow - exact[1]);
  };
  EXPECT_LT(error("euler-parameters", "dormand-prince", 0.01), 1e-8);
  for (const auto& [formulation, scheme] : {std::pair{"directors", "energy-momentum-exact"},
                                            {"rotation", "energy-momentum-exact"},
                                            {"directors", "generalized-alpha-1"},
                                            {"euler-parameters", "trapezoidal"}}) {
    SCOPED_TRACE(std::string(formulation) + " " + scheme);
    const double coarse = error(formulation, scheme, 0.002), fine = error(formulation, scheme, 0.001);
    EXPECT_NEAR(coarse / fine, 4, 0.25);
    EXPECT_LT(fine, 1e-3);
  }
}

// A loop whose last link is too short to close it.
TEST(Mechanisms, LoopsThatCannotCloseAreRefused) {
  const auto text = [](const char* repair) {
    std::string model = "gravity = [0, -9.81, 0]\n";
    const char* bodies[][2] = {{"crank", "[0, 0.5, 0]"}, {"coupler", "[1, 1, 0]"}};
    for (const auto& [name, at] : bodies)
      model += fmt::format("[[body]]\nname = \"{}\"\nmass = 1\nshape = {{ sphere = 0.1 }}\nposition = {}\n", name, at);
    const auto ball = [&model](const char* name, const char* a, const char* b, const char* from, const char* at) {
      model += fmt::format("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\nball = {{ from = {}, at = {} }}\n", name, a, b,
                           from, at);
    };
    ball("O", "ground", "crank", "[0, 0, 0]", "[0, 0, 0]");
    ball("A", "crank", "coupler", "[0, 1, 0]", "[0, 1, 0]");
    ball("B", "coupler", "ground", "[2, 1, 0]", "[9, 0, 0]");  // crank 1 and coupler 2 reach to 3
    return model + "[time]\nscheme = \"energy-momentum-exact\"\nstep = 0.01\nend = 1\n" + repair;
  };
  EXPECT_THROW((void)run(parse_model(text(""), "loop")), ModelError);
  try {
    (void)run(parse_model(text("initial_projection = true\n"), "loop"));
    FAIL() << "it cannot be closed";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("projected"), std::string::npos) << error.what();
  }
}

// ---- what moves and what turns with its body ----

const std::string flyer = R"toml(
formulation = "{}"
[[body]]
name = "b"
mass = 2
inertia = [[0.3, 0, 0], [0, 0.3, 0], [0, 0, 0.4]]
angular_velocity = [0, 0, 3]
)toml";

TEST(FollowerLoad, TurnsWithItsBody) {
  constexpr double F = 5, m = 2, w = 3, end = 1;
  const Vec3 exact(F / (m * w * w) * (1 - std::cos(w * end)), F / (m * w * w) * (w * end - std::sin(w * end)), 0);
  for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
    SCOPED_TRACE(formulation);
    const std::string scheme = formulation == std::string("euler-parameters") ? "trapezoidal" : "energy-momentum-exact";
    const auto place = [&](const std::string& load, double h) {
      const RunResult result = run_of(fmt::format(fmt::runtime(flyer), formulation) +
                                      "[[load]]\nname = \"jet\"\nbody = \"b\"\n" + load + time_text(scheme, h, end));
      EXPECT_LE(result.iterations_max, 5);
      EXPECT_LT(result.ledger.worst_residual(), 1e-12 * result.ledger.scale());
      return Vec3(result.state.q.head<3>());
    };
    const double coarse = (place("force = [5, 0, 0]\nfollower = true\n", 0.02) - exact).norm(),
                 fine = (place("force = [5, 0, 0]\nfollower = true\n", 0.01) - exact).norm();
    EXPECT_NEAR(coarse / fine, 4, 0.1);
    const Vec3 typed = place("force = [\"5*b.d1.x\", \"5*b.d1.y\", \"5*b.d1.z\"]\n", 0.01);
    EXPECT_LT((place("force = [5, 0, 0]\nfollower = true\n", 0.01) - typed).norm(), 1e-13);
  }
}

TEST(FollowerLoad, AtAPointIsATorqueToo) {
  const auto error = [](double h) {
    const std::string load =
        "[[load]]\nname = \"jet\"\nbody = \"b\"\nfollower = true\npoint = [0.2, 0, 0]\ntable = [[0, 0, 0, 0], [1, 0, 4, 0]]\n";
    const RunResult result =
        run_of(fmt::format(fmt::runtime(flyer), "directors") + load + time_text("energy-momentum-exact", h, 1));
    return result.state.rotations[0].angular_velocity[2] - (3 + 0.2 * 4 * 0.5 / 0.4);
  };
  EXPECT_NEAR(error(0.01) / error(0.005), 4, 0.02);
  EXPECT_LT(std::abs(error(0.005)), 1e-4);
}

TEST(GroundMotion, OfASpringIsThatOfANode) {
  const auto with = [](const std::string& anchor, const std::string& from) {
    return run_of(
        anchor +
        "[[body]]\nname = \"b\"\nmass = 2\nshape = { box = [0.3, 0.2, 0.1] }\nposition = [1, 0, 0]\nangular_velocity = "
        "[1, 2, 3]\n[[spring]]\nname = \"mount\"\nfrom = " +
        from + "\nto = { body = \"b\", point = [0.1, 0.1, 0] }\nstiffness = 300\ndamping = 2\n" +
        time_text("energy-momentum-exact", 0.01, 1));
  };
  const std::string motion = "motion = { y = \"0.2*sin(4*t)\" }";
  const RunResult node = with("[[node]]\nname = \"n\"\nposition = [0, 0, 0]\nfixed_axes = [\"x\", \"z\"]\n" + motion + "\n",
                              "{ node = \"n\" }"),
                  ground = with("", "{ ground = [0, 0, 0], " + motion + " }");
  EXPECT_LT((node.state.q.segment<12>(3) - ground.state.q.head<12>()).norm(), 1e-13);
  EXPECT_GT(std::abs(ground.ledger.support_work()), 0.01);
  EXPECT_NEAR(node.ledger.support_work(), ground.ledger.support_work(), 1e-12);
  EXPECT_LT(ground.ledger.worst_residual(), 1e-12 * ground.ledger.scale());
}

TEST(GroundMotion, OfAHingeShakesAPendulum) {
  constexpr double m = 1.2, l = 0.5, J = m * (0.4 * 0.4 + 0.1 * 0.1) / 12, g = 9.81, A = 0.15, w = 6;
  Minimal start(2);
  start << 0.3, -A * w * std::cos(0.3) / l;  // the pivot moves at once, the centre of mass not yet
  const Minimal exact = integrated(start, 1, 20000, [&](double t, const Minimal& y) {
    const double pivot = -A * w * w * std::sin(w * t);
    Minimal rate(2);
    rate << y[1], (-m * g * l * std::sin(y[0]) - m * l * std::cos(y[0]) * pivot) / (J + m * l * l);
    return rate;
  });
  for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
    SCOPED_TRACE(formulation);
    const std::string scheme = formulation == std::string("euler-parameters") ? "trapezoidal" : "energy-momentum-exact";
    const auto error = [&](double h) {
      const double vx = A * w + l * start[1] * std::cos(0.3), vy = l * start[1] * std::sin(0.3);
      const std::string text =
          fmt::format(
              "formulation = \"{}\"\ngravity = [0, -9.81, 0]\n[[body]]\nname = \"b\"\nmass = {}\nshape = {{ box = [0.1, "
              "0.4, 0.2] }}\nposition = [{}, {}, 0]\norientation = {{ axis = [0, 0, 1], degrees = {} }}\n"
              "velocity = [{}, {}, 0]\nangular_velocity = [0, 0, {}]\n",
              formulation, m, l * std::sin(0.3), -l * std::cos(0.3), 0.3 * 180 / M_PI, vx, vy, start[1]) +
          "[[joint]]\nname = \"pivot\"\nbodies = [\"ground\", \"b\"]\nhinge = { axis = [0, 0, 1], at = [0, 0, 0] "
          "}\nground_motion = "
          "{ x = \"0.15*sin(6*t)\" }\n" +
          time_text(scheme, h, 1);
      const RunResult result = run_of(text);
      EXPECT_LT(result.constraint_error_max, 1e-12);
      EXPECT_LT(result.ledger.worst_residual(), 1e-10 * result.ledger.scale());
      return std::abs(angle_of(text, result, "pivot") - exact[0]);
    };
    const double coarse = error(0.01), fine = error(0.005);
    EXPECT_NEAR(coarse / fine, 4, 0.3);
    EXPECT_LT(fine, 1e-3);
  }
}

}  // namespace scheme_mechanisms
}  // namespace trompo
