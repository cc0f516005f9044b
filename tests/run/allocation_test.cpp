// No heap in the step loop. This program counts every malloc, calloc and realloc of its own and of the libraries it links
// (operator new ends there too), by standing in front of glibc. An executable of its own, and not for sanitizers.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>

#include "tests/wide_formulas.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/report.hpp"
#include "trompo/run/run.hpp"
#include "trompo/scheme/frame_reduction.hpp"

namespace {
std::atomic<long> allocations{0};
}

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
void free(void* old) { __libc_free(old); }
}

namespace trompo {
namespace {

// Bars hanging between two ends like a necklace, let go from a straight line; 3 * (bars - 1) unknowns.
Model chain(int bars, double EA = 1e4) {
  Model model;
  model.gravity = {0, 0, -9.8};
  for (int i = 0; i <= bars; ++i) {
    NodeInput node;
    node.name = "n" + std::to_string(i);
    node.position = {0.5 * i, 0.01 * (i % 3), 0};
    node.mass = 1;
    node.fixed = i == 0;
    model.nodes.push_back(node);
  }
  for (int i = 0; i < bars; ++i) {
    BarInput bar;
    bar.name = "b" + std::to_string(i);
    bar.nodes = {"n" + std::to_string(i), "n" + std::to_string(i + 1)};
    bar.EA = EA;
    bar.strain = i % 3 == 0 ? "engineering" : i % 3 == 1 ? "green" : "logarithmic";
    bar.tension_only = i % 2 == 1;
    model.bars.push_back(bar);
  }
  LoadInput wind;
  wind.name = "wind";
  wind.on = "n" + std::to_string(bars);
  wind.force = {TimeFunction(0.0), TimeFunction::parse("2*sin(3*t)"),
                TimeFunction(TimeFunction::Table{{0, 0}, {1, 1}, {2, -1}})};
  model.loads = {wind};
  model.time.step = 0.002;
  return model;
}

// What the loop of a run does in a step, with sensors and energy balance, without the run's start and end.
long allocations_in_the_loop(const Model& model, const Row& row, int warm_up, int steps) {
  const System system(model);
  Sensors sensors(model, system);
  std::vector<double> values(sensors.names().size());
  const auto stepper = make_stepper(make_scheme(row.name), system, newton_options(model));
  State state = initial_state(model, system);
  stepper->start(state, initial_acceleration(model, system, state));
  Ledger ledger;
  ledger.open(system.kinetic(state.v), system.potentials(state.q));
  const VecX reaction = VecX::Zero(system.coordinates());
  long before = 0;
  for (int k = 1; k <= warm_up + steps; ++k) {
    if (k == warm_up + 1) before = allocations.load();
    const StepReport report = stepper->step(state, k * model.time.step);
    if (!report.done()) return -1;
    ledger.add(system.kinetic(state.v), report.energy);
    sensors.read({state, reaction, stepper->multipliers(), stepper->multipliers(), stepper->acceleration()}, values);
  }
  return allocations.load() - before;
}

TEST(Allocation, IsCounted) {
  const long before = allocations.load();
  const auto number = std::make_unique<int>(1);
  VecX vector(100);
  vector.setZero();
  EXPECT_GE(allocations.load() - before, 2);
}

TEST(Allocation, NoneInTheStepsOfAPendulum) {
  for (const Row& row : general_rows()) EXPECT_EQ(allocations_in_the_loop(chain(1), row, 3, 1000), 0) << row.name;
}

TEST(Allocation, NoneInTheStepsOfAChainOnTheSparsePath) {
  const Model model = chain(100);
  ASSERT_FALSE(FrameReduction(System(model), 3).pattern().dense());
  for (const Row& row : general_rows()) EXPECT_EQ(allocations_in_the_loop(model, row, 3, 1000), 0) << row.name;
}

// A barrier, a root and a quotient with a limit, each asked in every step whether it is defined all along, cells and all.
TEST(Allocation, NoneInTheStepsOfFormulasWithPoles) {
  const Model model = parse_model(
      "[[coordinate]]\nname = \"u\"\ninertia = 1\nvalue = 1\nrate = -1\npotential = \"1/u + sqrt(u^2 - 2*u*v + v^2) + u^2\"\n"
      "[[coordinate]]\nname = \"v\"\ninertia = 1\nvalue = 0.9\nrate = -2\npotential = \"v^2 - sin(v)/v\"\n"
      "[time]\nstep = 0.002\nend = 1\nscheme = \"midpoint\"\n",
      "poles");
  for (const Row& row : general_rows()) EXPECT_EQ(allocations_in_the_loop(model, row, 3, 1000), 0) << row.name;
}

// One potential, one constraint and one load of thirty coordinates, by every row that takes them.
TEST(Allocation, NoneInTheStepsOfWideFormulas) {
  const Model model = parse_model(wide::model({.load = true}), "wide");
  const System system(model);
  int rows = 0;
  for (const Row& row : general_rows()) {
    if (!refusal(row, system).empty() || row.name == "projection-return") continue;  // it eliminates in matrices of its own
    ++rows;
    EXPECT_EQ(allocations_in_the_loop(model, row, 5, 100), 0) << row.name;
  }
  EXPECT_GE(rows, 5);
}

// Explicit rows, with and without bodies, stabilised as they are by default.
TEST(Allocation, NoneInTheStepsOfExplicitSchemes) {
  const Model arms = parse_model(R"toml(
formulation = "euler-parameters"
gravity = [0, 0, -9.81]
[[body]]
name = "a"
mass = 1
inertia = [0.2, 0.3, 0.4]
fixed_point = [0, 0, 0]
centre = [0.5, 0, 0]
[[body]]
name = "b"
mass = 1
inertia = [0.1, 0.2, 0.3]
position = [1.5, 0, 0]
[[joint]]
name = "elbow"
bodies = ["a", "b"]
hinge = { at = [1, 0, 0], axis = [0, 1, 0] }
stiffness = 3
damping = 0.1
[time]
step = 0.002
steps = 1
scheme = "rk4"
)toml",
                                 "arms");
  for (const Row& row : catalogue()) {
    if (!row.explicit_scheme) continue;
    const int steps = row.claims.stable_to == 0 ? 20 : 500;  // what is stable nowhere blows up
    for (const Model& model : {chain(1), chain(100), arms})
      EXPECT_EQ(allocations_in_the_loop(model, row, 8, steps), 0) << row.name;
  }
}

// Plates on hinges, on the sparse path, by every row that takes bodies.
TEST(Allocation, NoneInTheStepsOfJointedBodies) {
  for (const char* formulation : {"directors", "rotation", "euler-parameters"}) {
    std::string text = std::string("formulation = \"") + formulation + "\"\ngravity = [0, 0, -9.81]\n";
    for (int k = 0; k < 8; ++k) {
      const std::string number = std::to_string(k), before = k == 0 ? "ground" : "p" + std::to_string(k - 1);
      text +=
          "[[body]]\nname = \"p" + number + "\"\nmass = 1\nshape = { plate = [1, 1] }\nposition = [0, " + number + ".5, 0]\n";
      text += "[[joint]]\nname = \"h" + number + "\"\nbodies = [\"" + before + "\", \"p" + number +
              "\"]\nhinge = { axis = [1, 0, 0], at = [0, " + number + ", 0] }\nstiffness = 100\ndamping = 0.1\n";
    }
    // The last plate feels how it moves.
    text +=
        "[[invariant]]\nname = \"apart\"\nformula = \"(p7.x-p6.x)^2 + (p7.z-p6.z)^2\"\n[[load]]\nname = \"drag\"\nbody = "
        "\"p7\"\n"
        "force = [0, \"-0.1*p7.vy\", \"-0.2*rate(apart) - 0.1*t\"]\npoint = [0.1, 0, 0]\ntorque = [\"-0.1*p7.w1\", 0, 0]\n"
        "moment = [0, \"-0.1*p7.wy\", 0]\n[[load]]\nname = \"thrust\"\nbody = \"p7\"\nforce = [0, 0, \"1 - "
        "0.1*p7.v3\"]\nfollower = true\n";
    const Model model = parse_model(text + "[time]\nstep = 0.002\nsteps = 1\nscheme = \"newmark\"\n", "plates");
    const System system(model);
    int rows = 0;
    for (const Row& row : general_rows()) {
      if (!refusal(row, system).empty() || row.name == "projection-return") continue;  // it eliminates in matrices of its own
      ++rows;
      EXPECT_EQ(allocations_in_the_loop(model, row, 20, 200), 0) << row.name << " " << formulation;
    }
    EXPECT_GE(rows, 5);
  }
}

// The whole run: ten times the steps, not one allocation more.
TEST(Allocation, OfARunDoesNotGrowWithItsSteps) {
  Model model = chain(100);
  SensorInput pull, anchor;
  pull.name = "pull";
  pull.kind = "force";
  pull.of = {"b0", ""};
  anchor.name = "anchor";
  anchor.kind = "reaction";
  anchor.of = {"n0", ""};
  anchor.axis = "z";
  model.sensors = {pull, anchor};
  model.time.scheme = "energy-momentum-exact";
  const System system(model);
  const Scheme scheme = scheme_of(model);
  const auto count = [&](long steps) {
    model.time.steps = steps;
    const long before = allocations.load();
    EXPECT_EQ(run(model, system, scheme).status, Status::done);
    return allocations.load() - before;
  };
  (void)count(1);  // the system makes its matrix when it is first asked for it
  const long few = count(50);
  EXPECT_EQ(count(500), few);
}

// Nor does what is kept for the page: its buffers are made at the start, and thinned when they are full.
TEST(Allocation, OfAReportDoesNotGrowWithItsSteps) {
  Model model = chain(20);
  model.time.scheme = "energy-momentum-exact";
  const System system(model);
  const Scheme scheme = scheme_of(model);
  // What the page adds to a run: at barriers, every thousand steps, its solver takes memory anew.
  const auto count = [&](long steps) {
    model.time.steps = steps;
    PageRecorder report;
    Observer* const observers[] = {&report};
    const long before = allocations.load();
    EXPECT_EQ(run(model, system, scheme, observers).status, Status::done);
    const long with = allocations.load() - before;
    EXPECT_EQ(run(model, system, scheme).status, Status::done);
    return 2 * with - (allocations.load() - before);
  };
  (void)count(1);  // the system makes its matrix when it is first asked for it
  const long few = count(50);
  EXPECT_EQ(count(99), few);  // as many digits: the model is kept as text
  EXPECT_LT(count(9000), few + 20);
}

}  // namespace
}  // namespace trompo
