// Speed on the path that ships: from a model file, ledger on, default tolerances. Times are shown beside the energy balance
// they were bought with, and as ratios to a yardstick measured in the same run, so that machines can be compared.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <Eigen/LU>
#include <chrono>

#include "trompo/law/uncoupled.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/measure/composed_measure.hpp"
#include "trompo/measure/coordinate.hpp"
#include "trompo/measure/formula_measure.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"
#include "trompo/system/rule.hpp"

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
  state.counters["error"] = result.constraint_error_max;
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
  for (const Row& row : general_rows()) {
    const std::string scheme(row.name);
    benchmark::RegisterBenchmark(("Pendulum/" + scheme).c_str(), [scheme](benchmark::State& s) { Pendulum(s, scheme); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();
// A step of the heavy top of examples/.
void HeavyTop(benchmark::State& state, const std::string& scheme) {
  const std::string overrides[] = {"time.scheme=" + scheme, "time.end=200"};
  run_for(state, read_model(TROMPO_SOURCE "/examples/top.toml", overrides));
}
const bool tops_registered = [] {
  for (const char* scheme : {"simo-wong", "simo-collocation", "simo-projection", "geradin-bauchau", "geradin-bauchau-momentum",
                             "euler-poisson-midpoint", "energy-momentum-exact"})
    benchmark::RegisterBenchmark((std::string("Top/") + scheme).c_str(), [scheme](benchmark::State& s) { HeavyTop(s, scheme); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  return true;
}();
// A chain of n plates with torsion springs in its hinges, falling from the horizontal: directors, step 1 ms.
void Plates(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  std::string text = "gravity = [0, 0, -9.81]\n";
  for (int k = 0; k < n; ++k) {
    text +=
        fmt::format("[[body]]\nname = \"p{}\"\nmass = 1\nshape = {{ plate = [1, 1] }}\nposition = [0, {}, 0]\n", k, k + 0.5);
    text += fmt::format(
        "[[joint]]\nname = \"h{}\"\nbodies = [\"{}\", \"p{}\"]\nhinge = {{ axis = [1, 0, 0], at = [0, {}, 0] }}\nstiffness = "
        "100\n",
        k, k == 0 ? "ground" : fmt::format("p{}", k - 1), k, k);
  }
  text += "[time]\nstep = 0.001\nsteps = 400\nscheme = \"energy-momentum-exact\"\n";
  run_for(state, parse_model(text, "plates"));
}
BENCHMARK(Plates)->Arg(7)->Arg(31)->Arg(255)->Arg(2047)->UseManualTime()->Unit(benchmark::kMillisecond);

// The rod of examples/flying_rod.toml in n elements, thrown and tumbling.
void Rod(benchmark::State& state) {
  const std::string overrides[] = {"rod.rod.elements=" + std::to_string(state.range(0)), "time.end=15"};
  run_for(state, read_model(TROMPO_SOURCE "/examples/flying_rod.toml", overrides));
}
BENCHMARK(Rod)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(Chain)->Arg(1000)->Arg(10000)->UseManualTime()->Unit(benchmark::kMillisecond);

// ---- a typed energy against the same written by hand: force and tangent of one term ----

// W = k/lambda^2 (cosh(lambda r) - 1): the oscillator of examples/sinh_oscillator.toml, as one would write it by hand.
struct Sinh {
  static constexpr double lambda = 2;

  static double energy(double k, double r) { return k / (lambda * lambda) * (std::cosh(lambda * r) - 1); }
  static double stress(double k, double r) { return k / lambda * std::sinh(lambda * r); }
  static double stiffness(double k, double r) { return k * std::cosh(lambda * r); }
  static double secant_stress(double k, double r0, double r1) {
    return k / lambda * std::sinh(0.5 * lambda * (r0 + r1)) * quotient(0.5 * lambda * (r1 - r0));
  }
  static double secant_stiffness(double k, double r0, double r1) {
    const double mean = 0.5 * lambda * (r0 + r1), d = 0.5 * lambda * (r1 - r0);
    return 0.5 * k * (std::cosh(mean) * quotient(d) + std::sinh(mean) * slope(d));
  }

 private:
  static double quotient(double x) { return std::abs(x) < 1e-4 ? 1 + x * x / 6 : std::sinh(x) / x; }
  static double slope(double x) { return std::abs(x) < 1e-3 ? x / 3 + x * x * x / 30 : (std::cosh(x) - std::sinh(x) / x) / x; }
};
constexpr Law sinh_law = uncoupled<Sinh>();

// Steps of one term of about unit size, one after the other.
class TermSteps {
 public:
  static constexpr int count = 64;

  template <class M>
  TermSteps(const M& phi, const Law& law, double parameter)
      : owner_(std::make_shared<const M>(phi)),
        measure_(view(*static_cast<const M*>(owner_.get()))),
        law_(&law),
        parameter_(parameter),
        force_(measure_.n),
        tangent_(measure_.n, measure_.n) {
    std::srand(1);
    for (std::size_t i = 0; i < count; ++i) {
      c0_[i] = VecX::Random(measure_.n);
      if (measure_.n == 6) c0_[i].tail<3>() += Vec3(1.5, 1, 0.3);
      c1_[i] = c0_[i] + 0.1 * VecX::Random(measure_.n);
    }
  }
  void pass(const Rule& rule) {
    ScratchRoom room(rule_scratch(measure_));
    const ElasticTerm term{measure_, law_, &parameter_};
    for (std::size_t i = 0; i < count; ++i) {
      step_force(rule, term, c0_[i].data(), c1_[i].data(), force_.data(), tangent_.data(), room.scratch());
      benchmark::DoNotOptimize(force_.data());
      benchmark::DoNotOptimize(tangent_.data());
      benchmark::ClobberMemory();
    }
  }
  [[nodiscard]] double seconds(const Rule& rule) {
    const auto begin = std::chrono::steady_clock::now();
    pass(rule);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / count;
  }

 private:
  std::shared_ptr<const void> owner_;
  MeasureView measure_;
  const Law* law_;
  double parameter_;
  std::array<VecX, count> c0_, c1_;
  VecX force_;
  Eigen::MatrixXd tangent_;
};

// Both in turn, so that a busy machine is busy for both; the best of each counts.
void compare(benchmark::State& state, Rule::Kind kind, TermSteps hand, TermSteps typed) {
  const Rule rule{.kind = kind, .old_weight = 0.5};
  double by_hand = 1e9, by_formula = 1e9;
  for (auto _ : state) {
    by_hand = std::min(by_hand, hand.seconds(rule));
    const double seconds = typed.seconds(rule);
    by_formula = std::min(by_formula, seconds);
    state.SetIterationTime(seconds * TermSteps::count);  // of the whole pass
  }
  state.counters["ns hand"] = 1e9 * by_hand;
  state.counters["ns typed"] = 1e9 * by_formula;
  state.counters["typed/hand"] = by_formula / by_hand;
}

constexpr std::array<std::string_view, 1> angle{"u"}, invariant{"s"};
constexpr std::array<std::string_view, 6> two_points{"a.x", "a.y", "a.z", "b.x", "b.y", "b.z"};
Formula typed(std::string_view text, std::span<const std::string_view> names) {
  return Formula(text, names, {{"m", 2}, {"g", 9.81}, {"l", 1.3}, {"k", 1}, {"lambda", 2}, {"EA", 100}, {"L", 1.7}});
}
TermSteps over_coordinates(std::string_view text, std::span<const std::string_view> names) {
  const FormulaMeasure measure(std::make_shared<const Formula>(typed(text, names)), static_cast<int>(names.size()));
  return {measure, potential_law, 1};
}
void TypedPendulum(benchmark::State& state, Rule::Kind kind) {
  compare(state, kind, {CoordinateMeasure{}, weight_law, 2 * 9.81 * 1.3}, over_coordinates("m*g*l*(1 - cos(u))", angle));
}
void TypedSinh(benchmark::State& state, Rule::Kind kind) {
  compare(state, kind, {CoordinateMeasure{}, sinh_law, 1}, over_coordinates("k/lambda^2*(cosh(lambda*u) - 1)", angle));
}
TermSteps bar_by_hand() { return {EngineeringStrain(1.7), linear_law, 100 * 1.7}; }
void TypedBarOverCoordinates(benchmark::State& state, Rule::Kind kind) {
  compare(state, kind, bar_by_hand(),
          over_coordinates("EA*L/2*((sqrt((b.x-a.x)^2 + (b.y-a.y)^2 + (b.z-a.z)^2) - L)/L)^2", two_points));
}
void TypedBarOverItsInvariant(benchmark::State& state, Rule::Kind kind) {
  const ComposedMeasure measure(typed("EA*L/2*((sqrt(s) - L)/L)^2", invariant),
                                {typed("(b.x-a.x)^2 + (b.y-a.y)^2 + (b.z-a.z)^2", two_points)}, 6);
  compare(state, kind, bar_by_hand(), {measure, potential_law, 1});
}
BENCHMARK_CAPTURE(TypedPendulum, secant, Rule::Kind::secant)->UseManualTime();
BENCHMARK_CAPTURE(TypedPendulum, quartic, Rule::Kind::quartic)->UseManualTime();
BENCHMARK_CAPTURE(TypedSinh, secant, Rule::Kind::secant)->UseManualTime();
BENCHMARK_CAPTURE(TypedSinh, quartic, Rule::Kind::quartic)->UseManualTime();
BENCHMARK_CAPTURE(TypedBarOverCoordinates, secant, Rule::Kind::secant)->UseManualTime();
BENCHMARK_CAPTURE(TypedBarOverCoordinates, quartic, Rule::Kind::quartic)->UseManualTime();
BENCHMARK_CAPTURE(TypedBarOverItsInvariant, secant, Rule::Kind::secant)->UseManualTime();
BENCHMARK_CAPTURE(TypedBarOverItsInvariant, quartic, Rule::Kind::quartic)->UseManualTime();

}  // namespace
}  // namespace trompo

BENCHMARK_MAIN();
