#include "apps/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "trompo/output/csv.hpp"

namespace trompo {

namespace {
bool numbered(const Figure& figure) { return std::isdigit(static_cast<unsigned char>(figure.number.front())) != 0; }

constexpr std::size_t most_points = 2000;

Curve thinned(const Curve& curve, bool map) {
  const std::size_t size = curve.xs.size(), stretch = 2 * size / most_points + 1;
  if (size <= most_points) return curve;
  Curve out{curve.label, {}, {}, curve.dots};
  const auto keep = [&](std::size_t i) {
    out.xs.push_back(curve.xs[i]);
    out.ys.push_back(curve.ys[i]);
  };
  for (std::size_t begin = 0; begin < size; begin += stretch) {
    const std::size_t end = std::min(begin + stretch, size);
    const auto first = curve.ys.begin();
    const auto at = [&](auto found) { return static_cast<std::size_t>(found - first); };
    const auto [low, high] = std::minmax_element(first + static_cast<long>(begin), first + static_cast<long>(end));
    keep(map ? begin : std::min(at(low), at(high)));
    keep(map ? (begin + end) / 2 : std::max(at(low), at(high)));
  }
  keep(size - 1);
  return out;
}
}  // namespace

std::vector<Plot> thinned(std::vector<Plot> plots) {
  for (Plot& plot : plots)
    for (Curve& curve : plot.curves) curve = thinned(curve, plot.map);
  return plots;
}

bool of_paper(const Figure& figure) { return numbered(figure) || figure.published; }

std::string file_of(const Figure& figure) { return (numbered(figure) ? "figure_" : "") + figure.number; }

std::string title_of(const Figure& figure, const std::string& author) {
  if (figure.published) return figure.caption;
  if (!numbered(figure)) return fmt::format("Not in {}: {}", author, figure.caption);
  return fmt::format("{}, Fig. {}: {}", author, figure.number, figure.caption);
}

std::string csv_of(const std::vector<Plot>& plots) {
  std::string csv = "panel,curve,x,y\n";
  for (const Plot& plot : plots)
    for (const Curve& curve : plot.curves)
      for (std::size_t i = 0; i < curve.xs.size(); ++i)
        if (std::isfinite(curve.ys[i]))  // the rest are gaps
          csv += fmt::format("{},{},{},{}\n", csv_cell(plot.title), csv_cell(curve.label), curve.xs[i], curve.ys[i]);
  return csv;
}

}  // namespace trompo
