// Numbers of a flight by words, as the statements on gusts, dampers and damage need them: how far a hinge swings, how often,
// how it dies away, in this flight and in its neighbours.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "apps/reproduce_xhale.hpp"
#include "trompo/math/known.hpp"

namespace trompo {

namespace {

// A stretch of time of what was measured.
struct Signal {
  std::vector<double> times, values;

  [[nodiscard]] Signal between(double from, double to) const {
    Signal part;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (times[i] > from - 1e-9 && times[i] < to + 1e-9) part.add(times[i], values[i]);
    return part;
  }
  void add(double t, double x) {
    times.push_back(t);
    values.push_back(x);
  }
  // Of a motion of many: the root mean square of its rate over that of itself about its mean (Rice).
  [[nodiscard]] double frequency() const {
    double mean = 0, squares = 0, rates = 0;
    for (const double x : values) mean += x / static_cast<double>(values.size());
    for (std::size_t i = 1; i < values.size(); ++i) {
      const double h = times[i] - times[i - 1], x = 0.5 * (values[i] + values[i - 1]) - mean,
                   v = (values[i] - values[i - 1]) / h;
      squares += h * x * x;
      rates += h * v * v;
    }
    return std::sqrt(rates / squares) / (2 * std::numbers::pi);
  }
  // The swing over the last third, over that of the first.
  [[nodiscard]] double decay() const {
    const double third = (times.back() - times.front()) / 3;
    return half_range(between(times.back() - third, times.back()).values) /
           half_range(between(times.front(), times.front() + third).values);
  }
};

Model variant(const Model& model, const std::string& word) {
  if (word.empty()) return model;
  return changed(model, [&word](AircraftInput& a) {
    if (word == "symmetric" || word == "antisymmetric")
      a.pattern = word;
    else if (word == "reference")
      a.gusts.clear(), a.damages.clear();
    else if (word == "sound")
      a.damages.clear();
    else if (word.starts_with("damage:"))
      a.damages.front().hinge = word.substr(7);
    else
      throw std::logic_error("unknown variant '" + word + "'");
  });
}

// What happens to the aircraft begins there.
double onset(const Model& model) {
  const AircraftInput& a = known(model.aircraft);
  if (!a.gusts.empty()) return a.gusts.front().start;
  return a.damages.empty() ? 0 : a.damages.front().at;
}

// "swing 1-2", "frequency roll antisymmetric": measure, hinge or freedom of the fuselage, variant.
double term(const Model& model, const std::string& text) {
  std::istringstream words(text);
  std::string measure, what, word;
  words >> measure >> what >> word;
  const Flight& flight = flown(variant(model, word));
  if (!flight.arrived()) return std::nan("");
  const std::string sensor = (what.find('-') == std::string::npos ? "fuselage " : "angle ") + what;
  const Signal all = Signal{flight.times, flight.sensor(sensor)}.between(onset(model), flight.times.back());
  if (measure == "swing") return half_range(all.values);
  if (measure == "largest") return largest(all.values);
  if (measure == "frequency") return all.frequency();
  if (measure == "decay") return all.decay();
  if (measure == "widening") return half_range(all.values) / term(model, "swing " + what + " reference");
  if (measure == "quickening") return all.frequency() / term(model, "frequency " + what + " reference");
  if (measure == "change") return std::abs(half_range(all.values) / term(model, "swing " + what + " sound") - 1);
  const AircraftInput& aircraft = known(model.aircraft);
  const double gone = aircraft.gusts.empty() ? 0 : known(aircraft.gusts.back().end);
  if (measure == "during") return half_range(all.between(0, gone).values);
  if (measure == "after") return half_range(all.between(gone, flight.times.back()).values);
  throw std::logic_error("unknown measure '" + measure + "'");
}

// The widest swing of all hinges.
double widest(const Model& model) {
  double most = 0;
  for (const auto* angle : flown(model).hinges()) most = std::max(most, half_range(*angle));
  return most;
}

}  // namespace

double flight_number(const Model& model, const std::string& text) {
  if (text == "widest antisymmetric over symmetric")
    return widest(variant(model, "antisymmetric")) / widest(variant(model, "symmetric"));
  const std::size_t over = text.find(" over ");
  if (over == std::string::npos) return term(model, text);
  return term(model, text.substr(0, over)) / term(model, text.substr(over + 6));
}

}  // namespace trompo
