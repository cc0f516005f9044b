// Speed on the path that ships: from a model file, ledger on, default tolerances. Times are shown beside the energy balance
// they were bought with, and as ratios to a yardstick measured in the same run, so that machines can be compared.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <Eigen/LU>
#include <chrono>

#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {
namespace {

double yardstick_seconds() {
  static const double seconds = [] {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(200, 200) + 200 * Eigen::MatrixXd::Identity(200, 200);
    double best = 1e9;
    for (int i = 0; i < 200; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      const Eigen::PartialPivLU<Eigen::MatrixXd> lu(A);
      benchmark::DoNotOptimize(lu.determinant());
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
  }();
  return seconds;
}

void Yardstick(benchmark::State& state) {
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(200, 200) + 200 * Eigen::MatrixXd::Identity(200, 200);
  for (auto _ : state) {
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(A);
    benchmark::DoNotOptimize(lu.determinant());
  }
}
BENCHMARK(Yardstick)->Unit(benchmark::kMicrosecond);

void report(benchmark::State& state, const RunResult& result, long steps, long iterations, double seconds) {
  const double per_step = seconds / static_cast<double>(steps), per_iteration = seconds / static_cast<double>(iterations);
  state.counters["us/step"] = 1e6 * per_step;
  state.counters["us/iteration"] = 1e6 * per_iteration;
  state.counters["step/yardstick"] = per_step / yardstick_seconds();
  state.counters["balance"] = result.ledger.worst_residual() / result.ledger.scale();
}

void run_for(benchmark::State& state, const Model& model) {
  const System system(model);
  const Scheme scheme = scheme_of(model);
  long steps = 0, iterations = 0;
  double seconds = 0;
  RunResult last;
  for (auto _ : state) {
    last = run(model, system, scheme);
    state.SetIterationTime(last.wall_seconds);
    seconds += last.wall_seconds;
    steps += last.steps;
    iterations += last.iterations;
  }
  report(state, last, steps, iterations, seconds);
}

// A step of the elastic pendulum of examples/, each scheme.
void Pendulum(benchmark::State& state, const std::string& scheme) {
  const std::string overrides[] = {"time.scheme=" + scheme, "time.end=1000"};
  run_for(state, read_model(TROMPO_SOURCE "/examples/elastic_pendulum.toml", overrides));
}

// A hanging chain of n bars in space, plucked sideways.
void Chain(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  std::string text = "gravity = [0, 0, -9.81]\n";
  for (int i = 0; i <= n; ++i)
    text += fmt::format("[[node]]\nname = \"n{}\"\nposition = [{}, 0, 0]\nmass = 0.1\n{}\n", i, 0.1 * i,
                        i == 0 || i == n ? "fixed = true" : "velocity = [0, 0.5, 0]");
  for (int i = 0; i < n; ++i)
    text += fmt::format("[[bar]]\nname = \"b{}\"\nnodes = [\"n{}\", \"n{}\"]\nEA = 1e4\n", i, i, i + 1);
  text += "[time]\nstep = 0.002\nsteps = 50\nscheme = \"energy-momentum-exact\"\n";
  run_for(state, parse_model(text, "chain"));
}

const bool registered = [] {
  for (const std::string& scheme : scheme_names())
    benchmark::RegisterBenchmark(("Pendulum/" + scheme).c_str(), [scheme](benchmark::State& s) { Pendulum(s, scheme); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  return true;
}();
BENCHMARK(Chain)->Arg(1000)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trompo

BENCHMARK_MAIN();
