// W. T. Matias Silva, Publicacion CIMNE 259 (2004), sections 3 and 6: each statement without gravity and as printed.
#include <fmt/format.h>

#include <cmath>

#include "apps/reproduce.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {

// When energy passes 1.02, 2 and 30 times its initial value, potentials counted from the start.
class OnsetWatch final : public Observer {
 public:
  void sample(const Sample& now) override {
    if (now.step == 0) zero_ = now.ledger.potentials().sum(), initial_ = now.ledger.kinetic();
    const double energy = now.ledger.total() - zero_;
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (!at[i] && energy > factors[i] * initial_) at[i] = now.time;
  }
  [[nodiscard]] double zero() const { return zero_; }
  static constexpr std::array<double, 3> factors{1.02, 2, 30};
  std::array<std::optional<double>, 3> at;

 private:
  double zero_ = 0, initial_ = 0;
};

struct Measured : Outcome {
  std::optional<double> window_end{};  // of an onset: E = 30 E0
};

Measured measure(const std::string& quantity, Model model) {
  model.output.every = 1;
  OnsetWatch watch;
  Observer* observers[] = {&watch};
  const RunResult result = run(model, System(model), scheme_of(model), observers, {.keep_going = true});
  const double length = model.nodes.size() == 2 ? (model.nodes[1].position - model.nodes[0].position).norm() : 0;
  const auto plain = [](double x, const char* format) { return Measured{{x, fmt::format(fmt::runtime(format), x)}}; };
  if (quantity == "onset") {
    const auto& [first, onset, last] = watch.at;
    if (!onset) return {{std::nan(""), "no growth"}};
    const double end = last.value_or(*onset);
    return {{*onset, fmt::format("{:.1f}/{:.1f}/{:.1f}", first.value_or(0), *onset, end)}, end};
  }
  if (quantity.starts_with("energy_end") || quantity == "energy_below")
    return plain(result.total.final - watch.zero(), "{:.3f}");
  if (quantity == "energy_band") return plain((result.total.max - result.total.min) / result.ledger.scale(), "{:.2e}");
  if (quantity.starts_with("elongation"))
    return plain(std::max(std::abs(result.sensors[0].min), std::abs(result.sensors[0].max)) * length, "{:.4g}");
  if (quantity == "retries") return plain(static_cast<double>(result.retries), "{:.0f}");
  throw std::logic_error("unknown quantity '" + quantity + "'");
}

bool agrees(const std::string& quantity, double paper, const Measured& ours) {
  if (quantity == "onset") return ours.window_end && paper >= ours.value - 0.5 && paper <= *ours.window_end + 0.5;
  if (quantity == "energy_end") return std::abs(ours.value - paper) <= 1;
  if (quantity == "energy_below" || quantity == "elongation_below") return ours.value < paper;
  if (quantity == "energy_band") return ours.value <= 1e-12;
  if (quantity == "elongation") return std::abs(ours.value - paper) <= 0.1 * paper;
  if (quantity == "elongation_order") return ours.value < 2 * paper && ours.value > 0.5 * paper;
  return ours.value == paper;
}

Answer answer(const Statement& s) {
  const Measured printed = measure(s.quantity, s.model);
  Measured ours = printed;
  if (s.model.nodes.empty()) {
    ours.text.clear();  // the pendulum in its angle is nothing without gravity
  } else {
    Model weightless = s.model;
    weightless.gravity.setZero();
    ours = measure(s.quantity, weightless);
  }
  return {{ours, printed}, agrees(s.quantity, s.paper, ours)};
}

}  // namespace

Study pendulum_study() {
  return {"pendulum", {{"ours, g = 0", "ours"}, {"ours, as printed", "as_printed"}}, answer, pendulum_figures};
}

}  // namespace trompo
