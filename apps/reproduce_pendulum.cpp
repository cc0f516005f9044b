// W. T. Matias Silva, Publicacion CIMNE 259 (2004): each statement with a weight of 9.8 N, as its figures seem to have been
// made, without gravity, and as printed. The first decides.
#include "apps/reproduce_pendulum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trompo/scheme/spectrum.hpp"

namespace trompo {

namespace {

constexpr double growth = 1.02;  // of energy, from which on a run is called unstable

struct Measured : Outcome {
  std::optional<double> window_end{};  // of an onset: 30 times
};
Measured number(double x) {
  return {{x, std::abs(x) < 1e-3 && x != 0 ? fmt::format("{:.2e}", x) : fmt::format("{:.6g}", x)}, {}};
}

// When something passes 1.02, 2 and 30 times what it may be at most in a sound run.
template <class Value>
Measured onset(const PendulumRun& run, double sound, const Value& value) {
  constexpr std::array factors{growth, 2.0, 30.0};
  std::array<std::optional<double>, 3> at;
  for (std::size_t i = 0; i < run.times.size(); ++i)
    for (std::size_t k = 0; k < factors.size(); ++k)
      if (!at[k] && value(i) > factors[k] * sound) at[k] = run.times[i];
  const auto& [first, twice, end] = at;
  if (!first) return {{std::nan(""), "no growth"}, {}};
  const auto text = [](const std::optional<double>& t) { return t ? fmt::format("{:.1f}", *t) : "-"; };
  Measured out{{twice.value_or(std::nan("")), fmt::format("{:.1f}/{}/{}", *first, text(twice), text(end))}, {}};
  if (twice) out.window_end = end.value_or(*twice);
  return out;
}

double most(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }
double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

// How far the angle is from growing in proportion to time, over what it has grown.
double nonlinearity(const PendulumRun& run) {
  const std::vector<double> angles = run.angles();
  double largest = 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    largest = std::max(largest, std::abs(angles[i] / angles.back() - run.times[i] / run.times.back()));
  return largest;
}

double steps_back(const PendulumRun& run) {
  const std::vector<double> angles = run.angles();
  double count = 0;
  for (std::size_t i = 1; i < angles.size(); ++i) count += angles[i] <= angles[i - 1];
  return count;
}

bool stable(const PendulumRun& run) { return run.result.reached_end && most(run.energies) <= growth * run.initial_energy(); }

// From three steps, each half of the one before.
double order(Model model) {
  std::vector<VecX> ends;
  for (int i = 0; i < 3; ++i, model.time.step /= 2) ends.push_back(PendulumRun(model).result.state.q);
  return std::log2((ends[0] - ends[1]).norm() / (ends[1] - ends[2]).norm());
}

// The largest distance of places from those of another scheme, in lengths of the rod.
double distance(const Model& model, const std::string& scheme) {
  Model other = model;
  other.time.scheme = scheme;
  other.time.parameters.clear();
  const PendulumRun a(model), b(other);
  double largest = std::abs(a.times.back() - b.times.back());
  for (std::size_t i = 0; i < std::min(a.q.size(), b.q.size()); ++i)
    largest = std::max(largest, (a.q[i] - b.q[i]).norm() / a.length);
  return largest;
}

// The largest share of energy in a step that (78) does not account for: it has E1 - E0 = -xi EA l (e1 - e0)^2.
double unaccounted(const Model& model) {
  const PendulumRun run(model);
  const auto xi = model.time.parameters.find("xi");
  const double stiffness = (xi == model.time.parameters.end() ? 0 : xi->second) * model.bars.at(0).EA / run.length;
  double largest = 0;
  for (std::size_t i = 1; i < run.energies.size(); ++i) {
    const double change = run.elongation(i) - run.elongation(i - 1);
    largest = std::max(largest, std::abs(run.energies[i] - run.energies[i - 1] + stiffness * change * change));
  }
  return largest / run.initial_energy();
}

double mean_force(const Model& model) {
  const PendulumRun run(model);
  double sum = 0;
  for (std::size_t i = 0; i < run.q.size(); ++i) sum += run.elongation(i);
  return model.bars.at(0).EA / run.length * sum / static_cast<double>(run.q.size());
}

double weight_moment(const Model& model) {  // m g l
  const auto& pendulum = model.pendulums.at(0);
  return pendulum.mass * model.gravity.norm() * pendulum.length;
}
double rate_for(const Model& model, double energy_over_mgl) {
  return std::sqrt(2 * energy_over_mgl * model.gravity.norm() / model.pendulums.at(0).length);
}

Measured measure(const std::string& quantity, const Model& model) {
  // Of several runs, or of none.
  if (quantity == "potential_range") return number(2 * weight_moment(model));
  if (quantity == "rate_for_mgl") return number(rate_for(model, 1));
  if (quantity == "rate_for_3mgl") return number(rate_for(model, 3));
  if (quantity == "radius_at_infinity") return number(spectral_point(scheme_of(model), 1e8).radius);
  if (quantity == "order") return number(order(model));
  if (quantity == "unaccounted") return number(unaccounted(model));
  if (quantity == "mean_force") return number(mean_force(model));
  if (const std::string differs = "differs_from_"; quantity.starts_with(differs))
    return number(distance(model, quantity.substr(differs.size())));

  const PendulumRun run(model);
  const RunResult& r = run.result;
  if (quantity == "onset") return onset(run, run.initial_energy(), [&](std::size_t i) { return run.energies[i]; });
  if (quantity == "onset_speed") return onset(run, run.initial_energy(), [&](std::size_t i) { return run.kinetic[i]; });
  if (quantity == "onset_elongation") {
    // Released unstretched, a sound bar reaches twice the elongation of a steady turn, m v^2 / EA.
    const double sound = 2 * 2 * run.initial_energy() / model.bars.at(0).EA;
    return onset(run, sound, [&](std::size_t i) { return std::abs(run.elongation(i)); });
  }
  if (quantity == "initial_energy") return number(run.initial_energy());
  if (quantity == "energy_end") return number(run.energies.back());
  if (quantity == "energy_least") return number(least(run.energies));
  if (quantity == "energy_band") return number((r.total.max - r.total.min) / r.ledger.scale());
  if (quantity == "energy_range") return number((most(run.energies) - least(run.energies)) / run.initial_energy());
  if (quantity == "keeps_energy")  // as a figure shows it
    return number(most(run.energies) - least(run.energies) < 1e-3 * run.initial_energy());
  if (quantity == "elongation" || quantity == "elongation_order") return number(run.largest_elongation());
  if (quantity == "vibration_left") return number(run.vibration(27, 30) / run.vibration(0, 3));
  if (quantity == "largest_angle") {
    const std::vector<double> angles = run.angles();
    return number(std::max(most(angles), -least(angles)));
  }
  if (quantity == "nonlinearity") return number(nonlinearity(run));
  if (quantity == "steps_back") return number(steps_back(run));
  if (quantity == "stable") return number(stable(run));
  if (quantity == "linear_drift") return number(r.linear_drift / r.linear_scale);
  if (quantity == "angular_drift") return number(r.angular_drift / r.angular_scale);
  if (quantity == "retries") return number(static_cast<double>(r.retries));
  throw std::logic_error("unknown quantity '" + quantity + "'");
}

Answer judged(const Statement& s, const Measured& ours) {
  if (s.quantity.starts_with("onset"))
    return {{}, ours.window_end && s.paper >= ours.value - 0.5 && s.paper <= *ours.window_end + 0.5, "2 to 30 times, ± 0.5 s"};
  if (s.quantity == "elongation_order") return {{}, ours.value < 2 * s.paper && ours.value > 0.5 * s.paper, "factor 2"};
  return {{}, s.within ? std::abs(ours.value - s.paper) <= *s.within : ours.value <= s.paper};
}

Answer answer(const Statement& s) {
  const auto with_gravity = [&s](double share) {
    Model model = s.model;
    model.gravity *= share;
    return measure(s.quantity, model);
  };
  const Measured printed = with_gravity(printed_gravity);
  Measured ours = printed, weightless = printed;
  if (s.model.nodes.empty()) {
    ours.text.clear(), weightless.text.clear();  // section 3 has its gravity
  } else {
    ours = with_gravity(computed_gravity);
    weightless = with_gravity(0);
  }
  Answer answer = judged(s, ours);
  answer.outcomes = {ours, weightless, printed};
  return answer;
}

}  // namespace

Study pendulum_study() {
  return {"pendulum",
          {{"weight 9.8 N", "ours"}, {"g = 0", "weightless"}, {"as printed", "as_printed"}},
          answer,
          pendulum_figures,
          pendulum_tables};
}

}  // namespace trompo
