// L. M. Nitardi (2018), chapter 4: a very flexible aircraft as rigid panels with torsion springs. The problems stand in
// verification/xhale, each by [aircraft]. Here is what the statements measure.
#include "apps/reproduce_xhale.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trompo/run/period.hpp"

namespace trompo {

namespace {

// About the middle of its range.
double period_of(const Flight& flight, const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double middle = 0.5 * (*least + *most);
  Crossings crossings;
  for (std::size_t i = 0; i < values.size(); ++i) crossings.add(flight.times[i], values[i] - middle);
  return crossings.period();
}
double error_percent(double value, double exact) { return 100 * std::abs(value / exact - 1); }

std::vector<double> relative_height(const Flight& f) { return minus(f.sensor("fuselage z"), f.sensor("base z")); }

// ---- closed forms ----

double period(const Model& m) { return period_of(flown(m), flown(m).sensor("fuselage z")); }
double amplitude(const Model& m) { return half_range(flown(m).sensor("fuselage z")); }
double relative_period(const Model& m) { return period_of(flown(m), relative_height(flown(m))); }
double relative_amplitude(const Model& m) { return half_range(relative_height(flown(m))); }
double hinge_period(const Model& m) { return period_of(flown(m), flown(m).sensor("angle 1-2")); }

double stiffness_of_mount(const Model& m) { return 4 * m.aircraft->mount.stiffness.front(); }
double exact_period(const Model& m) {
  return 2 * std::numbers::pi * std::sqrt(m.aircraft->fuselage.mass / stiffness_of_mount(m));
}
double exact_amplitude(const Model& m) { return m.aircraft->fuselage.mass * 9.81 / stiffness_of_mount(m); }
double base_frequency(const Model& m) { return 2 * std::numbers::pi * *m.aircraft->gusts.front().frequency; }
// Of the steady motion relative to the shaken base: mass w^2 U over the modulus of its impedance.
double exact_relative_amplitude(const Model& m) {
  const double w = base_frequency(m), mass = m.aircraft->fuselage.mass;
  return mass * w * w * *m.aircraft->gusts.front().amplitude /
         std::hypot(stiffness_of_mount(m) - mass * w * w, 4 * m.aircraft->mount.damping.front() * w);
}
// A square plate on an edge: J = m L^2/3.
double exact_hinge_period(const Model& m) {
  const double L = m.aircraft->wing.span[0];
  return 2 * std::numbers::pi * std::sqrt(m.aircraft->wing.mass[0] * L * L / (3 * m.aircraft->hinge_stiffness[0]));
}

// ---- flights beside others ----

// When the upper face of the fuselage looks at the horizon.
double topples_at(const Model& model) {
  const Flight& f = flown(model);
  const auto &roll = f.sensor("fuselage roll"), &pitch = f.sensor("fuselage pitch");
  const auto up = [&](std::size_t i) { return std::cos(roll[i]) * std::cos(pitch[i]); };
  for (std::size_t i = 1; i < f.times.size(); ++i)
    if (up(i) < 0) return f.times[i - 1] + (f.times[i] - f.times[i - 1]) * up(i - 1) / (up(i - 1) - up(i));
  return std::nan("");
}

template <double (*measure)(const Flight&, const Flight&)>
double beside(const Model& model, const Model& other) {
  const Flight &a = flown(model), &b = flown(other);
  return a.arrived() && b.arrived() ? measure(a, b) : std::nan("");
}
// When the fuselage is 5 cm from where it should be.
double leaves_tight_at(const Model& model) {
  const Flight &a = flown(model), &b = flown(by(model, tight()));
  for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); ++i)
    for (const char* name : {"fuselage x", "fuselage y", "fuselage z"})
      if (std::abs(a.sensor(name)[i] - b.sensor(name)[i]) > 0.05) return a.times[i];
  return std::nan("");
}
// Hamming and generalised alpha, which the thesis uses from 4.3.2 on: over the widest swing of a hinge.
double default_schemes_differ(const Model& model) {
  const Model one = by(model, hamming()), other = by(model, generalized(0.487, 0.4615));
  const std::vector<const Flight*> both = flown({one, other});
  double widest = 0;
  for (const auto* angle : both[0]->hinges()) widest = std::max(widest, half_range(*angle));
  return beside<distance>(one, other) / widest;
}
// The widest of all hinges off the flight by Hamming.
double off_hamming(const Model& model) {
  const Flight &a = flown(model), &b = flown(by(model, hamming()));
  double widest = 0;
  for (const auto* angle : b.hinges()) widest = std::max(widest, half_range(*angle));
  return a.arrived() ? distance(a, b) / widest : std::nan("");
}
double off_three_bars(const Model& model) {
  const Flight &flight = flown(model), &bars = flown(xhale_model("three_bars"));
  double most = 0;
  for (const char* name : {"fuselage y", "fuselage z", "angle 1-2", "angle 2-3"})
    most = std::max(most, largest(minus(flight.sensor(name), bars.sensor(name))));
  return most;
}
double loss_over(const Model& model, const Way& way) {
  return std::abs(flown(model).energy_percent() / flown(by(model, way)).energy_percent());
}

// ---- constraint errors ----

