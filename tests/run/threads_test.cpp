// Two threads share one System and step two states, each with its own stepper: the bytes are those of one thread alone. Under
// ThreadSanitizer (`make threads`) nothing that both write is found.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace run_threads {

// As far as it goes with steps of h.
std::vector<double> motion(const Model& model, const System& system, const Scheme& scheme, double h) {
  const std::unique_ptr<Stepper> stepper = make_stepper(scheme, system, newton_options(model));
  State state = initial_state(model, system);
  const InitialBalance balance = initial_balance(model, system, state);
  stepper->start(state, balance.acceleration, balance.multipliers);
  std::vector<double> all;
  for (int i = 0; i < 8 && stepper->step(state, state.time + h).done(); ++i) {
    all.insert(all.end(), state.q.begin(), state.q.end());
    all.insert(all.end(), state.v.begin(), state.v.end());
    all.push_back(system.potentials(state.q).sum());
  }
  return all;
}

struct Shared {
  const char* file;
  const char* formulation;
  double h;
};

class Threads : public testing::TestWithParam<Shared> {};

TEST_P(Threads, ShareASystem) {
  const std::vector<std::string> changes{std::string("formulation=\"") + GetParam().formulation + "\""};
  const Model model = read_model(places::source(GetParam().file), changes);
  const System system(model);
  const double h[2] = {GetParam().h, 0.5 * GetParam().h};
  int rows = 0;
  for (const char* name :
       {"trapezoidal", "generalized-alpha", "bathe", "energy-momentum-exact", "discrete-gradient", "krenk", "rk4"}) {
    const Scheme scheme = make_scheme(name);
    if (!refusal(*scheme.row, system).empty()) continue;
    SCOPED_TRACE(name);
    std::vector<double> alone[2], together[2];
    for (int i = 0; i < 2; ++i) alone[i] = motion(model, system, scheme, h[i]);
    {
      std::vector<std::thread> threads;
      for (int i = 0; i < 2; ++i) threads.emplace_back([&, i] { together[i] = motion(model, system, scheme, h[i]); });
      for (std::thread& thread : threads) thread.join();
    }
    for (int i = 0; i < 2; ++i) EXPECT_EQ(alone[i], together[i]);
    rows += alone[1].empty() ? 0 : 1;
  }
  EXPECT_GE(rows, 3);
}

INSTANTIATE_TEST_SUITE_P(Models, Threads,
                         testing::Values(Shared{"tests/benchmarks/models/points.toml", "directors", 0.002},
                                         Shared{"tests/benchmarks/models/bodies.toml", "directors", 0.002},
                                         Shared{"tests/benchmarks/models/bodies.toml", "rotation", 0.002},
                                         Shared{"tests/benchmarks/models/bodies.toml", "euler-parameters", 0.002},
                                         Shared{"tests/benchmarks/models/rods.toml", "directors", 0.001}));

}  // namespace run_threads
}  // namespace trompo
