// Runs of the top and what is measured on them.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "apps/reproduce_top.hpp"

namespace trompo {

TopRun::TopRun(Model model, int halvings) : top(System(model)) {
  model.output.every = 1;
  Observer* observers[] = {this};
  result = run(model, System(model), scheme_of(model), observers, {.max_halvings = halvings, .keep_going = true});
  unit = top.weight > 0 ? top.weight : energies[0];
}

void TopRun::sample(const Sample& now) {
  times.push_back(now.time);
  energies.push_back(now.ledger.total());
  states.push_back(now.state.rotations.front());
}

double TopRun::vertical_error(std::size_t i) const {
  return std::abs(top.gamma.dot(top.momentum(states[i])) / top.gamma.dot(top.momentum(states[0])) - 1);
}
double TopRun::spin_error(std::size_t i) const { return std::abs(top.spin(states[i]) / top.spin(states[0]) - 1); }
double TopRun::momentum_error(std::size_t i) const {
  return (top.momentum(states[i]) - top.momentum(states[0])).norm() / top.momentum(states[0]).norm();
}
double TopRun::momentum_size_error(std::size_t i) const {
  return std::abs(top.momentum(states[i]).norm() / top.momentum(states[0]).norm() - 1);
}
double TopRun::tilt(std::size_t i) const {  // by the sine, which has digits where the cosine has none
  const Vec3 axis = top.axis(states[i]);
  return std::atan2(axis.cross(top.gamma).norm(), axis.dot(top.gamma));
}
double TopRun::largest(Error error) const {
  double most = 0;
  for (std::size_t i = 0; i < states.size(); ++i) most = std::max(most, (this->*error)(i));
  return most;
}

Rotation start_of(const Model& model) { return initial_state(model, System(model)).rotations.front(); }
double turn_of(const Model& model) { return model.time.step * start_of(model).angular_velocity.norm(); }

Model with_turn(Model model, double turn) {
  model.time.step = turn / start_of(model).angular_velocity.norm();
  return model;
}

Model with_group_one(Model model, const GroupOne& scheme) {
  model.formulation = scheme.formulation;
  model.time.scheme = scheme.scheme;
  if (scheme.rho < 1 || std::string(scheme.scheme).starts_with("generalized"))
    model.time.parameters = {{"rho_infinity", scheme.rho}};
  return model;
}

Model long_enough(Model model) {
  constexpr double periods = 20, least_steps = 2000;
  const HeavyTop top{System(model)};
  const Rotation start = start_of(model);
  const double period =
      top.weight > 0 ? exact_nutation(top, start).period : exact_tumbling_period(top.inertia, start.angular_velocity);
  model.time.end.reset();
  model.time.steps = std::lround(std::ceil(std::max(periods * period / model.time.step, least_steps)));
  return model;
}

namespace {
Nutation measured(const TopRun& run) { return measured_nutation(run.top, run.times, run.states); }
Nutation exact(const TopRun& run) { return exact_nutation(run.top, run.states[0]); }
}  // namespace

double nutation_error(const TopRun& run) { return measured(run).period / exact(run).period - 1; }
double precession_error(const TopRun& run) { return measured(run).precession() / exact(run).precession() - 1; }
double nutation_size(const TopRun& run) {
  const Nutation n = measured(run), e = exact(run);
  return (n.highest - n.lowest) / (e.highest - e.lowest);
}
double flip_error(const TopRun& run) {
  const double exact_period = exact_tumbling_period(run.top.inertia, run.states[0].angular_velocity);
  return measured_tumbling_period(run.times, run.states, Vec3::UnitY()) / exact_period - 1;
}

double measured_growth(const TopRun& run) {
  const auto passes = [&run](double tilt) {
    std::size_t i = 1;
    while (i < run.times.size() && run.tilt(i) < tilt) ++i;
    if (i == run.times.size()) return std::nan("");
    const double share = std::log(tilt / run.tilt(i - 1)) / std::log(run.tilt(i) / run.tilt(i - 1));
    return run.times[i - 1] + share * (run.times[i] - run.times[i - 1]);
  };
  return std::log(10) / (passes(1000 * run.tilt(0)) - passes(100 * run.tilt(0)));
}

namespace {

// Ends a run as soon as the tilt is thirty times what it was.
class FallGuard final : public Observer {
 public:
  explicit FallGuard(const HeavyTop& top) : top_(top) {}
  void sample(const Sample& now) override {
    const double sine = top_.axis(now.state.rotations.front()).cross(top_.gamma).norm();
    if (now.step == 0) limit_ = 30 * sine;
    if (sine > limit_) fallen = true;
  }
  std::atomic<bool> fallen = false;

 private:
  HeavyTop top_;
  double limit_ = 0;
};

}  // namespace

// In 60 s the tilt grows thirtyfold if the spin is 0.05 % below the critical one, and swings that far 0.06 % above it.
double measured_critical_spin(const Model& model) {
  const double turn = turn_of(model);
  const auto falls = [&](double spin) {
    Model trial = model;
    trial.bodies[0].angular_velocity = Vec3(0, 0, spin);
    trial.output.every = 10;  // often enough for what grows in seconds
    trial = with_turn(trial, turn);
    const System system(trial);
    FallGuard guard{HeavyTop(system)};
    Observer* observers[] = {&guard};
    const RunOptions options{.stop = &guard.fallen, .max_halvings = 0, .keep_going = true};
    return !run(trial, system, scheme_of(trial), observers, options).reached_end;
  };
  double low = 5, high = 80;
  if (!falls(low)) return 0;
  if (falls(high)) return std::nan("");
  while (high - low > 0.005) {
    const double middle = 0.5 * (low + high);
    (falls(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace trompo
