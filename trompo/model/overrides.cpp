#include "trompo/model/overrides.hpp"

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "trompo/model/toml_depth.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> paths(const std::string& prefix, const Json& properties) {
  std::vector<std::string> all;
  for (const auto& property : properties.items()) all.push_back(prefix + property.key());
  return all;
}

// `x = VALUE` as TOML; what is no TOML value is a word: time.scheme=midpoint needs no quotes within the shell's.
toml::table parsed(const std::string& value) {
  try {
    toml::table result = toml::parse("x = " + value);
    if (result.size() == 1) return result;
  } catch (const toml::parse_error&) {
  }
  return toml::table{{"x", value}};
}

// A number that TOML does not read since no double, or no whole number of 64 bits, holds it: that is no word either.
bool is_no_double(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return !value.empty() && *end == '\0' && !(std::abs(number) < 9e18) && parsed(value).get("x")->is_string();
}

void assign(toml::table& table, const std::string& key, const std::string& value, const std::string& text,
            TomlReading& reading) {
  reading.overrides.erase(table.get(key));
  parsed(value).get("x")->visit([&](const auto& node) { table.insert_or_assign(key, node); });  // the copy forgets its line
  reading.overrides[table.get(key)] = text;
}

}  // namespace

void apply_override(toml::table& root, const std::string& text, const Json& schema, TomlReading& reading) {
  const auto refuse = [&](const std::string& message, const std::string& remedy) {
    reading.diagnostics.push_back({Diagnostic::Severity::error, "--set " + text, 0, message, remedy});
  };
  const auto equals = text.find('=');
  if (equals == std::string::npos)
    return refuse(in_quotes(text) + " has no '='", "write section.key=value, or section.name.key=value");
  const std::string path = trimmed(text.substr(0, equals)), value = trimmed(text.substr(equals + 1));
  if (is_no_double(value)) return refuse(in_quotes(value) + " is too large for a number", "give one that a double can hold");
  if (const auto deep = too_deep(value)) return refuse(deep->message, "no value of a model is that deep");
  const auto first_dot = path.find('.'), last_dot = path.rfind('.');
  const std::string section = path.substr(0, first_dot);
  const Json& properties = schema["properties"];
  if (!properties.contains(section))
    return refuse("unknown section or key " + in_quotes(section), suggestion(section, paths("", properties)));
  if (first_dot == std::string::npos) return assign(root, section, value, text, reading);

  const Json& kind = properties[section];
  if (kind.contains("additionalProperties") &&
      kind["additionalProperties"].is_object()) {  // the user's own names: [parameters]
    const std::string key = path.substr(first_dot + 1);
    toml::table* own = root[section].as_table();
    std::vector<std::string> names;
    if (own != nullptr)
      for (const auto& entry : *own) names.emplace_back(entry.first.str());
    if (own == nullptr || own->get(key) == nullptr) return refuse("unknown name " + in_quotes(path), suggestion(key, names));
    return assign(*own, key, value, text, reading);
  }
  const bool named = kind.contains("items") && kind["items"].contains("properties");
  if (!named && !kind.contains("properties"))
    return refuse(in_quotes(section) + " has no parts of its own", "write " + section + "=value");
  if (named && first_dot == last_dot)
    return refuse(in_quotes(path) + " does not say which " + section,
                  "write " + section + ".NAME." + path.substr(first_dot + 1) + "=value");

  // The name may have dots of its own: it is everything between the section and the key.
  const std::string name = named ? path.substr(first_dot + 1, last_dot - first_dot - 1) : std::string();
  std::string key = path.substr((named ? last_dot : first_dot) + 1);
  const Json* keys = &(named ? kind["items"]["properties"] : kind["properties"]);
  std::string prefix = section + "." + (named ? name + "." : std::string());
  toml::table* target = nullptr;
  if (named) {
    std::vector<std::string> names;
    if (toml::array* items = root[section].as_array())
      for (toml::node& item : *items) {
        toml::table* table = item.as_table();
        if (!table) continue;
        names.push_back((*table)["name"].value_or(std::string()));
        if (names.back() == name) target = table;
      }
    if (!target) return refuse("unknown " + section + " " + in_quotes(name), suggestion(name, names));
  } else {
    root.insert(section, toml::table{});  // does nothing if it is there
    target = root[section].as_table();
    if (!target) return;  // the reader will say what is wrong with it
    for (auto dot = key.find('.'); dot != std::string::npos; dot = key.find('.')) {  // tables within: aircraft.mount.damping
      const std::string inner = key.substr(0, dot);
      if (!keys->contains(inner) || !(*keys)[inner].contains("properties")) break;
      target->insert(inner, toml::table{});
      target = (*target)[inner].as_table();
      if (!target) return;
      keys = &(*keys)[inner]["properties"];
      prefix += inner + ".";
      key = key.substr(dot + 1);
    }
  }
  if (!keys->contains(key)) return refuse("unknown key " + in_quotes(path), suggestion(path, paths(prefix, *keys)));
  assign(*target, key, value, text, reading);
}

}  // namespace trompo
