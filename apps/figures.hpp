// Figures of published studies: curves from runs, as SVG with their data as CSV.
#pragma once

#include <functional>
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

struct Figure {
  std::string number;                        // the paper's, as "7" or "4-39"; of ours: a word, as "flip"
  std::string caption;                       // what it shows, without author and number: these are put before it
  std::function<std::vector<Plot>()> plots;  // runs what it needs when it is asked for; called from any thread
  int columns = 2;
  bool published = false;  // is in a paper, though under no number that we know
};

[[nodiscard]] bool of_paper(const Figure& figure);
[[nodiscard]] std::string file_of(const Figure& figure);                              // figure_4-39; without ending
[[nodiscard]] std::string title_of(const Figure& figure, const std::string& author);  // author, number, caption
// A copy for the eye: of more points than a picture can show, each stretch keeps its lowest and its highest.
[[nodiscard]] std::vector<Plot> thinned(std::vector<Plot> plots);
// One line for every point of every curve.
[[nodiscard]] std::string csv_of(const std::vector<Plot>& plots);

}  // namespace trompo
