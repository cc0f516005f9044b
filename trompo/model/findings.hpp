// What every check has: the model it looks at, and what it has found there.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

// Whether a node cannot move along an axis: it is fixed, or the plane holds it.
[[nodiscard]] inline bool holds(const Model& model, const NodeInput& n, int axis) {
  return n.fixed || n.fixed_axes[static_cast<std::size_t>(axis)] || axis == model.normal_axis();
}

class Findings {
 protected:
  explicit Findings(const Model& model) : m(model) {}

  void say(Diagnostic::Severity severity, const Source& source, std::string_view key, std::string message, std::string remedy) {
    found_.push_back({severity, source.place_of(key, m.file), source.of(key), std::move(message), std::move(remedy)});
  }
  void wrong(const Source& source, std::string_view key, std::string message, std::string remedy) {
    say(Diagnostic::Severity::error, source, key, std::move(message), std::move(remedy));
  }
  // A name that none of the items has; `names` are others that would have done.
  template <class Item>
  void unknown(const Source& source, std::string_view key, const std::string& who, std::string_view kind,
               const std::string& name, const std::vector<Item>& items, std::vector<std::string> names = {}) {
    for (const Item& item : items) names.push_back(item.name);
    // Looking for near names among thousands, thousands of times, helps nobody.
    wrong(source, key, who + ": there is no " + std::string(kind) + " " + in_quotes(name),
          found_.size() < 20 ? suggestion(name, names) : "");
  }
  template <class Item>
  [[nodiscard]] static const Item* find(const std::vector<Item>& items, const std::string& name) {
    const auto found = std::find_if(items.begin(), items.end(), [&name](const Item& item) { return item.name == name; });
    return found == items.end() ? nullptr : &*found;
  }

  const Model& m;
  std::vector<Diagnostic> found_;
};

}  // namespace trompo
