#include "trompo/output/campbell_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

#include "trompo/model/json_text.hpp"
#include "trompo/output/csv.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/version.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

std::size_t most_modes(const Campbell& diagram) {
  std::size_t most = 0;
  for (const Campbell::Speed& s : diagram.speeds) most = std::max(most, s.modes.size());
  return most;
}

}  // namespace

Plot campbell_plot(const Model& model, const Campbell& diagram) {
  Plot plot{"Campbell diagram: " + page_title(model), "spin [rad/s]", "frequency [rad/s]"};
  // Up to where the spin could meet them: stiff modes far above would leave nothing to see of the others.
  const double reach = diagram.speeds.empty() ? 0 : 3 * diagram.speeds.back().spin;
  double highest = 0, all = 0;
  for (std::size_t k = 0; k < most_modes(diagram); ++k) {
    Curve curve{fmt::format("mode {}", k + 1), {}, {}, diagram.speeds.size() <= 60};
    for (const Campbell::Speed& s : diagram.speeds) {
      curve.xs.push_back(s.spin);
      curve.ys.push_back(k < s.modes.size() ? s.modes[k].frequency : none);
      if (k >= s.modes.size()) continue;
      all = std::max(all, s.modes[k].frequency);
      if (s.modes[k].frequency <= reach) highest = std::max(highest, s.modes[k].frequency);
    }
    plot.curves.push_back(std::move(curve));
  }
  Curve unstable{"unstable", {}, {}, true};
  for (const Campbell::Speed& s : diagram.speeds)
    for (const Mode& m : s.modes) {
      unstable.xs.push_back(s.spin);
      unstable.ys.push_back(m.growth > 0 ? m.frequency : none);
    }
  if (std::any_of(unstable.ys.begin(), unstable.ys.end(), [](double y) { return std::isfinite(y); }))
    plot.curves.push_back(std::move(unstable));
  if (!diagram.frame_turns) {
    Curve spin{"the spin itself", {}, {}};
    for (const Campbell::Speed& s : diagram.speeds) spin.xs.push_back(s.spin), spin.ys.push_back(s.spin);
    plot.curves.push_back(std::move(spin));
    if (all > 0) plot.y_range = {0, 1.05 * (highest > 0 ? highest : all)};
  }
  return plot;
}

std::string campbell_csv(const Campbell& diagram) {
  std::string text = "spin [rad/s],mode,frequency [Hz],frequency [rad/s],growth [1/s],damping ratio,whirl,dominant motion\n";
  for (const Campbell::Speed& s : diagram.speeds)
    for (std::size_t k = 0; k < s.modes.size(); ++k) {
      const Mode& m = s.modes[k];
      text += fmt::format("{:.17g},{},{:.17g},{:.17g},{:.17g},{:.17g},{},{}\n", s.spin, k + 1, m.hertz(), m.frequency, m.growth,
                          m.damping_ratio(), m.whirl, csv_cell(m.moves));
    }
  return text;
}

std::string campbell_json(const Model& model, const Campbell& diagram) {
  Json out;
  out["status"] = "done";
  out["trompo_version"] = version();
  out["model"] = {{"title", model.title}, {"file", std::filesystem::path(model.file).filename().string()}};
  out["time"] = {{"wall_seconds", diagram.wall_seconds}};
  out["remarks"] = diagram.remarks;
  out["critical_speeds"] = Json::array();
  for (const Campbell::Critical& c : diagram.critical)
    out["critical_speeds"].push_back({{"spin", c.spin}, {"whirl", c.whirl}, {"moves", c.moves}});
  out["speeds"] = Json::array();
  for (const Campbell::Speed& s : diagram.speeds) {
    Json modes = Json::array();
    for (const Mode& m : s.modes)
      modes.push_back({{"angular_frequency", m.frequency},
                       {"growth", m.growth},
                       {"damping_ratio", m.damping_ratio()},
                       {"whirl", m.whirl},
                       {"moves", m.moves}});
    out["speeds"].push_back({{"spin", s.spin}, {"modes", std::move(modes)}});
  }
  return json_text(out, 2) + '\n';
}

PageData campbell_page(const Model& model, const Campbell& diagram) {
  PageData page{.kind = "modes", .title = page_title(model) + ": Campbell diagram"};
  for (const std::string& remark : diagram.remarks) page.remarks.push_back({Diagnostic::Severity::note, remark});
  page.figures.push_back({campbell_plot(model, diagram), "Frequencies over spin"});
  if (!diagram.frame_turns) {
    PageTable critical{"Critical speeds", {"spin [rad/s]", "spin [Hz]", "whirl", "dominant motion"}};
    for (const Campbell::Critical& c : diagram.critical)
      critical.rows.push_back({c.spin, c.spin / (2 * std::numbers::pi), c.whirl, c.moves});
    critical.note = "Where a mode has the frequency of the spin, what is out of balance is in resonance.";
    page.tables.push_back(std::move(critical));
  }
  PageTable table{"Modes over spin", {"spin [rad/s]"}};
  for (std::size_t k = 0; k < most_modes(diagram); ++k) table.headings.push_back(fmt::format("mode {} [rad/s]", k + 1));
  for (const Campbell::Speed& s : diagram.speeds) {
    std::vector<PageTable::Cell> row{s.spin};
    bool unstable = false;
    for (std::size_t k = 0; k < most_modes(diagram); ++k) {
      row.emplace_back(k < s.modes.size() ? s.modes[k].frequency : none);
      unstable = unstable || (k < s.modes.size() && s.modes[k].growth > 0);
    }
    table.rows.push_back(std::move(row));
    table.verdicts.emplace_back(unstable ? "bad" : "none");
  }
  table.note =
      "By frequency, lowest first; where one is unstable the line is marked. Growth, damping and whirl are in results.csv.";
  page.tables.push_back(std::move(table));
  return page;
}

}  // namespace trompo
