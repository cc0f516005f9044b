#include "tests/fuzz/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>

#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/channels.hpp"
#include "trompo/output/summary.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {

// Reads what a file of results would hold, row by row. A run that works on for seconds is stopped as Ctrl-C would: one that
// does not answer to it hangs.
class FiniteRows final : public Observer {
 public:
  [[nodiscard]] const std::atomic<bool>* stop() const { return &stop_; }
  void step(long /*done*/) override {
    if (static_cast<double>(std::clock() - begin_) > 3.0 * CLOCKS_PER_SEC) stop_ = true;
  }
  void begin(const RunPlan& plan) override { channels_ = channels(plan); }
  void sample(const Sample& now) override {
    for (const Channel& channel : channels_.all) {
      numbers_.resize(channel.size());
      channel.read(now, numbers_.data());
      for (std::size_t i = 0; i < numbers_.size(); ++i)
        if (!std::isfinite(numbers_[i]))
          throw Finding(fmt::format("{} of {} is {} in step {}", channel.columns[i], channel.path(), numbers_[i], now.step));
    }
  }

 private:
  Channels channels_;
  std::vector<double> numbers_;
  std::clock_t begin_ = std::clock();
  std::atomic<bool> stop_ = false;
};

void shorten(TimeInput& time, long steps) {
  if (time.steps) time.steps = std::min(*time.steps, steps);
  if (time.end) time.end = std::min(*time.end, static_cast<double>(steps) * time.step);
}

// A model that nothing moves has no energy but noise.
void require_balance(const RunResult& result, double tolerance) {
  const double error = result.ledger.worst_residual(), scale = result.ledger.scale();
  if (!(error <= tolerance * scale + 1e-12))
    throw Finding(fmt::format("energy balance error {} J, energy scale {} J", error, scale));
}

template <class Try>
Answer answer_of(std::string_view text, std::span<const std::string> overrides, const TrialLimits& limits, const Try& attempt) {
  try {
    Model model = parse_model(text, "trial.toml", overrides);
    if (model.nodes.size() + model.bodies.size() + model.coordinates.size() > limits.parts) return Answer::too_large;
    return attempt(model);
  } catch (const ModelError&) {
  } catch (const SchemeError&) {
  } catch (const FileError&) {
  }
  return Answer::refused;
}

}  // namespace

std::string_view word(Answer answer) {
  static constexpr std::string_view words[] = {"refused", "too large", "valid", "done", "stopped"};
  return words[static_cast<int>(answer)];
}

Answer try_read(std::string_view text, std::span<const std::string> overrides) {
  return answer_of(text, overrides, {}, [](const Model&) { return Answer::valid; });
}

Answer try_check(std::string_view text, std::span<const std::string> overrides, const TrialLimits& limits) {
  return answer_of(text, overrides, limits, [](const Model& model) {
    (void)check(model);
    const System system(model);
    if (!model.time.given()) return Answer::valid;
    (void)check_scheme(model, system, scheme_of(model));
    (void)initial_balance(model, system, initial_state(model, system));
    return Answer::valid;
  });
}

Answer try_run(std::string_view text, std::span<const std::string> overrides, const TrialLimits& limits) {
  return answer_of(text, overrides, limits, [&limits](Model& model) {
    if (!model.time.given()) return Answer::valid;
    shorten(model.time, limits.steps);
    const Scheme scheme = scheme_of(model);
    const System system(model);
    FiniteRows rows;
    Observer* const observers[] = {&rows};
    const RunResult result = run(model, system, scheme, observers, {.stop = rows.stop(), .max_halvings = 4});
    // summary.json writes null for what is not finite.
    const std::string summary = summary_json(model, system, scheme, result);
    if (result.status == Status::done && summary.find(": null") != std::string::npos)
      throw Finding("a number of summary.json is not finite: " +
                    summary.substr(summary.rfind('\n', summary.find(": null")), 80));
    if (std::isfinite(limits.energy_balance) && claims_energy(scheme)) require_balance(result, limits.energy_balance);
    return result.status == Status::done ? Answer::done : Answer::stopped;
  });
}

}  // namespace trompo
