#include "trompo/run/study.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "trompo/model/vocabulary.hpp"

namespace trompo {

namespace {

// Watches energy step by step.
class EnergyWatch final : public Observer {
 public:
  explicit EnergyWatch(double reference_scale) : scale_(std::max(reference_scale, std::numeric_limits<double>::min())) {}
  void begin(const RunPlan& plan) override {
    stride_ = 1 + plan.steps / 2000;
    const System& system = plan.system;
    for (std::size_t i = 0; i < system.scalars().size(); ++i) trace(plan.model.coordinates[i].name, system.scalars()[i], 1);
    for (std::size_t i = 0; i < system.nodes().size(); ++i) {
      const int first = system.nodes()[i];
      const bool can_move =
          system.equation()[first] >= 0 || system.equation()[first + 1] >= 0 || system.equation()[first + 2] >= 0;
      if (can_move) trace(plan.model.nodes[i].name, first, 3);
    }
    for (std::size_t b = 0; b < system.bodies().size(); ++b) trace(plan.model.bodies[b].name, system.bodies()[b].first, 3);
  }
  void sample(const Sample& now) override {
    const Ledger& ledger = now.ledger;
    const double kept = ledger.total() - ledger.load_work() - ledger.support_work() + ledger.heat() - ledger.events();
    if (now.step == 0) initial_ = kept;
    worst = std::max(worst, std::abs(kept - initial_) / scale_);
    if (now.step % stride_ == 0) {
      times.push_back(now.time);
      changes.push_back((kept - initial_) / scale_);
      iterations.push_back(now.iterations);
      auto& place = path.emplace_back();
      for (int i = 0; i < width_; ++i) place[i] = now.state.q[first_ + i];
    }
  }
  double worst = 0;
  std::vector<double> times, changes, iterations;
  std::vector<std::array<double, 3>> path;
  std::string traced;

 private:
  void trace(const std::string& name, int first, int width) {
    traced = name;
    first_ = first;
    width_ = width;
  }
  int first_ = 0, width_ = 0;
  double scale_, initial_ = 0;
  long stride_ = 1;
};

}  // namespace

Contender contender(const std::string& text) {
  std::map<std::string, double> parameters;
  std::map<std::string, std::string> options;
  std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  while (colon != std::string::npos) {
    const std::size_t next = text.find(':', colon + 1);
    const std::string item = text.substr(colon + 1, next == std::string::npos ? next : next - colon - 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos || equals + 1 == item.size())
      throw SchemeError("scheme", "'" + item + "' in '" + text + "' is not key=value",
                        "write for example gem:rho_infinity=0.6");
    const std::string key = item.substr(0, equals);
    double value = 0;
    const char* const end = item.data() + item.size();
    if (std::from_chars(item.data() + equals + 1, end, value).ptr == end) {
      parameters[key] = value;
    } else {
      for (const Key& number : scheme_parameters())
        if (number.name == key)
          throw SchemeError(key, "'" + item + "' in '" + text + "' is not a number", "write for example gem:rho_infinity=0.6");
      options[key] = item.substr(equals + 1);
    }
    colon = next;
  }
  return {text, make_scheme(name, parameters, options)};
}

Comparison compare(const Model& model, const System& system, const Contender& contender, const ReferenceSolution& reference,
                   RunOptions options, std::span<Observer* const> watchers) {
  options.keep_going = true;
  Model every_step = model;
  every_step.output.every = 1;
  EnergyWatch watch(reference.energy_scale);
  std::vector<Observer*> observers{&watch};
  observers.insert(observers.end(), watchers.begin(), watchers.end());
  Comparison comparison;
  comparison.label = contender.label;
  comparison.refused = refusal(contender.scheme, system);
  if (!comparison.refused.empty()) return comparison;
  comparison.result = run(every_step, system, contender.scheme, observers, options);
  const RunResult& result = comparison.result;
  comparison.energy_error = watch.worst;
  if (failed(result.status)) comparison.failed_at = result.failure.time;
  comparison.times = std::move(watch.times);
  comparison.energy_changes = std::move(watch.changes);
  comparison.iterations = std::move(watch.iterations);
  comparison.traced = std::move(watch.traced);
  comparison.path = std::move(watch.path);
  comparison.end_error = result.status == Status::done && reference.found() ? distance(system, result.state.q, reference.q)
                                                                            : std::numeric_limits<double>::quiet_NaN();
  return comparison;
}

}  // namespace trompo
