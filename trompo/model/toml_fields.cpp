#include "trompo/model/toml_fields.hpp"

#include <algorithm>
#include <cmath>

namespace trompo {

namespace {

std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::array: return node.is_array_of_tables() ? "a list of tables" : "a list";
    case toml::node_type::table: return "a table";
    case toml::node_type::none: return "nothing";
    default: return "a date or time";
  }
}

std::string listed(std::span<const std::string_view> options) {
  std::string all;
  for (std::size_t i = 0; i < options.size(); ++i)
    all += (i == 0 ? "" : i + 1 == options.size() ? " or " : ", ") + ("\"" + std::string(options[i]) + "\"");
  return all;
}

// Whether what a key is about begins with such a part: "fixed node, or joint (on ...)" with node and joint.
bool takes_name_of(std::string part, const Key& key) {
  std::replace(part.begin(), part.end(), '_', ' ');
  const std::string about = " " + std::string(key.about.substr(0, key.about.find_first_of(":;("))) + " ";
  for (std::size_t at = about.find(part); at != std::string::npos; at = about.find(part, at + 1))
    if (about[at - 1] == ' ' && std::string_view(" ,").find(about[at + part.size()]) != std::string_view::npos) return true;
  return false;
}

}  // namespace

std::optional<double> number_of(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return static_cast<double>(whole->get());
  if (const auto* real = node.as_floating_point()) return real->get();
  return {};
}

TomlFields::TomlFields(const toml::table& table, std::string label, std::string file, TomlReading& reading)
    : table_(table), label_(std::move(label)), file_(std::move(file)), reading_(reading) {}

std::string TomlFields::place_of(const Key& key) const {
  const auto found = reading_.overrides.find(table_.get(key.name));
  return found == reading_.overrides.end() ? file_ : "--set " + found->second;
}

void TomlFields::complain(const Key& key, const toml::node* at, const std::string& entry, const std::string& message,
                          std::string remedy) {
  const int line = static_cast<int>((at ? *at : static_cast<const toml::node&>(table_)).source().begin.line);
  reading_.diagnostics.push_back(
      {Diagnostic::Severity::error, place_of(key), line, in_quotes(key.name) + label_ + entry + message, std::move(remedy)});
}

void TomlFields::expected(const Key& key, const toml::node& found, const std::string& entry, const std::string& what) {
  complain(key, &found, entry, ": expected " + what + ", found " + kind_of(found));
}

const toml::node* TomlFields::take(const Key& key) {
  known_.emplace_back(key.name);
  const toml::node* node = table_.get(key.name);
  if (!node && key.required) complain(key, nullptr, "", " is missing", "add it: " + std::string(key.about));
  return node;
}

bool TomlFields::in_range(const Key& key, const toml::node& node, double value, const std::string& entry) {
  if (key.range.contains(value)) return true;
  const auto* whole = node.as_integer();
  const std::string is = " is " + (whole ? std::to_string(whole->get()) : number_text(value));
  if (std::isfinite(value))
    complain(key, &node, entry, is + ", but must " + key.range.demand(value));
  else
    complain(key, &node, entry, is, "give a finite number");
  return false;
}

std::optional<double> TomlFields::number_in_range(const Key& key, const toml::node& node, const std::string& entry) {
  const auto value = worked_out(key, node, entry);
  return value && in_range(key, node, *value, entry) ? value : std::nullopt;
}

std::optional<TimeFunction> TomlFields::time_function(const Key& key, const toml::node& node, const std::string& entry) {
  if (const auto* formula = node.as_string()) {
    try {
      return TimeFunction::parse(formula->get(), reading_.parameters);
    } catch (const FormulaError& error) {
      complain(key, &node, entry, ": column " + std::to_string(error.column) + " of the formula: " + error.what());
      return {};
    }
  }
  if (!node.is_number()) {
    expected(key, node, entry, "a number or a formula of t");
    return {};
  }
  if (const auto value = number_in_range(key, node, entry)) return TimeFunction(*value);
  return {};
}

void TomlFields::text(const Key& key, std::string& value) {
  texts_.push_back(key);
  const toml::node* node = take(key);
  if (!node) return;
  if (const auto* given = node->as_string())
    value = given->get();
  else
    expected(key, *node, "", "a string");
}

void TomlFields::choice(const Key& key, std::string& value, std::span<const std::string_view> options) {
  const toml::node* node = take(key);
  if (!node) return;
  const auto* given = node->as_string();
  if (!given) return expected(key, *node, "", listed(options));
  for (const std::string_view option : options)
    if (given->get() == option) {
      value = option;
      return;
    }
  complain(key, node, "", " is " + in_quotes(given->get()) + ", but must be " + listed(options),
           suggestion(given->get(), {options.begin(), options.end()}));
}

void TomlFields::flag(const Key& key, bool& value) {
  const toml::node* node = take(key);
  if (!node) return;
  if (const auto* given = node->as_boolean())
    value = given->get();
  else
    expected(key, *node, "", "true or false");
}

