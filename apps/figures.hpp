// Figures of published studies: curves from runs, as SVG with their data as CSV.
#pragma once

#include <string>
#include <vector>

#include "trompo/output/svg.hpp"

namespace trompo {

// `value` of sample i over the times of a run.
template <class Run, class Value>
Curve curve_of(const std::string& label, const Run& run, const Value& value) {
  Curve curve{label, run.times, {}};
  for (std::size_t i = 0; i < run.times.size(); ++i) curve.ys.push_back(value(i));
  return curve;
}

struct Drawing {
  std::string name;  // of its file
  std::vector<Plot> plots;
  int columns = 2;
};

// DIR/name.svg, and DIR/name.csv with one line for every point of every curve.
void write_drawing(const std::string& directory, const Drawing& drawing);

}  // namespace trompo
