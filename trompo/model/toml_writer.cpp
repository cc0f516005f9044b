// A model as a model file.
#include <nlohmann/json.hpp>

#include "trompo/model/json_fields.hpp"
#include "trompo/model/reader.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += '\\';
    if (code >= 0x20 && code != 0x7F)
      out += c;
    else
      out += std::string("\\u00") + "0123456789abcdef"[code / 16] + "0123456789abcdef"[code % 16];
  }
  return out + "\"";
}

// Bare where TOML allows it.
std::string key_text(const std::string& key) {
  const bool bare =
      key.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
  return bare && !key.empty() ? key : quoted(key);
}

std::string value_text(const Json& value) {
  if (value.is_string()) return quoted(value.get<std::string>());
  if (value.is_number_float()) {
    const std::string text = number_text(value.get<double>());
    return text == "-0" ? "-0.0" : text;  // a whole number has no sign there
  }
  if (!value.is_structured()) return value.dump();
  std::string inside;
  for (const auto& [key, entry] : value.items())
    inside += (inside.empty() ? "" : ", ") + (value.is_object() ? key_text(key) + " = " : "") + value_text(entry);
  return value.is_array() ? "[" + inside + "]" : "{ " + inside + " }";
}

bool is_list_of_tables(const Json& value) { return value.is_array() && !value.empty() && value[0].is_object(); }

void write_keys(const Json& table, std::string& out) {
  for (const auto& [key, value] : table.items()) out += key_text(key) + " = " + value_text(value) + "\n";
}

}  // namespace

std::string model_toml(const Model& model) {
  const Json tree = plain_tree(model);
  std::string top, sections;
  for (const auto& [key, value] : tree.items()) {
    if (is_list_of_tables(value)) {
      for (const Json& item : value) sections += "\n[[" + key + "]]\n", write_keys(item, sections);
    } else if (value.is_object()) {
      sections += "\n[" + key + "]\n";
      write_keys(value, sections);
    } else {
      top += key_text(key) + " = " + value_text(value) + "\n";
    }
  }
  return top + sections;
}

}  // namespace trompo
