// Forces, stiffness, mass and damping of the caller's own code: moved by every row that needs no more, and looked at.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/scheme/catalogue.hpp"

namespace trompo {
namespace system_own_forces {

// A plate on a hardening spring before an electrode: W = cosh x - 1 + Q^2 (1 - x)/2.
OwnForceInput transducer() {
  OwnForceInput own;
  own.name = "transducer";
  own.coordinates = {"x", "Q"};
  own.force = [](const double* q, double* g) {
    g[0] = std::sinh(q[0]) - 0.5 * q[1] * q[1];
    g[1] = q[1] * (1 - q[0]);
  };
  own.stiffness = [](const double* q, double* K) {
    K[0] = std::cosh(q[0]);
    K[1] = K[2] = -q[1];
    K[3] = 1 - q[0];
  };
  own.energy = [](const double* q) { return std::cosh(q[0]) - 1 + 0.5 * q[1] * q[1] * (1 - q[0]); };
  return own;
}

Model plate() {
  return parse_model(
      "coordinate = [{ name = \"x\", inertia = 1, value = 0.3 }, { name = \"Q\", inertia = 0.5, rate = 0.4 }]\n"
      "time = { step = 0.05, steps = 100, scheme = \"trapezoidal\" }\n",
      "plate");
}
Model with(Model model, OwnForceInput own) {
  model.own_forces = {std::move(own)};
  return model;
}
RunResult by(Model model, const Row& row) {
  model.time.scheme = row.name;
  return run(model);
}
double balance_error(const RunResult& result) { return std::abs(result.ledger.residual()) / result.ledger.scale(); }
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The same energy as a formula is the same term: rows of every balance end at the same place.
TEST(OwnForces, MoveAsTheTypedEnergyDoes) {
  Model typed = plate();
  typed.coordinates[0].potential = "cosh(x) - 1 + Q^2*(1 - x)/2";
  const Model own = with(plate(), transducer());
  for (const Row& row : catalogue()) {
    if (row.balance == Balance::top) continue;
    const RunResult a = by(typed, row), b = by(own, row);
    ASSERT_EQ(b.status, Status::done) << row.name;
    EXPECT_LT((a.state.q - b.state.q).norm() + (a.state.v - b.state.v).norm(), 1e-9) << row.name;
    if (row.balance != Balance::index_one) {
      EXPECT_LT(balance_error(b), 1e-11) << row.name;
    }
    if (row.claims.energy) {
      EXPECT_LT(b.total.max - b.total.min, 1e-12 * b.ledger.scale()) << row.name;
    }
  }
}

TEST(OwnForces, WithoutAnEnergyDoWork) {
  OwnForceInput silent = transducer();
  silent.energy = nullptr;
  const Model own = with(plate(), silent), whole = with(plate(), transducer());
  int moved = 0, refused = 0;
  for (const Row& row : catalogue()) {
    if (row.balance == Balance::top) continue;
    if (row.rule == Rule::Kind::secant || row.claims.energy) {
      ++refused;
      try {
        (void)by(own, row);
        ADD_FAILURE() << row.name;
      } catch (const std::exception& error) {
        EXPECT_TRUE(has(error.what(), "transducer") && has(error.what(), "no energy")) << error.what();
      }
      continue;
    }
    ++moved;
    const RunResult a = by(whole, row), b = by(own, row);
    ASSERT_EQ(b.status, Status::done) << row.name;
    EXPECT_LT((a.state.q - b.state.q).norm() + (a.state.v - b.state.v).norm(), 1e-9) << row.name;
    if (row.balance != Balance::index_one) {
      EXPECT_LT(balance_error(b), 1e-11) << row.name;
    }
    EXPECT_GT(std::abs(b.ledger.load_work()), 1e-3) << row.name;  // what was potential energy is work now
  }
  EXPECT_GE(moved, 20);
  EXPECT_GE(refused, 6);
}

// Follower-like forces: no energy, a stiffness with a skew part.
OwnForceInput follower(double error) {
  OwnForceInput own;
  own.name = "follower";
  own.coordinates = {"x", "Q"};
  own.force = [](const double* q, double* g) {
    g[0] = 4 * q[0] + 0.8 * q[1] + q[0] * q[0] * q[0];
    g[1] = 5 * q[1] - 0.8 * q[0];
  };
  own.stiffness = [error](const double* q, double* K) {
    K[0] = 4 + 3 * q[0] * q[0];
    K[1] = -0.8;
    K[2] = 0.8 + error;
    K[3] = 5;
  };
  return own;
}

TEST(OwnForces, TakeAStiffnessThatIsNotSymmetric) {
  for (const char* scheme : {"trapezoidal", "generalized-alpha-1", "krenk-quartic", "krenk-newmark", "bathe", "houbolt"}) {
    const RunResult result = by(with(plate(), follower(0)), *find_scheme(scheme));
    ASSERT_EQ(result.status, Status::done) << scheme;
    EXPECT_LT(balance_error(result), 1e-11) << scheme;
    EXPECT_LE(result.iterations_max, std::string(scheme) == "bathe" ? 8 : 5)
        << scheme;  // quadratic convergence wants the right matrix
  }
}

std::string refusal(const Model& model) {
  try {
    (void)run(model);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

TEST(OwnForces, WithWrongDerivativesAreNamed) {
  const std::string wrong = refusal(with(plate(), follower(1e-2)));
  EXPECT_TRUE(has(wrong, "follower") && has(wrong, "'Q'") && has(wrong, "stiffness")) << wrong;
  OwnForceInput other = transducer();
  other.energy = [](const double* q) { return std::cosh(q[0]) - 1 + 0.5 * q[1] * q[1]; };
  Model charged = plate();
  charged.coordinates[1].value = 0.5;
  const std::string energy = refusal(with(charged, other));
  EXPECT_TRUE(has(energy, "transducer") && has(energy, "energy")) << energy;
  EXPECT_EQ(refusal(with(plate(), follower(0))), "nothing");
}

TEST(OwnForces, ThatAreNoNumberMakeTheStepFail) {
  for (const int part : {0, 1, 2}) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    OwnForceInput own = transducer();
    const OwnForceInput good = transducer();
    own.force = [=](const double* q, double* g) {
      good.force(q, g);
      if (part == 0 && q[1] > 0.2) g[1] = nan;
    };
    own.stiffness = [=](const double* q, double* K) {
      good.stiffness(q, K);
      if (part == 1 && q[1] > 0.2) K[0] = nan;
    };
    own.energy = [=](const double* q) { return part == 2 && q[1] > 0.2 ? nan : good.energy(q); };
    for (const char* scheme : {"energy-momentum-exact", "trapezoidal", "krenk"}) {
      const RunResult result = by(with(plate(), own), *find_scheme(scheme));
      EXPECT_EQ(result.status, Status::not_converged) << scheme << ' ' << part;
      EXPECT_GT(result.steps, 3) << scheme;
      EXPECT_TRUE(result.state.q.allFinite() && result.state.q[1] <= 0.23) << scheme;  // the middle of a step is inside
    }
  }
}

Model coupled() {
  OwnForceInput own = transducer();
  own.mass.resize(2, 2);
  own.mass << 0.7, 0.3, 0.3, 0.5;
  own.damping.resize(2, 2);
  own.damping << 0.5, -0.2, -0.2, 0.3;
  return with(plate(), own);
}

// One step of the format by hand: M (v1 - v0)/h + C (u1 - u0)/h + (g0 + g1)/2 = 0.
TEST(OwnForces, HaveCoupledMassAndDamping) {
  Model model = coupled();
  model.time.steps = 1;
  const State end = by(model, *find_scheme("krenk-newmark")).state;
  const OwnForceInput& own = model.own_forces[0];
  const Eigen::MatrixXd M = own.mass + Eigen::Vector2d(1, 0.5).asDiagonal().toDenseMatrix();
  const VecX q0 = Eigen::Vector2d(0.3, 0), v0 = Eigen::Vector2d(0, 0.4);
  VecX g0(2), g1(2);
  own.force(q0.data(), g0.data());
  own.force(end.q.data(), g1.data());
  EXPECT_LT((M * (end.v - v0) + own.damping * (end.q - q0) + 0.025 * (g0 + g1)).norm(), 1e-14);
}

TEST(OwnForces, HaveCoupledMassAndDampingInEveryBalance) {
  Model model = coupled();
  model.time.step = 0.001;
  model.time.steps = 1000;
  const RunResult exact = by(model, *find_scheme("dormand-prince"));
  for (const Row& row : catalogue()) {
    if (row.balance == Balance::top) continue;
    const RunResult result = by(model, row);
    ASSERT_EQ(result.status, Status::done) << row.name;
    const double error = (result.state.q - exact.state.q).norm() + (result.state.v - exact.state.v).norm();
    EXPECT_LT(error, row.claims.order == 1 ? 2e-3 : 1e-4) << row.name;
    if (row.balance != Balance::index_one) {
      EXPECT_LT(balance_error(result), 1e-11) << row.name;
    }
  }
}

TEST(OwnForces, RefuseMatricesThatWouldFeedEnergyIn) {
  Model model = coupled();
  model.own_forces[0].damping << 0, 1, 1, 0;
  EXPECT_TRUE(has(refusal(model), "negative principal value")) << refusal(model);
  model = coupled();
  model.own_forces[0].mass(0, 1) = 0.1;
  EXPECT_TRUE(has(refusal(model), "not symmetric")) << refusal(model);
  model = coupled();
  model.own_forces[0].damping.setZero(3, 3);
  EXPECT_TRUE(has(refusal(model), "3 x 3 over 2")) << refusal(model);
  model = coupled();
  model.own_forces[0].coordinates[1] = "P";
  EXPECT_TRUE(has(refusal(model), "there is no coordinate 'P'")) << refusal(model);
}

}  // namespace system_own_forces
}  // namespace trompo
