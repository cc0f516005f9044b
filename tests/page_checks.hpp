// A page taken apart again: its data as JSON, rows of numbers unpacked, and whether it is what web/src/data.ts says.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trompo::test {

using Json = nlohmann::ordered_json;

inline Json data_of_page(const std::string& html) {
  const std::string opening = "id=\"trompo-data\">";
  const auto begin = html.find(opening), end = html.find("</script>", begin);
  if (begin == std::string::npos || end == std::string::npos) {
    ADD_FAILURE() << "no data in a page of " << html.size() << " bytes";
    return {};
  }
  const std::string text = html.substr(begin + opening.size(), end - begin - opening.size());
  EXPECT_EQ(text.find('<'), std::string::npos);
  return Json::parse(text);
}

inline std::vector<float> unpacked(const std::string& text) {
  static const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<unsigned>(letters.find(c));
    have += 6;
    if (have < 8) continue;
    have -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(have) & 255U);
  }
  EXPECT_EQ(text.size() % 4, 0U);
  EXPECT_EQ(bytes.size() % 4, 0U);
  std::vector<float> out(bytes.size() / 4);
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), 4 * out.size());
  return out;
}
inline std::vector<float> unpacked(const Json& text) { return unpacked(text.get<std::string>()); }

inline void expect_keys(const Json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) EXPECT_TRUE(object.contains(key)) << key << " in " << object.dump().substr(0, 200);
}

inline void expect_place(const Json& place, std::size_t frames) {
  EXPECT_GE(place["frame"].get<int>(), -1);
  EXPECT_LT(place["frame"].get<int>(), static_cast<int>(frames));
  EXPECT_EQ(place["point"].size(), 3U);
}

inline void expect_plot(const Json& plot) {
  expect_keys(plot, {"id", "title", "unit", "y", "stacked", "times", "curves", "shown"});
  const std::vector<float> times = unpacked(plot["times"]);
  EXPECT_LE(times.size(), 2002U);
  EXPECT_TRUE(std::is_sorted(times.begin(), times.end())) << plot["id"];
  EXPECT_FALSE(plot["curves"].empty()) << plot["id"];
  for (const Json& curve : plot["curves"]) {
    const std::vector<float> values = unpacked(curve["values"]);
    EXPECT_EQ(values.size(), times.size()) << plot["id"] << " " << curve["name"];
    const bool log = plot["y"] == "log";
    for (const float x : values) EXPECT_FALSE(std::isinf(x) || (log && x <= 0)) << plot["id"];
  }
}

inline void expect_run(const Json& run) {
  expect_keys(run, {"label", "scheme", "model", "summary", "scene", "frames", "plots", "events"});
  expect_keys(run["scheme"], {"name", "parameters", "claims"});
  const bool steps = run["scheme"]["name"] != "modes" && run["scheme"]["name"] != "statics";
  EXPECT_GE(run["scheme"]["claims"].size(), steps ? 3U : 1U);
  const Json& scene = run["scene"];
  expect_keys(scene, {"nodes", "bodies", "fixed", "gravity", "plane", "size", "shapes", "bars", "springs", "joints", "lines",
                      "rods", "loads", "trails"});
  const std::size_t nodes = scene["nodes"].size(), bodies = scene["bodies"].size(), frames = nodes + bodies;
  EXPECT_EQ(scene["fixed"].size(), nodes);
  EXPECT_GT(scene["size"].get<double>(), 0);
  for (const Json& shape : scene["shapes"]) {
    EXPECT_GE(shape["frame"].get<std::size_t>(), nodes);
    EXPECT_LT(shape["frame"].get<std::size_t>(), frames);
    for (const Json& edge : shape["size"]) EXPECT_GT(edge.get<double>(), 0) << shape;
    double norm = 0;
    for (const Json& part : shape["quaternion"]) norm += std::pow(part.get<double>(), 2);
    EXPECT_NEAR(norm, 1, 1e-12);
  }
  for (const Json& bar : scene["bars"])
    for (const Json& end : bar["ends"]) EXPECT_LT(end.get<std::size_t>(), nodes);
  for (const Json& spring : scene["springs"])
    for (const Json& end : spring["ends"]) expect_place(end, frames);
  for (const Json& joint : scene["joints"]) {
    expect_place(joint["place"], frames);
    expect_place(joint["other"], frames);
  }
  for (const Json& line : scene["lines"])
    for (const Json& place : line["places"]) expect_place(place, frames);
  std::size_t elements = 0;
  for (const Json& rod : scene["rods"]) {
    expect_keys(rod, {"name", "first", "spans", "frames", "half", "round"});
    for (const Json& frame : rod["frames"]) {
      EXPECT_GE(frame.get<std::size_t>(), nodes);
      EXPECT_LT(frame.get<std::size_t>(), frames);
    }
    EXPECT_EQ(rod["first"], elements) << rod["name"];
    elements += (rod["frames"].size() - 1) / rod["spans"].get<std::size_t>();
    EXPECT_EQ(rod["half"].size(), 2U);
  }
  for (const Json& load : scene["loads"]) {
    expect_place(load["place"], frames);
    for (const char* vector : {"force", "moment", "torque"})
      for (const Json& row : load.at(vector)) EXPECT_EQ(row.size(), 4U) << load;
  }
  for (const Json& trail : scene["trails"]) EXPECT_LT(trail.get<std::size_t>(), frames);

  const Json& f = run["frames"];
  const auto count = f["count"].get<std::size_t>();
  EXPECT_GE(count, 1U);
  EXPECT_LE(count, 1501U);
  EXPECT_EQ(f["times"].size(), count);
  EXPECT_EQ(unpacked(f["positions"]).size(), count * frames * 3);
  EXPECT_EQ(unpacked(f["quaternions"]).size(), count * bodies * 4);
  EXPECT_EQ(unpacked(f["bar_force"]).size(), count * scene["bars"].size());
  EXPECT_EQ(unpacked(f["rod_force"]).size(), 3 * count * elements);
  EXPECT_EQ(unpacked(f["rod_moment"]).size(), 3 * count * elements);
  for (const Json& plot : run["plots"]) expect_plot(plot);
}

inline void expect_page(const Json& page) {
  expect_keys(page, {"format", "version", "trompo", "kind", "title", "remarks", "runs", "tables", "figures", "live"});
  EXPECT_EQ(page["format"], "trompo page");
  EXPECT_EQ(page["version"], 1);
  for (const Json& remark : page["remarks"]) expect_keys(remark, {"severity", "text"});
  for (const Json& run : page["runs"]) expect_run(run);
  for (const Json& table : page["tables"]) {
    for (const Json& row : table["rows"]) EXPECT_EQ(row.size(), table["headings"].size()) << table["title"];
    if (table.contains("verdicts")) {
      EXPECT_EQ(table["verdicts"].size(), table["rows"].size());
    }
  }
  for (const Json& figure : page["figures"]) {
    expect_keys(figure, {"title", "x", "y", "map", "curves", "group"});
    for (const Json& curve : figure["curves"]) EXPECT_EQ(unpacked(curve["xs"]).size(), unpacked(curve["ys"]).size());
  }
}

inline const Json& plot_named(const Json& run, const std::string& id) {
  for (const Json& plot : run["plots"])
    if (plot["id"] == id) return plot;
  ADD_FAILURE() << "no plot " << id;
  static const Json none;
  return none;
}

}  // namespace trompo::test
