#include "trompo/run/reference.hpp"

#include <fmt/format.h>

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <limits>
#include <optional>

#include "trompo/run/segment.hpp"
#include "trompo/scheme/consistent_start.hpp"

namespace trompo {

namespace {

// y = (q, v) of the free coordinates, then quaternion and angular velocity of each body; y' with the accelerations of the
// index-1 system.
class FirstOrderForm {
 public:
  using Y = std::vector<double>;
  FirstOrderForm(const System& system, const State& state) : system_(system), start_(system), state_(state) {
    for (const int c : system.free())
      if (system.body_of(c) < 0) own_.push_back(c);
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
  // The end of a step: turns are counted from here on.
  void accept(const Y& y, double t) {
    spread(y, t);
    system_.settle(state_.q);
  }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] Y gather() const {
    Y y;
    for (const int c : own_) y.push_back(state_.q[c]);
    for (const int c : own_) y.push_back(state_.v[c]);
    for (const Rotation& r : state_.rotations) {
      y.insert(y.end(), r.orientation.coeffs().begin(), r.orientation.coeffs().end());
      y.insert(y.end(), r.angular_velocity.begin(), r.angular_velocity.end());
    }
    return y;
  }
  long evaluations = 0;

 private:
  void spread(const Y& y, double t) {
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
  }

  const System& system_;
  ConsistentStart start_;
  State state_;
  std::vector<int> own_;  // free coordinates that do not follow a body's rotation
};

// Work of the first order form: what an evaluation costs grows with the rows that are solved together.
class Effort {
 public:
  Effort(const System& system, double end)
      : each_(system.coordinates() + 12.0 * (system.multipliers() + static_cast<double>(system.bodies().size()))), end_(end) {}
  // Was it too much, or will it be, if it goes on as it began?
  [[nodiscard]] bool too_much(long evaluations, double t, double budget) const {
    const double work = each_ * static_cast<double>(evaluations), share = t / end_;
    return work > budget || (work > 0.02 * budget && work > (share < 0.25 ? 3 : 1.2) * budget * share);
  }
  static constexpr double all = 3e8;  // coordinate evaluations, some seconds

 private:
  double each_, end_;
};

// Steps land on multiples of the model's step, so that the kinks of tables are met and energy is sampled, and on events.
// Nothing if it is too dear, or where accelerations or what comes after an event do not exist.
class DormandPrinceSolution {
 public:
  DormandPrinceSolution(const Model& model, const System& system, const std::function<void(double)>& progress)
      : model_(model), first_(system), effort_(system, end_time(model)), progress_(progress) {}

  // With so many steps at least to a step of the model: solutions with different numbers of them are never the same.
  [[nodiscard]] std::optional<ReferenceSolution> find(double tolerance, int parts, double budget) {
    budget_ = budget;
    Segments segments(model_, first_);
    state_ = initial_state(model_, first_);
    found_ = {};
    evaluations_ = 0;
    try {
      if (segments.due(0)) segments.next(state_);
      while (true) {
        if (!pass(segments.system(), segments.clock(state_.time), tolerance, parts)) return std::nullopt;
        if (segments.last()) break;
        segments.next(state_);
      }
    } catch (const ModelError&) {
      return std::nullopt;
    }
    found_.q = state_.q;
    found_.v = state_.v;
    return found_;
  }

 private:
  [[nodiscard]] bool pass(const System& system, Clock clock, double tolerance, int parts) {
    namespace odeint = boost::numeric::odeint;
    FirstOrderForm form(system, state_);
    const long before = evaluations_;
    auto y = form.gather();
    auto stepper = odeint::make_controlled(tolerance, tolerance, odeint::runge_kutta_dopri5<FirstOrderForm::Y>());
    double t = state_.time, h = 1e-3 * model_.time.step;
    if (!measure(system)) return false;
    for (; !clock.over(); clock.advance()) {
      const double next = clock.next(), longest = clock.part_size() / parts;
      while (t < next) {
        const double limit = next - t > 1.5 * longest ? longest : next - t;
        const bool cut = h >= limit;  // a step shortened to land on the grid says nothing about the next one
        double trial = cut ? limit : h;
        const bool last = cut && limit == next - t;
        const bool accepted = stepper.try_step(std::ref(form), y, t, trial) == odeint::success;
        if (accepted && last) t = next;
        if (accepted) form.accept(y, t);
        h = accepted && cut ? std::max(h, trial) : trial;
        evaluations_ = before + form.evaluations;
        if (!(h > 1e-14 * next) || effort_.too_much(evaluations_, t, budget_)) return false;
        if (progress_) progress_(t / end_time(model_));
      }
      state_ = form.state();
      if (!measure(system)) return false;
    }
    return true;
  }
  [[nodiscard]] bool measure(const System& system) {
    const double scale = system.kinetic(state_.v) + system.potentials(state_.q).size();
    found_.energy_scale = std::max(found_.energy_scale, scale);
    return std::isfinite(scale);
  }

