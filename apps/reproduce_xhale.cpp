// L. M. Nitardi (2018), chapter 4: a very flexible aircraft as rigid panels with torsion springs. The problems stand in
// verification/xhale, each by [aircraft].
#include "apps/reproduce_xhale.hpp"
#include "apps/kept.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trompo/math/known.hpp"
#include "trompo/model/aircraft.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/period.hpp"

namespace trompo {

Flight::Flight(const Model& model) {
  Observer* observers[] = {this};
  result = run(model, System(model), scheme_of(model), observers, {.max_halvings = 0, .keep_going = true});
}

void Flight::sample(const Sample& now) {
  times.push_back(now.time);
  energies.push_back(now.ledger.total());
  values_.resize(now.sensors.size());
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i].push_back(now.sensors[i]);
  VecX rate = VecX::Zero(now.gap.size()), size = rate;
  now.system.gap_rates(now.state.q, now.state.v, rate, size);
  for (int k = 0; k < now.system.multipliers(); ++k) {
    if (!now.system.constraint_name(k).starts_with("hinge 1-2: ")) continue;
    drift = std::max(drift, std::abs(now.gap[k]));
    drift_rate = std::max(drift_rate, std::abs(rate[k]));
  }
}

const std::vector<double>& Flight::sensor(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw std::logic_error("no sensor '" + name + "'");
  return values_[static_cast<std::size_t>(found - names_.begin())];
}

std::vector<const std::vector<double>*> Flight::hinges() const {
  std::vector<const std::vector<double>*> all;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i].starts_with("angle ")) all.push_back(&values_[i]);
  return all;
}

namespace {
double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}
double half_range(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return 0.5 * (*most - *least);
}
std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] -= b[i];
  return a;
}
}  // namespace

double Flight::energy_percent() const { return arrived() ? 100 * (energies.back() / energies.front() - 1) : std::nan(""); }
double Flight::lateral() const { return std::max(largest(sensor("fuselage x")), largest(sensor("fuselage y"))); }
double Flight::asymmetry() const {
  const auto angles = hinges();
  double most = 0;
  for (std::size_t i = 0; i < angles.size(); ++i)
    most = std::max(most, largest(minus(*angles[i], *angles[angles.size() - 1 - i])));
  return most;
}
double Flight::largest_angle() const {
  double most = 0;
  for (const auto* angle : hinges()) most = std::max(most, largest(*angle));
  return most * 180 / std::numbers::pi;
}

double distance(const Flight& a, const Flight& b) {
  const auto angles = a.hinges(), others = b.hinges();
  double most = 0;
  for (std::size_t i = 0; i < angles.size(); ++i) most = std::max(most, largest(minus(*angles[i], *others[i])));
  return most;
}

const Flight& flown(const Model& model) {
  static Kept<Flight> all;
  return all.of(model_toml(model), [&model] { return Flight(model); });
}

