// Random trees and loops of bodies, by every row and in every formulation: a run ends right, as the order says that the row
// claims, or it stops and says why. None is done with an energy that nobody brought.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/fuzz/draw.hpp"
#include "tests/long_run.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_random_mechanisms {

constexpr double duration = 0.08;

std::string text_of(const Vec3& v) { return fmt::format("[{:.6f}, {:.6f}, {:.6f}]", v[0], v[1], v[2]); }

// Bodies under gravity that spin, joined to each other and to the ground; in every second model one more joint closes a loop.
// Nothing is driven and nothing damps: the energy of the start is all there is.
class Mechanism {
 public:
  explicit Mechanism(int seed) : draw_(static_cast<std::uint64_t>(seed)) {
    text = "gravity = [0, 0, -9.81]\n";
    const int count = draw_.between(1, 4);
    for (int b = 0; b < count; ++b) body(b);
    if (count > 1 && seed % 2 == 0) loop();
  }
  std::string text;

 private:
  double some(double least, double most) { return draw_.between(least, most); }
  Vec3 direction() {
    Vec3 v;
    do
      for (double& x : v) x = some(-1, 1);
    while (v.norm() < 0.3);
    return v.normalized();
  }
  [[nodiscard]] static std::string name_of(int b) { return b < 0 ? "ground" : fmt::format("b{}", b); }
  [[nodiscard]] Vec3 place_of(int b) const { return b < 0 ? Vec3(Vec3::Zero()) : places_[static_cast<std::size_t>(b)]; }

  void body(int b) {
    const int parent = draw_.between(-1, b - 1);
    places_.push_back(place_of(parent) + some(0.8, 1.2) * direction());
    const double a = some(0.1, 0.3);
    text += fmt::format(
        "[[body]]\nname = \"{}\"\nmass = {:.4f}\ninertia = [{:.4f}, {:.4f}, {:.4f}]\nposition = {}\norientation = {{ axis = "
        "{}, "
        "degrees = {:.3f} }}\nvelocity = {}\nangular_velocity = {}\n",
        name_of(b), some(0.5, 2), a, a * some(0.8, 1.2), a * some(0.8, 1.2), text_of(places_.back()), text_of(direction()),
        some(-180, 180), text_of(some(0, 1) * direction()), text_of(some(0, 6) * direction()));
    if (parent >= 0 || draw_.chance(0.8)) joint(fmt::format("j{}", b), parent, b);
  }
  void joint(const std::string& name, int first, int second) {
    const Vec3 at = place_of(first) + some(0.2, 0.8) * (place_of(second) - place_of(first)) + 0.1 * direction();
    const Vec3 axis = direction(), other = axis.unitOrthogonal();
    text += fmt::format("[[joint]]\nname = \"{}\"\nbodies = [\"{}\", \"{}\"]\n", name, name_of(first), name_of(second));
    const std::string along = fmt::format("{{ axis = {}, at = {} }}\n", text_of(axis), text_of(at));
    switch (draw_.below(8)) {
      case 0: text += "weld = { at = " + text_of(at) + " }\n"; break;
      case 1: text += "hinge = " + along + (draw_.chance(0.5) ? fmt::format("stiffness = {:.3f}\n", some(1, 20)) : ""); break;
      case 2: text += "ball = { at = " + text_of(at) + " }\n"; break;
      case 3:
        text += fmt::format("universal = {{ at = {}, axis = {}, other_axis = [{:.17g}, {:.17g}, {:.17g}] }}\n", text_of(at),
                            text_of(axis), other[0], other[1], other[2]);
        break;
      case 4: text += "cylindrical = " + along; break;
      case 5: text += "prismatic = " + along; break;
      case 6: text += "planar = " + along; break;
      default: text += fmt::format("distance = {{ from = {}, at = {} }}\n", text_of(at + 0.7 * direction()), text_of(at));
    }
  }
  // The first and the last body once more: by one row, or by the joint of a door, which may repeat what others say.
  void loop() {
    const int last = static_cast<int>(places_.size()) - 1;
    const Vec3 from = place_of(0) + 0.3 * direction(), at = place_of(last) + 0.3 * direction();
    text += fmt::format("[[joint]]\nname = \"loop\"\nbodies = [\"b0\", \"b{}\"]\n", last);
    if (draw_.chance(0.7))
      text += fmt::format("distance = {{ from = {}, at = {} }}\n", text_of(from), text_of(at));
    else
      text += fmt::format("plane = {{ axis = {}, at = {} }}\n", text_of(direction()), text_of(at));
  }

  Draw draw_;
  std::vector<Vec3> places_;
};

// Places and axes of the bodies, each relative to its size.
VecX frames(const System& system, const VecX& q) {
  VecX all(12 * std::ssize(system.bodies()));
  for (std::size_t b = 0; b < system.bodies().size(); ++b)
    for (int k = 0; k < 12; ++k) {
      const int c = system.bodies()[b].first + k;
      all[static_cast<Eigen::Index>(12 * b) + k] = q[c] / system.coordinate_scale(c);
    }
  return all;
}

struct Outcome {
  RunResult result;
  double error = 0;
};

