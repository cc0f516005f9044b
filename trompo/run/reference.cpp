#include "trompo/run/reference.hpp"

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <limits>
#include <optional>

#include "trompo/run/clock.hpp"
#include "trompo/scheme/consistent_start.hpp"

namespace trompo {

namespace {

// y = (q, v) of the free coordinates, then quaternion and angular velocity of each body; y' with the accelerations of the
// index-1 system.
class FirstOrderForm {
 public:
  using Y = std::vector<double>;
  explicit FirstOrderForm(const System& system) : system_(system), start_(system), state_{0, VecX(), VecX()} {
    const int n = system.coordinates();
    for (VecX* x : {&state_.q, &state_.v}) x->setZero(n);
    state_.rotations.resize(system.bodies().size());
    for (const int c : system.free())
      if (system.body_of(c) < 0) own_.push_back(c);
    system.hold(state_.q, state_.v);
  }
  void operator()(const Y& y, Y& dy, double t) {
    ++evaluations;
    spread(y, t);
    const bool sound = start_.solve(state_);
    const std::size_t n = own_.size();
    for (std::size_t e = 0; e < n; ++e) {
      const int c = own_[e];
      dy[e] = y[n + e];
      dy[n + e] = sound ? start_.acceleration()[c] : std::numeric_limits<double>::quiet_NaN();
    }
    for (std::size_t b = 0; b < state_.rotations.size(); ++b) {
      const Rotation& r = state_.rotations[b];
      const Vec3& w = r.angular_velocity;
      const Quaternion rate = r.orientation * Quaternion(0, 0.5 * w.x(), 0.5 * w.y(), 0.5 * w.z());
      double* at = dy.data() + 2 * n + 7 * b;
      std::copy_n(rate.coeffs().data(), 4, at);
      std::copy_n(start_.angular_accelerations()[b].data(), 3, at + 4);
    }
  }
  const State& spread(const Y& y, double t) {
    const std::size_t n = own_.size();
    for (std::size_t e = 0; e < n; ++e) {
      state_.q[own_[e]] = y[e];
      state_.v[own_[e]] = y[n + e];
    }
    for (std::size_t b = 0; b < state_.rotations.size(); ++b) {
      const double* at = y.data() + 2 * n + 7 * b;
      state_.rotations[b] = {Quaternion(at).normalized(), Vec3(at[4], at[5], at[6])};
    }
    system_.write_frames(state_);
    system_.prescribe_at(t, state_.q, state_.v);
    state_.time = t;
    return state_;
  }
  [[nodiscard]] Y gather(const State& state) const {
    Y y;
    for (const int c : own_) y.push_back(state.q[c]);
    for (const int c : own_) y.push_back(state.v[c]);
    for (const Rotation& r : state.rotations) {
      y.insert(y.end(), r.orientation.coeffs().begin(), r.orientation.coeffs().end());
      y.insert(y.end(), r.angular_velocity.begin(), r.angular_velocity.end());
    }
    return y;
  }
  long evaluations = 0;

 private:
  const System& system_;
  ConsistentStart start_;
  State state_;
  std::vector<int> own_;  // free coordinates that do not follow a body's rotation
};

// Steps land on multiples of the model's step, so that the kinks of tables are met and energy is sampled. Nothing if it is too
// dear.
std::optional<ReferenceSolution> dormand_prince(const Model& model, const System& system, double tolerance) {
  namespace odeint = boost::numeric::odeint;
  constexpr double budget = 4e8;  // coordinate evaluations, some seconds
  FirstOrderForm form(system);
  auto y = form.gather(initial_state(model, system));
  auto stepper = odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_dopri5<FirstOrderForm::Y>());
  Clock clock = model.time.steps ? Clock(model.time.step, *model.time.steps) : Clock(model.time.step, end_time(model));
  ReferenceSolution solution;
  double t = 0, h = 1e-3 * model.time.step;
  while (!clock.over()) {
    const double next = clock.next();
    while (t < next) {
      const bool cut = h >= next - t;  // a step shortened to land on the grid says nothing about the next one
      double trial = cut ? next - t : h;
      const bool accepted = stepper.try_step(std::ref(form), y, t, trial) == odeint::success;
      if (accepted && cut) t = next;
      h = accepted && cut ? std::max(h, trial) : trial;
      if (!(h > 1e-14 * next) || static_cast<double>(form.evaluations) * system.coordinates() > budget) return std::nullopt;
    }
    const State& state = form.spread(y, next);
    const double scale = system.kinetic(state.v) + system.potentials(state.q).size();
    if (!std::isfinite(scale)) return std::nullopt;
    solution.energy_scale = std::max(solution.energy_scale, scale);
    clock.advance();
  }
  const State& state = form.spread(y, t);
  solution.q = state.q;
  solution.v = state.v;
  return solution;
}

ReferenceSolution richardson(const Model& model, const System& system) {
  const Scheme scheme = make_scheme("energy-momentum-exact");
  const auto fine = [&](int parts) {
    Model copy = model;
    copy.time.steps.reset();
    copy.time.end = end_time(model);
    copy.time.step = model.time.step / parts;
    return run(copy, system, scheme);
  };
  const RunResult coarse = fine(8), half = fine(16);
  ReferenceSolution solution;
  solution.method = "Richardson extrapolation of energy-momentum-exact at step/8 and step/16";
  solution.q = half.state.q + (half.state.q - coarse.state.q) / 3;
  solution.v = half.state.v + (half.state.v - coarse.state.v) / 3;
  solution.error = (half.state.q - coarse.state.q).cwiseAbs().maxCoeff() / 3;
  solution.energy_scale = half.ledger.scale();
  return solution;
}

}  // namespace

ReferenceSolution reference_solution(const Model& model, const System& system) {
  if (const auto loose = dormand_prince(model, system, 1e-11))
    if (auto tight = dormand_prince(model, system, 1e-12)) {
      tight->method = "Dormand-Prince at 1e-12";
      tight->error = (tight->q - loose->q).cwiseAbs().maxCoeff();
      return *tight;
    }
  return richardson(model, system);
}

}  // namespace trompo
