// Flights of the aircraft, and the ways of L. M. Nitardi (2018) to integrate them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "apps/kept.hpp"
#include "apps/reproduce_xhale.hpp"
#include "trompo/math/known.hpp"
#include "trompo/model/aircraft.hpp"
#include "trompo/model/reader.hpp"

namespace trompo {

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}
double half_range(const std::vector<double>& values) {
  if (values.empty()) return std::nan("");
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return 0.5 * (*most - *least);
}
std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] -= b[i];
  return a;
}

Flight::Flight(const Model& model) {
  if (model.aircraft && model.time.stabilisation.times && model.aircraft->wings > 1) {
    const long centre = centre_panel(*model.aircraft);
    for (const long left : {centre - 2, centre - 1})
      if (left >= 0 && left + 2 <= model.aircraft->wings) drifts_.push_back({hinge_name(left), {}, {}});
  }
  Observer* observers[] = {this};
  result = run(model, System(model), scheme_of(model), observers, {.max_halvings = 0, .keep_going = true});
}

namespace {
// Rows of one joint do not stand together: points are before axes.
HingeIndices rows_of(const System& system, const std::string& hinge) {
  static constexpr std::array names{"point x", "point y", "point z", "axis 1", "axis 2"};
  HingeIndices rows;
  rows.fill(-1);
  for (int k = 0; k < system.multipliers(); ++k)
    for (std::size_t row = 0; row < hinge_rows; ++row)
      if (system.constraint_name(k) == "hinge " + hinge + ": " + names[row]) rows[row] = k;
  return rows;
}
}  // namespace

void Flight::begin(const RunPlan& plan) {
  for (std::size_t i = 0; i < plan.sensor_names.size(); ++i) {
    const std::string& name = plan.sensor_names[i];
    if (name.starts_with("wing") && name.ends_with(" roll")) continue;
    kept_.push_back(static_cast<int>(i));
    names_.push_back(name);
  }
  values_.resize(names_.size());
  outer_ = rows_of(plan.system, "1-2");
  for (Drift& d : drifts_) d.rows = rows_of(plan.system, d.hinge);
}

void Flight::sample(const Sample& now) {
  times.push_back(now.time);
  energies.push_back(now.ledger.total());
  for (std::size_t i = 0; i < kept_.size(); ++i) values_[i].push_back(now.sensors[static_cast<std::size_t>(kept_[i])]);
  for (std::size_t row = 0; row < hinge_rows && outer_[row] >= 0; ++row) {
    drift[row] = std::max(drift[row], std::abs(now.constraint_error[outer_[row]]));
    drift_rate[row] = std::max(drift_rate[row], std::abs(now.error_rate[outer_[row]]));
  }
  for (Drift& d : drifts_)
    for (std::size_t row = 0; row < hinge_rows; ++row) {
      d.error[row].push_back(now.constraint_error[d.rows[row]]);
      d.rate[row].push_back(now.error_rate[d.rows[row]]);
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

const Flight::Drift& Flight::drift_of(const std::string& hinge) const {
  const auto found = std::find_if(drifts_.begin(), drifts_.end(), [&](const Drift& d) { return d.hinge == hinge; });
  if (found == drifts_.end()) throw std::logic_error("the drift of hinge " + hinge + " was not kept");
  return *found;
}

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

double place_distance(const Flight& a, const Flight& b) {
  double most = 0;
  for (const char* name : {"fuselage x", "fuselage y", "fuselage z"})
    most = std::max(most, largest(minus(a.sensor(name), b.sensor(name))));
  return most;
}

namespace {
Kept<Flight>& flights() {
  static Kept<Flight> all;
  return all;
}
// Files that say the same by other titles are one flight.
std::string key_of(Model model) {
  model.title.clear();
  model.marks.clear();
  model.aircraft.reset();
  return model_toml(model);
}
}  // namespace

const Flight& flown(const Model& model) {
  return flights().of(key_of(model), [&model] { return Flight(model); });
}

std::vector<const Flight*> flown(const std::vector<Model>& models) {
  for (const Model& model : models)
    if (!flights().begun(key_of(model))) (void)flown(model);
  std::vector<const Flight*> all;
  for (const Model& model : models) all.push_back(&flown(model));
  return all;
}

Model xhale_model(const std::string& file, const std::vector<std::string>& set) {
  return published_model("xhale/" + file + ".toml", set);
}

Model changed(const Model& model, const std::function<void(AircraftInput&)>& change) {
  AircraftInput aircraft = known(model.aircraft);
  change(aircraft);
  Model other;
  other.formulation = model.formulation;
  other.gravity = model.gravity;
  other.time = model.time;
  other.output = model.output;
  expand(aircraft, other);
  other.aircraft = std::move(aircraft);
  return other;
}

StabilisationInput no_stabilisation() {
  StabilisationInput none;
  none.projection = "none";
  return none;
}
StabilisationInput baumgarte() {
  StabilisationInput s;
  s.a = s.b = 10;
  return s;
}
StabilisationInput s_both(long times) {
  StabilisationInput s;
  s.projection = "s-both";
  s.times = times;
  return s;
}

namespace {
Way explicit_way(const char* label, const char* scheme) { return {label, "euler-parameters", scheme}; }
// Weights by hand: those of the thesis, averaged as there.
Way blended(std::string label, double m, double f, double gamma, double beta) {
  return {std::move(label),
          "euler-parameters",
          "generalized-alpha-1",
          {{"alpha_m", m}, {"alpha_f", f}, {"newmark_gamma", gamma}, {"newmark_beta", beta}},
          {{"blend", "all"}}};
}
}  // namespace

Way ode45(double tolerance) {
  Way way = stabilised(explicit_way("ode45", "dormand-prince"), baumgarte());
  way.parameters = {{"tolerance", tolerance}};
  return way;
}
Way hamming() {
  Way way = stabilised(explicit_way("Hamming", "hamming"), s_both(2));
  way.options = {{"start", "published"}};
  return way;
}
Way central_difference() {
  Way way = stabilised(explicit_way("central difference", "central-difference"), s_both(2));
  way.options = {{"form", "velocity"}};
  return way;
}
Way rk4() { return stabilised(explicit_way("RK4", "rk4"), s_both(2)); }
Way newmark(double alpha) {
  const double gamma = 0.5 + alpha;
  return blended(fmt::format("Newmark, α = {:g}", alpha), 0, 0, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5));
}
Way hht(double f) { return blended(fmt::format("HHT, αf = {:g}", f), 0, f, 0.5 + f, 0.25 * (1 + f) * (1 + f)); }
Way generalized(double f, double m) {
  return blended(fmt::format("generalised α, {:g}, {:g}", f, m), m, f, 0.5 + f - m, 0.25 * (1 + f - m) * (1 + f - m));
}
Way tight() { return {"Dormand-Prince, 1e-10", "euler-parameters", "dormand-prince", {{"tolerance", 1e-10}}}; }

Way stabilised(Way way, const StabilisationInput& stabilisation) {
  way.stabilisation = stabilisation;
  return way;
}

Model by(Model model, const Way& way) {
  model.formulation = way.formulation;
  model.time.scheme = way.scheme;
  model.time.parameters = way.parameters;
  model.time.options = way.options;
  model.time.stabilisation = way.stabilisation;
  return model;
}

}  // namespace trompo