namespace {

// About the middle of its range.
double period_of(const Flight& flight, const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double middle = 0.5 * (*least + *most);
  Crossings crossings;
  for (std::size_t i = 0; i < values.size(); ++i) crossings.add(flight.times[i], values[i] - middle);
  return crossings.period();
}

std::vector<double> relative_height(const Flight& f) { return minus(f.sensor("fuselage z"), f.sensor("base z")); }

// When the upper face of the fuselage looks at the horizon.
double topples_at(const Model& model) {
  const Flight& f = flown(model);
  const auto &roll = f.sensor("fuselage roll"), &pitch = f.sensor("fuselage pitch");
  const auto up = [&](std::size_t i) { return std::cos(roll[i]) * std::cos(pitch[i]); };
  for (std::size_t i = 1; i < f.times.size(); ++i)
    if (up(i) < 0) return f.times[i - 1] + (f.times[i] - f.times[i - 1]) * up(i - 1) / (up(i - 1) - up(i));
  return std::nan("");
}

// The same by another scheme.
Model by(Model model, const char* formulation, const char* scheme, std::map<std::string, double> parameters) {
  model.formulation = formulation;
  model.time.scheme = scheme;
  model.time.parameters = std::move(parameters);
  model.time.options.clear();
  model.time.stabilisation = {};
  return model;
}
// Its steps are as small as they have to be.
Model tight(const Model& model) { return by(model, "euler-parameters", "dormand-prince", {{"tolerance", 1e-10}}); }

double distance_from_tight(const Model& model) {
  const Flight &flight = flown(model), &reference = flown(tight(model));
  return flight.arrived() ? distance(flight, reference) : std::nan("");
}
double place_from_tight(const Model& model) {
  const Flight &flight = flown(model), &reference = flown(tight(model));
  if (!flight.arrived()) return std::nan("");
  double most = 0;
  for (const char* name : {"fuselage x", "fuselage y", "fuselage z"})
    most = std::max(most, largest(minus(flight.sensor(name), reference.sensor(name))));
  return most;
}
// Hamming and generalised alpha, which the thesis uses from 4.3.2 on.
double default_schemes_differ(const Model& model) {
  Model hamming = by(model, "euler-parameters", "hamming", {});
  hamming.time.options = {{"start", "published"}};
  constexpr double f = 0.487, m = 0.4615;
  Model alpha =
      by(model, "euler-parameters", "generalized-alpha-1",
         {{"alpha_f", f}, {"alpha_m", m}, {"newmark_gamma", 0.5 + f - m}, {"newmark_beta", 0.25 * (1 + f - m) * (1 + f - m)}});
  alpha.time.options = {{"blend", "all"}};
  const Flight &a = flown(hamming), &b = flown(alpha);
  return a.arrived() && b.arrived() ? distance(a, b) : std::nan("");
}

// How far a sensor swings from a time on.
double swing(const Flight& f, const std::string& name, double from = 0) {
  const auto& values = f.sensor(name);
  const auto begin = std::lower_bound(f.times.begin(), f.times.end(), from - 1e-9) - f.times.begin();
  return half_range({values.begin() + begin, values.end()});
}
Model without_damage(Model model) {
  model.events.clear();
  return model;
}
Model without_gust(Model model) {
  model.loads.clear();
  return model;
}
// After the damage, over the same without it.
template <char hinge>
double damaged_swing(const Model& model) {
  const std::string name = {'a', 'n', 'g', 'l', 'e', ' ', hinge, '-', static_cast<char>(hinge + 1)};
  const double at = model.events.front().at;
  return swing(flown(model), name, at) / swing(flown(without_damage(model)), name, at);
}
// Without the published gust, over the same with it, from its start on.
template <char hinge>
double still_over_gust(const Model& model) {
  const std::string name = {'a', 'n', 'g', 'l', 'e', ' ', hinge, '-', static_cast<char>(hinge + 1)};
  return swing(flown(without_gust(model)), name, 5) / swing(flown(model), name, 5);
}
// The roll of the fuselage after damage to hinge 1-2, over that after damage to 2-3.
double outer_over_inner_roll(const Model& model) {
  Model inner = model;
  inner.events.front().name = "hinge 2-3";
  return largest(flown(model).sensor("fuselage roll")) / largest(flown(inner).sensor("fuselage roll"));
}

// The largest swing of a hinge, antisymmetric over symmetric.
double antisymmetric_over_symmetric(const Model& model) {
  const auto largest_swing = [&model](const char* pattern) {
    AircraftInput aircraft = known(model.aircraft);
    aircraft.pattern = pattern;
    Model other;
    other.gravity = model.gravity;
    other.time = model.time;
    expand(aircraft, other);
    double most = 0;
    for (const auto* angle : flown(other).hinges()) most = std::max(most, half_range(*angle));
    return most;
  };
  return largest_swing("antisymmetric") / largest_swing("symmetric");
}

template <double (Flight::*measure)() const>
double of_flight(const Model& model) {
  const Flight& flight = flown(model);
  return flight.arrived() ? (flight.*measure)() : std::nan("");
}

const Quantities& quantities() {
  static const Quantities all{
      {"period", [](const Model& m) { return period_of(flown(m), flown(m).sensor("fuselage z")); }},
      {"amplitude", [](const Model& m) { return half_range(flown(m).sensor("fuselage z")); }},
      {"relative_period", [](const Model& m) { return period_of(flown(m), relative_height(flown(m))); }},
      {"relative_amplitude", [](const Model& m) { return half_range(relative_height(flown(m))); }},
      {"hinge_period", [](const Model& m) { return period_of(flown(m), flown(m).sensor("angle 1-2")); }},
      {"topples_at", topples_at},
      {"ends_at", [](const Model& m) { return flown(m).reached(); }},
      {"energy_percent", of_flight<&Flight::energy_percent>},
      {"energy_band",
       [](const Model& m) {
         const RunResult& r = flown(m).result;
         return r.reached_end ? (r.total.max - r.total.min) / r.ledger.scale() : std::nan("");
       }},
      {"ledger_residual",
       [](const Model& m) {
         const RunResult& r = flown(m).result;
         return r.reached_end ? r.ledger.worst_residual() / r.ledger.scale() : std::nan("");
       }},
      {"drift", [](const Model& m) { return flown(m).drift; }},
      {"drift_rate", [](const Model& m) { return flown(m).drift_rate; }},
      {"forward", [](const Model& m) { return largest(flown(m).sensor("fuselage x")); }},
      {"sideways", [](const Model& m) { return largest(flown(m).sensor("fuselage y")); }},
      {"lateral", of_flight<&Flight::lateral>},
      {"asymmetry", of_flight<&Flight::asymmetry>},
      {"largest_angle", of_flight<&Flight::largest_angle>},
      {"distance_from_tight", distance_from_tight},
      {"place_from_tight", place_from_tight},
      {"default_schemes_differ", default_schemes_differ},
      {"outer_over_inner_swing", [](const Model& m) { return swing(flown(m), "angle 2-3") / swing(flown(m), "angle 3-4"); }},
      {"sound_over_damaged_12", [](const Model& m) { return 1 / damaged_swing<'1'>(m); }},
      {"sound_over_damaged_23", [](const Model& m) { return 1 / damaged_swing<'2'>(m); }},
      {"swing_12", damaged_swing<'1'>},
      {"swing_23", damaged_swing<'2'>},
      {"swing_67", damaged_swing<'6'>},
      {"still_over_gust_12", still_over_gust<'1'>},
      {"still_over_gust_23", still_over_gust<'2'>},
      {"still_over_gust_34", still_over_gust<'3'>},
      {"outer_over_inner_roll", outer_over_inner_roll},
      {"antisymmetric_over_symmetric", antisymmetric_over_symmetric},
  };
  return all;
}

Answer answer(const Statement& s) { return answer_by(quantities(), s); }

}  // namespace

Study xhale_study() {
  return {"xhale", {{"ours", "ours"}}, answer, [] { return std::vector<Figure>(); }, xhale_tables};
}

}  // namespace trompo
