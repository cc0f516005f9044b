// Panels of the aircraft's figures: one curve for each flight shown.
#pragma once

#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

#include "apps/figures.hpp"
#include "apps/reproduce_xhale.hpp"

namespace trompo {

struct Shown {
  std::string label;
  const Flight* flight;
};

inline std::vector<Shown> shown(const std::vector<std::string>& labels, const std::vector<Model>& models) {
  const std::vector<const Flight*> flights = flown(models);
  std::vector<Shown> all;
  for (std::size_t i = 0; i < models.size(); ++i) all.push_back({labels[i], flights[i]});
  return all;
}
inline std::vector<Shown> shown(const Model& model, const std::vector<Way>& ways) {
  std::vector<std::string> labels;
  std::vector<Model> models;
  for (const Way& way : ways) {
    labels.push_back(way.label);
    models.push_back(by(model, way));
  }
  return shown(labels, models);
}

// Samples at even distances, as many as a figure needs: its data are no record of the run.
inline Curve curve(const std::string& label, const Flight& flight, const std::vector<double>& values, double factor = 1,
                   std::size_t from = 0) {
  constexpr std::size_t most = 2500;
  Curve out{label, {}, {}};
  const std::size_t stride = flight.times.size() / most + 1;
  for (std::size_t i = from; i < flight.times.size(); i += stride) {
    out.xs.push_back(flight.times[i]);
    out.ys.push_back(factor * values[i]);
  }
  return out;
}

inline Plot panel(const std::string& title, const std::string& y_label, std::vector<Curve> curves) {
  double most = 0;
  for (const Curve& c : curves) most = std::max(most, largest(c.ys));
  Plot plot{.title = title, .x_label = "t [s]", .y_label = y_label, .curves = std::move(curves)};
  if (most < 1e-9) plot.y_range = {-1e-9, 1e-9};  // what does not move: rounding is no curve
  return plot;
}

inline Plot place(const std::string& title, const std::vector<Shown>& all, const std::string& sensor) {
  std::vector<Curve> curves;
  for (const auto& [label, flight] : all) curves.push_back(curve(label, *flight, flight->sensor(sensor)));
  return panel(title, "m", std::move(curves));
}
inline std::vector<Plot> places(const std::vector<Shown>& all) {
  return {place("a) x", all, "fuselage x"), place("b) y", all, "fuselage y"), place("c) z", all, "fuselage z")};
}

constexpr double degrees = 180 / std::numbers::pi;

inline Plot angle(const std::string& title, const std::vector<Shown>& all, const std::string& sensor) {
  std::vector<Curve> curves;
  for (const auto& [label, flight] : all) curves.push_back(curve(label, *flight, flight->sensor(sensor), degrees));
  return panel(title, "degrees", std::move(curves));
}

// Constraint errors of a hinge, or their rates, row by row.
inline std::vector<Plot> drift(const std::vector<Shown>& all, const std::string& hinge, bool rate,
                               std::size_t rows = hinge_rows, std::size_t from = 0) {
  static constexpr const char* names[] = {"a) point, x", "b) point, y", "c) point, z", "d) axis, φ₁", "e) axis, φ₂"};
  std::vector<Plot> plots;
  for (std::size_t row = 0; row < rows; ++row) {
    Plot plot{.title = names[row], .x_label = "t [s]", .y_label = std::string(row < 3 ? "m" : "1") + (rate ? "/s" : "")};
    for (const auto& [label, flight] : all) {
      const Flight::Drift& d = flight->drift_of(hinge);
      plot.curves.push_back(curve(label, *flight, rate ? d.rate[row] : d.error[row], 1, from));
    }
    if (std::all_of(plot.curves.begin(), plot.curves.end(), [](const Curve& c) { return largest(c.ys) == 0; }))
      plot.y_range = {-1e-16, 1e-16};
    plots.push_back(plot);
  }
  return plots;
}

}  // namespace trompo