void TomlFields::number(const Key& key, std::optional<double>& value) {
  const toml::node* node = take(key);
  if (!node) return;
  if (const auto given = number_in_range(key, *node, "")) value = given;
}

void TomlFields::count(const Key& key, std::optional<long>& value) {
  const toml::node* node = take(key);
  if (!node) return;
  if (const auto* given = node->as_integer()) {
    if (in_range(key, *node, static_cast<double>(given->get()))) value = given->get();
    return;
  }
  if (!node->is_string()) return expected(key, *node, "", "a whole number");
  const auto number = number_in_range(key, *node, "");
  if (number && *number != std::round(*number))
    return complain(key, node, "", " is " + number_text(*number) + ", but must be a whole number");
  if (number) value = static_cast<long>(*number);
}

void TomlFields::function(const Key& key, std::optional<TimeFunction>& value) {
  const toml::node* node = take(key);
  if (!node) return;
  const auto* rows = node->as_array();
  if (auto given = rows ? time_table(key, *rows) : time_function(key, *node, "")) value = std::move(given);
}

void TomlFields::section(const Key& key, const Nested& nested) {
  known_.emplace_back(key.name);
  const std::string header = "[" + std::string(key.name) + "]";
  const toml::node* node = table_.get(key.name);
  if (!node) {
    if (key.required) complain(key, nullptr, "", " is missing", "add a section " + header + ": " + std::string(key.about));
    return;
  }
  const auto* table = node->as_table();
  if (!table)
    return complain(key, node, "", ": expected a table, found " + kind_of(*node),
                    label_.empty() ? "write it once, as " + header : "write " + std::string(key.name) + " = { ... }");
  TomlFields inside(*table, label_.empty() ? " in " + header : " in " + std::string(key.name) + label_, place_of(key),
                    reading_);
  nested(inside);
  inside.report_unknown_keys();
}

void TomlFields::vector_or_section(const Key& key, std::optional<Vec3>& value, const Nested& nested) {
  const toml::node* node = table_.get(key.name);
  if (node == nullptr || node->is_array()) return vector(key, value);
  if (node->is_table()) return section(key, nested);
  known_.emplace_back(key.name);
  expected(key, *node, "", "a list of numbers or a table");
}

void TomlFields::list(const Key& key, int, const std::function<void(Fields&, int)>& item) {
  if (const toml::node* node = take(key)) {
    const std::string name_of_key(key.name);
    const std::string each =
        label_.empty() ? "write [[" + name_of_key + "]] for each" : "write " + name_of_key + " = [{ ... }, ...]";
    const auto* array = node->as_array();
    if (!array) return complain(key, node, "", ": expected a list of tables, found " + kind_of(*node), each);
    for (std::size_t i = 0; i < array->size(); ++i) {
      const auto* table = (*array)[i].as_table();
      if (!table) {
        complain(key, &(*array)[i], ", entry " + std::to_string(i + 1), ": expected a table, found " + kind_of((*array)[i]),
                 each);
        continue;
      }
      const toml::node* name = table->get("name");
      const std::string who =
          name && name->is_string() ? in_quotes(name->as_string()->get()) : "number " + std::to_string(i + 1);
      TomlFields inside(*table, " of " + std::string(key.name) + " " + who + label_, place_of(key), reading_);
      item(inside, static_cast<int>(i));
      inside.report_unknown_keys();
    }
  }
}

void TomlFields::source(Source& source) {
  source.line = static_cast<int>(table_.source().begin.line);
  for (auto&& [key, node] : table_) {
    const auto found = reading_.overrides.find(&node);
    const bool from_file = found == reading_.overrides.end();
    source.keys[std::string(key.str())] = from_file ? static_cast<int>(key.source().begin.line) : 0;
    if (!from_file) source.overrides[std::string(key.str())] = found->second;
  }
}

std::string TomlFields::remedy_for(const std::string& unknown, const toml::node& value) const {
  const auto top = reading_.top_level.find(unknown);
  if (top == reading_.top_level.end()) return suggestion(unknown, known_);
  const auto* text = value.as_string();
  if (text == nullptr || top->second) return "it belongs to the top of the file, before the first section";
  // A sensor with joint = "pin": the keys that want the name of a joint.
  std::vector<std::string> ways;
  for (const Key& key : texts_)
    if (takes_name_of(unknown, key)) ways.push_back(std::string(key.name) + " = \"" + text->get() + "\"");
  if (ways.empty()) return suggestion(unknown, known_);
  std::string all = "say what of it: ";
  for (std::size_t i = 0; i < ways.size(); ++i) all += (i == 0 ? "" : i + 1 == ways.size() ? " or " : ", ") + ways[i];
  return all;
}

void TomlFields::report_unknown_keys() {
  for (auto&& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const auto set = reading_.overrides.find(&node);
    const bool from_file = set == reading_.overrides.end();
    reading_.diagnostics.push_back({Diagnostic::Severity::error, from_file ? file_ : "--set " + set->second,
                                    from_file ? static_cast<int>(key.source().begin.line) : 0,
                                    "unknown key " + in_quotes(name) + label_, remedy_for(name, node)});
  }
}

}  // namespace trompo
