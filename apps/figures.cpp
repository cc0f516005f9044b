#include "apps/figures.hpp"

#include <fmt/format.h>

#include "trompo/output/csv.hpp"
#include "trompo/output/files.hpp"

namespace trompo {

void write_drawing(const std::string& directory, const Drawing& drawing) {
  const auto& [name, plots, columns] = drawing;
  const std::string path = directory + "/" + name;
  std::string csv = "panel,curve,x,y\n";
  for (const Plot& plot : plots)
    for (const Curve& curve : plot.curves)
      for (std::size_t i = 0; i < curve.xs.size(); ++i)
        csv += fmt::format("{},{},{},{}\n", csv_cell(plot.title), csv_cell(curve.label), curve.xs[i], curve.ys[i]);
  write_text_file(path + ".svg", svg(plots, columns));
  write_text_file(path + ".csv", csv);
}

}  // namespace trompo