  const Model& model_;
  const System& first_;
  Effort effort_;
  double budget_ = 0;
  const std::function<void(double)>& progress_;
  State state_;
  ReferenceSolution found_;
  long evaluations_ = 0;
};

// The motion is the same in every formulation, and energy-momentum-exact has one for each kind of model. Of runs with step/4,
// /8 and /16 each neighbours give an extrapolation of fourth order; how far those two are apart tells the error.
class Richardson {
 public:
  Richardson(const Model& model, const System& system, const std::function<void(double)>& progress)
      : model_(model), system_(&system), progress_(progress) {
    model_.sensors.clear();
    model_.time.steps.reset();
    model_.time.end = end_time(model);
    if (!refusal(*scheme_.row, system).empty()) {
      model_.formulation = "directors";
      system_ = &own_.emplace(model_);
    }
  }
  [[nodiscard]] ReferenceSolution find() {
    ReferenceSolution solution;
    std::vector<RunResult> runs;
    for (const int parts : {4, 8, 16}) {
      runs.push_back(fine(parts));
      solution.energy_scale = runs.back().ledger.scale();
      if (runs.back().status == Status::done) continue;
      solution.method =
          fmt::format("none: Dormand-Prince cannot reach the end, and energy-momentum-exact at step/{} stops at t = {:.6g} s",
                      parts, runs.back().state.time);
      return solution;
    }
    const auto better = [](const VecX& coarse, const VecX& half) -> VecX { return half + (half - coarse) / 3; };
    solution.method = "Richardson extrapolation of energy-momentum-exact at step/8 and step/16";
    solution.q = better(runs[1].state.q, runs[2].state.q);
    solution.v = better(runs[1].state.v, runs[2].state.v);
    solution.error = distance(*system_, solution.q, better(runs[0].state.q, runs[1].state.q)) / 15;
    return solution;
  }

 private:
  struct Watch final : Observer {
    explicit Watch(const std::function<void(double)>& hears) : progress(hears) {}
    void begin(const RunPlan& plan) override { steps = plan.steps; }
    void step(long done) override {
      if (progress) progress(static_cast<double>(done) / static_cast<double>(steps));
    }
    const std::function<void(double)>& progress;
    long steps = 1;
  };
  [[nodiscard]] RunResult fine(int parts) const {
    Model copy = model_;
    copy.time.step = model_.time.step / parts;
    copy.output.every = std::numeric_limits<long>::max();
    Watch watch(progress_);
    Observer* const observers[] = {&watch};
    return run(copy, *system_, scheme_, observers);
  }
  Model model_;
  const Scheme scheme_ = make_scheme("energy-momentum-exact");
  const System* system_;
  std::optional<System> own_;
  const std::function<void(double)>& progress_;
};

// Of the rotation that takes one frame into the other: from its skew part and its trace, which the lengths of axes that are off
// by rounding do not touch.
double angle_between(const Mat3& a, const Mat3& b) {
  const Mat3 turn = a.transpose() * b;
  const Vec3 skew(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
  return std::atan2(skew.norm(), turn.trace() - 1);
}

}  // namespace

double distance(const System& system, const VecX& a, const VecX& b) {
  if (!a.allFinite() || !b.allFinite()) return std::numeric_limits<double>::quiet_NaN();
  const auto apart = [&](int c) { return system.equation()[c] < 0 ? 0.0 : b[c] - a[c]; };
  double most = 0;
  for (const int c : system.scalars()) most = std::max(most, std::abs(apart(c)));
  for (const int c : system.nodes()) most = std::max(most, Vec3(apart(c), apart(c + 1), apart(c + 2)).norm());
  for (const RigidBody& body : system.bodies()) {
    most = std::max(most, (b.segment<3>(body.first) - a.segment<3>(body.first)).norm());
    const auto frame = [&body](const VecX& q) { return Mat3(Eigen::Map<const Mat3>(q.data() + body.first + 3)); };
    most = std::max(most, angle_between(frame(a), frame(b)));
  }
  return most;
}

ReferenceSolution reference_solution(const Model& model, const System& system, const std::function<void(double)>& progress) {
  DormandPrinceSolution exact(model, system, progress);
  // Ten times as tight a tolerance costs half as much again.
  if (const auto loose = exact.find(1e-11, 1, Effort::all / 1.6))
    if (auto tight = exact.find(1e-12, 2, Effort::all)) {
      tight->method = "Dormand-Prince at 1e-12";
      tight->error = distance(system, tight->q, loose->q);
      return *tight;
    }
  return Richardson(model, system, progress).find();
}

}  // namespace trompo
