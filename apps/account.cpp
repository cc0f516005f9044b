#include "apps/account.hpp"

#include <fmt/format.h>

#include "apps/print.hpp"
#include "trompo/model/printable.hpp"
#include "trompo/output/page.hpp"

namespace trompo {

std::string shown_title(const Model& model) { return printable(model.title.empty() ? model.file : model.title, false); }

void print_ending(const Model& model, const RunResult& r, const std::string& directory, bool report) {
  print("  Newton    {:.2f} iterations per step, max {}, {} steps halved\n",
        r.solves > 0 ? static_cast<double>(r.iterations) / static_cast<double>(r.solves) : 0.0, r.iterations_max, r.retries);
  print("  results   {}/summary.json, {}/results.h5{}\n", directory, directory,
        model.output.csv ? fmt::format(", {}/results.csv", directory) : "");
  if (report)
    print("  report    {}\n", has_page() ? directory + "/report.html" : "left out: " + std::string(how_to_get_page()));
}

}  // namespace trompo
