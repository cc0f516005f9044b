// Names and words of a model, looked up where they are used. The reader refuses those it does not know; here a model is met
// that was written in C++.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trompo/model/model.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

// Of one part of the model: every function throws ModelError with the name that is not there and the nearest one that is.
class Lookup {
 public:
  // `who` asks, by its `key`; `source` is where that stands.
  Lookup(const Model& model, const Source& source, std::string_view key, std::string who)
      : model_(model), source_(source), key_(key), who_(std::move(who)) {}

  // Where the item of that name stands in its list.
  template <class Item>
  [[nodiscard]] std::size_t item(const std::vector<Item>& items, std::string_view kind, const std::string& name) const {
    for (std::size_t i = 0; i < items.size(); ++i)
      if (items[i].name == name) return i;
    unknown(kind, name, names_of(items));
  }
  // What a table from names to places says of it.
  template <class Table>
  [[nodiscard]] const auto& entry(const Table& table, std::string_view kind, const std::string& name) const {
    if (const auto found = table.find(name); found != table.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& each : table) known.push_back(each.first);
    unknown(kind, name, known);
  }
  // Which one of a few words it is.
  [[nodiscard]] std::size_t word(std::span<const std::string_view> words, std::string_view kind, const std::string& word) const;
  [[noreturn]] void unknown(std::string_view kind, const std::string& name, const std::vector<std::string>& known) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) const;

  template <class Item>
  [[nodiscard]] static std::vector<std::string> names_of(const std::vector<Item>& items) {
    std::vector<std::string> names;
    for (const Item& item : items) names.push_back(item.name);
    return names;
  }

 private:
  const Model& model_;
  const Source& source_;
  std::string_view key_;
  std::string who_;
};

}  // namespace trompo