template <std::size_t row>
double drift_row(const Model& m) {
  return flown(m).drift[row];
}
template <std::size_t row>
double rate_row(const Model& m) {
  return flown(m).drift_rate[row];
}
// Rows of motion out of the plane, and the second of the axis: zero by symmetry.
double out_of_plane(const HingeMost& rows) { return std::max({rows[0], rows[3], rows[4]}); }
double in_plane(const HingeMost& rows) { return std::max(rows[1], rows[2]); }
// Of the hinges beside the centre panel, from a step on.
double controlled(const Model& model, bool rate, std::size_t from = 0) {
  const Flight& f = flown(model);
  if (!f.arrived()) return std::nan("");
  double most = 0;
  for (const Flight::Drift& drift : f.drifts())
    for (const std::vector<double>& row : rate ? drift.rate : drift.error)
      for (std::size_t i = from; i < row.size(); ++i) most = std::max(most, std::abs(row[i]));
  return most;
}

template <double (Flight::*measure)() const>
double of_flight(const Model& model) {
  const Flight& flight = flown(model);
  return flight.arrived() ? (flight.*measure)() : std::nan("");
}
template <double (*measured)(const Model&), double (*exact)(const Model&)>
double error_of(const Model& model) {
  return error_percent(measured(model), exact(model));
}

const Quantities& quantities() {
  static const Quantities all{
      {"period", period},
      {"amplitude", amplitude},
      {"relative_period", relative_period},
      {"relative_amplitude", relative_amplitude},
      {"hinge_period", hinge_period},
      {"exact_period", exact_period},
      {"exact_amplitude", exact_amplitude},
      {"exact_relative_period", [](const Model& m) { return 2 * std::numbers::pi / base_frequency(m); }},
      {"exact_relative_amplitude", exact_relative_amplitude},
      {"exact_hinge_period", exact_hinge_period},
      {"period_error", error_of<period, exact_period>},
      {"amplitude_error", error_of<amplitude, exact_amplitude>},
      {"relative_period_error",
       [](const Model& m) { return error_percent(relative_period(m), 2 * std::numbers::pi / base_frequency(m)); }},
      {"relative_amplitude_error", error_of<relative_amplitude, exact_relative_amplitude>},
      {"hinge_period_error", error_of<hinge_period, exact_hinge_period>},
      {"start_relative", [](const Model& m) { return relative_height(flown(m)).front(); }},
      {"start_relative_rate",
       [](const Model& m) { return m.aircraft->velocity.z() - base_frequency(m) * *m.aircraft->gusts.front().amplitude; }},
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
      {"loss_over_central_difference", [](const Model& m) { return loss_over(m, central_difference()); }},
      {"loss_over_newmark", [](const Model& m) { return loss_over(m, newmark(0.015)); }},
      {"drift", [](const Model& m) { return in_plane(flown(m).drift); }},
      {"drift_rate", [](const Model& m) { return in_plane(flown(m).drift_rate); }},
      {"drift_y", drift_row<1>},
      {"drift_z", drift_row<2>},
      {"rate_y", rate_row<1>},
      {"rate_z", rate_row<2>},
      {"drift_out_of_plane", [](const Model& m) { return out_of_plane(flown(m).drift); }},
      {"rate_out_of_plane", [](const Model& m) { return out_of_plane(flown(m).drift_rate); }},
      {"drift_over_rate", [](const Model& m) { return in_plane(flown(m).drift) / in_plane(flown(m).drift_rate); }},
      {"controlled", [](const Model& m) { return controlled(m, false); }},
      {"controlled_rate", [](const Model& m) { return controlled(m, true); }},
      {"controlled_after_start", [](const Model& m) { return controlled(m, false, 4); }},
      {"controlled_rate_after_start", [](const Model& m) { return controlled(m, true, 4); }},
      {"all_constraints",
       [](const Model& m) { return flown(m).arrived() ? flown(m).result.constraint_error_max : std::nan(""); }},
      {"forward", [](const Model& m) { return largest(flown(m).sensor("fuselage x")); }},
      {"sideways", [](const Model& m) { return largest(flown(m).sensor("fuselage y")); }},
      {"lateral", of_flight<&Flight::lateral>},
      {"asymmetry", of_flight<&Flight::asymmetry>},
      {"largest_angle", of_flight<&Flight::largest_angle>},
      {"distance_from_tight", [](const Model& m) { return beside<distance>(m, by(m, tight())); }},
      {"place_from_tight", [](const Model& m) { return beside<place_distance>(m, by(m, tight())); }},
      {"leaves_tight_at", leaves_tight_at},
      {"stays_with_tight", [](const Model& m) { return std::isnan(leaves_tight_at(m)) ? 1.0 : 0.0; }},
      {"default_schemes_differ", default_schemes_differ},
      {"off_hamming", off_hamming},
      {"off_three_bars", off_three_bars},
  };
  return all;
}

// A quantity that has no function is made of words.
Answer answer(const Statement& s) {
  if (quantities().contains(s.quantity)) return answer_by(quantities(), s);
  return answer_of(s, flight_number(s.model, s.quantity));
}

}  // namespace

Study xhale_study() {
  const auto figures = [] {
    std::vector<Figure> all = xhale_case_figures();
    for (Figure& figure : xhale_aircraft_figures()) all.push_back(std::move(figure));
    return all;
  };
  return {"xhale", {{"ours", "ours"}}, answer, figures, xhale_tables};
}

}  // namespace trompo
