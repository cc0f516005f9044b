#include "trompo/output/model_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace trompo {

namespace {

ModelText cut(std::string_view json, std::size_t most) {
  struct Level {
    bool list;
    std::size_t commas = 0;
  };
  ModelText out;
  std::vector<Level> levels;
  std::size_t left_out = 0;  // how deep the list is of which nothing more is copied; 0: all is copied
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted) {
      if (c == '\\' && i + 1 < json.size()) {
        if (left_out == 0) out.json += c;
        ++i;
      } else if (c == '"') {
        quoted = false;
      }
      if (left_out == 0) out.json += json[i];
      continue;
    }
    quoted = c == '"';
    if (c == '[' || c == '{') levels.push_back({c == '['});
    if (c == ',' && !levels.empty() && levels.back().list && ++levels.back().commas == most && left_out == 0)
      left_out = levels.size();
    if ((c == ']' || c == '}') && !levels.empty()) {
      if (left_out == levels.size()) {
        const std::size_t all = levels.back().commas + 1;
        out.json += fmt::format(",\"... and {} more of {}\"", all - most, all);
        out.longest = std::max(out.longest, all);
        out.shown = most;
        left_out = 0;
      }
      levels.pop_back();
    }
    if (left_out == 0) out.json += c;
  }
  return out;
}

}  // namespace

ModelText model_text(std::string_view json, std::size_t bytes) {
  if (json.size() <= bytes) return {std::string(json)};
  ModelText out;
  for (const std::size_t most : {1000U, 100U, 10U, 1U})
    if (out = cut(json, most); out.json.size() <= bytes) break;
  return out;
}

}  // namespace trompo
