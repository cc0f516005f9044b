#include "trompo/output/page_data.hpp"

#include <fmt/format.h>
#include <filesystem>

#include <cmath>
#include <nlohmann/json.hpp>

#include "trompo/model/json_text.hpp"
#include "trompo/output/thinning.hpp"
#include "trompo/output/version.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t figure_points = 4000;

Json written(const Remark& remark) {
  static constexpr const char* words[] = {"error", "warning", "note"};
  Json out{{"severity", words[static_cast<int>(remark.severity)]}, {"text", remark.text}};
  if (remark.time) out["time"] = *remark.time;
  return out;
}

Json written(const PageTable& table) {
  Json rows = Json::array();
  for (const auto& cells : table.rows) {
    Json row = Json::array();
    for (const PageTable::Cell& cell : cells) {
      const double* number = std::get_if<double>(&cell);
      row.push_back(number == nullptr ? Json(std::get<std::string>(cell)) : std::isfinite(*number) ? Json(*number) : Json());
    }
    rows.push_back(std::move(row));
  }
  Json out{{"title", table.title}, {"headings", table.headings}, {"rows", std::move(rows)}};
  if (!table.verdicts.empty()) out["verdicts"] = table.verdicts;
  if (!table.note.empty()) out["note"] = table.note;
  return out;
}

std::string packed_doubles(const std::vector<double>& numbers) {
  std::vector<float> out;
  for (const double x : numbers)
    out.push_back(std::abs(x) <= std::numeric_limits<float>::max() ? static_cast<float>(x) : std::nanf(""));
  return packed(out);
}

Json written(const PageFigure& figure) {
  const Plot& plot = figure.plot;
  Json curves = Json::array();
  for (Curve curve : plot.curves) {
    // Along a path the extremes of one coordinate mean nothing: every n-th point has to do.
    const std::size_t stride = plot.map ? (curve.xs.size() + figure_points - 1) / figure_points : 1;
    for (std::vector<double>* x : {&curve.xs, &curve.ys})
      if (stride > 1) {
        std::size_t to = 0;
        for (std::size_t i = 0; i < x->size(); i += stride) (*x)[to++] = (*x)[i];
        x->resize(to);
      }
    thin(curve.xs, curve.ys, figure_points);
    curves.push_back(
        {{"name", curve.label}, {"xs", packed_doubles(curve.xs)}, {"ys", packed_doubles(curve.ys)}, {"dots", curve.dots}});
  }
  Json y{{"label", plot.y_label}, {"log", plot.log_y}};
  if (plot.y_range) y["range"] = {plot.y_range->first, plot.y_range->second};
  return {{"title", plot.title},         {"x", {{"label", plot.x_label}, {"log", plot.log_x}}},
          {"y", std::move(y)},           {"map", plot.map},
          {"curves", std::move(curves)}, {"group", figure.group}};
}

template <class Items>
std::string listed(const Items& items) {
  Json all = Json::array();
  for (const auto& item : items) all.push_back(written(item));
  return json_text(all);
}

}  // namespace

Remark remark_of(Diagnostic found) {
  if (found.line > 0) found.file = std::filesystem::path(found.file).filename().string();  // else it is what came with --set
  return {found.severity, found.text()};
}

std::vector<Remark> remarks_of(const std::vector<Diagnostic>& found) {
  std::vector<Remark> remarks;
  for (const Diagnostic& d : found) remarks.push_back(remark_of(d));
  return remarks;
}

std::string remarks_json(const std::vector<Remark>& remarks) { return listed(remarks); }

std::vector<Remark> remarks_from_json(const std::string& text) {
  using Severity = Diagnostic::Severity;
  std::vector<Remark> remarks;
  for (const Json& r : Json::parse(text)) {
    const auto severity = r.at("severity").get<std::string>();
    remarks.push_back({severity == "error"     ? Severity::error
                       : severity == "warning" ? Severity::warning
                                               : Severity::note,
                       r.at("text"), r.contains("time") ? std::optional<double>(r.at("time")) : std::nullopt});
  }
  return remarks;
}

std::string PageData::json() const {
  return fmt::format(
      R"({{"format":"trompo page","version":1,"trompo":{},"kind":{},"title":{},"about":{},"remarks":{},"runs":[{}],"tables":{},"figures":{},"live":{}}})",
      json_text(Json(version())), json_text(Json(kind)), json_text(Json(title)), json_text(Json(about)), listed(remarks),
      fmt::join(runs, ","), listed(tables), listed(figures), live);
}

}  // namespace trompo