class Trial {
 public:
  explicit Trial(const std::string& text)
      : model_(parse_model(text + fmt::format("[time]\nscheme = \"dormand-prince\"\nstep = {}\nend = {}\n"
                                              "initial_projection = true\n",
                                              duration / 4, duration),
                           "drawn")) {
    model_.formulation = "euler-parameters";
    model_.time.parameters["tolerance"] = 1e-11;
    const System system(model_);
    const RunResult exact = run(model_, system, scheme_of(model_));
    sound = exact.status == Status::done;
    exact_ = frames(system, exact.state.q);
  }
  bool sound = false;  // is there a solution to compare with?

  void formulate(const std::string& formulation) { model_.formulation = formulation; }
  [[nodiscard]] const Model& model() const { return model_; }
  Outcome by(const System& system, const Scheme& scheme, double h) {
    model_.time.step = h;
    Outcome outcome{run(model_, system, scheme), 0};
    outcome.error = (frames(system, outcome.result.state.q) - exact_).cwiseAbs().maxCoeff();
    return outcome;
  }

 private:
  Model model_;
  VecX exact_;
};

// What was not brought: by loads, by supports, by the start.
double created(const RunResult& result) {
  return result.total.final - result.total.initial - result.ledger.load_work() - result.ledger.support_work();
}

// `most`: of its scale that it may have made.
void expect_sound(const RunResult& result, double most) {
  if (result.status != Status::done) {
    EXPECT_FALSE(result.failure.dossier().empty());
    EXPECT_NE(result.failure.newton.end, NewtonEnd::converged);
    return;
  }
  EXPECT_LT(created(result), most * result.ledger.scale());
  EXPECT_LT(result.constraint_error_max, 1e-4);
}

TEST(LongRandomMechanismsTest, EndRightOrSayWhyNot) {
  const int count = long_run(50, 4);
  int runs = 0, done = 0, compared = 0;
  for (int seed = 1; seed <= count; ++seed) {
    const Mechanism mechanism(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, mechanism.text));
    Trial trial(mechanism.text);
    EXPECT_TRUE(trial.sound);
    if (!trial.sound) continue;
    for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
      trial.formulate(formulation);
      const System system(trial.model());
      for (const Row& row : catalogue()) {
        if (!refusal(row, system).empty()) continue;
        SCOPED_TRACE(fmt::format("{} on {}", row.name, formulation));
        const Scheme scheme = make_scheme(row.name);
        const double h = 0.004;
        const Outcome coarse = trial.by(system, scheme, h), fine = trial.by(system, scheme, h / 2);
        for (const Outcome* outcome : {&coarse, &fine}) {
          // What is stable nowhere feeds in energy at every step, as much as its order says.
          expect_sound(outcome->result, row.claims.energy ? 1e-9 : row.claims.stable_to == 0 ? 0.1 : 0.01);
          ++runs;
          done += outcome->result.status == Status::done ? 1 : 0;
        }
        if (coarse.result.status != Status::done || fine.result.status != Status::done) continue;
        if (row.claims.stable_to == 0) {
          EXPECT_LT(created(fine.result), 0.65 * created(coarse.result) + 1e-4 * fine.result.ledger.scale());
        }
        // Beside rounding and the error of the reference, which are what is left of an error of high order.
        constexpr double noise = 1e-8;
        if (const auto order = claimed_order(scheme, system.formulation())) {
          // Where the error changes its sign nearby, it takes smaller steps to see its order.
          if (fine.error > std::exp2(0.6 - *order) * coarse.error + noise) {
            EXPECT_LT(trial.by(system, scheme, h / 8).error, std::exp2(2 * (0.6 - *order)) * fine.error + noise);
          }
          ++compared;
        }
        EXPECT_LT(fine.error, 1e-2);
      }
    }
  }
  std::printf("seeds 1 to %d: %d runs, %d done, %d pairs compared\n", count, runs, done, compared);
  EXPECT_GT(done, 95 * runs / 100);
  EXPECT_GT(compared, runs / 3);
}

// With steps far too long for most of them.
TEST(LongRandomMechanismsTest, LongStepsBringNoEnergyEither) {
  const int count = long_run(50, 4);
  int runs = 0, done = 0, kept = 0;
  for (int seed = 1; seed <= count; ++seed) {
    const Mechanism mechanism(seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, mechanism.text));
    Model model = parse_model(mechanism.text +
                                  "[time]\nscheme = \"energy-momentum-exact\"\nstep = 0.05\nsteps = 30\n"
                                  "initial_projection = true\n",
                              "drawn");
    for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
      model.formulation = formulation;
      const System system(model);
      for (const Row& row : catalogue()) {
        if (!refusal(row, system).empty()) continue;
        SCOPED_TRACE(fmt::format("{} on {}", row.name, formulation));
        const RunResult result = run(model, system, make_scheme(row.name));
        ++runs;
        if (row.claims.energy) {
          ++kept;
          EXPECT_EQ(result.status, Status::done) << result.failure.dossier();
        }
        if (result.status != Status::done) {
          EXPECT_FALSE(result.failure.dossier().empty());
          continue;
        }
        ++done;
        EXPECT_LT(result.ledger.created(),
                  (row.claims.energy ? 1e-9 : 0.5) * std::max(result.ledger.turnover(), result.ledger.scale()));
        EXPECT_LT(result.constraint_error_max,
                  row.balance == Balance::index_one ? 1e-3 : 1e-9);  // those are projected once a step
      }
    }
  }
  std::printf("seeds 1 to %d: %d runs, %d done\n", count, runs, done);
  EXPECT_GT(done, 80 * runs / 100);
  EXPECT_GT(kept, runs / 7);
}

}  // namespace run_random_mechanisms
}  // namespace trompo
