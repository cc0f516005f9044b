#include "trompo/run/period.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trompo/scheme/frame_reduction.hpp"

namespace trompo {

namespace {

template <std::size_t N>
double polynomial(const std::array<double, N>& ts, const std::array<double, N>& us, double t) {  // Lagrange's
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) {
    double term = us[i];
    for (std::size_t j = 0; j < N; ++j)
      if (j != i) term *= (t - ts[j]) / (ts[i] - ts[j]);
    sum += term;
  }
  return sum;
}

VecX only(double u) { return VecX::Constant(1, u); }

}  // namespace

void Crossings::add(double time, double value, double beside) {
  const auto push = [](auto& window, double x) {
    std::shift_left(window.begin(), window.end(), 1);
    window.back() = x;
  };
  push(times_, time);
  push(values_, value);
  push(besides_, beside);
  constexpr std::size_t before = points / 2 - 1, after = points / 2;
  if (++seen_ < points || values_[before] >= 0 || values_[after] < 0) return;
  double low = times_[before], high = times_[after];
  for (double middle = 0.5 * (low + high); low < middle && middle < high; middle = 0.5 * (low + high))
    (polynomial(times_, values_, middle) < 0 ? low : high) = middle;
  last_ = {high, polynomial(times_, besides_, high)};
  if (++cycles_ == 0) first_ = last_;
}

double tangent_stiffness(const System& system, double u) {
  double stiffness = 0;
  const FrameReduction unknowns(system, 3);
  Assembly assembly;
  unknowns.direct(&stiffness, assembly);
  system.force_between({}, only(u), only(u), only(0), assembly);
  return stiffness;
}

// T = 4 int_0^A du / v with v from energy. With u = A sin(angle) the integrand is smooth and periodic, so the midpoint rule
// converges faster than any power of the number of points, and it does not meet the end, where it is 0/0.
FreeOscillation free_oscillation(const System& system, double amplitude) {
  constexpr int points = 64;
  constexpr double width = 0.5 * std::numbers::pi / points;
  const double energy = system.potentials(only(amplitude)).sum();
  double time = 0, impulse = 0;
  for (int i = 0; i < points; ++i) {
    const double angle = (i + 0.5) * width, u = amplitude * std::sin(angle);
    const double speed = std::sqrt(2 * (energy - system.potentials(only(u)).sum()) / system.mass()[0]);
    const double duration = width * amplitude * std::cos(angle) / speed;
    time += duration;
    impulse += duration * tangent_stiffness(system, u);
  }
  return {4 * time, impulse / time};
}

double period_error(Model model) {
  constexpr double least_cycles = 11, least_steps = 5000;
  const System system(model);
  const double exact = free_oscillation(system, model.coordinates.at(0).value).period;
  model.time.steps = std::lround(std::ceil(std::max(least_cycles * exact / model.time.step, least_steps)));
  model.time.end.reset();
  model.output.every = 1;
  PeriodWatch watch;
  Observer* observers[] = {&watch};
  const RunResult result = run(model, system, scheme_of(model), observers);
  return result.status == Status::done ? watch.period() / exact - 1 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace trompo
