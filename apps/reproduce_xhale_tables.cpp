// Tables 4-3 to 4-6 of the thesis whole, ours beside the printed numbers; drift of the constraints by four ways to stabilise
// them; and the change of energy by every scheme of the thesis, beside what conserving schemes do on the same problem.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "apps/parallel.hpp"
#include "apps/reproduce_xhale.hpp"

namespace trompo {

namespace {

Outcome word(const std::string& text) { return {std::nan(""), text}; }
Outcome small(double x) { return {x, fmt::format("{:.2e}", x)}; }
Outcome percent(double x) { return {x, fmt::format("{:+.2g}", x)}; }

// The tolerance of ode45 is not printed: this one drifts as it is printed.
constexpr double printed_drift = 1e-12;
std::vector<Way> reduced_ways(double tolerance = printed_drift) {
  return {ode45(tolerance), hamming(), central_difference(), rk4()};
}
// The steps of ode45 are its own, and longer than a millisecond.
Model on_own_steps(Model model, const Way& way) {
  if (way.scheme == "dormand-prince") model.time.step = std::max(model.time.step, 0.05);
  return model;
}

// ---- Tables 4-3 to 4-6 ----

using Printed = std::array<std::array<double, 4>, 2 * hinge_rows>;  // without, then with stabilisation; by schemes
constexpr Printed positions_symmetric{{{1.85e-50, 4.85e-56, 7.71e-41, 1.24e-47},
                                       {2.47e-11, 8.43e-7, 0.0028, 1.35e-8},
                                       {2.07e-12, 1.48e-7, 5.38e-6, 1.84e-10},
                                       {9.77e-51, 7.58e-56, 5.91e-41, 2.66e-47},
                                       {1.46e-40, 9.37e-58, 1.47e-39, 3.98e-40},
                                       {8.12e-51, 9.19e-59, 7.12e-66, 5.09e-57},
                                       {6.89e-13, 5.97e-10, 1.1e-16, 2.22e-16},
                                       {2.67e-13, 2.52e-11, 2.2e-16, 2.22e-16},
                                       {1.69e-50, 1.19e-58, 1.42e-65, 2.23e-57},
                                       {6.87e-40, 2.44e-59, 1.24e-66, 8.44e-57}}};
constexpr Printed rates_symmetric{{{2.59e-50, 9.69e-57, 6.87e-42, 5.03e-48},
                                   {1.51e-11, 2.74e-7, 0.0011, 5.46e-9},
                                   {6.66e-12, 3.89e-8, 9.7e-5, 1.38e-10},
                                   {2.32e-50, 1.51e-56, 1.44e-41, 1.08e-47},
                                   {1.0e-39, 1.92e-58, 1.08e-38, 2.54e-39},
                                   {3.59e-49, 5.41e-57, 5.76e-62, 4.39e-48},
                                   {7.12e-12, 3.49e-12, 1.73e-16, 1.40e-13},
                                   {5.12e-12, 1.98e-11, 6.66e-16, 4.30e-11},
                                   {7.50e-49, 8.43e-60, 1.30e-61, 8.78e-48},
                                   {1.01e-38, 5.87e-60, 7.60e-63, 8.48e-49}}};
constexpr Printed positions_antisymmetric{{{2.08e-49, 4.33e-54, 5.41e-40, 1.24e-47},
                                           {2.93e-11, 8.43e-7, 0.0028, 1.35e-8},
                                           {1.91e-12, 1.48e-7, 5.38e-6, 1.84e-10},
                                           {7.23e-50, 6.62e-54, 1.13e-39, 2.66e-47},
                                           {1.53e-39, 1.70e-55, 1.08e-37, 3.98e-40},
                                           {3.38e-50, 5.40e-57, 1.89e-65, 1.13e-72},
                                           {7.30e-13, 2.52e-10, 1.11e-16, 2.22e-16},
                                           {3.06e-13, 4.45e-11, 2.22e-16, 2.22e-16},
                                           {7.08e-50, 9.47e-57, 2.84e-65, 5.60e-73},
                                           {3.09e-39, 3.99e-57, 3.56e-66, 1.75e-70}}};
constexpr Printed rates_antisymmetric{{{2.41e-49, 8.65e-55, 2.31e-40, 5.64e-47},
                                       {1.91e-11, 2.74e-7, 0.0011, 5.46e-9},
                                       {4.23e-12, 3.08e-8, 9.7e-5, 1.38e-10},
                                       {2.19e-49, 1.32e-54, 4.61e-41, 1.19e-46},
                                       {1.05e-38, 3.56e-56, 3.64e-37, 2.86e-38},
                                       {1.54e-48, 6.20e-58, 1.70e-61, 1.09e-59},
                                       {7.18e-12, 3.49e-12, 1.73e-16, 1.40e-13},
                                       {5.17e-12, 1.98e-11, 6.66e-16, 4.30e-11},
                                       {3.24e-48, 8.65e-55, 3.87e-61, 2.45e-59},
                                       {4.85e-38, 2.74e-7, 1.32e-62, 4.17e-62}}};

// Both sides of the tables, for each scheme.
std::vector<std::array<const Flight*, 2>> table_flights(const char* pattern) {
  const Model model = xhale_model("case_5", {std::string("aircraft.pattern=") + pattern});
  std::vector<std::array<const Flight*, 2>> all;
  for (const Way& way : reduced_ways())
    all.push_back(
        {&flown(by(on_own_steps(model, way), stabilised(way, no_stabilisation()))), &flown(by(on_own_steps(model, way), way))});
  return all;
}

Table printed_table(const std::string& title, const char* pattern, bool rate, const Printed& printed) {
  Table t{title, {"row"}, {}};
  for (const Way& way : reduced_ways()) {
    t.headings.push_back(way.label);
    t.headings.emplace_back("ours");
  }
  static constexpr const char* names[] = {"φx", "φy", "φz", "φ1", "φ2"};
  const auto flights = table_flights(pattern);
  for (std::size_t side = 0; side < 2; ++side)
    for (std::size_t row = 0; row < hinge_rows; ++row) {
      std::vector<Outcome> cells{word(std::string(names[row]) + (side == 0 ? ", not stabilised" : ", stabilised"))};
      for (std::size_t way = 0; way < flights.size(); ++way) {
        const Flight& flight = *flights[way][side];
        cells.push_back(small(printed[side * hinge_rows + row][way]));
        cells.push_back(small(rate ? flight.drift_rate[row] : flight.drift[row]));
      }
      t.rows.push_back(cells);
    }
  return t;
}

// ---- four ways to stabilise ----

struct Stabilised {
  std::string label;
  StabilisationInput value;
};
const std::vector<Stabilised>& stabilisations() {
  static const std::vector<Stabilised> all{
      {"none", no_stabilisation()}, {"Baumgarte 10, 10", baumgarte()}, {"s-both", s_both(1)}, {"s-both twice", s_both(2)}};
  return all;
}

Model drifting(const Model& model, const Way& way, const Stabilised& s) {
  return by(on_own_steps(model, way), stabilised(way, s.value));
}
Table drift_table(const std::string& title, const Model& model, double tolerance) {
  Table t{title, {"scheme"}, {}};
  for (const Stabilised& s : stabilisations()) {
    t.headings.push_back(s.label);
    t.headings.emplace_back("rate");
  }
  for (const Way& way : reduced_ways(tolerance)) {
    std::vector<Outcome> row{word(way.label)};
    for (const Stabilised& s : stabilisations()) {
      const Flight& flight = flown(drifting(model, way, s));
      row.push_back(small(*std::max_element(flight.drift.begin(), flight.drift.end())));
      row.push_back(small(*std::max_element(flight.drift_rate.begin(), flight.drift_rate.end())));
    }
    t.rows.push_back(row);
  }
  return t;
}

// ---- energy ----

std::vector<Way> energy_ways_long() {
  std::vector<Way> ways{hamming(), central_difference(), rk4()};
  for (Way& way : ways) way.label += ", s-both twice";
  ways.push_back(ode45(1e-5));
  ways.back().label += " 1e-5, Baumgarte";
  for (const Way& way : {newmark(0.015), hht(0.026), generalized(0.487, 0.4615), newmark(0)}) ways.push_back(way);
  ways.push_back({"energy-momentum-exact, directors", "directors", "energy-momentum-exact"});
  ways.push_back({"energy-momentum-exact, rotation", "rotation", "energy-momentum-exact"});
  ways.push_back({"energy-momentum, directors", "directors", "energy-momentum"});
  ways.push_back({"discrete-gradient, directors", "directors", "discrete-gradient"});
  return ways;
}
Model energy_model(const Way& way, double step) { return by(xhale_model("energy", {fmt::format("time.step={}", step)}), way); }

// Steps of 1 ms, those of the thesis, are in the statements; longer ones tell the schemes apart in seconds.
Table energy_table(std::span<const double> steps) {
  Table t{"16 bodies, wings up, 30 s without dampers: change of energy [%]; s: wall time", {"scheme"}, {}};
  for (const double step : steps) {
    t.headings.push_back(fmt::format("h = {:g}", step));
    t.headings.emplace_back("s");
  }
  for (const Way& way : energy_ways_long()) {
    std::vector<Outcome> row{word(way.label)};
    for (const double step : steps) {
      const Flight& flight = flown(energy_model(way, step));
      row.push_back(flight.arrived() ? percent(flight.energy_percent())
                                     : word(fmt::format("ends at {:.3g} s", flight.reached())));
      row.push_back({flight.result.wall_seconds, fmt::format("{:.2g}", flight.result.wall_seconds)});
    }
    t.rows.push_back(row);
  }
  return t;
}

}  // namespace

std::vector<Table> xhale_tables() {
  constexpr std::array steps{0.01, 0.05};
  constexpr double loose = 1e-8;
  const Model five = xhale_model("case_5"),
              sixteen = xhale_model("dampers", {"aircraft.pattern=antisymmetric", "time.step=0.01"});
  // The tables are one piece of work: their flights go to all processors.
  std::vector<Model> models;
  for (const Way& way : energy_ways_long())
    for (const double step : steps) models.push_back(energy_model(way, step));
  for (const Stabilised& s : stabilisations()) {
    for (const Way& way : reduced_ways(loose)) models.push_back(drifting(sixteen, way, s));
    for (const Way& way : reduced_ways()) models.push_back(drifting(five, way, s));
  }
  in_parallel(
      models.size(), [&](std::size_t i) { (void)flown(models[i]); }, [](std::size_t) { return true; });
  const std::string pattern = ", the largest of 5 s: printed, and ours";
  return {
      printed_table("Table 4-3: constraint errors of case V, symmetric" + pattern, "symmetric", false, positions_symmetric),
      printed_table("Table 4-4: rates of constraints, symmetric" + pattern, "symmetric", true, rates_symmetric),
      printed_table("Table 4-5: constraint errors, antisymmetric" + pattern, "antisymmetric", false, positions_antisymmetric),
      printed_table("Table 4-6: rates of constraints, antisymmetric" + pattern, "antisymmetric", true, rates_antisymmetric),
      drift_table("Case V, 5 s, h = 0.001 (ode45: its own): largest constraint error of hinge 1-2 and its rate, "
                  "stabilised in four ways",
                  five, printed_drift),
      drift_table("16 bodies, antisymmetric with dampers, 10 s, h = 0.01 (ode45: tolerance 1e-8): the same", sixteen, loose),
      energy_table(steps)};
}

}  // namespace trompo
