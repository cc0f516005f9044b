// Line plots as SVG, readable without the program that drew them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trompo {

struct Curve {
  std::string label;
  std::vector<double> xs, ys;  // a point that is not finite, or not positive on a logarithmic axis, leaves a gap
  bool dots = false;           // marks every point
};

struct Plot {
  std::string title, x_label, y_label;
  bool log_x = false, log_y = false;
  std::optional<std::pair<double, double>> y_range{};  // default: all of the curves; what is outside is cut off
  std::vector<Curve> curves{};
  bool map = false;  // a place, not a graph: x and y to the same scale
};

// Panels in rows of `columns`, below the caption if there is one. Panels with the same curves share one legend.
[[nodiscard]] std::string svg(std::span<const Plot> plots, int columns, const std::string& caption = "");

}  // namespace trompo
